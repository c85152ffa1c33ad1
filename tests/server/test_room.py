"""How much room anybody may take: sizes of what is sent, connections, reads, downloads."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import httpx
import pytest

from dicehall.bots.player import play_on, player
from dicehall.play.table import Table
from dicehall.rules.catalog import find_game
from dicehall.server import access, downloads
from dicehall.server import socket as sockets
from dicehall.server.app import LONGEST_BODIES, LONGEST_BODY
from dicehall.server.door import Door
from dicehall.server.http import Http
from dicehall.server.jobs import LONGEST_RECORD, MOST_STEPS
from dicehall.server.serve import signing_key
from dicehall.server.settings import Settings
from dicehall.server.wire import Close
from dicehall.store import runs
from dicehall.store.engine import KEY
from tests.patience import PATIENCE
from tests.server.running import CUT_OFF, HELLO, Json, Server, run_apart, upgrade
from tests.server.test_operator import soon


def answer_to_a_long_body(server: Server, path: str, longest: int, chunked: bool) -> tuple[int, Json]:
    """Say how much is coming, or send it bit by bit; stop as soon as there is an answer."""
    caller = HTTPConnection("127.0.0.1", server.port, timeout=10)
    with closing(caller):
        caller.putrequest("POST", path)
        caller.putheader("Content-Type", "application/json")
        if chunked:
            caller.putheader("Transfer-Encoding", "chunked")
            caller.endheaders()
            for _ in range(longest // 1024 + 1):
                caller.send(b"400\r\n" + b" " * 1024 + b"\r\n")
        else:
            caller.putheader("Content-Length", str(longest + 1))
            caller.endheaders()
        answer = caller.getresponse()
        return answer.status, json.loads(answer.read())


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("path", ["/api/me/redeem", "/api/coach/advise", *LONGEST_BODIES])
def test_a_request_has_a_size(server: Server, path: str, chunked: bool) -> None:
    """Little for all that takes little: whatever is read of it is read by the event loop."""
    longest = LONGEST_BODIES.get(path, LONGEST_BODY)
    assert longest <= 64 * 1024
    status, told = answer_to_a_long_body(server, path, longest, chunked)
    assert (status, told["code"]) == (413, "body-length")
    guest = server.guest()
    assert not guest.post("/api/records/check", record="x" * LONGEST_RECORD)["ok"]


def test_a_record_longer_than_any_run_is_not_read(server: Server) -> None:
    guest = server.guest()
    steps = " ".join(["d1"] * (MOST_STEPS + 2))
    for record in ("x" * (LONGEST_RECORD + 1), steps, steps.replace(" ", "-"), {"steps": steps}):
        assert guest.post("/api/records/check", 400, record=record)["code"] == "record-length"


def test_a_message_has_a_size(server: Server) -> None:
    guest = server.guest()
    table_id = guest.open("lite-solo")
    assert guest.close_code(table_id, HELLO, "x" * 200_000) in (1009, CUT_OFF)
    with guest.sit(table_id) as tab:
        assert tab.count == 1


def test_a_first_table_is_asked_for_within_a_minute(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "TIME_TO_CHOOSE", 0.2)
    guest = server.guest()
    assert guest.close_code("new", HELLO) == Close.TOO_SLOW
    assert guest.close_code("new", HELLO, {"type": "look"}) == Close.TOO_SLOW
    with guest.sit(guest.open("lite-solo")) as tab:
        tab.move("b2")


def test_connections_of_one_network(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of its own connections the longest idle one goes; while none is idle, it has no more. Others do not notice."""
    monkeypatch.setattr(Http, "_network", lambda http: http.client[0])  # as if these were addresses of somebody else

    def come_from(address: str) -> socket.socket:
        return socket.create_connection(("127.0.0.1", server.port), PATIENCE, (address, 0))

    with Server(sqlite_url, connections_of_network=3) as server:
        other = come_from("127.0.0.3")
        idle, *busy = [come_from("127.0.0.2") for _ in range(3)]
        for link in busy:
            link.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n")
        busy.append(come_from("127.0.0.2"))
        busy[-1].sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n")
        with suppress(ConnectionResetError):
            assert idle.recv(100) == b""
        with come_from("127.0.0.2") as refused:
            assert b" 503 " in refused.recv(100)
        for link in (other, *busy):
            link.sendall(b"\r\n" if link in busy else b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b" 200 " in link.recv(100)
        for link in (idle, other, *busy):
            link.close()


def test_the_connection_that_has_been_idle_longest_goes(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not the oldest: whoever has just asked something stays."""
    monkeypatch.setattr(Http, "_network", lambda http: http.client[0])

    def ask(link: HTTPConnection) -> int:
        link.request("GET", "/api/health")
        answer = link.getresponse()
        answer.read()
        return answer.status

    with Server(sqlite_url, connections_of_network=3) as server, ExitStack() as stack:
        first, second, third, fourth = (
            stack.enter_context(closing(HTTPConnection("127.0.0.1", server.port, PATIENCE, ("127.0.0.2", 0))))
            for _ in range(4)
        )
        assert [ask(link) for link in (first, second, third, first, fourth)] == [200] * 5
        with pytest.raises(ConnectionError):
            ask(second)
        assert [ask(link) for link in (third, first, fourth)] == [200] * 3


def test_what_is_closed_and_not_read_is_cut_off() -> None:
    async def close_unread() -> None:
        door, gone, made = Door(Settings("", b"")), asyncio.Event(), asyncio.Event()

        class Talker(asyncio.Protocol):
            def connection_made(self, transport: Any) -> None:
                assert door.enter(transport, "")
                transport.write(b"x" * 50_000_000)
                transport.close()
                made.set()

            def connection_lost(self, error: Exception | None) -> None:
                gone.set()

        listener = await asyncio.get_running_loop().create_server(Talker, "127.0.0.1", 0)
        with socket.create_connection(listener.sockets[0].getsockname()):
            await made.wait()
            door.tidy()
            await asyncio.sleep(0.05)
            assert not gone.is_set()
            door.tidy()
            await asyncio.wait_for(gone.wait(), PATIENCE)
        listener.close()

    run_apart(close_unread())


def test_a_long_record_holds_nobody_up(server: Server) -> None:
    """Six random players and a hundred turns are much work to check. Meanwhile another gets many answers, where
    somebody who has to wait would get one to each check."""
    game = find_game("farkle")
    table = Table(game, options={"max_turns": 55, "target": 1_000_000}, seats=["random"] * 6, seed="long")
    play_on(table, {seat: player("random", game, "long", seat) for seat in range(6)})
    checker, other = server.guest(), server.guest()
    text, answered = str(table.record()), 0
    proved: list[bool] = []
    assert 1000 < len(table.steps) < MOST_STEPS

    def check() -> None:
        proved.extend(checker.post("/api/records/check", record=text)["proved"] for _ in range(10))

    waiting = threading.Thread(target=check)
    waiting.start()
    while waiting.is_alive():
        other.get("/api/me")
        answered += 1
    assert proved == [True] * 10
    assert answered > 20


def test_more_reads_than_can_wait(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = server.guest()
    monkeypatch.setattr(access, "MOST_READING", 0)
    assert guest.get("/api/runs", 503)["code"] == "busy"
    monkeypatch.undo()
    guest.get("/api/runs")


def test_a_download_has_an_end(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = server.guest()
    guest.play("lite-solo", kind="practice")
    monkeypatch.setattr(downloads, "SECONDS", -1.0)
    with pytest.raises(httpx.RemoteProtocolError):
        guest.ask("GET", "/api/me/export")
    monkeypatch.undo()
    assert guest.get("/api/me/export")["runs"]


def test_two_halls_that_open_at_once_have_one_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cookies of one are good at the other."""

    def another_is_quicker(length: int) -> bytes:
        (tmp_path / KEY).write_bytes(b"o" * length)
        return b"m" * length

    monkeypatch.setattr("secrets.token_bytes", another_is_quicker)
    assert signing_key(tmp_path) == signing_key(tmp_path) == b"o" * 32
    assert [file.name for file in tmp_path.iterdir()] == [KEY]


def test_a_refused_socket_that_stays_takes_nobodys_place(tmp_path: Path) -> None:
    """It is told to go, and says nothing. Others may have its place at once, and a second later it is cut off."""
    with Server(f"sqlite:///{tmp_path}/hall.sqlite", connections=6) as server, ExitStack() as links:
        refused = [links.enter_context(closing(upgrade(server, "/ws/tables/new"))) for _ in range(6)]
        assert all(b" 101 " in link.recv(1000) for link in refused)
        server.guest()
        for link in refused:
            link.settimeout(PATIENCE)
            with suppress(ConnectionError):
                while link.recv(1000):
                    pass


def test_reads_that_come_back_late_make_room(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    guest, history, go_on = own_server.guest(), runs.history, threading.Event()
    guest.get("/api/runs")

    def hang(*asked: Any) -> list[runs.Run]:
        go_on.wait(PATIENCE)
        return history(*asked)

    monkeypatch.setattr(runs, "history", hang)
    monkeypatch.setattr(access, "READ_SECONDS", 0.1)
    for _ in range(access.READERS):
        assert guest.get("/api/runs", 503)["code"] == "busy"
    monkeypatch.setattr(access, "READ_SECONDS", PATIENCE)
    assert guest.get("/api/tables", 503)["code"] == "busy", "everybody who reads hangs: nobody waits for them"
    go_on.set()
    soon(lambda: guest.ask("GET", "/api/tables").status_code == 200)


def test_a_place_is_given_back_however_a_socket_ends(strict_server: Server) -> None:
    """There is one for each player: whoever asked for a table that is not there may ask again."""
    guest = strict_server.guest()
    for _ in range(3):
        assert guest.close_code("nowhere", HELLO) == Close.NO_TABLE
