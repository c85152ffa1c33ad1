"""Who is there, as every hall that is open tells it: only its memory knows, and whoever runs it asks the store."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, select

from dicehall.store.schema import halls
from dicehall.store.upsert import insert_into


def tell(connection: Connection, hall_id: str, now: int, told: dict[str, Any]) -> None:
    fresh = insert_into(connection, halls).values(id=hall_id, at=now, told=told)
    again = {"at": now, "told": fresh.excluded.told}
    connection.execute(fresh.on_conflict_do_update(index_elements=[halls.c.id], set_=again))


def told(connection: Connection, since: int) -> list[dict[str, Any]]:
    """What halls have told since that time."""
    return list(connection.scalars(select(halls.c.told).where(halls.c.at >= since).order_by(halls.c.at)))


def forget(connection: Connection, hall_id: str, before: int) -> None:
    """The hall closes; whatever was told `before` that time is of halls that could not say so."""
    connection.execute(delete(halls).where((halls.c.id == hall_id) | (halls.c.at < before)))
