"""Perfect play of classic Knucklebones: the chance to win, for every position, by value iteration.

Dice are destroyed, so a position may come back, and nothing bounds the length of a game: values are not found backwards
from the end but swept over, again and again in place, until nothing changes any more. `dicehall.coach.knucklebones.pairs`
says which positions there are. They are swept in *blocks*, of three classes of pairs each, those with the most dice
first: what lies later in a sweep follows from what lies before, but for dice that are destroyed.

A value is kept where the *waiting* seat would look: at the position with every pair turned round. What a move leads to
then lies beside the position it was made in, because only one of the three pairs has changed.

    two = solve(2)
    two.value([(), (1,)], [(5, 5), ()])     the chance to win of the seat that rolls next
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

import numpy as np

from dicehall.coach.knucklebones.pairs import COLUMNS, NO_PAIR, Class, pairs, place_of, span
from dicehall.coach.knucklebones.table import ONE
from dicehall.rules.knucklebones import SLOTS, Column
from dicehall.solve.knucklebones_sweep import backup, backup_last, ended, next_rows, store

Numbers = np.ndarray[Any, Any]

BATCH: Final = 4_000_000  # positions
ROWS: Final = 100_000  # of a batch, at most
SETTLED: Final = 1  # a sweep that changes no value by more was the last: by rounding alone some swing for ever

NONE: Final = Class(SLOTS, SLOTS, NO_PAIR, NO_PAIR + 1)  # that of NO_PAIR


class Block(NamedTuple):
    """All positions of three classes of pairs, in their order."""

    a: Class
    b: Class
    c: Class

    @property
    def free(self) -> int:
        """Slots of the seat that rolls."""
        return sum(SLOTS - each.mine for each in self)

    @property
    def facing(self) -> int:
        """Slots of the other seat."""
        return sum(SLOTS - each.theirs for each in self)

    @property
    def bounds(self) -> Numbers:
        return np.array([end for each in self for end in (each.first, each.last)], np.int64)

    @property
    def moves(self) -> tuple[bool, bool, bool]:
        return self.a.mine < SLOTS, self.b.mine < SLOTS, self.c.mine < SLOTS


@cache
def blocks(columns: int) -> list[Block]:
    missing = [NONE] * (COLUMNS - columns)
    found = [Block(*known, *missing) for known in combinations_with_replacement(pairs().classes, columns)]
    return sorted(found, key=lambda block: block.free + block.facing)


class Tables(NamedTuple):
    """`Pairs`, for compiled code."""

    turned: Numbers
    after: Numbers
    lead: Numbers


@cache
def tables() -> Tables:
    known = pairs()
    return Tables(*(np.array(each, np.int64) for each in (known.turned, known.after, known.lead)))


class Batch(NamedTuple):
    """Some rows of a block: of each its two higher pairs and where it begins."""

    rows: int
    b_of: Numbers
    c_of: Numbers
    starts: Numbers


def batches(block: Block) -> Iterator[Batch]:
    cursor = np.array([block.c.first, block.b.first], np.int64)
    b_of, c_of, starts = np.empty(ROWS, np.int64), np.empty(ROWS, np.int64), np.empty(ROWS + 1, np.int64)
    while rows := next_rows(block.bounds, cursor, BATCH, b_of, c_of, starts):
        yield Batch(rows, b_of, c_of, starts)


class Solved(NamedTuple):
    """`values` of a game of that many `columns`, kept at the position of the waiting seat; after so many `sweeps`, the
    last of which changed no value by more than `change`."""

    columns: int
    values: Numbers
    sweeps: int
    change: float

    def value(self, mine: Sequence[Column], theirs: Sequence[Column]) -> float:
        """The chance of the seat that rolls next, whose columns are `mine`."""
        return float(self.values[place_of(theirs, mine)]) / ONE


class Sweeps:
    """Values of all positions, better with every sweep."""

    def __init__(self, columns: int, draw: float = 0.5) -> None:
        self.columns, self.draw = columns, round(draw * ONE)
        self.first, count = span(columns)
        self.values = np.full(count, ONE // 2, np.uint16)
        self._found = np.empty(BATCH + NO_PAIR, np.uint16)

    def certain(self) -> None:
        """Positions that the next die ends, or the last one has: their values follow from the points alone."""
        known = tables()
        for block in blocks(self.columns):
            if block.facing and block.free != 1:
                continue
            for batch in batches(block):
                if block.facing:
                    backup_last(self._found, *batch, block.a.first, block.moves, known.after, known.lead, self.draw)
                else:
                    ended(self._found, *batch, block.a.first, known.lead, self.draw)
                store(self.values, self.first, self._found, *batch, block.a.first, known.turned)

    def sweep(self) -> tuple[int, int]:
        """Every other position once; how much the value that changed most has changed, and all together."""
        largest, total = 0, 0
        for block in blocks(self.columns):
            if block.facing and block.free > 1:  # the seat that rolls has never filled its grid
                change, changes = self.sweep_block(block)
                largest, total = max(largest, change), total + changes
        return largest, total

    def sweep_block(self, block: Block) -> tuple[int, int]:
        known = tables()
        largest, total = 0, 0
        for batch in batches(block):
            backup(self.values, self.first, self._found, *batch, block.a.first, block.moves, known.after)
            change, changes = store(self.values, self.first, self._found, *batch, block.a.first, known.turned)
            largest, total = max(largest, change), total + changes
        return largest, total


def solve(columns: int, draw: float = 0.5, tell: Callable[[int, float], None] = lambda *_: None) -> Solved:
    """The game with that many columns, where a `draw` counts so much of a win for either seat; `tell` hears the number
    of each sweep and its largest change."""
    work = Sweeps(columns, draw)
    work.certain()
    change, sweeps = ONE, 0
    while change > SETTLED:
        change, _ = work.sweep()
        sweeps += 1
        tell(sweeps, change / ONE)
    return Solved(columns, work.values, sweeps, change / ONE)
