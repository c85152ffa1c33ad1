"""The tournament of Shut the Box: rounds until the total is too high."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Final

from dicehall.coach.objective import Objective
from dicehall.coach.shut_the_box.book import read_numbers, title_of
from dicehall.coach.shut_the_box.endings import Followed
from dicehall.coach.shut_the_box.one_round import ROUNDS_KEPT, Box, Perfect, Values, box_of, rules_of
from dicehall.errors import InvalidOption
from dicehall.rules.shut_the_box import result
from dicehall.rules.shut_the_box_state import OUT_AT, State
from dicehall.rules.shut_the_box_tiles import Options

KIND: Final = "tournament"  # of its chapters in the book
# By the total before a round: in how many of all courses the round adds 0, 1, 2, ... points and the seat stays in.
Rounds = list[list[int]]


def tournament_values(options: Options, objective: Objective) -> Values:
    if objective.limit is not None:
        raise InvalidOption("objective", "the tournament has no last round; ask for rounds")
    if objective.chance and not options.instant:
        raise InvalidOption("objective", "alone, the tournament is never won; ask for rounds")
    return _values(options, 0 if objective.chance else 1)


@lru_cache(maxsize=4)
def _values(options: Options, gain: int) -> Values:
    """`gain`: what each round survived is worth; nothing where the box that is shut at once is all that counts."""
    box, golf, ends = box_of(options), _golf(options), round_ends(options, gain)

    @lru_cache(maxsize=ROUNDS_KEPT >> options.tiles)
    def this_round(total: int) -> tuple[Perfect, int]:
        whole, stuck = _pays(golf, ends[total:])
        return Perfect(box, stuck, whole if options.instant else stuck[0]), whole * box.whole

    def value(state: State) -> Fraction:
        if state.over:
            return Fraction(result(state).scores[0] if gain else len(result(state).winners))
        played, whole = this_round(min(state.totals[0], OUT_AT))
        return gain * (state.round - 1) + Fraction(played.value(state), whole)

    return value


@lru_cache(maxsize=4)
def round_ends(options: Options, gain: int) -> list[Fraction]:
    """What the end of a round pays by the total then: `gain` for the round survived, and all that may follow."""
    rounds = _from_book(options)
    if not rounds:
        return solve_ends(options, gain)
    whole, ends = box_of(options).whole, [Fraction(0)]
    for shut, *stays in reversed(rounds):
        later = sum([ways * end for ways, end in zip(stays, ends, strict=False)], Fraction(whole))
        ends.insert(0, Fraction(later, whole - shut))
    return ends


def solve_ends(options: Options, gain: int) -> list[Fraction]:
    """What `round_ends` tells, without the book."""
    box, golf = box_of(options), _golf(options)
    ends = [Fraction(0)]
    for _ in range(OUT_AT):  # from the highest total down: they only grow
        guess = ends[0]
        ends.insert(0, gain + _survival(box, golf, [guess, *ends], gain, options.instant))
    return ends


def played_rounds(options: Options) -> Rounds:
    """What rounds add if they are played for `rounds`: from the book, or followed here."""
    return _from_book(options) or follow_rounds(options, round_ends(options, 1))


def follow_rounds(options: Options, ends: list[Fraction]) -> Rounds:
    """What rounds add that are played for `ends`, as `round_ends` tells them."""
    box, golf, rounds = box_of(options), _golf(options), []
    starts = [0] * box.full + [box.whole]
    for total in range(OUT_AT):
        whole, stuck = _pays(golf, ends[total:])
        played = Perfect(box, stuck, whole if options.instant else stuck[0])
        added = [0] * (OUT_AT - total)
        for score, ways in zip(golf, Followed(played).ends(starts), strict=True):
            if score < len(added):
                added[score] += ways
        rounds.append(added)
    return rounds


def _from_book(options: Options) -> Rounds:
    """The book has all that go on after a shut box; of the others nothing."""
    numbers = [] if options.instant else read_numbers(title_of(KIND, rules_of(options)), number_size(options))
    rounds: Rounds = []
    for total in range(OUT_AT if numbers else 0):
        count = OUT_AT - total
        rounds.append(numbers[:count])
        numbers = numbers[count:]
    return rounds


def number_size(options: Options) -> int:
    """Of the numbers in the book, in bytes."""
    return box_of(options).whole.bit_length() // 8 + 1


def _golf(options: Options) -> list[int]:
    return [sum(tiles) for tiles in box_of(options).tiles]


def _pays(golf: list[int], ends: list[Fraction]) -> tuple[int, list[int]]:
    """What each tile set pays, out of a common number; `ends` by the points it adds, the last for all that is more."""
    whole = lcm(*[end.denominator for end in ends])
    numbers = [end.numerator * (whole // end.denominator) for end in ends]
    return whole, [numbers[min(score, len(ends) - 1)] for score in golf]


def _survival(box: Box, golf: list[int], ends: list[Fraction], gain: int, instant: bool) -> Fraction:
    """What a round is worth whose end pays `ends`, by the points it adds; `ends[0]` is only a guess.

    A shut box adds nothing, so its end x is worth what another such round is: x = gain + best of (a + p x), over all
    ways to play, each with its chance p to shut. This chance rides along in the low bits, behind the value. The best
    way for one x gives a and p, and they give the next x; one that gives itself is right. There are only so many ways
    to play, and each x is better than the one before, so it ends (Newton's method).
    """
    while True:
        whole, stuck = _pays(golf, ends)
        if instant:
            return Fraction(Perfect(box, stuck, whole).start, whole * box.whole)
        low = box.whole.bit_length()
        played = Perfect(box, [pay << low for pay in stuck], (stuck[0] << low) + 1)
        value, shuts = divmod(played.start, 1 << low)
        worth_now, chance = Fraction(value, whole * box.whole), Fraction(shuts, box.whole)
        end = Fraction(gain + worth_now - chance * ends[0], 1 - chance)
        if end == ends[0]:
            return worth_now
        ends = [end, *ends[1:]]
