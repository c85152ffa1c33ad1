"""What happens in rooms though nobody asks for it: somebody is out of time, an invitation is over, a seed was not
opened. It is looked for a few times a second, by the hall's clock alone."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import Final

from sqlalchemy import Connection

from dicehall.errors import DicehallError, IllegalMove
from dicehall.people.clocks import SECOND, not_begun
from dicehall.play.record import ENDED, TIME
from dicehall.server.clock import elapsed
from dicehall.server.duel import Duel
from dicehall.server.health import HEALTH
from dicehall.server.room import Room
from dicehall.server.rooms import Rooms, has_departed
from dicehall.store import beats, rooms, tables
from dicehall.store.rooms import CLOSED

LOG: Final = logging.getLogger("dicehall.server")
LOOK_EVERY: Final = 0.2  # seconds
READ_EVERY: Final = 60  # seconds until the store is asked again which rooms there are: one may have been dropped
LAST_WORDS: Final = 1.0  # seconds for what a hall that closes has to tell the store
REST: Final = 1.0  # seconds after a fault
LATE: Final = 1.0  # seconds by which a look may be late
NEVER: Final = 1 << 62


class Due:
    def __init__(self, rooms: Rooms) -> None:
        self.rooms, self.hall = rooms, rooms.hall
        self._busy: set[str] = set()  # rooms that something is done in
        self._looked = elapsed()  # when, by the clock that nobody can set
        self.hall.give_back_time = self.give_back_time

    async def wake(self) -> None:
        """The hall opens: as long as it was closed, nobody's clock has run."""

        def give_back(connection: Connection) -> None:
            seen, now = beats.last(connection, HEALTH), self.hall.clock()
            if seen is not None and seen < now:
                tables.give_back(connection, (now - seen) * SECOND)
                rooms.give_back(connection, (now - seen) * SECOND)
                beats.beat(connection, HEALTH, now)

        await self.hall.write(give_back)

    async def sleep(self) -> None:
        """The hall closes."""
        now = self.hall.clock()
        with suppress(Exception):  # a database that is away takes nobody's time twice
            async with asyncio.timeout(LAST_WORDS):
                await self.hall.write(partial(beats.beat, name=HEALTH, now=now))

    async def look_after(self) -> None:
        """A chore of the hall: what is due in any room, and rooms that nobody needs in memory."""
        read_at = self._looked = elapsed()
        while True:
            if self._looked >= read_at:
                read_at = self._looked + READ_EVERY
                self.rooms.soon(self._read())
            await asyncio.sleep(LOOK_EVERY)
            self.give_back_time()
            now_ms = self.hall.now_ms()
            for room in self.rooms.all():
                if room.look_ms <= now_ms and not room.lock.locked() and room.id not in self._busy:
                    self._look_at(room, now_ms)

    def _look_at(self, room: Room, now_ms: int) -> None:
        due = room.next_ms()
        if due is not None and due <= now_ms:
            self._busy.add(room.id)
            self.rooms.soon(self._attend(room, now_ms))
        elif room.state == CLOSED and not room.watchers:
            self.rooms.forget(room)
        else:
            room.look_ms = NEVER if due is None else due

    def give_back_time(self) -> None:
        """Where the hall has not come to look for long, it has not heard anybody either: its process was stopped, or
        had too much to do. That is nobody's time."""
        now = elapsed()
        gap, self._looked = now - self._looked - LOOK_EVERY, now
        if gap >= LATE:
            LOG.warning("the hall has stood still for %.1f seconds; clocks of games are put back by that", gap)
            for room in self.rooms.all():
                room.give_back(round(gap * SECOND))

    async def _read(self) -> None:
        for room_id in await self.hall.read(rooms.going_on):
            try:
                await self.rooms.find(room_id)
            except DicehallError as error:
                LOG.error("the room %s cannot be found again: %s", room_id, error)

    async def _attend(self, room: Room, now_ms: int) -> None:
        try:
            if room.state == "playing":
                await self._time_out(room, now_ms)
            elif room.all_open():  # it could not begin when it should have
                await self.rooms.begin_game(room)
            else:
                await self._time_up(room, now_ms)
        except Exception as error:
            expected = isinstance(error, DicehallError)
            LOG.log(
                logging.WARNING if expected else logging.ERROR,
                "what was due in the room %s could not be done: %s", room.id, error, exc_info=not expected,
            )  # fmt: skip
            await asyncio.sleep(REST)
        finally:
            room.look_ms = 0
            self._busy.discard(room.id)

    async def _time_up(self, room: Room, now_ms: int) -> None:
        """For those who have not come, for the dice, or for a next game."""
        async with self.rooms.changing(room):
            due = room.next_ms()
            if due is None or due > now_ms:  # somebody was quicker
                return
            if room.state == "gathering":
                room.expire()
            elif room.state in ("sealing", "opening"):
                room.give_up_dice(now_ms)
            elif room.state == "between":
                room.close("over")

    async def _time_out(self, room: Room, now_ms: int) -> None:
        if isinstance(room, Duel):
            return await self._end_boards(room)
        live = await self.rooms.table_played(room, 0)
        if live is None:
            return None if room.live is None else await self.rooms.score(room)
        times = live.times
        if times is None:  # nobody has moved for days, and nobody has claimed it
            playing = [place for place in room.persons() if not has_departed(room, live, place)]
            return await self.rooms.depart(room, playing[0], ENDED)
        if times.turn is None:
            return None
        place = room.place_at(times.turn)
        if len(room.people) == 2 and not any(times.begun) and not_begun(times, now_ms):
            return await self.rooms.depart(room, place, ENDED)
        begin, due = live.begin_ms(), live.due_ms()
        if (begin is not None and begin <= now_ms) or (due is not None and due <= now_ms):
            await self.rooms.depart(room, place, TIME)
        return None

    async def _end_boards(self, room: Duel) -> None:
        """The time is up, or nobody has moved for days."""
        room.end_coming()
        for place in [place for place in room.persons() if room.plays(place)]:
            with suppress(IllegalMove):  # it is done meanwhile
                await self.rooms.depart(room, place, TIME)
        if room.is_over:
            await self.rooms.score(room)
