"""What perfect play of Shut the Box ends with: against the literal rules, the worths, and adding up by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import accumulate, product
from typing import Any

import pytest

from dicehall.coach.advise import values
from dicehall.coach.distribution import CELLS
from dicehall.coach.shut_the_box import distribution as ends
from dicehall.coach.shut_the_box.coach import DIGITAL
from dicehall.rules.catalog import SHUT_THE_BOX
from dicehall.rules.game import DICE, NOBODY, outcomes
from dicehall.rules.shut_the_box import Options, State, actor, after, dice_to_roll, legal, result, rolled, start
from tests.coach.shares import Shares, by_hand, known, literal_ends, mean
from tests.soak import SOAKING, times


def table_of(state: State) -> Any:
    return state.open, state.dice, state.to_roll, state.mulligan_used, state.over


BOXES: list[dict[str, Any]] = [
    {"difficulty": "hard"},
    {"mulligan": True, "one_die": "sum-6", "difficulty": "hard", "scoring": "missionary"},
    {"variant": "alwaysSumDuo", "mulligan": True},
    {"variant": "digitalScore", "difficulty": "hard", "one_die": "never"},
]
LONGER_BOXES: list[dict[str, Any]] = [
    {},
    {"mulligan": True, "scoring": "missionary"},
    {"one_die": "forced"},
    {"one_die": "sum-6", "scoring": "digital"},
]


@pytest.mark.parametrize("chosen", BOXES + LONGER_BOXES if SOAKING else BOXES + LONGER_BOXES[:1], ids=str)
def test_a_round_ends_as_the_literal_rules_say(chosen: dict[str, Any]) -> None:
    state = SHUT_THE_BOX.begin({"rounds": 1, **chosen})
    assert known("shut-the-box", {"rounds": 1, **chosen}, state.options.scored_by).shares == literal_ends(
        SHUT_THE_BOX, state, table_of, min, {}
    )


@pytest.mark.parametrize("objective", ["golf", "digital", "missionary"])
@pytest.mark.parametrize("chosen", [{}, {"tiles": 12}, {"one_die": "forced", "mulligan": True}], ids=str)
def test_a_round_has_the_mean_that_is_promised(chosen: dict[str, Any], objective: str) -> None:
    state = SHUT_THE_BOX.begin({"mode": "threshold", **chosen})
    found = known("shut-the-box", {"mode": "threshold", **chosen}, objective)
    assert found.mean == values(SHUT_THE_BOX, state.options, 1, objective)(state)


def test_rounds_are_added_up() -> None:
    one = known("shut-the-box", {"rounds": 1}, "golf").shares
    for rounds in (2, 3):
        assert known("shut-the-box", {"rounds": rounds}, "golf").shares == by_hand(one, rounds)
    five = known("shut-the-box", {}, "golf")
    assert five.mean == 5 * mean(one)
    assert known("shut-the-box", {}, "golf", seats=3) == five, "each seat plays its own rounds"


def literal_runs(options: Options, objective: str, rounds: int) -> Shares:
    """The twin for runs that may last for ever: round by round through the literal rules, along the best moves; those
    that last longer are left out."""
    value = values(SHUT_THE_BOX, options, 1, objective)
    chosen: dict[State, State] = {}
    reached = {start(options, 1): Fraction(1)}
    over: Shares = {}
    while reached:
        later: dict[State, Fraction] = {}
        for state, share in reached.items():
            if actor(state) == NOBODY:
                score = result(state).scores[0]
                over[score] = over.get(score, Fraction(0)) + share
            elif state.round > rounds:
                continue
            elif actor(state) == DICE:
                dice = dice_to_roll(state)
                for roll, ways in outcomes(dice):
                    now = rolled(state, roll)
                    later[now] = later.get(now, Fraction(0)) + Fraction(ways, 6**dice) * share
            else:
                if state not in chosen:
                    better = min if objective == "turns" else max
                    chosen[state] = better([after(state, move) for move in legal(state)], key=value)
                now = chosen[state]
                later[now] = later.get(now, Fraction(0)) + share
        reached = later
    return over


@pytest.mark.usefixtures("few_tiles")
@pytest.mark.parametrize(
    "chosen", [{}, {"instant": True}, {"mulligan": True, "one_die": "forced"}, {"difficulty": "hard"}], ids=str
)
def test_a_tournament_ends_as_the_literal_rules_say(chosen: dict[str, Any]) -> None:
    options = Options(**chosen, variant="tournament45out")
    agree(options, "rounds", times(3, 8))


@pytest.mark.usefixtures("few_tiles")
@pytest.mark.parametrize(
    "chosen", [{}, {"mulligan": True}, {"mulligan": True, "one_die": "forced"}, {"difficulty": "hard"}], ids=str
)
def test_a_long_game_ends_as_the_literal_rules_say(chosen: dict[str, Any]) -> None:
    agree(Options(**chosen, mode="long"), "turns", times(5, 12))


def agree(options: Options, objective: str, rounds: int) -> None:
    found, expected = known("shut-the-box", options.changed(), objective), literal_runs(options, objective, rounds)
    assert len(expected) >= rounds
    for score in range(rounds):  # those are all there
        assert abs(Fraction(found.ways.get(score, 0), found.of) - expected.get(score, 0)) <= found.error, score
    assert 0 < found.error < Fraction(1, 10**10)


@pytest.mark.parametrize(
    ("chosen", "objective"),
    [
        ({"variant": "tournament45out"}, "rounds"),
        ({"variant": "tournament45out", "instant": True, "mulligan": True}, "rounds"),
        ({"variant": "tournament45out", "tiles": 12, "difficulty": "hard"}, "rounds"),
        ({"mode": "long"}, "turns"),
        ({"mode": "long", "mulligan": True, "one_die": "never"}, "turns"),
    ],
    ids=str,
)
def test_a_run_without_a_last_round_has_the_mean_that_is_promised(chosen: dict[str, Any], objective: str) -> None:
    state, found = SHUT_THE_BOX.begin(chosen), known("shut-the-box", chosen, objective)
    promised = values(SHUT_THE_BOX, state.options, 1, objective)(state)
    assert abs(found.mean - promised) < found.error * max(found.ways) + Fraction(promised, 2**39)
    assert found.error < Fraction(1, 10**9)


@pytest.mark.parametrize(("tiles", "rounds"), [(9, 2), (9, 3), (12, 2)])
def test_a_place_among_digital_totals(tiles: int, rounds: int) -> None:
    """Against all totals, one by one."""
    options = Options(tiles=tiles, rounds=rounds, variant="digitalScore", difficulty="hard")
    one = ends.round_ways(options, DIGITAL)
    of = sum(one.values())
    likely = {score: ways for score, ways in one.items() if ways * 1000 > of}
    rest = 1 - Fraction(sum(likely.values()), of)  # too rare to matter, and too many to go through
    added = {0: 1}
    for _ in range(rounds):
        longer = Counter[int]()
        for (total, ways), (score, more) in product(added.items(), likely.items()):
            longer[total + score] += ways * more
        added = longer
    totals = sorted((total, ways / of**rounds) for total, ways in added.items())
    below = accumulate([share for _, share in totals], initial=0.0)
    asked = [(total, lower + share / 2) for (total, share), lower in zip(totals, below, strict=False)]
    for total, expected in asked[:: max(len(totals) // times(40, 400), 1)]:
        place, error = ends.total_place(options, DIGITAL, total)
        assert abs(float(place) - expected) <= error + rounds * rest + 1e-9, total
        assert error < Fraction(1, 100)
    assert totals[0][0] < CELLS
    assert ends.total_place(options, DIGITAL, totals[0][0])[1] < Fraction(1, 10**9), "small totals are all told apart"
