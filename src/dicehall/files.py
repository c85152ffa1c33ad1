"""Files that somebody asked us to write: all or nothing, or after what is in them already."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any


@contextmanager
def whole(path: str | Path, mode: str = "wb") -> Iterator[IO[Any]]:
    """A file to write (`wb`, or `w` for UTF-8). It comes into its place when all is written: whoever looks finds the
    old file or the new one, and never half of it. A pipe or a device is written as it is."""
    encoding = None if "b" in mode else "utf-8"
    if not str(path) or str(path).startswith("/dev/") or (os.path.exists(path) and not os.path.isfile(path)):
        with open(path, mode, encoding=encoding) as file:
            yield file
        return
    place = Path(os.path.realpath(path))  # a link stays a link
    half = place.with_name(f"{place.name}.{os.getpid()}")
    try:
        with half.open(mode, encoding=encoding) as file:
            yield file
        if place.exists():
            shutil.copymode(place, half)
        half.replace(place)
    finally:
        half.unlink(missing_ok=True)


def append(path: str | Path, line: str) -> None:
    """All of the line, or nothing of it."""
    data = f"{line}\n".encode()
    with open(path, "ab", buffering=0) as file:
        before = os.fstat(file.fileno()).st_size
        try:
            while data:
                data = data[file.write(data) :]
        except OSError:
            if os.path.isfile(path):
                file.truncate(before)
            raise
