"""One at a time writes, and everybody waits until what they wrote is durable.

Jobs that arrive while a transaction is being committed share the next one, so the price of a durable commit is paid
once for all tables that moved meanwhile, and their moves are one statement. If a shared transaction fails, its jobs
are run again one by one, so that one bad job cannot spoil another's.

A thread of its own does it, so that nobody else waits for a slow disk or a network. But to pass a move to a thread and
back costs more than a quick disk does: while writing to a local database has been quick, the event loop does it itself.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from dicehall.errors import DicehallError
from dicehall.server.metrics import WRITES_FAILED, WRITES_WAITING
from dicehall.store import tables
from dicehall.store.engine import connect_impatient, is_local
from dicehall.store.tables import Steps

LOG: Final = logging.getLogger("dicehall.server")
T = TypeVar("T")
Done = Callable[[Any, Exception | None], None]  # called with the result, or with what went wrong
MOST_AT_ONCE: Final = 200
QUICK: Final = 0.001  # seconds that writing may take, on average, to be done on the spot
SLOW: Final = 0.1  # after one that takes so long, or fails, it is the thread's for the next hundred times
LAST_PATIENCE: Final = 3.0  # seconds for what is left to be written when the hall closes
AT_HAND: Final = 0.2  # seconds for which an idle connection is kept; a later one is a fresh one, and checked


class _Job(NamedTuple):
    write: Callable[[Connection], Any]
    done: Done


class _Move(NamedTuple):
    played: Steps
    now: int
    done: Done


class Writer:
    """Made by the event loop, and spoken to from there; it answers there too."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._loop = engine, asyncio.get_running_loop()
        self._jobs: SimpleQueue[_Job | _Move | None] = SimpleQueue()
        self._closing = False
        self._pending: list[_Job | _Move] = []  # of this turn of the event loop
        self._under_way = 0  # how many jobs the thread has
        self._progress = 0.0  # when it was given the first of them, or has finished one
        self._local = is_local(engine)
        self._seconds = SLOW  # that writing takes, on average
        self._on_the_spot: Connection | None = None
        self._thread = threading.Thread(target=self._work, name="dicehall-writer", daemon=True)
        self._thread.start()

    @property
    def hangs_for(self) -> float:
        """Seconds for which nothing has been finished though something waits."""
        return time.monotonic() - self._progress if self._under_way else 0.0

    def submit(self, write: Callable[[Connection], T]) -> asyncio.Future[T]:
        """The future is done when the write is durable, or failed and left nothing behind."""
        future = self._loop.create_future()
        self.run(write, partial(_resolve, future))
        return future

    def run(self, write: Callable[[Connection], Any], done: Done) -> None:
        """Write; `done` is called when that is durable, or has failed and left nothing behind."""
        self._soon(_Job(write, done))

    def save_steps(self, played: Steps, now: int, done: Done) -> None:
        """Write a move that changes nothing else; `done` is called as by `run`."""
        self._soon(_Move(played, now, done))

    def _soon(self, job: _Job | _Move) -> None:
        if not self._pending:
            # not at once, but when the loop has looked twice more what has come: it shares the same wait
            self._loop.call_soon(self._loop.call_soon, self._loop.call_soon, self._flush)
        self._pending.append(job)

    def _flush(self) -> None:
        batch, self._pending = self._pending, []
        if not batch:  # the hall closes, and nothing waits
            return
        quick = self._local and self._seconds < QUICK and not self._under_way
        if not (quick and self._wrote_on_the_spot(batch)):
            if not self._under_way:
                self._progress = time.monotonic()
            self._under_way += len(batch)
            WRITES_WAITING.set(self._under_way)
            for job in batch:
                self._jobs.put(job)

    def _wrote_on_the_spot(self, batch: list[_Job | _Move]) -> bool:
        try:
            if self._on_the_spot is None:
                self._on_the_spot = connect_impatient(self._engine)
            results = self._write(self._on_the_spot, batch)
        except DicehallError:  # one of them asked for what cannot be; the thread finds out who
            return False
        except Exception:  # whatever it is, the thread has the patience for it
            self._seconds = SLOW
            return False
        _tell_all(batch, results, None)
        return True

    def close(self) -> None:
        """Everything submitted so far is written first, unless the database hangs: none of that was acknowledged."""
        self._flush()
        self._jobs.put(None)
        self._thread.join(LAST_PATIENCE)
        if self._on_the_spot is not None:
            self._on_the_spot.close()

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
            return self._answer(batch, [None] * len(batch), error)
        with connection:
            while batch:
                self._write_or_fail(connection, batch)
                batch = [] if connection.invalidated else self._gather(AT_HAND)
        return None

    def _write_or_fail(self, connection: Connection, batch: list[_Job | _Move]) -> None:
        try:
            self._answer(batch, self._write(connection, batch), None)
        except Exception as error:
            if isinstance(error, DBAPIError) and not isinstance(error, IntegrityError):
                connection.invalidate()  # whatever is wrong may be wrong with it alone: the next one is a fresh one
            if len(batch) == 1:
                return self._answer(batch, [None], error)
            for job in batch:
                self._write_or_fail(connection, [job])
        return None

    def _write(self, connection: Connection, batch: list[_Job | _Move]) -> list[Any]:
        """The results, when all of it is durable: one wait for the disk, whatever has come together. Moves that come
        with one that fails may have been saved; to save them again does no harm."""
        began = time.perf_counter()
        moves = [job for job in batch if isinstance(job, _Move)]
        played = [move.played for move in moves]
        results: list[Any] = [None] * len(batch)
        if len(moves) == len(batch):
            tables.save_steps(connection, played, moves[-1].now)
        else:
            with connection.begin():
                if moves:
                    tables.save_steps_with_others(connection, played, moves[-1].now)
                results = [job.write(connection) if isinstance(job, _Job) else None for job in batch]
        taken = time.perf_counter() - began
        self._seconds = SLOW if taken >= SLOW else self._seconds + (taken - self._seconds) / 20
        return results

    def _answer(self, batch: Sequence[_Job | _Move], results: list[Any], error: Exception | None) -> None:
        """The loop is woken once, however many jobs there were."""
        with suppress(RuntimeError):  # it is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._answer_all, batch, results, error)

    def _answer_all(self, batch: Sequence[_Job | _Move], results: list[Any], error: Exception | None) -> None:
        self._under_way -= len(batch)
        self._progress = time.monotonic()
        WRITES_WAITING.set(self._under_way)
        if error is not None and not isinstance(error, DicehallError):
            WRITES_FAILED.inc(len(batch))
        _tell_all(batch, results, error)


def _tell_all(batch: Sequence[_Job | _Move], results: list[Any], error: Exception | None) -> None:
    """Whoever cannot bear the answer keeps nobody else from theirs."""
    for job, result in zip(batch, results, strict=True):
        try:
            job.done(result, error)
        except Exception:
            LOG.exception("what was written could not be told")


def _resolve(future: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if future.done():  # whoever waited has gone
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
