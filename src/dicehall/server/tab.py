"""One client at a table: what it says is answered, and what has changed is shown."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, Literal

from starlette.types import Receive, Send

from dicehall.errors import DicehallError
from dicehall.play.record import Departure
from dicehall.server import wire
from dicehall.server.crew import Busy, TooLong
from dicehall.server.guard import Guard
from dicehall.server.hall import Hall
from dicehall.server.line import Line
from dicehall.server.live import Damaged, LiveTable
from dicehall.server.models.coach import Advice
from dicehall.server.wire import Close
from dicehall.store.players import Player
from dicehall.store.tables import Overtaken, UnknownTable

LOG: Final = logging.getLogger("dicehall.server")
NOTICE: Final = 1.5  # seconds after which a client is told that its move is not durable yet
MOST_WAITING: Final = 50  # messages that wait for their turn
WAITING: Final = wire.frame(wire.Waiting(0))
NOT_WELCOME: Final = DicehallError("banned", "you are banned from this hall")
TOO_FAST: Final = DicehallError("too-fast", "more messages than anybody can play")


class Gone(Exception):
    """The client has left, or has been told to."""


class Socket:
    """A connection as ASGI has it, until a client sits at a table and the line is taken over."""

    def __init__(self, line: Line, network: str, receive: Receive, send: Send) -> None:
        self.line, self.network, self._receive, self._send = line, network, receive, send
        self._closing: asyncio.Task[None] | None = None  # kept, because the loop alone would forget it

    @property
    def is_closing(self) -> bool:
        return self._closing is not None

    async def read(self) -> wire.Message:
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise Gone
        return wire.read(message["bytes"])

    async def left(self) -> None:
        """Returns when the client has gone."""
        while (await self._receive())["type"] != "websocket.disconnect":
            pass

    def refuse(self, code: str, message: str, about: Literal["table", "room"] = "table") -> None:
        self.line.write(wire.frame(wire.Refused(code, message, about)))

    async def close(self, code: Close, told: str | DicehallError) -> None:
        """Hang up; what an error tells is said in a message before."""
        reason = self._say(told)
        with suppress(OSError, RuntimeError):  # it was quicker
            await self._send({"type": "websocket.close", "code": code, "reason": reason})
        self.line.hang_up_soon()
        raise Gone

    def close_soon(self, code: Close, told: str | DicehallError) -> None:
        reason = self._say(told)  # now: the line may be closed by a flood before it is our turn

        async def close() -> None:
            with suppress(Gone):
                await self.close(code, reason)

        self._closing = asyncio.create_task(close())

    def _say(self, told: str | DicehallError) -> str:
        """The reason to hang up with."""
        if isinstance(told, str):
            return told
        self.refuse(told.code, str(told))
        return told.code

    def turn_away(self, player: Player | None) -> None:
        if player is None:
            self.close_soon(Close.SIGNED_OUT, "this device is signed out")
        else:
            self.close_soon(Close.BANNED, NOT_WELCOME)


async def table_asked_for(hall: Hall, player_id: str, asked: wire.Open | wire.Sit, socket: Socket) -> LiveTable:
    with tell_if_slow(socket):
        if isinstance(asked, wire.Sit):
            return await hall.own_table(player_id, asked.table, socket.network)
        return await hall.open_table(player_id, asked, socket.network)


@contextmanager
def tell_if_slow(socket: Socket) -> Iterator[None]:
    """Whoever asks hears within two seconds: the answer, or that it takes longer."""
    notice = asyncio.get_running_loop().call_later(NOTICE, socket.line.write, WAITING)
    try:
        yield
    finally:
        notice.cancel()


def understood(data: bytes) -> wire.Message | wire.Refused:
    """What a client says, or why it cannot be understood."""
    try:
        return wire.read(data)
    except DicehallError as error:
        return wire.Refused(error.code, str(error))


class Tab:
    """One client, at one table after the other. Messages are answered at once, in their order, unless the table has to
    be waited for."""

    def __init__(
        self,
        socket: Socket,
        hall: Hall,
        guard: Guard,
        player_id: str,
        live: LiveTable,
        find: Callable[[], Awaitable[LiveTable]] | None = None,
    ) -> None:
        """`find` is how the table is found again; without it, as the player's own."""
        self.socket, self.hall, self.guard, self.player_id, self.live = socket, hall, guard, player_id, live
        self._find = find or self._find_own
        self.line = socket.line
        self._shown: tuple[str, ...] = ()  # the steps this client has seen
        self._hint: Advice | None = None  # the hint it has seen
        self._unranked: tuple[str, ...] = ()  # why the run is unranked, as far as it has seen
        self._gone: tuple[Departure, ...] = ()  # who has departed, as far as it has seen
        self._owed = True  # it is to be shown the table, changed or not
        self._waiting: deque[wire.Message | wire.Refused] = deque()  # an unreadable one is answered in its turn, too
        self._notice: asyncio.TimerHandle | None = None  # that a move takes its time, if it does
        self._moved_on = 0  # how many steps the client had seen when it moved last
        self._catching_up: asyncio.Task[None] | None = None

    async def talk(self) -> None:
        self.live.watchers.add(self.look)
        self.look()
        self.line.take_over(self.hear, self.look)
        try:
            await self.socket.left()
        finally:
            self.line.let_go()
            self.go()

    def sit_down(self) -> None:
        """Watch the table, and show it; somebody else hears what the client says."""
        self.live.watchers.add(self.look)
        self.look()

    def go(self) -> None:
        self.hall.unwatch(self.live, self.look)
        self._forget_notice()
        if self._catching_up is not None:
            self._catching_up.cancel()

    def look(self) -> None:
        """Show the client what it has not seen yet."""
        if not self.hall.is_current(self.live):
            self._catch_up_soon()
            return
        snapshot = self.live.snapshot
        news = snapshot.steps != self._shown or snapshot.hint is not self._hint
        news = news or snapshot.unranked != self._unranked or snapshot.departures != self._gone
        if self.line.is_clear and (self._owed or news):
            self.line.write(snapshot.since(self._shown, self.live.seat_of(self.player_id)))
            self._gone = snapshot.departures
            self._shown, self._hint, self._unranked = snapshot.steps, snapshot.hint, snapshot.unranked
            self._owed = False

    def hear(self, data: bytes) -> None:
        if self.socket.is_closing:
            return None
        if not self.guard.allow_message(self.player_id, self.socket.network):
            return self._close(Close.TOO_MUCH, TOO_FAST)
        return self.heard(understood(data))

    def heard(self, message: wire.Message | wire.Refused) -> None:
        """What the client says, read."""
        if len(self._waiting) >= MOST_WAITING:
            return self._close(Close.TOO_MUCH, TOO_FAST)
        settled = not self.live.saving and self.hall.is_current(self.live)
        if settled and self._catching_up is None and not isinstance(message, wire.Open | wire.Sit | wire.Hint):
            return self._answer(message)
        self._waiting.append(message)
        return self._catch_up_soon()

    def _answer(self, message: wire.Message | wire.Refused) -> None:
        try:
            if isinstance(message, wire.Move):
                if self.hall.play(self.live, self.player_id, message.seen, message.move, self._failed, message.then):
                    return self._give_notice_later(message.seen)
            elif isinstance(message, wire.Undo):
                self.hall.undo(self.live, message.seen, self._failed)
                return self._give_notice_later(message.seen)
            elif isinstance(message, wire.Refused):
                return self.socket.refuse(message.code, message.message)
            elif isinstance(message, wire.InRoom):
                return self.socket.refuse("no-room", "nobody else plays at this table")
        except DicehallError as error:
            return self.socket.refuse(error.code, str(error))
        except Exception:
            LOG.exception("a message could not be answered")
            return self._close(Close.FAULT, "something went wrong here")
        self._owed = True  # nothing has changed, so nobody else would show it
        return self.look()

    def _failed(self, error: Exception) -> None:
        if isinstance(error, Overtaken | Busy | TooLong):
            self.socket.refuse(error.code, str(error))
        else:
            self.socket.refuse("not-kept", "it is not certain that the move was kept; the table follows as it is")
        self._owed = True

    def _give_notice_later(self, seen: int) -> None:
        """Whoever has moved hears within two seconds: of the table, or that it takes longer. `seen` steps were known to
        them. One timer does for all moves of its time: nearly every move is durable long before it is up."""
        self._moved_on = seen
        if self._notice is None:
            self._notice = asyncio.get_running_loop().call_later(NOTICE, self._give_notice)

    def _give_notice(self) -> None:
        self._notice = None
        if not self.live.saving:
            return
        left = NOTICE - (time.perf_counter() - self.live.moved_at)
        if left > 0:
            self._notice = asyncio.get_running_loop().call_later(left, self._give_notice)
        else:
            self.line.write(wire.frame(wire.Waiting(self._moved_on)))

    def _forget_notice(self) -> None:
        if self._notice is not None:
            self._notice.cancel()

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
            self._close(Close.FAULT, "something went wrong here")
        finally:
            self._catching_up = None

    async def _change_to(self, asked: wire.Open | wire.Sit) -> None:
        try:
            live = await table_asked_for(self.hall, self.player_id, asked, self.socket)
        except DicehallError as error:
            return self.socket.refuse(error.code, str(error))
        self._sit_at(live)
        self._shown, self._owed = (), True
        return self.look()

    async def _ask_coach(self, asked: wire.Hint) -> None:
        try:
            await self.hall.hint(self.live, self.player_id, asked.seen, asked.objective, self._failed)
        except UnknownTable:
            pass  # it is found again, or told to be gone, as after any other message
        except DicehallError as error:
            self.socket.refuse(error.code, str(error))

    async def _find_again(self) -> None:
        """The hall has dropped the table: it is in the store as it was, or gone for good."""
        try:
            self._sit_at(await self._find())
        except (UnknownTable, Damaged) as error:
            if self.live.in_room:  # which says what has become of it
                raise Gone from None
            if isinstance(error, Damaged):
                await self.socket.close(Close.DAMAGED, error)
            await self.socket.close(Close.NO_TABLE, "there is no such table")
        except (Busy, TooLong) as error:
            await self.socket.close(Close.TRY_LATER, error)

    async def _find_own(self) -> LiveTable:
        return await self.hall.own_table(self.player_id, self.live.id, self.socket.network)

    def _sit_at(self, live: LiveTable) -> None:
        self.hall.unwatch(self.live, self.look)
        self.live = live
        live.watchers.add(self.look)

    def _close(self, code: Close, told: str | DicehallError) -> None:
        self._waiting.clear()
        self.socket.close_soon(code, told)
