"""How a run compares with what perfect play ends with: simulated runs, percentiles, and what is not known."""

from __future__ import annotations

import doctest
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from dicehall.coach import percentile as module
from dicehall.coach.advise import advise
from dicehall.coach.distribution import Distribution
from dicehall.coach.percentile import Standing, find_distribution, percentile, standing
from dicehall.coach.protocol import read_objective
from dicehall.coach.report import Comparison, report
from dicehall.dice import FACES, ScriptedDice, SeededDice
from dicehall.errors import InvalidOption
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES
from tests.coach.shares import known
from tests.soak import times


def best_run(game_id: str, options: dict[str, Any], objective: str, run: int) -> int:
    table = Table(game_id, options=options, dice=SeededDice(f"results {run}"))
    while not table.is_over:
        table.play(advise(table.game, table.state, objective)[0].move)
    assert table.result is not None
    return table.result.scores[0]


@pytest.mark.parametrize(
    ("game_id", "options", "objective", "runs"),
    [
        ("lite-solo", {"reroll": True}, "score", times(60, 2000)),
        ("shut-the-box", {"rounds": 2, "goal": 0}, "golf", times(80, 3000)),
        ("shut-the-box", {"variant": "tournament45out"}, "rounds", times(60, 3000)),
        ("shut-the-box", {"mode": "long", "mulligan": True}, "turns", times(60, 3000)),
        ("farkle", {"max_turns": 2}, "arcade", times(60, 3000)),
        ("farkle", {"max_turns": 3, "board_minimum": 500}, "arcade", times(60, 3000)),
        ("farkle", {"target": 5000}, "turns", times(10, 500)),
    ],
    ids=str,
)
def test_who_plays_perfectly_ends_with_that(game_id: str, options: dict[str, Any], objective: str, runs: int) -> None:
    """The mean percentile of perfect play is one half."""
    found, lower = known(game_id, options, objective), read_objective(GAMES[game_id], objective).lower_is_better
    got = [found.percentile(best_run(game_id, options, objective, run), lower) for run in range(runs)]
    middle = sum(got, Fraction(0)) / runs
    error = sqrt(sum((one - middle) ** 2 for one in got) / (runs - 1) / runs)
    assert abs(middle - Fraction(1, 2)) < 3 * error


@pytest.mark.parametrize("lower", [False, True])
def test_percentiles(lower: bool) -> None:
    dice = Distribution(dict.fromkeys(FACES, 1), 6)
    assert [dice.percentile(die, lower_is_better=False) for die in (0, 1, 3, 6, 7)] == [
        0, Fraction(1, 12), Fraction(5, 12), Fraction(11, 12), 1,
    ]  # fmt: skip
    assert dice.percentile(Fraction(5, 2), lower) == Fraction(4 if lower else 2, 6), "also between two results"
    for found in (dice, known("shut-the-box", {}, "golf"), known("lite-solo", {}, "score")):
        mean_share = sum(ways * found.percentile(result, lower) for result, ways in found.ways.items()) / found.of
        assert mean_share == Fraction(1, 2)


@pytest.mark.parametrize(
    ("game_id", "options", "seats", "objective", "seat"),
    [
        ("lite-solo", {"wild": "contains"}, 1, "score", 0),
        ("shut-the-box", {"goal": 0}, 1, None, 0),
        ("shut-the-box", {"rounds": 2, "scoring": "missionary"}, 2, None, 1),
        ("farkle", {"max_turns": 2}, 3, None, 2),
    ],
    ids=str,
)
def test_a_report_tells_the_percentile(
    game_id: str, options: dict[str, Any], seats: int, objective: str | None, seat: int
) -> None:
    table = Table(game_id, options=options, seats=seats, seed="percentile")
    while not table.is_over:
        assert report(table.record(), seat, objective).compared is None, "the run is not over"
        table.play(table.legal()[-1])
    told = report(table.record(), seat, objective)
    assert table.result is not None
    found = known(game_id, options, told.objective, seats)
    score = table.result.scores[seat]
    share = found.percentile(score, told.objective.lower_is_better)
    assert told.compared == Comparison(told.objective, Fraction(score), share)


def test_whoever_does_as_well_does_not_do_worse() -> None:
    """A report says how many perfect runs a run has beaten: no points at all beat none, a shut box not those of the
    runs that shut it, too."""
    for game_id, options, dice, best in (
        ("farkle", {"max_turns": 1}, [2, 2, 3, 3, 4, 6], False),
        ("shut-the-box", {"mode": "threshold"}, [6, 3, 6, 2, 6, 1, 6, 5, 6, 4], True),
    ):
        table = Table(game_id, options=options, dice=ScriptedDice(dice))
        while not table.is_over:
            table.play(next(move for move in ("9", "8", "7", "two", "6+5", "4+3+2+1") if move in table.legal()))
        told = report(table.record())
        place, ways = standing(table.record(), told), known(game_id, options, "golf" if best else "arcade").shares[0]
        assert place == Standing(1 - ways if best else Fraction(0), ways)
        assert told.compared is not None
        assert told.compared.percentile == place.worse + place.equal / 2


def test_of_totals_that_are_too_many_to_list_none_is_the_same() -> None:
    table = Table("shut-the-box", options={"variant": "digitalScore", "rounds": 3}, seed="many")
    while not table.is_over:
        table.play(table.legal()[0])
    told = report(table.record())
    assert told.compared is not None
    assert standing(table.record(), told) == Standing(told.compared.percentile, Fraction(0))


@pytest.mark.parametrize(
    ("game_id", "options", "objective", "by"),
    [
        ("lite-solo", {"target": 90}, None, "score"),
        ("shut-the-box", {}, None, "golf"),
        ("shut-the-box", {"mode": "threshold", "variant": "missionaryCount"}, None, "missionary"),
        ("shut-the-box", {"variant": "digitalScore", "rounds": 3}, None, "digital"),
        ("shut-the-box", {"variant": "tournament45out"}, "shut", "rounds"),
        ("farkle", {"max_turns": 3}, None, "arcade"),
    ],
    ids=str,
)
def test_a_run_for_a_chance_is_compared_by_its_score(
    game_id: str, options: dict[str, Any], objective: str | None, by: str
) -> None:
    table = Table(game_id, options=options, seed="percentile")
    while not table.is_over:
        table.play(table.legal()[0])
    told, plain = report(table.record(), objective=objective), report(table.record(), objective=by)
    assert table.result is not None
    assert plain.compared is not None
    assert told.compared == plain.compared
    assert str(plain.compared.objective) == by
    assert plain.compared.result == table.result.scores[0]


@pytest.mark.parametrize(
    ("game_id", "options", "seats", "objective"),
    [
        ("shut-the-box", {"instant": True}, 1, "golf"),
        ("shut-the-box", {"instant": True}, 1, "win"),
        ("shut-the-box", {"variant": "digitalScore", "rounds": 11}, 1, "digital"),
        ("shut-the-box", {}, 2, "shut"),
        ("lite-versus", {}, 2, "win"),
    ],
    ids=str,
)
def test_a_run_that_nothing_is_compared_with(game_id: str, options: dict[str, Any], seats: int, objective: str) -> None:
    table = Table(game_id, options=options, seats=seats, seed="nothing")
    while not table.is_over:
        table.play(table.legal()[0])
    assert report(table.record(), objective=objective).compared is None


def test_who_cannot_play_for_it_has_no_percentile() -> None:
    game = GAMES["shut-the-box"]
    assert percentile(game, game.make_options({"mode": "long"}), 1, "digital", 12) is None


@pytest.mark.parametrize(
    ("game_id", "options", "objective", "why"),
    [
        ("lite-solo", {}, "target:90", "not known for target:90"),
        ("lite-solo", {}, "beauty", "score and target:N"),
        ("shut-the-box", {"instant": True}, "golf", "how many rounds"),
        ("shut-the-box", {"variant": "tournament45out"}, "golf", "how many rounds"),
        ("shut-the-box", {"per_round_scoring": False}, "golf", "only the best round"),
        ("shut-the-box", {}, "digital", "too many different totals"),
        ("shut-the-box", {"rounds": 31}, "golf", "too many different totals"),
        ("shut-the-box", {}, "shut", "not known for shut"),
        ("farkle", {}, "turn", "how many turns"),
        ("farkle", {}, "farkle:1", "not known for farkle:1"),
        ("farkle", {"bank_minimum": 300}, "turns", "no book here"),
        ("farkle", {"max_turns": 3, "straight": True, "straight_points": 1234}, "arcade", "multiples of 10"),
        ("farkle", {"max_turns": 21}, "arcade", "at most 20"),
        ("farkle", {"max_turns": 11, "board_minimum": 500}, "arcade", "at most 10"),
        ("lite-versus", {}, "win", "not known for win"),
        ("knucklebones", {}, "win", "not known for win"),
    ],
)
def test_what_is_not_known_says_why(game_id: str, options: dict[str, Any], objective: str, why: str) -> None:
    game = GAMES[game_id]
    chosen, seats = game.make_options(options), game.seats[0]
    with pytest.raises(InvalidOption, match=why):
        find_distribution(game, chosen, seats, objective)
    if objective not in ("beauty", "digital"):  # whose totals are too many to list, but not to compare
        assert percentile(game, chosen, seats, objective, 12) is None


def test_the_example_in_the_module() -> None:
    assert doctest.testmod(module) == (0, 4)
