"""One socket for a table: the client sends moves, the server shows the table to every tab that watches it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

import msgspec
from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect

from dicehall.errors import DicehallError
from dicehall.server import wire
from dicehall.server.guard import Guard, origin_allowed
from dicehall.server.hall import Hall, LiveTable, UnknownTable
from dicehall.server.metrics import MOVES, SOCKETS

STALE_CLIENT: Final = 4400
NOT_SIGNED_IN: Final = 4401
FOREIGN: Final = 4403
NO_TABLE: Final = 4404
TOO_MUCH: Final = 4429
PATIENCE: Final = 10.0  # seconds for a hello

router = APIRouter()


@router.websocket("/ws/tables/{table_id}")
async def table_socket(socket: WebSocket, table_id: str) -> None:
    with suppress(WebSocketDisconnect):  # the client may go at any moment
        await _welcome(socket, table_id)


async def _welcome(socket: WebSocket, table_id: str) -> None:
    hall: Hall = socket.app.state.hall
    guard: Guard = socket.app.state.guard
    await socket.accept()
    if not origin_allowed(socket, socket.app.state.settings.origins):
        return await _close(socket, FOREIGN, "this page may not play here")
    player = await guard.signed_in(socket)
    if player is None:
        return await _close(socket, NOT_SIGNED_IN, "ask for an account first: POST /api/me")
    try:
        hello = await asyncio.wait_for(_receive(socket), PATIENCE)
        if not isinstance(hello, wire.Hello) or hello.protocol != wire.PROTOCOL:
            await _send(socket, wire.Refused("stale-client", f"this server speaks protocol {wire.PROTOCOL}; reload"))
            return await _close(socket, STALE_CLIENT, "stale client")
        live = await hall.find_table(player.id, table_id)
    except UnknownTable:
        return await _close(socket, NO_TABLE, "there is no such table")
    except TimeoutError:
        return await _close(socket, STALE_CLIENT, "no hello")
    except DicehallError as error:
        await _send(socket, wire.Refused(error.code, str(error)))
        return await _close(socket, STALE_CLIENT, "no hello")
    with SOCKETS.track_inprogress():
        await Tab(socket, hall, guard, player.id, live).talk()
    return None


class Tab:
    """One client of one table."""

    def __init__(self, socket: WebSocket, hall: Hall, guard: Guard, player_id: str, live: LiveTable) -> None:
        self.socket, self.hall, self.guard, self.player_id, self.live = socket, hall, guard, player_id, live
        self.shown: tuple[str, ...] = ()  # the steps this client has seen
        self.changes: asyncio.Queue[LiveTable] = asyncio.Queue()

    async def talk(self) -> None:
        self.live.listeners.add(self.changes)
        showing = asyncio.create_task(self._show_changes())
        try:
            async with self.live.lock:
                await self._show()
            while True:
                await self._answer()
        except WebSocketDisconnect:
            pass
        finally:
            self.live.listeners.discard(self.changes)
            showing.cancel()

    async def _show_changes(self) -> None:
        with suppress(WebSocketDisconnect):  # `talk` hears of it too
            await self._watch()

    async def _watch(self) -> None:
        while True:
            await self.changes.get()
            if not self.hall.is_current(self.live):
                await self._find_again()
            async with self.live.lock:
                if self.live.table.steps != self.shown:
                    await self._show()

    async def _find_again(self) -> None:
        """The hall has dropped the table: it is in the store as it was, or gone for good."""
        self.live.listeners.discard(self.changes)
        try:
            self.live = await self.hall.find_table(self.player_id, self.live.id)
        except UnknownTable as error:
            await _close(self.socket, NO_TABLE, str(error))
            raise WebSocketDisconnect(NO_TABLE) from None
        self.live.listeners.add(self.changes)

    async def _answer(self) -> None:
        if not self.guard.messages.allow(self.player_id):
            await _send(self.socket, wire.Refused("too-fast", "more messages than anybody can play"))
            await _close(self.socket, TOO_MUCH, "too many messages")
            raise WebSocketDisconnect(TOO_MUCH)
        try:
            message = await _receive(self.socket)
            if not self.hall.is_current(self.live):
                await self._find_again()
            if isinstance(message, wire.Move) and await self.hall.play(self.live, message.seen, message.move):
                MOVES.labels(self.live.saved.game).inc()
            elif isinstance(message, wire.Undo):
                await self.hall.undo(self.live, message.seen)
            else:  # nothing has changed, so nobody else would show it
                async with self.live.lock:
                    await self._show()
        except DicehallError as error:
            await _send(self.socket, wire.Refused(error.code, str(error)))

    async def _show(self) -> None:
        """With the lock held: what is shown is what the store has."""
        live, steps = self.live, self.live.table.steps
        news = steps[len(self.shown) :] if steps[: len(self.shown)] == self.shown else ()
        self.shown = steps
        seat = live.table.actor if live.table.actor >= 0 and live.table.actor not in live.bots else None
        shown = wire.TableShown(
            wire.PROTOCOL,
            live.id,
            live.saved.kind,
            live.saved.seats,
            live.table.commitment,
            len(steps),
            news,
            live.table.can_undo(live.undo_seat) and not live.table.is_over,
            live.table.unranked,
            live.table.view(seat),
            live.run_id,
        )
        await _send(self.socket, shown)


async def _receive(socket: WebSocket) -> wire.Hello | wire.Move | wire.Undo | wire.Look:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    data = message.get("text")
    data = data.encode() if data is not None else message.get("bytes") or b""
    if len(data) > wire.LONGEST_MESSAGE:
        raise DicehallError("message-length", f"a message has at most {wire.LONGEST_MESSAGE} bytes")
    try:
        return wire.read(data)  # type: ignore[no-any-return]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DicehallError("message", f"not a message of protocol {wire.PROTOCOL}: {str(error)[:100]}") from None


async def _send(socket: WebSocket, message: wire.TableShown | wire.Refused) -> None:
    try:
        await socket.send_text(wire.write(message).decode())
    except (WebSocketDisconnect, RuntimeError):  # the client has gone while we were writing
        raise WebSocketDisconnect(1006) from None


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    try:
        await socket.close(code, reason)
    except (WebSocketDisconnect, RuntimeError):  # it was quicker
        raise WebSocketDisconnect(1006) from None
