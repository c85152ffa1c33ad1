"""Signs of life that the hall writes: that it can, and what time it was."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from dicehall.store.schema import beats


def write(connection: Connection, name: str, now: int) -> None:
    mine = beats.c.name == name
    if connection.execute(update(beats).where(mine).values(at=now)).rowcount == 0:
        connection.execute(insert(beats).values(name=name, at=now))


def last(connection: Connection, name: str) -> int | None:
    """When it was written last."""
    return connection.scalar(select(beats.c.at).where(beats.c.name == name))
