"""Processes for work that takes long, so that nobody who plays has to wait for it.

Moves are answered by the event loop, which must not do anything else for more than a moment. What may take longer is
given to a *crew*: some processes, each with one job at a time. Whoever asks stands in the line of their network, and
the lines take turns, so that a crowd from one place holds up nobody elsewhere. A job that takes too long is ended with
its process. What cannot be taken is refused at once, with a word that says when to come again.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, Final, NamedTuple, TypeVar

from dicehall.errors import DicehallError
from dicehall.server.bucket import Bucket
from dicehall.server.metrics import JOBS, JOBS_WAITING
from dicehall.server.worker import Answer, work

T = TypeVar("T")
_SPAWN: Final = multiprocessing.get_context("spawn")  # a fork would take the sockets and the database along
RETRY_AFTER: Final = 5  # seconds
SECONDS_TO_START: Final = 60


class Busy(DicehallError):
    """The hall has more to do than it can; `retry_after` says in how many seconds to come again."""

    def __init__(self, message: str, retry_after: int = RETRY_AFTER) -> None:
        super().__init__("busy", message)
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.retry_after)


class TooLong(DicehallError):
    """A job has taken more time than anybody gets."""


class _Job(NamedTuple):
    who: str
    about: Callable[..., Any]
    what: tuple[Any, ...]
    answer: asyncio.Future[Any]


class Crew:
    """`count` processes that do what they are asked, each started when it is first needed.

    A job may take `seconds`. `waiting` jobs may wait in all, `waiting_each` of one network. A network gets `budget`
    seconds of work at once, and a hundredth of that every second after.
    """

    def __init__(
        self, name: str, count: int, seconds: float, waiting: int, waiting_each: int, budget: float, niceness: int
    ) -> None:
        self.name, self.seconds = name, seconds
        self._waiting, self._waiting_each = waiting, waiting_each
        self._budget = Bucket(budget, budget / 100)
        self._idle = [_Worker(niceness) for _ in range(count)]
        self._all = tuple(self._idle)
        self._lines: OrderedDict[str, deque[_Job]] = OrderedDict()  # by network; the first is next
        self._threads = ThreadPoolExecutor(count, f"dicehall-{name}")  # each waits for one process

    async def ask(self, who: str, about: Callable[..., T], *what: Any) -> T:
        """What `about(*what)` returns, or raises; `who` is the network that asks. All of it goes to another process,
        so `about` is a function of a module."""
        line = self._lines.get(who, ())
        if len(line) >= self._waiting_each or sum(map(len, self._lines.values())) >= self._waiting:
            JOBS.labels(self.name, "refused").inc()
            raise Busy("the hall has much to do; ask again in a moment")
        if not self._budget.allow(who, 0):
            JOBS.labels(self.name, "refused").inc()
            raise Busy("you have asked for much; ask again in a moment", self._budget.wait(who))
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(who, deque()).append(_Job(who, about, what, answer))
        self._go_on()
        result: T = await answer
        return result

    def close(self) -> None:
        for worker in self._all:
            worker.end()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _go_on(self) -> None:
        """Give what waits to whoever is idle."""
        while self._idle and self._lines:
            who, line = self._lines.popitem(last=False)
            job = line.popleft()
            if line:
                self._lines[who] = line  # at the end: the next one is somebody else's
            if not job.answer.done():  # whoever asked may have gone
                task = asyncio.get_running_loop().create_task(self._do(self._idle.pop(), job))
                task.add_done_callback(_without_fault)
        JOBS_WAITING.labels(self.name).set(sum(map(len, self._lines.values())))

    async def _do(self, worker: _Worker, job: _Job) -> None:
        loop, began = asyncio.get_running_loop(), time.monotonic()
        try:
            result, error = await loop.run_in_executor(self._threads, worker.do, job.about, job.what, self.seconds)
        except Exception as failure:  # the threads have been told to stop, or an answer cannot be read
            result, error = None, failure
        finally:
            self._idle.append(worker)
        self._budget.charge(job.who, time.monotonic() - began)
        JOBS.labels(self.name, _outcome(error)).inc()
        if not job.answer.done():
            if error is None:
                job.answer.set_result(result)
            else:
                job.answer.set_exception(error)
        self._go_on()


class _Worker:
    """One process, and the line to it. Used by one thread at a time, except for `end`."""

    def __init__(self, niceness: int) -> None:
        self._niceness = niceness
        self._process: multiprocessing.process.BaseProcess | None = None
        self._link: Connection
        self._ended = False

    def do(self, about: Callable[..., Any], what: tuple[Any, ...], seconds: float) -> tuple[Any, Exception | None]:
        """The result, or what went wrong."""
        try:
            self._start()
            self._link.send((about, what))
            if not self._link.poll(seconds):
                self._end()
                return None, TooLong("too-long", f"this takes longer than the {seconds:g} seconds that the hall has")
            answer: Answer = self._link.recv()
        except (EOFError, OSError):  # it has died: it was too large, or somebody has ended it
            self._end()
            return None, Busy("what you asked for could not be finished")
        if answer.last:
            self._end()
        return answer.result, answer.failure

    def end(self) -> None:
        """For good: it is in the middle of something that nobody waits for any more."""
        self._ended = True
        if self._process is not None:
            self._process.kill()

    def _start(self) -> None:
        if self._ended:
            raise EOFError
        if self._process is not None:
            return
        self._link, theirs = _SPAWN.Pipe()
        process = _SPAWN.Process(target=work, args=(theirs, self._niceness), daemon=True)
        process.start()  # or there is none, and the next job tries again
        self._process = process
        theirs.close()
        if self._ended:  # meanwhile
            self._process.kill()
        if not self._link.poll(SECONDS_TO_START):
            raise EOFError
        self._link.recv()  # it is ready

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._link.close()
            self._process = None


def _outcome(error: Exception | None) -> str:
    if isinstance(error, TooLong | Busy):
        return "ended"
    return "done" if error is None or isinstance(error, DicehallError) else "failed"


def _without_fault(task: asyncio.Task[None]) -> None:
    """The tasks answer by their jobs' futures; whatever else went wrong in one is a fault to be seen."""
    if not task.cancelled():
        task.result()
