"""A copy of a hall while it is open: a folder that is a hall's own folder, to be opened with `--data`."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from dicehall.errors import NO_ROOM, InvalidOption, NotWritten
from dicehall.store.engine import FILE, database_file, open_engine

NO_PAGES: Final = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE}  # a disk that is full, or broken


def back_up(url: str, key: Path, to: Path) -> int:
    """Copy the database and the `key` into the folder `to`, which must be new or empty; the bytes that it has then.
    What is acknowledged before this begins is in it, and no move is there by halves."""
    engine = open_engine(url)
    file = database_file(engine)
    engine.dispose()
    if file is None:
        raise InvalidOption("backup", "a database of PostgreSQL is backed up with pg_dump; keep cookie.key with it")
    if not key.is_file():
        raise InvalidOption("backup", f"there is no key at {key}: --data names the hall's folder")
    try:
        to.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(to.iterdir()):
            raise InvalidOption("backup", f"{to} is not empty; a backup has a folder of its own")
        with _all_or_nothing(to):
            copy = to / FILE
            half = to / f"{FILE}.{os.getpid()}"
            half.touch(mode=0o600)
            source, target = sqlite3.connect(file), sqlite3.connect(half)
            try:
                source.backup(target)  # in one go: in WAL mode nobody who writes waits for it
            finally:
                source.close()
                target.close()
            shutil.copy2(key, to / key.name)
            half.replace(copy)  # last of all: whoever is killed before leaves no hall to open
    except (OSError, sqlite3.Error) as error:
        no_room = (
            error.errno in NO_ROOM if isinstance(error, OSError) else getattr(error, "sqlite_errorcode", 0) in NO_PAGES
        )
        raise (NotWritten if no_room else InvalidOption)("backup", f"cannot back up to {to}: {error}") from None
    return copy.stat().st_size


@contextmanager
def _all_or_nothing(folder: Path) -> Iterator[None]:
    """What fails leaves the folder, which is empty, as it was."""
    try:
        yield
    except BaseException:
        for left in folder.iterdir():
            left.unlink()
        raise
