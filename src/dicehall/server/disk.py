"""Whether the database's file is where it was, and how much room its disk has."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Final

from dicehall.server.crew import Busy
from dicehall.server.metrics import DISK_FREE

LEAST_FREE: Final = 100 * 1024 * 1024  # bytes; with less, nobody new gets in, and those who play go on
LOOK_EVERY: Final = 1.0  # seconds, at most: to look costs more than to open a table otherwise does


class Disk:
    """`file` is the database's, or None for a database elsewhere, whose disk is not ours to look at."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._identity = None if file is None else _identity(file)
        self._full, self._looked_at = False, -LOOK_EVERY  # by a clock for durations

    def trouble(self) -> str:
        """Empty while all is well."""
        if self._file is None:
            return ""
        try:
            if not self._file.exists() or _identity(self._file) != self._identity:
                return "the database's file has been moved or replaced; what is written now is lost with the old one"
            free = shutil.disk_usage(self._file.parent).free
        except OSError as error:
            return f"the database's file cannot be looked at: {error.strerror}"
        DISK_FREE.set(free)
        return "" if free >= LEAST_FREE else f"{free // 2**20} MiB of disk are left"

    def check_room(self) -> None:
        """Refuse what would fill a disk that is nearly full."""
        now = time.monotonic()
        if now - self._looked_at >= LOOK_EVERY:
            self._full, self._looked_at = bool(self.trouble()), now
        if self._full:
            raise Busy("the hall has no room for more; those who play can go on", 60)


def _identity(file: Path) -> tuple[int, int]:
    """Of the file itself, under whatever name."""
    found = file.stat()
    return found.st_dev, found.st_ino
