"""Games that go on now and may be watched, the most interesting first: those that many watch, then those of the strong.

What is found is the same for everybody for a few seconds, but for their own games.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from dicehall.people import presence
from dicehall.server.live import LiveTable
from dicehall.server.room import Room
from dicehall.server.rooms import Rooms
from dicehall.store import ratings

SHOWN: Final = 6
FRESH_MS: Final = 3000  # for how long an answer holds
THERE: Final = 2  # people who play have to be there, or nothing happens


@dataclass(frozen=True, slots=True)
class GoingOn:
    """A game with the ratings of those who play it, by place; None: not rated, or a player of the house."""

    room: Room
    ratings: tuple[int | None, ...]


class Watching:
    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._found: list[GoingOn] = []
        self._until_ms = 0

    async def going_on(self, player_id: str | None) -> list[GoingOn]:
        """The first of them for somebody who plays in none of these, or for anybody."""
        now_ms = self._rooms.hall.now_ms()
        if not self._until_ms - FRESH_MS <= now_ms < self._until_ms:
            self._found, self._until_ms = await self._look(), now_ms + FRESH_MS
        others = (one for one in self._found if player_id not in one.room.people and is_watchable(one.room))
        return [one for one, _ in zip(others, range(SHOWN), strict=False)]

    async def _look(self) -> list[GoingOn]:
        rooms = [room for room in self._rooms.all() if is_watchable(room)]
        asked = [(player, room.agreement.game) for room in rooms for player in room.people if player is not None]
        known = await self._rooms.hall.read(partial(ratings.values, asked=asked)) if asked else {}
        found = [
            GoingOn(room, tuple(known.get((player or "", room.agreement.game)) for player in room.people))
            for room in rooms
        ]
        return sorted(found, key=_interest)


def is_watchable(room: Room) -> bool:
    """Whether it is played there now, and anybody may see it."""
    live = room.live
    there = sum(presence.is_there(room.presence, place) for place in room.persons())
    played = room.state == "playing" and live is not None and not live.table.is_over
    return room.agreement.watched and played and there >= THERE


def scores(room: Room, live: LiveTable) -> list[int]:
    """By place, as the game stands for those who watch it."""
    table, count = live.table, len(live.snapshot.steps)
    if not count:
        return [0] * len(room.people)
    now = table.game.rules.result(table.states[count - 1]).scores
    return [now[seat] for seat in room.seats]


def _interest(one: GoingOn) -> tuple[int, int, int, str]:
    strength = sum(filter(None, one.ratings))
    return -one.room.watching(), -strength // len(one.ratings), -one.room.saved.created_at, one.room.id
