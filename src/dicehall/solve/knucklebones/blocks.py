"""In which order the positions of classic Knucklebones are swept: whatever does it, so nothing here is compiled.

They are swept in *blocks*, of three classes of pairs each, the most dice first: what lies later in a sweep follows from
what lies before, but for dice that are destroyed.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from dicehall.coach.knucklebones.pairs import COLUMNS, NO_PAIR, Class, pairs
from dicehall.coach.knucklebones.table import ONE, WIN_ALONE, WIN_DRAW_HALF
from dicehall.rules.knucklebones import SLOTS

Numbers = np.ndarray[Any, Any]

DRAWS: Final = {
    WIN_DRAW_HALF: [ONE // 2],
    WIN_ALONE: [0, ONE],
}  # what one is worth to the seat that rolls next, by table

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
    def is_over(self) -> bool:
        """The other seat has filled its grid."""
        return self.facing == 0

    @property
    def is_last(self) -> bool:
        """The game ends with the next die."""
        return self.facing > 0 and self.free == 1

    @property
    def is_live(self) -> bool:
        """The game goes on; a seat that rolls has never filled its grid."""
        return self.facing > 0 and self.free > 1

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


class Work(Protocol):
    """Values of all positions, better with every sweep, on whatever machine.

    A table holds what the seat that rolls next may expect. If a draw counts one half, one table does for both seats. If
    only a win counts, there are two of them: in the first, the seat that wants to win rolls next; in the second, the
    other one does, for which a draw is as good as a win.
    """

    columns: int
    objective: str
    settled: float  # the largest change of the last sweep, in units
    rounded: float  # by how many units a value changes when it is written

    def certain(self) -> None:
        """Positions that the next die ends, or the last one has: their values follow from the points alone."""

    def sweep(self) -> float:
        """Every other position once; how much the value that changed most has changed, in units."""

    def off(self) -> float:
        """How far a value is from what follows from its neighbours, at most, in units."""

    def get(self, table: int, start: int, end: int) -> Numbers:
        """Some values, in whole units."""

    def put(self, table: int, start: int, numbers: Numbers) -> None:
        """The same the other way round."""
