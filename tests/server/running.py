"""A server that really listens on loopback, and guests who really call it."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from random import Random
from types import TracebackType
from typing import Any, TypeVar

import httpx
import uvicorn
from fastapi import FastAPI
from sqlalchemy import Connection
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from dicehall.server.app import create_app
from dicehall.server.guard import COOKIE
from dicehall.server.serve import configured
from dicehall.server.settings import Settings
from dicehall.server.wire import PROTOCOL
from dicehall.store import tables
from dicehall.store.engine import reader
from dicehall.store.tables import SavedTable
from tests.patience import PATIENCE

T = TypeVar("T")
Json = dict[str, Any]
KEY = b"a key for tests, 32 bytes of it."
UNLIMITED = 1e6
HELLO = {"type": "hello", "protocol": PROTOCOL}
CUT_OFF = 1006  # without a word
CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # none; to read those of the machine takes each client 20 ms


def run_apart(talk: Coroutine[Any, Any, T]) -> T:
    """In a thread of its own: a browser of another test may have its event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, talk).result()


class Clock:
    """The time that a test says it is."""

    def __init__(self, moment: str = "2026-11-15 12:00") -> None:
        self.to(moment)

    def to(self, moment: str) -> None:
        self.now = int(datetime.fromisoformat(f"{moment}+00:00").timestamp())

    def __call__(self) -> int:
        return self.now

    def ms(self) -> int:
        return self.now * 1000


class Server:
    """Use as `with Server(url) as server`."""

    def __init__(
        self,
        database: str,
        clock: Clock | None = None,
        limits: float = UNLIMITED,
        prepare: Callable[[FastAPI], None] = lambda app: None,
        **settings: Any,
    ) -> None:
        self.clock = clock or Clock()
        usual = {"seconds_to_refuse": 0.0, **settings}
        self.settings = Settings(database, KEY, limits=limits, clock=self.clock, **usual)
        self._prepare = prepare
        self._guests: list[Guest] = []

    def start(self) -> None:
        self.app = create_app(self.settings)
        self._prepare(self.app)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._server = uvicorn.Server(configured(self.app))
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._listener]})
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive(), "the server did not start"
            time.sleep(0.002)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._listener.close()

    def restart(self) -> None:
        """Another process, in all that matters: nothing but the database is left. Guests find the new address."""
        self.stop()
        self.start()
        for guest in self._guests:
            guest.http.base_url = httpx.URL(self.url)

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for guest in self._guests:
            guest.http.close()
        self.stop()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    def stranger(self) -> Guest:
        """Somebody without an account."""
        guest = Guest(self)
        self._guests.append(guest)
        return guest

    def guest(self, nickname: str | None = None) -> Guest:
        guest = self.stranger()
        guest.id = guest.post("/api/me")["id"]
        if nickname is not None:
            guest.call("PATCH", "/api/me", json={"nickname": nickname})
        return guest

    def stored(self, job: Callable[[Connection], T]) -> T:
        """Look into the store, past the server."""
        with reader(self.app.state.hall.engine).connect() as connection:
            return job(connection)

    def saved(self, table_id: str) -> SavedTable:
        found = self.stored(lambda connection: tables.load(connection, table_id))
        assert found is not None
        return found


class Guest:
    """A client with its cookie. `heard` is every text it was ever sent, over HTTP and sockets."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.id = ""
        self.http = httpx.Client(base_url=server.url, timeout=PATIENCE, verify=CERTIFICATES, trust_env=False)
        self.heard: list[str] = []

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        answer = self.http.request(method, path, **more)
        self.heard.append(f"{answer.headers}{answer.text}")
        return answer

    def call(self, method: str, path: str, expect: int | None = None, **more: Any) -> Any:
        answer = self.ask(method, path, **more)
        assert answer.status_code == expect if expect else answer.is_success, f"{answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def get(self, path: str, expect: int | None = None, **query: Any) -> Any:
        return self.call("GET", path, expect, params=query)

    def post(self, path: str, expect: int | None = None, **body: Any) -> Any:
        return self.call("POST", path, expect, json=body or None)

    def open(self, game: str, **asked: Any) -> str:
        return str(self.post("/api/tables", 201, game=game, **asked)["id"])

    def connect(self, table_id: str, **headers: str) -> ClientConnection:
        if COOKIE in self.http.cookies:
            headers["Cookie"] = f"{COOKIE}={self.http.cookies[COOKIE]}"
        path = table_id if table_id.startswith("/") else f"/ws/tables/{table_id}"
        address = f"ws://{self.server.host}{path}"
        return connect(address, additional_headers=headers, compression=None, open_timeout=PATIENCE, proxy=None)

    @contextmanager
    def sit(self, table_id: str) -> Iterator[Tab]:
        with self.connect(table_id) as connection:
            tab = Tab(connection, self.heard)
            tab.send(type="hello", protocol=PROTOCOL)
            tab.table()
            yield tab

    @contextmanager
    def sit_where(self, game: str, run_id: str, step: int) -> Iterator[Tab]:
        """At a practice table that goes on after `step` steps of a run."""
        with self.sit(self.open(game, kind="practice", run=run_id, step=step)) as tab:
            yield tab

    def play(self, game: str, seed: int = 0, **asked: Any) -> Json:
        """A whole game at a new table; the finished run."""
        with self.sit(self.open(game, **asked)) as tab:
            tab.play_on(Random(seed))
            return self.run(tab)

    def run(self, tab: Tab) -> Json:
        found: Json = self.get(f"/api/runs/{tab.shown['run']}")
        return found

    def close_code(self, table_id: str, *messages: Any, **headers: str) -> int:
        """Send these messages and say how the server hangs up."""
        with self.connect(table_id, **headers) as connection:
            tab = Tab(connection, self.heard)
            try:
                for message in messages:
                    connection.send(message if isinstance(message, str | bytes) else json.dumps(message))
            except ConnectionClosed:
                pass  # it has hung up already, and says so below
            return tab.closed()


class Tab:
    """One socket at a table. `shown` is the table as it was shown last."""

    def __init__(self, connection: ClientConnection, heard: list[str]) -> None:
        self.connection, self.heard = connection, heard
        self.shown: Json = {}
        self.steps: list[str] = []  # put together from the news alone

    def send(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def hear(self) -> Json:
        text = self.connection.recv(PATIENCE)
        assert isinstance(text, str)
        self.heard.append(text)
        message: Json = json.loads(text)
        if message["type"] == "table":
            self.shown = message
            if self.shown["news"]:
                self.steps += self.shown["news"]
            del self.steps[self.shown["count"] :]
        return self.hear() if message["type"] == "waiting" else message  # a busy machine; the answer comes all the same

    def table(self) -> Json:
        message = self.hear()
        assert message["type"] == "table", message
        return message

    def refusal(self) -> str:
        message = self.hear()
        assert message["type"] == "error", message
        assert message["message"]
        return str(message["code"])

    def closed(self) -> int:
        """How the server hangs up; whatever it says before is heard."""
        try:
            while True:
                self.hear()
        except ConnectionClosed as end:
            return CUT_OFF if end.rcvd is None else end.rcvd.code

    @property
    def moves(self) -> list[str]:
        return [move["move"] for move in self.shown["view"]["moves"]]

    @property
    def count(self) -> int:
        return int(self.shown["count"])

    @property
    def is_over(self) -> bool:
        return self.shown["view"]["result"] is not None

    def move(self, move: str, seen: int | None = None) -> Json:
        """Make a move and hear the table after it."""
        self.send(type="move", seen=self.count if seen is None else seen, move=move)
        return self.table()

    def try_move(self, move: str, seen: int | None = None) -> str:
        """Make a move that is refused; the reason's code."""
        self.send(type="move", seen=self.count if seen is None else seen, move=move)
        return self.refusal()

    def look(self) -> Json:
        self.send(type="look")
        return self.table()

    def play_on(self, random: Random, moves: int = 10_000) -> None:
        """Play `moves` moves, or to the end."""
        for _ in range(moves):
            if self.is_over:
                return
            self.move("bank" if "bank" in self.moves and random.random() < 0.5 else random.choice(self.moves))


def upgrade(server: Server, path: str) -> socket.socket:
    """A handshake without a cookie, and not a word more."""
    link = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    lines = f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Upgrade: websocket", "Connection: Upgrade"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"
    link.sendall("\r\n".join((*lines, *key, "", "")).encode())
    return link
