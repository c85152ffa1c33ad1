"""The best score on one's own board that anybody could have had who knew all dice in advance. Without rerolls only,
which would move the dice of the other seat."""

from __future__ import annotations

from dicehall.coach.lite_solo.foresight import best_board
from dicehall.dice import Dice
from dicehall.rules.lite_versus import Options
from dicehall.rules.two_seats import FIRST_SEAT, UNDRAWN, drawn_seat


def foresight(options: Options, seats: int, seat: int, source: Dice) -> int | None:
    if options.reroll:
        return None
    begins, first = FIRST_SEAT[options.first], 0
    if begins == UNDRAWN:
        begins, first = drawn_seat(source.die(0)), 1
    return best_board(options, [source.die(first + (seat != begins) + 2 * turn) for turn in range(9)])
