"""Results: Glicko-2 to the digits of the paper, and what is added to it."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from dicehall.errors import InvalidOption
from dicehall.people.glicko import (
    AVERAGE,
    DAY_MS,
    LEAST_DEVIATION,
    MOST_DEVIATION,
    MOST_VOLATILITY,
    POOLS,
    Met,
    Parameters,
    Rating,
    aged,
    expected,
    newcomer,
    periods_of,
    rate,
    rate_game,
    rate_together,
)
from dicehall.rules.catalog import GAMES
from tests.soak import times

PAPER = Parameters(350, 0.06, 0.5, 0.0)
FARKLE = POOLS["farkle"]


def test_the_worked_example_of_the_paper() -> None:
    """M. Glickman, Example of the Glicko-2 system (2022). Its figures are rounded on the way: in full, 1464.0507."""
    met = [Met(Rating(1400, 30, 0.06), 1), Met(Rating(1550, 100, 0.06), 0), Met(Rating(1700, 300, 0.06), 0)]
    found = rate_together(Rating(1500, 200, 0.06), met, 1, PAPER)
    assert found.value == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.005)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


def test_one_game_is_a_period_with_one_game() -> None:
    mine, theirs = Rating(1600, 120, 0.06), Rating(1500, 80, 0.06)
    for score in (0.0, 0.5, 1.0):
        assert rate(mine, theirs, score, 0.3, 7, PAPER) == rate_together(mine, [Met(theirs, score, 7)], 0.3, PAPER)


def test_a_game_moves_both_by_as_much_where_both_are_as_uncertain() -> None:
    one = Rating(1500, 100, 0.06)
    first, second = rate_game(one, one, 1, (0, 0), PAPER)
    assert first.value - 1500 == pytest.approx(1500 - second.value)
    assert first.value > 1500
    assert first.deviation == second.deviation < 100


def test_both_are_rated_as_they_stood_before_the_game() -> None:
    first, second = Rating(1500, 150, 0.06), Rating(1600, 60, 0.05)
    found = rate_game(first, second, 0.5, (2.0, 30.0), FARKLE)
    edge = FARKLE.advantage
    assert found[0] == rate(first, aged(second, 30), 0.5, 2, edge, FARKLE)
    assert found[1] == rate(second, aged(first, 2), 0.5, 30, -edge, FARKLE)


def test_a_draw_is_half_a_win() -> None:
    mine, theirs = Rating(1500, 100, 0.06), Rating(1500, 100, 0.06)
    assert rate(mine, theirs, 0.5, 0, 0, PAPER).value == 1500
    stronger = Rating(1700, 100, 0.06)
    assert rate(mine, stronger, 0.5, 0, 0, PAPER).value > 1500
    assert rate(stronger, mine, 0.5, 0, 0, PAPER).value < 1700


def test_the_seat_that_begins_is_expected_to_win_more_often() -> None:
    one = Rating(1500, 60, 0.06)
    assert expected(one, one) == 0.5
    assert expected(one, one, 24) + expected(one, one, -24) == pytest.approx(1)
    assert expected(one, one, 24) > 0.5
    begun, followed = rate(one, one, 1, 0, 24, PAPER), rate(one, one, 1, 0, -24, PAPER)
    assert begun.value < rate(one, one, 1, 0, 0, PAPER).value < followed.value
    ahead = Rating(1524, 60, 0.06)  # points of beginning and of a rating are the same points
    assert expected(ahead, one) == expected(one, one, 24)


def test_a_hundred_points_are_64_percent_where_both_are_known() -> None:
    known, better = Rating(1500, 0, 0.06), Rating(1600, 0, 0.06)
    assert expected(better, known) == pytest.approx(0.640, abs=0.0005)
    assert expected(Rating(1900, 0, 0.06), known) == pytest.approx(10 / 11)
    unknown = Rating(1600, 300, 0.06)
    assert 0.5 < expected(unknown, known) < expected(better, known)
    assert expected(Rating(1600, 0, 0.06), Rating(1500, 300, 0.06)) == expected(unknown, known)


def test_the_less_is_known_the_more_a_game_moves() -> None:
    theirs = Rating(1500, 60, 0.06)
    moved = [rate(Rating(1500, deviation, 0.06), theirs, 1, 0, 0, PAPER).value for deviation in (50, 100, 200, 400)]
    assert moved == sorted(moved)
    told = [rate(Rating(1500, 100, 0.06), Rating(1500, d, 0.06), 1, 0, 0, PAPER).value for d in (50, 100, 200, 400)]
    assert told == sorted(told, reverse=True)


def test_who_is_away_is_known_less() -> None:
    assert periods_of(DAY_MS) == pytest.approx(0.21436, abs=0.00001)
    year = aged(Rating(1500, 60, 0.06), periods_of(365 * DAY_MS))
    assert (year.value, year.volatility) == (1500, 0.06)
    assert year.deviation == pytest.approx(110)
    assert aged(year, 0) == year
    assert aged(year, 10**6).deviation == MOST_DEVIATION
    assert periods_of(-1) == 0
    assert aged(year, -1) == year  # a clock that went back makes nobody more certain
    assert rate_together(year, [], 5, PAPER) == aged(year, 5)  # step 6 of the paper, for who has not played
    late, soon = (rate(Rating(1500, 60, 0.06), year, 1, periods, 0, PAPER) for periods in (78, 0))
    assert late.value > soon.value
    assert late.deviation > soon.deviation


def test_provisional_and_on_the_board() -> None:
    ratings = [Rating(1500, deviation, 0.06) for deviation in (45, 74.9, 75, 110, 110.1)]
    assert [one.provisional for one in ratings] == [False, False, False, False, True]
    assert [one.on_board for one in ratings] == [True, True, False, False, False]


@pytest.mark.parametrize("parameters", POOLS.values(), ids=POOLS)
def test_nobody_leaves_the_bounds(parameters: Parameters) -> None:
    """Games of any kind, long pauses, upsets without end."""
    random = Random("bounds")
    for _ in range(times(60, 600)):
        ratings = [newcomer(parameters), newcomer(parameters), Rating(4000, 45, 0.1), Rating(200, 500, 0.01)]
        for _ in range(40):
            one, other = random.sample(range(4), 2)
            away = (random.choice((0, 0.01, 1, 1000)), random.choice((0, 0.01, 1, 1000)))
            score = random.choice((0, 0.5, 1))
            ratings[one], ratings[other] = rate_game(ratings[one], ratings[other], score, away, parameters)
        for rating in ratings:
            assert LEAST_DEVIATION <= rating.deviation <= MOST_DEVIATION
            assert 0 < rating.volatility <= MOST_VOLATILITY
            assert -3000 < rating.value < 6000


def test_whoever_plays_all_the_time_can_still_learn() -> None:
    mine, theirs = newcomer(FARKLE), Rating(1500, 45, 0.06)
    for number in range(400):
        mine = rate(mine, theirs, number % 2, 0.01, 0, FARKLE)
    assert mine.deviation == LEAST_DEVIATION
    assert rate(mine, theirs, 1, 0.01, 0, FARKLE).value - mine.value > 5


def test_surprises_make_volatile_and_what_was_expected_makes_steady() -> None:
    mine, weak = Rating(1900, 60, 0.06), Rating(1100, 45, 0.06)
    assert rate(mine, weak, 0, 0, 0, FARKLE).volatility > 0.06
    assert rate(mine, weak, 1, 0, 0, FARKLE).volatility < 0.06
    wild = Rating(1900, 60, MOST_VOLATILITY)
    assert rate(wild, weak, 0, 0, 0, FARKLE).volatility == MOST_VOLATILITY


def test_a_quick_volatility_is_found_as_well() -> None:
    """A small tau looks for the new volatility in small steps, a large one in large steps."""
    mine, theirs = Rating(1500, 100, 0.06), Rating(1500, 100, 0.06)
    for tau, score in product((0.01, 0.2, 1.2, 5.0), (0, 0.5, 1)):
        found = rate(mine, theirs, score, 1, 0, Parameters(350, 0.06, tau, 0))
        assert 0 < found.volatility <= MOST_VOLATILITY
    wild = rate(Rating(1500, 100, 1000), theirs, 0.5, 1, 0, Parameters(350, 0.06, 3, 0))  # from far outside
    assert wild.volatility <= MOST_VOLATILITY


def test_a_result_that_nothing_follows_from_changes_nothing() -> None:
    mine = Rating(1500, 60, 0.06)
    assert rate(mine, Rating(-(10**6), 60, 0.06), 1, 2, 0, PAPER) == aged(mine, 2)
    assert rate(mine, Rating(10**6, 60, 0.06), 0, 2, 0, PAPER) == aged(mine, 2)


@pytest.mark.parametrize("score", [-0.1, 1.1, 2])
def test_no_other_scores(score: float) -> None:
    one = newcomer(FARKLE)
    with pytest.raises(InvalidOption, match="from 0 to 1"):
        rate(one, one, score, 0, 0, FARKLE)


def test_every_game_of_two_seats_has_a_pool() -> None:
    assert set(POOLS) == {game.id for game in GAMES.values() if 2 in game.rules.SEATS and game.id in GAMES.own}
    for parameters in POOLS.values():
        new = newcomer(parameters)
        assert new.value == AVERAGE
        assert new.provisional
        assert new.volatility <= MOST_VOLATILITY


@pytest.mark.parametrize("parameters", POOLS.values(), ids=POOLS)
def test_how_many_games_it_takes(parameters: Parameters) -> None:
    """Against others on the board: under ten until a rating is no longer provisional, under thirty to the board."""
    mine, theirs, games = newcomer(parameters), Rating(1500, 60, 0.06), []
    for number in range(1, 40):
        mine = rate(mine, theirs, number % 2, periods_of(DAY_MS // 5), 0, parameters)
        games.append((mine.provisional, mine.on_board))
    assert games[9][0] is False
    assert games[29][1] is True
