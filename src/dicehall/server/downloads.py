"""Downloads that may be long: a few at a time, page by page, and nothing is held while a client takes its time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import AsyncIterator
from typing import Final

from dicehall.server.crew import Busy
from dicehall.server.metrics import DOWNLOADS

MOST: Final = 8
MOST_EACH: Final = 2  # of one network
SECONDS: Final = 600.0


class Downloads:
    def __init__(self) -> None:
        self._running: Counter[str] = Counter()  # by network

    def start(self, network: str, pages: AsyncIterator[str]) -> AsyncIterator[str]:
        """Passes `pages` on, if there is room for one more download, and one of `network`; Busy if not."""
        if self._running.total() >= MOST or self._running[network] >= MOST_EACH:
            raise Busy("as many downloads are running as the hall can do; come again in a moment", 30)
        self._running[network] += 1
        DOWNLOADS.inc()
        return self._pass_on(network, pages)

    async def _pass_on(self, network: str, pages: AsyncIterator[str]) -> AsyncIterator[str]:
        deadline = time.monotonic() + SECONDS
        try:
            async for page in pages:
                yield page
                if time.monotonic() > deadline:
                    raise TimeoutError("a download took longer than anybody gets")
        finally:
            DOWNLOADS.dec()
            self._running[network] -= 1
            self._running += Counter()  # forget whoever has none
