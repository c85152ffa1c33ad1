"""The way in: who may open a socket, and to which table or room it leads. What happens there is in tab.py, room_tab.py
and search.py."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final

from sqlalchemy.exc import SQLAlchemyError
from starlette.datastructures import State
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from dicehall.errors import DicehallError, InvalidOption, InvalidText
from dicehall.server import wire
from dicehall.server.crew import Busy, TooLong
from dicehall.server.door import has_hung_up
from dicehall.server.guard import Guard, address, host_allowed, origin_allowed
from dicehall.server.hall import Hall
from dicehall.server.live import Damaged, LiveTable
from dicehall.server.metrics import SOCKETS
from dicehall.server.quick import QuickMatch
from dicehall.server.room import RoomClosed
from dicehall.server.room_tab import PRIVATE, RoomTab
from dicehall.server.rooms import Rooms
from dicehall.server.search import Search
from dicehall.server.tab import NOT_WELCOME, Gone, Socket, Tab, table_asked_for, tell_if_slow
from dicehall.server.wire import Close
from dicehall.store.players import BANNED
from dicehall.store.tables import UnknownTable

LOG: Final = logging.getLogger("dicehall.server")
ROOM_PATH: Final = "/ws/rooms/"  # and the room's id
QUICK_PATH: Final = "/ws/quick/"  # and the pool in which somebody looks for a game
PATH: Final = "/ws/tables/"  # and the table's id, or
NEW: Final = "new"
PATIENCE: Final = 10.0  # seconds for a hello
TIME_TO_CHOOSE: Final = 60.0  # seconds for a first table


async def table_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """An ASGI application for the sockets under `PATH`."""
    await receive()  # it wants to connect
    connection = HTTPConnection(scope)
    guard: Guard = connection.app.state.guard
    too_fast = guard.wait_to_ask(connection) > 0  # before anything else: to be turned away has a price, too
    if too_fast and not await guard.pause(connection):
        return await send({"type": "websocket.close"})
    path = scope["path"]
    if not path.startswith((PATH, ROOM_PATH, QUICK_PATH)) or not host_allowed(
        connection, connection.app.state.settings.hosts
    ):
        return await send({"type": "websocket.close"})  # before it is accepted: 403
    with suppress(Gone, OSError), SOCKETS.track_inprogress():  # the client may go at any moment
        await send({"type": "websocket.accept"})
        socket = Socket(scope["line"], address(connection), receive, send)
        if too_fast:
            await socket.close(Close.TOO_MUCH, "too many requests; wait a moment")
        try:
            await _welcome(connection, socket, path)
        except (Busy, TooLong, SQLAlchemyError) as error:
            silent = Busy("the store does not answer; ask again in a moment")
            told = error if isinstance(error, DicehallError) else silent
            if told is not error:
                LOG.error("the store failed a socket: %s", error)
            await socket.close(Close.TRY_LATER, told)
        except Exception as error:
            if isinstance(error, Gone) or has_hung_up(error):
                raise
            LOG.exception("a socket failed")
            await socket.close(Close.FAULT, "something went wrong here")
    return None


async def _welcome(connection: HTTPConnection, socket: Socket, path: str) -> None:
    state = connection.app.state
    guard: Guard = state.guard
    if not origin_allowed(connection, state.settings.https):
        await socket.close(Close.FOREIGN, "this page may not play here")
    with guard.sockets_of_network.take(socket.network) as free:
        if not free:
            await socket.close(Close.TOO_MUCH, "too many sockets from this address; close one first")
        with tell_if_slow(socket):
            player = await guard.signed_in(connection)
        if player is None:
            return await socket.close(Close.NO_ACCOUNT, "ask for an account first: POST /api/me")
        if player.barred == BANNED:
            return await socket.close(Close.BANNED, NOT_WELCOME)
        guard.attend(connection, socket)
        try:
            with guard.sockets.take(player.id) as free:
                if not free:
                    await socket.close(Close.TOO_MUCH, "you have too many sockets open; close one first")
                await _lead(socket, state, player.id, path)
        finally:
            guard.part(socket)


async def _lead(socket: Socket, state: State, player_id: str, path: str) -> None:
    """Whoever is welcome, to where they want to."""
    guard: Guard = state.guard
    if path.startswith(ROOM_PATH):
        return await _seat_in_room(socket, state.rooms, guard, player_id, path.removeprefix(ROOM_PATH))
    if path.startswith(QUICK_PATH):
        return await _look_for_a_game(socket, state.quick, guard, player_id, path.removeprefix(QUICK_PATH))
    return await _seat(socket, state.hall, guard, player_id, path.removeprefix(PATH))


async def _greet(socket: Socket) -> None:
    hello = await asyncio.wait_for(socket.read(), PATIENCE)
    if not isinstance(hello, wire.Hello) or hello.protocol != wire.PROTOCOL:
        stale = DicehallError("stale-client", f"this server speaks protocol {wire.PROTOCOL}; reload")
        await socket.close(Close.STALE_CLIENT, stale)


async def _seat_in_room(socket: Socket, rooms: Rooms, guard: Guard, player_id: str, room_id: str) -> None:
    try:
        await _greet(socket)
        with tell_if_slow(socket):
            room = await rooms.find(room_id)
    except TimeoutError:
        return await socket.close(Close.TOO_SLOW, "no hello")
    except InvalidText as error:
        return await socket.close(Close.STALE_CLIENT, error)
    except Damaged as error:
        return await socket.close(Close.DAMAGED, error)
    except (RoomClosed, UnknownTable, InvalidOption) as error:
        return await socket.close(Close.NO_TABLE, error)
    if not room.may_see(player_id):
        return await socket.close(Close.NO_TABLE, PRIVATE)
    return await RoomTab(socket, rooms, guard, player_id, room).talk()


async def _look_for_a_game(socket: Socket, quick: QuickMatch, guard: Guard, player_id: str, pool: str) -> None:
    try:
        await _greet(socket)
        await Search(socket, quick, guard).talk(player_id, pool)
    except TimeoutError:
        return await socket.close(Close.TOO_SLOW, "no hello")
    except InvalidText as error:
        return await socket.close(Close.STALE_CLIENT, error)
    except InvalidOption as error:
        return await socket.close(Close.NO_TABLE, error)


async def _seat(socket: Socket, hall: Hall, guard: Guard, player_id: str, table_id: str) -> None:
    try:
        await _greet(socket)
        if table_id == NEW:
            live = await _first_table(socket, hall, guard, player_id)
        else:
            with tell_if_slow(socket):
                live = await hall.own_table(player_id, table_id, socket.network)
    except UnknownTable:
        return await socket.close(Close.NO_TABLE, "there is no such table")
    except Damaged as error:
        return await socket.close(Close.DAMAGED, error)
    except TimeoutError:
        return await socket.close(Close.TOO_SLOW, "no hello, or no table was asked for")
    except InvalidText as error:
        return await socket.close(Close.STALE_CLIENT, error)
    except InvalidOption as error:  # the package that brought its game, or a player there, has gone
        return await socket.close(Close.NO_TABLE, error)
    return await Tab(socket, hall, guard, player_id, live).talk()


async def _first_table(socket: Socket, hall: Hall, guard: Guard, player_id: str) -> LiveTable:
    """As soon as one is asked for in a way that makes sense."""
    end = asyncio.get_running_loop().time() + TIME_TO_CHOOSE
    while True:
        if not guard.messages.allow(player_id):
            await socket.close(Close.TOO_MUCH, "too many messages")
        try:
            async with asyncio.timeout_at(end):
                asked = await socket.read()
            if not isinstance(asked, wire.Open | wire.Sit):
                raise DicehallError("no-table", "open a table first")
            return await table_asked_for(hall, player_id, asked, socket)
        except DicehallError as error:
            socket.refuse(error.code, str(error))
