"""What positions are worth, what became of a run, and puzzles. All of it is worked out beside the event
loop."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import JSONResponse

from dicehall.coach.puzzles import puzzles
from dicehall.errors import InvalidOption
from dicehall.rules.catalog import GAMES, find_game
from dicehall.server import coach, modes
from dicehall.server.api.boards import find_dailies
from dicehall.server.api.common import PROBLEMS, Ask, MeOrNobody, Network, NotFound, TheGame, TheHall, TheMe
from dicehall.server.api.play import one_run
from dicehall.server.jobs import as_json
from dicehall.server.models import coach as models
from dicehall.server.models.common import Day
from dicehall.server.positions import position
from dicehall.store import daily

router = APIRouter(prefix="/api", responses=PROBLEMS, tags=["coach"])
GameId = Annotated[str, Query(max_length=40)]
Mode = Annotated[str, Query(max_length=500)]
Objective = Annotated[str | None, Query(max_length=40)]


@router.post("/coach/advise", response_model=models.Advice)
async def advice(asked: models.Ask, hall: TheHall, ask: Ask, me: MeOrNobody, network: Network) -> Response:
    """Every legal move of a position with its value, the best first. For finished runs, puzzles and other clients: at
    a table that is being played, ask over its socket. A run of the same player or network that is played for the
    boards and stands at the position is unranked from then on."""
    game = find_game(asked.game)
    state = game.rules.read_state(game.make_options(asked.options), asked.state)
    where = position(game.id, game.rules.state_text(state))
    await hall.notice_question(where, None if me is None else me.id, network)
    return await ask(as_json, coach.advice, asked.game, asked.options, asked.state, asked.objective)


@router.get("/tables/{table_id}/worth", response_model=models.Worth)
async def table_worth(table_id: str, hall: TheHall, ask: Ask, me: TheMe, network: Network) -> Response:
    """What the position at my practice table is worth, for what is played for there. At any other table that would be
    half a hint. As every question about a position, it is noticed: see above."""
    live = await hall.settled_table(me.id, table_id, network)
    state, game = live.table.state, live.table.game
    hall.let_go(live)
    if live.saved.kind != "practice":
        raise InvalidOption("worth", "what a position is worth is told at practice tables alone")
    await hall.notice_question(position(game.id, game.rules.state_text(state)), me.id, network)
    return await ask(as_json, coach.worth, game.id, game.version, state)


@router.get("/coach/odds", response_model=models.Odds)
async def odds(ask: Ask, game: GameId, mode: Mode = "standard", objective: Objective = None) -> Response:
    """What the start of a game is worth under perfect play."""
    return await ask(as_json, coach.odds, game, mode, objective)


@router.get("/coach/lab", response_model=models.Lab)
async def lab(ask: Ask, game: GameId, mode: Mode = "standard") -> Response:
    """Every objective under the usual rules and under changed ones: what the start is worth."""
    return await ask(as_json, coach.lab, game, mode)


@router.get("/coach/opponent", response_model=models.Opponent)
async def opponent(
    ask: Ask, game: GameId, seats: Annotated[int, Query(ge=1, le=6)], mode: Mode = "standard"
) -> Response:
    """What the levels and perfect play play for: to win, or for the nearest to it that is solved."""
    return await ask.once(as_json, coach.opponent, game, mode, seats)


@router.get("/coach/prospects", response_model=models.Prospects)
async def prospects(
    ask: Ask, game: GameId, seats: Annotated[int, Query(ge=1, le=6)], mode: Mode = "standard"
) -> Response:
    """What a hint at such a table would be for, if there is one, and what the start is worth for that."""
    return await ask.once(as_json, coach.prospects, game, mode, seats)


@router.get("/coach/chart", response_model=coach.Chart | None)
async def chart(ask: Ask, game: GameId, mode: Mode = "standard") -> Response:
    """The game's chart as plain data: when to bank in Farkle, what each tile costs in Shut the Box, what perfect play
    ends with in Knucklebones-lite, what a lead is worth in Knucklebones; null where there is none."""
    return await ask(as_json, coach.chart, game, mode)


@router.get("/runs/{run_id}/report", response_model=models.Report | None)
async def run_report(
    run_id: str,
    hall: TheHall,
    me: MeOrNobody,
    ask: Ask,
    seat: Annotated[int | None, Query(ge=0, le=5)] = None,
    objective: Objective = None,
) -> Response:
    """Luck and skill of a finished run: result = start + luck + gifts - lost + corrected. Without a seat, the player's
    own; without an objective, the one that the options suggest, and nothing where nobody has solved that."""
    run = await one_run(run_id, hall, me)
    try:
        return await ask(as_json, coach.run_report, run.record, run.day is not None, seat, objective)
    except InvalidOption:
        if objective is None and seat is None:
            return JSONResponse(None)
        raise


@router.get("/daily/{day}/{game_id}/benchmark", response_model=models.DailyBenchmark)
async def daily_benchmark(day: Day, game: TheGame, hall: TheHall, me: MeOrNobody, ask: Ask) -> Response:
    """What perfect play makes of the day's dice. While the day lasts, who has not finished a first attempt is told what
    it expects of any dice, and nothing about these."""
    today = await hall.today()
    if day > today:
        raise NotFound("day", f"there is no daily of {day} yet")
    if day == today:
        await find_dailies(hall, [game], day)
    mode = modes.daily_mode(game)
    found = await hall.read(lambda c: daily.find(c, day, game.id, mode))
    if found is None:
        raise NotFound("day", f"there is no daily of {day}")
    known = day < today or (me and await hall.read(lambda c: daily.may_see(c, day, game.id, mode, me.id)))
    return await ask(as_json, coach.daily_benchmark, game.id, found.secret, bool(known))


@router.get("/puzzles")
async def all_puzzles(hall: TheHall) -> list[models.Puzzles]:
    """The puzzles of every game, and which of them is today's."""
    today = modes.day_of(hall.clock())
    return [coach.puzzle_set(game_id, today) for game_id in GAMES if puzzles(game_id)]


@router.get("/puzzles/{game_id}/{number}", response_model=models.Puzzle)
async def one_puzzle(game_id: str, number: Annotated[int, Path(ge=1, le=10**6)], ask: Ask) -> Response:
    """A position, and what every move in it is worth."""
    known = puzzles(game_id) if game_id in GAMES else []
    if number > len(known):
        raise NotFound("puzzle", "there is no such puzzle")
    return await ask(as_json, coach.puzzle, known[number - 1], number, len(known))
