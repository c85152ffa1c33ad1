"""How far off the judgements of the small book of Knucklebones-lite versus are, and what a player loses who plays by
them, both measured exactly.

The book's player meets the best possible opponent, who knows all its mistakes, from either seat and over all positions:
one more backward induction, in which the one chooses what the book says and the other what is best against that.

Errors count every position that can come up, however odd, once; leads that no full rows can have are none. What is said
of a position before its roll is the mean of its best moves, by what is said of them: one die nearer to the truth than
what is said of the move that led there.

    python -m dicehall.solve.lite_versus_loss [VARIANT ...]      all of them, or wild-off, wild-natural-reroll ...
"""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from numba import prange

from dicehall.coach.lite_versus.sides import leads_of
from dicehall.coach.lite_versus.values import CERTAIN, FIRST, LAST, chapter, judged
from dicehall.solve.compiled import njit
from dicehall.solve.lite_versus import (
    ALL_DICE,
    VARIANTS,
    Climb,
    Layer,
    Numbers,
    Sides,
    Variant,
    best_play,
    sides,
    whole,
)
from dicehall.solve.lite_versus_book import Judge, judges

MOST_DICE: Final = ALL_DICE + 2


class Tokens(NamedTuple):
    """Who has one, by side; and what else tells how many dice a position has."""

    mover: Numbers
    waiter: Numbers
    to_come: int
    spare: int


class Leads(NamedTuple):
    """All leads that can come up, by the full rows of the seat to move and of the other."""

    lead: Numbers
    mover: Numbers  # which of its points stand for the lead
    waiter: Numbers
    first: Numbers  # [full rows, full rows of the other]
    last: Numbers


class Off(NamedTuple):
    """How far something is off, over so many positions."""

    positions: int = 0
    total: float = 0
    squares: float = 0
    worst: float = 0

    def __add__(self, other: Any) -> Off:
        return Off(
            self.positions + int(other[0]), self.total + float(other[1]), self.squares + float(other[2]),
            max(self.worst, float(other[3])),
        )  # fmt: skip

    @property
    def mean(self) -> float:
        return self.total / self.positions if self.positions else 0.0

    @property
    def rms(self) -> float:
        return float((self.squares / self.positions) ** 0.5) if self.positions else 0.0


class Measured(NamedTuple):
    first: Fraction  # chance to win that is lost by whoever begins and plays by the book
    second: Fraction  # and by whoever does not begin
    moved: dict[int, Off]  # by dice left: what is said of the move that led to a position
    rolled: dict[int, Off]  # what is said of the position itself, before its roll
    between: dict[int, Off]  # and how far the two are apart


def measure(climb: Climb, judges: dict[int, Judge]) -> Measured:
    """What is lost in the variant of `climb`; `judges` by layer, as the book of the variant without a tie-breaker has
    them."""
    variant, plain, leads = climb.variant, sides(climb.variant._replace(tiebreak="none")), all_leads(climb.variant.wild)
    here, numbers = climb.to(judged(variant.spare).start - 1)
    seen = numbers  # as the book's player sees it
    played = [numbers, numbers]  # what is won if the book's player has the last move but one, or the last
    off = [[Off()] * (MOST_DICE + 1) for _ in range(3)]
    for to_come in range(judged(variant.spare).start, ALL_DICE + 1):
        after, before = here, seen
        here, numbers = climb.to(to_come)
        mover, waiter = climb.known[(to_come + 1) // 2], climb.known[to_come // 2]
        tokens, certain = Tokens(mover.again >= 0, waiter.again >= 0, to_come, variant.spare), whole(variant, to_come)
        seen, before = numbers.copy(), before.astype(numbers.dtype, copy=False)
        if to_come in judges:
            judge = judges[to_come]
            mine = judge.mover_start[_without_high(mover, plain[(to_come + 1) // 2])]
            theirs = judge.waiter_start[_without_high(waiter, plain[to_come // 2])]
            _add(off[0], to_come, look(seen, CERTAIN / certain, here, judge, mine, theirs, tokens, leads))
        bare = int((mover.again < 0).sum())
        for parity, moves in enumerate(list(played)):
            moves, won = moves.astype(numbers.dtype, copy=False), np.zeros_like(numbers)
            for some in ((0, bare), (bare, len(mover.sides))):
                steps = mover.becomes, mover.gained, mover.again, certain // 6, *some
                if to_come % 2 == parity:
                    told = play_by_book(won, moves, here, after, *steps, numbers, seen, before, tokens, leads)
                    _add(off[1], to_come, told[0])
                    _add(off[2], to_come, told[1])
                else:
                    best_play(won, moves, here, after, *steps)
            played[parity] = won
    first, second = [Fraction(abs(int(won[-1]) - int(numbers[-1])), whole(variant, ALL_DICE)) for won in played]
    return Measured(first, second, *[{dice: one for dice, one in enumerate(each) if one.positions} for each in off])


def together(off: dict[int, Off]) -> Off:
    return sum(off.values(), Off())


def _add(off: list[Off], to_come: int, told: Numbers) -> None:
    """What each mover was told, by tokens left: positions, their errors, the squares, the worst."""
    for tokens in range(told.shape[1]):
        each = told[:, tokens]
        if each[:, 0].any():
            off[to_come + tokens] += (*each[:, :3].sum(axis=0), each[:, 3].max())


def all_leads(wild: str) -> Leads:
    found, first, last = list[tuple[int, int, int]](), np.zeros((4, 4), np.int64), np.zeros((4, 4), np.int64)
    for full, other in product(range(4), repeat=2):
        first[full, other] = len(found)
        found += [(lead, *points) for lead, points in leads_of(full, other, wild).items()]
        last[full, other] = len(found)
    lead, mover, waiter = np.array(found).T.copy()
    return Leads(lead, mover, waiter, first, last)


def _without_high(ours: Sides, bare: Sides) -> list[int]:
    """Where the sides lie among those of the game without a tie-breaker."""
    place = {side: at for at, side in enumerate(bare.sides)}
    return [place[side._replace(high=0)] for side in ours.sides]


@njit()
def is_judged(tokens: Tokens, mine: Any, theirs: Any, moved: int) -> bool:
    """Whether a position of these sides is judged: before a move (`moved` is 0), or after it (1)."""
    dice = tokens.to_come + tokens.mover[mine] + tokens.waiter[theirs] - moved
    return bool(LAST < dice < FIRST + tokens.spare)


@njit()
def judgement(mover: Numbers, waiter: Numbers) -> int:
    """The chance of the mover, of CERTAIN."""
    chance = 0
    for one in range(len(mover)):
        chance += mover[one] * waiter[one]
    return min(max(chance, 0), CERTAIN)


@njit()
def note(told: Numbers, off: float) -> None:
    told[0], told[1], told[2], told[3] = told[0] + 1, told[1] + off, told[2] + off * off, max(told[3], off)


@njit(parallel=True)
def look(
    seen: Numbers, unit: float, here: Layer, judge: Judge, mover: Numbers, waiter: Numbers, tokens: Tokens, leads: Leads
) -> Numbers:
    """Puts judgements into `seen` where the book's player has nothing better; tells of each mover, by tokens left, how
    many they are and how far off. `mover` and `waiter` are where the numbers of the sides begin; `unit` turns a number
    of `seen` into one of CERTAIN."""
    told = np.zeros((len(mover), 3, 4))
    for number in prange(len(mover)):
        mine = np.int64(number)
        for theirs in range(len(waiter)):
            if not is_judged(tokens, mine, theirs, 0):
                continue
            full, their_full = here.mover[mine], here.waiter[theirs]
            place = here.row[mine] + here.column[full, theirs]
            left = np.int64(tokens.mover[mine]) + np.int64(tokens.waiter[theirs])
            for at in range(leads.first[full, their_full], leads.last[full, their_full]):
                lead = place + leads.lead[at]
                chance = judgement(
                    judge.mover[mover[mine] + leads.mover[at]], judge.waiter[waiter[theirs] + leads.waiter[at]]
                )
                note(told[mine, left], abs(chance - seen[lead] * unit) / CERTAIN)
                seen[lead] = chance
    return told


@njit(parallel=True)
def play_by_book(
    found: Numbers, numbers: Numbers, here: Layer, after: Layer, becomes: Numbers, gained: Numbers, again: Numbers,
    certain: int, first: int, last: int, exactly: Numbers, seen: Numbers, before: Numbers, tokens: Tokens, leads: Leads,
) -> tuple[Numbers, Numbers]:  # fmt: skip
    """As `best_play`, but the mover takes what looks best in `before`, the next layer as the book's player sees it (and
    in `seen`, this one, for a reroll); of moves that look equal, to be sure, the worst. Tells of each mover, by tokens
    left, where moves are judged: how far the mean of the best of them is off from what is `exactly` right, and from
    what was said of the move before."""
    off, apart = np.zeros((last - first, 3, 4)), np.zeros((last - first, 3, 4))
    for number in prange(last - first):
        mine = first + np.int64(number)
        for theirs in range(len(here.waiter)):
            exact, was_exact = not is_judged(tokens, mine, theirs, 1), not is_judged(tokens, mine, theirs, 0)
            full, their_full = here.mover[mine], here.waiter[theirs]
            place = here.row[mine] + here.column[full, theirs]
            left = np.int64(tokens.mover[mine]) + np.int64(tokens.waiter[theirs])
            for at in range(leads.first[full, their_full], leads.last[full, their_full]):
                lead = leads.lead[at]
                looked = 0
                for die in range(6):
                    best = worst = -1
                    if again[mine] >= 0:
                        reroll = here.row[again[mine]] + here.column[full, theirs] + lead
                        best, worst = (seen[reroll] // 6 if exact else seen[reroll]), found[reroll] // 6
                    for choice in range(3):
                        gone = after.row[theirs] + after.column[their_full, becomes[mine, die, choice]]
                        gone -= lead + gained[mine, die, choice]
                        looks, won = (certain if exact else CERTAIN) - before[gone], certain - numbers[gone]
                        if looks > best or (looks == best and won < worst):
                            best, worst = looks, won
                    found[place + lead] += worst
                    looked += best
                if exact and was_exact:
                    continue
                mean = looked / (6 * certain) if exact else looked / (6 * CERTAIN)
                said = seen[place + lead] / (6 * certain) if was_exact else seen[place + lead] / CERTAIN
                note(off[number, left], abs(mean - exactly[place + lead] / (6 * certain)))
                note(apart[number, left], abs(mean - said))
    return off, apart


def read_judges(variant: Variant) -> dict[int, Judge]:
    """From the packaged book."""
    plain = variant._replace(tiebreak="none")
    return judges(plain, chapter(plain.name), Climb(plain).known)


def main(names: list[str]) -> None:
    for variant in VARIANTS:
        if not names or variant.name in names:
            sys.stdout.write(table(variant.name, measure(Climb(variant), read_judges(variant))))


def table(name: str, found: Measured) -> str:
    lost = f"{name}: who plays by the book loses {float(found.first):.1e} first, {float(found.second):.1e} second"
    heads = f"  {'dice left':<22}{'positions':>12}{'mean':>10}{'rms':>10}{'worst':>10}"
    lines = [lost, heads]
    for what, off in (("after a move", found.moved), ("before a roll", found.rolled), ("apart", found.between)):
        for dice, one in [*off.items(), ("all", together(off))]:
            errors = f"{one.mean:>10.6f}{one.rms:>10.6f}{one.worst:>10.6f}"
            lines.append(f"  {what}, {dice:<{20 - len(what)}}{one.positions:>12,}{errors}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
