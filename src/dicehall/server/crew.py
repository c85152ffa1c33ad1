"""Processes for work that takes long, so that nobody who plays has to wait for it.

Moves are answered by the event loop, which must not do anything else for more than a moment. What may take longer is
given to a *crew*: some processes, each with one job at a time. Whoever asks waits in the queue of their network, and
the queues take turns, so that a crowd from one place holds up nobody elsewhere. A job that takes too long is ended with
its process. What cannot be taken is refused at once, with a word that says when to come again.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import pickle
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from socket import socket, socketpair
from typing import Any, Final, NamedTuple, TypeVar

from dicehall.errors import DicehallError
from dicehall.server.bucket import Bucket
from dicehall.server.metrics import JOBS, JOBS_WAITING
from dicehall.server.worker import LENGTH, Answer, parcel, work

T = TypeVar("T")
_SPAWN: Final = multiprocessing.get_context("spawn")  # a fork would take the sockets and the database along
RETRY_AFTER: Final = 5  # seconds
SECONDS_TO_START: Final = 60
PIECE: Final = 1 << 18  # bytes of an answer that are read at once


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
        self._queues: OrderedDict[str, deque[_Job]] = OrderedDict()  # by network; the first is next

    async def ask(self, who: str, about: Callable[..., T], *what: Any) -> T:
        """What `about(*what)` returns, or raises; `who` is the network that asks. All of it goes to another process,
        so `about` is a function of a module."""
        queue = self._queues.get(who, ())
        if len(queue) >= self._waiting_each or sum(map(len, self._queues.values())) >= self._waiting:
            JOBS.labels(self.name, "refused").inc()
            raise Busy("the hall has much to do; ask again in a moment")
        if not self._budget.allow(who, 0):
            JOBS.labels(self.name, "refused").inc()
            raise Busy("you have asked for much; ask again in a moment", self._budget.wait(who))
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(who, deque()).append(_Job(who, about, what, answer))
        self._go_on()
        result: T = await answer
        return result

    @property
    def is_free(self) -> bool:
        """Whether a job that is asked for now would be begun at once."""
        return bool(self._idle) and not self._queues

    def close(self) -> None:
        for worker in self._all:
            worker.end()
            if worker in self._idle:
                worker.hang_up()

    def _go_on(self) -> None:
        """Give what waits to whoever is idle."""
        while self._idle and self._queues:
            who, queue = self._queues.popitem(last=False)
            job = queue.popleft()
            if queue:
                self._queues[who] = queue  # at the end: the next one is somebody else's
            if not job.answer.done():  # whoever asked may have gone
                task = asyncio.get_running_loop().create_task(self._do(self._idle.pop(), job))
                task.add_done_callback(_without_fault)
        JOBS_WAITING.labels(self.name).set(sum(map(len, self._queues.values())))

    async def _do(self, worker: _Worker, job: _Job) -> None:
        began = time.monotonic()
        try:
            result, error = await worker.do(job.about, job.what, self.seconds)
        except Exception as failure:  # an answer that cannot be read
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
    """One process, and the socket to it. One job at a time."""

    def __init__(self, niceness: int) -> None:
        self._niceness = niceness
        self._process: multiprocessing.process.BaseProcess | None = None
        self._link: socket | None = None
        self._ended = False

    async def do(
        self, about: Callable[..., Any], what: tuple[Any, ...], seconds: float
    ) -> tuple[Any, Exception | None]:
        """The result, or what went wrong."""
        try:
            link = self._link or await self._start()
            async with asyncio.timeout(seconds):
                await asyncio.get_running_loop().sock_sendall(link, parcel((about, what)))
                answer: Answer = await _receive(link)
        except TimeoutError:
            await self._end()
            return None, TooLong("too-long", f"this takes longer than the {seconds:g} seconds that the hall has")
        except (EOFError, OSError):  # it has died: it was too large, or somebody has ended it
            await self._end()
            return None, Busy("what you asked for could not be finished")
        except asyncio.CancelledError:  # the loop is closing
            self.hang_up()
            raise
        if answer.last:
            await self._end()
        return answer.result, answer.failure

    def end(self) -> None:
        """For good. What it is in the middle of, nobody waits for any more."""
        self._ended = True
        if self._process is not None:
            self._process.kill()

    def hang_up(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

    async def _start(self) -> socket:
        if self._ended:
            raise EOFError
        ours, theirs = socketpair()
        ours.setblocking(False)
        try:
            with theirs:
                process = _SPAWN.Process(target=work, args=(theirs, self._niceness), daemon=True)
                await asyncio.to_thread(process.start)  # or there is none, and the next job tries again
            self._process = process
            if self._ended:  # meanwhile
                process.kill()
            async with asyncio.timeout(SECONDS_TO_START):
                await _receive(ours)  # that it is ready
        except BaseException as failure:
            ours.close()
            if isinstance(failure, TimeoutError):  # it is not the job that took too long
                raise EOFError from None
            raise
        self._link = ours
        return ours

    async def _end(self) -> None:
        self.hang_up()
        if self._process is not None:
            self._process.kill()
            await asyncio.to_thread(self._process.join)
            self._process = None


async def _receive(link: socket) -> Any:
    """What comes in the next parcel."""
    length = int.from_bytes(await _exactly(link, LENGTH))
    return pickle.loads(await _exactly(link, length))


async def _exactly(link: socket, length: int) -> bytes:
    loop, pieces = asyncio.get_running_loop(), bytearray()
    while len(pieces) < length:
        if not (piece := await loop.sock_recv(link, min(length - len(pieces), PIECE))):
            raise EOFError
        pieces += piece
    return bytes(pieces)


def _outcome(error: Exception | None) -> str:
    if isinstance(error, TooLong | Busy):
        return "ended"
    return "done" if error is None or isinstance(error, DicehallError) else "failed"


def _without_fault(task: asyncio.Task[None]) -> None:
    """The tasks answer by their jobs' futures; whatever else went wrong in one is a fault to be seen."""
    if not task.cancelled():
        task.result()
