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
from dicehall.rules.farkle_contest import Contest, in_steps
from dicehall.rules.farkle_scoring import LITE
from dicehall.solve.farkle import SPICY, TO_ROLL, Array, Rolls, best, rolls_of, solve, tables_for
from dicehall.solve.workshop import Book

BOOK: Final = "farkle-results.json"
BOOK_VERSION: Final = 1
BITS: Final = 44
CLEAR: Final = 1e-6
# The presets that are played to a target alone: the groups, hot dice or not, the target.
RUNS: Final = {
    "casual": (Contest(LITE, True), 5000),
    "standard": (Contest(LITE, True), 10_000),
    "spicy": (Contest(SPICY, True), 10_000),
}


@njit()
def turn_ends(rolls: Rolls, need: int, turns: Array) -> tuple[Array, float, float]:
    """The chances that a turn which begins with `need` steps to go ends with 0, 1, 2, ... to go by banking; that it
    ends in a farkle; and by how much the closest choice was decided that can come up and matters."""
    bank, gain, safe = tables_for(rolls, need)
    bank[: rolls.most] = 0
    bank[rolls.most :] = -turns[: need + 1]
    best(rolls, bank, need, 0, -turns[need], gain, safe)
    zero = rolls.most * TO_ROLL
    reached, ends, farkle, closest = np.zeros(len(gain)), np.zeros(need + 1), 0.0, np.inf
    reached[zero + need * TO_ROLL + 6] = 1
    for steps in range(need, 0, -1):
        row = zero + steps * TO_ROLL
        ends[steps] += reached[row]
        for dice in range(1, 7):
            chance = reached[row + dice]
            if chance == 0:
                continue
            if steps < need:  # at the very beginning there is nothing to bank
                banked, rolling = turns[need] - turns[steps], 0.0
                for roll in range(rolls.first[dice], rolls.first[dice + 1]):
                    some = rolls.back[rolls.choice[roll] : rolls.choice[roll + 1]]
                    rolling += rolls.chance[roll] * gain[row - some].max()
                closest = min(closest, abs(rolling - banked))
                if rolling <= banked:
                    ends[steps] += chance
                    continue
            farkle += chance * rolls.farkle[dice]
            for roll in range(rolls.first[dice], rolls.first[dice + 1]):
                chosen = row - rolls.back[rolls.choice[roll]]
                for choice in range(rolls.choice[roll] + 1, rolls.choice[roll + 1]):
                    other = row - rolls.back[choice]
                    gap, same = abs(gain[other] - gain[chosen]), chosen // TO_ROLL == other // TO_ROLL
                    if max(chosen, other) >= zero + TO_ROLL and not (same and gap == 0):
                        closest = min(closest, gap)  # else both reach the target, or bank the same points
                    chosen = other if gain[other] > gain[chosen] else chosen
                reached[chosen] += chance * rolls.chance[roll]
    ends[0] = reached[: zero + TO_ROLL].sum()
    return ends, farkle, closest


@lru_cache(maxsize=4)
def turns_ends(contest: Contest, reach: int) -> tuple[Array, float]:
    """[steps to go before a turn, after it]: the chance; and the closest choice of all."""
    rolls = rolls_of(contest.rules, contest.hot_dice)
    turns, chances, closest = solve("turns", contest)[0], np.zeros((reach + 1, reach + 1)), np.inf
    for need in range(1, reach + 1):
        chances[need, : need + 1], farkle, close = turn_ends(rolls, need, turns)
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


def results(contest: Contest, target: int) -> list[int]:
    """In how many of 2^BITS runs the target is reached in turn 1, 2, 3, ..., to the last turn in which that happens."""
    reach = in_steps(target)
    chances, _ = turns_ends(contest, reach)
    where, ways = np.zeros(reach + 1), list[int]()
    where[reach] = 1
    while where[1:].max() * 2.0**BITS > 0.5:
        where = one_more_turn(where, chances)
        ways.append(round(where[0] * 2.0**BITS))
    return ways


def books() -> list[Book]:
    return [Book(BOOK, tuple(RUNS), _part, _bound)]


def _part(name: str) -> bytes:
    return json.dumps([1, *results(*RUNS[name])]).encode()


def _bound(parts: dict[str, bytes]) -> bytes:
    """A line that says what it is, then one line for each preset: the fewest turns, and their ways and all others'."""
    body = b"".join(parts[name] + b"\n" for name in RUNS)
    about = {"version": BOOK_VERSION, "game": farkle.ID, "rules": farkle.VERSION, "crc32": zlib.crc32(body)}
    return json.dumps({**about, "parts": [*RUNS]}).encode() + b"\n" + body
