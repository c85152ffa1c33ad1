"""Farkle played to the target: the fewest turns alone, and the best chance in a race of two. Builds the coach's books.

Every group is worth a multiple of 50, so points are counted in steps of 50; and of a seat only the steps that it still
needs matter, so one table serves every target up to the largest. Within a turn it is the steps still needed once the
pile is banked, and the dice left to roll. Rolls that offer the same choices (steps, dice left) are one class. Of two
choices that leave equally many dice only the one with more points counts: whoever needs less can play as if needing
more, and is never worse off.

A farkle leads back to where the turn began, so a turn's value depends on itself. For a given value of a farkle one
sweep up from the target finds the best policy. It also tells how often that policy farkles, which is how much the
turn's value moves with the farkle's. So until a better policy turns up, the equation is linear:

    alone     turns(n) = 1 + best(turns(n))                                one unknown for each n
    a race    win(i, j) = best(1 - win(j, i)), and the same for (j, i)     two unknowns for each pair

Solve it, find the best policy for the solution, and again, until nothing changes: two or three rounds. Every farkle
chance is below one, so there is one solution only, and the rounds that stand still have found it.

    dicehall solve farkle      builds the book that `dicehall.coach.worths.farkle` reads
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit, prange

from dicehall.rules import farkle
from dicehall.rules.farkle_scoring import Scoring, keep_points, keeps
from dicehall.rules.game import outcomes
from dicehall.solve.workshop import Book

Array = np.ndarray[Any, Any]

STEP: Final = 50
STEPS: Final = 200  # the books reach so far: a target of 10,000
STANDSTILL: Final = 4e-15  # a few units in the last place of a solution
ROUNDS: Final = 100  # far more than it ever takes
TO_ROLL: Final = 7  # 0 to 6 dice: the width of a row

BOOK: Final = "farkle-tables.bin"
BOOK_VERSION: Final = 1
SIZES: Final = {"turns": (44, 8), "race": (32, 4)}  # bits behind the point, and bytes in all


class Variant(NamedTuple):
    rules: Scoring
    hot_dice: bool

    def named(self) -> dict[str, int]:
        return {**self.rules._asdict(), "hot_dice": self.hot_dice}


SPICY: Final = Scoring(straight=1500, three_pairs=1500)  # the groups of that preset
# Everything that the options switch on and off, at the usual points.
VARIANTS: Final = tuple(
    Variant(Scoring(straight, three_pairs, four_plus_pair), hot_dice)
    for hot_dice in (True, False)
    for straight in (0, 1500)
    for three_pairs, four_plus_pair in ((0, False), (1500, False), (1500, True))
)


class Rolls(NamedTuple):
    """Every roll of one to six dice, in classes. Those of n dice are first[n] to first[n + 1]."""

    first: Array
    chance: Array
    choice: Array  # the choices of class c are choice[c] to choice[c + 1]
    back: Array  # how far back, in a flat table of rows by steps needed, the position lies that a choice leads to
    farkle: Array  # the chance by number of dice
    most: int  # steps that one roll can bring


def rolls_of(variant: Variant) -> Rolls:
    rules, hot_dice = variant
    first, choice, back, chance, farkles, most = [0], [0], list[int](), list[float](), [0.0], 0
    for dice in range(1, 7):
        classes: Counter[tuple[tuple[int, int], ...]] = Counter()
        first.append(len(chance))
        for roll, weight in outcomes(dice):
            steps: dict[int, int] = {}  # by dice left
            for keep in keeps(roll, rules):
                left = dice - len("".join(keep)) or (6 if hot_dice else 0)
                steps[left] = max(keep_points(keep, rules) // STEP, steps.get(left, 0))
            classes[tuple(sorted(steps.items()))] += weight
        farkles.append(classes.pop(()) / 6**dice)
        for choices, weight in classes.items():
            chance.append(weight / 6**dice)
            back += [steps * TO_ROLL - left for left, steps in choices]
            most = max(most, *[steps for _, steps in choices])
            choice.append(len(back))
    first.append(len(chance))
    return Rolls(np.array(first), np.array(chance), np.array(choice), np.array(back), np.array(farkles), most)


@njit()
def best(rolls: Rolls, need: int, bank: Array, farkle: float, value: Array, slope: Array) -> tuple[float, float]:
    """A turn's best value when a farkle is worth so much, and how much it moves with that: how often it farkles.

    bank[n] is what banking is worth that leaves n steps to go, 0 or fewer at bank[0]. The flat tables hold, by steps
    to go and dice left, the same for a position after a keep; before row 0 stand the rows of more than enough.
    """
    zero = rolls.most * TO_ROLL
    value[: zero + TO_ROLL] = bank[0]
    slope[: zero + TO_ROLL] = 0
    total = moves = 0.0
    for steps in range(1, need + 1):
        row = zero + steps * TO_ROLL
        value[row] = bank[steps]
        slope[row] = 0
        for dice in range(1, 7):
            total, moves = rolls.farkle[dice] * farkle, rolls.farkle[dice]
            for roll in range(rolls.first[dice], rolls.first[dice + 1]):
                chosen = row - rolls.back[rolls.choice[roll]]
                for choice in range(rolls.choice[roll] + 1, rolls.choice[roll + 1]):
                    other = row - rolls.back[choice]
                    chosen = other if value[other] > value[chosen] else chosen
                total += rolls.chance[roll] * value[chosen]
                moves += rolls.chance[roll] * slope[chosen]
            rolling = total > bank[steps]
            value[row + dice] = total if rolling else bank[steps]
            slope[row + dice] = moves if rolling else 0
    return total, moves


@njit()
def solve_turns(rolls: Rolls, steps: int) -> Array:
    """The expected number of turns to so many steps; less is better, so the sweep's values are negative."""
    turns, bank = np.zeros(steps + 1), np.zeros(steps + 1)
    value, slope = np.empty((2, (rolls.most + steps + 1) * TO_ROLL))
    for need in range(1, steps + 1):
        x = turns[need - 1] + 1
        for _ in range(ROUNDS):
            total, moves = best(rolls, need, bank, -x, value, slope)
            before, x = x, (1 - total - moves * x) / (1 - moves)
            if abs(x - before) <= STANDSTILL * x:
                break
        else:
            x = np.nan
        turns[need], bank[need] = x, -x
    return turns


@njit(parallel=True)
def solve_race(rolls: Rolls, steps: int) -> Array:
    """win[i, j]: the chance of the seat to move, which needs i steps, against one that needs j.

    A turn that is banked leaves fewer steps in all, so pairs go by their sum; those with the same sum are apart.
    """
    win = np.zeros((steps + 1, steps + 1))
    for both in range(2, 2 * steps + 1):
        lowest = max(1, both - steps)
        for i in prange(lowest, both // 2 + 1):
            j = both - i
            value, slope = np.empty((2, (rolls.most + j + 1) * TO_ROLL))
            mine, theirs = 1 - win[j, : i + 1], 1 - win[i, : j + 1]
            # The neighbours' plane is a good guess, and a good guess saves a round.
            x = win[i - 1, j] + win[i, j - 1] - win[i - 1, j - 1] if i > 1 else 0.5
            z = win[j - 1, i] + win[j, i - 1] - win[j - 1, i - 1] if i > 1 else 0.5
            standing = False
            for _ in range(ROUNDS):
                total, moves = best(rolls, i, mine, 1 - z, value, slope)
                their_total, their_moves = best(rolls, j, theirs, 1 - x, value, slope)
                a, b, det = total + moves * z, their_total + their_moves * x, 1 - moves * their_moves
                before, their_before, x, z = x, z, (a - moves * b) / det, (b - their_moves * a) / det
                if abs(x - before) <= STANDSTILL and abs(z - their_before) <= STANDSTILL:
                    standing = True
                    break
            win[i, j], win[j, i] = (x, z) if standing else (np.nan, np.nan)  # an error cannot leave a parallel loop
    return win


def solve(objective: str, variant: Variant, steps: int) -> Array:
    """One table: one row of turns, or win[i, j]; rows and columns from 0."""
    rolls = rolls_of(variant)
    found: Array = solve_turns(rolls, steps)[None] if objective == "turns" else solve_race(rolls, steps)
    assert not np.isnan(found).any(), "the rounds do not come to a standstill"
    return found


def packed(table: Array, bits: int, width: int) -> bytes:
    """Multiples of 2^-bits, so many bytes each: neighbours differ little, so the differences have many equal bytes.

    They are taken both ways, and stand with the lowest byte of each first, then the next.
    """
    most = min(256**width, 2**62) - 1  # what is as good as certain has to fit too
    numbers = np.minimum(np.rint(table * 2.0**bits).astype(np.int64), most)
    across = np.diff(np.diff(numbers, axis=0, prepend=0), axis=1, prepend=0)
    return zlib.compress(across.astype("<i8").reshape(-1, 1).view(np.uint8)[:, :width].T.tobytes(), 9)


def book_bytes(tables: list[tuple[str, Variant, Array]]) -> bytes:
    """A line that says what is where, then the tables."""
    about, body = [], b""
    for objective, variant, table in tables:
        bits, width = SIZES[objective]
        rows, columns = table.shape
        data = packed(table, bits, width)
        place = {"rows": rows, "columns": columns, "bits": bits, "width": width, "at": len(body), "size": len(data)}
        about.append({"objective": objective, **variant.named(), **place})
        body += data
    head = {"version": BOOK_VERSION, "game": farkle.ID, "rules": farkle.VERSION, "crc": zlib.crc32(body)}
    return json.dumps({**head, "tables": about}).encode() + b"\n" + body


def books() -> list[Book]:
    tables = [(objective, variant) for objective in ("turns", "race") for variant in VARIANTS]
    by_title = {
        json.dumps({"objective": objective, **variant.named()}): (objective, variant) for objective, variant in tables
    }

    def solved(title: str) -> bytes:
        objective, variant = by_title[title]
        return solve(objective, variant, STEPS).tobytes()

    def bound(parts: dict[str, bytes]) -> bytes:
        return book_bytes(
            [(*by_title[title], np.frombuffer(part).reshape(-1, STEPS + 1)) for title, part in parts.items()]
        )

    return [Book(BOOK, tuple(by_title), solved, bound)]
