"""A copy of a hall while it is open: a folder that is a hall's own folder, to be opened with `--data`."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from dicehall.errors import InvalidOption
from dicehall.store.engine import FILE, database_file, open_engine


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
        copy = to / FILE
        copy.touch(mode=0o600)
        source, target = sqlite3.connect(file), sqlite3.connect(copy)
        try:
            source.backup(target)  # in one go: in WAL mode nobody who writes waits for it
        finally:
            source.close()
            target.close()
        shutil.copy2(key, to / key.name)
    except (OSError, sqlite3.Error) as error:
        raise InvalidOption("backup", f"cannot back up to {to}: {error}") from None
    return copy.stat().st_size
