"""How many tables a hall holds, each with a move a second, before moves are felt to be slow.

    python bench/load.py [--before REV] [--seconds S] [--json]
    python bench/load.py --rooms ROOM ROOM ... [--tables N]      one kind of table beside another

A hall holds so many tables when no message is refused and 99 of a hundred moves are answered within 100 ms of the
moment they were due. That number is searched for: doubled until a hall does not hold so many, then narrowed down. Every
probe is a hall of its own, fresh, in SQLite that waits for the disk; what fails once is tried once more, because a busy
disk or a neighbour can spoil any five seconds. Two kinds of tables, each with two games, half and half:

    plain      nobody but people: classic Knucklebones, two at one device, and Farkle alone
    perfect    against the costliest opponent: Knucklebones Lite and Farkle, against perfect play

With --rooms the same number of tables of each (50) is measured in turn, and nothing is searched for: so
`--rooms knucklebones:you,spec knucklebones:you,perfect` says what a costlier opponent costs.

With --before the same is asked of an earlier revision, checked out into a temporary folder for the while and run by the
same interpreter. Both take turns, probe by probe, never at the same time, and the ratio of what they hold is reported.

The clients run in a process of their own (load_clients.py), which counts the processor time and the memory of the
server with its children. The report says how busy the clients were, and everything else on this machine: either may be
the limit, and not the hall. The exit code is 0 when every hall holds a table at least, 1 when one does not, 2 when a
hall cannot be started.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from math import isqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from checks import Check, finish, say
from halls import HERE, SOURCE, Command, NotRunning, check_environment, hall_command, running, serving

LIMIT_MS: Final = 100.0
SHARE: Final = 99  # of a hundred moves, within the limit
CLOSE: Final = 1.15  # the least number that fails, to the largest that passes: near enough
MOST: Final = 4000  # tables
ROUNDS: Final = 5  # with --rooms
NOW: Final = "now"
QUIET: Final = 0.3  # of one processor: what else runs on a machine that is fit for measuring needs less
BUSY: Final = 0.8  # of one processor: clients that need more may be what is slow


@dataclass(frozen=True)
class Kind:
    name: str
    start: int  # tables in the first probe
    rooms: tuple[str, ...]  # game and seats


KINDS: Final = (
    Kind("plain", 500, ("knucklebones:you,you", "farkle:you")),
    Kind("perfect", 50, ("lite-versus:you,perfect", "farkle:you,perfect")),
)


@dataclass(frozen=True)
class Probed:
    """What a hall did with so many tables, in the last try."""

    tables: int
    opened: int  # of them, in time
    moves: int
    p50_ms: float
    p99_ms: float
    p99_ms_of: dict[str, float]  # by room
    refused: dict[str, float]  # share of the messages, by code
    resident_mib: float  # the server with its children
    kib_a_table: float  # more than when it was empty
    cpu_us_a_move: float  # likewise with its children
    client_cpu: float  # share of one processor
    others_cpu: float  # likewise, of all that ran on this machine beside

    @property
    def passed(self) -> bool:
        return self.opened == self.tables and self.moves > 0 and not self.refused and self.p99_ms <= LIMIT_MS


@dataclass(frozen=True)
class Held:
    """The end of a search."""

    hall: str
    kind: str
    tables: int
    largest: Probed | None  # that passed
    first_failed: Probed | None


@dataclass(frozen=True)
class Report:
    python: str
    processors: int
    seconds: float
    before: str | None  # the revision
    held: list[Held]

    def checks(self) -> list[Check]:
        checks = []
        for one in self.held:
            name = f"{one.kind}, {one.hall}: tables held"
            checks.append(Check(name, one.tables, ">= 1", one.tables >= 1))
        for kind in KINDS if self.before else ():
            now, before = (self.find(hall, kind).tables for hall in (NOW, self.before))
            ratio = now / max(1, before)
            checks.append(Check(f"{kind.name}: {NOW} to {self.before}", ratio, "to be read", passed=True, counts=False))
        return checks

    def find(self, hall: str | None, kind: Kind) -> Held:
        return next(one for one in self.held if (one.hall, one.kind) == (hall, kind.name))


# --- the search


def percentile(ordered: Sequence[float], share: int) -> float:
    """The least value that so many of a hundred do not exceed; 0 of nothing."""
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)] if ordered else 0.0


def search(start: int, most: int) -> Generator[int, bool, None]:
    """Numbers to be tried, each answered with whether it passed: up to the largest that does, nearly."""
    passed, failed, number = 0, most + 1, start
    while True:
        if (yield number):
            passed = number
        else:
            failed = number
        if passed == most or failed == 1 or (passed and failed <= max(passed * CLOSE, passed + 1)):
            return
        if failed > most:
            number = min(2 * passed, most)
        elif passed:
            number = max(passed + 1, isqrt(passed * failed))
        else:
            number = failed // 2


# --- the halls


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """The source folder of an earlier revision, for a while."""
    with TemporaryDirectory() as folder:
        tree = Path(folder) / "before"
        git("worktree", "add", "--detach", str(tree), revision)
        try:
            yield tree / "src"
        finally:
            git("worktree", "remove", "--force", str(tree))


def git(*command: str) -> str:
    done = subprocess.run(["git", "-C", HERE, *command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotRunning(f"git {' '.join(command)}: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout.strip()


def probe(source: Path, kind: Kind, tables: int, seconds: float) -> Probed:
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        server = hall_command(f"sqlite:///{folder / 'hall.sqlite'}")
        with serving("the hall", server, folder / "server.log", source) as (hall, address):
            clients: Command = [sys.executable, HERE / "load_clients.py", address, str(hall.pid)]
            with running("the clients", clients, folder / "clients.log") as players:
                return Probed(**players.ask(tables, seconds, *kind.rooms))


def measure(halls: dict[str, Path], seconds: float) -> list[Held]:
    """Every search goes a step in its turn, so that whatever else this machine does, it does to all halls."""
    held = []
    for kind in KINDS:
        searches = {name: search(kind.start, MOST) for name in halls}
        tables = {name: next(one) for name, one in searches.items()}
        probed: dict[str, list[Probed]] = {name: [] for name in halls}
        while tables:
            for name, number in list(tables.items()):
                one = probe(halls[name], kind, number, seconds)
                verdict = "held" if one.passed else "not held"
                say(f"{kind.name}, {name}: {number} tables, p99 {one.p99_ms:.1f} ms, {verdict}")
                probed[name].append(one)
                try:
                    tables[name] = searches[name].send(one.passed)
                except StopIteration:
                    del tables[name]
        held += [summed_up(name, kind, probed[name]) for name in halls]
    return held


def summed_up(hall: str, kind: Kind, probed: Sequence[Probed]) -> Held:
    largest = max((one for one in probed if one.passed), key=lambda one: one.tables, default=None)
    failed = min((one for one in probed if not one.passed), key=lambda one: one.tables, default=None)
    return Held(hall, kind.name, largest.tables if largest else 0, largest, failed)


def beside(rooms: Sequence[str], tables: int, seconds: float) -> list[Held]:
    """So many tables of each kind, in turn, ROUNDS times; of each the probe in the middle."""
    probed: dict[str, list[Probed]] = {room: [] for room in rooms}
    for _ in range(ROUNDS):
        for room, found in probed.items():
            found.append(probe(SOURCE, Kind(room, tables, (room,)), tables, seconds))
            say(f"{room}: p99 {found[-1].p99_ms:.1f} ms")
    middle = {room: sorted(found, key=lambda one: one.p99_ms)[ROUNDS // 2] for room, found in probed.items()}
    return [Held(NOW, room, one.tables if one.passed else 0, one, None) for room, one in middle.items()]


# --- the report


def show(report: Report) -> None:
    print(f"Tables with a move a second, {report.python} on {report.processors} processors:")
    print(f"probes of {report.seconds:g} s; the largest number that a hall held, and the least that it did not\n")
    heads = ("tables", "p50 ms", "p99 ms", "MiB", "KiB/table", "µs/move", "clients", "others")
    for kind in dict.fromkeys(held.kind for held in report.held):
        print(f"{kind:<24}" + "".join(f"{head:>11}" for head in heads))
        for held in report.held:
            for one in (held.largest, held.first_failed) if held.kind == kind else ():
                if one is not None:
                    show_probed(f"{held.hall}, {'held' if one.passed else 'not held'}", one)
        print()
    probed = [one for held in report.held for one in (held.largest, held.first_failed) if one is not None]
    if any(one.client_cpu > BUSY for one in probed):
        print(f"The clients needed more than {BUSY:.0%} of a processor: they may be the limit, and not the hall.")
    if any(one.others_cpu > QUIET for one in probed):
        print(
            f"Something else needed more than {QUIET:.0%} of a processor: do not rely on these numbers and their ratio."
        )


def show_probed(name: str, one: Probed) -> None:
    print(
        f"  {name:<22}{one.tables:>11}{one.p50_ms:>11.1f}{one.p99_ms:>11.1f}{one.resident_mib:>11.0f}"
        f"{one.kib_a_table:>11.1f}{one.cpu_us_a_move:>11,.0f}{one.client_cpu:>11.0%}{one.others_cpu:>11.0%}"
    )
    rooms = ", ".join(f"{room} {late:.1f}" for room, late in one.p99_ms_of.items())
    print(f"    p99 ms of {rooms}")
    if one.opened < one.tables:
        print(f"    {one.opened} of them were opened in time")
    for code, share in one.refused.items():
        print(f"    refused: {code}, {share:.2%} of the messages")


def main() -> int:
    parser = argparse.ArgumentParser(description="How many tables a hall holds, each with a move a second.")
    parser.add_argument("--before", metavar="REV", help="compare with this revision, measured in the same run")
    parser.add_argument("--rooms", nargs="+", metavar="ROOM", help="games and seats: knucklebones:you,perfect")
    parser.add_argument("--tables", type=int, default=50, help="of each, with --rooms (50)")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long a probe is measured (5)")
    parser.add_argument("--json", action="store_true", help="write the report as JSON")
    arguments = parser.parse_args()
    if arguments.tables < 1 or (arguments.rooms and arguments.before):
        parser.error("--tables has to be more than 0, and --rooms goes without --before")
    if not arguments.seconds > 0:
        parser.error("--seconds has to be more than 0")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a table is a socket, here and there
    before = None
    try:
        check_environment()
        if arguments.before:
            before = git("rev-parse", "--short", f"{arguments.before}^{{commit}}")
        with checked_out(before) if before else nullcontext(SOURCE) as source:
            if arguments.rooms:
                held = beside(arguments.rooms, arguments.tables, arguments.seconds)
            else:
                held = measure({NOW: SOURCE, **({before: source} if before else {})}, arguments.seconds)
    except NotRunning as error:
        say(f"no measurement: {error}")
        return 2
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return finish(Report(python, os.cpu_count() or 0, arguments.seconds, before, held), show, arguments.json)


if __name__ == "__main__":
    sys.exit(main())
