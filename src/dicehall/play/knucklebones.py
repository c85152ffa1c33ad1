"""The two facing grids of classic Knucklebones."""

from __future__ import annotations

from functools import cache
from typing import Literal, TypedDict

from dicehall.rules.game import NOBODY
from dicehall.rules.knucklebones import Column, State, actor, destroyed, score_column
from dicehall.rules.two_seats import UNDRAWN


class KnucklebonesSeat(TypedDict):
    """A seat's grid by columns; in each, index 0 lies next to the opponent."""

    columns: list[list[int]]
    column_scores: list[int]
    multipliers: list[list[int]]
    total: int


class KnucklebonesPicture(TypedDict):
    die: int | None
    turn_of: int | None  # whose die it is, in the air or to be placed; None before the draw and after the end
    seats: list[KnucklebonesSeat]


class KnucklebonesPlace(TypedDict):
    kind: Literal["place"]
    column: int
    slot: int
    column_score: int
    gains: int
    destroys: list[int]  # slots of the facing column
    breaks: int  # points that the opponent loses


def picture(state: State) -> KnucklebonesPicture:
    return {
        "die": state.die or None,
        "turn_of": None if state.seat == UNDRAWN or actor(state) == NOBODY else state.seat,
        "seats": [_grid(*grid) for grid in state.grids],
    }


def _grid(a: Column, b: Column, c: Column) -> KnucklebonesSeat:
    scores = [score_column(a), score_column(b), score_column(c)]
    return {
        "columns": [list(a), list(b), list(c)],
        "column_scores": scores,
        "multipliers": [list(_multipliers(a)), list(_multipliers(b)), list(_multipliers(c))],
        "total": sum(scores),
    }


def preview(state: State, move: int) -> KnucklebonesPlace:
    """What the column would score, and what it would break on the other side."""
    mine: Column = state.grids[state.seat][move]
    facing: Column = state.grids[1 - state.seat][move]
    score, breaks = score_column((*mine, state.die)), state.die in facing
    return {
        "kind": "place",
        "column": move,
        "slot": len(mine),
        "column_score": score,
        "gains": score - score_column(mine),
        "destroys": [slot for slot, die in enumerate(facing) if die == state.die] if breaks else [],
        "breaks": score_column(facing) - score_column(destroyed(facing, state.die)) if breaks else 0,
    }


@cache
def _multipliers(column: Column) -> tuple[int, ...]:
    return tuple(column.count(die) for die in column)
