"""The store, from the event loop: threads that read, the writer, and an end to everybody's patience."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError

from dicehall.errors import DicehallError
from dicehall.server.crew import Busy
from dicehall.server.writer import Writer
from dicehall.store.engine import cut_connections, reader

LOG: Final = logging.getLogger("dicehall.server")
T = TypeVar("T")
READERS: Final = 8  # threads, each with a connection while it reads
MOST_READING: Final = 200  # that read, or wait for one who does
READ_SECONDS: Final = 5.0
WRITE_SECONDS: Final = 10.0
HANGING: Final = 3.0  # seconds without any write finished, after which no new ones are taken but moves


class Access:
    def __init__(self, engine: Engine) -> None:
        self.engine, self.writer = engine, Writer(engine)
        self._reader = reader(engine)
        self._readers = ThreadPoolExecutor(READERS, "dicehall-reader")
        self._reading = 0
        self._stuck: dict[asyncio.Future[Any], float] = {}  # reads for which nobody waits any longer: since when

    async def read(self, job: Callable[[Connection], T]) -> T:
        """What `job` finds in the store; Busy when the store does not answer, or too many ask."""
        if self._reading >= MOST_READING or len(self._stuck) >= READERS:
            raise Busy("the hall has much to do; ask again in a moment")

        def work() -> T:
            with self._reader.connect() as connection:
                return job(connection)

        self._reading += 1
        found = asyncio.get_running_loop().run_in_executor(self._readers, work)
        found.add_done_callback(self._has_read)
        found.add_done_callback(_unheard)
        try:
            return await asyncio.wait_for(asyncio.shield(found), READ_SECONDS)
        except TimeoutError:
            self._stuck[found] = time.monotonic() - READ_SECONDS
            found.add_done_callback(self._stuck.pop)
            raise Busy("the store does not answer; what you have played is kept") from None

    def _has_read(self, _: asyncio.Future[Any]) -> None:
        self._reading -= 1

    @property
    def silent_for(self) -> float:
        """Seconds for which the store has owed somebody an answer."""
        now = time.monotonic()
        return max([self.writer.hangs_for, *(now - since for since in self._stuck.values())])

    async def write(self, job: Callable[[Connection], T]) -> T:
        """Returns when it is durable; that happens even if whoever asked has gone meanwhile. Busy when that takes too
        long: then it may still happen."""
        if self.writer.hangs_for > HANGING:
            raise Busy("the store does not answer; what you have played is kept")
        written = self.writer.submit(job)
        written.add_done_callback(_unheard)
        try:
            return await asyncio.wait_for(asyncio.shield(written), WRITE_SECONDS)
        except TimeoutError:
            raise Busy("the store does not answer; look again in a moment whether it has happened") from None
        except IntegrityError as error:  # a player was deleted, say, between the question who it is and the write
            LOG.warning("a write was refused: %s", type(error.orig).__name__)
            raise DicehallError("changed", "what this belongs to has gone, or somebody was quicker") from None

    def close(self) -> None:
        self.writer.close()
        if self._stuck:  # on a line that may be silent for ever
            cut_connections(self.engine)
        self._readers.shutdown(cancel_futures=True)  # or what is being read would keep its connection for ever
        self.engine.dispose()


def _unheard(job: asyncio.Future[Any]) -> None:
    """Whoever asked may have gone before it failed: then nobody is left to be told, and that is no fault."""
    if not job.cancelled():
        job.exception()
