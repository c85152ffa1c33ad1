"""The spec's opponent for classic Knucklebones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dicehall.rules.knucklebones import State, legal

STACKING: Final = 10  # for each equal die already in the column
DESTROYING: Final = 5  # for each die it breaks, times the face


def spec(_: int = 0) -> Callable[[State], int]:
    return choose_column


def choose_column(state: State) -> int:
    mine, theirs = state.grids[state.seat], state.grids[1 - state.seat]

    def worth(column: int) -> int:
        stacked, broken = mine[column].count(state.die), theirs[column].count(state.die)
        return stacked * STACKING + broken * state.die * DESTROYING

    return max(legal(state), key=worth)  # the first of equals: the lowest column
