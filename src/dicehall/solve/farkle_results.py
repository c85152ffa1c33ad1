"""In how many turns perfect play of Farkle alone reaches the target: the chance of each number of turns.

The tables of `farkle.py` say what every position of a turn is worth. Following the best choice forwards from the first
roll tells how likely a turn that begins with n steps to go ends with m to go. Turn after turn of that, and the chance
to be done in turn 1, 2, 3, ... comes out.

Between equally good choices rolling loses to banking, and of two keeps the one that leaves fewer dice is taken. In the
presets it is no matter: every choice that can come up and is not settled anyway is decided by `CLEAR` of a turn or
more, far above the error of the values, so the policy is the perfect one.

Chances are sums of products of positive floats, so each is right to one part in 10^12; the book holds whole multiples
of 2^-BITS.

    dicehall solve farkle      builds the book that `dicehall.coach.results` reads
"""

from __future__ import annotations

import json
import zlib
from functools import lru_cache
from typing import Final

import numpy as np
from numba import njit

from dicehall.rules import farkle
from dicehall.rules.farkle_scoring import LITE
from dicehall.solve.farkle import SPICY, STEP, TO_ROLL, Array, Rolls, Variant, best, rolls_of, solve_turns
from dicehall.solve.workshop import Book

BOOK: Final = "farkle-results.json"
BOOK_VERSION: Final = 1
BITS: Final = 44
CLEAR: Final = 1e-6
# The presets that are played to a target alone: the groups, hot dice or not, the target.
RUNS: Final = {
    "casual": (Variant(LITE, True), 5000),
    "standard": (Variant(LITE, True), 10_000),
    "spicy": (Variant(SPICY, True), 10_000),
}


@njit()
def turn_ends(rolls: Rolls, need: int, bank: Array) -> tuple[Array, float, float]:
    """The chances that a turn which begins with `need` steps to go ends with 0, 1, 2, ... to go by banking; that it
    ends in a farkle; and by how much the closest choice was decided that can come up and matters."""
    value, slope = np.empty((2, (rolls.most + need + 1) * TO_ROLL))
    best(rolls, need, bank, bank[need], value, slope)
    zero = rolls.most * TO_ROLL
    reached, ends, farkle, closest = np.zeros(len(value)), np.zeros(need + 1), 0.0, np.inf
    reached[zero + need * TO_ROLL + 6] = 1
    for steps in range(need, 0, -1):
        row = zero + steps * TO_ROLL
        ends[steps] += reached[row]
        for dice in range(1, 7):
            chance = reached[row + dice]
            if chance == 0:
                continue
            if steps < need:  # at the very beginning there is nothing to bank
                rolling = rolls.farkle[dice] * bank[need]
                for roll in range(rolls.first[dice], rolls.first[dice + 1]):
                    some = rolls.back[rolls.choice[roll] : rolls.choice[roll + 1]]
                    rolling += rolls.chance[roll] * value[row - some].max()
                closest = min(closest, abs(rolling - bank[steps]))
                if rolling <= bank[steps]:
                    ends[steps] += chance
                    continue
            farkle += chance * rolls.farkle[dice]
            for roll in range(rolls.first[dice], rolls.first[dice + 1]):
                chosen = row - rolls.back[rolls.choice[roll]]
                for choice in range(rolls.choice[roll] + 1, rolls.choice[roll + 1]):
                    other = row - rolls.back[choice]
                    gap, banked = abs(value[other] - value[chosen]), chosen // TO_ROLL == other // TO_ROLL
                    if max(chosen, other) >= zero + TO_ROLL and not (banked and gap == 0):
                        closest = min(closest, gap)  # else both reach the target, or bank the same points
                    chosen = other if value[other] > value[chosen] else chosen
                reached[chosen] += chance * rolls.chance[roll]
    ends[0] = reached[: zero + TO_ROLL].sum()
    return ends, farkle, closest


@lru_cache(maxsize=4)
def turns_ends(variant: Variant, steps: int) -> tuple[Array, float]:
    """[steps to go before a turn, after it]: the chance; and the closest choice of all."""
    rolls = rolls_of(variant)
    bank, chances, closest = -solve_turns(rolls, steps), np.zeros((steps + 1, steps + 1)), np.inf
    for need in range(1, steps + 1):
        chances[need, : need + 1], farkle, close = turn_ends(rolls, need, bank)
        chances[need, need] += farkle
        closest = min(closest, close)
    return chances, closest


@njit()
def one_more_turn(where: Array, chances: Array) -> Array:
    """The chances of each number of steps to go, after a turn. Added up one by one: the same digits everywhere."""
    after = np.zeros(len(where))
    for need in range(1, len(where)):
        for left in range(need + 1):
            after[left] += where[need] * chances[need, left]
    return after


def results(variant: Variant, target: int) -> list[int]:
    """In how many of 2^BITS runs the target is reached in turn 1, 2, 3, ..., to the last turn in which that happens."""
    steps = -(-target // STEP)
    chances, _ = turns_ends(variant, steps)
    where, ways = np.zeros(steps + 1), list[int]()
    where[steps] = 1
    while where[1:].max() * 2.0**BITS > 0.5:
        where = one_more_turn(where, chances)
        ways.append(round(where[0] * 2.0**BITS))
    return ways


def books() -> list[Book]:
    return [Book(BOOK, tuple(RUNS), _part, _bound)]


def _part(name: str) -> bytes:
    variant, target = RUNS[name]
    return json.dumps([1, *results(variant, target)]).encode()


def _bound(parts: dict[str, bytes]) -> bytes:
    """A line that says what it is, then one line for each preset: the fewest turns, and their ways and all others'."""
    body = b"".join(parts[name] + b"\n" for name in RUNS)
    about = {"version": BOOK_VERSION, "game": farkle.ID, "rules": farkle.VERSION, "crc32": zlib.crc32(body)}
    return json.dumps({**about, "parts": [*RUNS]}).encode() + b"\n" + body
