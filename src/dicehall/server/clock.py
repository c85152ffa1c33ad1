"""What time it is in the hall.

A machine's clock can jump: somebody sets it, or a battery is empty. A hall that believed it would reveal a daily that
is still being played. So the hall also counts the seconds itself, from the time it was started at. While the two agree
to five minutes, the machine's clock is right, and small corrections are followed. When they do not, the hall goes on by
its own count, says so once, and takes the machine's time over when it is started again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

LOG: Final = logging.getLogger("dicehall.server")
MOST_MOVED: Final = 300  # seconds by which a machine's clock may be corrected


def elapsed() -> float:
    """Seconds that nobody can set. While the machine sleeps they go on, where there is such a count."""
    return time.monotonic() if _COUNT is None else time.clock_gettime(_COUNT)


# the first is Linux's; elsewhere the second counts sleep too
_COUNT: Final = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))


class HallClock:
    """UTC epoch seconds. `wall` is the machine's clock, `count` the one that nobody can set."""

    def __init__(self, wall: Callable[[], float] = time.time, count: Callable[[], float] = elapsed) -> None:
        self._wall, self._count = wall, count
        self._zero = wall() - count()
        self._told = False

    def __call__(self) -> int:
        return int(self._time())

    def ms(self) -> int:
        """The same in milliseconds."""
        return int(self._time() * 1000)

    def _time(self) -> float:
        wall, own = self._wall(), self._zero + self._count()
        if abs(wall - own) <= MOST_MOVED:
            self._told = False
            return wall
        if not self._told:
            self._told = True
            LOG.error("the machine's clock has moved by %d seconds; the hall goes on by its own", wall - own)
        return own

    def moved(self) -> int:
        """By how many seconds the machine's clock is ahead of the hall's, or behind: 0 while the hall follows it."""
        difference = self._wall() - self._zero - self._count()
        return int(difference) if abs(difference) > MOST_MOVED else 0
