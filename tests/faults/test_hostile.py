"""Whatever a client sends, the hall answers in its own words, plays on, and does not grow."""

from __future__ import annotations

import json
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dicehall.rules.catalog import GAMES
from dicehall.server.wire import PROTOCOL, Close
from tests.faults.hall import (
    BINARY,
    CLOSE,
    PING,
    TEXT,
    UNLIMITED,
    Gone,
    Server,
    Socket,
    frame,
    play_whole_game,
)
from tests.patience import PATIENCE
from tests.soak import SOAKING, times
from tests.store.postgres import new_database

AT_ONCE = 25  # messages sent before their answers are read
MOMENT = 0.05  # seconds to wait for an answer that need not come
GREETINGS = (PROTOCOL, PROTOCOL, PROTOCOL, PROTOCOL - 1, str(PROTOCOL), -1, None)

# The hall's own, but those of a hall in trouble. 1000 and 1005 answer a client's close; 1002 and 1009 are WebSockets'
# words for a broken frame and for one that is too large; 1007 for the UTF-8 of a close's reason.
CLOSE_CODES = {*Close, 1000, 1002, 1005, 1007, 1009} - {Close.FAULT, Close.TRY_LATER}
STATUSES = {200, 201, 204, 400, 401, 403, 404, 405, 413, 421, 422, 431}
BUSY = b'"code":"busy"'  # on a machine that has more to do than it can
# What stands before the hall, and answers what is not HTTP or not a handshake at all, in plain text.
NOT_HTTP = (
    b"Invalid HTTP request received.",
    b"Failed to open a WebSocket connection",
    b"Unsupported upgrade request.",
)
FORBIDDEN_UPGRADE = 403  # a handshake for a path that has no socket

# The hall may keep 2000 tables of some KiB each in memory; the attack opens about 500 and deletes hardly any. The
# parsers, the database driver and the allocator warm up in the first batches. About 5 MiB were seen in the long form;
# the bound is three times that, and a leak of eighty bytes for each of its 200,000 messages would break it.
WARM_UP = 2  # batches
MOST_GROWTH = 16 * 1024  # KiB

HONEST: list[dict[str, Any]] = [
    {"type": "hello", "protocol": PROTOCOL},
    {"type": "look"},
    {"type": "move", "seen": 1, "move": "b2"},
    {"type": "move", "seen": 3, "move": "789"},
    {"type": "undo", "seen": 2},
    {"type": "open", "game": "lite-solo", "kind": "practice", "seed": "x"},
    {"type": "open", "game": "farkle", "seats": ["you", "random"], "options": {"target": 3000}},
    {"type": "sit", "table": "nothing"},
]
ODD_VALUES: list[Any] = [
    None, True, False, 0, -1, 1, -(10**6), 2**31, 2**63, 2**64, -(2**63) - 1, 10**400, 0.5, -0.0, 1e308, "", " ", "\0",
    "d1", "b2", "\u202e", "\U0001f3b2", "x" * 3000, [], {}, [[]], {"": ""}, [None] * 50, "'; DROP TABLE runs; --",
    "../../etc/passwd", "%00", "${x}", "1e9", "NaN", float("nan"), float("inf"), "\ud800", "\udfff\ud800",
]  # fmt: skip
BODIES: list[tuple[str, str, Any]] = [
    ("POST", "/api/me", None),
    ("PATCH", "/api/me", {"nickname": "Ada"}),
    ("POST", "/api/me/transfer", None),
    ("POST", "/api/me/redeem", {"code": "AAAA-BBBB-CCCC"}),
    ("POST", "/api/tables", {"game": "farkle", "kind": "practice", "options": {"target": 1000}, "seed": "s"}),
    ("POST", "/api/tables", {"game": "knucklebones", "seats": ["you", "spec"]}),
    ("POST", "/api/tables", {"game": "lite-solo", "kind": "daily", "day": "2026-11-15"}),
    ("POST", "/api/records/check", {"record": {"dicehall": 1, "game": "lite-solo", "rules": 1, "steps": "d3 b2"}}),
    ("POST", "/api/records/check", {"record": "dicehall:1/lite-solo/1//you/seed=s/d3.b2"}),
]
PATHS = [
    "/", "/api/games", "/api/games/farkle", "/api/me", "/api/me/export", "/api/tables", "/api/tables/x", "/api/runs",
    "/api/runs?limit=5&cursor=WzEsICJ4Il0", "/api/runs/best?game=farkle&mode=standard", "/api/runs/last?game=farkle",
    "/api/runs/x", "/api/runs/x/proof", "/api/boards/farkle?mode=target=90&period=week", "/api/boards/farkle/modes",
    "/api/daily", "/api/daily/2026-11-15", "/api/daily/2026-11-15/farkle/board?which=best", "/api/archive/farkle",
    "/api/archive/farkle?before=2026-01-01&limit=3", "/api/health", "/metrics", "/api/openapi.json", "/ws/tables/x",
]  # fmt: skip
TRAVERSALS = [
    "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api/..%2f..%2fcookie.key", "//etc/passwd", "/api//tables",
    "/api/tables/..%5c..%5ccookie.key", "/.", "/api/tables/%00", "/%ff%fe", "/api/runs/" + "a" * 5000, "/static/../x",
    "/cookie.key", "/hall.sqlite", "/api/tables/%2e%2e%2f%2e%2e%2fhall.sqlite", "/?" + "a=b&" * 900,
]  # fmt: skip
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW", "get", "PROPFIND"]
HEADER_JUNK = [
    "Origin: http://evil.example", "Origin: http://[", "Origin: null", "Origin: \xff", "Content-Type: \xff/\xfe",
    "Content-Type: multipart/form-data; boundary=", "Content-Type: application/json; charset=utf-99", "Accept: " * 40,
    "Content-Type: application/x-www-form-urlencoded", "X-Forwarded-For: " + "1, " * 500, "Expect: 100-continue",
    "Range: bytes=0-1,5-", "If-None-Match: *", "Transfer-Encoding: gzip", "Content-Encoding: gzip", "Host: [::1",
    "Host:", "Upgrade: h2c", "Upgrade: websocket", "Connection: Upgrade, HTTP2-Settings", "Authorization: Basic \xff",
    "A" * 2000, "Cookie: " + "a=b; " * 300, ": empty", "Spa ce: x", "X: a\x00b", "Sec-WebSocket-Key: short",
    "Content-Length: 5", "Content-Length: -1", "Content-Length: 99999999999999999999", "Transfer-Encoding: chunked",
]  # fmt: skip


def mutate(data: bytes, random: Random) -> bytes:
    """Bits turned, bytes cut, doubled, or put where they do not belong."""
    raw = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        at = random.randrange(len(raw) + 1)
        kind = random.randrange(6)
        if kind == 0 and at < len(raw):
            raw[at] ^= 1 << random.randrange(8)
        elif kind == 1:
            del raw[at:]
        elif kind == 2:
            raw[at:at] = random.choice(
                (b"\0", b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b'"', b"{", b"[", b"-", b"1e9", b"\\u")
            )
        elif kind == 3:
            raw[at:at] = raw[at : at + random.randrange(1, 20)]
        elif kind == 4 and at < len(raw):
            raw[at] = random.randrange(256)
        else:
            del raw[at : at + random.randrange(1, 8)]
    return bytes(raw)


def twisted(value: Any, random: Random) -> Any:
    """A message of almost the right form: a value of another type, a field too many or too few."""
    if not isinstance(value, dict) or random.random() < 0.05:
        return random.choice(ODD_VALUES)
    changed = dict(value)
    for _ in range(random.choice((1, 1, 2))):
        name = random.choice([*changed, "extra", "", "\0", "\ud800", "type"])
        if random.random() < 0.25:
            changed.pop(name, None)
        elif isinstance(changed.get(name), dict) and random.random() < 0.7:
            changed[name] = twisted(changed[name], random)
        else:
            changed[name] = random.choice(ODD_VALUES)
    return changed


def random_json(random: Random, depth: int = 0) -> Any:
    kind = random.randrange(9 if depth < 5 else 6)
    if kind == 6:
        return [random_json(random, depth + 1) for _ in range(random.randrange(5))]
    if kind >= 7:
        names = ("type", "seen", "move", "protocol", "game", "record", "options", "x", "")
        return {random.choice(names): random_json(random, depth + 1) for _ in range(random.randrange(5))}
    return random.choice(ODD_VALUES)


def nested(random: Random, most: int) -> bytes:
    depth = random.choice((10, 100, 500, 900, 990, 1000, 1100, most))
    opening, closing = random.choice(((b"[", b"]"), (b'{"a":', b"}"), (b'{"type":"move","move":', b"}")))
    depth = min(depth, most // (len(opening) + 1))
    return opening * depth + b"1" + (closing * depth if random.random() < 0.7 else b"")


class Attack:
    """Everything below counts what it sent and which answers came, and accepts none that is not ours."""

    def __init__(self, server: Server, seed: str) -> None:
        self.server, self.random = server, Random(seed)
        self.messages = self.requests = 0
        self.seen: Counter[str] = Counter()
        self.arrive()

    def arrive(self) -> None:
        """As a new guest, with a table of each game."""
        self.cookie = self.server.fresh_cookie()
        self.tables = [self._table(game) for game in GAMES]

    def _table(self, game: str) -> str:
        asked = {"game": game, "kind": "practice", "seed": "hostile"}
        status, table, _ = self.server.ask("POST", "/api/tables", asked, self.cookie)
        assert status == 201, table
        found: str = table["id"]
        return found

    # -- messages on a table's socket

    def message(self) -> bytes:
        """The payload of one message."""
        random = self.random
        kind = random.randrange(12)
        honest = json.dumps(random.choice(HONEST)).encode()
        if kind < 4:
            return mutate(honest, random)
        if kind < 7:
            return json.dumps(twisted(random.choice(HONEST), random)).encode()
        if kind == 7:
            return json.dumps(random_json(random)).encode()
        if kind == 8:
            return random.randbytes(random.randrange(60))
        if kind == 9:
            return nested(random, 4000)
        if kind == 10:
            return honest + b" " * random.choice((0, 4000, 4096, 6000))
        return honest

    def talk(self, count: int) -> None:
        """Messages in whole frames: each has its own answer, or the socket is closed with a code of ours."""
        left = count
        while left > 0:
            try:
                with self._sit() as link:
                    while left > 0:
                        batch = [self._whole_frame() for _ in range(min(left, AT_ONCE))]
                        left -= len(batch)
                        self.messages += len(batch)
                        link.send_bytes(b"".join(data for data, _ in batch))
                        for _, answered in batch:
                            if answered:
                                self._accept(link.receive())
            except Gone as gone:
                self._accept_close(gone)
                if gone.code in (Close.NO_ACCOUNT, Close.SIGNED_OUT):  # one of the requests has deleted the account
                    self.arrive()

    def _sit(self) -> Socket:
        link = Socket(self.server.port, f"/ws/tables/{self.random.choice(self.tables)}", self.cookie)
        try:
            self._accept(link.hello())
        except BaseException:
            link.close()
            raise
        return link

    def _whole_frame(self) -> tuple[bytes, bool]:
        """A frame, and whether it has an answer in JSON."""
        random, payload = self.random, self.message()
        kind = random.randrange(200)
        if kind == 0:
            return frame(payload[:100], PING), False
        if kind == 1:  # in two pieces
            return frame(payload[:5], BINARY, last=False) + frame(payload[5:], 0), True
        if kind == 2:
            return frame(b"x" * random.choice((70_000, 200_000)), random.choice((TEXT, BINARY))), True
        if kind == 3:
            return frame(random.choice((b"", b"\x03\xe8", b"\x00\x01bye", b"\xff")), CLOSE), True
        return frame(payload, BINARY if kind < 50 else TEXT), True

    def garble(self, count: int) -> None:
        """Broken frames and broken greetings: what comes back, if anything, is ours."""
        for _ in range(count):
            random = self.random
            self.messages += 1
            cookie = random.choice(
                (self.cookie, self.cookie, mutate(self.cookie.encode(), random).decode("latin-1"), "")
            )
            table = random.choice((*self.tables, "new", "nothing", "%00"))
            headers = random.choice(({}, {}, {"origin": "http://["}, {"origin": "http://evil.example"}))
            cookie = "".join(letter for letter in cookie if letter not in "\r\n\0")
            try:
                with Socket(self.server.port, f"/ws/tables/{table}", cookie, headers) as link:
                    if random.random() < 0.5:
                        link.send({"type": "hello", "protocol": random.choice(GREETINGS)})
                    link.send_bytes(mutate(frame(self.message()), random))
                    link.send_bytes(frame(b"", CLOSE))
                    link.link.shutdown(socket.SHUT_WR)
                    for _ in range(20):
                        self._accept(link.receive())
            except Gone as gone:
                self._accept_close(gone)
            except OSError:  # it has gone before we could say that we had nothing to add
                self.seen["cut off"] += 1

    def _accept(self, answer: Any) -> None:
        assert isinstance(answer, dict), answer
        if answer["type"] == "error":
            assert set(answer) == {"type", "code", "message", "about"}, answer
            assert answer["code"], answer
            assert isinstance(answer["message"], str)
            self.seen[f"error {answer['code']}"] += 1
        else:
            assert answer["type"] == "table", answer
            assert answer["count"] >= len(answer["news"])
            self.seen["table"] += 1

    def _accept_close(self, gone: Gone) -> None:
        """None: the connection was cut, which is how a broken handshake or frame may end."""
        assert gone.code is None or gone.code in CLOSE_CODES or gone.code in (400, FORBIDDEN_UPGRADE), gone
        self.seen[f"close {gone.code}"] += 1

    # -- requests

    def ask(self, count: int) -> None:
        """Requests of every wrong kind, a connection for a few of them each."""
        for _ in range(count):
            self.requests += 1
            deleted = self.seen["status 204"]
            self._accept_answer(self._exchange(*self._request()))
            if self.seen["status 204"] > deleted:  # the account is gone
                self.arrive()

    def _request(self) -> tuple[bytes, bool]:
        """The bytes, and whether they are a whole request, which has an answer."""
        random = self.random
        method, path, body = random.choice(BODIES)
        kind = random.randrange(10)
        data = b"" if body is None else json.dumps(body).encode()
        lines = ["Content-Type: application/json"]
        if kind < 2:
            data = mutate(data, random)
        elif kind < 4:
            data = json.dumps(twisted(body or {}, random)).encode()
        elif kind == 4:
            data = random.choice((nested(random, 200_000), json.dumps(random_json(random)).encode(), b"9" * 5000))
            data = random.choice(
                (data, b'{"record":' + data + b"}", b'{"game":"farkle","options":{"target":' + data + b"}}")
            )
        elif kind == 5:
            method, path, data = "GET", random.choice(TRAVERSALS), b""
        elif kind == 6:
            method, path, data = random.choice(METHODS), random.choice(PATHS), b""
        elif kind == 7:
            method, path, data = "GET", self._mutated_path(), b""
        elif kind == 8:
            lines = [random.choice(HEADER_JUNK) for _ in range(random.randrange(1, 4))]
        cookie = self.cookie
        if random.random() < 0.2:
            cookie = random.choice(
                (
                    "dicehall=" + "a" * random.choice((1, 100, 5000)),
                    'dicehall="\\377\\000.x.y"',
                    "dicehall=..",
                    mutate(self.cookie.encode(), random).decode("latin-1"),
                    ";;;=;dicehall",
                )
            )
        lines += [f"Cookie: {cookie}", f"Content-Length: {len(data)}"]
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nConnection: close\r\n"
        request = (head + "".join(f"{line}\r\n" for line in lines) + "\r\n").encode("latin-1") + data
        if kind == 9:
            request = mutate(request, random)
        return request, kind < 8

    def _mutated_path(self) -> str:
        path = mutate(self.random.choice(PATHS).encode(), self.random).decode("latin-1")
        return "".join(
            letter if "!" <= letter <= "~" else "".join(f"%{byte:02x}" for byte in letter.encode()) for letter in path
        )

    def _exchange(self, request: bytes, whole: bool) -> bytes:
        """What came back until they closed, or until it was clear that they wait for the rest of half a request."""
        taken = b""
        with socket.create_connection(("127.0.0.1", self.server.port), PATIENCE if whole else MOMENT) as link:
            try:
                link.sendall(request)
                while more := link.recv(65536):
                    taken += more
            except TimeoutError:
                assert not whole, f"no answer to {request[:300]!r}"
            except OSError:
                pass
        assert taken or not whole, f"no answer to {request[:300]!r}"
        return taken

    def _accept_answer(self, answer: bytes) -> None:
        if not answer:
            self.seen["no answer"] += 1  # half a request has none
            return None
        head, _, body = answer.partition(b"\r\n\r\n")
        if head.startswith(b"HTTP/1.1 100 "):
            return self._accept_answer(body)
        assert head.startswith(b"HTTP/1.1 "), answer[:500]
        status = int(head.split(b" ", 2)[1])
        self.seen[f"status {status}"] += 1
        if status in (101, 426) or (status in (400, 403, 405) and body.startswith(NOT_HTTP)):
            return None
        assert status in STATUSES or (status == 503 and BUSY in body), answer[:500]
        if status >= 400 and body and b"content-type: application/json" in head.lower():
            problem, _ = json.JSONDecoder().raw_decode(body.decode())
            assert set(problem) == {"code", "message"}, problem
        elif status >= 400:
            assert not body, answer[:500]  # HEAD
        return None

    # -- connections that lead nowhere

    def half_open(self, links: ExitStack, count: int) -> None:
        """Handshakes without an end, bodies that trickle, sockets that never say hello: they stay, and harm nobody."""
        starts: list[Callable[[], bytes]] = [
            lambda: b"",
            lambda: b"GET /ws/tables/x HTTP/1.1\r\nUpgrade: websocket\r\n",
            lambda: b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n{",
            lambda: b"POST /api/me HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
            lambda: self.random.randbytes(3),
        ]
        for number in range(count):
            self.requests += 1
            link = links.enter_context(socket.create_connection(("127.0.0.1", self.server.port), PATIENCE))
            link.sendall(starts[number % len(starts)]())
        for _ in range(count // 5):
            self.messages += 1
            path = f"/ws/tables/{self.random.choice(self.tables)}"
            links.enter_context(Socket(self.server.port, path, self.cookie))

    def oversized(self) -> None:
        """A body above the limit, told or untold, is refused and not kept."""
        head = f"POST /api/records/check HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: {self.cookie}\r\n".encode()
        for told in (b"Content-Length: 700000\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\naae60\r\n"):
            self.requests += 1
            self._accept_answer(self._exchange(head + told + b"x" * 700_000 + b"\r\n0\r\n\r\n", whole=False))


def attack(server: Server, seed: str, messages: int, requests: int, rounds: int, figures: Path) -> None:
    one, honest = Attack(server, seed), Random(f"{seed}/honest")
    games, memory = list(GAMES), []
    guest = server.fresh_cookie()
    for number in range(rounds):
        with ExitStack() as links:
            one.half_open(links, 20)
            one.talk(messages // rounds)
            one.garble(messages // rounds // 20)
            one.ask(requests // rounds)
            one.oversized()
            play_whole_game(server, guest, {"game": games[number % len(games)]}, honest)
        memory.append(server.resident())
        told = server.told()
        assert "Traceback" not in told, told[told.index("Traceback") - 300 :][:3000]
        assert "Exception in ASGI" not in told
        if one.random.random() < 0.5:  # whoever is refused too often comes back as somebody else
            one.arrive()
    growth = memory[-1] - memory[WARM_UP - 1]
    report = f"{one.messages} messages, {one.requests} requests, memory {memory[0]} .. {memory[-1]} KiB: {memory}\n"
    report += "".join(f"{count:9} {name}\n" for name, count in one.seen.most_common())
    figures.write_text(report)
    assert growth < MOST_GROWTH, report
    for wanted in ("table", "error message", "error message-length", "error stale", "close 1002", "close 1009"):
        assert one.seen[wanted], f"nothing of {wanted!r}: {report}"


@pytest.mark.timeout(times(1800, 3600))
def test_hostile_clients(tmp_path: Path) -> None:
    with Server(tmp_path / "hall", command=UNLIMITED) as server:
        total = times(4_000, 260_000), times(1_500, 40_000), times(4, 20)
        attack(server, "soak" if SOAKING else "short", *total, tmp_path / "figures.txt")


def test_hostile_clients_on_postgresql(tmp_path: Path) -> None:
    """The other database has opinions of its own about text."""
    url = new_database()
    with Server(tmp_path / "hall", "--database", url, command=UNLIMITED) as server:
        attack(server, "postgresql", times(1_500, 20_000), times(1_500, 10_000), 3, tmp_path / "figures.txt")
