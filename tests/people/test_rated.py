"""Which games are rated, and which are not, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest

from dicehall.people.glicko import DAY_MS, POOLS
from dicehall.people.rated import (
    LEAST_MOVES,
    MOST_A_DAY,
    Played,
    WhyNot,
    day_of,
    pair_of,
    pool_of,
    why_not_rated,
)

GAME = Played(True, "farkle", ("anna", "bert"), ("10.0.0", "10.0.1"), (2, 2), False, None, 0)
CASES: list[tuple[dict[str, Any], WhyNot | None]] = [
    ({}, None),
    ({"rated": False}, "unrated"),
    ({"pool": None}, "pool"),
    ({"pool": "lite-solo"}, "pool"),
    ({"players": ("anna", "bert", "carl")}, "pool"),
    ({"players": ("anna", None)}, "house"),
    ({"players": (None, "bert")}, "house"),
    ({"players": ("anna", "anna")}, "same-player"),
    ({"networks": ("10.0.0", "10.0.0")}, "same-network"),
    ({"networks": (None, None)}, "same-network"),  # nobody knows
    ({"networks": ("10.0.0", None)}, "same-network"),
    ({"ended": True}, "ended"),
    ({"gone": 0, "moves": (0, LEAST_MOVES - 1)}, "hardly-begun"),
    ({"gone": 1, "moves": (LEAST_MOVES - 1, 0)}, "hardly-begun"),
    ({"gone": 0, "moves": (0, LEAST_MOVES)}, None),  # who has seen the other play cannot go for nothing
    ({"gone": 0, "moves": (1, 0)}, None),  # nor can who has moved
    ({"gone": 1, "moves": (0, 1)}, None),
    ({"moves": (0, 0)}, None),  # it was played to its end
    ({"earlier_today": MOST_A_DAY - 1}, None),
    ({"earlier_today": MOST_A_DAY}, "often"),
    # of several reasons the first
    ({"rated": False, "pool": None, "players": (None, None), "ended": True}, "unrated"),
    ({"players": ("anna", "anna"), "networks": ("10.0.0", "10.0.0"), "gone": 0, "moves": (0, 0)}, "same-player"),
    ({"ended": True, "gone": 0, "moves": (0, 0), "earlier_today": 99}, "ended"),
]


@pytest.mark.parametrize(("changed", "why"), CASES)
def test_why_a_game_is_not_rated(changed: dict[str, Any], why: WhyNot | None) -> None:
    assert why_not_rated(replace(GAME, **changed)) == why


def test_every_reason_is_tried() -> None:
    assert {why for _, why in CASES} == {*get_args(WhyNot), None}


def test_ten_games_a_day_between_the_same_two() -> None:
    rated = [why_not_rated(replace(GAME, earlier_today=earlier)) is None for earlier in range(20)]
    assert rated == [True] * 10 + [False] * 10


def test_the_same_two_whoever_sat_where() -> None:
    assert pair_of("bert", "anna") == pair_of("anna", "bert") == ("anna", "bert")


def test_a_day_begins_at_midnight_utc() -> None:
    assert day_of(0) == day_of(DAY_MS - 1) == 0
    assert day_of(DAY_MS) == 1
    assert day_of(1_792_195_199_999) + 1 == day_of(1_792_195_200_000)  # 16 to 17 October 2026


def test_pools_are_games_with_their_usual_rules_between_two() -> None:
    assert {game: pool_of(game, {}, 2) for game in POOLS} == {game: game for game in POOLS}
    assert pool_of("farkle", {"target": 5000}, 2) is None
    assert pool_of("farkle", {}, 3) is None
    assert pool_of("lite-solo", {}, 1) is None
    assert pool_of("a-game-of-another-package", {}, 2) is None
