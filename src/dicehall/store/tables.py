"""Tables as they are kept between moves: enough to sit down again where one left."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update
from sqlalchemy import insert as insert_into

from dicehall.store.schema import tables


@dataclass(frozen=True, slots=True)
class SavedTable:
    id: str
    player_id: str
    game: str
    rules: int
    options: dict[str, Any]
    seats: tuple[str, ...]
    kind: str
    secret: str | None
    own_seed: str
    day: str | None
    mode: str
    steps: str
    unranked: tuple[str, ...]
    over: bool
    created_at: int
    updated_at: int


def insert(connection: Connection, table: SavedTable) -> None:
    values = {field.name: getattr(table, field.name) for field in fields(table)}
    connection.execute(insert_into(tables).values(values))


def save_steps(
    connection: Connection, table_id: str, steps: str, unranked: tuple[str, ...], over: bool, now: int
) -> None:
    """What has happened at the table so far."""
    values = {"steps": steps, "unranked": unranked, "over": over, "updated_at": now}
    connection.execute(update(tables).where(tables.c.id == table_id).values(values))


def load(connection: Connection, table_id: str) -> SavedTable | None:
    row = connection.execute(select(tables).where(tables.c.id == table_id)).one_or_none()
    return None if row is None else _saved(row)


def open_tables(connection: Connection, player_id: str, limit: int = 50) -> list[SavedTable]:
    """The player's unfinished tables, the one played at last first."""
    query = (
        select(tables)
        .where(tables.c.player_id == player_id, tables.c.over.is_(False))
        .order_by(tables.c.updated_at.desc(), tables.c.id.desc())
        .limit(limit)
    )
    return [_saved(row) for row in connection.execute(query)]


def forget(connection: Connection, table_id: str) -> None:
    """Clear the table away. A run that was finished there stays."""
    connection.execute(delete(tables).where(tables.c.id == table_id))


def _saved(row: Row[Any]) -> SavedTable:
    values = {**row._mapping, "seats": tuple(row.seats), "unranked": tuple(row.unranked)}
    return SavedTable(**values)
