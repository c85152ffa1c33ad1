"""Several rounds of Shut the Box: against the literal rules, and what must be so."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dicehall.coach.lanes import Lanes
from dicehall.rules.shut_the_box import Options, State, start
from dicehall.rules.shut_the_box_tiles import all_tiles
from tests.coach.asked import box
from tests.coach.shut_the_box.twin import Twin, agrees
from tests.soak import times

RUNS: dict[str, dict[str, Any]] = {
    "three rounds": {"goal": 9, "rounds": 3},
    "best of three": {"goal": 2, "rounds": 3, "per_round_scoring": False},
    "instant": {"goal": 6, "instant": True},
    "instant without a goal": {"goal": 0, "instant": True, "mulligan": True},
    "best round, instant": {"goal": 1, "per_round_scoring": False, "instant": True},
    "digital": {"goal": 50, "variant": "digitalScore", "one_die": "forced"},
    "missionary": {"goal": 3, "scoring": "missionary", "difficulty": "hard"},
    "threshold": {"mode": "threshold", "threshold": 4, "mulligan": True},
}


@pytest.mark.usefixtures("few_tiles")
@pytest.mark.parametrize("rules", RUNS.values(), ids=RUNS)
def test_several_rounds_are_worth_what_the_literal_rules_say(rules: dict[str, Any]) -> None:
    options = Options(**{"rounds": 2, **rules})
    twin = Twin("win", "total<=0", "total<=5", "total<=12", "total<=400")
    for lead in (0, 4):  # a run may also be set up with points
        twin.values(State(options, all_tiles(options), (lead,)))
    agrees(twin, options, times(300, 3000))


def test_more_is_never_less() -> None:
    for options in (Options(), Options(mulligan=True, instant=True), Options(scoring="missionary")):
        for name in ("golf", "total"):
            chances = [
                box.values(options, 1, f"{name}<={limit}")(start(options, 1)) for limit in range(0, 60, times(15, 5))
            ]
            assert chances == sorted(chances)
            assert 0 <= chances[0] < chances[1]
    assert box.values(Options(), 1, "golf<=45")(start(Options(), 1)) == 1
    assert box.values(Options(), 1, "total<=225")(start(Options(), 1)) == 1
    assert box.values(Options(), 1, "total<=224")(start(Options(), 1)) == 1  # the first roll always fits


def test_rounds_that_do_not_add_up() -> None:
    """Only the best of five counts: one good round is enough, and each has the same chance."""
    options, chance = Options(per_round_scoring=False, goal=3), box.values(Options(), 1, "golf<=3")(start(Options(), 1))
    assert box.values(options, 1, "win")(start(options, 1)) == 1 - (1 - chance) ** 5


def test_lanes_find_the_greater_of_each_pair() -> None:
    random = Random("lanes")
    for _ in range(200):
        highest, count = random.randrange(1, 2 ** random.randrange(1, 200)), random.randrange(1, 9)
        lanes = Lanes(count, highest)
        rows = [[random.choice((0, highest, random.randint(0, highest))) for _ in range(count)] for _ in range(4)]
        packed = [lanes.pack(row) for row in rows]
        assert [lanes.unpack(number) for number in packed] == rows
        assert lanes.unpack(lanes.best(packed)) == [max(values) for values in zip(*rows, strict=True)]
        assert lanes.unpack((5 * packed[0] + 31 * packed[0]) // 36) == rows[0]  # although lanes overflow on the way
