"""All rooms: how one is opened, found and kept, and what people do there.

A room in memory is as the store has it: whoever changes one holds its lock, works on it, keeps it, and only then is
anybody shown it. If that fails it is read again. What happens though nobody asks for it is in due.py.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Final, TypeVar

from sqlalchemy import Connection

from dicehall.dice import fresh_seed
from dicehall.errors import DicehallError, IllegalMove, InvalidOption
from dicehall.people import codes, presence
from dicehall.people.clocks import SECOND
from dicehall.play.record import LEFT, RESIGNED
from dicehall.server.agreement import Agreement
from dicehall.server.bucket import Bucket
from dicehall.server.crew import Busy
from dicehall.server.duel import Duel, OpenDuel, room_of
from dicehall.server.hall import Hall
from dicehall.server.leaving import how_it_ended
from dicehall.server.live import Damaged, LiveTable
from dicehall.server.room import Progress, Room, RoomClosed
from dicehall.store import outcomes, players, rooms
from dicehall.store.ids import new_id
from dicehall.store.rooms import CLOSED, SavedRoom
from dicehall.store.tables import Overtaken, UnknownTable

LOG: Final = logging.getLogger("dicehall.server")
T = TypeVar("T")
DAY: Final = 86_400  # seconds for which an invitation lasts
SOON: Final = 60  # seconds in which those have to come who were found for each other
MOST_OPEN: Final = 100  # rooms of one player
GUESSES: Final = (30, 1.0)  # codes that one network may try: at once, and every second


class Rooms:
    def __init__(self, hall: Hall, limits: float = 1.0) -> None:
        self.hall = hall
        self._rooms: dict[str, Room] = {}
        self._finding: dict[str, asyncio.Lock] = {}
        self._guesses = Bucket(GUESSES[0] * limits, GUESSES[1] * limits)
        self._tasks: set[asyncio.Task[Any]] = set()
        hall.settled_in_room = self._settled

    # -- opening and finding

    async def open(self, player_id: str, agreement: Agreement, network: str) -> Room:
        """A room of whoever asks, from that network, who has its first place; others come with its code, or its
        address."""
        self.hall.check_opening(network)
        free, check = (None,) * (len(agreement.seats) - 1), partial(_check_open, player_id=player_id)
        return await self._enter(agreement, (player_id, *free), codes.new_code(fresh_seed()), DAY, check)

    async def open_for(self, players: Sequence[str], agreement: Agreement) -> Room:
        """A room in which all of them have their places already: it begins when they come."""
        return await self._enter(agreement, tuple(players), None, SOON, quick=True)

    async def _enter(
        self,
        agreement: Agreement,
        people: tuple[str | None, ...],
        code: str | None,
        seconds: int,
        check: Callable[[Connection], None] = lambda connection: None,
        quick: bool = False,
    ) -> Room:
        """A new room to which people can come for so many `seconds`, kept if `check` does not refuse it."""
        self.hall.disk.check_room()
        now, own = self.hall.clock(), (agreement.to_json(), Progress(quick=quick).to_json())
        saved = SavedRoom(new_id(), code, "gathering", *own, None, now, now + seconds, people)

        def keep(connection: Connection) -> None:
            check(connection)
            rooms.enter(connection, saved)

        await self.hall.write(keep)
        return await self.find(saved.id)

    async def find(self, room_id: str) -> Room:
        """The room, read from the store if nobody is there."""
        room = self._rooms.get(room_id)
        if room is not None:
            return room
        finding = self._finding.setdefault(room_id, asyncio.Lock())
        try:
            async with finding:
                return self._rooms.get(room_id) or await self._read(room_id)
        finally:
            if not finding.locked():
                self._finding.pop(room_id, None)

    async def _read(self, room_id: str) -> Room:
        saved = await self.hall.read(lambda c: rooms.load(c, room_id))
        if saved is None:
            raise _no_room()
        room, lost = room_of(saved, self.hall.now_ms()), False
        await self._learn_names(room)
        if room.state == "playing":
            for place in room.places_with_tables():
                try:
                    room.follow(await self._find_table(room, place))
                except (UnknownTable, Damaged):
                    lost = not isinstance(room, Duel)  # there the others play on
        if (there := self._rooms.get(room_id)) is not None:  # somebody else was quicker
            return there
        self._rooms[room_id] = room
        if lost:
            await self._end(room)
        elif room.state == "playing" and room.is_over:  # before anybody noticed
            self.soon(self.score(room))
        return room

    async def by_code(self, text: str, network: str) -> str:
        """The room that a code leads to."""
        if not self._guesses.allow(network):
            raise Busy("too many codes from this address; wait a moment", self._guesses.wait(network))
        code = codes.read_code(text)
        found = await self.hall.read(lambda c: rooms.by_code(c, code))
        if found is None:
            raise RoomClosed("room-code", "nobody waits behind this code; it may be mistyped, or over")
        return found

    async def join(self, player_id: str, room_id: str, network: str) -> Room:
        """Somebody from that network has followed the link."""
        room = await self.find(room_id)
        if isinstance(room, OpenDuel) and room.place_of(player_id) is None:
            await self.hall.read(partial(_check_open, player_id=player_id))
            await self._come(room, player_id, network)
        elif room.place_of(player_id) is None:
            await self.hall.read(partial(_check_open, player_id=player_id))
            async with self.changing(room):
                now_ms = self.hall.now_ms()
                if room.state == "gathering" and now_ms >= room.saved.expires_at * SECOND:
                    room.expire()
                else:
                    self._note_network(room, room.join(player_id, now_ms), network)
            if room.place_of(player_id) is None:
                raise RoomClosed("room-expired", "this invitation has expired")
        await self._learn_names(room)  # whoever comes again may have another
        self._begin_when_all_are_here(room)
        room.call()
        return room

    async def _come(self, room: OpenDuel, player_id: str, network: str) -> None:
        """A place, and a table with it."""
        self.hall.check_opening(network)
        async with room.lock:
            self._check_current(room)
            before = room.to_save()
            try:
                place = room.join(player_id, self.hall.now_ms())
                if len(room.progress.tables) > place:  # they have come meanwhile, by another page
                    return
                new = await self.hall.people_tables(room, [place])
                room.add(new[0])
            except BaseException:
                if room.to_save() != before:
                    self._drop(room)
                raise
            await self._keep(room, before, partial(self.hall.enter_in_room, new=new))
            self.hall.show_in_room(new[0])
            room.follow(new[0])

    # -- changing

    @asynccontextmanager
    async def changing(self, room: Room) -> AsyncIterator[None]:
        """Whatever is done to the room inside is kept, and then shown; where nothing was done, nothing is news. If it
        cannot be kept, the room is read again."""
        async with room.lock:
            self._check_current(room)
            before = room.to_save()
            try:
                yield
            except BaseException:
                if room.to_save() != before:
                    self._drop(room)
                raise
            if room.to_save() == before:
                return
            await self._keep(room, before)
        room.call()

    async def _keep(self, room: Room, before: SavedRoom, beside: Callable[[Connection], None] | None = None) -> None:
        """In the store, with what is to be kept `beside` it in one transaction."""
        saved = room.to_save()
        if saved == before and beside is None:
            return
        ended, now_ms = how_it_ended(room, before.state), self.hall.now_ms()

        def keep(connection: Connection) -> None:
            rooms.save(connection, saved)
            outcomes.note(connection, room.id, now_ms, ended)
            if beside is not None:
                beside(connection)

        try:
            await self.hall.write(keep)
        except BaseException:
            self._drop(room)
            raise
        saved.version += 1
        room.saved = saved

    async def seal(self, room: Room, player_id: str, seal: str) -> None:
        async with self.changing(room):
            room.seal(_place(room, player_id), seal, self.hall.now_ms())

    async def reveal(self, room: Room, player_id: str, seed: str) -> None:
        """When all are open, the game begins. Whoever opens again tries once more, where that has failed."""
        async with self.changing(room):
            room.reveal(_place(room, player_id), seed, self.hall.now_ms())
        if room.all_open():
            await self.begin_game(room)

    async def begin_game(self, room: Room) -> None:
        """All is open. Until the table is kept nobody finds it."""
        async with room.lock:
            self._check_current(room)
            if not room.all_open():  # it has begun
                return
            before = room.to_save()
            new = await self.hall.people_tables(room)
            room.sit(new, self.hall.now_ms())
            await self._keep(room, before, partial(self.hall.enter_in_room, new=new))
            for live in new:
                self.hall.show_in_room(live)
                room.follow(live)
            if room.is_over:
                self._settled(new[0])
        room.call()

    async def resign(self, room: Room, player_id: str) -> None:
        await self.depart(room, _place(room, player_id), RESIGNED)

    async def claim(self, room: Room, player_id: str, place: int) -> None:
        """At the time at which it comes here, whatever happens next."""
        now_ms, mine = self.hall.now_ms(), _place(room, player_id)
        nothing = IllegalMove("no-claim", "there is nothing to claim")
        if place == mine or place not in room.persons():
            raise nothing
        live = await self.table_played(room, place)
        if live is None or has_departed(room, live, mine):
            raise nothing
        # a move that was on its way has been kept by now, and takes the claim away
        if room.clock.days or not presence.may_claim(room.presence, place, now_ms):
            raise IllegalMove("claim-early", "they may still come back")
        await self.depart(room, place, LEFT)

    async def depart(self, room: Room, place: int, why: str) -> None:
        """Whoever has that place plays no further."""
        live = await self.table_played(room, place)
        if live is None:
            raise IllegalMove("not-playing", "there is no game to give up")
        if has_departed(room, live, place):
            raise IllegalMove("gone", "they play no further already")
        await self.hall.depart(live, room.seat_of(place), why)

    async def say(self, room: Room, player_id: str, phrase: str) -> None:
        if await self.hall.read(lambda c: players.is_silenced(c, player_id, self.hall.clock())):
            raise IllegalMove("silenced", "whoever runs the hall has taken phrases away from this player")
        room.say(_place(room, player_id), phrase, self.hall.now_ms())
        room.call()

    async def start(self, room: Room, player_id: str, network: str) -> None:
        self.hall.check_opening(network)
        async with self.changing(room):
            room.start(_place(room, player_id), self.hall.now_ms())

    async def ready(self, room: Room, player_id: str, network: str) -> None:
        self.hall.check_opening(network)
        async with self.changing(room):
            room.ready(_place(room, player_id), self.hall.now_ms())

    async def leave(self, room: Room, player_id: str) -> None:
        """For good; from a game only with the line (`go`), and it can be resigned. In a duel nobody has to wait for
        whoever has left: their board departs."""
        place = _place(room, player_id)
        if isinstance(room, Duel) and room.plays(place):
            with suppress(IllegalMove):  # it is done meanwhile
                await self.depart(room, place, LEFT)
        async with self.changing(room):
            room.leave(_place(room, player_id), self.hall.now_ms())

    # -- who is there

    def arrive(self, room: Room, player_id: str, network: str, watcher: Callable[[], None]) -> None:
        """A line of somebody from that network, who shall be shown the room."""
        room.watchers[watcher] = player_id
        place = room.place_of(player_id)
        if place is not None:
            self._note_network(room, place, network)
            if (live := room.live_of(place)) is not None:
                room.follow(live)
            room.presence = presence.arrived(room.presence, place, self.hall.now_ms())
        self._begin_when_all_are_here(room)
        room.call()

    def _note_network(self, room: Room, place: int, network: str) -> None:
        room.progress.networks[place] = self.hall.hidden(network, room.id)

    def _begin_when_all_are_here(self, room: Room) -> None:
        if room.state == "gathering" and not room.free() and self._all_here(room):
            self.soon(self._begin(room))

    def go(self, room: Room, watcher: Callable[[], None], left: bool = False) -> None:
        """That line is gone, because somebody has `left` on purpose, or not."""
        player_id = room.watchers.pop(watcher, None)
        place = None if player_id is None else room.place_of(player_id)
        if place is not None:
            room.presence = presence.lost(room.presence, place, self.hall.now_ms(), left)
        room.call()

    def _all_here(self, room: Room) -> bool:
        return all(presence.is_there(room.presence, place) for place in room.persons())

    async def _begin(self, room: Room) -> None:
        """Everybody has come."""
        async with self.changing(room):
            if room.state == "gathering" and not room.free() and self._all_here(room):
                room.begin(self.hall.now_ms())

    async def forget_player(self, player_id: str) -> None:
        """The account goes: games are given up, and the places free."""
        for saved in await self.hall.read(lambda c: rooms.open_rooms(c, player_id, None)):
            try:
                room = await self.find(saved.id)
                place = room.place_of(player_id)
                if place is None:
                    continue
                if room.state == "playing":
                    with suppress(IllegalMove):  # they play no further already
                        await self.depart(room, place, RESIGNED)
                async with self.changing(room):
                    room.leave(place, self.hall.now_ms())
                    going = room.state in ("gathering", CLOSED) or isinstance(room, Duel)  # which goes on without them
                    if not going and (room.live is None or room.is_over):
                        room.close("left")
                    room.people[place] = None
            except DicehallError as error:
                LOG.warning("a deleted player's room could not be left: %s", error)

    # -- the table

    async def find_table(self, room: Room, place: int | None, network: str | None = None) -> LiveTable:
        """The table of the game that is played there, or was last: of a duel, the one of that place. `network` as for
        the hall's."""
        try:
            live = await self._find_table(room, place, network)
        except (UnknownTable, Damaged):  # it has been cleared away, or nobody can play on: there is no game any more
            if isinstance(room, Duel):
                if room.lose(place):
                    room.call()
            else:
                self.soon(self._end(room))
            raise
        room.follow(live)
        return live

    async def _find_table(self, room: Room, place: int | None, network: str | None = None) -> LiveTable:
        table_id, player_id = room.table_of(place), room.player_at(place)
        if table_id is None or player_id is None:
            raise UnknownTable("table", "there is no such table")
        return await self.hall.find_table(player_id, table_id, network)

    async def _end(self, room: Room) -> None:
        async with self.changing(room):
            room.close("ended")

    async def table_played(self, room: Room, place: int) -> LiveTable | None:
        """The table at which that place plays, as the store has it; None where it does not."""
        if room.state != "playing":
            return None
        live = room.live_of(place)
        if live is None or not self.hall.is_current(live):
            live = await self.find_table(room, place)
        await live.settled()
        return None if live.table.is_over else live

    def _settled(self, live: LiveTable) -> None:
        """A move has been kept at a table of people."""
        room = self._rooms.get(live.saved.room_id or "")
        if room is None or not room.plays_at(live):
            return
        before, now_ms = room.presence, self.hall.now_ms()
        room.follow(live)
        mover, live.mover = room.place_of_mover(live), None
        if mover is not None:
            room.presence = presence.moved(room.presence, mover, now_ms)
        if room.is_over and room.state == "playing":
            self.soon(self.score(room))
        told = live.times is not None or live.table.departures or room.presence != before
        if told or isinstance(room, Duel):  # where the room tells how all boards stand
            room.call()
        else:  # the table tells all there is to tell
            room.look_ms = 0

    async def score(self, room: Room) -> None:
        """The game that is played there is over."""
        async with room.lock:
            self._check_current(room)
            if room.state != "playing" or not room.is_over:
                return
            before = room.to_save()
            room.score(self.hall.now_ms())
            await self._keep(room, before, room.tell_dice if isinstance(room, Duel) else None)
        room.call()

    # -- inside

    async def _learn_names(self, room: Room) -> None:
        there = [player_id for player_id in room.people if player_id is not None]
        found = await self.hall.read(lambda c: [players.find(c, player_id) for player_id in there])
        room.names = {one.id: one.nickname if one.barred is None else "" for one in found if one is not None}

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """What has begun in a room is brought to its end, though whoever asked for it goes away meanwhile."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # they may not be there to hear of it
        return await asyncio.shield(task)

    def soon(self, work: Coroutine[Any, Any, None]) -> None:
        """What nobody waits for."""
        task = asyncio.get_running_loop().create_task(_quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def all(self) -> list[Room]:
        """Those in memory."""
        return list(self._rooms.values())

    def forget(self, room: Room) -> None:
        """Nobody needs the room in memory."""
        self._rooms.pop(room.id, None)

    def _drop(self, room: Room) -> None:
        """Whoever is there finds it again, as the store has it."""
        if self._rooms.get(room.id) is room:
            del self._rooms[room.id]
        room.call()

    def watchers(self) -> dict[str, int]:
        """How many lines there are, by room."""
        return {room.id: len(room.watchers) for room in self._rooms.values() if room.watchers}

    def drop(self, room_id: str) -> None:
        """A room has changed behind our back: whoever is there looks into the store again."""
        if (room := self._rooms.get(room_id)) is not None:
            for place in room.places_with_tables():
                if (live := room.live_of(place)) is not None:
                    self.hall.drop(live.id)
            self._drop(room)

    def is_current(self, room: Room) -> bool:
        return self._rooms.get(room.id) is room

    def _check_current(self, room: Room) -> None:
        """Whoever has waited for the lock may hold a room that was dropped meanwhile."""
        if not self.is_current(room):
            raise Overtaken("overtaken", "the table is not what it was; look again")


async def _quietly(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except DicehallError as error:
        LOG.warning("a room could not go on by itself: %s", error)
    except Exception:
        LOG.exception("a room could not go on by itself")


def _no_room() -> RoomClosed:
    return RoomClosed("room", "there is no such table")


def _check_open(connection: Connection, player_id: str) -> None:
    if rooms.count_open(connection, player_id) >= MOST_OPEN:
        raise InvalidOption("rooms", f"you have {MOST_OPEN} tables with others open; leave one first")


def has_departed(room: Room, live: LiveTable, place: int) -> bool:
    return any(one.seat == room.seat_of(place) for one in live.table.departures)


def _place(room: Room, player_id: str) -> int:
    place = room.place_of(player_id)
    if place is None:
        raise IllegalMove("watching", "whoever watches has no say")
    return place
