"""Inserts that may meet a row which is there already: two processes can serve one PostgreSQL."""

from __future__ import annotations

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_into(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An insert that knows `on_conflict_do_nothing` and `on_conflict_do_update`, as the connection's database says
    it."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
