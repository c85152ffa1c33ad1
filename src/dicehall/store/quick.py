"""Statements that run for every move, table and run: SQLAlchemy writes them once for each kind of database, and from
then on the driver gets them ready-made. Building and reading a statement costs several times what running it does.

Values have to be what a driver takes as it is: JSON is text already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, Insert, Select, Update
from sqlalchemy.exc import DBAPIError


class Quick:
    def __init__(self, statement: Select[Any] | Insert | Update) -> None:
        self._statement = statement
        self._ready: dict[str, tuple[str, list[str] | None]] = {}  # by the database's name

    def run(self, connection: Connection, values: Mapping[str, Any]) -> Any:
        """The driver's cursor, after the statement has run: it has a `rowcount`, and rows to fetch."""
        name = connection.dialect.name
        if name not in self._ready:
            written: Any = self._statement.compile(dialect=connection.dialect)
            # a driver that counts parameters wants their values in order, another one by name
            self._ready[name] = str(written), list(written.positiontup) if written.positiontup else None
        text, names = self._ready[name]
        return run_text(connection, text, values if names is None else [values[name] for name in names])


def run_text(connection: Connection, text: str, values: Mapping[str, Any] | Sequence[Any] = ()) -> Any:
    """The driver's cursor, after it has run a statement in its own language."""
    driver = connection.connection.dbapi_connection
    assert driver is not None
    cursor = driver.cursor()
    try:
        cursor.execute(text, values)
    except connection.dialect.loaded_dbapi.Error as error:
        raise _as_usual(connection, error) from error
    return cursor


def commit(connection: Connection) -> None:
    """Outside SQLAlchemy's transactions, for a driver that has begun one by itself."""
    driver = connection.connection.dbapi_connection
    assert driver is not None
    try:
        driver.commit()
    except connection.dialect.loaded_dbapi.Error as error:
        raise _as_usual(connection, error) from error


def take_back(connection: Connection) -> None:
    """Outside SQLAlchemy's transactions, after something has failed: whoever uses the connection next starts anew."""
    driver = None if connection.invalidated else connection.connection.dbapi_connection
    if driver is not None:
        with suppress(connection.dialect.loaded_dbapi.Error):  # it is lost, and the next one finds out
            driver.rollback()


def _as_usual(connection: Connection, error: Exception) -> BaseException:
    """The exception that SQLAlchemy would have raised; a connection that is lost is not used again."""
    dialect = connection.dialect
    lost = dialect.is_disconnect(error, None, None)  # type: ignore[arg-type]
    if lost:
        connection.invalidate(error)
    return DBAPIError.instance(None, None, error, dialect.loaded_dbapi.Error, True, lost, dialect)
