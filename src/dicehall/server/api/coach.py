"""What positions are worth, and what became of a run."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from dicehall.bots.player import player
from dicehall.coach.advise import certainty, meant, worth
from dicehall.coach.benchmark import benchmark, played_for
from dicehall.coach.puzzles import Puzzle as KnownPuzzle
from dicehall.coach.puzzles import puzzle_of_the_day, puzzles
from dicehall.coach.report import report, report_json
from dicehall.dice import SeededDice, mixed
from dicehall.errors import InvalidOption
from dicehall.play.record import from_json
from dicehall.play.view import view
from dicehall.rules.catalog import GAMES, find_game
from dicehall.server import modes
from dicehall.server.api.boards import daily_of
from dicehall.server.api.common import PROBLEMS, NotFound, TheHall
from dicehall.server.api.play import one_run
from dicehall.server.coach import hinted
from dicehall.server.models import (
    Advice,
    AdvisedMove,
    Ask,
    DailyBenchmark,
    Day,
    Odds,
    Puzzle,
    PuzzleInfo,
    Puzzles,
    Report,
)
from dicehall.store import daily

router = APIRouter(prefix="/api", responses=PROBLEMS, tags=["coach"])
Objective = Annotated[str | None, Query(max_length=40)]


@router.post("/coach/advise")
async def advice(asked: Ask) -> Advice:
    """Every legal move of a position with its value, the best first. For finished runs, puzzles and other clients: at
    a table that is being played, ask over its socket."""
    game = find_game(asked.game)
    state = game.read_state(game.make_options(asked.options), asked.state)
    told = await asyncio.to_thread(hinted, game, state, asked.seats, asked.objective)
    return Advice.model_validate(told, from_attributes=True)


@router.get("/coach/odds")
async def odds(
    game: Annotated[str, Query(max_length=40)],
    mode: Annotated[str, Query(max_length=500)] = "standard",
    objective: Objective = None,
) -> Odds:
    """What the start of a game is worth under perfect play."""
    return await asyncio.to_thread(_odds, game, mode, objective)


@router.get("/runs/{run_id}/report")
async def run_report(
    run_id: str, hall: TheHall, seat: Annotated[int | None, Query(ge=0, le=5)] = None, objective: Objective = None
) -> Report | None:
    """Luck and skill of a finished run: result = start + luck + gifts - lost. Without a seat, the player's own; without
    an objective, the one that the options suggest, and nothing where nobody has solved that."""
    record = (await one_run(run_id, hall)).record
    try:
        return Report.model_validate(await asyncio.to_thread(_report, record, seat, objective))
    except InvalidOption:
        if objective is None and seat is None:
            return None
        raise


@router.get("/daily/{day}/{game_id}/benchmark")
async def daily_benchmark(day: Day, game_id: str, hall: TheHall) -> DailyBenchmark:
    """What perfect play makes of the day's dice. None of the dice can be told from it."""
    game = GAMES.get(game_id)
    today = modes.day_of(hall.clock())
    if game is None or day > today:
        raise NotFound("day", f"there is no daily of {day} yet")
    if day == today:
        await daily_of(hall, game, day)
    found = await hall.read(lambda c: daily.find(c, day, game.id, modes.daily_mode(game)))
    if found is None:
        raise NotFound("day", f"there is no daily of {day}")
    return await asyncio.to_thread(_benchmark, game.id, found.secret)


@router.get("/puzzles")
async def all_puzzles(hall: TheHall) -> list[Puzzles]:
    """The puzzles of every game, and which of them is today's."""
    today = modes.day_of(hall.clock())
    return [_puzzles(game_id, today) for game_id in GAMES]


@router.get("/puzzles/{game_id}/{number}")
async def one_puzzle(game_id: str, number: Annotated[int, Path(ge=1, le=10**6)]) -> Puzzle:
    """A position, and what every move in it is worth."""
    known = puzzles(game_id) if game_id in GAMES else []
    if number > len(known):
        raise NotFound("puzzle", "there is no such puzzle")
    return await asyncio.to_thread(_puzzle, known[number - 1], number, len(known))


@lru_cache(maxsize=64)
def _benchmark(game_id: str, secret: str) -> DailyBenchmark:
    game, (chosen, seats) = find_game(game_id), modes.DAILY[game_id]
    seed, options = mixed(secret, ""), game.make_options(chosen)
    players = [None if name == modes.YOU else player(name, game, seed, seat) for seat, name in enumerate(seats)]
    found = benchmark(game, options, players, SeededDice(seed))
    return DailyBenchmark(
        objective=played_for(game, options, len(seats))[0],
        expected=None if found.expected is None else float(found.expected),
        perfect=found.perfect,
        foresight=found.foresight,
    )


def _puzzles(game_id: str, day: str) -> Puzzles:
    known = puzzles(game_id)
    return Puzzles(
        game=game_id,
        today=known.index(puzzle_of_the_day(game_id, day)) + 1,
        puzzles=[
            PuzzleInfo(number=number, difficulty=one.difficulty, objective=one.objective)
            for number, one in enumerate(known, 1)
        ],
    )


def _puzzle(puzzle: KnownPuzzle, number: int, of: int) -> Puzzle:
    game = find_game(puzzle.game)
    state = game.read_state(game.make_options(puzzle.options), puzzle.state)
    told = hinted(game, state, puzzle.seats, puzzle.objective)
    return Puzzle(
        number=number, of=of, game=game.id, difficulty=puzzle.difficulty, objective=puzzle.objective,
        certainty=told.certainty, less_is_better=told.less_is_better, seats=_seats(puzzle.seats, game.actor(state)),
        view=view(game, state, game.actor(state)), tempting=puzzle.thumb,
        moves=[AdvisedMove.model_validate(one, from_attributes=True) for one in told.moves],
    )  # fmt: skip


def _seats(count: int, actor: int) -> list[str]:
    return [modes.YOU if seat == actor else "opponent" for seat in range(count)]


def _odds(game_id: str, mode: str, objective: str | None) -> Odds:
    game = find_game(game_id)
    options = modes.options_of(game, mode)
    seats = 2 if objective == "race" else game.check_seats(options, None)
    objective = objective or meant(game, options, seats)
    value, sure = worth(game, options, seats, objective)(game.begin(options, seats)), certainty(game, objective)
    return Odds(
        game=game.id, options=options.changed(), objective=objective, certainty=sure, value=float(value),
        exact=str(value) if sure == "exact" else None,
    )  # fmt: skip


def _report(data: dict[str, Any], seat: int | None, objective: str | None) -> dict[str, Any]:
    record = from_json(data)
    if seat is None:
        seat = record.seats.index(modes.YOU) if modes.YOU in record.seats else 0
    told = report(record, seat, objective)
    return {**report_json(told), "certainty": certainty(record.find_game(), told.objective)}
