"""Perfect play of Knucklebones-lite versus: the chance to win, a draw counting one half. Exact, in whole numbers.

Where rows score alone, a die's place in its row and a row's place on the board change nothing, and of a full row only
the points count; of both seats' points only the difference. So what matters of a seat is its *side*: the rows that are
still open, its token, and where the highest die breaks ties that die. What matters of a game is the side of the seat
that moves, the side of the seat that waits, and the lead of the one that moves. The boards fill up in turn, so games
fall into 18 layers by the dice to come, and each layer follows from the next: 84 million positions in the standard
game, four times as many with tokens, and twice as many again with the tie-breaker.

A position's number tells in how many *ways* it is won, out of 2 x 6^(dice to come): a way is one course of all the
dice, each as likely as any other, and a draw is one win of two. Tokens bring two more dice, which count whether they
are used or not.

Not solved: `columns`, where a row matters by the place of each die (67,646 sides, and a thousand times the positions);
and `sum-middle-row`, where one row differs from the others and its sum counts beside its points (4.3 billion positions
in the standard game).

    dicehall solve lite-versus      builds the books that `dicehall.coach.lite_versus.values` reads
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from functools import cache, cached_property
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numba import prange

from dicehall.coach.cache import cache_folder
from dicehall.coach.lite_versus.large_book import BOOK_VERSION
from dicehall.coach.lite_versus.sides import Side, row_scores, side_bytes, with_die
from dicehall.coach.lite_versus.values import CELLS, HIGHEST, LAST, variant_name
from dicehall.dice import FACES
from dicehall.rules import lite_versus
from dicehall.solve.compiled import njit
from dicehall.solve.workshop import BookPlan

Numbers = np.ndarray[Any, Any]  # whole ones

ALL_DICE: Final = 2 * CELLS  # that a game takes
LARGE: Final = range(LAST + 1, ALL_DICE + 1)  # dice to come, in the large books: the coach plays out the last ones


class Variant(NamedTuple):
    wild: str
    reroll: bool
    tiebreak: str

    @property
    def spare(self) -> int:
        """Dice that lie ready for rerolls."""
        return 2 if self.reroll else 0

    @property
    def name(self) -> str:
        return variant_name(self.wild, self.reroll, self.tiebreak == HIGHEST)


VARIANTS: Final = tuple(
    Variant(wild, reroll, tiebreak)
    for tiebreak in ("none", HIGHEST)
    for reroll in (False, True)
    for wild in ("off", "contains", "natural")
)


class Sides(NamedTuple):
    """All sides with one number of empty cells, those without a token first; and what a die does to them."""

    sides: list[Side]
    finished: Numbers  # [side]: full rows
    becomes: Numbers  # [side, die, choice]: which of the sides with one empty cell less
    gained: Numbers  # [side, die, choice]: points, of a row that this fills up; where a choice is missing, the first
    again: Numbers  # [side]: the side once the token is spent, -1 if there is none


class Layer(NamedTuple):
    """Of positions with one count of dice to come: each number is at row[mover] + column[full rows, waiter] + lead."""

    mover: Numbers  # [side]: full rows
    waiter: Numbers  # [side]: full rows
    row: Numbers
    column: Numbers
    low: int  # the least that a full row scores
    high: int  # and the most
    size: int


@cache
def sides(variant: Variant) -> list[Sides]:
    """All sides of a variant, by empty cells."""
    kinds, moves = [[Side(False, ((),) * 3, 0)]], []
    for _ in range(CELLS):
        moves.append([[_choices(side, die, variant) for die in FACES] for side in kinds[-1]])
        kinds.append(sorted({side for dice in moves[-1] for choices in dice for side, _ in choices}))
    found = [_sides(kinds[-1], [], [])]
    for known, dice in zip(kinds[-2::-1], reversed(moves), strict=True):
        found.append(_sides(known, dice, kinds[CELLS + 1 - len(found)]))
    return [_with_tokens(each, len(kinds[-empty])) for empty, each in enumerate(found)] if variant.reroll else found


def _choices(side: Side, die: int, variant: Variant) -> list[tuple[Side, int]]:
    """Where the die can go: three places, in which rows alike are one."""
    high = max(side.high, die) if variant.tiebreak == HIGHEST else 0
    found = [with_die(side, row, die, high, variant.wild) for row in sorted(set(side.rows))]
    return found + found[:1] * (3 - len(found))


def _sides(known: list[Side], dice: list[list[list[tuple[Side, int]]]], after: list[Side]) -> Sides:
    place = {side: at for at, side in enumerate(after)}
    return Sides(
        known,
        np.array([3 - len(side.rows) for side in known]),
        np.array([[[place[side] for side, _ in one] for one in each] for each in dice]),
        np.array([[[points for _, points in one] for one in each] for each in dice]),
        np.full(len(known), -1),
    )


def _with_tokens(each: Sides, after: int) -> Sides:
    """The same sides once more, with a token; `after` is how many have one empty cell less."""
    return Sides(
        each.sides + [side._replace(token=True) for side in each.sides],
        np.tile(each.finished, 2),
        np.concatenate([each.becomes, each.becomes + after]),
        np.tile(each.gained, (2, 1, 1) if each.gained.ndim > 1 else 2),
        np.concatenate([each.again, np.arange(len(each.sides))]),
    )


def layer(variant: Variant, known: list[Sides], to_come: int) -> Layer:
    """Of the positions with `to_come` dice to come; `known` are the sides of the variant."""
    mover, waiter = known[(to_come + 1) // 2].finished, known[to_come // 2].finished
    low, high = row_scores(variant.wild)
    full = np.arange(4)[:, None]
    width = (high - low) * (full + waiter) + 1
    row = width.sum(axis=1)[mover]
    column = np.cumsum(width, axis=1) - width - (low * full - high * waiter)
    return Layer(mover, waiter, np.cumsum(row) - row, column, low, high, int(row.sum()))


def layers(variant: Variant, known: list[Sides]) -> Iterator[tuple[Layer, Numbers]]:
    """From the end of the game to its start: where positions have their numbers, and the numbers."""
    here = layer(variant, known, 0)
    numbers = _ends(known[0].sides, here) * 6**variant.spare
    yield here, numbers
    for to_come in range(1, ALL_DICE + 1):
        after, here = here, layer(variant, known, to_come)
        numbers = numbers.astype(np.int32 if whole(variant, to_come) < 2**31 else np.int64, copy=False)
        found = np.empty(here.size, numbers.dtype)
        mover = known[(to_come + 1) // 2]
        with_token = int((mover.again < 0).sum())  # the first that has one: it must know what the others are worth
        certain = whole(variant, to_come) // 6
        for first, last in ((0, with_token), (with_token, len(mover.sides))):
            best_play(found, numbers, here, after, mover.becomes, mover.gained, mover.again, certain, first, last)
        numbers = found
        yield here, numbers


def whole(variant: Variant, to_come: int) -> int:
    """What a certain win counts with `to_come` dice to come."""
    return int(2 * 6 ** (to_come + variant.spare))


def _ends(full: list[Side], here: Layer) -> Numbers:
    numbers = np.zeros(here.size, np.int32)
    most = 3 * (here.high - here.low)
    for (mine, my_side), (theirs, their_side) in product(enumerate(full), repeat=2):
        place = here.row[mine] + here.column[3, theirs]
        for lead in range(-most, most + 1):
            me, they = (lead, my_side.high), (0, their_side.high)
            numbers[place + lead] = 2 * (me > they) + (me == they)
    return numbers


@njit(parallel=True)
def best_play(
    found: Numbers, numbers: Numbers, here: Layer, after: Layer, becomes: Numbers, gained: Numbers, again: Numbers,
    certain: int, first: int, last: int,
) -> None:  # fmt: skip
    """For the movers from `first` to `last`: what `found` holds for each die is won against the best reply.

    `numbers` are those of the next layer, whose layout is `after`, as `here` is that of `found`; `becomes`, `gained`
    and `again` are those of the movers' `Sides`. `certain` is what a certain win counts after the die.
    """
    for number in prange(last - first):
        mine = first + number
        for theirs in range(len(here.waiter)):
            full, their_full = here.mover[mine], here.waiter[theirs]
            least = here.low * full - here.high * their_full
            count = (here.high - here.low) * (full + their_full) + 1
            place = here.row[mine] + here.column[full, theirs] + least
            reroll = place
            if again[mine] >= 0:
                reroll = here.row[again[mine]] + here.column[full, theirs] + least
            found[place : place + count] = 0
            for die in range(6):
                # The other seat moves next, and its lead is what mine is not.
                base = after.row[theirs] - least
                a = base + after.column[their_full, becomes[mine, die, 0]] - gained[mine, die, 0]
                b = base + after.column[their_full, becomes[mine, die, 1]] - gained[mine, die, 1]
                c = base + after.column[their_full, becomes[mine, die, 2]] - gained[mine, die, 2]
                for lead in range(count):
                    won = certain - min(numbers[a - lead], numbers[b - lead], numbers[c - lead])
                    if reroll != place:
                        won = max(won, found[reroll + lead] // 6)  # of the ways with one die less
                    found[place + lead] += won


class Climb:
    """Layers on demand. They come in order; whoever asks for an earlier one waits while it begins anew."""

    def __init__(self, variant: Variant) -> None:
        self.variant, self.at = variant, ALL_DICE

    @cached_property
    def known(self) -> list[Sides]:
        return sides(self.variant)

    def to(self, to_come: int) -> tuple[Layer, Numbers]:
        if to_come <= self.at:
            self.at, self.rest = -1, layers(self.variant, self.known)
        for _ in range(to_come - self.at - 1):
            next(self.rest)
        self.at = to_come
        return next(self.rest)

    def part(self, title: str) -> bytes:
        _, numbers = self.to(int(title))
        return numbers.astype(numbers.dtype.newbyteorder("<")).tobytes()


def large_books() -> list[BookPlan]:
    """Every position of a variant that the coach does not play out, for its cache: four to eleven megabytes, each built
    only when asked for.

    None with tokens: those would take eight times as much.
    """
    return [_large_book(variant) for variant in VARIANTS if not variant.reroll]


def _large_book(variant: Variant) -> BookPlan:
    def bound(parts: dict[str, bytes]) -> bytes:
        return large_book(variant, parts)

    titles = tuple(map(str, LARGE))
    return BookPlan(f"lite-versus-{variant.name}.bin", titles, Climb(variant).part, bound, Path(cache_folder()))


def large_book(variant: Variant, parts: dict[str, bytes]) -> bytes:
    """A line that says what is in the book, with its checksum before it; then the layers."""
    known = sides(variant)
    head = {
        "version": BOOK_VERSION, "game": lite_versus.ID, "rules": lite_versus.VERSION, "variant": variant._asdict(),
        "sides": [b"".join(map(side_bytes, each.sides)).hex() for each in known],
        "layers": {title: len(part) for title, part in parts.items()},
        "crc32": {title: zlib.crc32(part) for title, part in parts.items()},
    }  # fmt: skip
    text = json.dumps(head).encode()
    return b"%08x %s\n%s" % (zlib.crc32(text), text, b"".join(parts.values()))
