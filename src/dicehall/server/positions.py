"""Where the tables stand that are played for the boards, so that a question to the coach about one of them is noticed.

Nothing of it is kept in the store: after a restart it begins anew with the tables that are played on.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, NamedTuple

MOST: Final = 50_000  # tables
MANY_STEPS: Final = 6  # from here on two tables do not stand alike by chance


class Place(NamedTuple):
    table_id: str
    player_id: str
    network: str  # from which the table was opened; empty where nobody knows any more
    position: str
    steps: int


def position(game: str, state: str) -> str:
    """One text for each position, whoever sits there and under whatever options: what the coach says of a neighbouring
    variant is a help, too."""
    return f"{game} {state}"


class Positions:
    """The places of at most `most` tables; of more, those that nobody has moved at for longest are forgotten."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._places: OrderedDict[str, Place] = OrderedDict()  # by table
        self._tables: dict[tuple[str, str], set[str]] = {}  # by player or network, and position

    def note(self, table_id: str, player_id: str, network: str, position: str, steps: int) -> None:
        """A table stands at `position` now, after `steps` steps. Where `network` is empty, its last place's is
        meant."""
        before = self.forget(table_id)
        if before is not None and not network:
            network = before.network
        self._places[table_id] = place = Place(table_id, player_id, network, position, steps)
        for key in _keys(place):
            self._tables.setdefault(key, set()).add(table_id)
        if len(self._places) > self._most:
            self.forget(next(iter(self._places)))

    def forget(self, table_id: str) -> Place | None:
        place = self._places.pop(table_id, None)
        for key in () if place is None else _keys(place):
            self._tables[key].discard(table_id)
            if not self._tables[key]:
                del self._tables[key]
        return place

    def standing_at(self, position: str, player_id: str | None, network: str) -> list[Place]:
        """The tables at `position` that somebody could be asking for: the player's own, and those of `network` that
        have gone on for some steps. Nobody else's: a stranger's question says nothing about them."""
        found = set() if player_id is None else set(self._tables.get((player_id, position), ()))
        near = self._tables.get((network, position), set()) if network else set()
        found |= {table_id for table_id in near if self._places[table_id].steps >= MANY_STEPS}
        return [self._places[table_id] for table_id in sorted(found)]


def _keys(place: Place) -> list[tuple[str, str]]:
    return [(who, place.position) for who in (place.player_id, place.network) if who]
