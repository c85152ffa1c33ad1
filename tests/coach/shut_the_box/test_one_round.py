"""One round of Shut the Box: against the literal rules and published figures."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dicehall.coach.shut_the_box import one_round
from dicehall.rules import shut_the_box_tiles
from dicehall.rules.catalog import SHUT_THE_BOX
from dicehall.rules.shut_the_box import Options, State, start
from tests.coach.asked import box
from tests.coach.shut_the_box.twin import ROUND_OBJECTIVES, Twin, agrees, at_start, every_rule, obeys_the_equations
from tests.soak import SOAKING, times
from tests.walks import random_walk


@every_rule
def test_a_round_is_worth_what_the_literal_rules_say(rules: dict[str, Any]) -> None:
    options = Options(**rules, rounds=1, goal=7)
    twin = Twin(*ROUND_OBJECTIVES, "total<=10", "total<=99", "win")
    first = twin.values(start(options, 1))
    assert first == [box.values(options, 1, objective)(start(options, 1)) for objective in twin.objectives]
    agrees(twin, options, times(300, 10**9))


@pytest.mark.skipif(not SOAKING, reason="takes a minute")
def test_a_round_with_twelve_tiles_is_worth_what_the_literal_rules_say() -> None:
    options = Options(tiles=12, mode="threshold")
    twin = Twin(*ROUND_OBJECTIVES, "win")
    twin.values(start(options, 1))
    agrees(twin, options, 10_000)


def test_late_positions_with_twelve_tiles_are_worth_what_the_literal_rules_say() -> None:
    options, random = Options(tiles=12, mode="threshold", mulligan=True), Random("twelve")
    twin = Twin(*ROUND_OBJECTIVES, "win", "total<=20")
    for _ in range(times(10, 100)):
        tiles = tuple(sorted(random.sample(range(1, 13), random.randint(1, 6))))
        twin.values(State(options, tiles, (random.randrange(10),)))
    agrees(twin, options, 500)


@pytest.mark.parametrize("objective", [*ROUND_OBJECTIVES, "total<=150", "win"])
def test_positions_with_twelve_tiles_obey_the_equations(objective: str) -> None:
    random, options = Random(f"twelve {objective}"), Options(tiles=12, rounds=3, goal=60)
    states = [state for _, _, state in random_walk(SHUT_THE_BOX, random, start(options, 1))]
    for state in [start(options, 1), *random.sample(states, 8), states[-1]]:
        obeys_the_equations(state, options, 1, objective)


def test_published_figures() -> None:
    """Chances to shut nine tiles: Durango Bill, http://www.durangobill.com/ShutTheBoxExtra/STBstats.txt.

    Expected golf score with two dice always: https://github.com/sabasallath/shut_the_box_analysis.
    """
    two_dice, one_die_at_6 = Options(one_die="never"), Options(one_die="sum-6")
    assert round(100 * at_start(two_dice, "shut"), 4) == 7.1432
    assert round(100 * at_start(one_die_at_6, "shut"), 4) == 9.7614
    assert round(100 * at_start(Options(difficulty="hard"), "shut"), 4) == 7.4194  # no more than two tiles a roll
    assert round(at_start(two_dice, "golf"), 4) == 11.1575


@every_rule
def test_a_board_knows_the_moves_of_the_rules(rules: dict[str, Any]) -> None:
    options, random = Options(**rules, tiles=12), Random("moves")
    box = one_round.box_of(options)
    for _ in range(300):
        bits, total = random.randrange(1 << 12), random.randint(1, 12)
        combos = shut_the_box_tiles.legal_combos(box.tiles[bits], (total,), options)
        assert sorted(box.left(bits, total)) == sorted(bits - one_round._bits(combo) for combo in combos)
