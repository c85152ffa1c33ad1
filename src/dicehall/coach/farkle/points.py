"""Farkle for points: in one turn, or in `max_turns` of them. Exact fractions."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, isqrt
from typing import Final

from dicehall.coach.farkle.contest import in_steps
from dicehall.coach.farkle.turn import ORDERS, Turn, Values, rolls_of, within
from dicehall.errors import InvalidOption
from dicehall.rules.farkle_scoring import Options, Scoring, scoring
from dicehall.rules.farkle_state import END, State

MOST_WORK: Final = 120_000  # steps of a turn times turns, squared: with a board minimum fractions grow with each turn


@lru_cache(maxsize=16)
def points_of(rules: Scoring, hot_dice: bool, least: int, farkle: Fraction = Fraction(0)) -> Turn:
    """A turn for points, in which at least `least` of them may be banked and a farkle is worth `farkle`."""
    rolls = rolls_of(rules, hot_dice)
    # Why there is a turn total that is banked in any case. Whatever the plan after rolling n dice on a turn total p:
    # each roll it takes adds no more than the mean of that roll's best keep, m(n), and with chance q(n) it costs p or
    # more. By linearity the plan gains no more than the sum, over its rolls, of the chance to come to it times
    # m(n) - p q(n). So from p = m(n) / q(n) on, for the n where that is largest, no plan gains anything.
    chances = [Fraction(roll.farkles, ORDERS[dice]) for dice, roll in enumerate(rolls.by_dice, 1)]
    means = [rules.step * roll.mean for roll in rolls.by_dice]
    enough = max([ceil(Fraction(mean, chance)) for mean, chance in zip(means, chances, strict=True)])
    top = in_steps(max(enough, least), rules)
    return Turn(rolls, lambda to_go: rules.step * (top - to_go), farkle, top, in_steps(least, rules), rounded=False)


def turn_values(options: Options, seats: int) -> Values:
    rules, hot_dice = scoring(options), options.hot_dice

    def value(state: State) -> Fraction:
        if state.phase == END:
            return Fraction(0)
        on_board = state.banked[state.seat] > 0
        least = options.bank_minimum if on_board else max(options.bank_minimum, options.board_minimum)
        return within(points_of(rules, hot_dice, least), state)

    return value


def arcade_values(options: Options, seats: int) -> Values:
    """Turns add up, so each is played for its points: a position is worth them and `mean` for each turn after it.

    For a seat that is not on the board yet a farkle is worth less than nothing: what the turns after it lack of that.
    """
    if seats != 1 or not options.max_turns:
        raise InvalidOption("objective", "arcade counts the points of one seat in max_turns turns")
    rules, hot_dice, least = scoring(options), options.hot_dice, options.bank_minimum
    entry = max(options.board_minimum, least)
    most = isqrt(MOST_WORK // points_of(rules, hot_dice, entry).begin)
    if entry > least and options.max_turns > most:
        raise InvalidOption("objective", f"with these minimums and points, arcade is solved for up to {most} turns")
    mean = points_of(rules, hot_dice, least).before()

    def value(state: State) -> Fraction:
        (banked,) = state.banked
        if state.phase == END:
            return Fraction(banked)
        later = options.max_turns - state.round
        turn = points_of(rules, hot_dice, least) if banked or entry == least else boarding_turn(options, later)
        return banked + within(turn, state) + later * mean

    return value


def boarding_turn(options: Options, later: int) -> Turn:
    """Of a seat that has to get on the board, with `later` turns to come."""
    rules, hot_dice, least = scoring(options), options.hot_dice, options.bank_minimum
    entry, mean = max(options.board_minimum, least), points_of(rules, hot_dice, least).before()
    return points_of(rules, hot_dice, entry, _opening(rules, hot_dice, least, entry, later) - later * mean)


@lru_cache(maxsize=1024)
def _opening(rules: Scoring, hot_dice: bool, least: int, entry: int, turns: int) -> Fraction:
    """What `turns` turns bring to a seat that is not on the board yet."""
    if not turns:
        return Fraction(0)
    later = (turns - 1) * points_of(rules, hot_dice, least).before()
    farkle = _opening(rules, hot_dice, least, entry, turns - 1) - later
    return points_of(rules, hot_dice, entry, farkle).before() + later
