"""A WebSocket by hand, for clients that have to be cheaper than the server: just enough of the protocol to play."""

from __future__ import annotations

import asyncio
from typing import NamedTuple, cast
from urllib.parse import urlsplit

import httpx

CLOSE, PING, PONG = 0x88, 0x89, 0x8A


class Account(NamedTuple):
    """A guest of a hall, and the protocol that the hall speaks: an earlier revision may speak another."""

    cookie: str
    protocol: int


async def new_account(http: httpx.AsyncClient) -> Account:
    arrived = await http.post("/api/me", headers={"Cookie": "none=1"})
    cookie = arrived.raise_for_status().headers["set-cookie"].partition(";")[0]
    health = await http.get("/api/health")
    return Account(cookie, health.raise_for_status().json()["protocol"])


class HandSocket(asyncio.Protocol):
    """The server's frames are not masked, ours are, with zeros. Whoever plays says what happens when the socket has
    said hello, when a text has come, and when the socket is lost without having been told to leave."""

    def __init__(self, address: str, account: Account, path: str = "/ws/tables/new") -> None:
        self.host, self.port, self.account = urlsplit(address).hostname or "", urlsplit(address).port or 80, account
        self.path = path
        self.transport: asyncio.Transport | None = None
        self.buffer = b""
        self.greeted = self.leaving = False

    def said_hello(self) -> None:
        raise NotImplementedError

    def heard(self, text: bytes) -> None:
        raise NotImplementedError

    def lost(self, reason: str) -> None:
        raise NotImplementedError

    async def connect(self) -> None:
        self.buffer, self.greeted, self.leaving = b"", False, False
        await asyncio.get_running_loop().create_connection(lambda: self, self.host, self.port)

    def leave(self) -> None:
        self.leaving = True
        if self.transport is not None:
            self.transport.close()

    def send(self, text: str) -> None:
        self._send(0x81, text.encode())

    # -- asyncio calls these

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        if self.leaving:  # the round is over meanwhile
            return self.transport.close()
        lines = (
            f"GET {self.path} HTTP/1.1",
            f"Host: {self.host}:{self.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            "Sec-WebSocket-Version: 13",
            f"Cookie: {self.account.cookie}",
        )
        return self.transport.write("\r\n".join((*lines, "", "")).encode())

    def connection_lost(self, error: Exception | None) -> None:
        self._lose(str(error or "the server has hung up"))

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.greeted:
            head, end, self.buffer = self.buffer.partition(b"\r\n\r\n")
            if not end:
                self.buffer = head
                return None
            if b" 101 " not in head:
                return self._lose(head.partition(b"\r\n")[0].decode())
            self.greeted = True
            self.send(f'{{"type":"hello","protocol":{self.account.protocol}}}')
            self.said_hello()
        while (frame := self._frame()) is not None:
            kind, body = frame
            if kind == PING:
                self._send(PONG, body)
            elif kind == CLOSE:
                return self._lose(f"closed {int.from_bytes(body[:2], 'big')}")
            else:
                self.heard(body)
        return None

    # -- inside

    def _lose(self, reason: str) -> None:
        if not self.leaving:
            self.leave()
            self.lost(reason)

    def _send(self, kind: int, body: bytes) -> None:
        assert len(body) < 126
        assert self.transport is not None
        self.transport.write(bytes((kind, 0x80 + len(body), 0, 0, 0, 0)) + body)

    def _frame(self) -> tuple[int, bytes] | None:
        """The next frame that has come whole: its first byte and what it holds."""
        buffer = self.buffer
        if len(buffer) < 2:
            return None
        start = {126: 4, 127: 10}.get(buffer[1], 2)
        size = buffer[1] if start == 2 else int.from_bytes(buffer[2:start], "big")
        if len(buffer) < start + size:
            return None
        self.buffer = buffer[start + size :]
        return buffer[0], buffer[start : start + size]
