"""What positions are worth, what became of a run, and puzzles. Whatever takes long runs beside the event loop."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request

from dicehall.coach.puzzles import puzzles
from dicehall.errors import InvalidOption
from dicehall.rules.catalog import GAMES, find_game
from dicehall.server import coach, models, modes
from dicehall.server.api.boards import daily_of
from dicehall.server.api.common import PROBLEMS, MeOrNobody, NotFound, TheGuard, TheHall
from dicehall.server.api.play import one_run
from dicehall.server.coach import think
from dicehall.server.positions import position
from dicehall.store import daily

router = APIRouter(prefix="/api", responses=PROBLEMS, tags=["coach"])
GameId = Annotated[str, Query(max_length=40)]
Mode = Annotated[str, Query(max_length=500)]
Objective = Annotated[str | None, Query(max_length=40)]


@router.post("/coach/advise")
async def advice(asked: models.Ask, request: Request, hall: TheHall, guard: TheGuard, me: MeOrNobody) -> models.Advice:
    """Every legal move of a position with its value, the best first. For finished runs, puzzles and other clients: at
    a table that is being played, ask over its socket. A run of the same player or network that is played for the
    boards and stands at the position is unranked from then on."""
    game = find_game(asked.game)
    state = game.read_state(game.make_options(asked.options), asked.state)
    where = position(game.id, modes.mode_name(state.options, ()), game.state_text(state))
    await hall.notice_question(where, None if me is None else me.id, guard.network_mark(request))
    told = await think(coach.hinted, game, state, asked.objective)
    return models.Advice.model_validate(told, from_attributes=True)


@router.get("/coach/odds")
async def odds(game: GameId, mode: Mode = "standard", objective: Objective = None) -> models.Odds:
    """What the start of a game is worth under perfect play."""
    return await think(coach.odds, game, mode, objective)


@router.get("/coach/lab")
async def lab(game: GameId, mode: Mode = "standard") -> models.Lab:
    """Every objective under the usual rules and under changed ones: what the start is worth."""
    return await think(coach.lab, game, mode)


@router.get("/coach/opponent")
async def opponent(game: GameId, seats: Annotated[int, Query(ge=1, le=6)], mode: Mode = "standard") -> models.Opponent:
    """What the levels and perfect play play for: to win, or for the nearest to it that is solved."""
    return await think(coach.opponent, game, mode, seats)


@router.get("/coach/chart")
async def chart(game: GameId, mode: Mode = "standard") -> coach.Chart | None:
    """The game's chart as plain data: when to bank in Farkle, what each tile costs in Shut the Box, what perfect play
    ends with in Knucklebones-lite; null where there is none."""
    return await think(coach.chart, game, mode)


@router.get("/runs/{run_id}/report")
async def run_report(
    run_id: str, hall: TheHall, me: MeOrNobody, seat: Annotated[int | None, Query(ge=0, le=5)] = None,
    objective: Objective = None,
) -> models.Report | None:  # fmt: skip
    """Luck and skill of a finished run: result = start + luck + gifts - lost. Without a seat, the player's own; without
    an objective, the one that the options suggest, and nothing where nobody has solved that."""
    run = await one_run(run_id, hall, me)
    try:
        return await think(coach.run_report, run.record, run.day is not None, seat, objective)
    except InvalidOption:
        if objective is None and seat is None:
            return None
        raise


@router.get("/daily/{day}/{game_id}/benchmark")
async def daily_benchmark(day: models.Day, game_id: str, hall: TheHall, me: MeOrNobody) -> models.DailyBenchmark:
    """What perfect play makes of the day's dice. While the day lasts, who has not finished a first attempt is told what
    it expects of any dice, and nothing about these."""
    game = GAMES.get(game_id)
    today = await hall.today()
    if game is None or day > today:
        raise NotFound("day", f"there is no daily of {day} yet")
    if day == today:
        await daily_of(hall, game, day)
    mode = modes.daily_mode(game)
    found = await hall.read(lambda c: daily.find(c, day, game.id, mode))
    if found is None:
        raise NotFound("day", f"there is no daily of {day}")
    told = await think(coach.daily_benchmark, game.id, found.secret)
    known = day < today or (me and await hall.read(lambda c: daily.may_see(c, day, game.id, mode, me.id)))
    return told if known else told.model_copy(update={"perfect": None, "foresight": None})


@router.get("/puzzles")
async def all_puzzles(hall: TheHall) -> list[models.Puzzles]:
    """The puzzles of every game, and which of them is today's."""
    today = modes.day_of(hall.clock())
    return [coach.puzzle_set(game_id, today) for game_id in GAMES]


@router.get("/puzzles/{game_id}/{number}")
async def one_puzzle(game_id: str, number: Annotated[int, Path(ge=1, le=10**6)]) -> models.Puzzle:
    """A position, and what every move in it is worth."""
    known = puzzles(game_id) if game_id in GAMES else []
    if number > len(known):
        raise NotFound("puzzle", "there is no such puzzle")
    return await think(coach.puzzle, known[number - 1], number, len(known))
