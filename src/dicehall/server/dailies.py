"""What the hall does every minute: the dailies are committed to and revealed in time, and the time is noted."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, Engine

from dicehall.errors import InvalidOption
from dicehall.rules.catalog import GAMES
from dicehall.server import modes
from dicehall.server.clock import MOST_MOVED
from dicehall.server.hall import Hall
from dicehall.store import beats, daily
from dicehall.store.engine import reader

LOG: Final = logging.getLogger("dicehall.server")
CLOCK: Final = "clock"  # the beat that says what time it was


async def keep_dailies(hall: Hall) -> None:
    """Every minute. On most of them there is nothing to do but to note the time."""
    committed = ""  # today, once the dice of today and tomorrow are committed to
    while True:
        try:
            committed = await keep(hall, committed)
        except Exception:  # a database that is away for a moment comes back; the dailies must not stop for it
            LOG.exception("the dailies could not be kept")
        await asyncio.sleep(60)


async def keep(hall: Hall, committed: str) -> str:
    """Reveal what is over, and commit to today's and tomorrow's dice unless that was done today: `committed`. Today."""
    today, now = await hall.today(), hall.clock()
    if committed != today:
        await hall.write(lambda connection: _commit(connection, now))
    await hall.write(lambda connection: beats.beat(connection, CLOCK, now))
    return today


def _commit(connection: Connection, now: int) -> None:
    for game in GAMES.values():
        for day in (modes.day_of(now), modes.day_of(now + 86_400)):
            daily.ensure(connection, day, game.id, modes.daily_mode(game), now)


def check_clock(engine: Engine, now: int) -> None:
    """A hall that has seen a later time is not opened: runs would be finished before they were begun."""
    with reader(engine).connect() as connection:
        seen = beats.last(connection, CLOCK)
    if seen is not None and now < seen - MOST_MOVED:
        raise InvalidOption(
            "clock",
            f"this machine says it is {_moment(now)}, but the hall has seen {_moment(seen)} already: set the clock, or "
            "start with --clock-is-right if it was wrong then",
        )


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")
