"""What the hall does by itself: it follows what is changed behind its back, and forgets guests who left nothing."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final

from dicehall.server.guard import DAY, Guard
from dicehall.server.hall import Hall
from dicehall.server.quick import QuickMatch
from dicehall.server.rooms import Rooms
from dicehall.store import audit, halls, outcomes, players
from dicehall.store import rooms as kept
from dicehall.store.engine import cut_connections, is_local
from dicehall.store.ids import new_id

LOG: Final = logging.getLogger("dicehall.server")
LOOK_EVERY: Final = 2.0  # seconds
TELL_EVERY: Final = 5.0  # seconds
LAST_WORDS: Final = 1.0  # seconds for what a hall that closes has to tell the store
PAUSE: Final = 10.0  # after a failure
SILENT: Final = 15.0  # seconds without an answer: more than a statement may take
HOUR: Final = 3600
COLLECT_EVERY: Final = 300.0  # seconds
STRAY_SECONDS: Final = 400 * DAY  # without a visit: a month more than a cookie lasts
ROOM_SECONDS: Final = 30 * DAY  # since it was opened, of a room that is closed
STRAYS_AN_HOUR: Final = 500
STRAYS_AT_ONCE: Final = 50  # others want to write too


async def keep_on(chore: Callable[[], Awaitable[None]]) -> None:
    """Do it, and begin again after a fault: no chore ends because one thing went wrong once."""
    while True:
        try:
            return await chore()
        except Exception:
            LOG.exception("a chore of the hall failed; it begins again")
            await asyncio.sleep(PAUSE)


async def follow_audit(hall: Hall, guard: Guard, rooms: Rooms) -> None:
    """Whatever `dicehall hall` has done to a player, a table or a room shows within seconds."""
    followed: int | None = None
    while True:
        try:
            newest = await hall.read(audit.newest)
            if followed is None:
                followed = newest  # what was done before is in the store, and nobody remembers otherwise
            if newest > followed:
                for act in await hall.read(partial(audit.since, number=followed)):
                    hall.drop(act.target)  # one of the three: an id is a table's, a room's or a player's
                    rooms.drop(act.target)
                    await guard.review(act.target)
                    followed = act.id
        except Exception:  # a database that is away for a moment comes back, and need not be asked all the time
            LOG.exception("the audit log could not be read")
            followed = followed or 0  # whatever was done before the first look is followed too: that does no harm
            await asyncio.sleep(PAUSE)
        await asyncio.sleep(LOOK_EVERY)


async def tell_who_is_there(hall: Hall, guard: Guard, quick: QuickMatch) -> None:
    """For whoever runs the hall, who asks the store (operator.py)."""
    me = new_id()
    try:
        while True:
            told = {"players": guard.who(), "looking": quick.who(), "watchers": quick.rooms.watchers()}
            try:
                await hall.write(partial(halls.tell, hall_id=me, now=hall.clock(), told=told))
            except Exception as error:  # a store that is away is told of elsewhere
                LOG.warning("who is there could not be told: %s", error)
            await asyncio.sleep(TELL_EVERY)
    finally:
        with suppress(Exception):  # it is known by its age, too, should the store not answer
            async with asyncio.timeout(LAST_WORDS):
                await hall.write(partial(halls.forget, hall_id=me, before=hall.clock() - DAY))


async def renew_connections(hall: Hall) -> None:
    """A database that is reached over a network may never answer on a connection that was good before."""
    if is_local(hall.engine):
        return
    while True:
        await asyncio.sleep(LOOK_EVERY)
        if (silent_for := hall.access.silent_for) > SILENT:
            LOG.error("the database has not answered for %d s: its connections are made anew", silent_for)
            cut_connections(hall.engine)


async def forget_strays(hall: Hall) -> None:
    """Once a day, and not too many at once."""
    while True:
        found = []
        try:
            before = hall.clock() - STRAY_SECONDS
            found = await hall.read(partial(players.strays, before=before, limit=STRAYS_AN_HOUR))
            for n in range(0, len(found), STRAYS_AT_ONCE):
                few = found[n : n + STRAYS_AT_ONCE]
                await hall.write(partial(players.forget_strays, before=before, found=few))
        except Exception:
            LOG.exception("strays could not be forgotten")
        await asyncio.sleep(HOUR if len(found) == STRAYS_AN_HOUR else DAY)


async def forget_rooms(hall: Hall) -> None:
    """Once a day: what was closed, and is of no interest any more. Its games are tables and runs of their own."""
    while True:
        try:
            before = hall.clock() - ROOM_SECONDS
            await hall.write(partial(kept.forget_closed, before=before))
            await hall.write(partial(outcomes.forget, now_ms=hall.now_ms()))
        except Exception:
            LOG.exception("closed rooms could not be forgotten")
        await asyncio.sleep(DAY)


async def collect_garbage() -> None:
    """All of it, every few minutes: what points in a circle and has grown old is not looked for otherwise."""
    while True:
        await asyncio.sleep(COLLECT_EVERY)
        gc.collect()
