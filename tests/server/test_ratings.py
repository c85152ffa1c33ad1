"""Ratings and skill as others see them: boards, a page for everybody, and the coach who looks at rated games."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from sqlalchemy import select, update

from dicehall.coach.report import report
from dicehall.people.skill import FEWEST_RUNS, Run, run_of, skill
from dicehall.play.record import from_json
from dicehall.server import judging
from dicehall.server.crew import Busy, TooLong
from dicehall.server.judging import AT_ONCE, LATER, MOST_FAILED, WHO, Judging, judged
from dicehall.store import schema, skills
from dicehall.store.skills import Waiting
from tests.patience import PATIENCE
from tests.server.people import Sitter, play_out, seated
from tests.server.running import Guest, Json, Server, run_apart
from tests.server.test_rooms import again

POOL = "knucklebones"


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """The coach does not wait for five seconds."""
    monkeypatch.setattr(judging, "LOOK_EVERY", 0.05)


def from_two_networks(server: Server, sitters: list[Sitter]) -> None:
    room = server.app.state.rooms._rooms[sitters[0].room_id]
    room.progress.networks[1] = "another network"  # there is one alone on this machine
    room.follow(room.live)


def until(ask: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while not (found := ask()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


def page_of(viewer: Guest, player: Guest) -> Json:
    found: Json = viewer.get(f"/api/players/{player.id}")
    return found


def judged_page(viewer: Guest, player: Guest) -> Json:
    """When the coach has seen every game."""
    return cast(Json, until(lambda: (page := page_of(viewer, player))["pools"][0]["unseen"] == 0 and page))


def boards(guest: Guest, pool: str = POOL) -> tuple[Json, Json]:
    return guest.get(f"/api/ratings/{pool}"), guest.get(f"/api/ratings/{pool}", by="skill")


def test_two_play_a_rated_game_and_everybody_may_look(own_server: Server) -> None:
    ada, bea, cleo = (own_server.guest(name) for name in ("Ada", "Bea", "Cleo"))
    with seated([ada, bea], POOL, rated=True, clock="60+300") as sitters:
        from_two_networks(own_server, sitters)
        play_out(sitters, Random(3))
        run_id = sitters[0].table["run"]
    mine, theirs, strange = judged_page(ada, ada), page_of(bea, ada), page_of(cleo, ada)
    assert page_of(own_server.stranger(), ada) == strange
    assert (mine["me"], theirs["me"], strange["me"]) == (True, False, False)
    assert (strange["nickname"], strange["since"]) == ("Ada", "2026-11-15")
    for page in (mine, theirs):
        assert page["pools"] == strange["pools"]
        assert page["recent"] == strange["recent"]

    run = ada.get(f"/api/runs/{run_id}")
    halves = {"won": 2, "drawn": 1, "lost": 0}[run["outcome"]]
    assert (mine["against"], strange["against"]) == ([], [])
    assert theirs["against"] == [{"game": POOL, "games": 1, "mine": 2 - halves, "theirs": halves}]
    (game,) = strange["recent"]
    assert (game["run"], game["game"], game["outcome"]) == (run_id, POOL, run["outcome"])
    assert game["other"] == {"player": bea.id, "nickname": "Bea"}
    assert (game["why_not"], game["before"], game["finished_at"]) == (None, 1500, run["finished_at"])

    (pool,) = strange["pools"]
    results, told = pool["results"], pool["skill"]
    assert results["value"] == game["after"] == pool["results_curve"][0]["value"]
    assert results["games"] == len(pool["results_curve"]) == 1
    assert results["provisional"]
    assert results["low"] < results["value"] < results["high"]
    expected = skill(POOL, [run_of(report(from_json(run["record"]), run["seat"]))])
    assert expected is not None
    assert (told["value"], told["low"], told["high"]) == pytest.approx(
        (expected.value, expected.low, expected.high), abs=0.01
    )
    assert (told["games"], told["needs"], told["provisional"]) == (1, FEWEST_RUNS, True)
    assert [one["value"] for one in pool["skill_curve"]] == pytest.approx([told["value"]])

    by_results, by_skill = boards(ada)
    assert by_results["entries"] == by_skill["entries"] == []
    assert [(one["mine"]["place"], one["mine"]["why"]) for one in (by_results, by_skill)] == [
        (None, "provisional"),
        (None, "too-few"),
    ]
    assert by_results["mine"]["known"] == results
    assert by_skill["mine"]["known"] == told
    assert [one["mine"]["why"] for one in boards(cleo)] == ["none", "none"]
    assert [one["mine"] for one in boards(own_server.stranger())] == [None, None]

    ada.call("DELETE", "/api/me", 204)
    assert cleo.ask("GET", f"/api/players/{ada.id}").json()["code"] == "player"
    assert page_of(cleo, bea)["recent"][0]["other"] == {"player": None, "nickname": ""}
    exported = bea.get("/api/me/export")
    assert [one["runs"] for one in exported["skills"]] == [1]
    assert exported["meetings"][0]["choices"] > 0


def test_what_is_private_is_shown_to_the_two_alone(own_server: Server) -> None:
    ada, bea, cleo = (own_server.guest(name) for name in ("Ada", "Bea", "Cleo"))
    with seated([ada, bea], "lite-versus", watched=False) as sitters:
        play_out(sitters, Random(3))
        first = sitters[0].table["run"]
        again(sitters)
        sitters[1].send(type="resign")
        for one in sitters:
            one.until(lambda me: me.room["state"] == "between" and me.table["run"] is not None)
    for guest in (ada, bea):
        assert len(page_of(guest, ada)["recent"]) == 2
        assert {one["why_not"] for one in page_of(guest, ada)["recent"]} == {"unrated"}
    assert page_of(bea, ada)["against"][0]["games"] == 2
    for guest in (cleo, own_server.stranger()):
        assert (page_of(guest, ada)["recent"], page_of(guest, ada)["pools"]) == ([], [])
        assert first not in "".join(guest.heard)
        assert bea.id not in "".join(guest.heard)
    (newest, _) = ada.get("/api/runs")["runs"]
    assert {one["nickname"] for one in newest["people"]} == {"Ada", "Bea"}


def test_boards_have_those_of_whom_enough_is_known(own_server: Server) -> None:
    ada, bea, cleo = (own_server.guest(name) for name in ("Ada", "Bea", "Cleo"))
    now = own_server.clock.ms()
    results = {"volatility": 0.06, "games": 40, "rated_ms": now, "pool": POOL}
    known = {"low": 1700, "high": 1800, "runs": 9, "provisional": False, "pool": POOL}
    with own_server.app.state.hall.engine.begin() as connection:
        for who, value, deviation in ((ada, 1600.5, 60), (bea, 1700.5, 74), (cleo, 1800.5, 76)):
            connection.execute(
                schema.ratings.insert().values(results | {"player_id": who.id, "value": value, "deviation": deviation})
            )
            more = {"player_id": who.id, "value": 1750, "provisional": deviation > 75}
            connection.execute(schema.skills.insert().values(known | more))
    by_results, by_skill = boards(ada)
    assert [(one["place"], one["nickname"], one["value"]) for one in by_results["entries"]] == [
        (1, "Bea", 1700.5),
        (2, "Ada", 1600.5),
    ]
    assert [(one["place"], one["value"], one["games"]) for one in by_skill["entries"]] == [(1, 1750, 9), (1, 1750, 9)]
    assert [one["mine"]["place"] for one in (by_results, by_skill)] == [2, 1]
    assert len(ada.get(f"/api/ratings/{POOL}", limit=1)["entries"]) == 1
    assert [(one["mine"]["place"], one["mine"]["why"]) for one in boards(cleo)] == [
        (None, "uncertain"),
        (None, "provisional"),
    ]
    own_server.clock.now += 20 * 86_400
    assert [one["nickname"] for one in boards(ada)[0]["entries"]] == ["Ada"], "of Bea less is known by now"
    assert boards(bea)[0]["mine"]["known"]["deviation"] > 75
    own_server.clock.now -= 20 * 86_400

    with own_server.app.state.hall.engine.begin() as connection:
        connection.execute(update(schema.players).where(schema.players.c.id == bea.id).values(barred="hidden"))
    own_server.app.state.guard.forget(bea.id)
    for one in boards(ada):
        assert [entry["nickname"] for entry in one["entries"]] == ["Ada"]
        assert one["mine"]["place"] == 1
    assert ada.ask("GET", f"/api/players/{bea.id}").json()["code"] == "player"
    assert ada.ask("GET", f"/api/players/{bea.id}").status_code == 404
    assert page_of(bea, bea)["pools"], "who is hidden is not told so"
    assert boards(bea)[0]["mine"]["place"] == 1
    assert ada.ask("GET", "/api/ratings/farkle-table").json()["code"] == "pool"


# -- the coach


def test_what_can_never_be_judged_is_kept_as_that(own_server: Server) -> None:
    ada = own_server.guest()
    row = {"player_id": ada.id, "other_id": "gone", "game": POOL, "halves": 2, "ended_ms": 1}
    run = {"table_id": "t", "game": POOL, "mode": "standard", "aim": "most", "lower_is_better": False, "ranked": False}
    run |= {"id": "damaged", "day": None, "breakdown": {}, "finished_at": 1, "record": {"format": 1}}
    played = {name: run[name] for name in ("game", "mode", "ranked", "day", "finished_at")}
    with own_server.app.state.hall.engine.begin() as connection:
        connection.execute(schema.runs.insert().values(run))
        played |= {"run_id": "damaged", "player_id": ada.id, "seat": 0, "score": 1}
        connection.execute(schema.players_runs.insert().values(played))
        for run_id in ("damaged", "no record"):
            connection.execute(schema.meetings.insert().values(row | {"run_id": run_id}))
    until(lambda: not own_server.stored(lambda c: skills.waiting(c, 9)))
    kept = own_server.stored(lambda c: c.execute(select(schema.meetings.c.choices, schema.meetings.c.lost)).all())
    assert [tuple(one) for one in kept] == [(0, None), (0, None)]
    assert page_of(ada, ada)["pools"] == []


class FakeHall:
    """A hall with a coach who fails `failures` times; and what was kept."""

    def __init__(self, games: int, failures: int = 0, error: Exception | None = None) -> None:
        self.error = error or TooLong("too-long", "it takes too long")
        self.games, self.failures, self.free = [f"run {n}" for n in range(games)], failures, True
        self.asked: list[str] = []
        self.kept: list[str] = []
        self.disk, self.questions = SimpleNamespace(check_room=lambda: None), self

    @property
    def is_free(self) -> bool:
        return self.free

    async def read(self, job: Any) -> list[Waiting]:
        left = [one for one in self.games if one not in self.kept and one not in job.keywords["besides"]]
        return [Waiting(one, {"p1": 0}, {"id": one}) for one in left[: job.keywords["limit"]]]

    async def ask(self, who: str, about: Any, record: Json, seats: dict[str, int]) -> dict[str, Run]:
        assert (who, about) == (WHO, judged)
        self.asked.append(record["id"])
        if self.failures:
            self.failures -= 1
            raise self.error
        return {"p1": Run(1, 0.0, 0.0)}

    async def write(self, job: Any) -> None:
        self.kept.append(job.keywords["run_id"])


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    clock = SimpleNamespace(now=1e6)
    monkeypatch.setattr(judging, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def look(chore: Judging, times: int = 1) -> None:
    for _ in range(times):
        run_apart(chore._look())


def test_what_fails_is_tried_again_later_and_holds_up_no_other(now: SimpleNamespace) -> None:
    hall = FakeHall(3, failures=1)
    chore = Judging(cast(Any, hall))
    look(chore, 3)
    assert (hall.asked, hall.kept) == (["run 0", "run 1", "run 2"], ["run 1", "run 2"])
    hall.failures = 1
    now.now += LATER
    look(chore, 3)
    assert hall.asked[3:] == ["run 0"]
    now.now += LATER
    look(chore, 3)
    assert hall.asked[4:] == [], "the second time it waits for longer"
    now.now += LATER
    look(chore, 3)
    assert hall.asked[4:] == ["run 0"]
    assert len(hall.kept) == 3


def test_the_coach_looks_when_nobody_else_asks(now: SimpleNamespace) -> None:
    hall = FakeHall(2)
    hall.free = False
    chore = Judging(cast(Any, hall))
    look(chore)
    assert hall.asked == []
    hall.free = True
    look(chore)
    assert hall.kept == ["run 0", "run 1"]


def test_the_coach_rests_where_the_crew_has_too_much_to_do(now: SimpleNamespace) -> None:
    hall = FakeHall(3, 1, Busy("you have asked for much", 60))
    chore = Judging(cast(Any, hall))
    look(chore, 3)
    assert (hall.asked, hall.kept) == (["run 0"], [])
    now.now += 60
    look(chore)
    assert hall.kept == ["run 1", "run 2"]
    now.now += LATER
    look(chore)
    assert hall.kept[2:] == ["run 0"]


def test_where_everything_fails_the_coach_is_left_alone(now: SimpleNamespace) -> None:
    hall = FakeHall(10 * MOST_FAILED, failures=10 * MOST_FAILED)
    look(Judging(cast(Any, hall)), 20)
    assert MOST_FAILED <= len(hall.asked) < MOST_FAILED + AT_ONCE


def test_a_store_that_is_away_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    hall, looks = FakeHall(1), [OSError("away")]
    monkeypatch.setattr(judging, "LOOK_EVERY", 0.0)
    read = hall.read

    async def failing(job: Any) -> list[Waiting]:
        if looks:
            raise looks.pop()
        if hall.kept:
            raise asyncio.CancelledError
        return await read(job)

    monkeypatch.setattr(hall, "read", failing)
    with pytest.raises(asyncio.CancelledError):
        run_apart(Judging(cast(Any, hall)).judge())
    assert hall.kept == ["run 0"]
