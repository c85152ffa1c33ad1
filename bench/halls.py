"""What the benchmarks of the server share: halls and their clients as processes, and what a process costs.

    python bench/halls.py URL SYNCHRONOUS

serves a hall as `dicehall` does, but without rate limits, with the database of that URL; SQLite waits for the disk
(FULL) or does not (OFF). It runs with whichever dicehall is on PYTHONPATH, this checkout's or an older one.
"""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from unittest.mock import patch

HERE: Final = Path(__file__).resolve().parent
SOURCE: Final = HERE.parent / "src"
TICKS: Final = os.sysconf("SC_CLK_TCK")
PAGE: Final = os.sysconf("SC_PAGE_SIZE")
PATIENCE: Final = 20.0  # seconds for a process to end by itself

Command = list[str | Path]


class NotRunning(Exception):
    """Something that is to be measured cannot be installed or started, or has ended; why, in one line."""


def check_environment() -> None:
    """Where something is missing that halls and their clients are made of, say so before anything is started."""
    for name in ("httpx", "msgspec", "psycopg", "uvicorn", "uvloop"):
        if find_spec(name) is None:
            raise NotRunning(f"{name} is missing here; `make` has an environment with all that the benchmarks need")


# --- processes


class Running:
    """A process that is asked by a line on its standard input and answers with a line on its standard output."""

    def __init__(self, name: str, process: subprocess.Popen[str], log: Path) -> None:
        self.name, self.pid = name, process.pid
        self._process, self._log = process, log

    def read_line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line:
            raise NotRunning(f"{self.name}: {_reason(self._log)}")
        return line

    def ask(self, *words: object) -> dict[str, Any]:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended; there will be no answer, and its log says why
            print(*words, file=self._process.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self.read_line())
        return answer


def _reason(log: Path) -> str:
    """The line of a log that says why a process has ended, below or amid the traces of Python and of node."""
    lines = [line.strip() for line in log.read_text().splitlines() if line.strip()] or ["it has ended without a word"]
    return next((line for line in reversed(lines) if "Error" in line), lines[-1])[:300]


@contextmanager
def running(name: str, command: Command, log: Path, source: Path = SOURCE) -> Iterator[Running]:
    """A process with the dicehall of a source folder. What it says on its standard error goes to the log."""
    path = os.pathsep.join(filter(None, (str(source), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "NODE_ENV": "production", "PYTHONPATH": path}
    with (
        log.open("w") as errors,
        subprocess.Popen(
            list(map(str, command)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment,
        ) as process,
    ):
        try:
            yield Running(name, process, log)
        finally:
            process.terminate()
            assert process.stdin is not None
            with suppress(BrokenPipeError):  # what it was asked last, and was not there to hear
                process.stdin.close()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()


@contextmanager
def serving(name: str, command: Command, log: Path, source: Path = SOURCE) -> Iterator[tuple[Running, str]]:
    """A server and its address, which is the last word of the first line it writes."""
    with running(name, command, log, source) as server:
        yield server, server.read_line().rpartition(" ")[2].rstrip("/")


def hall_command(url: str, synchronous: str = "FULL") -> Command:
    return [sys.executable, Path(__file__), url, synchronous]


# --- what they cost


def cpu_seconds(pid: int, *, with_ended_children: bool = False) -> float:
    """All threads of a process, in user and in system mode."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return sum(map(int, fields[11 : 15 if with_ended_children else 13])) / TICKS


def family(pid: int) -> list[int]:
    """A process with its children and theirs."""
    pids = [pid]
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            pids += family(int(child))
    return pids


def family_cpu_seconds(pid: int) -> float:
    """A process with its children, those that have ended too."""
    return sum(cpu_seconds(one, with_ended_children=True) for one in family(pid))


def busy_seconds() -> float:
    """All processors of this machine, whoever keeps them busy; the fourth and the fifth number are for idling."""
    user, nice, system, _, _, *interrupts = Path("/proc/stat").read_text().partition("\n")[0].split()[1:9]
    return sum(map(int, (user, nice, system, *interrupts))) / TICKS


def resident_mib(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 2**20


def family_resident_mib(pid: int) -> float:
    """What several of them share counts for each."""
    return sum(map(resident_mib, family(pid)))


# --- a hall, inside the process that the above starts


def serve(url: str, synchronous: str) -> int:
    from dicehall.server import serve as server
    from dicehall.server.settings import Settings
    from dicehall.store import engine

    prepare = engine._prepare_sqlite

    def prepare_as_asked(connection: Any, record: object) -> None:
        prepare(connection, record)
        connection.execute(f"PRAGMA synchronous={synchronous}")

    with (
        TemporaryDirectory() as data,
        patch.object(server, "Settings", partial(Settings, limits=1e6)),
        patch.object(engine, "_prepare_sqlite", prepare_as_asked),
    ):
        chosen = {"host": "127.0.0.1", "port": 0, "data": Path(data), "database": url, "origins": (), "hosts": ()}
        chosen |= {"secure": False, "lan": False}
        known = inspect.signature(server.serve).parameters  # an older or a newer dicehall may ask for less
        run: Any = server.serve
        return int(run(**{name: value for name, value in chosen.items() if name in known}))


if __name__ == "__main__":
    sys.exit(serve(*sys.argv[1:]))
