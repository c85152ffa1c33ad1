"""Goals of Shut the Box, alone: those of the rules for its own game, and for every other variant ones that fit it."""

from __future__ import annotations

import doctest
from fractions import Fraction
from typing import Any

import pytest

from dicehall.coach.percentile import find_distribution
from dicehall.coach.shut_the_box import goals
from dicehall.coach.shut_the_box.coach import TOTAL_AT_MOST, targets, values
from dicehall.coach.targets import CALIBRATED
from dicehall.rules.catalog import SHUT_THE_BOX

VARIANTS: list[dict[str, Any]] = [
    {}, {"mulligan": True}, {"difficulty": "hard"}, {"variant": "alwaysSumDuo"}, {"variant": "missionaryCount"},
    {"one_die": "never"}, {"rounds": 2}, {"rounds": 10},
]  # fmt: skip


@pytest.mark.parametrize("chosen", VARIANTS, ids=str)
def test_a_calibrated_goal_is_as_likely_as_its_name_says(chosen: dict[str, Any]) -> None:
    """The lowest total that perfect play stays within at least once in 2, 10 and 100 runs; one point less is rarer."""
    options = SHUT_THE_BOX.make_options(chosen)
    shares = find_distribution(SHUT_THE_BOX, options, 1, options.scored_by).shares
    found = {one.name: one for one in targets(options) if one.calibrated}
    assert list(found) == list(CALIBRATED)
    for name, once_in in (("even", 2), ("bold", 10), ("dream", 100)):
        goal = found[name].target
        within = sum((share for total, share in shares.items() if total <= goal), Fraction(0))
        assert within - shares.get(goal, 0) < Fraction(1, once_in) <= within
        assert abs(Fraction(found[name].ways, found[name].of) - within) < Fraction(1, 10**8)
        assert within <= values(options, 1, TOTAL_AT_MOST.with_limit(goal))(SHUT_THE_BOX.begin(options))


def test_the_goals_of_the_rules_are_those_of_its_own_game() -> None:
    of_the_rules = [one for one in targets(SHUT_THE_BOX.make_options({"goal": 7})) if not one.calibrated]
    assert [(one.name, one.target) for one in of_the_rules] == [
        ("none", 0), ("classic", 45), ("strict", 40), ("own", 7),
    ]  # fmt: skip
    for one in of_the_rules[1:3]:
        won = values(SHUT_THE_BOX.make_options({}), 1, TOTAL_AT_MOST.with_limit(one.target))(SHUT_THE_BOX.begin({}))
        assert abs(Fraction(one.ways, one.of) - won) < Fraction(1, 10**8)


def test_a_goal_of_ones_own_is_as_likely_as_the_totals_say() -> None:
    options = SHUT_THE_BOX.make_options({"rounds": 1, "goal": 5})
    shares = find_distribution(SHUT_THE_BOX, options, 1, options.scored_by).shares
    (own,) = [one for one in targets(options) if one.name == "own"]
    assert (own.target, own.calibrated) == (5, False)
    within = sum(share for total, share in shares.items() if total <= 5)
    assert abs(Fraction(own.ways, own.of) - within) < Fraction(1, 10**8)


@pytest.mark.parametrize("preset", ["easy", "hard", "twelve"])
def test_presets_of_other_variants_have_an_even_goal(preset: str) -> None:
    options = SHUT_THE_BOX.make_options({"preset": preset})
    assert options.goal == next(one.target for one in targets(options) if one.name == "even")


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        ({"mode": "threshold"}, []),
        ({"mode": "long"}, []),
        ({"variant": "tournament45out"}, []),
        ({"scoring": "digital"}, ["none"]),  # too many totals
        ({"instant": True}, ["none"]),
        ({"per_round_scoring": False}, ["none"]),
        (
            {"rounds": 1, "goal": 0},
            ["none", "even", "bold"],
        ),  # once in ten runs the box is shut, and 0 would be no goal
    ],
    ids=str,
)
def test_where_there_is_nothing_to_set(chosen: dict[str, Any], names: list[str]) -> None:
    assert [one.name for one in targets(SHUT_THE_BOX.make_options(chosen))] == names


def test_the_example_in_the_module() -> None:
    assert doctest.testmod(goals) == (0, 5)
