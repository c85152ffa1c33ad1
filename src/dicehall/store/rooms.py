"""Rooms: the same people with one agreement, from the invitation to the last game. Whoever writes one names the version
that it follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from dicehall.store.schema import guests, rooms
from dicehall.store.tables import Overtaken

CLOSED = "closed"


@dataclass(slots=True)
class SavedRoom:
    """`people` are the players by place: None where one is free, is of a player of the house, or has lost its account.
    `agreement` and `progress` are the hall's to read (server/room.py)."""

    id: str
    code: str | None
    state: str
    agreement: dict[str, Any]
    progress: dict[str, Any]
    table_id: str | None
    created_at: int
    expires_at: int
    people: tuple[str | None, ...]
    version: int = 0


def enter(connection: Connection, room: SavedRoom) -> None:
    """A new room."""
    connection.execute(insert(rooms).values(_values(room)))
    _seat(connection, room)


def save(connection: Connection, room: SavedRoom) -> None:
    """The room as it is, onto the version it was read with. Overtaken: somebody else has been quicker."""
    mine = (rooms.c.id == room.id, rooms.c.version == room.version)
    values = _values(room) | {"version": room.version + 1}
    if connection.execute(update(rooms).where(*mine).values(values)).rowcount != 1:
        raise Overtaken("overtaken", "the room has gone on elsewhere; this is how it is now")
    connection.execute(delete(guests).where(guests.c.room_id == room.id))
    _seat(connection, room)


def load(connection: Connection, room_id: str) -> SavedRoom | None:
    return next(iter(_rooms(connection, connection.execute(select(rooms).where(rooms.c.id == room_id)).all())), None)


def by_code(connection: Connection, code: str) -> str | None:
    """The room that people may still come to with this code."""
    return connection.scalar(select(rooms.c.id).where(rooms.c.code == code))


def open_rooms(connection: Connection, player_id: str, limit: int | None = 50) -> list[SavedRoom]:
    """The rooms of a player that are not closed, the newest first; all of them without a `limit`."""
    mine = select(guests.c.room_id).where(guests.c.player_id == player_id, guests.c.open)
    query = select(rooms).where(rooms.c.id.in_(mine)).order_by(rooms.c.created_at.desc(), rooms.c.id.desc())
    return _rooms(connection, connection.execute(query.limit(limit)).all())


def count_open(connection: Connection, player_id: str) -> int:
    mine = (guests.c.player_id == player_id, guests.c.open)
    return int(connection.scalar(select(func.count()).where(*mine)) or 0)


def forget_closed(connection: Connection, before: int) -> int:
    """Clear away what has been closed, and was opened before that time; how many they were."""
    old = (rooms.c.state == CLOSED, rooms.c.created_at < before)
    return connection.execute(delete(rooms).where(*old)).rowcount


def give_back(connection: Connection, span_ms: int) -> None:
    """Games with a time limit as if the last `span_ms` had not been: the hall was closed."""
    for room in _rooms(connection, connection.execute(select(rooms).where(rooms.c.state == "playing")).all()):
        if room.progress["until_ms"] is not None:
            room.progress = room.progress | {"until_ms": room.progress["until_ms"] + span_ms}
            save(connection, room)


def going_on(connection: Connection) -> list[str]:
    """The rooms that are not closed."""
    return list(connection.scalars(select(rooms.c.id).where(rooms.c.state != CLOSED)))


def _values(room: SavedRoom) -> dict[str, Any]:
    names = ("id", "code", "state", "agreement", "progress", "table_id", "created_at", "expires_at", "version")
    return {name: getattr(room, name) for name in names}


def _seat(connection: Connection, room: SavedRoom) -> None:
    rows = [
        {"room_id": room.id, "place": place, "player_id": player_id, "open": room.state != CLOSED}
        for place, player_id in enumerate(room.people)
        if player_id is not None
    ]
    if rows:
        connection.execute(insert(guests), rows)


def _rooms(connection: Connection, rows: Sequence[Row[Any]]) -> list[SavedRoom]:
    placed: dict[str, dict[int, str]] = {row.id: {} for row in rows}
    theirs = select(guests.c.room_id, guests.c.place, guests.c.player_id).where(guests.c.room_id.in_(placed))
    for room_id, place, player_id in connection.execute(theirs) if rows else ():
        placed[room_id][place] = player_id
    return [
        SavedRoom(**row._mapping, people=tuple(map(placed[row.id].get, range(len(row.agreement["seats"])))))
        for row in rows
    ]
