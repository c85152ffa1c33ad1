"""One socket for a table: the client sends moves, the server shows the table to every tab that watches it."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from contextlib import suppress
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from dicehall.errors import DicehallError
from dicehall.server import wire
from dicehall.server.guard import Guard, origin_allowed
from dicehall.server.hall import Hall
from dicehall.server.line import Line
from dicehall.server.live import LiveTable
from dicehall.server.metrics import SOCKETS
from dicehall.store.players import BANNED, Player
from dicehall.store.tables import UnknownTable

LOG: Final = logging.getLogger("dicehall.server")
PATH: Final = "/ws/tables/"  # and the table's id, or
NEW: Final = "new"
FAULT: Final = 1011
STALE_CLIENT: Final = 4400
NOT_SIGNED_IN: Final = 4401
FOREIGN: Final = 4403
NOT_WELCOME: Final = FOREIGN  # banned; a message before it says so
NO_TABLE: Final = 4404
TOO_MUCH: Final = 4429
PATIENCE: Final = 10.0  # seconds for a hello


class Gone(Exception):
    """The client has left, or has been told to."""


class Socket:
    """A connection as ASGI has it, until a client sits at a table and the line is taken over."""

    def __init__(self, line: Line, receive: Receive, send: Send) -> None:
        self.line, self._receive, self._send = line, receive, send

    async def read(self) -> wire.Message:
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise Gone
        return wire.read(message["bytes"])

    async def left(self) -> None:
        """Returns when the client has gone."""
        while (await self._receive())["type"] != "websocket.disconnect":
            pass

    def refuse(self, code: str, message: str) -> None:
        self.line.write(wire.frame(wire.Refused(code, message)))

    async def close(self, code: int, reason: str) -> None:
        with suppress(OSError, RuntimeError):  # it was quicker
            await self._send({"type": "websocket.close", "code": code, "reason": reason})
        raise Gone

    def close_soon(self, code: int, reason: str) -> None:
        async def close() -> None:
            with suppress(Gone):
                await self.close(code, reason)

        self._closing = asyncio.create_task(close())  # kept, because the loop alone would forget it

    def turn_away(self, player: Player | None) -> None:
        if player is None:
            return self.close_soon(NOT_SIGNED_IN, "this device is signed out")
        self.refuse("banned", "you are banned from this hall")
        return self.close_soon(NOT_WELCOME, "banned")


async def table_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """An ASGI application for the sockets under `PATH`."""
    await receive()  # it wants to connect
    if not scope["path"].startswith(PATH):
        return await send({"type": "websocket.close"})  # before it is accepted: 403
    with suppress(Gone, OSError):  # the client may go at any moment
        await send({"type": "websocket.accept"})
        await _welcome(HTTPConnection(scope), Socket(scope["line"], receive, send), scope["path"].removeprefix(PATH))
    return None


async def _welcome(connection: HTTPConnection, socket: Socket, table_id: str) -> None:
    state = connection.app.state
    hall: Hall = state.hall
    guard: Guard = state.guard
    if not origin_allowed(connection, state.settings.origins):
        await socket.close(FOREIGN, "this page may not play here")
    if not guard.requests.allow(guard.rate_name(connection)):
        await socket.close(TOO_MUCH, "too many requests; wait a moment")
    player = await guard.signed_in(connection)
    if player is None:
        return await socket.close(NOT_SIGNED_IN, "ask for an account first: POST /api/me")
    if player.barred == BANNED:
        socket.refuse("banned", "you are banned from this hall")
        return await socket.close(NOT_WELCOME, "banned")
    guard.attend(connection, socket)
    try:
        hello = await asyncio.wait_for(socket.read(), PATIENCE)
        if not isinstance(hello, wire.Hello) or hello.protocol != wire.PROTOCOL:
            socket.refuse("stale-client", f"this server speaks protocol {wire.PROTOCOL}; reload")
            await socket.close(STALE_CLIENT, "stale client")
        if table_id == NEW:
            live = await _first_table(socket, hall, guard, player.id)
        else:
            live = await hall.find_table(player.id, table_id)
    except UnknownTable:
        return await socket.close(NO_TABLE, "there is no such table")
    except TimeoutError:
        return await socket.close(STALE_CLIENT, "no hello")
    except DicehallError as error:
        socket.refuse(error.code, str(error))
        return await socket.close(STALE_CLIENT, "no hello")
    with SOCKETS.track_inprogress():
        await Tab(socket, hall, guard, player.id, live).talk()
    return None


async def _first_table(socket: Socket, hall: Hall, guard: Guard, player_id: str) -> LiveTable:
    """As soon as one is asked for in a way that makes sense."""
    while True:
        if not guard.messages.allow(player_id):
            await socket.close(TOO_MUCH, "too many messages")
        try:
            asked = await socket.read()
            if not isinstance(asked, wire.Open | wire.Sit):
                raise DicehallError("no-table", "open a table first")
            return await _table_asked_for(hall, player_id, asked)
        except DicehallError as error:
            socket.refuse(error.code, str(error))


async def _table_asked_for(hall: Hall, player_id: str, asked: wire.Open | wire.Sit) -> LiveTable:
    if isinstance(asked, wire.Sit):
        return await hall.find_table(player_id, asked.table)
    return await hall.open_table(player_id, asked.game, asked.kind, asked.options, asked.seats, asked.seed, asked.day)


class Tab:
    """One client, at one table after the other. Messages are answered at once, in their order, unless the table has to
    be waited for."""

    def __init__(self, socket: Socket, hall: Hall, guard: Guard, player_id: str, live: LiveTable) -> None:
        self.socket, self.hall, self.guard, self.player_id, self.live = socket, hall, guard, player_id, live
        self.line = socket.line
        self._shown: tuple[str, ...] = ()  # the steps this client has seen
        self._hint: wire.Hinted | None = None  # likewise
        self._owed = True  # it is to be shown the table, changed or not
        self._waiting: deque[wire.Message] = deque()
        self._catching_up: asyncio.Task[None] | None = None

    async def talk(self) -> None:
        self.live.watchers.add(self.look)
        self.look()
        self.line.take_over(self.hear, self.look)
        try:
            await self.socket.left()
        finally:
            self.line.let_go()
            self.hall.unwatch(self.live, self.look)
            if self._catching_up is not None:
                self._catching_up.cancel()

    def look(self) -> None:
        """Show the client what it has not seen yet."""
        if not self.hall.is_current(self.live):
            self._catch_up_soon()
            return
        picture = self.live.picture
        news = picture.steps != self._shown or picture.hint is not self._hint
        if self.line.is_clear and (self._owed or news):
            self.line.write(picture.since(self._shown))
            self._shown, self._hint, self._owed = picture.steps, picture.hint, False

    def hear(self, data: bytes) -> None:
        if not self.guard.messages.allow(self.player_id):
            self.socket.refuse("too-fast", "more messages than anybody can play")
            return self._close(TOO_MUCH, "too many messages")
        try:
            message = wire.read(data)
        except DicehallError as error:
            return self.socket.refuse(error.code, str(error))
        settled = not self.live.saving and self.hall.is_current(self.live)
        if settled and self._catching_up is None and not isinstance(message, wire.Open | wire.Sit | wire.Hint):
            return self._answer(message)
        self._waiting.append(message)
        return self._catch_up_soon()

    def _answer(self, message: wire.Message) -> None:
        try:
            if isinstance(message, wire.Move):
                if self.hall.play(self.live, message.seen, message.move, self._failed):
                    return None
            elif isinstance(message, wire.Undo):
                return self.hall.undo(self.live, message.seen, self._failed)
        except DicehallError as error:
            return self.socket.refuse(error.code, str(error))
        except Exception:
            LOG.exception("a message could not be answered")
            return self._close(FAULT, "something went wrong here")
        self._owed = True  # nothing has changed, so nobody else would show it
        return self.look()

    def _failed(self) -> None:
        self.socket.refuse("not-kept", "the move could not be kept; the table is as it was")
        self._owed = True

    def _catch_up_soon(self) -> None:
        if self._catching_up is None:
            self._catching_up = asyncio.create_task(self._catch_up())

    async def _catch_up(self) -> None:
        """What cannot be done at once: the table is being saved or has to be found again, or another is wanted."""
        try:
            while self._waiting or not self.hall.is_current(self.live):
                if self._waiting and isinstance(asked := self._waiting[0], wire.Open | wire.Sit):
                    self._waiting.popleft()
                    await self._change_to(asked)
                elif not self.hall.is_current(self.live):
                    await self._find_again()
                elif self.live.saving:
                    await self.live.settled()
                elif isinstance(asked := self._waiting[0], wire.Hint):
                    self._waiting.popleft()
                    await self._ask_coach(asked)
                else:
                    self._answer(self._waiting.popleft())
            self.look()
        except Gone:
            pass
        except Exception:
            LOG.exception("a message could not be answered")
            self._close(FAULT, "something went wrong here")
        finally:
            self._catching_up = None

    async def _change_to(self, asked: wire.Open | wire.Sit) -> None:
        try:
            live = await _table_asked_for(self.hall, self.player_id, asked)
        except DicehallError as error:
            return self.socket.refuse(error.code, str(error))
        self._sit_at(live)
        self._shown, self._owed = (), True
        return self.look()

    async def _ask_coach(self, asked: wire.Hint) -> None:
        try:
            await self.hall.hint(self.live, asked.seen, asked.objective, self._failed)
        except UnknownTable:
            pass  # it is found again, or told to be gone, as after any other message
        except DicehallError as error:
            self.socket.refuse(error.code, str(error))

    async def _find_again(self) -> None:
        """The hall has dropped the table: it is in the store as it was, or gone for good."""
        try:
            self._sit_at(await self.hall.find_table(self.player_id, self.live.id))
        except UnknownTable as error:
            await self.socket.close(NO_TABLE, str(error))

    def _sit_at(self, live: LiveTable) -> None:
        self.hall.unwatch(self.live, self.look)
        self.live = live
        live.watchers.add(self.look)

    def _close(self, code: int, reason: str) -> None:
        self._waiting.clear()
        self.socket.close_soon(code, reason)
