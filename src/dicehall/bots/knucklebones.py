"""The spec's opponent for classic Knucklebones, and a beginner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dicehall.bots.ladder import usual_advice
from dicehall.bots.protocol import BotKind
from dicehall.rules.knucklebones import ID, State, after, legal, score_grid

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


def greedy(_: int = 0) -> Callable[[State], int]:
    return choose_greedily


def choose_greedily(state: State) -> int:
    """What a beginner does: the column that gives the best lead at once; the first of equals."""

    def lead(column: int) -> int:
        grids = after(state, column).grids
        return score_grid(grids[state.seat]) - score_grid(grids[1 - state.seat])

    return max(legal(state), key=lead)


best_advice: Final = usual_advice
KINDS: Final = (
    BotKind("greedy", (ID,), "takes the best lead at once, as beginners do", greedy),
    BotKind("spec", (ID,), "stacks its own and breaks yours, by the spec's weights", spec),
)
WIDTHS: Final = {"win": (1_500_000, 350_000, 160_000, 75_000, 36_000)}
