"""The two facing grids of classic Knucklebones."""

from __future__ import annotations

from functools import cache
from typing import Any

from dicehall.rules.knucklebones import Column, State, destroyed, score_column


def picture(state: State) -> dict[str, Any]:
    return {
        "die": state.die or None,
        "seats": [_grid(*grid) for grid in state.grids],
    }


def _grid(a: Column, b: Column, c: Column) -> dict[str, Any]:
    scores = [score_column(a), score_column(b), score_column(c)]
    return {
        "columns": [list(a), list(b), list(c)],  # index 0 lies next to the opponent
        "column_scores": scores,
        "multipliers": [list(_multipliers(a)), list(_multipliers(b)), list(_multipliers(c))],
        "total": sum(scores),
    }


def preview(state: State, move: int) -> dict[str, Any]:
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
