"""Standard input, output and error, any of which may have been closed before we began; and what long work says there.

Python has None in the place of a closed one, which `print` passes over, or takes another one for. From `begin` on
there is a stream there that fails as a full disk does; and what is said on a closed standard error goes nowhere.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, NoReturn, TextIO

from dicehall.errors import InvalidOption

WIDTH: Final = 30  # of the bar
PAUSE: Final = 5.0  # seconds between two lines that say how far it is, where there is no terminal
SMOOTH: Final = 0.2  # seconds between two pictures of the bar


class _Closed(io.TextIOBase):
    def write(self, text: str) -> NoReturn:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))

    def readline(self, *_: Any) -> NoReturn:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def begin() -> None:
    """Whatever begins the program calls this before it reads or says anything."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        while (number := os.open(os.devnull, os.O_RDWR)) <= 2:  # or the next file to be opened would be taken for one
            os.set_inheritable(number, True)
        os.close(number)
    sys.stdin = sys.stdin or _Closed()
    sys.stdout = sys.stdout or _Closed()
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal without our letters shows ? for them, and plays on
        sys.stdout.reconfigure(errors="replace")


def check_input() -> None:
    """Refuses to begin what needs somebody who types."""
    if isinstance(sys.stdin, _Closed):
        raise InvalidOption("input", f"cannot read 'standard input': {os.strerror(errno.EBADF)}")


def read_input() -> bytes:
    """All of standard input."""
    if isinstance(sys.stdin, _Closed):
        sys.stdin.readline()
    return sys.stdin.buffer.read()


def do_without_output() -> None:
    """For what is done all the same where nobody reads what it says."""
    if isinstance(sys.stdout, _Closed):
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def complain(text: str) -> None:
    """On standard error. Where nobody reads that either, the exit code has to do."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        let_go(sys.stderr)


def let_go(stream: TextIO) -> None:
    """What is still waiting to be written goes nowhere, or Python would complain about it once more."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class Progress:
    """How far long work is, on standard error: at a terminal a bar; elsewhere, for a log, a line now and then, and none
    about what is quick."""

    def __init__(self, name: str, of: int, unit: str) -> None:
        self._name, self._of, self._unit = name, of, unit
        self._bar, self._filled = sys.stderr.isatty(), -1
        self._told = time.monotonic()

    def __call__(self, done: int) -> None:
        now = time.monotonic()
        if self._bar:
            filled = WIDTH * done // self._of
            if filled != self._filled or now >= self._told + SMOOTH:
                self._filled, self._told = filled, now
                end = "\n" if done == self._of else ""
                complain(f"\r{self._name} [{'#' * filled:<{WIDTH}}] {done} of {self._of} {end}")
        elif now >= self._told + PAUSE:
            self._told = now
            complain(f"{self._name}: {done} of {self._of} {self._unit}\n")


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed, for work that then stops in good order. Pressed again, it stops at once."""
    pressed = False

    def press(number: int, frame: Any) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(number, signal.default_int_handler)

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # in the background it may mean nothing
        yield lambda: False
        return
    signal.signal(signal.SIGINT, press)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
