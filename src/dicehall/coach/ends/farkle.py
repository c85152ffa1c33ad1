"""Farkle: all points of `max_turns` turns, or how many turns it takes to the target.

One turn is exact, several are nearly; the number of turns comes from the tables, nearly, for whatever is solved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Final

from dicehall.coach.advise import worth
from dicehall.coach.ends.ways import Lanes, Results, added_up, from_ways
from dicehall.coach.worths.farkle_books import find_table
from dicehall.coach.worths.farkle_target import place_of
from dicehall.errors import InvalidOption
from dicehall.rules.catalog import FARKLE
from dicehall.rules.farkle_contest import contest_of
from dicehall.rules.farkle_scoring import USUAL_STEP, Options, Scoring, keep_points, keeps, scoring
from dicehall.rules.farkle_state import ROLLED, SELECTION, State
from dicehall.rules.game import outcomes

TURNS_ERROR: Final = Fraction(1, 10**8)  # of any share of the runs: each number of turns is off by 2^-33 at most
FINE: Final = 64  # bits behind the point, where turns are added up
MOST_TURNS: Final = 20  # adding up more takes seconds,
LEAST_STEP: Final = 10  # or counting points in smaller steps


def turns_results(options: Options, objective: str) -> Results:
    contest = contest_of(options, 1)
    ways = find_table("ends", contest).row(place_of(contest, options))
    if not any(ways):
        raise InvalidOption("objective", "with such a minimum a run takes too many turns to tell them apart")
    return from_ways(dict(enumerate(ways)), TURNS_ERROR)


def points_results(options: Options, objective: str) -> Results:
    turns, step = options.max_turns, scoring(options).step
    if not turns:
        raise InvalidOption("objective", "how many turns are played depends on how they go, so nothing is added up")
    if turns > MOST_TURNS:
        raise InvalidOption("objective", f"at most {MOST_TURNS} turns of Farkle are added up")
    if step < LEAST_STEP:
        raise InvalidOption("objective", f"results are known where all groups are worth multiples of {LEAST_STEP}")
    boarding = options.board_minimum > options.bank_minimum
    one = boarding_turn(options, objective, 0) if boarding and turns == 1 else farkle_turn(options)
    if turns == 1:
        whole = lcm(*[chance.denominator for chance in one.values()])
        return from_ways({points: int(chance * whole) for points, chance in one.items()})
    fine = _fine(one, step)
    if boarding:
        total = _with_boarding([_fine(boarding_turn(options, objective, later), step) for later in range(turns)], fine)
    else:
        total = added_up(fine, turns)
    error = Fraction(2 * turns * len(fine), 1 << FINE)  # each chance of each turn lost less than a unit
    return from_ways({step * steps: ways for steps, ways in total.items()}, error)


def _fine(turn: dict[int, Fraction], step: int) -> dict[int, int]:
    return {points // step: int(chance * (1 << FINE)) for points, chance in turn.items()}


def _with_boarding(boarding: list[dict[int, int]], usual: dict[int, int]) -> dict[int, int]:
    """A seat that gets on the board has its points and as many usual turns as are left; else it tries again."""
    lanes = Lanes(1 << FINE * len(boarding))
    later = total = 1  # of no turns: nothing, in one way
    for turn in boarding:
        missed = turn.pop(0)
        total = lanes.pack(turn) * later + missed * total
        later *= lanes.pack(usual)
    return lanes.unpack(total)


def farkle_turn(options: Options) -> dict[int, Fraction]:
    """One turn played perfectly for its points, by a seat that is on the board: the chance of each number of them."""
    value = worth(FARKLE, options, 1, "turn")
    return _turn(State(options, (USUAL_STEP,)), value, options.bank_minimum, Fraction)


def boarding_turn(options: Options, objective: str, later: int) -> dict[int, Fraction]:
    """The same for a seat that is not, with so many turns to come; in an arcade these count too."""
    value = worth(FARKLE, options, 1, "turn")
    if objective == "turn":
        return _turn(State(options, (0,)), value, options.board_minimum, Fraction)
    mean, begin = value(State(options, (USUAL_STEP,))), State(options, (0,), round=options.max_turns - later)
    return _turn(begin, worth(FARKLE, options, 1, "arcade"), options.board_minimum, lambda pile: pile + later * mean)


def _turn(
    begin: State, value: Callable[[State], Fraction], least: int, bank: Callable[[int], Fraction]
) -> dict[int, Fraction]:
    """From the begin of a turn in which at least so much may be banked, and that is worth so much."""
    options = begin.options
    rolls = {dice: _choices(dice, scoring(options), options.hot_dice) for dice in range(1, 7)}

    @cache
    def kept(pile: int, dice: int) -> Fraction:
        return value(turn_position(begin, pile, dice, SELECTION))

    def banks(pile: int, dice: int) -> bool:
        allowed = pile and (not dice or pile >= least)
        return bool(allowed and (not dice or value(turn_position(begin, pile, dice, ROLLED)) < bank(pile)))

    reached, ends = {(0, 6): Fraction(1)}, {0: Fraction(0)}
    while reached:
        pile, dice = min(reached)  # piles only grow, so nothing comes back to the least
        chance = reached.pop((pile, dice))
        if banks(pile, dice):
            ends[pile] = ends.get(pile, Fraction(0)) + chance
            continue
        then: Counter[tuple[int, int]] = Counter()
        for choices, orders in rolls[dice]:
            if choices:
                then[max([(pile + points, left) for points, left in choices], key=lambda at: kept(*at))] += orders
            else:
                ends[0] += chance * Fraction(orders, 6**dice)
        for at, orders in then.items():
            reached[at] = reached.get(at, Fraction(0)) + chance * Fraction(orders, 6**dice)
    return ends


def turn_position(begin: State, pile: int, dice: int, phase: str) -> State:
    """Later in a turn, with so many dice left or (ROLLED) in the air."""
    kept = tuple([place >= dice for place in range(6)])
    return begin._replace(pile=pile, kept=kept, phase=phase, chosen=phase == SELECTION)


def _choices(dice: int, rules: Scoring, hot_dice: bool) -> list[tuple[tuple[tuple[int, int], ...], int]]:
    """What can be kept of so many dice: for rolls that offer the same, the points with the dice they leave, in the
    order in which the game lists them; and in how many orders they fall. Fewer points for as many dice left are out."""
    classes: Counter[tuple[tuple[int, int], ...]] = Counter()
    for roll, orders in outcomes(dice):
        most: dict[int, int] = {}  # by dice left
        for keep in keeps(roll, rules):  # most points first
            most.setdefault(dice - len("".join(keep)) or (6 if hot_dice else 0), keep_points(keep, rules))
        classes[tuple((points, left) for left, points in most.items())] += orders
    return list(classes.items())
