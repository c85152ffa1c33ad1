"""One thread writes; everybody waits until what they wrote is durable.

Jobs that arrive while a transaction is being committed share the next one, so the price of a durable commit is paid
once for all tables that moved meanwhile. If a shared transaction fails, its jobs are run again one by one, so that
one bad job cannot spoil another's.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine

T = TypeVar("T")
MOST_AT_ONCE: Final = 200


class _Job(NamedTuple):
    write: Callable[[Connection], Any]
    done: asyncio.Future[Any]


class Writer:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="dicehall-writer", daemon=True)
        self._thread.start()

    def submit(self, write: Callable[[Connection], T]) -> asyncio.Future[T]:
        """From the event loop. The future is done when the write is durable, or failed and left nothing behind."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(write, done))
        return done

    def close(self) -> None:
        """Everything submitted so far is written first."""
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            batch, last = [job], False
            while len(batch) < MOST_AT_ONCE and not self._jobs.empty():
                more = self._jobs.get()
                if more is None:
                    last = True
                    break
                batch.append(more)
            self._write(batch)
            if last:
                return

    def _write(self, batch: list[_Job]) -> None:
        try:
            with self._engine.begin() as connection:
                results = [job.write(connection) for job in batch]
        except Exception as error:
            if len(batch) > 1:
                for job in batch:
                    self._write([job])
            else:
                _in_loop(batch[0].done, batch[0].done.set_exception, error)
            return
        _in_loop(batch[0].done, _acknowledge, batch, results)


def _acknowledge(batch: list[_Job], results: list[Any]) -> None:
    for job, result in zip(batch, results, strict=True):
        if not job.done.done():
            job.done.set_result(result)


def _in_loop(done: asyncio.Future[Any], call: Callable[..., object], *given: object) -> None:
    """Futures belong to their loop's thread. It is woken once, however many jobs a transaction had."""
    with suppress(RuntimeError):  # the loop is closed: nobody waits any more
        done.get_loop().call_soon_threadsafe(call, *given)
