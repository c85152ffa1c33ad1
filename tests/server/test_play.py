"""Whole games over the socket: every kind of table, played to the end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dicehall.bots import ladder
from dicehall.bots.seats import usual_seats
from dicehall.errors import InvalidRecord
from dicehall.play.record import from_json
from dicehall.play.replay import prove
from dicehall.rules.catalog import GAMES
from dicehall.server import hall as halls
from dicehall.server import jobs, opening
from tests.server.conftest import NewUrl
from tests.server.games import BOTS, TOGETHER, every_game, finish, options
from tests.server.running import Json, Server


@every_game
def test_a_ranked_game(server: Server, game: str) -> None:
    run = finish(server, game, options=options(game), kind="ranked")
    assert run["ranked"]
    assert prove(from_json(run["record"])) > 0
    assert run["record"]["seats"] == list(usual_seats(GAMES[game]))


@pytest.mark.parametrize("game", BOTS)
def test_a_game_against_bots_who_may_begin(server: Server, game: str) -> None:
    run = finish(server, game, options=options(game), seats=BOTS[game], seed=5)
    assert run["ranked"]
    assert run["mode"].endswith(f":{','.join(BOTS[game])}")


LEVELS = [
    ("lite-versus", {"reroll": True}, ["you", "level:3"]),
    ("farkle", {"target": 600, "last_turn": True}, ["level:5", "you"]),
    ("shut-the-box", {"tiles": 12, "rounds": 1}, ["you", "perfect"]),
    ("knucklebones", {}, ["level:1", "you"]),
]


@pytest.mark.parametrize(("game", "chosen", "seats"), LEVELS)
def test_whoever_plays_by_advice_thinks_in_another_process(
    server: Server, game: str, chosen: Json, seats: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Solving a variant may take seconds, and a move some milliseconds, in which everybody else's moves would wait."""

    def not_here(*question: Any) -> None:
        raise AssertionError("the coach was asked in the process that serves everybody")

    monkeypatch.setattr(ladder, "best_advice", not_here)
    run = finish(server, game, options=chosen, seats=seats)
    assert run["mode"].endswith(f":{','.join(seats)}")
    assert from_json(run["record"]).steps


@pytest.mark.parametrize("game", TOGETHER)
def test_two_people_on_one_device(server: Server, game: str) -> None:
    run = finish(server, game, options=options(game), seats=TOGETHER[game])
    assert not run["ranked"]
    assert prove(from_json(run["record"])) > 0


@every_game
def test_a_daily_game(server: Server, game: str) -> None:
    run = finish(server, game, kind="daily")
    assert run["ranked"]
    assert run["day"] == "2026-11-15"
    assert "secret" not in run["record"]["dice"]
    with pytest.raises(InvalidRecord, match="revealed"):
        prove(from_json(run["record"]))


@every_game
def test_an_archived_game(server: Server, game: str) -> None:
    guest = server.guest()
    first, second = (guest.open(game, kind="archive", day="2026-11-14") for _ in range(2))
    with guest.sit(first) as one, guest.sit(second) as other:
        assert one.shown["view"] == other.shown["view"]
        assert one.shown["unranked"] == ["archive"]
        assert not one.shown["can_undo"]
    run = finish(server, game, kind="archive", day="2026-11-14")
    assert not run["ranked"]
    assert run["record"]["unranked"] == ["archive"]
    assert prove(from_json(run["record"])) > 0


@every_game
def test_practice_takes_moves_back(server: Server, game: str) -> None:
    guest, random = server.guest(), Random(7)
    seats = BOTS.get(game, ["you"])
    with guest.sit(guest.open(game, kind="practice", options=options(game), seats=seats, seed="lamp")) as tab:
        assert not tab.shown["can_undo"], "nobody has moved yet but, perhaps, a bot"
        undone = 0
        while not tab.is_over:
            before, view = list(tab.steps), tab.shown["view"]
            tab.play_on(random, 1)
            if not tab.is_over and undone < 5 and random.random() < 0.5:
                moved = list(tab.steps)
                assert tab.shown["can_undo"]
                tab.send(type="undo", seen=tab.count)
                tab.table()
                assert tab.steps == before
                assert tab.shown["view"] == view
                assert not tab.shown["can_undo"]
                tab.send(type="undo", seen=tab.count)
                assert tab.refusal() == "undo-nothing"
                assert tab.move(moved[len(before)])["count"] == len(moved)
                assert tab.steps == moved, "the same move brings the same dice and the same replies"
                undone += 1
        run = guest.run(tab)
        assert undone
        assert not run["ranked"]
        assert run["record"]["unranked"] == ["undo"]
        assert prove(from_json(run["record"])) > 0
        assert not tab.shown["can_undo"]
        tab.send(type="undo", seen=tab.count)
        assert tab.refusal() == "game-over"


@every_game
def test_there_is_no_undo_where_it_counts(server: Server, game: str) -> None:
    guest = server.guest()
    for asked in ({"kind": "ranked"}, {"kind": "daily"}, {"kind": "archive", "day": "2026-11-14"}):
        with guest.sit(guest.open(game, **asked)) as tab:
            tab.play_on(Random(2), 1)
            assert not tab.shown["can_undo"]
            tab.send(type="undo", seen=tab.count)
            assert tab.refusal() == "undo-off"
            assert tab.look()["count"] == len(tab.steps)


def test_bots_who_begin_may_win_before_anybody_else_moves(server: Server) -> None:
    guest = server.guest()
    while True:
        table_id = guest.open("farkle", options={"target": 50}, seats=["bank:50", "you"])
        with guest.sit(table_id) as tab:
            if tab.is_over:
                break
    assert guest.get(f"/api/tables/{table_id}")["over"]
    assert table_id not in [table["id"] for table in guest.get("/api/tables")]
    run = guest.run(tab)
    assert run["score"] == 0
    assert prove(from_json(run["record"])) > 0
    assert table_id not in server.app.state.hall._live
    with guest.sit(table_id) as tab:
        assert tab.shown["run"] == run["id"]


def test_a_finished_table_cannot_be_given_up(server: Server) -> None:
    guest = server.guest()
    table_id = guest.open("lite-solo")
    with guest.sit(table_id) as tab:
        tab.play_on(Random(1))
    guest.call("DELETE", f"/api/tables/{table_id}", 204)
    assert len(guest.get("/api/runs")["runs"]) == 1


def test_what_a_table_may_not_be(server: Server) -> None:
    guest = server.guest()
    for asked in (
        {"game": "chess"},
        {"game": "lite-solo", "seats": ["you", "you"]},
        {"game": "lite-solo", "seats": ["random"]},
        {"game": "lite-solo", "seats": ["nobody"]},
        {"game": "lite-versus", "seats": ["random", "standard"]},
        {"game": "lite-solo", "options": {"no_such": 1}},
        {"game": "lite-solo", "options": {"wild": "seven"}},
        {"game": "farkle", "options": {"preset": "none"}},
        {"game": "lite-solo", "kind": "daily", "options": {"reroll": True}},
        {"game": "lite-solo", "kind": "daily", "seed": "mine"},
        {"game": "lite-versus", "kind": "daily", "seats": ["you", "random"]},
        {"game": "lite-solo", "kind": "daily", "day": "2026-11-14"},
        {"game": "lite-solo", "kind": "daily", "day": "2026-11-16"},
        {"game": "lite-solo", "kind": "archive"},
        {"game": "lite-solo", "kind": "archive", "day": "2026-11-15"},
        {"game": "lite-solo", "kind": "archive", "day": "2026-11-16"},
        {"game": "lite-solo", "kind": "archive", "day": "2020-01-01"},
        {"game": "lite-solo", "kind": "ranked", "day": "2026-11-14"},
    ):
        refused = guest.post("/api/tables", 400, **asked)
        assert refused["code"]
        assert refused["message"]
    assert guest.get("/api/tables") == []


def test_tables_are_listed_newest_first_with_their_commitments(own_server: Server) -> None:
    guest = own_server.guest()
    ids = []
    for game in GAMES:
        own_server.clock.now += 1
        ids.append(guest.open(game))
    listed = guest.get("/api/tables")
    assert [table["id"] for table in listed] == ids[::-1]
    for table in listed:
        one = guest.get(f"/api/tables/{table['id']}")
        assert one["commitment"] == table["commitment"] is not None
        assert one["count"] == table["count"]


def test_tables_that_come_back_are_counted(new_url: NewUrl, monkeypatch: pytest.MonkeyPatch) -> None:
    """To play a run again, however short, takes a while in which nobody else moves."""
    monkeypatch.setattr(halls, "REPLAYS", (5 * halls.LEAST_REPLAY, 0.001))
    with Server(new_url(), limits=1) as server:
        guest = server.guest()
        table = guest.open("farkle")
        server.app.state.hall._live.clear()
        codes = []
        for _ in range(8):
            answer = guest.ask("GET", f"/api/tables/{table}")
            codes.append(answer.status_code)
            server.app.state.hall._live.clear()
        assert codes == [200] * 5 + [503] * 3
        # until there is enough for the whole run again, and not for one step of it
        assert int(answer.headers["retry-after"]) == pytest.approx(halls.LEAST_REPLAY / 0.001, rel=0.05)


def test_a_table_that_was_only_looked_at_is_not_kept(server: Server) -> None:
    guest = server.guest()
    table_id = guest.open("lite-solo")
    with guest.sit(table_id) as tab:
        tab.move(tab.moves[0])
    assert guest.get(f"/api/tables/{table_id}")["count"] == 3
    assert table_id not in server.app.state.hall._live


def test_nobody_is_kept_from_a_table_by_a_crowd_of_questions(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_server.app.state.hall.thinking.questions, "_waiting", 0)
    guest = own_server.guest()
    assert guest.get("/api/coach/odds", 503, game="farkle")["code"] == "busy"
    for game in ("lite-versus", "farkle"):
        with guest.sit(guest.open(game, seats=["you", "level:2"])) as tab:
            tab.move(tab.moves[0])
    odd = {"straight": True, "straight_points": 1505, "target": 2000}
    with guest.sit(guest.open("farkle", options=odd)) as tab:
        assert tab.shown["recommended"] is None, "one can play without it"
        tab.move(tab.moves[0])


def test_so_many_tables_are_open_at_once(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "MOST_OPEN", 3)
    guest, other = server.guest(), server.guest()
    opened = [guest.open("lite-solo") for _ in range(3)]
    assert guest.post("/api/tables", 400, game="farkle")["code"] == "tables"
    assert {table["id"] for table in guest.get("/api/tables")} == set(opened)
    other.open("lite-solo")
    guest.call("DELETE", f"/api/tables/{opened[0]}", 204)
    with guest.sit(opened[1]) as tab:
        tab.play_on(Random(1))
    for _ in range(2):
        guest.open("lite-solo")
    guest.post("/api/tables", 400, game="lite-solo")


def test_a_run_has_so_many_steps(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST_STEPS", 5)
    guest = server.guest()
    table_id = guest.open("lite-solo")
    with guest.sit(table_id) as tab:
        tab.play_on(Random(1), 2)
        assert tab.count == 5
        assert tab.try_move(tab.moves[0]) == "table-length"
        assert tab.look()["count"] == 5
    guest.call("DELETE", f"/api/tables/{table_id}", 204)


def test_of_tables_that_nobody_watches_the_latest_are_in_memory(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(halls, "MOST_IDLE", 3)
    guest, live = own_server.guest(), own_server.app.state.hall._live
    opened = [guest.open("lite-solo") for _ in range(8)]
    assert list(live) == opened[-3:]
    for table_id in opened:
        with guest.sit(table_id) as tab:
            tab.move(tab.moves[0])
