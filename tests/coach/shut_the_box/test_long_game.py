"""The long game of Shut the Box: against the literal rules, and in every variant."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from dicehall.coach.shut_the_box import long_game
from dicehall.rules.catalog import SHUT_THE_BOX
from dicehall.rules.shut_the_box import Options, State, start
from dicehall.rules.shut_the_box_tiles import all_tiles
from tests.coach.asked import box
from tests.coach.shut_the_box.twin import Floats, obeys_the_equations
from tests.soak import SOAKING, times
from tests.walks import random_walk


@pytest.mark.usefixtures("few_tiles")
@pytest.mark.parametrize("rules", [{}, {"mulligan": True}, {"one_die": "forced", "difficulty": "hard"}])
def test_the_long_game_is_worth_what_the_literal_rules_say(rules: dict[str, Any]) -> None:
    options = Options(**rules, mode="long")
    value, twin, tiles = box.values(options, 1, "turns"), Floats("turns", last_round=times(60, 300)), all_tiles(options)
    for turn in reversed(range(1, twin.last_round + 1)):  # from the end, so that no walk is deep
        for size in range(len(tiles) + 1):
            for standing in combinations(tiles, size):
                if standing or turn % 2 == 0:
                    twin.values(State(options, standing, (0,), round=turn, opening=turn % 2 == 0))
    for state, (slow,) in twin.known.items():
        if state.round < 3:
            assert value(state) == pytest.approx(slow, rel=times(10**4, 10**9) ** -1), state


LONG_GAMES = [
    {"variant": variant, "one_die": one_die, "difficulty": difficulty, "mulligan": mulligan, "tiles": tiles}
    for tiles in (9, 12)
    for variant in ("standard", "alwaysSumDuo")
    for one_die in ("high-shut", "sum-6", "never", "forced")
    for difficulty in ("standard", "hard")
    for mulligan in (False, True)
    if (tiles, variant) != (12, "alwaysSumDuo")
]


@pytest.mark.parametrize("rules", LONG_GAMES if SOAKING else LONG_GAMES[:32:7])
def test_every_long_game_comes_to_a_solution(rules: dict[str, Any]) -> None:
    options, random = Options(**rules, mode="long"), Random("long")
    states = [state for _, _, state in random_walk(SHUT_THE_BOX, random, start(options, 1))]
    for state in [start(options, 1), *random.sample(states, min(20, len(states))), states[-1]]:
        obeys_the_equations(state, options, 1, "turns")


def test_sweeps_that_all_changed_alike_cannot_be_mixed() -> None:
    found, change = [5, 7, 9], [1, 2, 3]
    assert long_game._mixed([(found, change)]) == long_game._mixed([(found, change)] * 3) == found
