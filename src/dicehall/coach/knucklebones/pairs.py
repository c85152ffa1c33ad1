"""Positions of classic Knucklebones by number, as the solver keeps them.

A column only ever meets the one that faces it, and where a die lies in its column changes nothing. So a position is the
collection of its facing *pairs*, seen from one seat; facing columns never share a face, which leaves 3,067 pairs, and
4,812,987,894 collections of three. A column that is missing, where the game has fewer, is the pair NO_PAIR, in which
nothing can be placed.

Pairs are in order of the seat's dice, the most first, and then of those of the other seat. So whatever is placed moves
a pair to the front, and pairs of one *class*, with as many dice on both sides, lie together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from dicehall.dice import FACES
from dicehall.rules.knucklebones import SLOTS, Column, destroyed, score_column

Pair = tuple[Column, Column]  # of the seat, and of the other; each sorted

NO_MOVE: Final = -1
COLUMNS: Final = 3  # at most


class Class(NamedTuple):
    """All pairs with `mine` dice of the seat and `theirs` of the other: those from `first` to before `last`."""

    mine: int
    theirs: int
    first: int
    last: int


class Pairs(NamedTuple):
    """All pairs; the lists by pair have one entry more, for NO_PAIR."""

    known: list[Pair]
    place: dict[Pair, int]
    classes: list[Class]
    turned: list[int]  # seen from the other seat
    after: list[list[int]]  # once a die was placed, by die - 1, seen from the same seat; NO_MOVE if there is no room
    lead: list[int]  # points of the seat less those of the other


@cache
def pairs() -> Pairs:
    columns = [dice for count in range(SLOTS + 1) for dice in combinations_with_replacement(FACES, count)]
    known = sorted(
        ((mine, theirs) for mine in columns for theirs in columns if not set(mine) & set(theirs)),
        key=lambda pair: (-len(pair[0]), -len(pair[1]), pair),
    )
    place = {pair: at for at, pair in enumerate(known)}
    classes: list[Class] = []
    for at, (mine, theirs) in enumerate(known):
        if not classes or classes[-1][:2] != (len(mine), len(theirs)):
            classes.append(Class(len(mine), len(theirs), at, at))
        classes[-1] = classes[-1]._replace(last=at + 1)
    return Pairs(
        known,
        place,
        classes,
        [*(place[theirs, mine] for mine, theirs in known), len(known)],
        [
            [
                NO_MOVE if len(mine) == SLOTS else place[tuple(sorted((*mine, die))), destroyed(theirs, die)]
                for die in FACES
            ]
            for mine, theirs in known
        ]
        + [[NO_MOVE] * len(FACES)],
        [*(score_column(mine) - score_column(theirs) for mine, theirs in known), 0],
    )


NO_PAIR: Final = 3067
EMPTY: Final = NO_PAIR - 1  # the pair without a die


def index(a: int, b: int, c: int) -> int:
    """Where a collection of three pairs lies among all, whatever their order."""
    a, b, c = sorted((a, b, c))
    return a + b * (b + 1) // 2 + c * (c + 1) * (c + 2) // 6


@cache
def span(columns: int) -> tuple[int, int]:
    """Where the collections of that many pairs begin, and how many there are: those with as many NO_PAIR lie
    together."""
    missing = [NO_PAIR] * (COLUMNS - columns)
    first = index(*[0] * columns, *missing)
    return first, index(*[NO_PAIR - 1] * columns, *missing) + 1 - first


def place_of(mine: Sequence[Column], theirs: Sequence[Column]) -> int:
    """Where the position is, among those with as many columns, of the seat whose columns are `mine`."""
    place = pairs().place
    found = [place[tuple(sorted(a)), tuple(sorted(b))] for a, b in zip(mine, theirs, strict=True)]
    return index(*found, *[NO_PAIR] * (COLUMNS - len(found))) - span(len(found))[0]
