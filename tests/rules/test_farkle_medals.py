"""Medals and published figures of one Farkle turn, against the exact distribution."""

from __future__ import annotations

from itertools import pairwise

import pytest

from dicehall.rules.farkle_medals import MEDALS, medal, medals
from dicehall.rules.farkle_scoring import Options, Scoring
from tests.oracles import farkle_turns
from tests.soak import SOAKING

ARCADE = Options(max_turns=10)


@pytest.mark.parametrize("rules", MEDALS)
def test_medals_are_what_the_distribution_says(rules: Scoring) -> None:
    some = range(1, 21) if SOAKING else (1, 3, 10)
    assert [tuple(farkle_turns.medals(turns, rules).values()) for turns in some] == [
        MEDALS[rules][turns - 1] for turns in some
    ]


@pytest.mark.parametrize("rules", MEDALS)
def test_more_turns_take_more_points(rules: Scoring) -> None:
    assert len(MEDALS[rules]) == 20
    for fewer, more in pairwise(MEDALS[rules]):
        assert all(one < other for one, other in zip(fewer, more, strict=True))


def test_a_turn_is_worth_what_others_have_found() -> None:
    """548.858 points a turn with straights at 1500 and three different pairs at 750 (P. McKenna)."""
    chances = farkle_turns.turn(Scoring(straight=1500, three_pairs=750))
    assert abs(sum(chances) - 1) < 1e-12
    assert abs(sum(points * 50 * chance for points, chance in enumerate(chances)) - 548.858) < 0.0005


def test_medals_are_awarded_by_score() -> None:
    assert [medal(ARCADE, score) for score in (0, 4700, 4750, 5950, 7250, 20_000)] == [
        None, None, "bronze", "silver", "gold", "gold",
    ]  # fmt: skip


def test_options_nobody_has_calibrated_have_no_medals() -> None:
    for options in (
        Options(),
        Options(max_turns=21),
        Options(max_turns=10, hot_dice=False),
        Options(max_turns=10, bank_minimum=300),
    ):
        assert medals(options) == {}
        assert medal(options, 10_000) is None
