"""Perfect play of classic Knucklebones: the chance to win, for every position, by value iteration.

Dice are destroyed, so a position may come back, and nothing bounds the length of a game: values are not found backwards
from the end but swept over, again and again in place, until nothing changes any more. Which positions there are says
`dicehall.coach.knucklebones.pairs`, in which order they are swept `blocks`.

A value is kept where the *waiting* seat would look: at the position with every pair turned round. What a move leads to
then lies beside the position it was made in, because only one of the three pairs has changed.

    two = solve(2)
    two.value([(), (1,)], [(5, 5), ()])     the chance to win of the seat that rolls next
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Final, NamedTuple

import numba
import numpy as np

from dicehall.coach.knucklebones.pairs import COLUMNS, NO_PAIR, pairs, place_of, span
from dicehall.coach.knucklebones.table import ONE, WIN_DRAW_HALF
from dicehall.rules.knucklebones import Column
from dicehall.solve.knucklebones.blocks import DRAWS, Block, Numbers, blocks
from dicehall.solve.knucklebones.rows import backup, backup_last, ended, next_rows, store

BATCH: Final = 4_000_000  # positions
ROWS: Final = 100_000  # of a batch, at most


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


@contextmanager
def _threads(columns: int) -> Iterator[None]:
    """One does for a small game: several wait for each other longer than they work."""
    before = numba.get_num_threads()
    numba.set_num_threads(before if columns == COLUMNS else 1)
    try:
        yield
    finally:
        numba.set_num_threads(before)


class Sweeps:
    """A `Work` in 16-bit fixed point, on the CPU."""

    settled = 1.0  # some values swing between two neighbours for a long time
    rounded = 0.0
    step = 0  # of `backup`

    def __init__(self, columns: int, objective: str = WIN_DRAW_HALF) -> None:
        self.columns, self.objective = columns, objective
        self.first, count = span(columns)
        self.draws = DRAWS[objective]
        self.tables = [np.full(count, ONE // 2, np.uint16) for _ in self.draws]
        self._found = np.empty(BATCH + NO_PAIR, np.uint32)

    def certain(self) -> None:
        with _threads(self.columns):
            for block in blocks(self.columns):
                if block.is_over or block.is_last:
                    self._end_block(block)

    def _end_block(self, block: Block) -> None:
        known = compiled_pairs()
        for values, draw in zip(self.tables, self.draws, strict=True):
            for batch in batches(block):
                if block.is_over:
                    ended(self._found, *batch, block.a.first, known.lead, draw)
                else:
                    backup_last(self._found, *batch, block.a.first, block.moves, known.after, known.lead, draw)
                store(values, self.first, self._found, *batch, block.a.first, known.turned, False)

    def sweep(self) -> int:
        return self._all(compare=False)

    def off(self) -> float:
        return self._all(compare=True) / 6

    def _all(self, compare: bool) -> int:
        with _threads(self.columns):
            return max(self._sweep_block(block, compare) for block in blocks(self.columns) if block.is_live)

    def _sweep_block(self, block: Block, compare: bool) -> int:
        known, largest = compiled_pairs(), 3 if compare else 0  # what is certain is rounded, too
        for mine, theirs in zip(self.tables, reversed(self.tables), strict=True):
            for batch in batches(block):
                backup(theirs, self.first, self._found, *batch, block.a.first, block.moves, known.after, self.step)
                most = store(mine, self.first, self._found, *batch, block.a.first, known.turned, compare)
                largest = max(largest, most)
        return largest

    def get(self, table: int, start: int, end: int) -> Numbers:
        return self.tables[table][start:end]

    def put(self, table: int, start: int, numbers: Numbers) -> None:
        self.tables[table][start : start + len(numbers)] = numbers

    def value(self, mine: Sequence[Column], theirs: Sequence[Column], table: int = 0) -> float:
        """What the seat may expect that rolls next, whose columns are `mine`."""
        return float(self.tables[table][place_of(theirs, mine)]) / ONE


def solve(columns: int, objective: str = WIN_DRAW_HALF) -> Sweeps:
    """The game with that many columns."""
    work = Sweeps(columns, objective)
    work.certain()
    while work.sweep() > work.settled:
        pass
    return work
