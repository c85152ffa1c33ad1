"""Perfect play of classic Knucklebones: the chance to win, for every position, by value iteration.

Dice are destroyed, so a position may come back, and nothing bounds the length of a game: values are not found backwards
from the end but swept over, again and again in place, until nothing changes any more. Which positions there are says
`dicehall.coach.knucklebones.pairs`. They are swept in *blocks*, of three classes of pairs each, those with the most dice
first: what lies later in a sweep follows from what lies before, but for dice that are destroyed.

A value is kept where the *waiting* seat would look: at the position with every pair turned round. What a move leads to
then lies beside the position it was made in, because only one of the three pairs has changed.

    two = solve(2)
    two.value([(), (1,)], [(5, 5), ()])     the chance to win of the seat that rolls next
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

import numpy as np

from dicehall.coach.knucklebones.pairs import COLUMNS, NO_PAIR, Class, pairs, place_of, span
from dicehall.coach.knucklebones.table import ONE, WIN, WIN_DRAW_HALF
from dicehall.rules.knucklebones import SLOTS, Column
from dicehall.solve.knucklebones_sweep import backup, backup_last, ended, next_rows, store

Numbers = np.ndarray[Any, Any]

BATCH: Final = 4_000_000  # positions
ROWS: Final = 100_000  # of a batch, at most

DRAWS: Final = {WIN_DRAW_HALF: [ONE // 2], WIN: [0, ONE]}  # what one is worth, by table

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


class CompiledPairs(NamedTuple):
    """`Pairs`, for compiled code."""

    turned: Numbers
    after: Numbers
    lead: Numbers


@cache
def compiled_pairs() -> CompiledPairs:
    known = pairs()
    return CompiledPairs(*(np.array(each, np.int64) for each in (known.turned, known.after, known.lead)))


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


class Sweeps:
    """Values of all positions, better with every sweep.

    A table holds what the seat that rolls next may expect. If a draw counts one half, one table does for both seats. If
    only a win counts, there are two of them: in the first, the seat that wants to win rolls next; in the second, the
    other one does, for which a draw is as good as a win.
    """

    settled = 0.0  # the largest change of the last sweep
    step = 0  # of `backup`

    def __init__(self, columns: int, objective: str = WIN_DRAW_HALF) -> None:
        self.columns, self.objective = columns, objective
        self.first, count = span(columns)
        self.draws = DRAWS[objective]
        self.tables = [np.full(count, ONE // 2, np.uint16) for _ in self.draws]
        self._found = np.empty(BATCH + NO_PAIR, np.uint32)

    def certain(self) -> None:
        """Positions that the next die ends, or the last one has: their values follow from the points alone."""
        known = compiled_pairs()
        for block in blocks(self.columns):
            if block.facing and block.free != 1:
                continue
            for values, draw in zip(self.tables, self.draws, strict=True):
                for batch in batches(block):
                    if block.facing:
                        backup_last(self._found, *batch, block.a.first, block.moves, known.after, known.lead, draw)
                    else:
                        ended(self._found, *batch, block.a.first, known.lead, draw)
                    store(values, self.first, self._found, *batch, block.a.first, known.turned)

    def sweep(self) -> tuple[int, int]:
        """Every other position once; how much the value that changed most has changed, and all together."""
        known = compiled_pairs()
        largest, total = 0, 0
        for block in blocks(self.columns):
            if not block.facing or block.free <= 1:  # with no free slot: the seat that rolls never has a full grid
                continue
            for mine, theirs in zip(self.tables, reversed(self.tables), strict=True):
                for batch in batches(block):
                    backup(theirs, self.first, self._found, *batch, block.a.first, block.moves, known.after, self.step)
                    change, changes = store(mine, self.first, self._found, *batch, block.a.first, known.turned)
                    largest, total = max(largest, change), total + changes
        return largest, total

    def value(self, mine: Sequence[Column], theirs: Sequence[Column], table: int = 0) -> float:
        """What the seat may expect that rolls next, whose columns are `mine`."""
        return float(self.tables[table][place_of(theirs, mine)]) / ONE


def solve(columns: int, objective: str = WIN_DRAW_HALF) -> Sweeps:
    """The game with that many columns."""
    work = Sweeps(columns, objective)
    work.certain()
    while work.sweep()[0] > work.settled:
        pass
    return work
