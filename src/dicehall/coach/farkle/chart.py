"""The chart of Farkle as plain data: when to bank, when to roll.

>>> [row.threshold for row in bank_or_roll(Options()).rows]
[300, 250, 400, 1000, 3050, 10900]
"""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from typing import Final

from dicehall.coach.chart import BankOrRoll, DiceLeft
from dicehall.coach.farkle.points import turn_values
from dicehall.rules.farkle_scoring import USUAL_STEP, Options
from dicehall.rules.farkle_state import ROLLED, State

HIGHEST_TURN_TOTAL: Final = 2000  # of the chart


def bank_or_roll(options: Options) -> BankOrRoll:
    """For one to six dice."""
    least = least_to_bank(options)
    rows = [_dice_left(options, dice) for dice in range(1, 7)]
    return BankOrRoll(rows, least, options.board_minimum if options.board_minimum > least else 0)


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
