"""What a process of a crew does all day. It imports little: the first job brings along what it needs."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from pickle import PickleError
from typing import Any, Final, NamedTuple

LARGEST: Final = 1 << 30  # bytes that a process may have had; what it knew by then goes with it


class Answer(NamedTuple):
    result: Any
    failure: Exception | None
    last: bool  # the worker has grown too large, and goes


def work(link: Connection, niceness: int) -> None:
    """Do one job after the other. When the hall is gone, there is nothing to read any more, and the worker goes too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the hall, which then ends us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        os.nice(niceness)
    with suppress(EOFError, OSError):
        link.send("ready")
        large = False
        while not large:
            about, what = link.recv()
            result, failure = None, None
            try:
                result = about(*what)
            except Exception as error:
                failure = error
            large = _most_memory() > LARGEST
            try:
                link.send(Answer(result, failure, large))
            except (AttributeError, TypeError, PickleError) as error:  # it cannot travel
                link.send(Answer(None, RuntimeError(f"{about.__name__} gave {error}"), large))


def _most_memory() -> int:
    """Bytes that this process has had at most."""
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
