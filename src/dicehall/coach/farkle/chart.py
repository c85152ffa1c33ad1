"""The chart of Farkle as plain data: when to bank, when to roll.

>>> [row.threshold for row in bank_or_roll(Options())]
[300, 250, 400, 1000, 3050, 10900]
"""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from typing import Final, NamedTuple

from dicehall.coach.farkle.points import turn_values
from dicehall.rules.farkle_scoring import USUAL_STEP, Options
from dicehall.rules.farkle_state import ROLLED, State

HIGHEST_TURN_TOTAL: Final = 2000  # of the chart


class DiceLeft(NamedTuple):
    """With `dice` dice left to roll."""

    dice: int
    gains: dict[int, Fraction]  # by turn total: how much more rolling brings on average than banking; negative: less
    threshold: int  # the least turn total that is better banked


def bank_or_roll(options: Options) -> list[DiceLeft]:
    """For one to six dice, playing for the points of the turn, on the board already."""
    return [_dice_left(options, dice) for dice in range(1, 7)]


def _dice_left(options: Options, dice: int) -> DiceLeft:
    value, begin = turn_values(options, 1), State(options, (USUAL_STEP,))

    def gain(turn_total: int) -> Fraction:
        kept = tuple([place >= dice for place in range(6)])
        return value(begin._replace(turn_total=turn_total, kept=kept, phase=ROLLED)) - turn_total

    gains = {total: gain(total) for total in range(USUAL_STEP, HIGHEST_TURN_TOTAL + USUAL_STEP, USUAL_STEP)}
    # The more there is to lose, the less a roll gains; so the first total better banked has all others above it.
    threshold = next(total for total in count(least_to_bank(options), USUAL_STEP) if gain(total) < 0)
    return DiceLeft(dice, gains, threshold)


def least_to_bank(options: Options) -> int:
    """The smallest turn total that may be banked, once on the board."""
    return max(-(-options.bank_minimum // USUAL_STEP), 1) * USUAL_STEP
