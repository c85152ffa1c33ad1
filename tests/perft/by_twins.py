"""Perft by the slow twins of the rules: every path walked on its own, every order of the dice rolled. Obvious, slow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from types import ModuleType
from typing import Any

from tests.oracles.catalog import ORACLES
from tests.perft.tables import Position, Row


def count_by_twins(position: Position, depth: int) -> tuple[Row, ...]:
    """The rows from depth 1 on; they stop early where every game is over."""
    twin = ORACLES[position.game]
    tallies = [_Tally(position.seats) for _ in range(depth + 1)]
    _visit(twin, _arrive(twin, position), 1, tallies)
    return tuple(tally.row(ply) for ply, tally in enumerate(tallies) if ply > 0 and tally.nodes)


@cache
def rolls(dice: int) -> dict[tuple[int, ...], int]:
    """Every sorted roll, and how many of the 6^n ordered ones become it."""
    return Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=dice))


class _Tally:
    """What has been seen at one depth."""

    def __init__(self, seats: int) -> None:
        self.nodes = self.rolls = self.over = self.weight = 0
        self.turns, self.points, self.wins = [0] * seats, [0] * seats, [0] * seats

    def add(self, twin: ModuleType, here: Any, weight: int) -> None:
        self.nodes += 1
        self.weight += weight
        if twin.turn(here) == "dice":
            self.rolls += 1
        elif twin.turn(here) == "seat":
            self.turns[twin.seat(here)] += 1
        else:
            self.over += 1
            outcome = twin.outcome(here)
            for seat, score in enumerate(outcome["scores"]):
                self.points[seat] += weight * score
            for seat in outcome["winners"]:
                self.wins[seat] += weight

    def row(self, depth: int) -> Row:
        turns, points, wins = tuple(self.turns), tuple(self.points), tuple(self.wins)
        return Row(depth, self.nodes, self.rolls, turns, self.over, self.weight, points, wins)


def _arrive(twin: ModuleType, position: Position) -> Any:
    here = twin.start(position.options, position.seats)
    for step in position.steps:
        if twin.turn(here) == "dice":
            here = twin.roll(here, tuple(int(die) for die in step.removeprefix("d")))
        else:
            here = twin.move(here, step)
    return here


def _visit(twin: ModuleType, here: Any, weight: int, tallies: list[_Tally]) -> None:
    """Count a node into the first tally and what follows it into the others."""
    tallies[0].add(twin, here, weight)
    if len(tallies) > 1:
        for following, orders in _plies(twin, here):
            _visit(twin, following, weight * orders, tallies[1:])


def _plies(twin: ModuleType, here: Any) -> Iterator[tuple[Any, int]]:
    if twin.turn(here) == "dice":
        for roll, orders in rolls(twin.dice_count(here)).items():
            yield twin.roll(here, roll), orders
    else:
        for move in twin.moves(here):
            yield twin.move(here, move), 1
