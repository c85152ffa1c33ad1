"""Skill: by what moves gave away, whatever the dice did."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from random import Random

import pytest

from dicehall.bots.ladder import strengths
from dicehall.coach.report import report
from dicehall.errors import InvalidOption
from dicehall.lab.ratings import watch
from dicehall.lab.simulate import play_game
from dicehall.people.glicko import POOLS
from dicehall.people.skill import (
    FEWEST_RUNS,
    HALF_LIFE,
    LOWEST,
    OLDEST,
    PERFECT,
    WIDEST,
    Run,
    course,
    in_points,
    mean_loss,
    points,
    run_of,
    scale,
    skill,
)
from dicehall.rules.catalog import find_game
from tests.soak import SOAKING

every_pool = pytest.mark.parametrize("pool", POOLS)


def usual(pool: str, lost: float) -> Run:
    """A run with the usual number of choices, each of which lost the same."""
    choices = round(scale(pool).choices)
    return Run(choices, lost, lost**2 / choices)


def test_a_run_is_what_the_report_says_of_it() -> None:
    table = play_game(find_game("farkle"), ["level:2", "level:4"], "skill", None)
    for seat in (0, 1):
        told = report(table.record(), seat)
        run = run_of(told)
        assert run.lost == pytest.approx(float(told.lost))
        assert 0 < run.choices <= sum(moment.actor == seat for moment in told.moments)
        assert 0 < run.squares < run.lost


def test_the_coach_and_the_laboratory_see_the_same_run() -> None:
    """The levels' losses, by which the scale is made, are counted as a person's are."""
    _, runs = watch("shut-the-box", 3, "the same")
    table = play_game(find_game("shut-the-box"), ["level:3", "level:3"], "the same")
    for seat, run in enumerate(runs):
        assert run_of(report(table.record(), seat)) == pytest.approx(run)


@every_pool
def test_the_scale_goes_through_the_players_that_were_measured(pool: str) -> None:
    marks = scale(pool).marks
    levels = next(one for one in strengths(find_game(pool)) if one["seats"] == 2)["levels"]
    assert [loss for loss, _ in marks] == sorted({loss for loss, _ in marks})
    assert marks[0] == (0, PERFECT)
    assert [worth for _, worth in marks[1:]] == [PERFECT + in_points(one["value"]) for one in reversed(levels)]
    for loss, worth in marks:
        assert points(pool, loss) == pytest.approx(worth)


@every_pool
def test_who_loses_less_has_more_points(pool: str) -> None:
    most = scale(pool).marks[-1][0]
    worths = [points(pool, most * share / 50) for share in range(101)]
    assert all(better > worse for better, worse in pairwise(worths) if worse > LOWEST)
    assert points(pool, 1000 * most) == LOWEST


def test_points_are_shares_of_wins() -> None:
    assert in_points(0.5) == 0
    assert in_points(10 / 11) == pytest.approx(400)
    assert in_points(0.64) == pytest.approx(100, abs=0.1)
    assert in_points(0.3) == pytest.approx(-in_points(0.7))


@every_pool
def test_perfect_runs_are_not_known_to_be_perfect_at_once(pool: str) -> None:
    """Nothing was lost so far; what that proves grows with the runs."""
    found = [skill(pool, [usual(pool, 0)] * runs) for runs in (1, 5, 20, 80)]
    assert all(one is not None and one.value == one.high == PERFECT for one in found)
    lows = [one.low for one in found if one is not None]
    assert lows == sorted(lows)
    assert lows[0] < PERFECT - 100
    assert lows[-1] > PERFECT - 20


def test_what_is_told_of_a_player() -> None:
    middle = scale("farkle").marks[-3][0]
    told = skill("farkle", [usual("farkle", middle)] * 20)
    assert told is not None
    assert told.value == pytest.approx(points("farkle", middle), abs=5)
    assert told.low < told.value < told.high
    assert points("farkle", told.loss.low) == told.high
    assert points("farkle", told.loss.high) == told.low
    assert (told.runs, told.provisional) == (20, False)


def test_provisional_while_runs_are_few_or_the_interval_is_wide() -> None:
    pool, middle = "knucklebones", scale("knucklebones").marks[-3][0]
    few = skill(pool, [usual(pool, middle)] * (FEWEST_RUNS - 1))
    assert few is not None
    assert few.provisional
    wild = skill(pool, [usual(pool, 0), usual(pool, 4 * middle)] * 3)
    assert wild is not None
    assert wild.high - wild.low > WIDEST
    assert wild.provisional
    enough = skill(pool, [usual(pool, middle)] * FEWEST_RUNS)
    assert enough is not None
    assert not enough.provisional


def test_nothing_is_told_where_nothing_was_decided() -> None:
    assert skill("farkle", []) is None
    assert skill("farkle", [Run(0, 0.0, 0.0)]) is None
    told = skill("farkle", [Run(0, 0.0, 0.0), usual("farkle", 0.1)])
    assert told is not None
    assert told.runs == 1


def test_nobody_has_measured_other_games() -> None:
    with pytest.raises(InvalidOption, match="nobody has measured"):
        skill("lite-solo", [])


def test_a_newer_run_counts_more() -> None:
    better, worse = Run(50, 0.1, 0.001), Run(50, 0.3, 0.01)
    improved = mean_loss([better] * HALF_LIFE + [worse] * HALF_LIFE, 0.004)
    declined = mean_loss([worse] * HALF_LIFE + [better] * HALF_LIFE, 0.004)
    assert improved is not None
    assert declined is not None
    assert improved.mean == pytest.approx((2 * 0.1 + 0.3) / 3 / 50)  # the newer half counts twice as much
    assert declined.mean == pytest.approx((2 * 0.3 + 0.1) / 3 / 50)
    assert mean_loss([better] * OLDEST + [worse] * 900, 0.004) == mean_loss([better] * OLDEST, 0.004)


def test_a_run_cut_short_counts_by_its_choices() -> None:
    """Whoever resigns early has lost less, and is no better for it."""
    whole, cut = Run(60, 0.3, 0.01), Run(6, 0.03, 0.001)
    found = mean_loss([whole, cut] * 10, 0.005)
    assert found is not None
    assert found.mean == pytest.approx(0.005)


def test_the_interval_narrows_with_the_runs_and_is_never_below_nothing() -> None:
    random, widths, wide = Random("narrow"), [], inf
    runs = [random_run(random) for _ in range(200)]
    for number in (2, 5, 20, 60, 200):
        found = mean_loss(runs[:number], 0.01)
        assert found is not None
        assert 0 <= found.low <= found.mean <= found.high
        widths.append(found.high - found.low)
    assert all(after < before for before, after in pairwise([wide, *widths]))


def random_run(random: Random, choices: int = 20) -> Run:
    """Most choices lose nothing, some a little, few a lot: 0.015 on average."""
    lost = [random.choice((0, 0, 0, 0, 0, 0.01, 0.01, 0.02, 0.03, 0.08)) for _ in range(choices)]
    return Run(choices, sum(lost), sum(loss**2 for loss in lost))


@pytest.mark.parametrize("runs", [5, 12, 40])
def test_the_interval_holds_the_truth_as_often_as_it_says(runs: int) -> None:
    random, tries, held = Random(f"hold/{runs}"), 4000 if SOAKING else 400, 0
    for _ in range(tries):
        found = mean_loss([random_run(random, random.randrange(8, 32)) for _ in range(runs)], 0.015)
        assert found is not None
        held += found.low <= 0.015 <= found.high
    assert 0.93 < held / tries < (1 if runs == 5 else 0.99)  # of few runs it claims less than it knows


def test_the_levels_are_told_apart_by_their_moves() -> None:
    """Played anew, in the game that is quickest: each level lies where the scale has it, and they stand in order."""
    found = []
    for rung in (1, 3, 5):
        runs = [
            run for number in range(40 if SOAKING else 8) for run in watch("shut-the-box", rung, f"again/{number}")[1]
        ]
        told = skill("shut-the-box", runs)
        assert told is not None
        worth = scale("shut-the-box").marks[-rung][1]
        wide = 1.5 * (told.high - told.low) / 2  # the scale itself is measured, too
        assert told.value - wide < worth < told.value + wide
        found.append(told)
    assert all(above.low > below.high for below, above in pairwise(found))


@every_pool
def test_the_course_is_the_skill_as_it_was_after_each_run(pool: str) -> None:
    random, choices = Random(pool), round(scale(pool).choices)
    most = scale(pool).marks[-1][0]
    runs = [Run(choices * (n > 2), (n > 2) * random.random() * most, most**2) for n in reversed(range(40))]
    told = [skill(pool, runs[at:]) for at in reversed(range(len(runs)))]
    values = [None if one is None else one.value for one in told]
    assert values[:4] == [None, None, None, values[3]]
    assert course(pool, runs, 40) == course(pool, runs, 100) == pytest.approx(values)
    assert course(pool, runs, 7) == pytest.approx(values[-7:])
    assert course(pool, [], 7) == []
    last = skill(pool, runs * 10)
    assert last is not None
    assert course(pool, runs * 10, 1) == pytest.approx([last.value], abs=1), (
        "what is older than the oldest hardly counts"
    )
