"""What a position of Knucklebones-lite versus is worth to the seat to move: its chance to win against perfect play, a
draw counting one half.

What matters of a position is the side of the seat that moves, the side of the seat that waits (see `sides`), and
the lead in points. Its dice are those to come and one for each token that is left. A move is worth what it leads to:

    before the fourth die   exact, from the book that `dicehall.solve.lite_versus_book` built (tokens not spent)
    the last nine dice      exact: all their ways are played out, in some ten milliseconds for all moves of a position
    in between              judged by some numbers of each side, from the same book; or exact, where the large book
                            of the variant lies in the cache (none is made for games with tokens)

A position before a roll is worth the mean over the six dice of the best move of each. So with ten dice left it is
exact, too, and with more it is one die nearer to the truth than the move that led there. Only where the book ends it is
the other way round: the move that leaves fifteen dice is exact, and what follows it is judged.

Who plays by this loses at most 0.0000002 of its chance to win a standard game, whatever the opponent does. What is said
of a move is off by 0.00013 on average over all positions that are judged, however odd, and by 0.0032 where it is worst.
With tokens that is 0.0006 and 0.04, and with the tie-breaker, which the judgements leave out, 0.0025 and 0.04:
measured exactly by `dicehall.solve.lite_versus_loss`, which says it of every variant and number of dice.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from operator import mul
from struct import unpack
from typing import Final, NamedTuple

from dicehall.coach.book import packaged_book
from dicehall.coach.lite_versus.large_book import find_large_book
from dicehall.coach.lite_versus.last_dice import LastDice
from dicehall.coach.lite_versus.sides import Side, leads_of, points_of, side_bytes, side_of, with_die
from dicehall.dice import FACES
from dicehall.rules import lite_versus
from dicehall.rules.lite_versus import State, after, legal
from dicehall.rules.two_seats import UNDRAWN

Values = Callable[[State], Fraction]
Position = tuple[Side, Side, int]  # before a roll: the side that is spoken of, the other, the lead of the first

BOOK: Final = "lite-versus.bin"
BOOK_VERSION: Final = 2
CELLS: Final = 9
HIGHEST: Final = "highest-single-die"
# A game's dice are those to come and one for each token. The last ones are played out; the first ones are in the book,
# exactly; in between the coach judges. What all choices of a move lead to has one number of dice.
LAST: Final = 9
FIRST: Final = 15  # and as many more as there are tokens at the start

UNIT: Final = 1 << 13  # of the numbers of a side
CERTAIN: Final = UNIT * UNIT  # of a judgement
RANKS: Final = {0: 40, 2: 12}  # numbers of a side: in games without tokens, and with them


def variant_name(wild: str, reroll: bool, highest: bool) -> str:
    """By which the books know a variant; `highest`: the highest single die breaks a tie."""
    return f"wild-{wild}{'-reroll' if reroll else ''}{'-highest' if highest else ''}"


@cache
def perfect_play(wild: str, reroll: bool, highest: bool) -> Play:
    """`highest`: the highest single die breaks a tie."""
    return Play(wild, reroll, highest)


class Play:
    """Nearly perfect; perfect where a large book lies in the cache."""

    def __init__(self, wild: str, reroll: bool, highest: bool) -> None:
        self.wild, self.highest, self.spare = wild, highest, 2 if reroll else 0
        variant = variant_name(wild, reroll, highest)
        self.book = VariantBook(variant_name(wild, reroll, False), variant, wild, self.spare)
        self.large = find_large_book(variant)
        self.last_dice = LastDice(wild)
        self._rolled = lru_cache(maxsize=10_000)(self._before_roll)
        self._left = lru_cache(maxsize=10_000)(self._after_move)
        self._ended = lru_cache(maxsize=1_000)(self._last_moves)

    def value(self, state: State) -> Fraction:
        """Of the seat to move; before it is drawn, of either."""
        if state.seat == UNDRAWN:
            return Fraction(1, 2)
        if state.die:
            return max(self.moved(state, after(state, move)) for move in legal(state))
        return self._rolled(*self._seen(state, state.seat))

    def moved(self, before: State, now: State) -> Fraction:
        """What a move in `before`, which led to `now`, is worth to the seat that made it."""
        seat = before.seat
        mine, theirs, lead = self._seen(now, seat)
        if _dice(mine, theirs) <= LAST:
            ways, of = self._ended(*self._seen(before, seat), before.die)
            return Fraction(ways[mine, lead], of)
        return self._left(mine, theirs, lead) if now.seat == seat else 1 - self._left(theirs, mine, -lead)

    def _seen(self, state: State, seat: int) -> Position:
        mine, points = side_of(state.boards[seat], state.tokens[seat], self.highest, self.wild)
        theirs, their_points = side_of(state.boards[1 - seat], state.tokens[1 - seat], self.highest, self.wild)
        return mine, theirs, points - their_points

    def _before_roll(self, mine: Side, theirs: Side, lead: int) -> Fraction:
        """The mean of the best moves, one for each die. Where they are exact, it is known without looking at them."""
        dice = _dice(mine, theirs)
        if dice <= LAST + 1:
            return Fraction(self.last_dice.before(mine, theirs, lead), 2 * int(6**dice))
        if self.large or dice > FIRST + self.spare:
            return self._left(mine, theirs, lead)
        again = [self._left(mine._replace(token=False), theirs, lead)] if mine.token else []
        best = [
            max(again + [1 - self._left(theirs, side, -lead - points) for side, points in self._choices(mine, die)])
            for die in FACES
        ]
        return sum(best) * Fraction(1, len(FACES))

    def _choices(self, mine: Side, die: int) -> list[tuple[Side, int]]:
        high = max(mine.high, die) if self.highest else 0
        return [with_die(mine, row, die, high, self.wild) for row in dict.fromkeys(mine.rows)]

    def _after_move(self, mine: Side, theirs: Side, lead: int) -> Fraction:
        """With more dice left than the last ones, what a move is worth to the other seat that leads here: `mine` is to
        roll. (After a reroll, to the same seat.)"""
        to_come = mine.empty + theirs.empty
        of = 2 * int(6 ** (to_come + self.spare))
        if self.large:
            return Fraction(self.large.ways(mine, theirs, lead), of)
        if _dice(mine, theirs) >= FIRST + self.spare:
            return Fraction(self.book.first(mine, theirs), of)
        return Fraction(self.book.judgement(mine, theirs, lead), CERTAIN)

    def _last_moves(self, mine: Side, theirs: Side, lead: int, die: int) -> tuple[dict[tuple[Side, int], int], int]:
        """In how many ways each move wins, by the side and the lead that it leads to; and how many there are."""
        ways = self.last_dice.after(mine, die, theirs, lead)
        found = {(side, lead + points): number for (side, points), number in ways.items()}
        return found, 2 * int(6 ** (_dice(mine, theirs) - 1))


def _dice(mine: Side, theirs: Side) -> int:
    return mine.empty + theirs.empty + mine.token + theirs.token


class Numbers(NamedTuple):
    """Of all sides that a seat can have with so many dice to come, and all points of their full rows."""

    start: dict[bytes, int]  # of a side: where its first points are
    places: int  # in all
    numbers: array[int]  # the first ones of all, then the second ones, ...

    def of(self, side: Side, points: int) -> array[int]:
        """`points` by their place among all that so many full rows can have."""
        return self.numbers[self.start[_name(side)] + points :: self.places]


class VariantBook:
    """What the book says of one variant. With a tie-breaker its sides have the numbers of the game without."""

    def __init__(self, plain: str, variant: str, wild: str, spare: int) -> None:
        self.wild, self.spare = wild, spare
        self.names = _sides(spare > 0)
        self._first: dict[int, int] = {}  # by dice to come: where the first positions begin
        at = 0
        for to_come in range(FIRST, 2 * CELLS + 1):
            self._first[to_come] = at
            at += len(self.names[(to_come + 1) // 2]) * len(self.names[to_come // 2])
        self._ways: tuple[int, ...] = unpack(f">{at}q", chapter(variant)[: 8 * at])
        packed = chapter(plain)[8 * at :]
        whole = bytearray(packed)
        whole[::2], whole[1::2] = packed[: len(packed) // 2], packed[len(packed) // 2 :]  # all high bytes come first
        self._numbers = array("h", unpack(f">{len(whole) // 2}h", whole))
        self._layers: dict[int, tuple[Numbers, Numbers]] = {}  # by dice to come: of those who move, and who wait
        at = 0
        for to_come in judged(spare):
            starts = [self._starts(to_come, (to_come + more) // 2) for more in (1, 0)]
            each, found = rank(spare, starts[0][1], starts[1][1]), list[Numbers]()
            for start, count in starts:
                found.append(Numbers(start, count, self._numbers[at : at + each * count]))
                at += each * count
            self._layers[to_come] = found[0], found[1]

    def first(self, mine: Side, theirs: Side) -> int:
        """The ways of the seat to move, whose side is `mine`, to win; nobody has a full row yet, so there is no
        lead."""
        movers, waiters = self.names[mine.empty], self.names[theirs.empty]
        start = self._first[mine.empty + theirs.empty]
        return self._ways[start + movers[_name(mine)] * len(waiters) + waiters[_name(theirs)]]

    def judgement(self, mine: Side, theirs: Side, lead: int) -> int:
        """The chance of the seat to move, of CERTAIN: its numbers times those of the other, added up."""
        movers, waiters = self._layers[mine.empty + theirs.empty]
        points, others = leads_of(3 - len(mine.rows), 3 - len(theirs.rows), self.wild)[lead]
        told: int = sum(map(mul, movers.of(mine, points), waiters.of(theirs, others)))
        return min(max(told, 0), CERTAIN)

    def _starts(self, to_come: int, empty: int) -> tuple[dict[bytes, int], int]:
        """Of the sides that have numbers, the places where they begin; and how many places there are."""
        starts, at = dict[bytes, int](), 0
        for name in self.names[empty]:
            if has_numbers(to_come, name[6] > 0, self.spare):
                starts[name] = at
                at += len(points_of(name[:6:2].count(7), self.wild))
        return starts, at


def judged(spare: int) -> range:
    """With how many dice to come the coach judges some positions."""
    return range(LAST + 1 - spare, FIRST + spare)


def has_numbers(to_come: int, token: bool, spare: int) -> bool:
    """Whether the coach judges any positions of a side, with its token or without."""
    return to_come + token + spare // 2 > LAST and to_come + token < FIRST + spare


def rank(spare: int, movers: int, waiters: int) -> int:
    """How many numbers each side has, where so many can move and so many can wait."""
    return min(RANKS[spare], movers, waiters)


def _empty(name: bytes) -> int:
    return sum([2 - (name[at] > 0) - (name[at + 1] > 0) + 1 for at in (0, 2, 4) if name[at] < 7])


def _name(side: Side) -> bytes:
    return side_bytes(side._replace(high=0))


@cache
def _sides(tokens: bool) -> list[dict[bytes, int]]:
    """By empty cells: of each side its place; those with tokens come last."""
    names, found = chapter("sides"), [dict[bytes, int]() for _ in range(CELLS + 1)]
    for start in range(0, len(names), 8):
        name = names[start : start + 8]
        if tokens or not name[6]:
            known = found[_empty(name)]
            known[name] = len(known)
    return found


def chapter(title: str) -> bytes:
    return zlib.decompress(_book()[title])


@cache
def _book() -> dict[str, bytes]:
    return packaged_book(BOOK, BOOK_VERSION, lite_versus.VERSION).chapters()
