"""Halls in processes of their own that begin at once.

    begin("dicehall", "--port", "0", "--data", folder, errors=log)

is `python -m dicehall --port 0 --data folder`, but for the second that its imports take: the process is forked from one
that has imported what halls need, and has done nothing else. Under `make soak`, and in scripts that are no tests, it
is what it says.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import select
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import IO, Any, Protocol

from tests.patience import PATIENCE
from tests.soak import SOAKING

ROOT = Path(__file__).parents[1]
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    ["dicehall.cli", "dicehall.server.serve", "dicehall.server.jobs", "alembic.command", "psycopg"]
)


class Begun(Protocol):
    """What we need of a process, which is what `subprocess.Popen` has."""

    pid: int
    stdout: IO[bytes] | None

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def kill(self) -> None: ...
    def send_signal(self, sig: int) -> None: ...


def begin(module: str, *arguments: str, errors: Path) -> Begun:
    """`python -m module arguments`, in the folder of this checkout and in a session of its own; what it says on stderr
    goes to the end of `errors`."""
    if SOAKING or "PYTEST_VERSION" not in os.environ:
        with errors.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for pytest, which then ends it itself
            )
    return _Forked(module, arguments, errors)


def call(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The same to its end, with all it said."""
    with tempfile.TemporaryDirectory() as folder:
        process = begin(module, *arguments, errors=Path(folder) / "errors")
        assert process.stdout is not None
        with process.stdout as output:
            said = output.read().decode()
        code = process.wait(PATIENCE)
        return subprocess.CompletedProcess((module, *arguments), code, said, (Path(folder) / "errors").read_text())


def end_with_reader() -> None:
    """Whoever began us reads our output through a pipe. When they are gone, however they ended, SIGTERM ends us too."""

    def watch() -> None:
        reader = select.poll()
        reader.register(1, 0)  # of a reader that is gone it tells always
        reader.poll()
        os.kill(os.getpid(), signal.SIGTERM)

    if stat.S_ISFIFO(os.fstat(1).st_mode):
        threading.Thread(target=watch, daemon=True).start()


class _Forked:
    def __init__(self, module: str, arguments: Iterable[str], errors: Path) -> None:
        ours, theirs = os.pipe()
        self.stdout: IO[bytes] | None = os.fdopen(ours, "rb")
        self._process = FORKS.Process(
            target=_run, args=(module, [*arguments], DupFd(theirs), str(errors), {**os.environ})
        )
        self._process.start()
        os.close(theirs)
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return self._process.exitcode

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def send_signal(self, sig: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, sig)


def _run(module: str, arguments: list[str], output: Any, errors: str, environment: dict[str, str]) -> None:
    os.setsid()
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    log = os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), output.detach(), log)):
        os.dup2(file, number)
        os.close(file)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
