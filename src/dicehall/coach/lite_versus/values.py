"""What a position of Knucklebones-lite versus is worth to the seat to move: its chance to win against perfect play, a
draw counting one half.

What matters of a position is the side of the seat that moves, the side of the seat that waits (see `sides`), and
the lead in points. Its dice are those to come and one for each token that is left.

    before the fourth die   exact, from the book that `dicehall.solve.lite_versus_book` built (tokens not spent)
    the last six dice       exact: all their ways are played out, in some three milliseconds
    in between              judged by three numbers of each side, from the same book; or exact, where the large book
                            of the variant lies in the cache (none is made for games with tokens)

Who plays by this loses at most 0.00017 of its chance to win a standard game, and 0.0003 in any variant, whatever the
opponent does: measured exactly, over all positions, by `dicehall.solve.lite_versus_loss`. Judgements are off by 0.003
on average over all positions, however odd, and by 0.09 where they are worst (with tokens and ties 0.005 and 0.43).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from math import isqrt
from struct import unpack
from typing import Final

from dicehall.coach.book import packaged_book
from dicehall.coach.lite_versus.large_book import find_large_book
from dicehall.coach.lite_versus.sides import LastDice, Side, side_bytes, side_of
from dicehall.rules import lite_versus
from dicehall.rules.lite_versus import State, after, legal
from dicehall.rules.two_seats import UNDRAWN

Values = Callable[[State], Fraction]

BOOK: Final = "lite-versus.bin"
BOOK_VERSION: Final = 1
CELLS: Final = 9
HIGHEST: Final = "highest-single-die"
# A game's dice are those to come and one for each token. The last ones are played out; the first ones are in the book,
# exactly; in between the coach judges. What all choices of a move lead to has one number of dice.
LAST: Final = 6
FIRST: Final = 15  # and as many more as there are tokens at the start

# Units of the three numbers, of the curve's steps and of a judgement
MEAN, VARIANCE, BEND = 256, 64, 4  # to a point, to its square, to its cube
LEAST: Final = 9 * VARIANCE  # a variance below would be a step, not a curve
STEP: Final = 16  # to a step of the curve, which has 64 to a standard deviation
STEPS: Final = 256
CERTAIN: Final = 1 << 20


def variant_name(wild: str, reroll: bool, highest: bool) -> str:
    """By which the books know a variant; `highest`: the highest single die breaks a tie."""
    return f"wild-{wild}{'-reroll' if reroll else ''}{'-highest' if highest else ''}"


@cache
def win_values(wild: str, reroll: bool, highest: bool) -> Values:
    """`highest`: the highest single die breaks a tie."""
    return Play(wild, reroll, highest).value


class Play:
    """Nearly perfect; perfect where a large book lies in the cache."""

    def __init__(self, wild: str, reroll: bool, highest: bool) -> None:
        self.wild, self.highest, self.spare = wild, highest, 2 if reroll else 0
        variant = variant_name(wild, reroll, highest)
        self.book = VariantBook(variant_name(wild, reroll, False), variant, self.spare)
        self.large = find_large_book(variant)
        self.last_dice = LastDice(wild, self.spare)
        self._seen = lru_cache(maxsize=10_000)(self._look)

    def value(self, state: State) -> Fraction:
        """Of the seat to move; before it is drawn, of either."""
        if state.seat == UNDRAWN:
            return Fraction(1, 2)
        if state.die:
            outcomes = [after(state, move) for move in legal(state)]
            return max(self.value(now) if now.seat == state.seat else 1 - self.value(now) for now in outcomes)
        seat = state.seat
        mine, points = side_of(state.boards[seat], state.tokens[seat], self.highest, self.wild)
        theirs, their_points = side_of(state.boards[1 - seat], state.tokens[1 - seat], self.highest, self.wild)
        return self._seen(mine, theirs, points - their_points)

    def _look(self, mine: Side, theirs: Side, lead: int) -> Fraction:
        to_come = mine.empty + theirs.empty
        dice, of = to_come + mine.token + theirs.token, 2 * int(6 ** (to_come + self.spare))
        if dice <= LAST or not to_come:
            return Fraction(self.last_dice.ways(mine, theirs, lead), of)
        if self.large:
            return Fraction(self.large.ways(mine, theirs, lead), of)
        if dice >= FIRST + self.spare:
            return Fraction(self.book.first(mine, theirs), of)
        return Fraction(judgement(lead, self.book.mover(mine, to_come), self.book.waiter(theirs, to_come)), CERTAIN)


def judgement(lead: int, mover: tuple[int, int, int], waiter: tuple[int, int, int]) -> int:
    """The chance of the mover, of CERTAIN: as if the points to come were drawn at random, with a mean, a variance and a
    bend that both sides add to. By the bell curve the one that moves ends ahead so often; the bend takes some off."""
    mean, variance, bend = lead * MEAN + mover[0] + waiter[0], max(mover[1] + waiter[1], LEAST), mover[2] + waiter[2]
    spread = isqrt(variance * (MEAN * MEAN // VARIANCE))  # in units of the mean
    step, part = divmod(min(abs(mean) * (STEPS // 4 * STEP) // spread, STEPS * STEP - 1), STEP)
    curve = _curve()
    (below, taken), (next_below, next_taken) = curve[step], curve[step + 1]
    below += (next_below - below) * part // STEP
    taken += (next_taken - taken) * part // STEP
    if mean < 0:
        below = CERTAIN - below
    return min(max(below - taken * bend * (MEAN * MEAN * MEAN // BEND) // (spread * spread * spread), 0), CERTAIN)


class VariantBook:
    """What the book says of one variant. With a tie-breaker its sides have the numbers of the game without."""

    def __init__(self, plain: str, variant: str, spare: int) -> None:
        self.place = _sides(spare > 0)
        counts = [0] * (CELLS + 1)
        for name in self.place:
            counts[_empty(name)] += 1
        layers = {to_come: (counts[(to_come + 1) // 2], counts[to_come // 2]) for to_come in range(2 * CELLS + 1)}
        self._first: dict[int, tuple[int, int]] = {}  # by layer: where its numbers begin, and how many are a mover's
        at = 0
        for to_come in range(FIRST, 2 * CELLS + 1):
            movers, waiters = layers[to_come]
            self._first[to_come], at = (at, waiters), at + movers * waiters
        chapter = _chapter(variant)
        self._ways: tuple[int, ...] = unpack(f">{at}q", chapter[: 8 * at])
        numbers = _chapter(plain)[8 * at :]
        count = len(numbers) // 2
        whole = bytearray(numbers)
        whole[::2], whole[1::2] = numbers[:count], numbers[count:]  # the high bytes of all stand before the low
        each = unpack(f">{count}h", whole)
        third = count // 3
        self._numbers = list(zip(each[:third], each[third : 2 * third], each[2 * third :], strict=True))
        self._starts: dict[int, tuple[int, int]] = {}  # by layer: where those who move begin, and those who wait
        at = 0
        for to_come in range(LAST + 1 - spare, FIRST + spare):
            movers, waiters = layers[to_come]
            self._starts[to_come], at = (at, at + movers), at + movers + waiters

    def first(self, mine: Side, theirs: Side) -> int:
        """The ways of the seat to move, whose side is `mine`, to win; nobody has a full row yet, so there is no
        lead."""
        start, waiters = self._first[mine.empty + theirs.empty]
        return self._ways[start + self._at(mine) * waiters + self._at(theirs)]

    def mover(self, side: Side, to_come: int) -> tuple[int, int, int]:
        return self._numbers[self._starts[to_come][0] + self._at(side)]

    def waiter(self, side: Side, to_come: int) -> tuple[int, int, int]:
        return self._numbers[self._starts[to_come][1] + self._at(side)]

    def _at(self, side: Side) -> int:
        return self.place[side_bytes(side._replace(high=0))]


def _empty(name: bytes) -> int:
    return sum([2 - (name[at] > 0) - (name[at + 1] > 0) + 1 for at in (0, 2, 4) if name[at] < 7])


@cache
def _sides(tokens: bool) -> dict[bytes, int]:
    """Of each side its place among those with as many empty cells; those with tokens come last."""
    names, found, counts = _chapter("sides"), {}, [0] * (CELLS + 1)
    for start in range(0, len(names), 8):
        name = names[start : start + 8]
        if tokens or not name[6]:
            empty = _empty(name)
            found[name], counts[empty] = counts[empty], counts[empty] + 1
    return found


@cache
def _curve() -> list[tuple[int, int]]:
    """At each step up to four standard deviations: the bell curve's share below, and what a unit of bend takes off."""
    numbers = unpack(f">{2 * (STEPS + 1)}i", _chapter("curve"))
    return list(zip(numbers[: STEPS + 1], numbers[STEPS + 1 :], strict=True))


def _chapter(title: str) -> bytes:
    return zlib.decompress(_book()[title])


@cache
def _book() -> dict[str, bytes]:
    return packaged_book(BOOK, BOOK_VERSION, lite_versus.VERSION).chapters()
