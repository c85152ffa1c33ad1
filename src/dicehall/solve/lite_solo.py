"""Perfect play of Knucklebones-lite solo, in all twelve variants: for the score, and for every target at once.

Exact, in whole numbers. A *way* is one course of all the dice to come, each as likely as any other: 6^9 at the start.
The token brings one more die, which lies ready for the reroll and counts whether it is used or not: 6^10.

Boards that can be turned into each other are worth the same: where rows score alone, dice change places within a row
and rows with each other; where columns score too, rows change places, columns do, and rows become columns. And a die
matters no more once all its lines are full: their points were counted when they filled up. That leaves 4,495 boards
where rows score alone and 67,646 where columns score too. From the full one back to the empty one, every die goes
where the board it makes is worth most.

    dicehall solve lite-solo      builds the books that `dicehall.coach.lite_solo.values` reads
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial
from itertools import permutations, product
from typing import Any, Final, NamedTuple

import numpy as np
from numba import prange
from numpy.typing import NDArray

from dicehall.coach.lite_solo.values import BOOK_VERSION, SCORES, TARGETS
from dicehall.dice import FACES
from dicehall.rules import lite_solo
from dicehall.rules.lite_grid import score_row
from dicehall.solve.compiled import njit
from dicehall.solve.workshop import BookPlan, in_chapters

Numbers = NDArray[Any]  # whole ones

# The books hold the boards with up to that many dice. The coach plays the others out: with five dice on the board that
# takes about a millisecond; with four about five, but the targets of all those boards would fill two megabytes.
DICE_IN_BOOK: Final = {SCORES: 4, TARGETS: 3}
WILDS: Final = ("off", "contains", "natural")
DONE: Final = 7  # stands for a die that matters no more
DIGITS: Final = 8 ** np.arange(8, -1, -1, dtype=np.int32)  # the cells of a board, read as the digits of one number


class Layer(NamedTuple):
    """The boards with one number of dice, and what they become with each die in each of their empty cells."""

    boards: Numbers  # [board, cell]
    becomes: Numbers  # [board, die, empty cell]: which board of the next layer
    row: Numbers  # [board, die, empty cell]: the row that this fills up, as a number; 0 while it has room
    column: Numbers  # [board, die, empty cell]: the column that this fills up; 0 where columns do not score


class Worths(NamedTuple):
    """Of the boards of a layer, before a roll."""

    plain: Numbers
    token: Numbers  # while the token is there


# What the boards of a layer are worth, given the points that each die in each cell brings at once, the worths of the
# next layer, how many ways those count, and (with a token) what the boards are worth after the reroll.
Step = Callable[[Layer, Numbers, Numbers, int, Numbers | None], Numbers]


class PerfectPlay:
    """With rows alone or with columns too; for the best score or the best chance of each target."""

    def __init__(self, columns: bool) -> None:
        self.columns = columns
        self.layers = list(layers(columns))

    def scores(self, wild: str) -> list[Worths]:
        """By the number of dice on the board: the points that are still to come, added up over all ways."""
        return self._solve(wild, _score_step, np.zeros(1, np.int64))

    def ways(self, wild: str) -> list[Worths]:
        """By the number of dice on the board: in how many ways 0, 1, 2, ... points or more are still to come."""
        return self._solve(wild, _ways_step, np.eye(1, self.highest(wild) + 1, dtype=np.int32))

    def highest(self, wild: str) -> int:
        """The highest score of all."""
        return (6 if self.columns else 3) * int(row_points(wild).max())

    def _solve(self, wild: str, step: Step, full: Numbers) -> list[Worths]:
        points = row_points(wild)
        worths = [Worths(full, 6 * full)]
        for to_come, layer in enumerate(reversed(self.layers)):
            gained, after = points[layer.row] + points[layer.column], worths[-1]
            plain = step(layer, gained, after.plain, 6**to_come, None)
            # Rerolling takes a die off the dice to come, as placing does, so both are counted out of the same number.
            token = step(layer, gained, after.token, 6 ** (to_come + 1), plain)
            worths.append(Worths(plain, token))
        return worths[::-1]


@cache
def perfect_play(columns: bool) -> PerfectPlay:
    return PerfectPlay(columns)


def row_points(wild: str) -> Numbers:
    """By full row, as a number: what it scores."""
    points = np.zeros(8**3, np.int64)
    for row in product(FACES, repeat=3):
        points[np.dot(row, DIGITS[-3:])] = score_row(row, wild).score
    return points


def layers(columns: bool) -> Iterator[Layer]:
    """From the empty board to those with one empty cell."""
    boards: Numbers = np.zeros((1, 9), np.int8)
    for empty in range(9, 0, -1):
        cells = np.nonzero(boards == 0)[1].reshape(len(boards), 1, empty, 1)
        placed = np.tile(boards[:, None, None], (1, 6, empty, 1))
        np.put_along_axis(placed, np.tile(cells, (1, 6, 1, 1)), np.reshape(FACES, (1, 6, 1, 1)), axis=3)
        across = cells // 3 * 3 + np.arange(3)
        down = cells % 3 + np.arange(0, 9, 3)
        row, column = [_full_line(np.take_along_axis(placed, line, axis=3)) for line in (across, down)]
        numbers, becomes = np.unique(canonical(_without_done(placed, columns), columns), return_inverse=True)
        yield Layer(boards, becomes.reshape(row.shape), row, column if columns else 0 * column)
        boards = (numbers[:, None] // DIGITS % 8).astype(np.int8)


def canonical(boards: Numbers, columns: bool) -> Numbers:
    """Of all the boards that each can be turned into, where `columns` score or not, the one with the least number."""
    grids = boards.reshape(-1, 3, 3).astype(np.int32)
    if columns:
        both = (grids, grids.transpose(0, 2, 1))
        turned = [grid[:, :, order] for grid in both for order in permutations(range(3))]
    else:
        turned = [np.sort(grids)]
    least: Numbers = np.min([np.sort(grid @ DIGITS[-3:]) @ DIGITS[2::3] for grid in turned], axis=0)
    return least


def _full_line(cells: Numbers) -> Numbers:
    return np.where(cells.all(axis=-1), cells @ DIGITS[-3:], 0)


def _without_done(boards: Numbers, columns: bool) -> Numbers:
    grids = boards.reshape(-1, 3, 3)
    done = grids.all(axis=2, keepdims=True)
    if columns:
        done = done & grids.all(axis=1, keepdims=True)
    return np.where(done, DONE, grids)


def _score_step(layer: Layer, gained: Numbers, after: Numbers, of: int, rerolled: Numbers | None) -> Numbers:
    best = np.max(after[layer.becomes] + gained * of, axis=2)
    if rerolled is not None:
        best = np.maximum(best, rerolled[:, None])
    return np.asarray(best.sum(axis=1))


def _ways_step(layer: Layer, gained: Numbers, after: Numbers, of: int, rerolled: Numbers | None) -> Numbers:
    ways = np.zeros((len(layer.boards), after.shape[1]), np.int32)
    _add_ways(ways, layer.becomes, gained, after, np.zeros_like(ways) if rerolled is None else rerolled)
    return ways


@njit(parallel=True)
def _add_ways(ways: Numbers, becomes: Numbers, gained: Numbers, after: Numbers, rerolled: Numbers) -> None:
    """For each die, the most ways that any cell leaves to the points that are still needed then, or else the reroll."""
    boards, dice, cells = becomes.shape
    for board in prange(boards):
        for die in range(dice):
            best = rerolled[board].copy()
            for cell in range(cells):
                points, rest = gained[board, die, cell], after[becomes[board, die, cell]]
                for need in range(points):
                    best[need] = max(best[need], rest[0])
                for need in range(points, len(best)):
                    best[need] = max(best[need], rest[need - points])
            ways[board] += best


TITLES: Final = tuple(
    f"{lines} {what}"
    for lines in ("rows", "columns")
    for what in ("boards", *[f"{wild} {name}" for wild in WILDS for name in Worths._fields])
)


def books() -> list[BookPlan]:
    return [BookPlan(name, TITLES, partial(chapter, name), book_bytes) for name in DICE_IN_BOOK]


def chapter(book: str, title: str) -> bytes:
    """The boards, nine bytes each; or for a variant what they are worth, in the order of the boards.

    A score takes five bytes. Of a board's ways to 0, 1, 2, ... points the book tells how many are lost with each point
    more, in three bytes: the ways to n points are the sum of that from n up.
    """
    lines, *variant = title.split(" ")
    columns, count = lines == "columns", DICE_IN_BOOK[book] + 1
    if variant == ["boards"]:
        return np.concatenate([layer.boards for layer in perfect_play(columns).layers[:count]]).tobytes()
    wild, name = variant
    numbers = np.concatenate([getattr(worths, name) for worths in _solved(book, columns, wild)[:count]])
    return _bytes_apart(numbers, 5) if book == SCORES else _bytes_apart(-np.diff(numbers, append=0), 3)


@lru_cache(maxsize=1)  # two chapters come of it, one after the other
def _solved(book: str, columns: bool, wild: str) -> list[Worths]:
    play = perfect_play(columns)
    return play.scores(wild) if book == SCORES else play.ways(wild)


def _bytes_apart(numbers: Numbers, size: int) -> bytes:
    """The highest byte of all numbers, then the next byte of all, and so on: like beside like packs much smaller."""
    assert 0 <= numbers.min() <= numbers.max() < 256**size
    return b"".join((numbers >> shift & 255).astype(np.uint8).tobytes() for shift in range(8 * size - 8, -1, -8))


def book_bytes(contents: dict[str, bytes]) -> bytes:
    return in_chapters(lite_solo.ID, BOOK_VERSION, lite_solo.VERSION, contents)
