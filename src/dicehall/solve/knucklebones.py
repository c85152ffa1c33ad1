"""Perfect play of classic Knucklebones: the chance to win, for every position, by value iteration.

A column only ever meets the one that faces it, and where a die lies in its column changes nothing. So a position is the
collection of its facing *pairs*, seen from the seat that rolls next; facing columns never share a face, which leaves
3,067 pairs, and 4,812,987,894 collections of three. Dice are destroyed, so a position may come back, and nothing bounds
the length of a game: values are not found backwards from the end but swept over, again and again in place, until
nothing changes any more.

A value is kept where the *waiting* seat would look: at the position with every pair turned round. What a move leads to
then lies beside the position it was made in, because only one of the three pairs has changed.

With fewer columns the game is the same and smaller; a column that is missing is the pair NO_PAIR, in which nothing can
be placed.

    two = solve(2)
    two.value([(), (1,)], [(5, 5), ()])     the chance to win of the seat that rolls next
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

import numpy as np
from numba import prange

from dicehall.dice import FACES
from dicehall.rules.knucklebones import SLOTS, Column, destroyed, score_column
from dicehall.solve.compiled import njit

Numbers = np.ndarray[Any, Any]

SETTLED: Final = 3e-7  # a sweep that changes no value by more was the last
NO_MOVE: Final = -1


class Pairs(NamedTuple):
    """All pairs of facing columns, seen from the seat that rolls next, and a last one that stands for none."""

    columns: list[tuple[Column, Column]]
    place: dict[tuple[Column, Column], int]
    turned: Numbers  # [pair]: seen from the other seat
    after: Numbers  # [pair, die - 1]: once that die was placed, seen from the same seat; NO_MOVE if there is no room
    lead: Numbers  # [pair]: points of the seat less those of the other
    free: Numbers  # [pair]: slots
    facing: Numbers  # [pair]: free slots of the other seat


@cache
def pairs() -> Pairs:
    columns = [dice for count in range(SLOTS + 1) for dice in combinations_with_replacement(FACES, count)]
    # many dice first: what lies later in a sweep follows from what lies before, and games end where there are many
    known = sorted(
        ((mine, theirs) for mine in columns for theirs in columns if not set(mine) & set(theirs)),
        key=lambda pair: (-len(pair[0]) - len(pair[1]), pair),
    )
    place = {pair: at for at, pair in enumerate(known)}
    none = len(known)
    after = np.full((none + 1, len(FACES)), NO_MOVE, np.int32)
    for at, (mine, theirs) in enumerate(known):
        if len(mine) < SLOTS:
            for die in FACES:
                after[at, die - 1] = place[tuple(sorted((*mine, die))), destroyed(theirs, die)]
    return Pairs(
        known,
        place,
        np.array([*(place[theirs, mine] for mine, theirs in known), none], np.int32),
        after,
        np.array([*(score_column(mine) - score_column(theirs) for mine, theirs in known), 0], np.int32),
        np.array([*(SLOTS - len(mine) for mine, _ in known), 0], np.int32),
        np.array([*(SLOTS - len(theirs) for _, theirs in known), 0], np.int32),
    )


NO_PAIR: Final = len(pairs().columns)


@njit()
def index(a: int, b: int, c: int) -> int:
    """Where a collection of three pairs lies among all, whatever their order."""
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
        if a > b:
            a, b = b, a
    return a + b * (b + 1) // 2 + c * (c + 1) * (c + 2) // 6


@cache
def _span(columns: int) -> tuple[int, int]:
    """Where the collections of that many pairs begin, and how many there are: those that end with NO_PAIR lie
    together."""
    missing = [NO_PAIR] * (3 - columns)
    first = index(*[0] * columns, *missing)
    return first, index(*[NO_PAIR - 1] * columns, *missing) + 1 - first


class Solved(NamedTuple):
    """`chance` of a game of that many `columns`, kept at the position of the waiting seat; after so many `sweeps`, the
    last of which changed no value by more than `change`."""

    columns: int
    chance: Numbers
    sweeps: int
    change: float

    def value(self, mine: Sequence[Column], theirs: Sequence[Column]) -> float:
        """The chance of the seat that rolls next, whose columns are `mine`."""
        known = pairs()
        turned = [known.place[tuple(sorted(b)), tuple(sorted(a))] for a, b in zip(mine, theirs, strict=True)]
        turned += [NO_PAIR] * (3 - self.columns)
        return float(self.chance[index(*turned) - _span(self.columns)[0]])


def solve(
    columns: int, draw: float = 0.5, settled: float = SETTLED, tell: Callable[[int, float], None] = lambda *_: None
) -> Solved:
    """The game with that many columns, where a `draw` counts so much of a win for either seat; `tell` hears the number
    of each sweep and its largest change."""
    first, count = _span(columns)
    known = pairs()
    chance = np.full(count, 0.5, np.float32)
    change, sweeps = 1.0, 0
    while change > settled:
        sweeps += 1
        change = float(
            _sweep(columns, first, chance, known.turned, known.after, known.lead, known.free, known.facing, draw)
        )
        tell(sweeps, change)
    return Solved(columns, chance, sweeps, change)


@njit(parallel=True)
def _sweep(columns, first, chance, turned, after, lead, free, facing, draw):  # type: ignore[no-untyped-def]
    """Every position once, in place; how much the value that changed most has changed."""
    pairs_known = len(turned) - 1
    changes = np.zeros(pairs_known, np.float32)
    # one thread has all collections with the same highest pair
    for highest in prange(pairs_known):
        changes[highest] = _sweep_from(
            columns, first, np.int64(highest), chance, turned, after, lead, free, facing, draw
        )
    return changes.max()


@njit()
def _sweep_from(columns, first, highest, chance, turned, after, lead, free, facing, draw):  # type: ignore[no-untyped-def]
    none = len(turned) - 1
    most = np.float32(0)
    for b in range(highest + 1) if columns > 1 else range(none, none + 1):
        for a in range(b + 1) if columns > 2 else range(none, none + 1):
            found = position_value(first, a, b, highest, chance, after, lead, free, facing, draw)
            at = index(turned[a], turned[b], turned[highest]) - first
            most = max(most, abs(found - chance[at]))
            chance[at] = found
    return most


@njit()
def position_value(first, a, b, c, chance, after, lead, free, facing, draw):  # type: ignore[no-untyped-def]
    """The chance of the seat that rolls next, from the values of what it can move to."""
    ahead = lead[a] + lead[b] + lead[c]
    if facing[a] + facing[b] + facing[c] == 0:  # the other seat has just filled its grid
        return _ended(ahead, draw)
    room = free[a] + free[b] + free[c]
    total = np.float32(0)
    for die in range(6):
        best = np.float32(0)
        for turn in range(3):
            if turn == 1:
                one, two, three = b, a, c
            elif turn == 2:
                one, two, three = c, a, b
            else:
                one, two, three = a, b, c
            then = after[one, die]
            if then >= 0:
                if room == 1:
                    value = _ended(lead[then] + lead[two] + lead[three], draw)
                else:
                    value = np.float32(1) - chance[index(then, two, three) - first]
                best = max(best, value)
        total += best
    return total / np.float32(6)


@njit()
def _ended(ahead, draw):  # type: ignore[no-untyped-def]
    return np.float32(1 if ahead > 0 else 0 if ahead < 0 else draw)
