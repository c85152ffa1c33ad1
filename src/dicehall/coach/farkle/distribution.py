"""Farkle: all points of `max_turns` turns, or how many turns it takes to the target.

One turn is exact, several are nearly; the number of turns comes from the tables, nearly, for whatever is solved.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Final

from dicehall.coach.distribution import Distribution, Sums, added_up, from_ways
from dicehall.coach.farkle.contest import contest_of
from dicehall.coach.farkle.points import boarding_turn, points_of
from dicehall.coach.farkle.tables import find_table
from dicehall.coach.farkle.target import place_of
from dicehall.coach.farkle.turn import Turn
from dicehall.coach.objective import Objective
from dicehall.errors import InvalidOption
from dicehall.rules.farkle_scoring import Options, Scoring, keep_points, keeps, scoring
from dicehall.rules.game import outcomes

TURNS_ERROR: Final = Fraction(1, 10**8)  # of any share of the runs: each number of turns is off by 2^-33 at most
FINE: Final = 64  # bits behind the point, where turns are added up
MOST_TURNS: Final = 20  # adding up more takes seconds,
MOST_BOARDING: Final = 10  # or more where a seat has to get on the board,
LEAST_STEP: Final = 10  # or counting points in smaller steps


def turns_distribution(options: Options) -> Distribution:
    contest = contest_of(options, 1)
    ways = find_table("ends", contest).row(place_of(contest, options))
    if not any(ways):
        raise InvalidOption("objective", "with such a minimum a run takes too many turns to tell them apart")
    return from_ways(dict(enumerate(ways)), TURNS_ERROR)


@lru_cache(maxsize=8)  # of a second each, and every report of such a run asks for it
def points_distribution(options: Options, objective: Objective) -> Distribution:
    turns, step = options.max_turns, scoring(options).step
    if not turns:
        raise InvalidOption("objective", "how many turns are played depends on how they go, so nothing is added up")
    boarding = options.board_minimum > options.bank_minimum
    most = MOST_BOARDING if boarding else MOST_TURNS
    if turns > most:
        raise InvalidOption("objective", f"at most {most} such turns of Farkle are added up")
    if step < LEAST_STEP:
        raise InvalidOption("objective", f"results are known where all groups are worth multiples of {LEAST_STEP}")
    one = first_turn(options, objective, 0) if boarding and turns == 1 else farkle_turn(options)
    if turns == 1:
        whole = lcm(*[chance.denominator for chance in one.values()])
        return from_ways({points: int(chance * whole) for points, chance in one.items()})
    fine = _fine(one, step)
    if boarding:
        total = _with_boarding([_fine(first_turn(options, objective, later), step) for later in range(turns)], fine)
    else:
        total = added_up(fine, turns)
    error = Fraction(2 * turns * len(fine), 1 << FINE)  # each chance of each turn lost less than a unit
    return from_ways({step * steps: ways for steps, ways in total.items()}, error)


def _fine(turn: dict[int, Fraction], step: int) -> dict[int, int]:
    return {points // step: int(chance * (1 << FINE)) for points, chance in turn.items()}


def _with_boarding(boarding: list[dict[int, int]], usual: dict[int, int]) -> dict[int, int]:
    """A seat that gets on the board has its points and as many usual turns as are left; else it tries again."""
    sums = Sums(1 << FINE * len(boarding))
    later = total = 1  # of no turns: nothing, in one way
    for turn in boarding:
        missed = turn.pop(0)
        total = sums.pack(turn) * later + missed * total
        later *= sums.pack(usual)
    return sums.unpack(total)


def farkle_turn(options: Options, least: int | None = None) -> dict[int, Fraction]:
    """One turn played perfectly for its points: the chance of each number of them. By a seat that is on the board, or
    that has to bank at least `least`."""
    least = options.bank_minimum if least is None else least
    return _follow(points_of(scoring(options), options.hot_dice, least), options.hot_dice)


def first_turn(options: Options, objective: Objective, later: int) -> dict[int, Fraction]:
    """One turn of a seat that is not on the board, with `later` turns to come; in an arcade these count too."""
    if objective.scope == "turn":
        return farkle_turn(options, options.board_minimum)
    return _follow(boarding_turn(options, later), options.hot_dice)


def _follow(turn: Turn, hot_dice: bool) -> dict[int, Fraction]:
    rules, step = turn.rolls.rules, turn.rolls.rules.step
    rolls = {dice: _choices(dice, rules, hot_dice) for dice in range(1, 7)}

    def worth_of(at: tuple[int, int]) -> int:
        turn_total, dice = at
        return turn.kept_units(turn.begin - turn_total // step, dice)

    reached, ends = {(0, 6): Fraction(1)}, {0: Fraction(0)}
    while reached:
        turn_total, dice = min(reached)  # turn totals only grow, so nothing comes back to the least
        chance = reached.pop((turn_total, dice))
        if turn_total and turn.banks(turn.begin - turn_total // step, dice):
            ends[turn_total] = ends.get(turn_total, Fraction(0)) + chance
            continue
        then: Counter[tuple[int, int]] = Counter()
        missed = 0
        for choices, orders in rolls[dice]:
            if choices:
                then[max([(turn_total + points, left) for points, left in choices], key=worth_of)] += orders
            else:
                missed += orders
        ends[0] += chance * Fraction(missed, 6**dice)
        for at, orders in then.items():
            reached[at] = reached.get(at, Fraction(0)) + chance * Fraction(orders, 6**dice)
    return ends


@lru_cache(maxsize=6 * 16)
def _choices(dice: int, rules: Scoring, hot_dice: bool) -> list[tuple[tuple[tuple[int, int], ...], int]]:
    """What can be kept of `dice` dice: for rolls that offer the same, the points with the dice they leave, in the
    order in which the game lists them; and in how many orders they fall. Fewer points for as many dice left are out."""
    classes: Counter[tuple[tuple[int, int], ...]] = Counter()
    for roll, orders in outcomes(dice):
        most: dict[int, int] = {}  # by dice left
        for keep in keeps(roll, rules):  # most points first
            most.setdefault(dice - len("".join(keep)) or (6 if hot_dice else 0), keep_points(keep, rules))
        classes[tuple((points, left) for left, points in most.items())] += orders
    return list(classes.items())
