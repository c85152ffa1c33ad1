"""What whoever runs the hall has done to players and tables: a log that only grows.

A hall that is running follows it, so whatever is changed behind its back is a row here, in the same transaction.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, insert, select, text

from dicehall.store.schema import audit


@dataclass(frozen=True, slots=True)
class Act:
    id: int
    at: int
    who: str  # the user of the operating system
    action: str  # the command's name
    target: str  # the id of a player or a table
    reason: str


def begin(connection: Connection) -> None:
    """Before an act: one at a time, so that their numbers are in the order in which they become visible."""
    if connection.dialect.name == "postgresql":  # on SQLite there is one writer anyway
        connection.execute(text("LOCK TABLE audit IN EXCLUSIVE MODE"))


def write(connection: Connection, at: int, who: str, action: str, target: str, reason: str) -> Act:
    row = {"at": at, "who": who, "action": action, "target": target, "reason": reason}
    number = connection.execute(insert(audit).values(row).returning(audit.c.id)).scalar_one()
    return Act(number, at, who, action, target, reason)


def newest(connection: Connection) -> int:
    """The number of the last act, 0 before the first."""
    return int(connection.scalar(select(func.max(audit.c.id))) or 0)


def since(connection: Connection, number: int) -> list[Act]:
    """The acts after the act `number`, in their order."""
    query = select(audit).where(audit.c.id > number).order_by(audit.c.id)
    return [Act(**row._mapping) for row in connection.execute(query)]


def latest(connection: Connection, limit: int) -> list[Act]:
    """The last `limit` acts, in their order."""
    query = select(audit).order_by(audit.c.id.desc()).limit(limit)
    return [Act(**row._mapping) for row in connection.execute(query)][::-1]
