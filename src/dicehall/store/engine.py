"""Opening the database by its URL and bringing it up to date."""

from __future__ import annotations

import os
import socket
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from weakref import WeakSet

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from dicehall.errors import InvalidOption, excerpt
from dicehall.store.quick import run_text

FILE: Final = "hall.sqlite"
KEY: Final = "cookie.key"
PATIENCE: Final = 10  # seconds to wait for another writer, or for a server to answer
READ_ONLY: Final = "dicehall_read_only"
CONNECTIONS: Final = "dicehall_connections"
MIGRATING: Final = 20_261_116  # the lock for it, on PostgreSQL
MOST_CONNECTIONS: Final = 16  # more than the hall has threads that ask for one
_POOL: Final = {"pool_size": MOST_CONNECTIONS, "max_overflow": 0, "pool_timeout": PATIENCE, "hide_parameters": True}
# A statement of ours takes milliseconds. One that hangs, or a process that was stopped in the middle of a transaction,
# must not hold up whoever else uses the database.
# A machine that is gone is noticed by the network's own means.
_ALIVE: Final = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3, "tcp_user_timeout": 10_000}
_BOUNDS: Final = f"-c statement_timeout={PATIENCE}s -c idle_in_transaction_session_timeout={PATIENCE}s"


def open_engine(url: str) -> Engine:
    """An engine whose database can be reached and written; whatever stands in the way is an InvalidOption."""
    where = _read_url(url)
    if where.get_backend_name() == "sqlite":
        _keep_private(where)
        engine = create_engine(where, **_POOL)  # hidden parameters: what fails may hold secrets, not for the log
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    else:
        own = where.query.get("options", "")
        arguments = {"connect_timeout": PATIENCE, "options": f"{_BOUNDS} {own}".rstrip(), **_ALIVE}
        try:
            engine = create_engine(where, pool_pre_ping=True, connect_args=arguments, **_POOL)
        except ModuleNotFoundError as missing:
            why = f"PostgreSQL needs {missing.name}: pip install 'dicehall[postgres]'"
            raise InvalidOption("database", why) from None
        connections: WeakSet[Any] = WeakSet()
        engine.update_execution_options(**{CONNECTIONS: connections})
        event.listen(engine, "connect", lambda driver, _: connections.add(driver))
    try:
        with engine.connect() as connection:
            if where.get_backend_name() == "sqlite":  # which says that a file is read-only no sooner than it must
                connection.execute(text("CREATE TABLE can_be_written (n INTEGER)"))
            connection.rollback()
    except SQLAlchemyError as error:
        engine.dispose()
        reason = " ".join(str(getattr(error, "orig", None) or error).split())[:200]
        raise InvalidOption("database", f"cannot open {where.render_as_string(hide_password=True)}: {reason}") from None
    return engine


def cut_connections(engine: Engine) -> None:
    """End every connection to a server's database, whatever it waits for: who waits is told that it failed, and the
    pool makes them anew. After a failover the old ones may be silent for ever, and no time limit of the server's
    reaches whoever waits for it."""
    for driver in list(engine.get_execution_options().get(CONNECTIONS, ())):
        with suppress(Exception):  # it is closed already
            line = socket.socket(fileno=os.dup(driver.fileno()))
            with line:
                line.shutdown(socket.SHUT_RDWR)


def reader(engine: Engine) -> Engine:
    """The same database for transactions that only read: on SQLite they wait for no writer and hold none up."""
    options: dict[str, Any] = {READ_ONLY: True}
    if not is_local(engine):
        options["isolation_level"] = "REPEATABLE READ"  # several statements see one moment, as they do on SQLite
    return engine.execution_options(**options)


def database_file(engine: Engine) -> Path | None:
    """Where the database lies, if it is a file of this machine."""
    return _file_of(engine.url)


def is_local(engine: Engine) -> bool:
    """Whether the database is a file of this machine: no network can keep it away for minutes."""
    return engine.dialect.name == "sqlite"


def connect_impatient(engine: Engine) -> Connection:
    """To a local database: one that fails rather than waits while somebody else writes."""
    connection = engine.connect()
    connection.detach()  # from the pool, whose connections are patient
    driver = connection.connection.dbapi_connection
    assert driver is not None
    driver.execute("PRAGMA busy_timeout=0")
    return connection


def hold(engine: Engine) -> object:
    """Hold a local database for this process alone, until what is returned is gone or the process ends, however that
    happens. InvalidOption when another process holds it. A server's database can be shared."""
    file = database_file(engine)
    if file is None:
        return None
    held = sqlite3.connect(f"{file}.lock", timeout=0, isolation_level=None, check_same_thread=False)
    try:
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        held.close()
        raise InvalidOption("database", f"another hall is open on {file}; another --data is another hall") from None
    return held


def check_version(engine: Engine) -> None:
    """Whether the database's tables are those of this version; nothing is changed."""
    with reader(engine).connect() as connection:
        found = MigrationContext.configure(connection).get_current_heads()
    if found != tuple(ScriptDirectory.from_config(_migrations()).get_heads()):
        raise InvalidOption("database-version", "this database is not one of this version: start the hall once")


def migrate(engine: Engine, version: str = "head") -> None:
    """Bring the database's tables up to date: all of the changes or none."""
    config = _migrations()
    with engine.begin() as connection:
        if not is_local(engine):  # one at a time, and as long as it takes
            connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, version)
        except CommandError as error:
            raise InvalidOption("database-version", f"this database is not one of this version: {error}") from None


def data_folder(data: Path | None = None) -> Path:
    """The hall's own folder, made for its owner alone when it is missing."""
    folder = _usual_folder() if data is None else data
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidOption("data-folder", f"cannot make the folder {folder}: {error.strerror}") from None
    return folder.absolute()


def default_url(data: Path | None = None) -> str:
    """The URL of the SQLite file in the hall's own folder."""
    return _url_of(data_folder(data) / FILE)


def key_file(data: Path | None = None) -> Path:
    """Where the key lies that signs cookies: in the hall's own folder, whatever its database."""
    return (_usual_folder() if data is None else data).absolute() / KEY


def existing_url(data: Path | None = None, database: str | None = None) -> str:
    """The same, or the URL of another database, for a hall that has been opened before; nothing is made."""
    usual = (_usual_folder() if data is None else data).absolute() / FILE
    where = _read_url(_url_of(usual) if database is None else database)
    file = _file_of(where)
    if file is not None and not file.is_file():
        raise InvalidOption("database", f"there is no hall here: {file}")
    return where.render_as_string(hide_password=False)


def _url_of(path: Path) -> str:
    return URL.create("sqlite", database=str(path)).render_as_string()


def _migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", "dicehall.store:migrations")
    return config


def _file_of(where: URL) -> Path | None:
    """Of an SQLite database."""
    name = (where.database or "").removeprefix("file:")  # of a URI, with uri=true
    return Path(name) if where.get_backend_name() == "sqlite" else None


def _keep_private(where: URL) -> None:
    """The file is its owner's alone, before anything is in it; so are those that SQLite keeps beside it."""
    path = _file_of(where)
    if path is None:
        return
    with suppress(OSError, ValueError):  # a file that is somebody else's, or cannot be: opening it tells
        if not path.exists():
            path.touch(mode=0o600)
        for file in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
            if file.is_file():
                file.chmod(0o600)


def _usual_folder() -> Path:
    if chosen := os.environ.get("DICEHALL_DATA"):
        return Path(chosen).expanduser()
    shared = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (shared if shared.is_absolute() else Path.home() / ".local" / "share") / "dicehall"


def _read_url(url: str) -> URL:
    try:
        where = make_url(url)
    except (ArgumentError, ValueError):
        where = None
    if where is not None and where.drivername == "postgresql":
        where = where.set(drivername="postgresql+psycopg")
    known = where is not None and where.drivername in ("sqlite", "sqlite+pysqlite", "postgresql+psycopg")
    if where is None or not known:
        scheme = excerpt(url.partition("://")[0])  # and no more of it: the rest may hold a password
        raise InvalidOption("database", f"a database is sqlite:///FILE or postgresql://..., not {scheme}")
    if where.get_backend_name() == "sqlite" and where.database in (None, "", ":memory:"):
        raise InvalidOption("database", "a database in memory would be lost: sqlite:///FILE names a file")
    return where


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself; _begin_sqlite does
    for pragma in (
        f"busy_timeout={PATIENCE * 1000}",
        "journal_mode=WAL",
        "synchronous=FULL",  # a finished run survives a power cut
        "foreign_keys=ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and writes later fails when somebody else has written in between, however long it
    # would be ready to wait. So a transaction is a writer from the start unless it was opened through `reader`.
    read_only = connection.get_execution_options().get(READ_ONLY, False)
    run_text(connection, "BEGIN" if read_only else "BEGIN IMMEDIATE")
