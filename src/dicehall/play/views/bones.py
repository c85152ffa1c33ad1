"""The two facing grids of classic Knucklebones."""

from __future__ import annotations

from typing import Any

from dicehall.rules.knucklebones import Column, State, destroyed, score_column, score_grid


def picture(state: State) -> dict[str, Any]:
    return {
        "die": state.die or None,
        "seats": [
            {
                "columns": [list(column) for column in grid],  # index 0 lies next to the opponent
                "column_scores": [score_column(column) for column in grid],
                "multipliers": [[column.count(die) for die in column] for column in grid],
                "total": score_grid(grid),
            }
            for grid in state.grids
        ],
    }


def preview(state: State, move: int) -> dict[str, Any]:
    """What the column would score, and what it would break on the other side."""
    mine: Column = state.grids[state.seat][move]
    facing: Column = state.grids[1 - state.seat][move]
    left = destroyed(facing, state.die)
    return {
        "kind": "place",
        "column": move,
        "slot": len(mine),
        "column_score": score_column((*mine, state.die)),
        "gains": score_column((*mine, state.die)) - score_column(mine),
        "destroys": [slot for slot, die in enumerate(facing) if die == state.die],
        "breaks": score_column(facing) - score_column(left),
    }
