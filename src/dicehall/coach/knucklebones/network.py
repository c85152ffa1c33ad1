"""What a position of classic Knucklebones is worth, judged by a network that fits into a book of less than a megabyte.

Every *pair* of facing columns has UNITS whole numbers, its weights, as seen by the seat that has just moved. A unit of
a position is one more than the sum of its weights over the three pairs, or nothing if that is negative. The units of
the first half speak for the seat that rolls next and those of the second half against it; a *curve* makes a chance to
win of what they come to. `dicehall.lab.knucklebones.teach` taught it the exact values.

A judgement is best taken some dice ahead. `ahead` tries every die and every placement, for so many dice, and judges
what is then on the table; what the last die of a game is worth is known, and so is the end. All numbers are whole, so
every machine finds the same: a chance is in parts of ONE, and of six times as many for each die ahead, so that no mean
over six dice is ever rounded. The solver knows the game with fewer columns too; the network, the coach and the players
know it with three.

The units of a pair stand side by side in one large number, in LANE bits each: three of them are added at once.
"""

from __future__ import annotations

import zlib
from array import array
from functools import cache, lru_cache
from itertools import accumulate
from struct import Struct
from typing import Final, NamedTuple

from dicehall.coach.book import packaged_book
from dicehall.coach.knucklebones.pairs import EMPTY, NO_MOVE, pairs
from dicehall.rules import knucklebones
from dicehall.rules.knucklebones import SLOTS

BOOK: Final = "knucklebones.bin"
BOOK_VERSION: Final = 1
ONE: Final = 12 << 16  # a certain win; twice six of them, so that a draw with any die is whole
UNITS: Final = 256
LANE: Final = 16
ZERO: Final = 10_923  # what a weight of nothing has in its lane: three of them, and a sum of nothing has the top bit
HALF: Final = UNITS // 2
LOW: Final = (1 << LANE * HALF) - 1  # all lanes of the first half
TOPS: Final = sum(1 << LANE * lane + LANE - 1 for lane in range(UNITS))
ABOVE: Final = sum(1 << LANE * lane + LANE - 1 for lane in range(HALF))  # so that no difference of two lanes borrows
EVEN: Final = sum(((1 << LANE) - 1) << 2 * LANE * lane for lane in range(HALF // 2))
ALL: Final = (1 << 2 * LANE) - 1  # what is left of a number after division by this is the sum of its double lanes
MOST: Final = 511  # of a unit's number, which its scale makes a weight
STEPS: Final = [at // 2 if at % 2 == 0 else -(at // 2) - 1 for at in range(4 * MOST + 2)]  # as they are counted
DICE: Final = 2  # that are looked ahead once a die is placed
WHOLE: Final = ONE * 6**DICE  # a certain win, then
KEPT: Final = 50_000  # judgements that are remembered


class Network(NamedTuple):
    weights: list[int]  # by pair, UNITS lanes each
    curve: list[int]  # by what the units come to, not less than nothing: less than that loses as often
    opening: dict[int, int]  # by the pair of a game's first die: the truth, in parts of WHOLE


@cache
def network() -> Network:
    book, after = packaged_book(BOOK, BOOK_VERSION, knucklebones.VERSION), pairs().after
    chapters = book.chapters()
    low, high, scale, curve = (zlib.decompress(chapters[title]) for title in ("low", "high", "scale", "curve"))
    counted = map(int.__add__, low, map((256).__mul__, high))  # `map` all through: there are 785,152 of them
    numbers = list(accumulate(map(STEPS.__getitem__, counted)))
    count = len(pairs().known)
    lanes = array("H")
    for unit, size in enumerate(scale):
        lane = [ZERO + size * number for number in (*range(MOST + 1), *range(-MOST, 0))]  # by number, from behind too
        lanes.extend(map(lane.__getitem__, numbers[unit * count : unit * count + count]))
    side_by_side = Struct(f"<{UNITS}H").pack
    weights = [int.from_bytes(side_by_side(*lanes[pair::count]), "little") for pair in range(count)]
    opening = dict(zip(after[EMPTY], book.about["opening"], strict=True))
    return Network(weights, list(accumulate(curve, initial=ONE // 2)), opening)


def left(a: int, b: int, c: int) -> int:
    """What the seat that has just placed a die leaves to the other one, as its chance to win, in parts of WHOLE. It
    sees the pairs from its side."""
    a, b, c = sorted((a, b, c))
    if b == c == EMPTY and (known := network().opening.get(a)) is not None:
        return known
    return ahead(a, b, c, DICE)


def ahead(a: int, b: int, c: int, dice: int) -> int:
    """What the seat that rolls next may expect, `dice` dice ahead, in parts of ONE * 6 ** dice. The pairs are seen by
    the other seat, and in their order."""
    return _ahead(*sorted((a, b, c)), dice)


@lru_cache(KEPT)
def _ahead(a: int, b: int, c: int, dice: int) -> int:
    known = _known(a, b, c)
    if known is not None:
        return known * 6 ** (dice - 1) if dice else known // 6
    if not dice:
        return _judged(a, b, c)
    turned, after, one = pairs().turned, pairs().after, ONE * 6 ** (dice - 1)
    a, b, c = turned[a], turned[b], turned[c]
    total = 0
    for to_a, to_b, to_c in zip(after[a], after[b], after[c], strict=True):
        least = one
        if to_a != NO_MOVE:
            least = ahead(to_a, b, c, dice - 1)
        if to_b != NO_MOVE and b != a:
            least = min(least, ahead(a, to_b, c, dice - 1))
        if to_c != NO_MOVE and c != b:
            least = min(least, ahead(a, b, to_c, dice - 1))
        total += one - least
    return total


def _judged(a: int, b: int, c: int) -> int:
    weights, curve, _ = network()
    lanes = weights[a] + weights[b] + weights[c]
    positive = lanes & TOPS
    lanes &= positive - (positive >> LANE - 1)
    lanes = (lanes & LOW) + ABOVE - (lanes >> LANE * HALF)
    total = ((lanes & EVEN) + (lanes >> LANE & EVEN)) % ALL - HALF * (1 << LANE - 1)
    if total < 0:
        return ONE - curve[min(-total, len(curve) - 1)]
    return curve[min(total, len(curve) - 1)]


def _known(a: int, b: int, c: int) -> int | None:
    """Where the game is over, or ends with the next die: the truth, in parts of ONE * 6."""
    mine, theirs, lead = _filled()
    placed = mine[a] + mine[b] + mine[c]
    if placed == 3 * SLOTS:
        return 6 * _ended(-lead[a] - lead[b] - lead[c])
    if theirs[a] + theirs[b] + theirs[c] < 3 * SLOTS - 1:
        return None
    turned, after = pairs().turned, pairs().after
    a, b, c = turned[a], turned[b], turned[c]
    total = 0
    for to_a, to_b, to_c in zip(after[a], after[b], after[c], strict=True):
        if to_a != NO_MOVE:
            total += _ended(lead[to_a] + lead[b] + lead[c])
        elif to_b != NO_MOVE:
            total += _ended(lead[a] + lead[to_b] + lead[c])
        else:
            total += _ended(lead[a] + lead[b] + lead[to_c])
    return total


def _ended(lead: int) -> int:
    return ONE if lead > 0 else 0 if lead < 0 else ONE // 2


@cache
def _filled() -> tuple[list[int], list[int], list[int]]:
    """By pair: the dice of the seat, those of the other, and how many points it is ahead."""
    known = pairs()
    return [len(mine) for mine, _ in known.known], [len(theirs) for _, theirs in known.known], known.lead
