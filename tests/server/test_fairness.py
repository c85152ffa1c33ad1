"""Nobody learns a daily's dice before playing them: one open attempt at a time, runs hidden until one has played, and
what remains is bounded."""

from __future__ import annotations

import json
from random import Random

from sqlalchemy import select

from dicehall.server.wire import PROTOCOL, Close
from dicehall.store import daily, schema
from tests.server.games import every_game
from tests.server.running import Guest, Json, Server
from tests.server.test_daily import TODAY, TOMORROW, board, scores

ELSEWHERE = "203.0.113.7"
WAYS = ("", "/film", "/proof", "/report")  # in which a run is shown


def guest_from(server: Server, address: str) -> Guest:
    """Somebody from another network, behind a proxy on this machine."""
    guest = server.stranger()
    guest.http.headers["x-forwarded-for"] = address
    guest.id = guest.post("/api/me")["id"]
    return guest


# -- one open attempt at a time


def test_a_second_attempt_ends_the_first(own_server: Server) -> None:
    """Or one would learn the dice at the second table and top the board of first attempts with the first."""
    guest = own_server.guest()
    opened = guest.post("/api/tables", 201, game="lite-solo", kind="daily")
    assert opened["first"]
    with guest.sit(opened["id"]) as tab:
        assert tab.shown["first"]
        tab.play_on(Random(1), 2)
        second = guest.post("/api/tables", 201, game="lite-solo", kind="daily")
        assert not second["first"]
        assert tab.closed() == Close.NO_TABLE, "whoever watches is told"
    assert guest.close_code(opened["id"], {"type": "hello", "protocol": PROTOCOL}) == Close.NO_TABLE
    guest.get(f"/api/tables/{opened['id']}", 404)
    assert [table["id"] for table in guest.get("/api/tables")] == [second["id"]]
    with guest.sit(second["id"]) as tab:
        tab.play_on(Random(3))
        run = guest.run(tab)
    assert board(guest)["entries"] == []
    assert scores(board(guest, "best")) == {guest.id: run["score"]}
    third = guest.play("lite-solo", 4, kind="daily")
    assert board(guest)["entries"] == [], "and no later one becomes the first"
    assert scores(board(guest, "best")) == {guest.id: max(run["score"], third["score"])}


@every_game
def test_an_attempt_at_which_nothing_was_done_is_opened_again(own_server: Server, game: str) -> None:
    """Whoever did not hear the answer asks again, and must not lose the first attempt by it."""
    guest, asked = own_server.guest(), {"game": game, "kind": "daily"}
    opened = guest.post("/api/tables", 201, **asked)
    again = guest.post("/api/tables", 201, **asked)
    assert (again["id"], again["first"], again["view"]) == (opened["id"], True, opened["view"])
    own_server.restart()
    assert guest.post("/api/tables", 201, **asked)["id"] == opened["id"]
    with guest.sit(opened["id"]) as tab:
        tab.play_on(Random(1), 1)
    other = guest.post("/api/tables", 201, **asked)
    assert (other["id"] == opened["id"], other["first"]) == (False, False)


def test_an_attempt_with_a_hint_is_not_opened_again(own_server: Server) -> None:
    guest = own_server.guest()
    first = guest.open("lite-solo", kind="daily")
    with guest.sit(first) as tab:
        tab.send(type="hint", seen=tab.count)
        tab.table()
    assert guest.open("lite-solo", kind="daily") != first, "or the best of the day would be off the boards too"


def test_a_look_at_the_table_of_a_stranger_leaves_it_where_it_is(own_server: Server) -> None:
    """Or a stranger would have the run marked by asking the coach about it from elsewhere."""
    guest, stranger = own_server.guest(), guest_from(own_server, ELSEWHERE)
    table_id = guest.open("lite-solo")
    with guest.sit(table_id) as tab:
        stranger.get(f"/api/tables/{table_id}", 404)
        tab.play_on(Random(1), 5)
        nobody = own_server.stranger()
        nobody.http.headers["x-forwarded-for"] = ELSEWHERE
        nobody.post("/api/coach/advise", game="lite-solo", state=tab.shown["view"]["state"])
        assert tab.look()["unranked"] == []


def test_a_second_attempt_over_the_same_socket(own_server: Server) -> None:
    guest = own_server.guest()
    first = guest.open("lite-solo", kind="daily")
    other_game, ranked = guest.open("shut-the-box", kind="daily"), guest.open("lite-solo")
    with guest.sit(first) as tab:
        tab.move(tab.moves[0])
        tab.send(type="open", game="lite-solo", kind="daily")
        second = tab.table()["id"]
        assert second != first
        assert tab.shown["first"] is False
        tab.send(type="sit", table=first)
        assert tab.refusal() == "table"
        tab.play_on(Random(1))
    assert {table["id"] for table in guest.get("/api/tables")} == {other_game, ranked}, "no other table ends"
    assert board(guest)["entries"] == []


def test_the_table_says_whether_it_counts_as_first(own_server: Server) -> None:
    guest = own_server.guest()
    table_id = guest.open("lite-solo", kind="daily")
    own_server.restart()
    assert guest.get(f"/api/tables/{table_id}")["first"] is True
    assert guest.get(f"/api/tables/{guest.open('lite-solo')}")["first"] is None


# -- hidden until one's first attempt is over


def shown(guest: Guest, run: Json) -> set[int]:
    answers = [guest.ask("GET", f"/api/runs/{run['id']}{way}") for way in WAYS]
    for answer in answers:
        if answer.status_code == 403:
            assert answer.json()["code"] == "daily-hidden"
            assert run["record"]["steps"] not in answer.text
    return {answer.status_code for answer in answers}


def test_todays_runs_are_for_those_who_have_played(own_server: Server) -> None:
    finished, playing, other_game, stranger = (own_server.guest() for _ in range(4))
    stranger.http.cookies.clear()
    run = finished.play("lite-solo", 1, kind="daily")
    with finished.sit(finished.open("lite-solo", kind="daily")) as tab:
        tab.send(type="hint", seen=tab.count)
        tab.table()
        tab.play_on(Random(2))
        unranked = finished.run(tab)
    assert not unranked["ranked"]
    table_id = playing.open("lite-solo", kind="daily")
    other_game.play("shut-the-box", 1, kind="daily")
    for one in (run, unranked):
        assert shown(finished, one) == {200}
        for guest in (playing, other_game, stranger):
            assert shown(guest, one) == {403}
    with playing.sit(table_id) as tab:
        tab.play_on(Random(5))
    given_up = own_server.guest()
    given_up.call("DELETE", f"/api/tables/{given_up.open('lite-solo', kind='daily')}", 204)
    for guest in (playing, given_up):
        assert shown(guest, run) == shown(guest, unranked) == {200}
    own_server.clock.to(f"{TOMORROW} 00:00:00")
    for guest in (stranger, other_game):
        assert shown(guest, run) == {200}, "the day is over"


def test_no_other_way_to_todays_dice(own_server: Server) -> None:
    """Whatever a newcomer may ask: none of the steps that others have seen is in the answer."""
    guest, newcomer = own_server.guest(), own_server.guest()
    run = guest.play("lite-solo", 1, kind="daily")
    secret = own_server.stored(lambda c: daily.find(c, TODAY, "lite-solo", run["mode"])).secret  # type: ignore[union-attr]
    newcomer.open("lite-solo", kind="daily")
    steps = run["record"]["steps"]
    for who in (newcomer, own_server.stranger()):
        for path in (
            "/api/lobby", "/api/daily", f"/api/daily/{TODAY}", f"/api/daily/{TOMORROW}", "/api/archive/lite-solo",
            f"/api/daily/{TODAY}/lite-solo/board", f"/api/daily/{TODAY}/lite-solo/board?which=best",
            f"/api/daily/{TODAY}/lite-solo/benchmark", f"/api/runs/{run['id']}", f"/api/runs/{run['id']}/film",
            f"/api/runs/{run['id']}/proof", f"/api/runs/{run['id']}/report", "/api/runs",
            "/api/runs/best?game=lite-solo", "/api/runs/last?game=lite-solo", "/api/tables",
            "/api/me/export", "/api/export/ranked.jsonl", "/metrics", "/api/boards/lite-solo", "/api/puzzles",
        ):  # fmt: skip
            who.ask("GET", path)
        benchmark = who.get(f"/api/daily/{TODAY}/lite-solo/benchmark")
        assert (benchmark["perfect"], benchmark["foresight"]) == (None, None)
        assert benchmark["expected"] > 0
        assert not any(steps in text or secret in text for text in who.heard)
    newcomer.post("/api/tables", 400, game="lite-solo", kind="archive", day=TODAY)
    verdict = newcomer.post("/api/records/check", record=run["record"])
    assert (verdict["ok"], verdict["proved"], verdict["code"]) == (True, False, "not-revealed")
    assert guest.get(f"/api/daily/{TODAY}/lite-solo/benchmark")["perfect"] > 0


def test_the_export_waits_for_the_end_of_the_day(own_server: Server) -> None:
    guest = own_server.guest()
    ranked = guest.play("lite-solo", 1)
    own_server.clock.now += 1
    today = guest.play("lite-solo", 2, kind="daily")

    def exported() -> list[str]:
        lines = own_server.stranger().ask("GET", "/api/export/ranked.jsonl").text.splitlines()
        return [json.loads(line)["steps"] for line in lines]

    assert exported() == [ranked["record"]["steps"]]
    own_server.clock.to(f"{TOMORROW} 00:00:00")
    assert exported() == [ranked["record"]["steps"], today["record"]["steps"]]


# -- what remains is bounded, and told


def test_the_boards_tell_how_many_came_from_one_network(own_server: Server) -> None:
    neighbours = [own_server.guest() for _ in range(2)]
    alone = guest_from(own_server, ELSEWHERE)
    for n, guest in enumerate((*neighbours, alone)):
        guest.play("lite-solo", n, kind="daily")
        guest.play("lite-solo", n + 7, kind="daily")
    for which in ("first", "best"):
        told = {entry["player"]: entry["same_network"] for entry in board(alone, which)["entries"]}
        assert told == {neighbours[0].id: 2, neighbours[1].id: 2, alone.id: 1}
        assert board(alone, which)["me"]["same_network"] == 1
    alone.play("lite-solo")
    assert alone.get("/api/boards/lite-solo")["entries"][0]["same_network"] is None

    def networks() -> dict[str, set[str]]:
        rows = own_server.stored(lambda c: c.execute(select(schema.attempts)).all())
        return {day: {str(row.network) for row in rows if row.day == day} for day in (TODAY, TOMORROW)}

    own_server.clock.to(f"{TOMORROW} 12:00")
    alone.open("lite-solo", kind="daily")
    kept = networks()
    assert len(kept[TODAY]) == 2
    assert kept[TOMORROW].isdisjoint(kept[TODAY]), "nobody is followed from day to day"
    assert not any(address in repr(kept) for address in (ELSEWHERE, "127.0.0.1"))


def test_a_crowd_from_one_network_plays_for_the_best_board_alone(own_server: Server) -> None:
    for _ in range(daily.MOST_FROM_ONE_NETWORK):
        own_server.guest().open("lite-solo", kind="daily")
    late, elsewhere = own_server.guest(), guest_from(own_server, ELSEWHERE)
    opened = late.post("/api/tables", 201, game="lite-solo", kind="daily")
    assert opened["first"] is False, "it is said from the start"
    with late.sit(opened["id"]) as tab:
        tab.play_on(Random(1))
        run = late.run(tab)
    assert run["ranked"]
    assert board(late)["entries"] == []
    assert scores(board(late, "best")) == {late.id: run["score"]}
    assert board(late, "best")["me"]["same_network"] == 31
    assert scores(board(elsewhere)) == {}
    first = elsewhere.play("lite-solo", kind="daily")
    assert scores(board(elsewhere)) == {elsewhere.id: first["score"]}


def test_a_board_tells_of_new_accounts(own_server: Server) -> None:
    guest, daily_guest = own_server.guest(), own_server.guest()
    guest.play("lite-solo", 1)
    daily_guest.play("lite-solo", 1, kind="daily")
    assert guest.get("/api/boards/lite-solo")["me"]["new_account"]
    assert board(daily_guest)["me"]["new_account"]
    own_server.clock.now += 86_400
    daily_guest.play("lite-solo", 1, kind="daily")
    assert not board(daily_guest, day=TOMORROW)["me"]["new_account"]
    assert guest.get("/api/boards/lite-solo")["me"]["new_account"], "it was new then"
