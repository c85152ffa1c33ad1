"""A simple Shut the Box player: highest tiles first."""

from __future__ import annotations

from collections.abc import Callable

from dicehall.rules.shut_the_box import legal
from dicehall.rules.shut_the_box_state import ONE, Move, State


def highest(_: int = 0) -> Callable[[State], Move]:
    return choose_highest


def choose_highest(state: State) -> Move:
    """The set with the highest tile, then the next highest, and so on; one die as soon as it may."""
    moves = legal(state)
    if ONE in moves:
        return ONE
    return max(moves, key=tuple)
