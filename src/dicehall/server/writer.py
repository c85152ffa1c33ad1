"""One thread writes; everybody waits until what they wrote is durable.

Jobs that arrive while a transaction is being committed share the next one, so the price of a durable commit is paid
once for all tables that moved meanwhile, and their moves are one statement. If a shared transaction fails, its jobs
are run again one by one, so that one bad job cannot spoil another's.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine

from dicehall.store import tables

T = TypeVar("T")
MOST_AT_ONCE: Final = 200
AT_HAND: Final = 0.2  # seconds for which an idle connection is kept; a later one is a fresh one, and checked


class _Job(NamedTuple):
    write: Callable[[Connection], Any]
    done: asyncio.Future[Any]


class _Move(NamedTuple):
    table_id: str
    steps: str
    now: int
    done: asyncio.Future[None]


class Writer:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: SimpleQueue[_Job | _Move | None] = SimpleQueue()
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="dicehall-writer", daemon=True)
        self._thread.start()

    def submit(self, write: Callable[[Connection], T]) -> asyncio.Future[T]:
        """From the event loop. The future is done when the write is durable, or failed and left nothing behind."""
        done = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(write, done))
        return done

    def save_steps(self, table_id: str, steps: str, now: int) -> asyncio.Future[None]:
        """The same for a move that changes nothing else."""
        done = asyncio.get_running_loop().create_future()
        self._jobs.put(_Move(table_id, steps, now, done))
        return done

    def close(self) -> None:
        """Everything submitted so far is written first."""
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        while not self._closing:
            if batch := self._gather(None):
                self._write_while_busy(batch)

    def _gather(self, patience: float | None) -> list[_Job | _Move]:
        """The jobs that are waiting; if there is none, one that comes in time."""
        batch: list[_Job | _Move] = []
        with suppress(Empty):
            job = None if self._closing else self._jobs.get(timeout=patience)
            while job is not None:
                batch.append(job)
                if len(batch) == MOST_AT_ONCE:
                    return batch
                job = self._jobs.get_nowait()
            self._closing = True
        return batch

    def _write_while_busy(self, batch: list[_Job | _Move]) -> None:
        """With one connection, as long as it is good and there is something to do."""
        try:
            connection = self._engine.connect()
        except Exception as error:
            for job in batch:
                _in_loop(job.done, _fail, job, error)
            return
        with connection:
            while batch:
                self._write(connection, batch)
                batch = [] if connection.invalidated else self._gather(AT_HAND)

    def _write(self, connection: Connection, batch: list[_Job | _Move]) -> None:
        moves = [job for job in batch if isinstance(job, _Move)]
        jobs = [job for job in batch if isinstance(job, _Job)]
        if moves:
            self._save_steps(connection, moves)
        if jobs:
            self._run(connection, jobs)

    def _save_steps(self, connection: Connection, moves: list[_Move]) -> None:
        try:
            tables.save_steps(connection, {move.table_id: move.steps for move in moves}, moves[-1].now)
            _in_loop(moves[0].done, _acknowledge, moves, [None] * len(moves))
        except Exception as error:
            if len(moves) > 1:
                for move in moves:
                    self._save_steps(connection, [move])
            else:
                _in_loop(moves[0].done, _fail, moves[0], error)

    def _run(self, connection: Connection, jobs: list[_Job]) -> None:
        try:
            with connection.begin():
                results = [job.write(connection) for job in jobs]
            _in_loop(jobs[0].done, _acknowledge, jobs, results)
        except Exception as error:
            if len(jobs) > 1:
                for job in jobs:
                    self._run(connection, [job])
            else:
                _in_loop(jobs[0].done, _fail, jobs[0], error)


def _acknowledge(batch: Sequence[_Job | _Move], results: list[Any]) -> None:
    for job, result in zip(batch, results, strict=True):
        if not job.done.done():
            job.done.set_result(result)


def _fail(job: _Job | _Move, error: Exception) -> None:
    if not job.done.done():
        job.done.set_exception(error)


def _in_loop(done: asyncio.Future[Any], call: Callable[..., object], *given: object) -> None:
    """Futures belong to their loop's thread. It is woken once, however many jobs a transaction had."""
    with suppress(RuntimeError):  # the loop is closed: nobody waits any more
        done.get_loop().call_soon_threadsafe(call, *given)
