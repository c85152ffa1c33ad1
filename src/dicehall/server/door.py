"""The door: how many connections are open, whose they are, and which has to go when there are too many."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from dicehall.server.metrics import CONNECTIONS, REFUSED_CONNECTIONS
from dicehall.server.settings import Settings


class Door:
    """A connection is known by its transport, which stays the same when HTTP becomes a WebSocket."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._open: dict[asyncio.Transport, str] = {}  # and the network it comes from
        self._of_network: Counter[str] = Counter()
        self._idle: dict[asyncio.Transport, None] = {}  # no request under way; the longest first
        self._closing: set[asyncio.Transport] = set()

    def enter(self, transport: asyncio.Transport, network: str) -> bool:
        """Whether there is room, or can be made. A `network` without a name, a proxy's, may have all the room there is;
        of another one's connections the one that has been idle longest goes before a new one comes."""
        room = True
        if network and self._of_network[network] >= self.settings.connections_of_network:
            room = self._make_room(network)
        if room and len(self._open) >= self.settings.connections:
            room = self._make_room()
        if not room:
            REFUSED_CONNECTIONS.inc()
            return False
        self._open[transport] = network
        self._of_network[network] += 1
        CONNECTIONS.inc()
        return True

    def leave(self, transport: asyncio.Transport) -> None:
        """It is closed; or it was refused, or has been closed from here, and is no more in the count."""
        network = self._open.pop(transport, None)
        if network is None:
            return
        self._idle.pop(transport, None)
        self._of_network[network] -= 1
        if not self._of_network[network]:
            del self._of_network[network]
        CONNECTIONS.dec()

    def work(self, transport: asyncio.Transport) -> None:
        """A request has begun to come in, or it is a WebSocket now."""
        self._idle.pop(transport, None)

    def rest(self, transport: asyncio.Transport) -> None:
        """It waits for the next request."""
        if transport in self._open:
            self._idle.pop(transport, None)
            self._idle[transport] = None

    def _make_room(self, network: str | None = None) -> bool:
        found = next((one for one in self._idle if network is None or self._open[one] == network), None)
        if found is None:
            return False
        self.leave(found)
        found.abort()
        return True

    def tidy(self) -> None:
        """A connection is closed when all that was sent has been read. What was being closed the last time already, and
        still is, is not being read."""
        closing = {one for one in self._open if one.is_closing()}
        for one in closing & self._closing:
            one.abort()
        self._closing = closing

    async def keep_tidy(self) -> None:
        while True:
            await asyncio.sleep(self.settings.seconds_to_read)
            self.tidy()


def has_hung_up(error: Exception) -> bool:
    """Whether it is no fault but a client that went before its answer was written: uvloop says so."""
    return isinstance(error, RuntimeError) and "the handler is closed" in str(error)


class Visitor(asyncio.Protocol):
    """What HTTP and WebSockets have in common: they are counted at the door, and have to read what they are sent."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    app_state: dict[str, Any]
    _unread: asyncio.TimerHandle | None = None

    @property
    def door(self) -> Door:
        door: Door = self.app_state["door"]
        return door

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(self.door.settings.seconds_to_read, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._has_read()

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self._has_read()
        self.door.leave(self.transport)

    def _has_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
