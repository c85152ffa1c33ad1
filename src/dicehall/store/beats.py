"""The hall's own signs of life: that it can write, and what time it was when it was last seen."""

from __future__ import annotations

from sqlalchemy import Connection, select

from dicehall.store.schema import beats
from dicehall.store.upsert import insert_into


def beat(connection: Connection, name: str, now: int) -> None:
    fresh = insert_into(connection, beats).values(name=name, at=now)
    connection.execute(fresh.on_conflict_do_update(index_elements=[beats.c.name], set_={"at": now}))


def last(connection: Connection, name: str) -> int | None:
    return connection.scalar(select(beats.c.at).where(beats.c.name == name))
