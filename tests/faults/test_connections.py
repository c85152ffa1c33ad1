"""Nobody can take so many connections, or so much of one, that others do not get in or cannot play on."""

from __future__ import annotations

import json
import re
import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dicehall.server.wire import Close
from tests.faults.hall import PING, PONG, TEXT, UNLIMITED, Gone, Replica, Server, Socket, frame
from tests.patience import PATIENCE

MOST_GROWTH = 32 * 1024  # KiB
FLOOD = 64 * 1024 * 1024  # bytes, far more than the hall may keep
FEW_FILES = ("tests.faults.few_files", "--port", "0")
ROOM = 60  # connections that 260 files leave
HEAD = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = b"POST /api/me/redeem HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The hall as it is."""
    with Server(tmp_path_factory.mktemp("faults") / "hall") as server:
        yield server


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall that waits for nobody."""
    times = ("--set", "seconds_to_ask=1", "--set", "seconds_to_send=1", "--set", "seconds_to_read=0.5")
    with Server(tmp_path_factory.mktemp("faults") / "hall", *times, command=UNLIMITED) as server:
        yield server


def connect(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), PATIENCE)


def one_answer(link: socket.socket) -> bytes:
    """The head of an answer with a length; its body is read, and nothing behind it."""
    taken = b""
    while not taken.endswith(b"\r\n\r\n"):
        taken += link.recv(1)
    length = re.search(rb"content-length: (\d+)", taken)
    assert length is not None
    link.recv(int(length[1]), socket.MSG_WAITALL)
    return taken


def answer(link: socket.socket) -> tuple[int, Any, str]:
    """The status, the JSON and the head of what comes until they close; 0 if nothing comes."""
    taken = b""
    with suppress(ConnectionError):
        while more := link.recv(65536):
            taken += more
    head, _, body = taken.partition(b"\r\n\r\n")
    return (int(head.split(b" ", 2)[1]), json.loads(body), head.decode().lower()) if taken else (0, None, "")


class Player:
    """Somebody who sits at a table, and goes on with it whatever happens."""

    def __init__(self, server: Server) -> None:
        self.cookie = server.fresh_cookie()
        options = {"target": 100_000}
        status, table, _ = server.ask("POST", "/api/tables", {"game": "farkle", "options": options}, self.cookie)
        assert status == 201
        self.path = f"/ws/tables/{table['id']}"
        self.link = Socket(server.port, self.path, self.cookie)
        self.replica, self.random = Replica("farkle", options, ("you",)), Random("player")
        self.replica.follow(self.link.hello()["news"])

    def play(self) -> None:
        move = {"type": "move", "seen": len(self.replica.steps), "move": self.replica.choose(self.random)}
        shown = self.link.ask(move)
        assert shown["type"] == "table", shown
        self.replica.follow(shown["news"])

    def close(self) -> None:
        self.link.close()


def open_connections(server: Server) -> int:
    """As the metrics have them, without the one that asks."""
    with closing(connect(server)) as link:
        link.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        taken = b"".join(iter(lambda: link.recv(65536), b""))
    found = re.search(rb"^dicehall_connections (\d+)", taken, re.MULTILINE)
    assert found is not None
    return int(found[1]) - 1


def wait_until_open(server: Server, wanted: int) -> None:
    until = time.monotonic() + PATIENCE
    while (left := open_connections(server)) != wanted:
        assert time.monotonic() < until, f"{left} connections are open"
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        (HEAD + b"X: ", b"a" * 65536),
        (HEAD, b"X: a\r\n" * 10_000),
        (HEAD + b"X", b"x" * 65536),
        (b"GET /", b"a" * 65536),
        (b"", b"\r\n" * 32768),
        (CHUNKED + b"0\r\nX: ", b"a" * 65536),
        (CHUNKED + b"0\r\n", b"X: a\r\n" * 10_000),
        (CHUNKED + b"1;", b"a" * 65536),
    ],
    ids=["value", "count", "name", "address", "lines", "trailer", "trailers", "extension"],
)
def test_a_head_without_end(hall: Server, start: bytes, piece: bytes) -> None:
    before = hall.resident()
    with closing(connect(hall)) as link:
        link.sendall(start)
        sent = 0
        while sent < FLOOD and not select.select([link], [], [], 0)[0]:
            with suppress(ConnectionError):
                sent += link.send(piece)
        assert sent < FLOOD, "it takes whatever comes"
        status, told, head = answer(link)
    assert (status, told["code"]) == (431, "head-length")
    assert "connection: close" in head
    assert "x-content-type-options: nosniff" in head
    assert hall.resident() - before < MOST_GROWTH


@pytest.mark.parametrize(("count", "length", "wanted"), [(90, 5, 200), (101, 5, 431), (3, 5000, 200), (4, 5000, 431)])
def test_a_head_that_comes_at_once(hall: Server, count: int, length: int, wanted: int) -> None:
    with closing(connect(hall)) as link:
        lines = b"".join(b"X%d: %s\r\n" % (n, b"a" * length) for n in range(count))
        link.sendall(HEAD + b"Connection: close\r\n" + lines + b"\r\n")
        assert answer(link)[0] == wanted


HALVES = {  # and how they could go on for ever
    "byte": (b"G", b""),
    "line": (b"\r\n", b"\r\n"),
    "head": (HEAD, b"X: a\r\n"),
    "upgrade": (HEAD + b"Connection: Upgrade\r\nUpgrade: websocket\r\n", b"X: a\r\n"),
    "body": (b"POST /api/me/redeem HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8000\r\n\r\n{", b" "),
    "chunks": (CHUNKED, b"1\r\n \r\n"),
}


@pytest.mark.parametrize("trickle", [False, True])
def test_half_a_request(hasty: Server, trickle: bool) -> None:
    """It is told that it is late, whether nothing follows or a little again and again."""
    with ExitStack() as links:
        waiting = {links.enter_context(closing(connect(hasty))): half for half in HALVES}
        for link, half in waiting.items():
            link.sendall(HALVES[half][0])
        until = time.monotonic() + PATIENCE
        while waiting:
            assert time.monotonic() < until, f"it waits for ever: {waiting.values()}"
            for link in select.select(list(waiting), [], [], 0.02)[0]:
                half, (status, told, _) = waiting.pop(link), answer(link)
                assert (half, status, told["code"]) == (half, 408, "late")
            for link, half in waiting.items():
                link.sendall(HALVES[half][1] if trickle else b"")


def test_half_a_request_after_a_whole_one(hasty: Server) -> None:
    with closing(connect(hasty)) as link:
        link.sendall(HEAD + b"\r\n")
        assert b" 200 " in one_answer(link)
        link.sendall(HEAD)
        assert answer(link)[0] == 408


def test_a_body_that_nobody_waits_for(hasty: Server) -> None:
    """It was refused for its length; whoever goes on to send it, slowly or not at all, is hung up on."""
    for pause in (0.02, PATIENCE):
        with closing(connect(hasty)) as link:
            link.sendall(b"POST /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n")
            assert b" 413 " in one_answer(link)
            until = time.monotonic() + PATIENCE
            with suppress(ConnectionError):
                while not select.select([link], [], [], pause)[0]:
                    link.sendall(b" ")
                    assert time.monotonic() < until, "it waits for ever"
                assert link.recv(100) == b""


@pytest.mark.parametrize("length", [b"Content-Length: 100000000000\r\n", b"Transfer-Encoding: chunked\r\n"])
def test_a_refused_body_is_not_read_on(hall: Server, length: bytes) -> None:
    """Whoever sends it all the same can still read why it was refused."""
    with closing(connect(hall)) as link:
        link.sendall(b"POST /api/me/redeem HTTP/1.1\r\nHost: localhost\r\n" + length + b"\r\n")
        piece, sent = b"8000\r\n" + b" " * 0x8000 + b"\r\n", 0
        with suppress(ConnectionError):
            while sent < FLOOD:
                sent += link.send(piece * 8)
        assert sent < FLOOD, "it takes whatever comes"
        assert link.recv(65536).startswith(b"HTTP/1.1 413 ")


SOCKET = (
    b"GET /ws/tables/new HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
ODD_UPGRADES = {
    "length": SOCKET + b"Content-Length: 50\r\n\r\n",
    "body": SOCKET + b"Content-Length: 5\r\n\r\nhello",
    "zeros": SOCKET + b"Content-Length: 00\r\n\r\n",
    "chunks": SOCKET + b"Transfer-Encoding: chunked\r\n\r\n",
    "chunked-body": SOCKET + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
    "path": SOCKET.replace(b"/ws/tables/new", b"/api/lobby") + b"Content-Length: 50\r\n\r\n",
    "first-version": SOCKET.replace(b"HTTP/1.1", b"HTTP/1.0") + b"Content-Length: 50\r\n\r\n",
    "connect": SOCKET.replace(b"GET", b"CONNECT") + b"Content-Length: 50\r\n\r\n",
    "expect": SOCKET + b"Expect: 100-continue\r\nContent-Length: 50\r\n\r\n",
    "h2c": SOCKET.replace(b"websocket", b"h2c") + b"Content-Length: 50\r\n\r\n",
    "long-header": SOCKET + b"X: " + b"a" * 9000 + b"\r\n\r\n",
    "long-path": SOCKET.replace(b"new", b"n" * 9000) + b"\r\n",
}


@pytest.mark.parametrize("kind", ODD_UPGRADES)
def test_an_upgrade_that_is_none(hall: Server, kind: str) -> None:
    """With a body, sent or not, or with more than the library for sockets reads: it is refused, and not forgotten."""
    with closing(connect(hall)) as link:
        link.sendall(ODD_UPGRADES[kind])
        status, told, head = answer(link)
    assert (status, told["code"]) == (400, "http")
    assert "connection: close" in head


def test_what_follows_a_body_is_no_header(hall: Server) -> None:
    with closing(connect(hall)) as link:
        ask = b"POST /api/me/redeem HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
        link.sendall(ask + b"Connection: close\r\n\r\n2\r\n{}\r\n0\r\nHost: elsewhere.example\r\n\r\n")
        assert answer(link)[0] == 422, "a second host would have it refused with 421"


def test_silence(hasty: Server) -> None:
    """Before a first request it is closed; a socket that has been upgraded is another matter."""
    with closing(Player(hasty)) as player:
        with closing(connect(hasty)) as link:
            assert link.recv(100) == b""
        wait_until_open(hasty, 1)
        time.sleep(1.5)  # longer than any of the times above
        player.play()


def test_a_client_that_does_not_read(hasty: Server) -> None:
    """Of a megabyte, asked for at once, it takes nothing: it has half a second from when no more of it goes out."""
    assert hasty.ask("GET", "/api/openapi.json")[0] == 200
    with closing(socket.socket()) as link:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)  # so that the system takes little of it over
        link.connect(("127.0.0.1", hasty.port))
        link.sendall(b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 15)
        wait_until_open(hasty, 0)


def test_a_player_who_does_not_read(hasty: Server) -> None:
    with closing(Player(hasty)) as player:
        look, until = frame(b'{"type":"look"}') * 100, time.monotonic() + PATIENCE
        with suppress(Gone):
            while True:
                player.link.send_bytes(look)
                assert time.monotonic() < until, "it waits for ever"
        wait_until_open(hasty, 0)


def test_many_requests_at_once(hall: Server) -> None:
    """A few may wait for the first; more than that, and it hangs up."""
    asked = HEAD + b"\r\n"
    with closing(connect(hall)) as link:
        link.sendall(asked * 10 + HEAD + b"Connection: close\r\n\r\n")
        assert b"".join(iter(lambda: link.recv(65536), b"")).count(b" 200 OK") == 11
    with closing(connect(hall)) as link:
        link.sendall(asked * 500)
        taken = b""
        with suppress(ConnectionError):
            taken = b"".join(iter(lambda: link.recv(65536), b""))
        assert taken.count(b" 200 OK") < 500


def test_a_socket_behind_an_unanswered_request(hall: Server) -> None:
    with closing(connect(hall)) as link:
        link.sendall(HEAD + b"\r\n" + SOCKET + b"\r\n")
        with suppress(ConnectionError):
            assert b" 101 " not in b"".join(iter(lambda: link.recv(65536), b""))


def test_more_silent_connections_than_there_is_room(tmp_path: Path) -> None:
    """With few open files, that is soon so. Newcomers get in, players go on."""
    with Server(tmp_path / "hall", command=FEW_FILES) as server, ExitStack() as links:
        told = json.loads(server.told().splitlines()[0])
        assert (told["connections"], told["descriptors"]) == (ROOM, ROOM + 200)
        player = links.enter_context(closing(Player(server)))
        for number in range(5 * ROOM):
            links.enter_context(closing(connect(server)))
            if number % ROOM == 0:
                player.play()
                assert server.ask("GET", "/api/health")[0] == 200
        with closing(Player(server)) as newcomer:
            newcomer.play()
        assert open_connections(server) < ROOM
        player.play()
        assert "Too many open files" not in server.told()


def test_a_full_hall(tmp_path: Path) -> None:
    """Everybody is in the middle of a request: there is no room for a newcomer until one of them is done."""
    with Server(tmp_path / "hall", command=FEW_FILES) as server, ExitStack() as links:
        player = links.enter_context(closing(Player(server)))
        busy: list[socket.socket] = []

        def begin_a_request() -> None:
            busy.append(links.enter_context(closing(connect(server))))
            with suppress(ConnectionError):  # it may be refused as well
                busy[-1].sendall(HEAD)

        for _ in range(ROOM - 2):
            begin_a_request()
        status, until = 200, time.monotonic() + PATIENCE
        while status == 200:  # one that has not begun yet may have to make room
            assert time.monotonic() < until
            begin_a_request()
            player.play()
            with closing(connect(server)) as link:
                link.sendall(HEAD + b"Connection: close\r\n\r\n")
                status, told, head = answer(link)
        assert (status, told["code"]) == (503, "full")
        assert "retry-after: 5" in head
        player.play()
        statuses = []
        for link in busy:
            with suppress(ConnectionError):
                link.sendall(b"Connection: close\r\n\r\n")
                statuses.append(answer(link)[0])
        assert statuses.count(200) > ROOM // 2
        assert server.ask("GET", "/api/me", cookie=player.cookie)[0] == 200


def closed_with(server: Server, path: str, cookie: str, **headers: str) -> int | None:
    with Socket(server.port, path, cookie, headers) as link, pytest.raises(Gone) as gone:
        link.receive()
    return gone.value.code


def test_more_sockets_than_a_player_needs(hall: Server) -> None:
    with ExitStack() as links:
        player = links.enter_context(closing(Player(hall)))
        more = [links.enter_context(Socket(hall.port, player.path, player.cookie)) for _ in range(19)]
        assert all(link.hello()["type"] == "table" for link in more)
        assert closed_with(hall, player.path, player.cookie) == Close.TOO_MUCH
        links.enter_context(closing(Player(hall))).play()
        more[0].close()
        until = time.monotonic() + PATIENCE
        while True:  # it takes a moment until that is known
            assert time.monotonic() < until
            with suppress(Gone), Socket(hall.port, player.path, player.cookie) as link:
                assert link.hello()["type"] == "table"
                break
        player.play()


def test_more_sockets_than_a_network_needs(tmp_path: Path) -> None:
    """The address is the one that the proxy tells. Sockets that have not said hello count too."""
    with Server(tmp_path / "hall") as server, ExitStack() as links:
        player = links.enter_context(closing(Player(server)))
        cookies = [server.fresh_cookie() for _ in range(11)]
        near, far = {"x-forwarded-for": "2001:db8::1"}, {"x-forwarded-for": "2001:db8:0:1::1"}
        for number in range(200):
            links.enter_context(Socket(server.port, player.path, cookies[number // 19], near))
        assert closed_with(server, player.path, cookies[10], **{"x-forwarded-for": "2001:db8::2"}) == Close.TOO_MUCH
        with Socket(server.port, player.path, player.cookie, far) as link:
            assert link.hello()["type"] == "table"
        player.play()


def test_a_hall_with_another_name(tmp_path: Path) -> None:
    with Server(tmp_path / "hall", "--allow-host", "dice.example") as server:
        assert "dice.example" in json.loads(server.told().splitlines()[0])["hosts"]
        for host, status in (("dice.example", 200), ("localhost", 200), ("elsewhere.example", 421)):
            with closing(connect(server)) as link:
                link.sendall(f"GET /api/games HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
                assert answer(link)[0] == status


@pytest.mark.parametrize(
    "flood",
    [frame(b"", PING) * 2000, frame(b"", PONG) * 2000, frame(b"", TEXT, last=False) + frame(b"", 0, last=False) * 2000],
    ids=["pings", "pongs", "pieces"],
)
def test_a_flood_of_frames_is_cut_off(tmp_path: Path, flood: bytes) -> None:
    """They are no messages, so the limit of messages does not see them; and nobody else may wait for them."""
    with Server(tmp_path / "hall") as server:
        cookie = server.fresh_cookie()
        table = server.ask("POST", "/api/tables", {"game": "lite-solo"}, cookie)[1]["id"]
        with Socket(server.port, f"/ws/tables/{table}", cookie) as link:
            link.hello()
            with pytest.raises(Gone):
                send_all(link, flood, 1000)  # twelve megabytes, unless it is told to stop
        assert server.ask("GET", "/api/health")[0] == 200
        with Socket(server.port, f"/ws/tables/{table}", cookie) as link:
            assert link.hello()["type"] == "table"
            for _ in range(50):  # some are nobody's harm
                link.send_bytes(frame(b"still there", PING))
            assert link.ask({"type": "look"})["type"] == "table"


def send_all(link: Socket, data: bytes, times: int) -> None:
    for _ in range(times):
        link.send_bytes(data)
