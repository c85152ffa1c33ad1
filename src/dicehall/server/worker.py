"""What a process of a crew does all day. It imports little: the first job brings along what it needs."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from contextlib import suppress
from pickle import PickleError
from socket import socket
from typing import Any, Final, NamedTuple

LENGTH: Final = 4  # bytes that say how long a parcel is
LARGEST: Final = 1 << 30  # bytes that a process may have had; what it knew by then goes with it


class Answer(NamedTuple):
    result: Any
    failure: Exception | None
    last: bool  # the worker has grown too large, and goes


def parcel(content: Any) -> bytes:
    """As it travels between the hall and a worker: a pickle, its length before it."""
    pickled = pickle.dumps(content)
    return len(pickled).to_bytes(LENGTH) + pickled


def work(link: socket, niceness: int) -> None:
    """Do one job after the other. When the hall is gone, there is nothing to read any more, and the worker goes too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the hall, which then ends us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        os.nice(niceness)
    with suppress(OSError), link, link.makefile("rb") as jobs:
        link.sendall(parcel("ready"))
        large = False
        while not large and (length := jobs.read(LENGTH)):
            about, what = pickle.loads(jobs.read(int.from_bytes(length)))
            result, failure = None, None
            try:
                result = about(*what)
            except Exception as error:
                failure = error
            large = _most_memory() > LARGEST
            try:
                answer = parcel(Answer(result, failure, large))
            except (AttributeError, TypeError, PickleError) as error:  # it cannot travel
                answer = parcel(Answer(None, RuntimeError(f"{about.__name__} gave {error}"), large))
            link.sendall(answer)


def _most_memory() -> int:
    """Bytes that this process has had at most."""
    if sys.platform == "linux":  # where getrusage tells those of the hall, if it was larger when it started us
        with open("/proc/self/status") as status:
            return 1024 * int(next(line for line in status if line.startswith("VmHWM")).split()[1])
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
