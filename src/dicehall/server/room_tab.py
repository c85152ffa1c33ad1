"""One client in a room: what it says there is answered, and the room and its game are shown."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from dicehall.errors import DicehallError
from dicehall.server import wire
from dicehall.server.crew import Busy, TooLong
from dicehall.server.guard import Guard
from dicehall.server.live import Damaged, LiveTable
from dicehall.server.room import Room, RoomClosed
from dicehall.server.rooms import Rooms
from dicehall.server.tab import MOST_WAITING, TOO_FAST, Socket, Tab, understood
from dicehall.server.wire import Close
from dicehall.store.tables import Overtaken, UnknownTable

LOG: Final = logging.getLogger("dicehall.server")
LAST_WORDS: Final = 10.0  # seconds for what somebody has said who is gone
PRIVATE: Final = RoomClosed("room-private", "nobody may watch this table")


class RoomTab:
    """One client in a room: it is shown the room whenever that changes, and the game that is played there as at any
    table. Whoever has no place there watches."""

    def __init__(self, socket: Socket, rooms: Rooms, guard: Guard, player_id: str, room: Room) -> None:
        self.socket, self.rooms, self.guard, self.player_id, self.room = socket, rooms, guard, player_id, room
        self._tab: Tab | None = None
        self._shown = -1  # how many changes of the room it has seen
        self._asked: asyncio.Queue[wire.InRoom | None] = asyncio.Queue()  # None: nothing more will be said
        self._gone = False
        self._left = False  # on purpose
        self._finding: asyncio.Task[None] | None = None

    async def talk(self) -> None:
        self.rooms.arrive(self.room, self.player_id, self.socket.network, self.look)
        self.look()
        self.socket.line.take_over(self.hear, self.look)
        answering = asyncio.create_task(self._answer())
        try:
            await self.socket.left()
        finally:
            self.socket.line.let_go()
            self._gone = True
            if self._finding is not None:
                self._finding.cancel()
            self._leave_table()
            self._asked.put_nowait(None)
            self.rooms.soon(self._part(answering))

    async def _part(self, answering: asyncio.Task[None]) -> None:
        """What was said before the line went is heard all the same: that somebody leaves, say."""
        await asyncio.wait([answering], timeout=LAST_WORDS)
        answering.cancel()
        self.rooms.go(self.room, self.look, self._left)

    def look(self) -> None:
        """Show the client what it has not seen yet."""
        if self._gone:
            return None
        if not self.rooms.is_current(self.room):
            if self._finding is None:
                self._finding = asyncio.create_task(self._find_again())
            return None
        if not self.room.may_see(self.player_id) and not self.socket.is_closing:
            return self.socket.close_soon(Close.NO_TABLE, PRIVATE)  # they have left their place, say
        if self.socket.line.is_clear and self._shown != self.room.changes:
            self._shown = self.room.changes
            self.socket.line.write(self.room.shown(self.player_id, self.rooms.hall.now_ms()))
        self._follow_table()
        if self._tab is not None:
            self._tab.look()
        return None

    def _follow_table(self) -> None:
        live = self.room.live_of(self.room.place_of(self.player_id))
        if live is None or (self._tab is not None and self._tab.live.id == live.id):
            return
        self._leave_table()
        self._tab = Tab(self.socket, self.rooms.hall, self.guard, self.player_id, live, self._find_table)
        self._tab.sit_down()

    async def _find_table(self) -> LiveTable:
        place = self.room.place_of(self.player_id)
        return await self.rooms.find_table(self.room, place, self.socket.network)

    def _leave_table(self) -> None:
        if self._tab is not None:
            self._tab.go()
            self._tab = None

    def hear(self, data: bytes) -> None:
        if self.socket.is_closing:
            return None
        if not self.guard.allow_message(self.player_id, self.socket.network) or self._asked.qsize() >= MOST_WAITING:
            return self.socket.close_soon(Close.TOO_MUCH, TOO_FAST)
        message = understood(data)
        if isinstance(message, wire.InRoom):
            self._asked.put_nowait(message)
        elif isinstance(message, wire.Refused):
            self.socket.refuse(message.code, message.message)
        elif isinstance(message, wire.Look):
            self._shown = -1
            self.look()
        elif self._tab is None or isinstance(message, wire.Open | wire.Sit):
            self.socket.refuse("no-table", "no game is played here now", "room")
        else:
            self._tab.heard(message)
        return None

    async def _answer(self) -> None:
        """One after the other, in the order in which they came."""
        while True:
            asked = await self._asked.get()
            if asked is None:
                return
            try:
                try:
                    await self.rooms.finish(self._do(asked))
                except Overtaken:  # the room was dropped while this waited for its turn: once more, in what it is now
                    self._move_to(await self.rooms.find(self.room.id))
                    await self.rooms.finish(self._do(asked))
            except DicehallError as error:
                self.socket.refuse(error.code, str(error), "room")
            except SQLAlchemyError as error:
                LOG.error("the store failed a room: %s", error)
                self.socket.refuse("busy", "the store does not answer; ask again in a moment", "room")
            except Exception:
                LOG.exception("a message could not be answered")
                self.socket.close_soon(Close.FAULT, "something went wrong here")

    async def _do(self, asked: wire.InRoom) -> None:
        rooms, room, me = self.rooms, self.room, self.player_id
        match asked:
            case wire.Seal(seal):
                await rooms.seal(room, me, seal)
            case wire.Reveal(seed):
                await rooms.reveal(room, me, seed)
            case wire.Say(phrase):
                await rooms.say(room, me, phrase)
            case wire.Claim(place):
                await rooms.claim(room, me, place)
            case wire.Resign():
                await rooms.resign(room, me)
            case wire.Start():
                await rooms.start(room, me, self.socket.network)
            case wire.Ready():
                await rooms.ready(room, me, self.socket.network)
            case wire.Leave():
                await rooms.leave(room, me)
                self._left = True

    async def _find_again(self) -> None:
        """The hall has dropped the room: it is in the store as it was, or gone."""
        try:
            room = await self.rooms.find(self.room.id)
        except (RoomClosed, UnknownTable, Damaged) as error:
            return self.socket.close_soon(Close.NO_TABLE, error)
        except (Busy, TooLong, SQLAlchemyError):
            return self.socket.close_soon(Close.TRY_LATER, Busy("the store does not answer; ask again in a moment"))
        finally:
            self._finding = None
        self._move_to(room)
        return self.look()

    def _move_to(self, room: Room) -> None:
        if room is self.room:
            return
        self.rooms.go(self.room, self.look)
        self.room, self._shown = room, -1
        self.rooms.arrive(room, self.player_id, self.socket.network, self.look)
