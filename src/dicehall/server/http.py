"""HTTP with an end to everything: a head has a size, a request has a time, and so has silence.

uvicorn's parser keeps a header as long as it grows, and a connection as long as it is open. This is the only file that
knows how uvicorn does it; WebSockets go on in line.py.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from ipaddress import ip_address
from typing import Final

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from dicehall.server.app import HEADERS
from dicehall.server.door import Visitor
from dicehall.server.guard import network
from dicehall.server.line import Line

LONGEST_HEAD: Final = 16 * 1024  # bytes of a request beside its body: address, headers, and how a body is cut in pieces
MOST_HEADERS: Final = 100
MOST_WAITING: Final = 20  # requests sent before the first of them is answered
LINGER: Final = 1.0  # seconds in which a client that still sends may read its answer, or come to its end
FULL_FOR: Final = 5  # seconds after which a new attempt makes sense


class Refused(Exception):
    """The request is not read on; it has its answer."""


class Http(Visitor, HttpToolsProtocol):
    _receiving = False  # the first byte of a request has come, the last has not
    _in_body = False  # its head has come as a whole
    _beside_body = 0  # bytes of it so far, and those of a body that nobody waits for
    _refused = False
    _deadline: asyncio.TimerHandle | None = None

    # -- uvicorn calls these

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.door.enter(transport, self._network()):
            return self._rest()
        self._write_refusal(503, "full", "the hall is full; come back in a moment", {"retry-after": str(FULL_FOR)})
        self._refused = True
        return transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self._set_deadline(None)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return self.flow.pause_reading()
        if not self._receiving:
            self._begin()
        for start in range(0, len(data), LONGEST_HEAD):
            piece = data[start : start + LONGEST_HEAD]
            self._beside_body += len(piece)
            super().data_received(piece)
            if self._refused or self.transport.is_closing() or self.transport.get_protocol() is not self:
                return None
            if self._beside_body > LONGEST_HEAD:
                return self._refuse_head()
        return None

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_body = False
        if not self._receiving:  # it came together with the one before it
            self._begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._in_body:  # behind a body it is no header: whoever looks for those has looked, a proxy too
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_body = True
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > LONGEST_HEAD or len(self.headers) > MOST_HEADERS:
            self._refuse_head()
            raise Refused
        if len(self.pipeline) >= MOST_WAITING:
            self._refuse(429, "too-fast", "too many requests at once")
            raise Refused
        if self.parser.should_upgrade() and any(map(_is_of_body, self.headers)):
            # the parser would take the body for another request, and the library would not answer
            self._refuse(400, "http", "a request for another protocol has no body")
            raise Refused
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if not self.cycle.response_complete:
            self._beside_body -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._receiving, self._beside_body = False, 0
        super().on_message_complete()
        if self.cycle is not None and self.cycle.response_complete:  # refused before its body had come
            self._rest()
        else:
            self._set_deadline(None)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete and not self._receiving:
            self._rest()
        elif self._is_answered() and not self.transport.is_closing():  # before its body had come: not all of it is read
            self._set_deadline(LINGER, self._late)

    def handle_websocket_upgrade(self) -> None:
        if not self._may_answer() or self.flow.write_paused:
            return self.transport.close()
        self._set_deadline(None)
        self.door.work(self.transport)
        super().handle_websocket_upgrade()
        line = self.transport.get_protocol()
        if isinstance(line, Line) and not line.handshake_initiated:  # the library says nothing to what it cannot read
            line.close_sent = True
            self._refuse(400, "http", "that is not a request for a socket")
            self.flow.pause_reading()
        return None

    def send_400_response(self, msg: str) -> None:
        if not self._refused and not self.transport.is_closing():
            self._refuse(400, "http", "that is not a request of HTTP")

    # -- inside

    def _network(self) -> str:
        """Whose connection it is; nobody's, if it comes from this machine or a proxy that is believed."""
        address = self.client[0] if self.client else ""
        if isinstance(self.app, ProxyHeadersMiddleware) and address in self.app.trusted_hosts:
            return ""
        try:
            return "" if ip_address(address).is_loopback else network(address)
        except ValueError:
            return network(address)

    def _rest(self) -> None:
        self.door.rest(self.transport)
        self._set_deadline(self.door.settings.seconds_to_ask, self.transport.close)

    def _begin(self) -> None:
        self._receiving = True
        self.door.work(self.transport)
        self._set_deadline(self.door.settings.seconds_to_send, self._late)

    def _late(self) -> None:
        earlier = self.cycle is not None and self.cycle.scope is not self.scope and not self.cycle.response_complete
        if earlier or self.flow.read_paused:  # it is we who do not listen
            self._begin()
        else:
            self._refuse(408, "late", "the request did not come to its end in time")

    def _refuse_head(self) -> None:
        self._refuse(431, "head-length", f"a request has at most {LONGEST_HEAD} bytes and {MOST_HEADERS} headers")

    def _refuse(self, status: int, code: str, message: str) -> None:
        """Hang up, and say why, unless it is answered or another answer has begun."""
        self._refused = True
        self._unset_keepalive_if_required()
        may_answer, is_answered = self._may_answer(), self._is_answered()
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if may_answer:
            self._write_refusal(status, code, message)
        elif not is_answered:
            return self.transport.close()
        self.transport.write_eof()  # closing at once would take the answer away from a client that is still sending
        self.door.rest(self.transport)
        return self._set_deadline(LINGER, self.transport.abort)

    def _may_answer(self) -> bool:
        """Whether what is written now would be taken for the answer to the request that is coming in."""
        if self.cycle is None:
            return True
        if self.cycle.scope is self.scope:
            return not self.cycle.response_started and not self.pipeline
        return bool(self.cycle.response_complete)

    def _is_answered(self) -> bool:
        """Whether the request that is coming in has its whole answer already."""
        return self.cycle is not None and self.cycle.scope is self.scope and bool(self.cycle.response_complete)

    def _write_refusal(self, status: int, code: str, message: str, more: dict[str, str] | None = None) -> None:
        body = json.dumps({"code": code, "message": message}).encode()
        headers = HEADERS | {
            "content-type": "application/json",
            "content-length": str(len(body)),
            "cache-control": "no-store",
            "connection": "close",
            **(more or {}),
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.transport.write(STATUS_LINE[status] + lines.encode() + b"\r\n" + body)

    def _set_deadline(self, seconds: float | None, end: Callable[[], None] = lambda: None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, end)


def _is_of_body(header: tuple[bytes, bytes]) -> bool:
    """Whether a header tells that a body follows."""
    name, value = header
    return name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
