"""The small book of Knucklebones-lite versus: what the coach needs to play nearly as well as the exact solution does.

Of each layer of positions (those with as many dice to come) the exact solution is a matrix: a row for every side and
points of the seat that moves, a column for every side and points of the seat that waits, and how likely the one wins
against the other where they meet. Such a matrix is nearly the product of two narrow ones. So the book holds some
numbers for every row and as many for every column, and a judgement is a row's numbers times a column's, added up. The
first pair of numbers tells most, and each further one what those before it have left over: they are the leading
singular vectors, found by multiplying with the matrix again and again.

Sums come in one order and by no library, so that every machine builds the same book. How much whoever plays by it loses
is measured in `lite_versus_loss`.

    dicehall solve lite-versus      builds it
"""

from __future__ import annotations

from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
from numba import prange

from dicehall.coach.lite_versus.sides import points_of, side_bytes
from dicehall.coach.lite_versus.values import BOOK, BOOK_VERSION, FIRST, HIGHEST, UNIT, has_numbers, judged, rank
from dicehall.rules import lite_versus
from dicehall.solve.compiled import njit
from dicehall.solve.lite_versus import ALL_DICE, VARIANTS, Climb, Layer, Numbers, Sides, Variant, large_books, whole
from dicehall.solve.workshop import BookPlan, Solver, in_chapters

Reals = np.ndarray[Any, Any]

ROUNDS: Final = 8
BESIDE: Final = 8  # more vectors than are kept make those come out sooner that are


class Places(NamedTuple):
    """Where the numbers of sides are: a place for every side and all points of its full rows."""

    side: Numbers  # [place]
    points: Numbers  # [place]
    start: Numbers  # [side]: its first place, -1 where no position of the side is judged


class Judge(NamedTuple):
    """What a layer is judged by."""

    mover: Numbers  # [place, which]
    waiter: Numbers
    mover_start: Numbers  # [side]: its first place
    waiter_start: Numbers


def places(variant: Variant, to_come: int, each: Sides) -> Places:
    sides, points = list[int](), list[int]()
    start = np.full(len(each.sides), -1)
    for number, side in enumerate(each.sides):
        if has_numbers(to_come, side.token, variant.spare):
            start[number] = len(sides)
            all_points = points_of(3 - len(side.rows), variant.wild)
            sides += [number] * len(all_points)
            points += all_points
    return Places(np.array(sides), np.array(points), start)


def fit(
    here: Layer, numbers: Numbers, certain: int, movers: Places, waiters: Places, each: int
) -> tuple[Numbers, Numbers]:
    """The best `each` numbers for all places of those who move, and of those who wait, in the layer `here`, whose exact
    `numbers` are out of `certain`."""
    full = here.mover[movers.side]
    at = here.row[movers.side][:, None] + here.column[full[:, None], waiters.side]
    exact = numbers[at + movers.points[:, None] - waiters.points] / certain
    vectors, values = leading(exact, each)
    # Both shares of a product are about as large, so that rounding does as little to the one as to the other.
    scale = np.sqrt(np.sqrt((values * values).sum(axis=0)) * np.sqrt(len(vectors) / len(values)))
    shares = vectors * scale, values / scale
    mover, waiter = [np.rint(np.clip(share * UNIT, -32768, 32767)).astype(np.int64) for share in shares]
    return mover, waiter


def leading(matrix: Reals, count: int) -> tuple[Reals, Reals]:
    """So many vectors of length 1, at right angles, and what the matrix makes of them: their product with each other is
    as near to the matrix as that many can come."""
    random, across = Random("lite-versus"), np.ascontiguousarray(matrix.T)
    wide = min(count + BESIDE, *matrix.shape)
    vectors = np.array([[random.random() - 0.5 for _ in range(wide)] for _ in range(len(matrix))])
    for _ in range(ROUNDS):
        right_angles(vectors)
        vectors = times(matrix, times(across, vectors))
    right_angles(vectors)
    vectors = np.ascontiguousarray(vectors[:, :count])
    return vectors, times(across, vectors)


@njit(parallel=True)
def times(matrix: Reals, vectors: Reals) -> Reals:
    found = np.zeros((len(matrix), vectors.shape[1]))
    for row in prange(len(matrix)):
        for column in range(matrix.shape[1]):
            for one in range(vectors.shape[1]):
                found[row, one] += matrix[row, column] * vectors[column, one]
    return found


@njit()
def right_angles(vectors: Reals) -> None:
    """Turns each vector away from all before it, and makes its length 1; its largest part is positive."""
    for one in range(vectors.shape[1]):
        for _ in range(2):  # what rounding leaves of the others goes with the second time
            for other in range(one):
                share = 0.0
                for row in range(len(vectors)):
                    share += vectors[row, one] * vectors[row, other]
                for row in range(len(vectors)):
                    vectors[row, one] -= share * vectors[row, other]
        square, largest = 0.0, 0.0
        for row in range(len(vectors)):
            square += vectors[row, one] ** 2
            if abs(vectors[row, one]) > abs(largest):
                largest = vectors[row, one]
        length = np.sqrt(square) * (1 if largest > 0 else -1)
        for row in range(len(vectors)):
            vectors[row, one] /= length


def solved(title: str) -> bytes:
    """Of one variant the numbers of the first positions, eight bytes each; then, layer by layer, of all who move and of
    all who wait the first numbers, the second ones, and so on: two bytes each, the high bytes of all before the low.

    Ties are so rare that with a tie-breaker the same judgements serve, so the sides' numbers are there only once.
    """
    variant = next(variant for variant in VARIANTS if variant.name == title)
    climb, found = Climb(variant), list[Numbers]()
    if variant.tiebreak != HIGHEST:
        for to_come in judged(variant.spare):
            here, numbers = climb.to(to_come)
            movers, waiters = [places(variant, to_come, climb.known[(to_come + more) // 2]) for more in (1, 0)]
            each = rank(variant.spare, len(movers.side), len(waiters.side))
            found += [side.T.ravel() for side in fit(here, numbers, whole(variant, to_come), movers, waiters, each)]
    first = b"".join(climb.to(to_come)[1].astype(">i8").tobytes() for to_come in range(FIRST, ALL_DICE + 1))
    return first + (_packed(np.concatenate(found)) if found else b"")


def _packed(numbers: Numbers) -> bytes:
    pairs = numbers.astype(">i2").reshape(-1, 1).view(np.uint8)
    return pairs.T.tobytes()


def judges(variant: Variant, chapter: bytes, known: list[Sides]) -> dict[int, Judge]:
    """By layer, read from the `chapter` of the variant without a tie-breaker; `known` are its sides."""
    counts = [len(known[(to_come + 1) // 2].sides) * len(known[to_come // 2].sides) for to_come in range(ALL_DICE + 1)]
    high_and_low = np.frombuffer(chapter[8 * sum(counts[FIRST:]) :], np.uint8).reshape(2, -1)
    numbers = high_and_low.T.copy().view(">i2").ravel().astype(np.int64)
    found, at = {}, 0
    for to_come in judged(variant.spare):
        movers, waiters = [places(variant, to_come, known[(to_come + more) // 2]) for more in (1, 0)]
        each, sides = rank(variant.spare, len(movers.side), len(waiters.side)), list[Numbers]()
        for count in (len(movers.side), len(waiters.side)):
            sides.append(np.ascontiguousarray(numbers[at : at + each * count].reshape(each, count).T))
            at += each * count
        found[to_come] = Judge(sides[0], sides[1], movers.start, waiters.start)
    return found


def bound(parts: dict[str, bytes]) -> bytes:
    """The sides, then the variants."""
    known = Climb(Variant("off", True, "none")).known
    about = {"sides": b"".join(side_bytes(side) for each in known for side in each.sides)}
    return in_chapters(lite_versus.ID, BOOK_VERSION, lite_versus.VERSION, {**about, **parts})


def books() -> list[BookPlan]:
    return [BookPlan(BOOK, tuple(variant.name for variant in VARIANTS), solved, bound)]


SOLVER: Final = Solver(books, large_books)
