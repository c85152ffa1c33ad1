"""What positions are worth, and what became of a run."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query

from dicehall.coach.advise import certainty, meant, worth
from dicehall.coach.report import report, report_json
from dicehall.play.record import from_json
from dicehall.rules.catalog import find_game
from dicehall.server import modes
from dicehall.server.api.common import PROBLEMS, TheHall
from dicehall.server.api.play import one_run
from dicehall.server.coach import hinted
from dicehall.server.models import Advice, Ask, Odds, Report

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
) -> Report:
    """Luck and skill of a finished run: result = start + luck + gifts - lost. Without a seat, the player's own."""
    record = (await one_run(run_id, hall)).record
    return Report.model_validate(await asyncio.to_thread(_report, record, seat, objective))


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
