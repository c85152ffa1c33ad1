"""What a tab may say, what is refused, and what outlives a lost connection, another tab and a restart."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError
from websockets.exceptions import ConnectionClosed

from dicehall.play.record import from_json
from dicehall.play.replay import prove
from dicehall.server import access, writer
from dicehall.server import socket as sockets
from dicehall.server import tab as tabs
from dicehall.server.live import LiveTable, seated
from dicehall.server.wire import LONGEST_MESSAGE, PROTOCOL, Close
from dicehall.store import tables
from tests.patience import PATIENCE
from tests.server.games import BOTS, every_game, options
from tests.server.running import HELLO, Json, Server
from tests.server.test_operator import soon
from tests.store.rows import TABLE


@every_game
def test_a_lost_connection_loses_nothing(server: Server, game: str) -> None:
    guest, random = server.guest(), Random(3)
    table_id = guest.open(game, options=options(game))
    steps: list[str] = []
    for _ in range(4):
        with guest.sit(table_id) as tab:
            assert tab.steps[: len(steps)] == steps
            tab.play_on(random, 2)
            steps, view = tab.steps, tab.shown["view"]
            tab.connection.socket.close()  # no goodbye
        with guest.sit(table_id) as tab:
            assert (tab.steps, tab.shown["view"]) == (steps, view)
        assert guest.get(f"/api/tables/{table_id}")["count"] == len(steps)


def test_a_move_sent_before_the_line_is_cut_counts(server: Server) -> None:
    guest = server.guest()
    table_id = guest.open("lite-solo")
    with guest.sit(table_id) as tab:
        tab.send(type="move", seen=1, move="b2")
    with guest.sit(table_id) as tab:
        tab.move("b2", seen=1)  # whether it arrived or not, sending it again is right
        assert [step for step in tab.steps if not step.startswith("d")] == ["b2"]


def test_the_same_move_twice_counts_once(server: Server) -> None:
    guest = server.guest()
    with guest.sit(guest.open("lite-solo")) as tab:
        first = tab.move("b2")
        again = tab.move("b2", seen=1)
        assert again["count"] == first["count"] == 3
        assert again["view"] == first["view"]
        assert again["news"] == []
        tab.move("a1")
        assert tab.move("b2", seen=1)["count"] == 5
        assert tab.steps[1::2] == ["b2", "a1"]


def test_two_tabs_that_move_at_once_move_once(server: Server) -> None:
    guest = server.guest()
    table_id = guest.open("lite-solo")
    with guest.sit(table_id) as one, guest.sit(table_id) as other:
        start = threading.Barrier(2)

        def send(move: str, tab: Any) -> None:
            start.wait()
            tab.send(type="move", seen=1, move=move)

        threads = [threading.Thread(target=send, args=pair) for pair in (("a1", one), ("c3", other))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for tab in (one, other):
            while tab.count != 3:
                tab.hear()
        assert one.steps == other.steps
    with guest.sit(table_id) as tab:
        assert tab.count == 3
        assert tab.steps[1] in ("a1", "c3")


@pytest.mark.parametrize("seen", [0, 2, 99, -1, -2, -1000, 10**30])
def test_a_move_on_another_position_is_refused(server: Server, seen: int) -> None:
    guest = server.guest()
    with guest.sit(guest.open("lite-solo")) as tab:
        first = tab.steps[0]
        for message in ({"type": "move", "move": "b2"}, {"type": "move", "move": first}, {"type": "undo"}):
            if seen == 0 and message.get("move") == first:
                continue  # that is the step that stands there
            tab.send(**message, seen=seen)
            assert tab.refusal() in ("stale", "message")
        assert tab.look()["count"] == 1


def test_a_stale_tab_is_told_to_look_again(server: Server) -> None:
    guest = server.guest()
    with guest.sit(guest.open("lite-solo")) as tab:
        tab.move("b2")
        assert tab.try_move("a1", seen=1) == "stale"
        assert tab.look()["count"] == 3


def test_two_tabs_see_each_other_move(server: Server) -> None:
    guest = server.guest()
    table_id = guest.open("lite-versus", seats=["you", "you"])
    with guest.sit(table_id) as one, guest.sit(table_id) as other:
        for mover, watcher in ((one, other), (other, one), (one, other)):
            mover.move(mover.moves[0])
            watcher.table()
            assert watcher.shown["news"] == mover.shown["news"]
            assert watcher.steps == mover.steps
            assert watcher.shown["view"] == mover.shown["view"]
        one.play_on(Random(1))
        while not other.is_over:
            other.table()
        assert other.steps == one.steps
        assert other.shown["run"] == one.shown["run"] is not None


@every_game
def test_what_is_not_allowed_changes_nothing(server: Server, game: str) -> None:
    guest, random = server.guest(), Random(4)
    nonsense = ["", "d5", "x" * 200, "b2 a1", "resign", "ü", "\0", "999999999999999999999"]
    with guest.sit(guest.open(game, options=options(game))) as tab:
        while not tab.is_over:
            shown = tab.shown
            for move in (*random.sample(nonsense, 2), random.choice(["a1", "7", "bank", "two", "9+8", "111"])):
                if move not in tab.moves:
                    assert tab.try_move(move)
            assert tab.look()["view"] == shown["view"]
            last = random.choice(tab.moves)
            tab.move(last)
        assert tab.try_move(last) in ("game-over", "move")
        assert tab.look()["view"]["result"]


def test_messages_that_are_none(server: Server) -> None:
    guest = server.guest()
    with guest.sit(guest.open("lite-solo")) as tab:
        for text in (
            "", "{}", "[]", "null", "[" * 3000, '{"type":"move"}', '{"type":"move","seen":"1","move":"b2"}',
            '{"type":"move","seen":1.5,"move":"b2"}', '{"type":"bye"}', '{"type":"look","more":1}', "\x00", "ä" * 100,
            '{"type":"move","seen":1,"move":"\\ud800"}', '{"type":"move","seen":1,"move":null}',
        ):  # fmt: skip
            tab.connection.send(text)
            assert tab.refusal() in ("message", "move")
        tab.connection.send(b"\xff\xfe")
        assert tab.refusal() == "message"
        tab.connection.send(" " * (LONGEST_MESSAGE + 1))
        assert tab.refusal() == "message-length"
        assert tab.move("b2")["count"] == 3
        tab.connection.send(b'{"type":"look"}')
        assert tab.table()["count"] == 3, "bytes are as good as text"


@pytest.mark.parametrize(
    "first", [{"type": "hello", "protocol": PROTOCOL + 1}, {"type": "hello", "protocol": 0}, {"type": "look"}]
)
def test_a_client_of_another_protocol_is_told_so(server: Server, first: Json) -> None:
    guest = server.guest()
    assert guest.close_code(guest.open("lite-solo"), first) == Close.STALE_CLIENT
    told = json.loads(guest.heard[-1])
    assert told["code"] == "stale-client"
    assert str(PROTOCOL) in told["message"]


def test_whoever_says_no_hello_is_not_served(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "PATIENCE", 0.05)
    guest = server.guest()
    table_id = guest.open("lite-solo")
    assert guest.close_code(table_id, "nonsense") == Close.STALE_CLIENT
    assert guest.close_code(table_id) == Close.TOO_SLOW


def test_a_table_that_is_not_mine_is_no_table(server: Server) -> None:
    guest, other = server.guest(), server.guest()
    table_id = other.open("lite-solo")
    for asked in (table_id, "nowhere", "%C3%A4", "0" * 300):
        assert guest.close_code(asked, HELLO) == Close.NO_TABLE
        for method in ("GET", "DELETE"):
            answer = guest.ask(method, f"/api/tables/{asked}")
            assert (answer.status_code, answer.json()) == (404, {"code": "table", "message": "there is no such table"})
    assert server.stranger().close_code(table_id, HELLO) == Close.NO_ACCOUNT
    with other.sit(table_id) as tab:
        assert tab.move("b2")["count"] == 3


@every_game
def test_a_restart_changes_nothing(own_server: Server, game: str) -> None:
    """Twin tables with the same seed: one is played through, the other across restarts."""
    guest, asked = own_server.guest(), {"options": options(game), "seats": BOTS.get(game, ["you"])}
    ranked = guest.open(game, **asked)
    twins = [guest.open(game, kind="practice", seed="twins", **asked) for _ in range(2)]
    with guest.sit(twins[0]) as tab:
        tab.play_on(Random(9))
        through = tab.steps
    random, seen = Random(9), None
    for moves in (3, 2, 10_000):
        with guest.sit(ranked) as tab:
            if seen is not None:
                assert (tab.steps, tab.shown["view"], tab.shown["commitment"]) == seen
            tab.play_on(Random(1), 2)
            seen = (tab.steps, tab.shown["view"], tab.shown["commitment"])
        with guest.sit(twins[1]) as tab:
            tab.play_on(random, moves)
            assert tab.steps == through[: len(tab.steps)]
            run = tab.shown["run"]
        own_server.restart()
    with guest.sit(twins[1]) as tab:
        assert tab.is_over
        assert tab.steps == through
        assert tab.shown["run"] == run is not None
    with guest.sit(ranked) as tab:
        tab.play_on(Random(2))
        assert prove(from_json(guest.run(tab)["record"])) > 0


def test_two_moves_of_one_tap_are_one_undo_after_a_restart_too(own_server: Server) -> None:
    """Both or neither; said again they count once."""
    guest = own_server.guest()
    practice = guest.open("farkle", kind="practice", seed="x")
    with guest.sit(practice) as tab:
        start, keep = tab.shown, tab.shown["view"]["moves"][0]["move"]
        tab.send(type="move", seen=tab.count, move=keep, then=keep)
        assert tab.refusal() == "already-kept"
        assert tab.look()["count"] == start["count"]
        tab.send(type="move", seen=start["count"], move=keep, then="roll")
        shown = tab.table()
        assert shown["news"][:2] == [keep, "roll"]
        assert [frame["step"] for frame in shown["film"]] == shown["news"]
        tab.send(type="move", seen=start["count"], move=keep, then="roll")
        assert tab.table()["count"] == shown["count"]
        tab.send(type="move", seen=start["count"], move=keep, then="bank")
        assert tab.refusal() == "stale"
    assert guest.get(f"/api/tables/{practice}")["count"] == shown["count"]
    own_server.restart()
    with guest.sit(practice) as tab:
        tab.send(type="undo", seen=tab.count)
        assert tab.table()["view"] == start["view"]


def test_undo_and_archive_outlive_a_restart(own_server: Server) -> None:
    guest = own_server.guest()
    own_server.clock.to("2026-11-16 08:00")
    archived, practice = (
        guest.open("lite-solo", kind="archive", day="2026-11-15"),
        guest.open("lite-solo", kind="practice", seed="x"),
    )
    with guest.sit(practice) as tab:
        tab.move("a1")
        tab.send(type="undo", seen=tab.count)
        assert tab.table()["unranked"] == ["undo"]
    own_server.restart()
    with guest.sit(practice) as tab:
        assert tab.shown["unranked"] == ["undo"]
        tab.play_on(Random(1))
        assert guest.run(tab)["record"]["unranked"] == ["undo"]
    with guest.sit(archived) as tab:
        assert tab.shown["unranked"] == ["archive"]
        tab.play_on(Random(1), 2)
    own_server.restart()
    with guest.sit(archived) as tab:
        assert tab.shown["unranked"] == ["archive"]


def test_a_table_given_up_is_gone_for_every_tab(server: Server) -> None:
    guest = server.guest()
    table_id = guest.open("lite-solo", options={"reroll": True})
    with guest.sit(table_id) as tab:
        tab.play_on(Random(1), 3)
        guest.call("DELETE", f"/api/tables/{table_id}", 204)
        with suppress(ConnectionClosed):  # it may have been told already
            tab.send(type="move", seen=tab.count, move=tab.moves[0])
        assert tab.closed() == Close.NO_TABLE
    assert guest.close_code(table_id, HELLO) == Close.NO_TABLE
    assert guest.get("/api/tables") == []
    assert guest.get("/api/runs")["runs"] == []


def test_a_bot_that_makes_the_last_move_is_waited_for_before_a_table_is_given_up(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody gets away from a run that is as good as lost: it is over, and stays among the runs."""
    guest, hall, go_on = own_server.guest(), own_server.app.state.hall, threading.Event()
    table_id, play = guest.open("lite-versus", seats=["you", "level:1"]), hall.thinking.let_bots_play
    monkeypatch.setattr(hall.thinking, "think_ahead", lambda live: None)

    async def slow(live: LiveTable) -> None:
        await asyncio.to_thread(go_on.wait, PATIENCE)
        await play(live)

    with guest.sit(table_id) as tab, ThreadPoolExecutor(1) as threads:
        tab.play_on(Random(1), 8)
        monkeypatch.setattr(hall.thinking, "let_bots_play", slow)
        tab.send(type="move", seen=tab.count, move=tab.moves[0])
        soon(lambda: hall._live[table_id].saving)
        given_up = threads.submit(guest.call, "DELETE", f"/api/tables/{table_id}", 204)
        try:
            soon(lambda: given_up.done() or hall._live[table_id]._waiting)
            assert not given_up.done()
        finally:
            go_on.set()
        given_up.result()
        assert tab.table()["run"] == guest.get("/api/runs")["runs"][0]["id"]


def test_a_write_that_fails_leaves_the_table_as_it_was(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    guest, save = server.guest(), tables.write_steps
    table_id = guest.open("lite-solo")
    with guest.sit(table_id) as watcher, guest.sit(table_id) as tab:

        def fail(*_: Any) -> None:
            raise OperationalError("UPDATE", {}, Exception("the disk is full"))

        monkeypatch.setattr(tables, "write_steps", fail)
        tab.send(type="move", seen=1, move="b2")
        assert tab.refusal() == "not-kept", "nothing is acknowledged"
        monkeypatch.setattr(tables, "write_steps", save)
        assert tab.table()["count"] == 1
        tab.move("a1")
        assert tab.steps[1] == "a1"
        assert watcher.table()["count"] == 3
        assert watcher.steps[1] == "a1"
        watcher.move("c3")
        tab.table()
        assert tab.steps == watcher.steps


def test_unreadable_messages_are_answered_in_their_turn(server: Server) -> None:
    """A question to the coach takes a while. What is sent meanwhile waits, whether it can be read or not."""
    guest = server.guest()
    with guest.sit(guest.open("lite-solo")) as tab:
        tab.send(type="hint", seen=tab.count)
        tab.connection.send("nonsense")
        tab.send(type="move", seen=99, move="a1")
        tab.connection.send("{}")
        assert tab.table()["hint"] is not None
        assert [tab.refusal() for _ in range(3)] == ["message", "stale", "message"]


def test_more_messages_than_can_wait_end_the_talk(server: Server) -> None:
    guest = server.guest()
    with guest.sit(guest.open("lite-versus", seats=["you", "random"])) as tab:
        with suppress(ConnectionClosed):
            for _ in range(tabs.MOST_WAITING + 10):
                tab.send(type="hint", seen=tab.count)
        assert tab.closed() == Close.TOO_MUCH
    assert any('"too-fast"' in text for text in guest.heard[-3:])


def test_a_table_that_was_read_before_a_move_is_read_again(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one request waits for the store, another finds the table, plays there and leaves."""
    guest, load, has_read, go_on = server.guest(), tables.load, threading.Event(), threading.Event()
    path = f"/api/tables/{guest.open('lite-solo')}"
    table_id = guest.get(path)["id"]  # from now on it is in the store alone

    def slow(connection: Connection, asked: str) -> tables.SavedTable | None:
        found = load(connection, asked)
        if not has_read.is_set():
            has_read.set()
            go_on.wait(PATIENCE)
        return found

    monkeypatch.setattr(access, "READ_SECONDS", 2 * PATIENCE)
    monkeypatch.setattr(tables, "load", slow)
    with ThreadPoolExecutor(1) as threads:
        late = threads.submit(guest.get, path)
        assert has_read.wait(PATIENCE)
        with guest.sit(table_id) as tab:
            tab.move("b2")
        soon(lambda: table_id not in server.app.state.hall._live)
        go_on.set()
        assert late.result()["count"] == 3


def test_a_hint_about_a_position_that_is_gone_is_not_given(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody moves in another tab while the coach thinks."""
    guest, hall = own_server.guest(), own_server.app.state.hall
    table_id, ask = guest.open("lite-solo"), hall.questions.ask

    async def slow(*asked: Any) -> Any:
        told = await ask(*asked)
        hall.play(hall._live[table_id], guest.id, 1, "b2", lambda error: None)
        return told

    monkeypatch.setattr(hall.questions, "ask", slow)
    with guest.sit(table_id) as tab:
        tab.send(type="hint", seen=1)
        assert tab.table()["count"] == 3
        assert tab.refusal() == "stale"
        shown = tab.look()
        assert (shown["hint"], shown["unranked"]) == (None, [])


def test_whoever_comes_while_a_move_is_saved_is_shown_it(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever made it has gone, and nobody watches: the table stays in memory until the store has it."""
    guest, save, go_on = own_server.guest(), tables.write_steps, threading.Event()
    table_id, live = guest.open("lite-solo"), own_server.app.state.hall._live

    def slow(connection: Connection, played: Sequence[tables.Steps], now: int) -> int:
        go_on.wait(PATIENCE)
        return save(connection, played, now)

    monkeypatch.setattr(writer, "QUICK", 0.0)
    monkeypatch.setattr(tables, "write_steps", slow)
    with guest.sit(table_id) as tab:
        tab.send(type="move", seen=1, move="b2")
        soon(lambda: live[table_id].saving)
    soon(lambda: table_id not in live or not live[table_id].watchers)
    with guest.sit(table_id) as late:
        assert late.count == 1
        go_on.set()
        assert late.table()["count"] == 3
    soon(lambda: table_id not in live)


def test_what_a_position_is_worth_is_told_when_the_store_has_it(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then the move that led there may still be lost."""
    guest, save, go_on = own_server.guest(), tables.write_steps, threading.Event()
    table_id, live = guest.open("lite-solo", kind="practice"), own_server.app.state.hall._live

    def slow(connection: Connection, played: Sequence[tables.Steps], now: int) -> int:
        go_on.wait(PATIENCE)
        return save(connection, played, now)

    monkeypatch.setattr(writer, "QUICK", 0.0)
    monkeypatch.setattr(tables, "write_steps", slow)
    with guest.sit(table_id) as tab, ThreadPoolExecutor(1) as threads:
        tab.send(type="move", seen=1, move="b2")
        soon(lambda: live[table_id].saving)
        asked = threads.submit(guest.get, f"/api/tables/{table_id}/worth")
        try:
            soon(lambda: live[table_id]._waiting or asked.done())
            assert not asked.done()
        finally:
            go_on.set()
        assert asked.result()["value"] > 0


@pytest.mark.parametrize("kind", ["practice", "ranked"])
def test_whoever_asks_while_a_move_is_saved_is_told_nothing_of_it_if_that_fails(
    own_server: Server, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the move, which was never made, nor the die that would have come after it."""
    guest, go_on = own_server.guest(), threading.Event()
    table_id, live = guest.open("lite-solo", kind=kind), own_server.app.state.hall._live
    paths = [f"/api/tables/{table_id}{path}" for path in ("/film", "", *["/worth"] * (kind == "practice"))]
    before = [guest.get(path) for path in paths]

    def fail(*_: Any) -> None:
        go_on.wait(PATIENCE)
        raise OperationalError("UPDATE", {}, Exception("the disk is full"))

    monkeypatch.setattr(writer, "QUICK", 0.0)
    monkeypatch.setattr(tables, "write_steps", fail)
    with guest.sit(table_id) as tab, ThreadPoolExecutor(len(paths)) as threads:
        tab.send(type="move", seen=1, move="b2")
        soon(lambda: live[table_id].saving)
        asked = [threads.submit(guest.get, path) for path in paths]
        try:
            soon(lambda: len(live[table_id]._waiting) == len(paths) - 1)  # all but the table itself
        finally:
            go_on.set()
        assert [one.result() for one in asked] == before
        assert tab.refusal() == "not-kept"


def test_news_continue_what_was_seen_or_are_none() -> None:
    """A move was taken back and another made, while a client did not listen."""
    live = seated(replace(TABLE, game="lite-solo", options={}, seats=("you",)))
    for move in ("a1", "b1"):
        live.table.play(move)
    live.draw()
    steps = live.table.steps
    for seen, news in (
        ((), steps),
        (steps[:1], steps[1:]),
        (steps, ()),
        ((steps[0], "b1"), ()),
        ((steps[0], "b1", *steps[2:4]), ()),
        ((*steps, "c1"), ()),
    ):
        frame = live.snapshot.since(seen)
        assert tuple(json.loads(frame[frame.index(b"{") :])["news"]) == news
