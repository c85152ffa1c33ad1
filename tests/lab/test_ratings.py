"""Ratings bring players of known strength into the right order, and predict what they say they predict."""

from __future__ import annotations

import json
from concurrent.futures import Executor, Future
from itertools import pairwise
from typing import Any

import pytest

from dicehall.lab import ratings as lab
from dicehall.lab.ladder import TRIALS
from dicehall.people.glicko import DAY_MS, POOLS, Parameters, Rating, periods_of
from dicehall.rules.catalog import find_game
from tests.docs.pages import read
from tests.people.write_ratings import PAGE, page
from tests.soak import SOAKING

FOUND = lab.read()
every_pool = pytest.mark.parametrize("pool", POOLS)


class AtOnce(Executor):
    """No processes: a test has no time to start them."""

    def submit(self, task: Any, /, *args: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(task(*args, **named))
        return done


@every_pool
def test_the_file_speaks_of_the_rules_of_today(pool: str) -> None:
    told = FOUND[pool]
    assert told["rules"] == find_game(pool).version
    assert lab.written(FOUND) == lab.FILE.read_text(encoding="utf-8")
    known = lab.told_by_ladder(pool)
    met = {tuple(lab.NAMES.index(name) for name in one["players"]) for one in told["meetings"]}
    assert len(known) + len(met) == 15  # of six players each two
    assert not {*known} & met


@every_pool
def test_of_two_players_the_better_one_wins_more_often(pool: str) -> None:
    shares = lab.truth_of(pool, FOUND[pool]).shares
    for n, row in enumerate(shares):
        assert row[n] == 0.5
        assert all(share < 0.5 for share in row[n + 1 :])


@every_pool
def test_who_loses_less_a_choice_stands_higher(pool: str) -> None:
    lost = [one["lost"] for one in FOUND[pool]["play"]]
    assert lost == sorted(lost, reverse=True)
    assert lost[-1] == 0
    for below, above in pairwise(FOUND[pool]["play"]):
        assert below["lost"] - above["lost"] > 2 * (below["error"] ** 2 + above["error"] ** 2) ** 0.5


@every_pool
def test_what_beginning_is_worth_is_what_was_measured(pool: str) -> None:
    assert abs(POOLS[pool].advantage - lab.edge_of(FOUND[pool]["begins"])) <= 0.5


@every_pool
def test_the_parameters_are_nearly_the_best_that_were_tried(pool: str) -> None:
    *best, chosen = FOUND[pool]["fit"]
    parameters = POOLS[pool]
    assert (chosen["deviation"], chosen["volatility"], chosen["tau"]) == parameters[:3]
    for which, more in (("settled", 4), ("early", 8)):  # the usual ones cost no more than that, in thousandths
        assert chosen[which] <= min(one[which] for one in best) + more
        assert chosen[which] < next(one[which] for one in best if one["deviation"] == 350)


@every_pool
def test_the_page_tells_what_was_found(pool: str) -> None:
    assert page(read(PAGE)) == read(PAGE), "run: python -m tests.people.write_ratings"


@every_pool
def test_a_season_ends_in_the_right_order(pool: str) -> None:
    """A short one; under `make soak` the hundred thousand matches that the file tells of."""
    truth = lab.truth_of(pool, FOUND[pool])
    count = lab.MATCHES if SOAKING else 15_000  # fewer would not tell neighbours apart
    found, told = lab.season_json(truth, POOLS[pool], count), FOUND[pool]["season"]
    means = [one["mean"] for one in found["ends"]]
    assert means == sorted(means)
    for mine, theirs in zip(found["ends"], told["ends"], strict=True):
        assert abs(mine["mean"] - theirs["mean"]) < (0.5 if SOAKING else 25)
    assert abs(found["hundred"]["won"] - found["hundred"]["predicted"]) < (0.06 if SOAKING else 0.1)
    assert found["excess"] < (12 if SOAKING else 25)


@every_pool
def test_the_file_s_season_is_in_order_and_can_be_trusted(pool: str) -> None:
    season = FOUND[pool]["season"]
    assert season["matches"] == lab.MATCHES
    means = [one["mean"] for one in season["ends"]]
    assert all(above > below for below, above in pairwise(means))
    assert 0.57 < season["hundred"]["won"] < 0.68
    for one in season["bins"]:
        assert abs(one["won"] - one["predicted"]) < 0.1, one


def test_the_better_fit_is_found() -> None:
    """Of players who differ by little, a wide first deviation expects too much."""
    truth = lab.truth_of("knucklebones", FOUND["knucklebones"])
    matches = lab.changing_matches(truth, 20_000 if SOAKING else 3000, 40, "fit")
    lost = {
        deviation: lab.excess(list(lab.play_on(matches, Parameters(deviation, 0.06, 0.5, 6), {})))
        for deviation in (20, 150, 500)
    }
    assert lost[150] < lost[500]
    assert lost[150] > 0


def test_fitting_tries_everything_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab, "DEVIATIONS", (100, 300))
    monkeypatch.setattr(lab, "VOLATILITIES", (0.06,))
    monkeypatch.setattr(lab, "TAUS", (0.5, 1.0))
    truth = lab.truth_of("farkle", FOUND["farkle"])
    found = lab.fit(truth, 20, 4000)
    assert len(found) == 4
    assert [one.settled for one in found] == sorted(one.settled for one in found)
    told = lab.fitted_json(found, found[-1].parameters)
    assert [one["deviation"] for one in told[:2]] == [100, 300]
    assert (told[2]["settled"], told[2]["early"]) == (round(found[-1].settled, 3), round(found[-1].early, 3))


def test_accounts_come_and_go_and_learn() -> None:
    truth = lab.truth_of("farkle", FOUND["farkle"])
    matches = lab.changing_matches(truth, 4000, 20, "come and go")
    games: dict[int, list[int]] = {}
    for number, match in enumerate(matches):
        for account in (match.first, match.second):
            games.setdefault(account, []).append(number)
    assert len(games) > 60
    assert max(map(len, games.values())) == lab.LIFE
    gone = [account for account, played in games.items() if account >= 20 and played[-1] < 3000]
    assert {len(games[account]) for account in gone} == {lab.LIFE}


def test_chances_and_results_by_chance() -> None:
    truth = lab.Truth(((0.5, 0.3), (0.7, 0.5)), 20.0, 0.1)
    assert truth.chance(0, 0) > 0.5
    assert 0.3 < truth.chance(0, 1) < 0.35
    assert truth.chance(0, 1) + truth._replace(edge=-20.0).chance(1, 0) == pytest.approx(1)
    told = [truth.score(0.6, luck / 1000) for luck in range(1000)]
    assert sum(told) / 1000 == pytest.approx(0.6, abs=0.001)
    assert told.count(0.5) == 100
    assert {truth.score(0.0, luck / 10) for luck in range(10)} == {0.0}


def test_a_match_is_predicted_before_it_is_rated() -> None:
    matches = [lab.Match(0, 1, 0.5, 1.0), lab.Match(0, 1, 0.5, 0.0)]
    ratings: dict[int, Rating] = {}
    parameters = Parameters(200, 0.06, 0.5, 0)
    first, second = lab.play_on(matches, parameters, ratings)
    assert first.predicted == 0.5
    assert first.ahead == 0
    assert not first.certain
    assert second.predicted > 0.5
    assert second.ahead > 0
    assert periods_of(lab.PACE_MS) == pytest.approx(periods_of(DAY_MS) / 5)


def test_measuring_writes_what_the_file_has(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole command, with next to no games."""
    monkeypatch.setattr(lab, "FILE", tmp_path / "ratings.json")
    monkeypatch.setattr(lab, "PLANS", {"shut-the-box": lab.Plan(4, 2)})
    monkeypatch.setattr(lab, "ProcessPoolExecutor", lambda workers: AtOnce())
    monkeypatch.setattr(lab, "DEVIATIONS", (POOLS["shut-the-box"].deviation,))
    monkeypatch.setattr(lab, "FIT_MATCHES", 200)
    monkeypatch.setattr(lab, "MATCHES", 2000)
    lab.main(["--measure", "shut-the-box"])
    lab.main(["shut-the-box"])
    found = json.loads(lab.FILE.read_text(encoding="utf-8"))["pools"]
    ((pool, told),) = found.items()
    assert {*told} == {*FOUND[pool]} - {"fit"}
    assert [one["players"] for one in told["meetings"]] == [one["players"] for one in FOUND[pool]["meetings"]]
    assert {one["share"] for one in told["begins"]} == {0.5}
    assert "level:1" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        lab.main(["lite-solo"])
    assert "nothing is rated in lite-solo" in capsys.readouterr().err


def test_fitting_writes_what_was_tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setattr(lab, "FILE", tmp_path / "ratings.json")
    monkeypatch.setattr(lab, "ProcessPoolExecutor", lambda workers: AtOnce())
    monkeypatch.setattr(lab, "DEVIATIONS", (POOLS["shut-the-box"].deviation,))
    monkeypatch.setattr(lab, "FIT_MATCHES", 4000)
    monkeypatch.setattr(lab, "MATCHES", 4000)
    lab.FILE.write_text(lab.written(FOUND), encoding="utf-8")
    lab.main(["--fit", "shut-the-box"])
    found = lab.read()
    best, chosen = found["shut-the-box"]["fit"]
    assert best["settled"] <= chosen["settled"]
    assert found["farkle"] == FOUND["farkle"]


def test_a_perfect_player_against_itself() -> None:
    trial = next(one for one in TRIALS if (one.game, one.seats) == ("knucklebones", 2))
    found = lab.even(trial, None, 2)
    assert found.lost == (0, 0)
    assert found.begins.mean == pytest.approx(0.50903, abs=0.00001)  # as docs/coach.md tells of the start
    assert found.begins.error == 0
