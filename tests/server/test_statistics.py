"""One's own play in figures, beside an independent count: straight from the records' results and breakdowns, without
events, figures or anything else that the hall counts with."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import select, update

from dicehall import simulate_run
from dicehall.bots.ladder import strengths
from dicehall.coach.percentile import find_distribution
from dicehall.coach.report import report
from dicehall.play.record import from_json
from dicehall.rules.catalog import GAMES
from dicehall.server import figures
from dicehall.server.api import statistics as api
from dicehall.server.models.statistics import VariantStatistics
from dicehall.server.statistics import MOST_BINS, RARE, Variant, compare_scores, others_in, statistics
from dicehall.store import schema
from dicehall.store.figures import Group
from tests import soak
from tests.server.running import Guest, Json, Server
from tests.server.simulated import CASES, Simulated, keep, simulate

TODAY = date(2026, 11, 15)


def give(server: Server, guest: Guest, count: int, **more: Any) -> list[Simulated]:
    found = list(simulate(guest.id, count, Random(count), server.clock.now, **more))
    with server.app.state.hall.engine.begin() as connection:
        keep(connection, found)
    return found


def asked(guest: Guest, kind: str = "ranked") -> Json:
    """Until everything is counted."""
    while True:
        found: Json = guest.get("/api/me/statistics", kind=kind)
        if not found["uncounted"]:
            return found


def is_counted(one: Simulated, kind: str) -> bool:
    """Ranked: on dice that nobody knew."""
    fresh = one.run.ranked and one.attempt in (None, 1)
    return one.run.record["seats"].count("you") == 1 and fresh == (kind == "ranked")


def counted_by_hand(found: list[Simulated], kind: str) -> dict[tuple[str, str, int], Json]:
    told: dict[tuple[str, str, int], Json] = {}
    for one in found:
        if not is_counted(one, kind):
            continue
        run, seats = one.run, one.run.record["seats"]
        me = seats.index("you")
        mine = told.setdefault(
            (run.game, run.mode.split(":")[0], len(seats)),
            {"scores": [], "met": 0, "missed": 0, "others": {}, "hits": 0, "parts": 0, "at": []},
        )
        mine["scores"].append(run.people[0].score)
        mine["at"].append(run.finished_at)
        winners = run.record["result"]["winners"]
        if len(seats) == 1:
            mine["met"] += winners == [0]
            mine["missed"] += run.record["result"]["why"].endswith("missed")
        else:
            others = tuple(sorted(name for name in seats if name != "you"))
            how = 0 if winners == [me] else 1 if me in winners else 2
            mine["others"].setdefault(others, [0, 0, 0])[how] += 1
        parts: list[int] = []
        if run.game == "farkle":
            parts = run.breakdown["turns"][me]  # type: ignore[call-overload]
        elif run.game == "shut-the-box" and "rounds" in run.breakdown:
            parts = run.breakdown["rounds"][me]  # type: ignore[call-overload]
        mine["parts"] += len(parts)
        mine["hits"] += parts.count(0)  # a farkle brings nothing, and a box that is shut leaves nothing
    return told


def test_figures_are_those_of_an_independent_count(own_server: Server) -> None:
    guest, other = own_server.guest(), own_server.guest()
    found = give(own_server, guest, soak.times(195, 1000))
    give(own_server, other, 15)
    drawn = 0
    for kind in ("ranked", "practice"):
        told, by_hand = asked(guest, kind), counted_by_hand(found, kind)
        variants = {(one["game"], one["variant"], one["seats"]): one for one in told["variants"]}
        assert variants.keys() == by_hand.keys()
        for key, mine in by_hand.items():
            one, scores = variants[key], mine["scores"]
            assert one["runs"] == len(scores)
            assert one["average"] == pytest.approx(sum(scores) / len(scores), rel=1e-12)
            assert one["best"] == (min(scores) if one["lower_is_better"] else max(scores))
            assert (one["met"], one["missed"]) == (mine["met"], mine["missed"])
            assert (one["first_at"], one["last_at"]) == (min(mine["at"]), max(mine["at"]))
            assert {tuple(two["players"]): [two["won"], two["drawn"], two["lost"]] for two in one["opponents"]} == mine[
                "others"
            ]
            rate = one["rate"] or {"times": 0, "of": 0}
            assert (rate["times"], rate["of"]) == (mine["hits"], mine["parts"]), key
        assert [one["runs"] for one in told["variants"]] == sorted(
            (one["runs"] for one in variants.values()), reverse=True
        )
        drawn += sum(two["drawn"] for one in told["variants"] for two in one["opponents"])
    assert drawn, "this is about draws, too"
    assert told["ranked"] == sum(is_counted(one, "ranked") for one in found)
    assert told["practice"] == sum(is_counted(one, "practice") for one in found)
    assert told["together"] == sum(one.run.record["seats"] == ["you", "you"] for one in found)
    assert told["ranked"] + told["practice"] + told["together"] == len(found)


def test_the_same_opponents_are_the_same_wherever_they_sit() -> None:
    assert (
        others_in("standard:random,you,bank:300") == others_in("standard:you,bank:300,random") == ("bank:300", "random")
    )


def variants(*groups: dict[str, Any]) -> list[VariantStatistics]:
    """What is told of groups of runs, of which these are the particulars."""
    usual = {"game": "lite-versus", "mode": "standard", "aim": "score", "lower_is_better": False, "kind": "ranked"}
    usual |= {"outcome": None, "runs": 1, "total": 50, "lowest": 50, "highest": 50, "parts": 0, "hits": 0}
    found = [Group(**{**usual, "first_at": 1, "last_at": 1, **one}) for one in groups]
    return statistics(found, "ranked", 0, (0, 0), str(TODAY), {}).variants


def test_who_was_only_met_has_not_been_beaten() -> None:
    (one,) = variants(
        {"mode": "standard:you,level:1", "outcome": "won"}, {"mode": "standard:you,perfect", "outcome": "lost"}
    )
    assert {two.players[0]: two.strength for two in one.opponents}["perfect"] == 0.5, "against itself"
    assert one.strongest is not None
    assert one.strongest.players == ["level:1"]
    assert (one.met, one.missed) == (0, 0), "that is for those who play alone"


def test_of_no_rounds_there_is_no_rate() -> None:
    """The long game has none, though its box is shut in the end."""
    tiles = ("9", "8", "7", "two", "6+5", *(move for tile in "4321" for move in ("one", tile)))
    table = simulate_run("shut-the-box", (4, 5, 3, 5, 3, 4, 6, 5, 4, 3, 2, 1), tiles, options={"mode": "long"})
    assert figures.count(replace(table.record(), seats=("you",)), 0) == figures.Counted("won", 0, 0)
    (one,) = variants({"game": "shut-the-box", "mode": "mode=long"})
    assert one.rate is None


def test_days_in_a_row_and_the_calendar(own_server: Server) -> None:
    guest = own_server.guest()
    found = give(own_server, guest, 300, cases=CASES[:1])
    told = asked(guest)
    days = {one.run.day for one in found if one.run.day}
    shown = [str(TODAY - timedelta(n)) for n in reversed(range(70))]
    assert (told["today"], shown[-1]) == (str(TODAY), str(TODAY))
    assert told["days"] == [{"day": day, "games": 1} for day in shown if day in days]
    length = 0
    while str(TODAY - timedelta(length + (str(TODAY) not in days))) in days:
        length += 1
    assert (told["streak"], told["longest_streak"]) == (length, guest.get("/api/me")["longest_streak"])


def test_scores_beside_those_of_perfect_play(own_server: Server) -> None:
    guest = own_server.guest()
    found = [one for one in give(own_server, guest, 45) if is_counted(one, "ranked")]
    for one in asked(guest)["variants"]:
        which = {name: one[name] for name in ("game", "variant", "seats")}
        scores = [
            two.run.people[0].score
            for two in found
            if (two.run.game, two.run.mode.split(":")[0], len(two.run.record["seats"])) == tuple(which.values())
        ]
        told = guest.get("/api/me/statistics/scores", **which)
        assert 0 < len(told["bins"]) <= MOST_BINS
        for low, high in zip(told["bins"], told["bins"][1:], strict=False):
            assert low["high"] + 1 == high["low"]
        for part in told["bins"]:
            assert part["runs"] == sum(part["low"] <= score <= part["high"] for score in scores)
            assert part["share"] == pytest.approx(part["runs"] / len(scores))
        assert sum(part["runs"] for part in told["bins"]) == len(scores)
        if one["seats"] > 1:
            assert {part["perfect"] for part in told["bins"]} == {told["perfect"]} == {None}
        elif one["game"] == "lite-solo":
            known = find_distribution(GAMES["lite-solo"], GAMES["lite-solo"].make_options({}), 1, "score")
            assert told["perfect"] == pytest.approx(float(known.mean))
            for part in told["bins"]:
                share = sum(known.ways.get(score, 0) for score in range(part["low"], part["high"] + 1)) / known.of
                assert part["perfect"] == pytest.approx(share)
        if told["perfect"] is not None:
            assert 0.998 < sum(part["perfect"] for part in told["bins"]) <= 1 + 1e-9
    nothing = guest.get("/api/me/statistics/scores", game="farkle", variant="target=77777")
    assert nothing == {"bins": [], "perfect": None}
    assert guest.get("/api/me/statistics/scores", game="whist")["bins"] == []


def test_bins_hold_everything_and_are_not_too_many() -> None:
    random = Random(2)
    for _ in range(300):
        most = 10 ** random.randrange(6)
        scores = Counter(random.randrange(-most, most + 1) for _ in range(random.randrange(1, 40)))
        told = compare_scores(Variant("whist", "standard", 1), scores)
        assert sum(part.runs for part in told.bins) == scores.total()
        assert len(told.bins) <= MOST_BINS


def test_rare_ends_of_perfect_play_are_left_out_where_nobody_came() -> None:
    known = find_distribution(GAMES["lite-solo"], GAMES["lite-solo"].make_options({}), 1, "score")
    bins = compare_scores(Variant("lite-solo", "standard", 1), {65: 1}).bins
    below = sum(ways for score, ways in known.ways.items() if score < bins[0].low)
    above = sum(ways for score, ways in known.ways.items() if score > bins[-1].high)
    assert 0 < below <= RARE * known.of
    assert 0 < above <= RARE * known.of


def test_accuracy_and_luck_are_those_of_the_reports(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The coach looks at some runs with each question, and at none twice."""
    guest = own_server.guest()
    found = [one.run for one in give(own_server, guest, 60, cases=CASES[:1]) if is_counted(one, "ranked")]
    asked(guest)
    newest = sorted(found, key=lambda run: (run.finished_at, run.id))[-api.RECENT :]
    assert len(newest) == api.RECENT
    told = guest.get("/api/me/statistics/luck", game="lite-solo")
    while told["unjudged"]:
        told = guest.get("/api/me/statistics/luck", game="lite-solo")
    assert [one["run"] for one in told["recent"]] == [run.id for run in newest]
    assert told["about"]["text"] == "score"
    forget = update(schema.figures).where(schema.figures.c.run_id == newest[0].id)
    with own_server.app.state.hall.engine.begin() as connection:
        connection.execute(forget.values(objective="target:90"))
    others = guest.get("/api/me/statistics/luck", game="lite-solo")["recent"]
    assert [one["run"] for one in others] == [run.id for run in newest[1:]], "another goal, another line"
    with own_server.app.state.hall.engine.begin() as connection:
        connection.execute(forget.values(objective="score"))
    for run, one in zip(newest, told["recent"], strict=True):
        own = report(from_json(run.record))
        assert (one["score"], one["finished_at"]) == (run.people[0].score, run.finished_at)
        assert own.accuracy is not None
        assert one["accuracy"] == pytest.approx(float(own.accuracy))
        assert one["luck"] == pytest.approx(float(own.luck))

    def nobody(*_: object) -> None:
        raise AssertionError("asked for what is known")

    monkeypatch.setattr(own_server.app.state.hall.questions, "ask", nobody)
    assert guest.get("/api/me/statistics/luck", game="lite-solo") == told
    assert asked(guest)["ranked"] == len(found)


def test_what_the_coach_does_not_know_is_left_out(own_server: Server) -> None:
    guest = own_server.guest()
    give(own_server, guest, 5, cases=[("lite-versus", {"columns": True}, ["you", "random"])])
    asked(guest)
    for kind in ("ranked", "practice"):
        told = guest.get("/api/me/statistics/luck", game="lite-versus", variant="columns=true", seats=2, kind=kind)
        assert told == {"about": None, "recent": [], "unjudged": 0}


def test_the_strongest_who_was_beaten(own_server: Server) -> None:
    guest = own_server.guest()
    names = ["random", "level:1", "level:3", "lookahead"]
    give(own_server, guest, 60, cases=[("lite-versus", {}, ["you", name]) for name in names], person="lookahead")
    one = asked(guest)["variants"][0]
    known = strengths(GAMES["lite-versus"])[0]
    measured = {level["player"]: level["value"] for level in (*known["levels"], *known["by_rule"])}
    assert {two["players"][0]: two["strength"] for two in one["opponents"]} == {name: measured[name] for name in names}
    beaten = {two["players"][0] for two in one["opponents"] if two["won"]}
    assert beaten >= {"level:1", "lookahead"}, "this is about several"
    strongest = max(beaten, key=lambda name: measured[name])
    assert (one["strongest"]["players"], one["against"]) == ([strongest], "perfect")


def test_they_are_nobody_elses(own_server: Server) -> None:
    guest, other = own_server.guest(), own_server.guest()
    give(own_server, guest, 15)
    assert asked(guest)["ranked"]
    theirs = asked(other)
    assert (theirs["variants"], theirs["ranked"], theirs["practice"], theirs["days"]) == ([], 0, 0, [])
    assert other.get("/api/me/statistics/scores", game="lite-solo")["bins"] == []
    assert other.get("/api/me/statistics/luck", game="lite-solo")["recent"] == []
    for path in ("", "/scores?game=farkle", "/luck?game=farkle"):
        own_server.stranger().get(f"/api/me/statistics{path}", 401)


def test_they_go_with_the_account(own_server: Server) -> None:
    guest, other = own_server.guest(), own_server.guest()
    for one in (guest, other):
        give(own_server, one, 15)
        asked(one)
        one.get("/api/me/statistics/luck", game="lite-solo")
    guest.call("DELETE", "/api/me")
    left = own_server.stored(lambda c: c.scalars(select(schema.figures.c.player_id).distinct()).all())
    assert left == [other.id]


def test_some_at_a_time(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest first; and whoever has asked for much gets what there is."""
    guest = own_server.guest()
    found = give(own_server, guest, 45)
    monkeypatch.setattr(api, "COUNTED_AT_ONCE", 20)
    left = []
    for _ in range(4):
        told = guest.get("/api/me/statistics")
        assert told["ranked"] + told["practice"] + told["together"] == len(found) - told["uncounted"]
        left.append(told["uncounted"])
        if len(left) == 1:
            newest = sorted(found, key=lambda one: (one.run.finished_at, one.run.id))[-20:]
            counted = own_server.stored(lambda c: c.scalars(select(schema.figures.c.run_id)).all())
            assert {one.run.id for one in newest} == set(counted)
    assert left == [25, 5, 0, 0]
    guest.play("lite-solo")
    monkeypatch.setattr(own_server.app.state.hall.questions, "_waiting", 0)
    told = guest.get("/api/me/statistics")
    assert (told["uncounted"], told["ranked"] + told["practice"] + told["together"]) == (1, len(found))
    assert guest.get("/api/me/statistics/luck", game="lite-solo")["unjudged"] > 0
    guest.get("/api/me/statistics/scores", 503, game="lite-solo")


def test_a_job_ends_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """With at least one run done, so that every question gets on."""
    records = [(one.run.record, 0) for one in simulate("p", 15, Random(3), 10**9)]
    assert len(figures.count_some(records)) == 15
    monkeypatch.setattr(figures, "SECONDS", 0.0)
    assert figures.count_some(records) == [figures.count(from_json(records[0][0]), 0)]
    damaged: list[figures.Seated] = [({**records[0][0], "steps": "d7"}, 0), ({}, 0)]
    monkeypatch.setattr(figures, "SECONDS", 60.0)
    assert figures.judge_some(damaged) == [figures.UNKNOWN] * 2
    assert figures.count_some(damaged)[1] == figures.NOTHING


def test_a_run_at_a_table_is_counted(own_server: Server) -> None:
    """By the whole way: a daily of today twice, a ranked run, practice; and no die of the daily is told."""
    guest = own_server.guest()
    first = guest.play("lite-solo", 1, kind="daily")
    own_server.clock.now += 1
    second = guest.play("lite-solo", 2, kind="daily")
    ranked, practice = guest.play("lite-solo", 3), guest.play("lite-solo", 4, kind="practice")
    told = asked(guest)
    assert (told["ranked"], told["practice"], told["streak"]) == (2, 2, 1)
    assert told["variants"][0]["average"] == (first["score"] + ranked["score"]) / 2
    assert told["days"] == [{"day": str(TODAY), "games": 1}]
    assert asked(guest, "practice")["variants"][0]["average"] == (second["score"] + practice["score"]) / 2
    luck = guest.get("/api/me/statistics/luck", game="lite-solo")
    assert {one["run"] for one in luck["recent"]} == {first["id"], ranked["id"]}
