"""The best result that one seat could have had who knew all dice of a run in advance. Exact.

A run's dice are one stream, so what is known of a position is its place in the stream: turn after turn, from every
place to every place where a turn can end. More banked at the same place is never worse, so of all ways to come to a
place only the best counts. None where the search would take longer than a second or two.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from dicehall.dice import Dice
from dicehall.rules.farkle_scoring import Options, keep_points, keeps, scoring

MOST_TURNS: Final = 20
LONGEST_RUN: Final = 100  # turns to the target, even with foresight: a high minimum is seldom reached
MOST_POINTS: Final = 20_000


def foresight(options: Options, seats: int, seat: int, source: Dice) -> int | None:
    if seats > 1 or options.max_turns > MOST_TURNS or (not options.max_turns and options.target > MOST_POINTS):
        return None
    turn = _turns(options, source)
    best, turns = {0: 0}, 0  # by place in the stream: the most that can be banked by then
    while turns < options.max_turns or not (options.max_turns or max(best.values()) >= options.target):
        reached: dict[int, int] = {}
        for place, banked in best.items():
            for end, points in turn(place, banked > 0).items():
                reached[end] = max(banked + points, reached.get(end, 0))
        best, turns = reached, turns + 1
        if turns > LONGEST_RUN:
            return None
    return max(best.values()) if options.max_turns else turns


def _turns(options: Options, source: Dice) -> Callable[[int, bool], dict[int, int]]:
    rules, full = scoring(options), 6 if options.hot_dice else 0

    @cache
    def turn(first: int, on_board: bool) -> dict[int, int]:
        """From the place `first` in the stream to every place where the turn can end, with the most points."""
        least = options.bank_minimum if on_board else max(options.bank_minimum, options.board_minimum)
        turn_totals, ends = {(first, 6): 0}, dict[int, int]()  # by place and dice to roll
        while turn_totals:
            place, dice = min(turn_totals)  # dice only ever move the place on
            turn_total = turn_totals.pop((place, dice))
            if place > first and (turn_total >= least or not dice):
                ends[place] = max(turn_total, ends.get(place, 0))
            roll, place = tuple(sorted(source.die(place + n) for n in range(dice))), place + dice
            found = keeps(roll, rules) if dice else ()
            if dice and not found:
                ends.setdefault(place, 0)  # a farkle
            for keep in found:
                at = (place, dice - len("".join(keep)) or full)
                turn_totals[at] = max(turn_total + keep_points(keep, rules), turn_totals.get(at, 0))
        return ends

    return turn
