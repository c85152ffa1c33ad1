"""Quick match: whoever looks for a game waits here, over a socket of their own, until somebody is found.

Nothing of it is kept but how the games ended: who loses the line looks again, and is told of the table that was found
meanwhile. Who plays whom, and who has to wait because they have left games, is decided by people/pairing.py.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Final, NamedTuple

from sqlalchemy import Connection

from dicehall.bots.seats import YOU
from dicehall.errors import DicehallError, InvalidOption, excerpt
from dicehall.people import pairing
from dicehall.people.clocks import SECOND
from dicehall.people.glicko import POOLS, Rating
from dicehall.people.pairing import Ticket
from dicehall.people.skill import measured
from dicehall.server import wire
from dicehall.server.agreement import Agreement, read_agreement
from dicehall.server.rooms import Rooms
from dicehall.server.wire import QuickShown
from dicehall.store import outcomes, players, ratings, rooms
from dicehall.store.rooms import SavedRoom

LOG: Final = logging.getLogger("dicehall.server")
LOOK_EVERY: Final = 1.0  # seconds
CLOCK: Final = "30+120"
TABLES: Final = {"farkle-table": "farkle", "shut-the-box-table": "shut-the-box"}  # of up to MOST people
MOST: Final = 6


class LeavesGames(DicehallError):
    """Somebody has left too many games: nobody is looked for before the time `until_ms`."""

    def __init__(self, until_ms: int) -> None:
        super().__init__("leaves-games", "whoever leaves games waits longer for the next one")
        self.until_ms = until_ms


@dataclass(slots=True)
class Looking:
    """Somebody who looks; `show` is called when there is something new. Once it is found, `room` is kept for them until
    `kept_ms`."""

    ticket: Ticket
    show: Callable[[], None]
    room: str | None = None
    kept_ms: int | None = None
    starts_ms: int | None = None


class QuickMatch:
    def __init__(self, rooms: Rooms) -> None:
        self.rooms, self.hall = rooms, rooms.hall
        self._looking: dict[str, Looking] = {}  # by player

    async def look(self, player_id: str, pool: str, show: Callable[[], None]) -> Looking:
        """The player looks for a game in the pool from now on; an earlier search of theirs ends."""
        if pool not in POOLS and pool not in TABLES:
            known = ", ".join((*POOLS, *TABLES))
            raise InvalidOption("pool", f"there is no quick match for {excerpt(pool)}; there is one for {known}")
        now_ms = self.hall.now_ms()
        found = await self.hall.read(lambda c: _known(c, player_id, pool, now_ms))
        value, deviation = round(found.rating.value), round(found.rating.deviation)
        looking = Looking(Ticket(player_id, pool, value, deviation, now_ms, found.avoid), show)
        if found.room is not None:  # found when the line was cut, say
            looking.room, looking.kept_ms = found.room.id, found.room.expires_at * SECOND
        elif found.wait_s:
            raise LeavesGames(now_ms + found.wait_s * SECOND)
        self._looking[player_id] = looking
        return looking

    def who(self) -> list[dict[str, str | int]]:
        """Whoever looks, for whoever runs the hall."""
        waiting = [one.ticket for one in self._looking.values() if one.room is None]
        return [{"player": one.player, "pool": one.pool, "since": one.joined_ms // SECOND} for one in waiting]

    def stop(self, looking: Looking) -> None:
        if self._looking.get(looking.ticket.player) is looking:
            del self._looking[looking.ticket.player]

    async def _forget_the_gone(self, tickets: tuple[Ticket, ...]) -> None:
        """An account may have been deleted while its line is still there: it keeps the others from a game once."""
        for ticket in tickets:
            if await self.hall.read(partial(players.find, player_id=ticket.player)) is None:
                self._looking.pop(ticket.player, None)

    async def pair(self) -> None:
        """A chore of the hall."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            waiting = [one.ticket for one in self._looking.values() if one.room is None]
            now_ms = self.hall.now_ms()
            for two in pairing.pairs([one for one in waiting if one.pool in POOLS], now_ms):
                await self._seat(two)
            tables = [one for one in waiting if one.pool in TABLES]
            for gathering in pairing.forming(tables, MOST):
                for ticket in gathering.tickets:
                    if (looking := self._looking.get(ticket.player)) is not None:
                        looking.starts_ms = gathering.starts_ms
            for several in pairing.gatherings(tables, now_ms, MOST):
                await self._seat(several)
            for looking in list(self._looking.values()):
                looking.show()

    async def _seat(self, tickets: tuple[Ticket, ...]) -> None:
        pool = tickets[0].pool
        agreement = Agreement(
            TABLES.get(pool, pool), {}, (YOU,) * len(tickets), clock=CLOCK, rated=pool in POOLS, watched=True
        )
        try:
            room = await self.rooms.open_for([one.player for one in tickets], agreement)
        except DicehallError as error:
            LOG.warning("who was found for each other could not sit down: %s", error)
            await self._forget_the_gone(tickets)
            return
        for ticket in tickets:
            looking = self._looking.get(ticket.player)
            if looking is not None and looking.ticket.pool == pool:  # they may look over another line by now
                looking.room, looking.kept_ms = room.id, room.saved.expires_at * SECOND

    def shown(self, looking: Looking, here: int) -> bytes:
        """How it stands for somebody who looks, as a frame; `here` is how many players have a page open."""
        ticket, now_ms = looking.ticket, self.hall.now_ms()
        two = ticket.pool in POOLS
        window = pairing.window(ticket, now_ms) if two else None
        levels = _levels(TABLES.get(ticket.pool, ticket.pool)) if now_ms >= pairing.offered_at(ticket) else {}
        message = QuickShown(
            protocol=wire.PROTOCOL,
            pool=ticket.pool,
            now_ms=now_ms,
            since_ms=ticket.joined_ms,
            waiting=sum(one.ticket.pool == ticket.pool and one.room is None for one in self._looking.values()),
            here=here,
            rating=ticket.rating if two else None,
            low=None if window is None else window[0],
            high=None if window is None else window[1],
            level=pairing.offer_level(ticket.rating, levels),
            starts_ms=looking.starts_ms,
            room=looking.room,
            until_ms=looking.kept_ms,
        )
        return wire.frame(message)


class _Known(NamedTuple):
    """What the store has of somebody who begins to look."""

    rating: Rating
    avoid: frozenset[str]
    wait_s: int
    room: SavedRoom | None


def _known(connection: Connection, player_id: str, pool: str, now_ms: int) -> _Known:
    found = (one for one in rooms.open_rooms(connection, player_id) if _waits(one, pool, now_ms))
    return _Known(
        ratings.in_pool(connection, player_id, TABLES.get(pool, pool)),
        ratings.met_enough(connection, player_id, now_ms) if pool in POOLS else frozenset(),
        pairing.penalty_seconds(outcomes.of(connection, player_id), now_ms),
        next(found, None),
    )


def _waits(room: SavedRoom, pool: str, now_ms: int) -> bool:
    """Whether quick match has made it for that pool, and it waits for those who were found."""
    waits = room.state == "gathering" and room.progress.get("quick", False) and now_ms < room.expires_at * SECOND
    return waits and _pool_of(read_agreement(room.agreement)) == pool


def _pool_of(agreement: Agreement) -> str:
    tables = {game: pool for pool, game in TABLES.items()}
    return agreement.game if agreement.rated else tables.get(agreement.game, "")


@cache
def _levels(pool: str) -> dict[str, int]:
    """Where the levels of the ladder come to stand among rated players, as simulated (docs/ratings.md)."""
    return {one["player"]: round(one["mean"]) for one in measured()[pool]["season"]["ends"]}
