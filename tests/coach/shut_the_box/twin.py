"""Shut the Box for tests: a slow twin that walks the literal rules, and the equations of perfect play."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from dicehall.coach.percentile import find_distribution
from dicehall.coach.shut_the_box import long_game, one_round, totals, tournament
from dicehall.rules.game import DICE, NOBODY, outcomes
from dicehall.rules.shut_the_box import Options, State, actor, after, dice_to_roll, legal, result, rolled, start
from dicehall.rules.shut_the_box_tiles import round_score
from tests.coach.asked import box

ROUND_OBJECTIVES = ("golf", "digital", "missionary", "shut", "golf<=3", "golf<=12", "golf<=25")


RULES: dict[str, dict[str, Any]] = {
    "standard": {},
    "mulligan": {"mulligan": True},
    "hard": {"difficulty": "hard"},
    "duo": {"variant": "alwaysSumDuo"},
    "sum-6": {"one_die": "sum-6"},
    "never": {"one_die": "never"},
    "forced": {"one_die": "forced", "mulligan": True},
    "forced-hard-duo": {"one_die": "forced", "difficulty": "hard", "variant": "alwaysSumDuo"},
}


every_rule = pytest.mark.parametrize("rules", RULES.values(), ids=RULES)


def forget() -> None:
    for solved in (
        one_round._box, one_round._round, totals._once_values, totals._sum_values,
        tournament._values, tournament.round_ends, long_game.solve_turns, find_distribution,
    ):  # fmt: skip
        solved.cache_clear()


def ending(state: State, objective: str) -> Fraction:
    """What a run that is over has come to."""
    if objective in ("golf", "digital", "missionary"):
        return Fraction(round_score(state.open, objective))
    if objective in ("rounds", "turns"):
        return Fraction(result(state).scores[0])
    if objective == "win":
        return Fraction(result(state).winners == (0,))
    name, _, limit = objective.partition("<=")
    return Fraction(
        {"shut": sum(state.open), "golf": sum(state.open), "total": state.totals[0]}[name] <= int(limit or 0)
    )


class Twin:
    """Slow and obvious: every roll and every move of the literal rules, for several objectives at once.

    A run that never has to end is broken off after `last_round`: what is worth more the longer it lasts is too low.
    """

    def __init__(self, *objectives: str, last_round: int = 1000) -> None:
        self.objectives, self.last_round = objectives, last_round
        self.known: dict[State, list[Fraction]] = {}

    def values(self, state: State) -> list[Fraction]:
        if state not in self.known:
            self.known[state] = self._walk(state)
        return self.known[state]

    def _walk(self, state: State) -> list[Fraction]:
        who = actor(state)
        if who == NOBODY:
            return [ending(state, objective) for objective in self.objectives]
        if state.round > self.last_round:
            return [Fraction(self.last_round)] * len(self.objectives)
        if who == DICE:
            dice = dice_to_roll(state)
            rolls = [(self.values(rolled(state, roll)), ways) for roll, ways in outcomes(dice)]
            return [
                sum((Fraction(values[at] * ways) for values, ways in rolls), Fraction(0)) / 6**dice
                for at in range(len(self.objectives))
            ]
        moves = zip(*[self.values(after(state, move)) for move in legal(state)], strict=True)
        return [best(objective)(values) for objective, values in zip(self.objectives, moves, strict=True)]


class Floats(Twin):
    """The same twin in floats: fractions of a hundred turns have thousands of digits."""

    def _walk(self, state: State) -> Any:
        return [float(value) for value in super()._walk(state)]


def best(objective: str) -> Callable[..., Any]:
    return min if box.objective(objective).lower_is_better else max


def agrees(twin: Twin, options: Options, sample: int = 10**9) -> None:
    """Every position that the twin walked through, or some of them, is worth what it says."""
    states = list(twin.known)
    for state in Random("box").sample(states, min(sample, len(states))):
        for objective, value in zip(twin.objectives, twin.known[state], strict=True):
            assert box.values(options, 1, objective)(state) == value, (objective, state)


def obeys_the_equations(state: State, options: Options, seats: int, objective: str) -> None:
    value, seen = box.values(options, seats, objective)(state), box.step_values(options, seats, objective)
    if actor(state) == NOBODY:
        expected = ending(state, objective)
    elif actor(state) == DICE:
        dice = dice_to_roll(state)
        expected = sum(
            (Fraction(seen(state, rolled(state, roll))) * ways for roll, ways in outcomes(dice)), Fraction(0)
        )
        expected /= 6**dice
    else:
        expected = best(objective)([seen(state, after(state, move)) for move in legal(state)])
    close_enough = pytest.approx(float(expected), rel=2**-39)
    assert value == (close_enough if objective == "turns" else expected), (objective, state)


def at_start(options: Options, objective: str) -> float:
    return float(box.values(options, 1, objective)(start(options, 1)))
