"""Tables as they are kept between moves: enough to sit down again where one left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from sqlalchemy import BindParameter, Connection, Row, Text, bindparam, case, delete, func, select, update
from sqlalchemy import insert as insert_into

from dicehall.errors import DicehallError
from dicehall.store.quick import Quick, commit
from dicehall.store.schema import json_text, tables


class UnknownTable(DicehallError):
    """No such table, or not this player's: the answer is the same, so nobody learns which."""


@dataclass(slots=True)
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


_COLUMNS: Final = tuple(column.name for column in tables.columns)
_INSERT: Final = Quick(insert_into(tables).values({name: bindparam(name) for name in _COLUMNS}))
_SAVE: Final = Quick(
    update(tables)
    .where(tables.c.id == bindparam("id_"))
    .values({name: bindparam(name) for name in ("steps", "unranked", "over", "updated_at")})
)
_COUNT_OPEN: Final = Quick(
    select(func.count()).where(tables.c.player_id == bindparam("player_id"), tables.c.over.is_(False))
)


def insert(connection: Connection, table: SavedTable) -> None:
    values = {name: getattr(table, name) for name in _COLUMNS}
    for name in ("options", "seats", "own_seed", "unranked"):
        values[name] = json_text(values[name])
    _INSERT.run(connection, values)


def save(connection: Connection, table_id: str, steps: str, unranked: tuple[str, ...], over: bool, now: int) -> None:
    """What has happened at the table so far."""
    values = {"id_": table_id, "steps": steps, "unranked": json_text(unranked), "over": over, "updated_at": now}
    if _SAVE.run(connection, values).rowcount == 0:
        raise UnknownTable("table", "there is no such table")


def save_steps(connection: Connection, steps: Mapping[str, str], now: int) -> None:
    """What has been played at several tables, by id, durable when this returns.

    It is one statement, and a transaction of its own: the connection must not be in another. If one of the tables is
    not there any more, the others have been saved all the same.
    """
    values: dict[str, str | int] = {"now": now}
    for n, (table_id, of_table) in enumerate(steps.items()):
        values[f"id{n}"], values[f"steps{n}"] = table_id, of_table
    saved = _save_steps(len(steps)).run(connection, values).rowcount
    commit(connection)
    if saved != len(steps):
        raise UnknownTable("table", "there is no such table")


@cache
def _save_steps(count: int) -> Quick:
    ids: list[BindParameter[str]] = [bindparam(f"id{n}") for n in range(count)]
    steps = case({table_id: bindparam(f"steps{n}", type_=Text) for n, table_id in enumerate(ids)}, value=tables.c.id)
    return Quick(update(tables).where(tables.c.id.in_(ids)).values(steps=steps, updated_at=bindparam("now")))


def load(connection: Connection, table_id: str) -> SavedTable | None:
    row = connection.execute(select(tables).where(tables.c.id == table_id)).one_or_none()
    return None if row is None else _saved(row)


def count_open(connection: Connection, player_id: str) -> int:
    return int(_COUNT_OPEN.run(connection, {"player_id": player_id}).fetchone()[0])


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
