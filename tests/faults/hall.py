"""A real server in a process of its own, and a client that speaks to it over plain sockets.

The client is small on purpose: it can send any bytes, so the same one plays honestly and lies.
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import signal
import socket
import struct
from collections.abc import Mapping
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

from dicehall.rules.catalog import find_game
from dicehall.rules.game import DICE, NOBODY
from dicehall.server.wire import PROTOCOL
from tests.patience import PATIENCE
from tests.processes import Begun, begin

YOU = "you"
DICEHALL = ("dicehall", "--port", "0")
UNLIMITED = ("tests.faults.unlimited",)
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Gone(Exception):
    """The other side has closed, or was killed. `code` is the close code where there was one."""

    def __init__(self, code: int | None = None) -> None:
        super().__init__(f"closed with {code}")
        self.code = code


class Server:
    """`dicehall` in a process; another `command` is started the same way. It prints its address when it listens."""

    def __init__(self, data: Path, *more: str, command: tuple[str, ...] = DICEHALL) -> None:
        self.data = data
        self.log = data.with_name(f"{data.name}.log")
        self.process = self.begin(data, *more, command=command)
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        if "http://" not in line:
            self.kill()
            raise AssertionError(f"the server did not start: {line}{self.told()}")
        self.port = int(line.rstrip().rstrip("/").rpartition(":")[2])

    @staticmethod
    def begin(data: Path, *more: str, command: tuple[str, ...] = DICEHALL) -> Begun:
        """Just the process; what it says on stderr is in a file beside its data."""
        return begin(*command, "--data", str(data), *more, errors=data.with_name(f"{data.name}.log"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()

    def kill(self) -> None:
        """At once and without a word, as `kill -9` does."""
        self.process.kill()
        self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def stop(self, by: signal.Signals) -> int:
        self.process.send_signal(by)
        code = self.process.wait(PATIENCE)
        self.kill()
        return code

    def told(self) -> str:
        """What it has written to stderr."""
        return self.log.read_text(errors="replace")

    def faults(self) -> int:
        """Traces in what it has written, but for those of workers that were beginning when their hall was killed."""
        orphans = 'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\n'
        return self.told().count("Traceback") - self.told().count(orphans)

    def resident(self) -> int:
        """Its resident memory, in KiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])

    def ask(self, method: str, path: str, body: Any = None, cookie: str = "") -> tuple[int, Any, str]:
        """The status, the JSON that came, and the cookie that was set. Gone if no whole answer came."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"content-type": "application/json"} | ({"cookie": cookie} if cookie else {})
        try:
            link.request(method, path, None if body is None else json.dumps(body), headers)
            answer = link.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            raise Gone from None
        finally:
            link.close()
        baked = (answer.getheader("set-cookie") or "").partition(";")[0]
        return answer.status, json.loads(text) if text else None, baked

    def fresh_cookie(self) -> str:
        status, _, cookie = self.ask("POST", "/api/me")
        assert status == 200, status
        return cookie


class Socket:
    """One web socket, by hand."""

    def __init__(self, port: int, path: str, cookie: str = "", headers: Mapping[str, str] | None = None) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        asked = {
            "host": f"127.0.0.1:{port}",
            "upgrade": "websocket",
            "connection": "Upgrade",
            "sec-websocket-key": key,
            "sec-websocket-version": "13",
            **({"cookie": cookie} if cookie else {}),
            **(headers or {}),
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in asked.items())
        self._taken = bytearray()
        try:
            self.link = socket.create_connection(("127.0.0.1", port), PATIENCE)
        except OSError:
            raise Gone from None
        self.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            self.send_bytes(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode("latin-1"))
            while b"\r\n\r\n" not in self._taken:
                self._take()
        except Gone:
            self.close()
            raise
        head, _, rest = bytes(self._taken).partition(b"\r\n\r\n")
        self.status = int(head.split(b" ", 2)[1])
        self._taken = bytearray(rest)
        if self.status != 101:
            self.close()
            raise Gone(self.status)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.link.close()

    def send_bytes(self, data: bytes) -> None:
        try:
            self.link.sendall(data)
        except TimeoutError:
            raise AssertionError("the server does not read") from None
        except OSError:
            raise Gone from None

    def send(self, message: Any) -> None:
        self.send_bytes(frame(json.dumps(message).encode()))

    def hear(self) -> Any:
        """The next JSON message. Gone, with the code, when it closes instead."""
        while True:
            kind, payload = self._next_frame()
            if kind == CLOSE:
                raise Gone(struct.unpack("!H", payload[:2])[0] if len(payload) >= 2 else 1005)
            if kind == TEXT:
                return json.loads(payload)
            assert kind in (PING, PONG), f"a frame of kind {kind}"

    def receive(self) -> Any:
        """The next answer: on a busy machine the hall tells first that it takes longer."""
        while (message := self.hear())["type"] == "waiting":
            pass
        return message

    def ask(self, message: Any) -> Any:
        self.send(message)
        return self.receive()

    def hello(self) -> Any:
        return self.ask({"type": "hello", "protocol": PROTOCOL})

    def _next_frame(self) -> tuple[int, bytes]:
        self._need(2)
        kind, length, start = self._taken[0] & 0x0F, self._taken[1] & 0x7F, 2
        if length >= 126:
            start = 4 if length == 126 else 10
            self._need(start)
            length = int.from_bytes(self._taken[2:start])
        self._need(start + length)
        payload = bytes(self._taken[start : start + length])
        del self._taken[: start + length]
        return kind, payload

    def _need(self, count: int) -> None:
        while len(self._taken) < count:
            self._take()

    def _take(self) -> None:
        try:
            more = self.link.recv(65536)
        except TimeoutError:
            raise AssertionError("the server does not answer") from None
        except OSError:
            raise Gone from None
        if not more:
            raise Gone
        self._taken += more


def frame(payload: bytes, kind: int = TEXT, last: bool = True) -> bytes:
    """A client's frame; the mask is all zeros, which is a mask like any other."""
    length = len(payload)
    if length < 126:
        size = bytes([0x80 | length])
    elif length < 65536:
        size = bytes([0x80 | 126]) + struct.pack("!H", length)
    else:
        size = bytes([0x80 | 127]) + struct.pack("!Q", length)
    return bytes([(0x80 if last else 0) | kind]) + size + bytes(4) + payload


class Replica:
    """The same game played along by the rules alone: it knows whose turn it is and what is allowed."""

    def __init__(self, game: str, options: Mapping[str, Any], seats: tuple[str, ...], rules: int | None = None) -> None:
        self.game, self.seats = find_game(game, rules), seats
        self.state: Any = self.game.begin(options, len(seats))
        self.steps: tuple[str, ...] = ()

    def follow(self, steps: tuple[str, ...] | list[str]) -> None:
        """Every step must be allowed where it stands; a die or a bot's reply that is missing shows at the end."""
        for step in steps:
            if step.startswith("d"):
                self.state = self.game.roll(self.state, tuple(map(int, step[1:])))
            else:
                self.state = self.game.apply(self.state, self.game.rules.read_move(step))
            self.steps += (step,)

    @property
    def is_over(self) -> bool:
        return self.game.rules.actor(self.state) == NOBODY

    def is_whole(self) -> bool:
        """It waits for a person, or it is over: not for dice, and not for a bot."""
        actor = self.game.rules.actor(self.state)
        return actor == NOBODY or (actor != DICE and self.seats[actor] == YOU)

    def choose(self, random: Random) -> str:
        return self.game.rules.move_text(random.choice(self.game.rules.legal(self.state)))


def play_whole_game(server: Server, cookie: str, asked: Mapping[str, Any], random: Random) -> str:
    """Open a table and play it to its end, every message checked against the rules. Returns the run's id."""
    status, table, _ = server.ask("POST", "/api/tables", asked, cookie)
    assert status == 201, table
    replica = Replica(table["game"], asked.get("options", {}), tuple(table["seats"]))
    with Socket(server.port, f"/ws/tables/{table['id']}", cookie) as link:
        shown = link.hello()
        while True:
            assert shown["type"] == "table", shown
            replica.follow(shown["news"])
            assert shown["count"] == len(replica.steps)
            assert replica.is_whole()
            if replica.is_over:
                break
            shown = link.ask({"type": "move", "seen": shown["count"], "move": replica.choose(random)})
    run: str = shown["run"]
    status, verdict, _ = server.ask("GET", f"/api/runs/{run}/proof")
    assert (status, verdict["ok"], verdict["proved"]) == (200, True, True), verdict
    return run
