"""One thread writes; everybody waits until what they wrote is durable.

Jobs that arrive while a transaction is being committed share the next one, so the price of a durable commit is paid
once for all tables that moved meanwhile. If a shared transaction fails, its jobs are run again one by one, so that
one bad job cannot spoil another's.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine

T = TypeVar("T")
MOST_AT_ONCE: Final = 200


class _Job(NamedTuple):
    write: Callable[[Connection], Any]
    done: Future[Any]


class Writer:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="dicehall-writer", daemon=True)
        self._thread.start()

    def submit(self, write: Callable[[Connection], T]) -> Future[T]:
        """The future is done when the write is durable, or failed and left nothing behind."""
        done: Future[T] = Future()
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
                batch[0].done.set_exception(error)
            return
        for job, result in zip(batch, results, strict=True):
            job.done.set_result(result)
