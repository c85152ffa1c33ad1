"""What a player loses who plays Knucklebones-lite versus by the small book, measured exactly.

The book's player meets the best possible opponent, who knows all its mistakes, from either seat and over all positions:
one more backward induction, in which the one chooses what the book says and the other what is best against that.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from dicehall.coach.lite_versus.values import CERTAIN, FIRST, LAST
from dicehall.solve.compiled import njit
from dicehall.solve.lite_versus import ALL_DICE, Climb, Layer, Numbers, Sides, best_play, sides, whole
from dicehall.solve.lite_versus_book import Judge, curve, judged, judgement


class Tokens(NamedTuple):
    """Who has one, by side; and what else tells how many dice a position has."""

    mover: Numbers
    waiter: Numbers
    to_come: int
    spare: int


class Measured(NamedTuple):
    first: Fraction  # chance to win that is lost by whoever begins and plays by the book
    second: Fraction  # and by whoever does not begin
    error: Fraction  # of a judgement, on average over all positions that are judged
    largest: Fraction


def measure(climb: Climb, judges: dict[int, Judge]) -> Measured:
    """What is lost in the variant of `climb`; `judges` by layer, as the book of the variant without a tie-breaker has
    them."""
    variant, plain, shape = climb.variant, sides(climb.variant._replace(tiebreak="none")), curve()
    here, numbers = climb.to(judged(variant).start - 1)
    seen = numbers  # as the book's player sees it
    played = [numbers, numbers]  # what is won if the book's player has the last move but one, or the last
    count, off, largest = 0, 0, 0
    for to_come in range(judged(variant).start, ALL_DICE + 1):
        after, before = here, seen
        here, numbers = climb.to(to_come)
        mover, waiter = climb.known[(to_come + 1) // 2], climb.known[to_come // 2]
        tokens, certain = Tokens(mover.again >= 0, waiter.again >= 0, to_come, variant.spare), whole(variant, to_come)
        seen, before = numbers.copy(), before.astype(numbers.dtype, copy=False)
        if to_come in judges:
            mine = judges[to_come].mover[_without_high(mover, plain[(to_come + 1) // 2])]
            theirs = judges[to_come].waiter[_without_high(waiter, plain[to_come // 2])]
            told = look(seen, CERTAIN / certain, here, mine, theirs, tokens, shape)
            count, off, largest = count + int(told[0].sum()), off + int(told[1].sum()), max(largest, int(told[2].max()))
        bare = int((mover.again < 0).sum())
        for parity, moves in enumerate(list(played)):
            moves, won = moves.astype(numbers.dtype, copy=False), np.zeros_like(numbers)
            for some in ((0, bare), (bare, len(mover.sides))):
                steps = mover.becomes, mover.gained, mover.again, certain // 6, *some
                if to_come % 2 == parity:
                    play_by_book(won, moves, here, after, *steps, seen, before, tokens)
                else:
                    best_play(won, moves, here, after, *steps)
            played[parity] = won
    first, second = [Fraction(abs(int(won[-1]) - int(numbers[-1])), whole(variant, ALL_DICE)) for won in played]
    return Measured(first, second, Fraction(off, count * CERTAIN), Fraction(largest, CERTAIN))


def _without_high(ours: Sides, bare: Sides) -> list[int]:
    """Where the sides lie among those of the game without a tie-breaker."""
    place = {side: at for at, side in enumerate(bare.sides)}
    return [place[side._replace(high=0)] for side in ours.sides]


@njit()
def is_judged(tokens: Tokens, mine: Any, theirs: Any, moved: int) -> bool:
    """Whether a position of these sides is judged: before a move (`moved` is 0), or after it (1)."""
    dice = tokens.to_come + tokens.mover[mine] + tokens.waiter[theirs] - moved
    return bool(LAST < dice < FIRST + tokens.spare)


@njit(parallel=True)
def look(
    seen: Numbers, unit: float, here: Layer, mover: Numbers, waiter: Numbers, tokens: Tokens, shape: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    """Puts judgements into `seen` where the book's player has nothing better; tells how many they are, and how far off
    in all and at most, in units of CERTAIN, by mover. `unit` turns a number of `seen` into such units."""
    count, total, largest = np.zeros((3, len(mover)), np.int64)
    for number in prange(len(mover)):
        mine = np.int64(number)
        for theirs in range(len(waiter)):
            if not is_judged(tokens, mine, theirs, 0):
                continue
            full, their_full = here.mover[mine], here.waiter[theirs]
            place = here.row[mine] + here.column[full, theirs]
            least, most = here.low * full - here.high * their_full, here.high * full - here.low * their_full
            for lead in range(least, most + 1):
                told = judgement(lead, mover[mine], waiter[theirs], shape)
                off = abs(told - np.int64(seen[place + lead] * unit))
                seen[place + lead] = told
                count[mine], total[mine], largest[mine] = count[mine] + 1, total[mine] + off, max(largest[mine], off)
    return count, total, largest


@njit(parallel=True)
def play_by_book(
    found: Numbers, numbers: Numbers, here: Layer, after: Layer, becomes: Numbers, gained: Numbers, again: Numbers,
    certain: int, first: int, last: int, seen: Numbers, before: Numbers, tokens: Tokens,
) -> None:  # fmt: skip
    """As `best_play`, but the mover takes what looks best in `before`, the next layer as the book's player sees it (and
    in `seen`, this one, for a reroll); of moves that look equal, to be sure, the worst."""
    for number in prange(last - first):
        mine = first + np.int64(number)
        for theirs in range(len(here.waiter)):
            exact = not is_judged(tokens, mine, theirs, 1)
            full, their_full = here.mover[mine], here.waiter[theirs]
            least, most = here.low * full - here.high * their_full, here.high * full - here.low * their_full
            place = here.row[mine] + here.column[full, theirs]
            for lead in range(least, most + 1):
                for die in range(6):
                    best = worst = -1
                    if again[mine] >= 0:
                        reroll = here.row[again[mine]] + here.column[full, theirs] + lead
                        best, worst = (seen[reroll] // 6 if exact else seen[reroll]), found[reroll] // 6
                    for choice in range(3):
                        left = after.row[theirs] + after.column[their_full, becomes[mine, die, choice]]
                        left -= lead + gained[mine, die, choice]
                        looks, won = (certain if exact else CERTAIN) - before[left], certain - numbers[left]
                        if looks > best or (looks == best and won < worst):
                            best, worst = looks, won
                    found[place + lead] += worst
