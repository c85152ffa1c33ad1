"""The tournament of Shut the Box: rounds until the total is too high."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import lcm

from dicehall.coach.worths.box_round import ROUNDS_KEPT, Board, Perfect, Worth, board_of
from dicehall.errors import InvalidOption
from dicehall.rules.box_state import OUT_AT, State
from dicehall.rules.box_tiles import Options
from dicehall.rules.shut_the_box import result


@lru_cache(maxsize=4)
def tournament_worth(options: Options, name: str) -> Worth:
    if name == "total<=":
        raise InvalidOption("objective", "the tournament has no last round; ask for rounds")
    if name == "win" and not options.instant:
        raise InvalidOption("objective", "alone, the tournament is never won; ask for rounds")
    board, instant = board_of(options), options.instant
    golf = [sum(tiles) for tiles in board.tiles]
    gain = Fraction(name == "rounds")  # for each round survived
    # What the end of a round pays by the total then: the round survived and all that may follow.
    ends = [Fraction(0)] * (OUT_AT + 1)
    for total in reversed(range(OUT_AT)):
        ends[total] = ends[total + 1]  # a first guess
        ends[total] = gain + _survival(board, golf, ends[total:], gain, instant)

    @lru_cache(maxsize=ROUNDS_KEPT >> options.tiles)
    def this_round(total: int) -> tuple[Perfect, int]:
        whole, stuck = _pays(golf, ends[total:])
        return Perfect(board, stuck, whole if instant else stuck[0]), whole * board.whole

    def value(state: State) -> Fraction:
        if state.over:
            return Fraction(result(state).scores[0] if name == "rounds" else len(result(state).winners))
        played, whole = this_round(min(state.totals[0], OUT_AT))
        return gain * (state.round - 1) + Fraction(played.value(state), whole)

    return value


def _pays(golf: list[int], ends: list[Fraction]) -> tuple[int, list[int]]:
    """What each tile set pays, out of a common number; `ends` by the points it adds, the last for all that is more."""
    whole = lcm(*[end.denominator for end in ends])
    numbers = [end.numerator * (whole // end.denominator) for end in ends]
    return whole, [numbers[min(score, len(ends) - 1)] for score in golf]


def _survival(board: Board, golf: list[int], ends: list[Fraction], gain: Fraction, instant: bool) -> Fraction:
    """What a round is worth whose end pays `ends`, by the points it adds; `ends[0]` is only a guess.

    A shut box adds nothing, so its end x is worth what another such round is: x = gain + best of (a + p x), over all
    ways to play, each with its chance p to shut. This chance rides along in the low bits, behind the value. The best
    way for one x gives a and p, and they give the next x; one that gives itself is right. There are only so many ways
    to play, and each x is better than the one before, so it ends (Newton's method).
    """
    while True:
        whole, stuck = _pays(golf, ends)
        if instant:
            return Fraction(Perfect(board, stuck, whole).start, whole * board.whole)
        low = board.whole.bit_length()
        played = Perfect(board, [pay << low for pay in stuck], (stuck[0] << low) + 1)
        value, shuts = divmod(played.start, 1 << low)
        worth_now, chance = Fraction(value, whole * board.whole), Fraction(shuts, board.whole)
        end = Fraction(gain + worth_now - chance * ends[0], 1 - chance)
        if end == ends[0]:
            return worth_now
        ends = [end, *ends[1:]]
