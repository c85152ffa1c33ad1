"""The numbers of the charts: against the coach, by hand, and against what is known of these games."""

from __future__ import annotations

import doctest
from fractions import Fraction
from statistics import fmean
from typing import Any

import pytest

from dicehall.coach.advise import advise, recommends, values
from dicehall.coach.chart import LeadWorths
from dicehall.coach.farkle import chart as farkle_chart
from dicehall.coach.farkle.chart import bank_or_roll, least_to_bank
from dicehall.coach.lite_solo.chart import chart_targets
from dicehall.coach.lite_solo.targets import ladder
from dicehall.coach.percentile import find_distribution
from dicehall.coach.protocol import coach_of, read_objective
from dicehall.coach.shut_the_box.chart import tile_costs
from dicehall.errors import InvalidOption
from dicehall.rules.catalog import FARKLE, GAMES, KNUCKLEBONES, LITE_SOLO, LITE_VERSUS, SHUT_THE_BOX, AnyGame
from dicehall.rules.farkle_scoring import farkle_ways, scoring
from dicehall.rules.knucklebones import score_grid
from tests.coach.knucklebones.test_network import EXACT

FARKLES: list[dict[str, Any]] = [{}, {"straight": True, "three_pairs": True}, {"hot_dice": False}]


@pytest.mark.parametrize("chosen", FARKLES, ids=str)
def test_bank_or_roll_is_what_the_coach_advises(chosen: dict[str, Any]) -> None:
    options = FARKLE.make_options(chosen)
    for row in bank_or_roll(options).rows:
        if row.dice < 6:
            kept = "1" * (6 - row.dice)
            for turn_total in (50, row.threshold - 50, row.threshold, row.threshold + 500):
                if turn_total > 0:
                    text = f"50 0 2 {turn_total} [{kept}]{'2' * row.dice} selected -"
                    best, other = advise(FARKLE, FARKLE.rules.read_state(options, text), "turn", 1)
                    assert best.text == ("bank" if turn_total >= row.threshold else "roll"), text
                    if turn_total in row.gains:
                        assert abs(row.gains[turn_total]) == other.loss
        gains = list(row.gains.values())
        assert gains == sorted(gains, reverse=True), "the more there is to lose, the less a roll gains"
        assert all((gain >= 0) == (turn_total < row.threshold) for turn_total, gain in row.gains.items())


def test_one_die_by_hand() -> None:
    """Without hot dice the last die is a one, a five or a farkle: (t + 100) / 6 + (t + 50) / 6 - t."""
    row = bank_or_roll(FARKLE.make_options({"hot_dice": False})).rows[0]
    assert row.gains[50] == Fraction(150 + 100, 6) - 50 < 0
    assert row.threshold == 50
    assert farkle_ways(1, scoring(FARKLE.make_options({}))) == 4


def test_what_may_not_be_banked_is_no_threshold() -> None:
    rows = bank_or_roll(FARKLE.make_options({"bank_minimum": 620})).rows
    assert rows[1].threshold == 650
    assert rows[1].gains[300] > bank_or_roll(FARKLE.make_options({})).rows[1].gains[300] - 300, "but gains are told"


@pytest.mark.parametrize(("minimum", "least"), [(0, 50), (50, 50), (500, 500), (620, 650)])
def test_the_least_that_may_be_banked_is_what_the_rules_allow(minimum: int, least: int) -> None:
    options = FARKLE.make_options({"bank_minimum": minimum, "board_minimum": 1000})
    assert least_to_bank(options) == least, "on the board already"
    for turn_total in (least - 50, least):
        if turn_total:
            state = FARKLE.rules.read_state(options, f"1000 0 2 {turn_total} [111]222 selected -")
            assert ("bank" in [FARKLE.rules.move_text(move) for move in FARKLE.rules.legal(state)]) == (
                turn_total == least
            )


@pytest.mark.parametrize("objective", ["golf", "missionary", "shut", "golf<=12"])
def test_what_a_tile_costs(objective: str) -> None:
    """Shutting it by hand at the start; alone it takes one roll that fits, if it is not more than one die shows."""
    options = SHUT_THE_BOX.make_options({})
    value = values(SHUT_THE_BOX, options, 1, objective)
    rows = tile_costs(options, read_objective(SHUT_THE_BOX, objective), value).tiles
    assert [row.tile for row in rows] == list(range(1, 10))
    full = value(SHUT_THE_BOX.begin({}))
    for row in rows:
        without = "".join("." if tile == row.tile else str(tile) for tile in range(1, 10))
        then = value(SHUT_THE_BOX.rules.read_state(options, f"{without} - 0 1 0 - -"))
        assert row.costs == (full - then if objective in ("golf", "missionary") else then - full)
    alone = {row.tile: row.alone for row in rows}
    if objective == "shut":
        assert alone == {**dict.fromkeys(range(1, 8), Fraction(1, 6)), 8: Fraction(5, 36), 9: Fraction(4, 36)}
    if objective == "golf":
        assert alone[9] == 9 * (1 - Fraction(4, 36))
        assert rows[0].costs < 0 < rows[-1].costs, "a low tile helps, a high one hurts"


def test_scores_with_their_targets() -> None:
    options = LITE_SOLO.make_options({"target": 77})
    scores = find_distribution(LITE_SOLO, options, 1, "score")
    assert sum(scores.shares.values()) == 1
    found = chart_targets(options, scores)
    assert [(mark.name, mark.target) for mark in found] == [
        ("even", 65), ("own", 77), ("bronze", 90), ("dream", 111),
    ]  # fmt: skip
    named = {one.target: one.name for one in coach_of(LITE_SOLO).targets(options)}
    assert all(mark.name == named[mark.target] for mark in found), "as on the game's page"
    for mark in found:
        assert mark.share == sum(share for score, share in scores.shares.items() if score >= mark.target)
        assert mark.share <= mark.best == values(LITE_SOLO, options, 1, f"target:{mark.target}")(LITE_SOLO.begin())
    usual = LITE_SOLO.make_options({})
    assert [mark.target for mark in chart_targets(usual, scores)] == [rung.target for rung in ladder(usual)]


def test_what_a_lead_is_worth() -> None:
    """Against other positions of perfect play, each with its exact value; and the further ahead, the better."""
    chart = coach_of(KNUCKLEBONES).chart(KNUCKLEBONES.make_options({}), None)
    assert isinstance(chart, LeadWorths)
    assert str(chart.objective) == "win"
    rows = {row.dice: row.chances for row in chart.rows}
    for dice, chances in rows.items():
        by_five = [chance for lead, chance in chances.items() if lead % 5 == 0]
        assert by_five == sorted(by_five)
        assert chances[5] - chances[0] < rows[14][5] - rows[14][0] or dice == 14, "a point counts most in the end"
    off = []
    for text, value, _ in EXACT:
        state = KNUCKLEBONES.rules.read_state(KNUCKLEBONES.make_options({}), text)
        dice = sum(len(column) for grid in state.grids for column in grid)
        mine, theirs = (score_grid(state.grids[seat]) for seat in (state.seat, 1 - state.seat))
        if mine - theirs in rows.get(dice, {}):
            off.append(value - float(rows[dice][mine - theirs]))
    assert len(off) > 80
    assert abs(fmean(off)) < 0.008, "a shift by one point of lead"


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_every_coach_has_a_chart_and_targets_or_says_that_it_has_none(game: AnyGame) -> None:
    coach, options = coach_of(game), game.make_options({})
    assert bool(coach.targets(options)) == (game in (LITE_SOLO, SHUT_THE_BOX))
    if game != LITE_VERSUS:
        assert coach.chart(options, None)
    else:
        with pytest.raises(InvalidOption, match=f"there is no chart of {game.id} yet"):
            coach.chart(options, None)
    assert recommends(game) == (game == FARKLE)


def test_the_example_in_the_module() -> None:
    assert doctest.testmod(farkle_chart) == (0, 1)
