"""The small book of Knucklebones-lite versus: what the coach needs to play nearly as well as the exact solution does.

Of each side the book holds three numbers, as if its points to come were drawn at random: their mean, their variance,
and how lopsided they are (a sixth of the third cumulant). Such numbers add up, so those of both sides and the lead
tell how likely the one that moves ends ahead: by the bell curve, bent by the lopsidedness. Players do not draw points,
they steer towards them, so the numbers are not those of a seat that plays alone; those are only where the search for
the best numbers begins, and least squares over positions of the exact solution, evenly spread, do the rest.

How much whoever plays by this book loses is measured in `lite_versus_loss`.

    dicehall solve lite-versus      builds it
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numba import prange

from dicehall.coach.lite_versus.sides import side_bytes
from dicehall.coach.lite_versus.values import (
    BEND,
    BOOK,
    BOOK_VERSION,
    CERTAIN,
    FIRST,
    HIGHEST,
    LAST,
    LEAST,
    MEAN,
    STEP,
    STEPS,
    VARIANCE,
)
from dicehall.rules import lite_versus
from dicehall.solve.compiled import njit
from dicehall.solve.lite_versus import ALL_DICE, VARIANTS, Climb, Layer, Numbers, Sides, Variant, large_books, whole
from dicehall.solve.workshop import BookPlan, Solver, in_chapters

Reals = np.ndarray[Any, Any]

ROUNDS: Final = 10
ENOUGH: Final = 250  # sides of the other seat, spread evenly, tell enough about one
PULL: Final = 1e-3  # towards where the search began, for sides that too few positions tell about


def judged(variant: Variant) -> range:
    """The layers in which the coach judges some positions."""
    return range(LAST + 1 - variant.spare, FIRST + variant.spare)


class Judge(NamedTuple):
    """The three numbers of the sides of a layer."""

    mover: Numbers
    waiter: Numbers


def alone(known: list[Sides]) -> list[Reals]:
    """By empty cells: the three numbers of the `known` sides when they play for points alone."""
    moments, found = np.eye(1, 4).repeat(len(known[0].sides), axis=0), list[Reals]()
    for each in known:
        if len(each.becomes):
            mean = moments[each.becomes, 1] + each.gained
            at = mean.argmax(axis=2)[..., None]
            points = np.take_along_axis(each.gained, at, 2)[..., 0].astype(np.float64)
            after = moments[np.take_along_axis(each.becomes, at, 2)[..., 0]]
            best = np.stack(
                [sum(math.comb(k, j) * after[..., j] * points ** (k - j) for j in range(k + 1)) for k in range(4)]
            )
            moments = best.mean(axis=2).T
            token = each.again >= 0
            again = moments[each.again[token], :, None]
            rerolled = np.where((best[1, token] < again[:, 1])[:, None], again, best.transpose(1, 0, 2)[token])
            moments[token] = rerolled.mean(axis=2)
        _, one, two, three = moments.T
        found.append(np.stack([one, two - one**2, (three - 3 * one * two + 2 * one**3) / 6], axis=1))
    return found


def fit(here: Layer, numbers: Numbers, certain: int, mover: Reals, waiter: Reals) -> Judge:
    """The best numbers for the layer `here`, beginning with those of sides that play alone, `mover` and `waiter`; what
    the waiter has to come counts against the mover. `numbers` are the exact ones, out of `certain`."""
    begun = mover, waiter * [-1, 1, -1]
    mine, theirs = begun
    for _ in range(ROUNDS):
        mine = fitted(here, numbers, 1 / certain, mine, theirs, begun[0], False)
        theirs = fitted(here, numbers, 1 / certain, mine, theirs, begun[1], True)
    units = np.array([MEAN, VARIANCE, BEND])
    return Judge(*[np.rint(np.clip(each * units, -32768, 32767)).astype(np.int64) for each in (mine, theirs)])


@njit(parallel=True)
def fitted(here: Layer, numbers: Numbers, unit: float, mover: Reals, waiter: Reals, begun: Reals, waits: bool) -> Reals:
    """One step of least squares for all movers, or if `waits` for all who wait, while the others stay as they are.
    `begun` are the numbers that they are pulled to, `unit` is one over what a certain win counts."""
    found = np.empty_like(begun)
    for number in prange(len(begun)):
        one = np.int64(number)
        normal, pull, slope = np.zeros((3, 3)), np.zeros(3), np.zeros(3)
        others = len(mover) if waits else len(waiter)
        apart = max(others // ENOUGH, 1)
        for other in range(number % apart, others, apart):
            mine, theirs = (other if waits else one), (one if waits else other)
            full, their_full = here.mover[mine], here.waiter[theirs]
            place = here.row[mine] + here.column[full, theirs]
            mean = mover[mine, 0] + waiter[theirs, 0]
            inverse = 1 / math.sqrt(max(mover[mine, 1] + waiter[theirs, 1], LEAST / VARIANCE))
            bend = (mover[mine, 2] + waiter[theirs, 2]) * inverse**3
            least, most = here.low * full - here.high * their_full, here.high * full - here.low * their_full
            for lead in range(least, most + 1):
                x = min(max((lead + mean) * inverse, -4.0), 4.0)
                bell = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
                two, three = x * x - 1, x * x * x - 3 * x
                off = numbers[place + lead] * unit - 0.5 * (1 + math.erf(x / math.sqrt(2))) + bell * bend * two
                steep = bell * max(1 + bend * three, 0.2)
                slope[0] = steep * inverse
                slope[1] = (1.5 * bell * bend * two - 0.5 * steep * x) * inverse**2
                slope[2] = -bell * two * inverse**3
                for a in range(3):
                    pull[a] += slope[a] * off
                    for b in range(3):
                        normal[a, b] += slope[a] * slope[b]
        was = waiter[one] if waits else mover[one]
        for a in range(3):
            tie = PULL * normal[a, a] + 1e-12
            normal[a, a] += tie
            pull[a] += tie * (begun[one, a] - was[a])
        for a in range(3):  # three equations, solved by hand
            for b in range(a + 1, 3):
                share = normal[b, a] / normal[a, a]
                normal[b] -= share * normal[a]
                pull[b] -= share * pull[a]
        for a in range(2, -1, -1):
            for b in range(a + 1, 3):
                pull[a] -= normal[a, b] * pull[b]
            pull[a] /= normal[a, a]
            found[one, a] = was[a] + pull[a]
    return found


def curve() -> Numbers:
    """At each step up to four standard deviations: the bell curve's share below, and what a unit of bend takes off."""
    found = []
    for step in range(STEPS + 1):
        x = 4 * step / STEPS
        bell = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        found.append((round(CERTAIN * (1 + math.erf(x / math.sqrt(2))) / 2), round(CERTAIN * bell * (x * x - 1))))
    return np.array(found).T


@njit()
def judgement(lead: int, mover: Numbers, waiter: Numbers, shape: Numbers) -> int:
    """The chance of the mover, of CERTAIN. `shape` is the `curve`. The coach's `judgement` does without floats: a
    root of such a small whole number comes out right to the last digit."""
    mean = lead * MEAN + mover[0] + waiter[0]
    spread = np.int64(math.sqrt(max(mover[1] + waiter[1], LEAST) * (MEAN * MEAN // VARIANCE)))
    bend = mover[2] + waiter[2]
    x = min(abs(mean) * (STEPS // 4 * STEP) // spread, STEPS * STEP - 1)
    step, part = x // STEP, x % STEP
    below = shape[0, step] + (shape[0, step + 1] - shape[0, step]) * part // STEP
    taken = shape[1, step] + (shape[1, step + 1] - shape[1, step]) * part // STEP
    if mean < 0:
        below = CERTAIN - below
    chance: int = min(max(below - taken * bend * (MEAN**3 // BEND) // spread**3, 0), CERTAIN)
    return chance


def solved(title: str) -> bytes:
    """Of one variant the numbers of the first positions, eight bytes each; then, layer by layer, of all who move and of
    all who wait the three numbers, two bytes each, the means of all first and the high bytes of all before the low.

    Ties are so rare that with a tie-breaker the same judgements serve, so the sides' numbers are there only once.
    """
    variant = next(variant for variant in VARIANTS if variant.name == title)
    climb, judges = Climb(variant), list[Numbers]()
    if variant.tiebreak != HIGHEST:
        points = alone(climb.known)
        for to_come in judged(variant):
            here, numbers = climb.to(to_come)
            judge = fit(here, numbers, whole(variant, to_come), points[(to_come + 1) // 2], points[to_come // 2])
            judges += [judge.mover, judge.waiter]
    first = b"".join(climb.to(to_come)[1].astype(">i8").tobytes() for to_come in range(FIRST, ALL_DICE + 1))
    return first + (_packed(np.concatenate(judges)) if judges else b"")


def _packed(numbers: Numbers) -> bytes:
    pairs = numbers.T.astype(">i2").reshape(-1, 1).view(np.uint8)
    return pairs.T.tobytes()


def judges(variant: Variant, chapter: bytes, known: list[Sides]) -> dict[int, Judge]:
    """By layer, read from the `chapter` of the variant without a tie-breaker; `known` are its sides."""
    counts = {to_come: [len(known[(to_come + more) // 2].sides) for more in (1, 0)] for to_come in range(ALL_DICE + 1)}
    first = 8 * sum(movers * waiters for movers, waiters in list(counts.values())[FIRST:])
    high_and_low = np.frombuffer(chapter[first:], np.uint8).reshape(2, -1)
    numbers = high_and_low.T.copy().view(">i2").reshape(3, -1).T.astype(np.int64)
    found, at = {}, 0
    for to_come in judged(variant):
        movers, waiters = counts[to_come]
        found[to_come] = Judge(numbers[at : at + movers], numbers[at + movers : at + movers + waiters])
        at += movers + waiters
    return found


def bound(parts: dict[str, bytes]) -> bytes:
    """The sides and the curve, then the variants."""
    known = Climb(Variant("off", True, "none")).known
    about = {"sides": b"".join(side_bytes(side) for each in known for side in each.sides)}
    about["curve"] = curve().astype(">i4").tobytes()
    return in_chapters(lite_versus.ID, BOOK_VERSION, lite_versus.VERSION, {**about, **parts})


def books() -> list[BookPlan]:
    return [BookPlan(BOOK, tuple(variant.name for variant in VARIANTS), solved, bound)]


SOLVER: Final = Solver(books, large_books)
