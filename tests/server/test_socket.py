"""The socket itself: tables asked for over it, messages in pieces, clients that do not listen."""

from __future__ import annotations

import json
import socket
import time
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from dicehall.server.guard import COOKIE
from dicehall.server.wire import PROTOCOL
from tests.patience import PATIENCE
from tests.server.running import Guest, Server, Tab
from tests.server.test_operator import soon


def test_a_table_is_opened_over_the_socket(server: Server) -> None:
    guest = server.guest()
    with guest.connect("new") as connection:
        tab = Tab(connection, guest.heard)
        tab.send(type="hello", protocol=PROTOCOL)
        tab.send(type="look")
        assert tab.refusal() == "no-table"
        tab.send(type="open", game="chess")
        assert tab.refusal() == "game"
        tab.send(type="open", game="knucklebones", seats=["you", "you"], options={"first": "seat"})
        assert tab.refusal() == "option-value"
        tab.send(type="open", game="knucklebones", kind="practice", seed="mine", seats=["you", "spec"])
        first = tab.table()
        assert (first["kind"], first["seats"]) == ("practice", ["you", "spec"])
        assert guest.get(f"/api/tables/{first['id']}")["count"] == first["count"]
        tab.play_on(Random(1))
        assert guest.run(tab)["record"]["dice"]["seed"] == "mine"


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"game": "x" * 41},
        {"game": "farkle", "kind": "private"},
        {"game": "farkle", "options": {str(n): n for n in range(41)}},
        {"game": "farkle", "options": {"target": 1.5}},
        {"game": "farkle", "seats": ["you"] * 7},
        {"game": "farkle", "seed": "x" * 101},
        {"game": "farkle", "day": "today"},
        {"game": "farkle", "colour": "red"},
    ],
)
def test_a_socket_and_rest_ask_for_a_table_in_one_form(server: Server, asked: dict[str, Any]) -> None:
    guest = server.guest()
    assert guest.call("POST", "/api/tables", 422, json=asked)["code"] == "request"
    with guest.connect("new") as connection:
        tab = Tab(connection, guest.heard)
        tab.send(type="hello", protocol=PROTOCOL)
        tab.send(type="open", **asked)
        assert tab.refusal() == "message"
    assert guest.get("/api/tables") == []


def test_the_next_game_needs_no_new_socket(server: Server) -> None:
    guest = server.guest()
    with guest.connect("new") as connection, guest.connect("new") as following:
        tab, other = Tab(connection, guest.heard), Tab(following, guest.heard)
        tab.send(type="hello", protocol=PROTOCOL)
        other.send(type="hello", protocol=PROTOCOL)
        tables = []
        for game in ("lite-solo", "farkle", "lite-solo"):
            tab.send(type="open", game=game)
            tables.append(tab.table()["id"])
            assert tab.shown["news"] == tab.shown["news"][: tab.count], "all of the new table, nothing of the old"
            assert len(tab.shown["news"]) == tab.count
            other.send(type="sit", table=tables[-1])
            assert other.table()["view"] == tab.shown["view"]
            tab.move(tab.moves[0])
            assert other.table()["view"] == tab.shown["view"]
        assert len(set(tables)) == 3
        assert {table["id"] for table in guest.get("/api/tables")} == set(tables), "none of them is lost"
        tab.send(type="sit", table=tables[0])
        assert tab.table()["id"] == tables[0]
        tab.move(tab.moves[0])
        tab.send(type="sit", table=server.guest().open("lite-solo"))
        assert tab.refusal() == "table", "another's table is no table"
        assert tab.look()["id"] == tables[0], "and one stays where one is"
        assert other.look()["id"] == tables[2]


def test_whatever_is_sent_at_once_is_answered_in_order(server: Server) -> None:
    """Moves, another table in between, and moves again, without waiting for any answer."""
    guest = server.guest()
    with guest.sit(guest.open("lite-solo", kind="practice", seed="7")) as tab:
        tab.send(type="move", seen=1, move="a1")
        tab.send(type="move", seen=3, move="b1")
        tab.send(type="open", game="lite-solo", kind="practice", seed="8")
        tab.send(type="move", seen=1, move="c3")
        tab.send(type="look")
        while tab.count != 3 or tab.shown["view"]["seats"][0]["board"][2][2] is None:
            tab.table()
        counts = {table["id"] == tab.shown["id"]: table["count"] for table in guest.get("/api/tables")}
        assert counts == {False: 5, True: 3}


def test_a_table_that_nobody_watches_is_the_stores_alone(server: Server) -> None:
    guest = server.guest()
    table_id = guest.open("knucklebones", seats=["you", "random"])
    with guest.sit(table_id) as tab, guest.sit(table_id) as other:
        tab.play_on(Random(3))
        run = tab.shown["run"]
        while not other.is_over:
            other.table()
    until = time.monotonic() + PATIENCE
    while table_id in server.app.state.hall._live and time.monotonic() < until:
        time.sleep(0.001)
    assert table_id not in server.app.state.hall._live
    for _ in range(2):
        with guest.sit(table_id) as tab:
            assert (tab.is_over, tab.shown["run"]) == (True, run)
            assert tab.try_move("1") == "game-over"


class Raw:
    """A client that says byte by byte what goes onto the wire."""

    def __init__(self, guest: Guest, table_id: str, receive_buffer: int | None = None) -> None:
        self.socket = socket.socket()
        if receive_buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", guest.server.port))
        self.socket.sendall(
            f"GET /ws/tables/{table_id} HTTP/1.1\r\nHost: {guest.server.host}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
            f"Cookie: {COOKIE}={guest.http.cookies[COOKIE]}\r\n\r\n".encode()
        )
        self.stream = self.socket.makefile("rb")
        assert b" 101 " in self.stream.readline()
        while self.stream.readline() != b"\r\n":
            pass
        self.socket.sendall(text_frame(type="hello", protocol=PROTOCOL))

    def hear(self) -> dict[str, object]:
        """The next text; answers to pings are passed over."""
        while True:
            head, size = self.stream.read(2)
            if size == 126:
                size = int.from_bytes(self.stream.read(2), "big")
            data = self.stream.read(size)
            if head == 0x81:
                message: dict[str, object] = json.loads(data)
                return message

    def close(self) -> None:
        self.stream.close()
        self.socket.close()


def text_frame(**message: object) -> bytes:
    return Frame(Opcode.TEXT, json.dumps(message).encode()).serialize(mask=True)


def test_messages_in_pieces_and_several_at_once(server: Server) -> None:
    guest = server.guest()
    raw = Raw(guest, guest.open("lite-solo"))
    assert raw.hear()["count"] == 1
    look = json.dumps({"type": "look"}).encode()
    half = len(look) // 2
    ping = Frame(Opcode.PING, b"there?").serialize(mask=True)
    for chunks in (
        [text_frame(type="look")],
        [ping, text_frame(type="look")],
        [ping + text_frame(type="look")],
        [bytes([byte]) for byte in text_frame(type="look")],
        [text_frame(type="look")],
    ):
        for chunk in chunks:
            raw.socket.sendall(chunk)
            time.sleep(0.002)
        assert raw.hear()["type"] == "table"
    raw.socket.sendall(text_frame(type="look") * 5)
    assert [raw.hear()["type"] for _ in range(5)] == ["table"] * 5
    first = Frame(Opcode.TEXT, look[:half], fin=False).serialize(mask=True)
    raw.socket.sendall(first)
    raw.socket.sendall(ping)
    raw.socket.sendall(Frame(Opcode.CONT, look[half:]).serialize(mask=True))
    assert raw.hear()["type"] == "table"
    raw.socket.sendall(text_frame(type="move", seen=1, move="b2"))
    assert raw.hear()["count"] == 3
    raw.close()


def test_a_whole_frame_inside_another_is_no_message(server: Server) -> None:
    """The head of a frame alone, and then bytes that would be a frame of their own: they are the first one's text."""
    guest = server.guest()
    raw = Raw(guest, guest.open("lite-solo"))
    assert raw.hear()["count"] == 1
    inner = Frame(Opcode.TEXT, b'{"type":"look"}').serialize(mask=True)
    raw.socket.sendall(bytes((0x81, 0x80 + len(inner), 0, 0, 0, 0)))
    time.sleep(0.02)
    raw.socket.sendall(inner)
    assert raw.hear()["code"] == "message"
    raw.socket.sendall(text_frame(type="look"))
    assert raw.hear()["type"] == "table"
    raw.close()


def test_a_client_that_does_not_listen_holds_nobody_up(server: Server) -> None:
    """It asks and asks and takes no answer: the server stops listening to it, and goes on with the others."""
    guest = server.guest()
    table_id = guest.open("lite-solo", kind="practice")
    deaf = Raw(guest, table_id, receive_buffer=4096)
    deaf.socket.settimeout(0.5)
    asked = 0
    try:
        while asked < 3_000_000:  # more than any buffer on the way can hold
            deaf.socket.sendall(text_frame(type="look") * 1000)
            asked += 1000
    except TimeoutError:
        pass
    assert asked < 3_000_000, "it would have answered for ever"
    with guest.sit(table_id) as tab:
        tab.play_on(Random(1), 3)
        assert tab.count == 7
    deaf.socket.settimeout(PATIENCE)
    last = [deaf.hear() for _ in range(50)]
    assert all(message["type"] == "table" for message in last)
    deaf.close()


def test_a_table_that_was_left_for_another_is_not_kept(server: Server) -> None:
    """Or every game of a long evening would stay in memory."""
    guest, live = server.guest(), server.app.state.hall._live
    table_ids = [guest.open("lite-solo") for _ in range(3)]
    with guest.sit(table_ids[0]) as tab:
        for last, following in pairwise(table_ids):
            tab.move(tab.moves[0])
            tab.send(type="sit", table=following)
            assert tab.table()["id"] == following
            assert last not in live
            assert following in live
    soon(lambda: table_ids[-1] not in live)


def test_a_client_that_listens_again_is_shown_the_newest(own_server: Server) -> None:
    """Of what happened meanwhile it gets the end, and not all of it one by one."""
    own_server._listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    guest, moves, heard = own_server.guest(), 200, 0
    table_id = guest.open("farkle", kind="practice", seats=["you", "you"], options={"target": 1_000_000})
    slow = Raw(guest, table_id, receive_buffer=4096)
    shown = slow.hear()
    with guest.sit(table_id) as tab:
        tab.play_on(Random(1), moves)
        while shown["count"] != tab.count:
            shown = slow.hear()
            heard += 1
        assert shown["view"] == tab.shown["view"]
    assert heard < moves, "it was never slow"
    slow.close()
