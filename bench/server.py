"""What a move costs the server: Dicehall beside a boardgame.io server of the same game.

    python bench/server.py [--seconds S] [--minutes M] [--json] [--postgres URL]

Classic Knucklebones over loopback, two automatic clients at each table, one a seat; a seat sends its next move as soon
as it has seen the last, and a finished game is followed by a new one, at a new table. All of that counts: opening
tables, connecting, moving, finishing. boardgame.io's clients come with a new socket for every match, which is how its
client library works; a hall's clients stay on theirs and ask for the next table, which is how ours does. What it costs
a hall when its clients connect anew for every game is reported as well, and what it costs when each seat has an account
of its own, in a room: both add to the dice of every game, and see the room beside the table. The clients run in
processes of their own (hall_clients.py and peers/boardgame_io/client.js), so that the processor time of the server,
from /proc, is the server's alone. The halls and the peer take turns in short rounds; medians are compared.

boardgame.io keeps its matches in memory, its default. Every move at a hall is durable before it is acknowledged: in
SQLite that waits for the disk, in SQLite that does not (to see what waiting costs), and in PostgreSQL, which is started
for the occasion when no URL of an empty database is given. The processor time of PostgreSQL is reported apart.

boardgame.io is installed from bench/peers/boardgame_io with npm when it is missing. The exit code is 0 when every
check that counts passes, 1 when one fails, 2 when boardgame.io or a hall cannot be started, with a line that says why.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final
from unittest.mock import patch

from checks import Check, finish, say
from halls import (
    HERE,
    Command,
    NotRunning,
    Running,
    check_environment,
    family_cpu_seconds,
    family_resident_mib,
    hall_command,
    running,
    serving,
)
from peer import install_peer

PEER: Final = HERE / "peers" / "boardgame_io"

HALL: Final = "Dicehall, SQLite"
NEW_SOCKETS: Final = "Dicehall, SQLite, new sockets"
PEOPLE: Final = "Dicehall, SQLite, two accounts"
NOT_WAITING: Final = "Dicehall, SQLite, not waiting"
POSTGRES: Final = "Dicehall, PostgreSQL"
BOARDGAME_IO: Final = "boardgame.io, in memory"

TABLES: Final = (4, 16)
ROUNDS: Final = 5
WARM_UP_SECONDS: Final = 2.0
LEAST_RATIO: Final = 2.0  # moves per second of server CPU, against boardgame.io's
FULL_MINUTES: Final = 10.0  # how long memory has to stay flat
SAMPLE_SECONDS: Final = 5.0
GROWTH_LIMIT: Final = 5.0  # per cent, from the second third of the time to the last


@dataclass(frozen=True)
class Round:
    moves: int
    seconds: float
    cpu: float  # seconds of the server's processes
    database_cpu: float | None  # seconds of the processes of a database server
    p50_ms: float
    p99_ms: float
    resident_mib: float

    @property
    def per_cpu_second(self) -> float:
        return self.moves / self.cpu

    @property
    def per_second(self) -> float:
        return self.moves / self.seconds


@dataclass(frozen=True)
class Rates:
    """Medians of a server's rounds with so many tables."""

    server: str
    tables: int
    per_cpu_second: float
    per_second: float
    p50_ms: float
    p99_ms: float
    resident_mib: float
    database_us: float | None  # processor time of a database server, microseconds a move

    @classmethod
    def of(cls, server: str, tables: int, rounds: Sequence[Round]) -> Rates:
        def middle(value: Callable[[Round], float]) -> float:
            return median(map(value, rounds))

        apart = [one.database_cpu / one.moves * 1e6 for one in rounds if one.database_cpu is not None]
        return cls(
            server,
            tables,
            middle(lambda one: one.per_cpu_second),
            middle(lambda one: one.per_second),
            middle(lambda one: one.p50_ms),
            middle(lambda one: one.p99_ms),
            middle(lambda one: one.resident_mib),
            median(apart) if apart else None,
        )


@dataclass(frozen=True)
class Sample:
    seconds: float
    moves: int
    resident_mib: float


@dataclass(frozen=True)
class Report:
    python: str
    node: str
    processors: int
    seconds: float
    minutes: float
    rates: list[Rates]
    memory: list[Sample]

    def checks(self) -> list[Check]:
        checks = []
        for tables in TABLES:
            ours, theirs = self._find(HALL, tables), self._find(BOARDGAME_IO, tables)
            ratio = ours.per_cpu_second / theirs.per_cpu_second
            name = f"{tables} tables, moves a CPU second to boardgame.io"
            checks.append(Check(name, ratio, f">= {LEAST_RATIO:g}", ratio >= LEAST_RATIO))
        for tables in TABLES:
            ours, theirs = self._find(HALL, tables), self._find(BOARDGAME_IO, tables)
            worse = ours.p99_ms / theirs.p99_ms
            checks.append(Check(f"{tables} tables, p99 latency to boardgame.io", worse, "<= 1", worse <= 1))
        growth = self.growth()
        checks.append(
            Check(f"memory, % more over {self.minutes:g} min", growth, f"<= {GROWTH_LIMIT:g}", growth <= GROWTH_LIMIT)
        )
        for server, what in ((NEW_SOCKETS, "with new sockets for every game"), (PEOPLE, "two accounts a table")):
            for tables in TABLES:
                ours, theirs = self._find(server, tables), self._find(BOARDGAME_IO, tables)
                ratio, name = ours.per_cpu_second / theirs.per_cpu_second, f"{tables} tables, {what}, to boardgame.io"
                checks.append(Check(name, ratio, "to be read", passed=True, counts=False))
        for tables in TABLES:
            worse = self._find(PEOPLE, tables).p99_ms / self._find(BOARDGAME_IO, tables).p99_ms
            name = f"{tables} tables, two accounts a table, p99 latency to boardgame.io"
            checks.append(Check(name, worse, "to be read", passed=True, counts=False))
        waiting = {server: self._find(server, TABLES[-1]) for server in self.servers() if server != BOARDGAME_IO}
        for server, rates in waiting.items():
            if server != HALL:
                cost = rates.per_cpu_second / waiting[HALL].per_cpu_second
                checks.append(
                    Check(f"{server}: moves a CPU second to {HALL}", cost, "to be read", passed=True, counts=False)
                )
        return checks

    def growth(self) -> float:
        """How many per cent more memory in the last third of the time than in the second; the first fills caches."""
        sizes = [sample.resident_mib for sample in self.memory]
        third = max(1, len(sizes) // 3)
        before, after = median(sizes[-2 * third : -third] or sizes), median(sizes[-third:])
        return (after / before - 1) * 100

    def servers(self) -> list[str]:
        return list(dict.fromkeys(rates.server for rates in self.rates))

    def _find(self, server: str, tables: int) -> Rates:
        return next(rates for rates in self.rates if (rates.server, rates.tables) == (server, tables))


# --- the servers and their clients, each a process of its own


class Contestant:
    """A server with the process that plays on it. Both wait while the others are measured."""

    def __init__(self, server: Running, clients: Running, database: int | None) -> None:
        self.name, self.database = server.name, database
        self._server, self._clients = server.pid, clients

    def play(self, tables: int, seconds: float) -> Round:
        cpu = family_cpu_seconds(self._server)
        apart = None if self.database is None else family_cpu_seconds(self.database)
        played = self._clients.ask(tables, seconds)
        if not played["moves"]:
            raise NotRunning(f"nobody has moved at {self.name}")
        return Round(
            played["moves"],
            played["seconds"],
            family_cpu_seconds(self._server) - cpu,
            None if apart is None or self.database is None else family_cpu_seconds(self.database) - apart,
            played["p50_ms"],
            played["p99_ms"],
            family_resident_mib(self._server),
        )


@contextmanager
def contestant(
    name: str, folder: Path, server: Command, client: Command, client_options: list[str], database: int | None = None
) -> Iterator[Contestant]:
    with (
        serving(name, server, folder / "server.log") as (serving_one, address),
        running(f"the clients of {name}", [*client, address, *client_options], folder / "client.log") as clients,
    ):
        yield Contestant(serving_one, clients, database)


@contextmanager
def hall(
    name: str, url: str | None = None, synchronous: str = "FULL", database: int | None = None, how: str = ""
) -> Iterator[Contestant]:
    """Our server, as `dicehall` starts it, but without rate limits."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        server = hall_command(url or f"sqlite:///{folder / 'hall.sqlite'}", synchronous)
        client: Command = [sys.executable, HERE / "hall_clients.py"]
        with contestant(name, folder, server, client, [how] if how else [], database) as entered:
            yield entered


@contextmanager
def boardgame_io() -> Iterator[Contestant]:
    node = install_peer(PEER)
    with (
        TemporaryDirectory() as folder,
        contestant(BOARDGAME_IO, Path(folder), [node, PEER / "server.js"], [node, PEER / "client.js"], []) as entered,
    ):
        yield entered


def postgres_url() -> str | None:
    """An empty database on a server that is started here and waits for the disk; None where there is none."""
    import psycopg

    sys.path.append(str(HERE.parent))
    from tests.store import postgres

    try:
        with patch.dict(postgres.SETTINGS, fsync="on", synchronous_commit="on", full_page_writes="on"):
            return postgres.new_database()
    except (postgres.NoPostgres, OSError, psycopg.Error) as error:
        say(f"without PostgreSQL: {error}")
        return None


def postgres_process(url: str) -> int | None:
    """The server's own process, if it runs on this machine."""
    import psycopg

    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        row = connection.execute("SELECT pg_backend_pid()").fetchone()
        assert row is not None
        status = Path(f"/proc/{row[0]}/status")
        if not status.exists() or "postgres" not in status.read_text().split("\n")[0]:
            return None
        return int(status.read_text().partition("PPid:")[2].split()[0])


# --- the two measurements


def measure(seconds: float, minutes: float, postgres: str | None) -> Report:
    with ExitStack() as stack:
        contestants = [stack.enter_context(hall(HALL)), stack.enter_context(boardgame_io())]
        contestants.append(stack.enter_context(hall(NEW_SOCKETS, how="--reconnect")))
        contestants.append(stack.enter_context(hall(PEOPLE, how="--people")))
        contestants.append(stack.enter_context(hall(NOT_WAITING, synchronous="OFF")))
        if postgres is not None:
            contestants.append(stack.enter_context(hall(POSTGRES, postgres, database=postgres_process(postgres))))
        rates = measure_rates(contestants, seconds)
        memory = measure_memory(contestants[0], minutes)
    return Report(
        python=f"{platform.python_implementation()} {platform.python_version()}",
        node=subprocess.run(
            [install_peer(PEER), "--version"], capture_output=True, text=True, check=True
        ).stdout.strip(),
        processors=os.cpu_count() or 0,
        seconds=seconds,
        minutes=minutes,
        rates=rates,
        memory=memory,
    )


def measure_rates(contestants: Sequence[Contestant], seconds: float) -> list[Rates]:
    """Every server in every round, with few and with many tables; a first round, to warm up, counts for nothing."""
    rng = random.Random(1)
    rounds: dict[tuple[str, int], list[Round]] = {(one.name, tables): [] for tables in TABLES for one in contestants}
    for turn in range(ROUNDS + 1):
        say(f"round {turn} of {ROUNDS}" if turn else "warming up")
        for tables in TABLES:
            for one in rng.sample(contestants, len(contestants)):
                played = one.play(tables, seconds if turn else WARM_UP_SECONDS)
                if turn:
                    rounds[one.name, tables].append(played)
    return [Rates.of(server, tables, played) for (server, tables), played in rounds.items()]


def measure_memory(ours: Contestant, minutes: float) -> list[Sample]:
    say(f"memory over {minutes:g} min")
    began, moves = time.monotonic(), 0
    samples: list[Sample] = []
    while (elapsed := time.monotonic() - began) < minutes * 60 or not samples:
        played = ours.play(TABLES[-1], SAMPLE_SECONDS)
        moves += played.moves
        samples.append(Sample(elapsed + played.seconds, moves, played.resident_mib))
    return samples


# --- the report


def show(report: Report) -> None:
    print(f"Classic Knucklebones, {report.python} and node {report.node} on {report.processors} processors:")
    print(f"medians of {ROUNDS} rounds of {report.seconds:g} s; two clients a table\n")
    heads = ("moves/CPU s", "moves/s", "p50 ms", "p99 ms", "MiB", "db µs/move")
    for tables in TABLES:
        print(f"{f'{tables} tables':<34}" + "".join(f"{head:>12}" for head in heads))
        for rates in report.rates:
            if rates.tables == tables:
                apart = "" if rates.database_us is None else f"{rates.database_us:,.0f}"
                print(
                    f"  {rates.server:<32}{rates.per_cpu_second:>12,.0f}{rates.per_second:>12,.0f}"
                    f"{rates.p50_ms:>12.1f}{rates.p99_ms:>12.1f}{rates.resident_mib:>12.0f}{apart:>12}"
                )
        print()
    print(f"Memory of {HALL}, {TABLES[-1]} tables:")
    step = max(1, len(report.memory) // 12)
    for sample in report.memory[step - 1 :: step]:
        print(f"  after {sample.seconds:>5.0f} s and {sample.moves:>9,} moves {sample.resident_mib:>8.1f} MiB")
    if report.minutes < FULL_MINUTES:
        print(f"  {report.minutes:g} min are a short form: `--minutes {FULL_MINUTES:g}` is the whole check")


def main() -> int:
    parser = argparse.ArgumentParser(description="What a move costs the server, beside boardgame.io.")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each server plays in each round (3)")
    parser.add_argument("--minutes", type=float, default=1.0, help="how long memory is watched (1)")
    parser.add_argument("--json", action="store_true", help="write the report as JSON")
    parser.add_argument("--postgres", metavar="URL", help="an empty database; without it, a server is started")
    arguments = parser.parse_args()
    if not arguments.seconds > 0 or not arguments.minutes > 0:
        parser.error("--seconds and --minutes have to be more than 0")
    try:
        check_environment()
        report = measure(arguments.seconds, arguments.minutes, arguments.postgres or postgres_url())
    except NotRunning as error:
        say(f"no comparison: {error}")
        return 2
    return finish(report, show, arguments.json)


if __name__ == "__main__":
    sys.exit(main())
