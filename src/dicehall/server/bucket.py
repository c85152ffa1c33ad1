"""How often somebody may do something, and how many of it at a time."""

from __future__ import annotations

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

MOST_REMEMBERED: Final = 100_000  # names; whoever was not heard of for longest may start anew


class Bucket:
    """`burst` at once, and `per_second` every second after that, for each name."""

    def __init__(self, burst: float, per_second: float) -> None:
        self.burst, self.per_second = burst, per_second
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allow(self, name: str, cost: float = 1) -> bool:
        """Whether there is as much left for `name`; then it is taken. What costs more than all waits until all is
        there."""
        now, burst = time.monotonic(), self.burst
        left, then = self._left.get(name, (burst, 0.0))
        left = min(burst, left + (now - then) * self.per_second)
        cost = min(cost, burst)
        allowed = left > 0 and left >= cost
        self._keep(name, left - cost if allowed else left, now)
        return allowed

    def charge(self, name: str, cost: float) -> None:
        """Take it, whether there is as much or not: what something has cost is known afterwards."""
        self._keep(name, self._now(name) - cost, time.monotonic())

    def wait(self, name: str, cost: float = 1) -> int:
        """Whole seconds until `cost` is left for `name`."""
        return max(1, math.ceil((min(cost, self.burst) - self._now(name)) / self.per_second))

    def _now(self, name: str) -> float:
        left, then = self._left.get(name, (self.burst, 0.0))
        return min(self.burst, left + (time.monotonic() - then) * self.per_second)

    def _keep(self, name: str, left: float, now: float) -> None:
        self._left[name] = (left, now)
        self._left.move_to_end(name)
        if len(self._left) > MOST_REMEMBERED:
            self._left.popitem(last=False)


class Places:
    """At most `most` at a time, for each name."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._taken: Counter[str] = Counter()

    @contextmanager
    def take(self, name: str) -> Iterator[bool]:
        """Whether there was one left; it is given back at the end."""
        if self._taken[name] >= self.most:
            yield False
            return
        self._taken[name] += 1
        try:
            yield True
        finally:
            self._taken[name] -= 1
            if not self._taken[name]:
                del self._taken[name]
