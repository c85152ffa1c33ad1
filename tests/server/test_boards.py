"""Boards: who enters them, in which order, and how they are turned over page by page."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest

from dicehall.server.finish import enter_run
from dicehall.store import boards, players
from dicehall.store.engine import migrate, open_engine
from tests.server.conftest import NewUrl
from tests.server.running import Guest, Json, Server
from tests.store.rows import run as run_of

# One round, scored by how many tiles are left: quick, and full of ties.
TILES: dict[str, Any] = {"rounds": 1, "variant": "missionaryCount", "goal": 0}
TILES_MODE = "goal=0;rounds=1;variant=missionaryCount"


def board(guest: Guest, game: str = "lite-solo", **query: Any) -> Json:
    found: Json = guest.get(f"/api/boards/{game}", **query)
    return found


def pages(guest: Guest, game: str, limit: int, **query: Any) -> list[Json]:
    entries: list[Json] = []
    cursor: dict[str, str] = {}
    while True:
        page = board(guest, game, limit=limit, **query, **cursor)
        assert len(page["entries"]) == limit or page["next"] is None
        entries += page["entries"]
        if page["next"] is None:
            return entries
        cursor = {"cursor": page["next"]}


def expected(bests: Iterable[Json], lower: bool) -> list[tuple[int, str, int, str]]:
    """By the book: order by score, then by who was there first; equals share the better rank."""
    runs = sorted(bests, key=lambda run: (run["score"] if lower else -run["score"], run["finished_at"], run["player"]))
    ranks = {
        run["id"]: 1 + sum((other["score"] - run["score"]) * (-1 if lower else 1) > 0 for other in runs) for run in runs
    }
    return [(ranks[run["id"]], run["player"], run["score"], run["id"]) for run in runs]


def told(entries: Iterable[Json]) -> list[tuple[int, str, int, str]]:
    return [(entry["rank"], entry["player"], entry["score"], entry["run"]) for entry in entries]


def test_ties_share_a_rank_and_pages_have_no_gaps(own_server: Server) -> None:
    guests = [own_server.guest(f"visitor {n}") for n in range(12)]
    runs = []
    for n, guest in enumerate(guests):
        own_server.clock.now += n % 3 == 0  # some of them in the same second
        runs.append(guest.play("shut-the-box", n, options=TILES))
    order = expected(runs, lower=True)
    assert len({score for _, _, score, _ in order}) < 12, "there are ties"
    for limit in (1, 2, 5, 11, 12, 100):
        assert told(pages(guests[0], "shut-the-box", limit, mode=TILES_MODE)) == order
    for guest in guests:
        found = board(guest, "shut-the-box", mode=TILES_MODE, limit=1)
        assert found["players"] == 12
        assert told([found["me"]]) == [place for place in order if place[1] == guest.id]
        assert found["me"]["nickname"] == guest.get("/api/me")["nickname"]
    assert board(own_server.stranger(), "shut-the-box", mode=TILES_MODE)["me"] is None
    assert board(own_server.guest(), "shut-the-box", mode=TILES_MODE)["me"] is None
    assert guests[0].get("/api/boards/shut-the-box/modes") == [{"mode": TILES_MODE, "players": 12}]
    assert guests[0].get("/api/boards/lite-solo/modes") == []


def test_a_page_stays_true_while_others_enter(own_server: Server) -> None:
    guests = [own_server.guest() for _ in range(6)]
    for n, guest in enumerate(guests):
        guest.play("shut-the-box", n, options=TILES)
    first = board(guests[0], "shut-the-box", mode=TILES_MODE, limit=3)
    for n in range(6, 9):
        own_server.guest().play("shut-the-box", n, options=TILES)
    second = pages(guests[0], "shut-the-box", 3, mode=TILES_MODE)
    rest = board(guests[0], "shut-the-box", mode=TILES_MODE, limit=100, cursor=first["next"])
    assert not {entry["player"] for entry in first["entries"]} & {entry["player"] for entry in rest["entries"]}
    assert {guest.id for guest in guests} <= {entry["player"] for entry in first["entries"] + rest["entries"]}
    assert len(second) == 9


@pytest.mark.parametrize("cursor", ["x", "", "bnVsbA", "W10", "WzEsMl0", "WyIxIiwyLCJ4Il0", "[1,2]", "ä", "W" * 400])
def test_a_cursor_that_is_none(server: Server, cursor: str) -> None:
    guest = server.guest()
    for path in ("/api/boards/lite-solo", "/api/daily/2026-11-15/lite-solo/board", "/api/runs"):
        answer = guest.ask("GET", path, params={"cursor": cursor})
        assert answer.status_code in (400, 422)


def test_a_players_best_counts_and_an_equal_later_one_does_not(own_server: Server) -> None:
    guest = own_server.guest()
    best: Json | None = None
    took = 0
    for n in range(6):
        own_server.clock.now += 10
        run = guest.play("shut-the-box", n, options=TILES)
        if best is None or run["score"] < best["score"]:
            best, took = run, n + 1
        found = board(guest, "shut-the-box", mode=TILES_MODE)
        assert found["players"] == 1
        assert told(found["entries"]) == expected([best], lower=True)
        assert found["entries"][0]["reached_at"] == best["finished_at"]
        assert found["entries"] == [found["me"]]
        assert (found["me"]["runs"], found["me"]["took"]) == (n + 1, took)
    guest.play("shut-the-box", kind="practice", options=TILES)
    own_server.clock.to("2027-01-01 12:00")
    guest.play("shut-the-box", 7, options=TILES)
    later = {period: board(guest, "shut-the-box", mode=TILES_MODE, period=period)["me"] for period in ("all", "day")}
    assert (later["all"]["runs"], later["day"]["runs"], later["day"]["took"]) == (7, 1, 1), "each period counts its own"


@pytest.mark.parametrize(
    ("game", "options", "mode", "lower"),
    [
        ("lite-solo", {}, "standard", False),
        ("farkle", {"target": 500}, "target=500", True),
        ("farkle", {"max_turns": 2}, "max_turns=2", False),
        ("shut-the-box", {"rounds": 1}, "rounds=1", True),
        ("shut-the-box", {"preset": "twelve", "mode": "threshold"}, "mode=threshold;tiles=12", True),
        ("farkle", {"max_turns": 2, "target": 500}, "max_turns=2", False),
        ("shut-the-box", {"preset": "tournament"}, "variant=tournament45out", False),
        ("knucklebones", {}, "standard:you,spec", False),
        ("lite-versus", {"reroll": True}, "reroll=true:you,lookahead", False),
    ],
)
def test_which_end_of_a_board_is_up(
    own_server: Server, game: str, options: dict[str, Any], mode: str, lower: bool
) -> None:
    guests = [own_server.guest() for _ in range(4)]
    runs = [guest.play(game, n, options=options) for n, guest in enumerate(guests)]
    assert {run["mode"] for run in runs} == {mode}
    assert {run["lower_is_better"] for run in runs} == {lower}
    assert told(board(guests[0], game, mode=mode)["entries"]) == expected(runs, lower)
    assert guests[0].get(f"/api/boards/{game}/modes") == [{"mode": mode, "players": 4}]


def test_the_day_the_week_the_month_and_all_time(own_server: Server) -> None:
    """2026-11-29 is a Sunday: its day, week and month end on three different days."""
    guest, other = own_server.guest(), own_server.guest()
    runs: dict[str, Json] = {}
    for n, moment in enumerate(("2026-11-02 10:00", "2026-11-24 10:00", "2026-11-29 00:00", "2026-11-29 23:59:59")):
        own_server.clock.to(moment)
        runs[moment] = guest.play("lite-solo", n)
    bests = list(runs.values())

    def best(of: list[Json]) -> list[int]:
        return [max(run["score"] for run in of)] if of else []

    def shown(period: str) -> list[int]:
        return [entry["score"] for entry in board(other, period=period)["entries"]]

    for now, day, week, month in (
        ("2026-11-29 23:59:59", bests[2:], bests[1:], bests),
        ("2026-11-30 00:00:00", [], [], bests),
        ("2026-12-01 00:00:00", [], [], []),
    ):
        own_server.clock.to(now)
        assert shown("day") == best(day)
        assert shown("week") == best(week)
        assert shown("month") == best(month)
        assert shown("all") == best(bests)
    run = other.play("lite-solo", 77)
    for period, size in (("day", 1), ("week", 1), ("month", 1), ("all", 2)):
        found = board(other, period=period)
        assert found["players"] == len(found["entries"]) == size
        assert found["me"]["score"] == run["score"]


def test_the_week_at_the_turn_of_the_year(own_server: Server) -> None:
    """2027-01-01 is a Friday: the ISO week began in the old year."""
    guest = own_server.guest()
    own_server.clock.to("2026-12-31 12:00")
    guest.play("lite-solo", 1)
    own_server.clock.to("2027-01-03 12:00")
    assert [board(guest, period=period)["players"] for period in ("day", "week", "month", "all")] == [0, 1, 0, 1]
    own_server.clock.to("2027-01-04 00:00")
    assert [board(guest, period=period)["players"] for period in ("day", "week", "month", "all")] == [0, 0, 0, 1]


def test_only_ranked_runs_of_one_person_enter(own_server: Server) -> None:
    guest = own_server.guest()
    guest.play("lite-solo", kind="practice")
    own_server.clock.to("2026-11-16 12:00")
    guest.play("lite-solo", kind="archive", day="2026-11-15")
    guest.play("lite-solo", kind="daily")
    together = guest.play("lite-versus", seats=["you", "you"])
    assert (len(together["scores"]), together["outcome"]) == (2, None), "nobody knows which of them it was"
    guest.play("knucklebones", seats=["you", "you"])
    unfinished = guest.open("lite-solo")
    with guest.sit(unfinished) as tab:
        tab.move("b2")
    for game in ("lite-solo", "lite-versus", "knucklebones"):
        assert guest.get(f"/api/boards/{game}/modes") == []
        for period in ("day", "week", "month", "all"):
            for mode in ("standard", "standard:you,you"):
                found = board(guest, game, period=period, mode=mode)
                assert (found["players"], found["entries"], found["me"], found["next"]) == (0, [], None, None)
    ranked = guest.play("lite-solo")
    assert told(board(guest)["entries"]) == expected([ranked], lower=False)


def test_every_opponent_and_every_option_has_its_own_board(own_server: Server) -> None:
    guest = own_server.guest()
    runs = [
        guest.play("lite-versus", 1),
        guest.play("lite-versus", 1, seats=["you", "standard"]),
        guest.play("lite-versus", 1, seats=["standard", "you"]),
        guest.play("lite-versus", 1, options={"columns": True}),
        guest.play("lite-versus", 1, options={"columns": False}),
    ]
    modes = [run["mode"] for run in runs]
    assert modes[0] == modes[4]
    assert len(set(modes)) == 4
    assert {one["mode"] for one in guest.get("/api/boards/lite-versus/modes")} == set(modes)


def test_boards_that_cannot_be(server: Server) -> None:
    guest = server.stranger()
    guest.get("/api/boards/chess", 404)
    guest.get("/api/boards/chess/modes", 404)
    guest.get("/api/daily/2026-11-15/chess/board", 404)
    guest.get("/api/daily/yesterday/lite-solo/board", 422)
    guest.get("/api/boards/lite-solo", 400, mode="wild=seven")
    guest.get("/api/boards/lite-solo", 400, mode="no=such")
    guest.get("/api/boards/lite-solo", 400, mode="a\0b")
    guest.get("/api/boards/lite-solo", 422, period="year")
    guest.get("/api/boards/lite-solo", 422, limit=0)
    guest.get("/api/boards/lite-solo", 422, limit=101)


def test_whoever_enters_a_run_waits_for_their_turn(new_url: NewUrl) -> None:
    """A run is on several boards: two halls that entered one each, in another order, would wait for each other."""
    engine = open_engine(new_url())
    migrate(engine)
    with engine.begin() as connection:
        ada, _ = players.create(connection, 1)

    def enter() -> int:
        with engine.begin() as connection:
            enter_run(connection, run_of(ada), 100)
            return boards.size(connection, "lite-solo/standard", "all")

    with ThreadPoolExecutor(1) as threads:
        with engine.begin() as somebody:
            boards.take_turn(somebody)
            entering = threads.submit(enter)
            with pytest.raises(TimeoutError):
                entering.result(0.5)
        assert entering.result() == 1
    engine.dispose()


def test_a_board_of_several_seats_says_how_the_run_ended(own_server: Server) -> None:
    guest = own_server.guest()
    run = guest.play("knucklebones", 3, seats=["you", "random"])
    scores, winners = run["record"]["result"]["scores"], run["record"]["result"]["winners"]
    outcome = "drawn" if len(winners) == 2 else "won" if winners == [0] else "lost"
    assert (run["scores"], run["outcome"]) == (scores, outcome)
    board = guest.get("/api/boards/knucklebones", mode=run["mode"])
    for entry in (board["entries"][0], board["me"]):
        assert (entry["score"], entry["scores"], entry["outcome"]) == (scores[0], scores, outcome)
    other = own_server.guest()
    theirs = other.play("knucklebones", 4, seats=["you", "random"])["scores"]
    for one, own in ((guest, scores), (other, theirs)):
        found = one.get("/api/boards/knucklebones", mode=run["mode"], limit=1)["me"]
        assert found["scores"] == own, "whether it is on the page or not"
    with guest.sit(guest.open("knucklebones", kind="practice", seed="second", seats=["random", "you"])) as tab:
        tab.play_on(Random(3))
        second = guest.run(tab)
    theirs, mine = second["scores"]
    assert theirs != mine
    assert second["outcome"] == ("won" if mine > theirs else "lost"), "from where I sit"
    alone = guest.play("lite-solo")
    assert (alone["scores"], alone["outcome"]) == ([alone["score"]], None)
    assert guest.get("/api/boards/lite-solo")["me"]["scores"] is None


def test_the_usual_mode_comes_first_whatever_was_played_more(own_server: Server) -> None:
    for guest in (own_server.guest(), own_server.guest()):
        guest.play("lite-solo", options={"columns": True})
    guest.play("lite-solo")
    assert [one["mode"] for one in guest.get("/api/boards/lite-solo/modes")] == ["standard", "columns=true"]
