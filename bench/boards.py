"""How long a board of a million players takes to read, beside the cheapest question a database can be asked.

    python bench/boards.py [--runs N] [--database URL] [--json]

A board is filled with the best runs of so many players. Then pages, ranks and one player's own standing are read, in
turns with a lookup by primary key, and medians are compared. The plan of every statement is printed: a scan of a whole
table, or a sort, fails whatever the clock says.

Without a URL the database is SQLite in a temporary folder; a URL names an empty database, and what is written there
stays. The exit code is 0 when every check passes, 1 when one fails.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from checks import Check, finish, say
from sqlalchemy import Connection, Engine, event, insert, select, text

from dicehall.store import boards
from dicehall.store.engine import migrate, open_engine, reader
from dicehall.store.schema import players, standings, tallies

BOARD: Final = "farkle/standard"
PERIOD: Final = "all"
PAGE: Final = 20  # entries
ROUNDS: Final = 300
WARM_UP: Final = 30
AT_ONCE: Final = 20_000  # rows
OTHER_BOARDS: Final = 200  # a hall has many: one for each set of options that somebody has played
PLAYERS_OF_OTHERS: Final = 300
LOOKUP: Final = "lookup by primary key"
MOST_TIMES: Final = 20.0  # the lookup: an entry of a page may cost as much as one
FORBIDDEN: Final = ("SCAN", "TEMP B-TREE", "Seq Scan", "Sort")  # in plans of SQLite and of PostgreSQL

Read = Callable[[Connection], object]


@dataclass(frozen=True)
class Report:
    database: str
    runs: int
    values: int  # that somebody stands at
    seconds_to_fill: float
    micros: dict[str, float]
    plans: dict[str, list[str]]

    def checks(self) -> list[Check]:
        checks = []
        for name, micros in self.micros.items():
            if name != LOOKUP:
                times = micros / self.micros[LOOKUP]
                checks.append(Check(f"{name}, times a lookup", times, f"<= {MOST_TIMES:g}", times <= MOST_TIMES))
        for name, plans in self.plans.items():
            bad = sum(any(word in plan for word in FORBIDDEN) for plan in plans)
            checks.append(Check(f"{name}, statements that scan or sort", bad, "<= 0", bad == 0))
        return checks


# --- the board


def name_of(number: int) -> str:
    return f"player-{number:08}"


def score_of(rng: random.Random) -> int:
    return max(0, round(rng.gauss(6000, 1500) / 50)) * 50


def fill(engine: Engine, runs: int) -> int:
    """So many players on the board, some of them on others too, as in any hall; how many values the board has."""
    rng = random.Random(1)
    for first in range(0, runs, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, runs))
        with engine.begin() as connection:
            rows = [{"id": name_of(n), "nickname": f"Player {n}", "created_at": 1} for n in numbers]
            connection.execute(insert(players), rows)
    values = stand(engine, BOARD, runs, rng)
    for number in range(OTHER_BOARDS):
        stand(engine, f"farkle/target={5000 + number}", min(runs, PLAYERS_OF_OTHERS), rng)
    with engine.begin() as connection:
        connection.execute(text("ANALYZE"))
    return values


def stand(engine: Engine, board: str, runs: int, rng: random.Random) -> int:
    """The standings of a board, and the tallies that fit them."""
    counts = Counter[int]()
    for first in range(0, runs, AT_ONCE):
        places: list[dict[str, Any]] = [
            {
                "board": board,
                "period": PERIOD,
                "player_id": name_of(n),
                "value": -score_of(rng),
                "run_id": f"run-{n:08}",
                "reached_at": 1_700_000_000 + rng.randrange(10_000_000),
            }
            for n in range(first, min(first + AT_ONCE, runs))
        ]
        counts.update(place["value"] for place in places)
        with engine.begin() as connection:
            connection.execute(insert(standings), places)
    kept = [{"board": board, "period": PERIOD, "value": value, "players": n} for value, n in counts.items()]
    with engine.begin() as connection:
        connection.execute(insert(tallies), kept)
    return len(counts)


# --- what is read


def reads(engine: Engine, runs: int) -> dict[str, Read]:
    """Every question with players and places all over the board."""
    rng = random.Random(2)
    with reader(engine).connect() as connection:
        deep = [place(connection, rng, runs) for _ in range(100)]
        last = max(deep)

    def somebody() -> str:
        return name_of(rng.randrange(runs))

    def lookup(connection: Connection) -> object:
        return connection.execute(select(players).where(players.c.id == somebody())).one()

    return {
        LOOKUP: lookup,
        "first page": lambda c: boards.page(c, BOARD, PERIOD, False, PAGE, None),
        "deep page": lambda c: boards.page(c, BOARD, PERIOD, False, PAGE, rng.choice(deep)),
        "rank": lambda c: c.scalar(boards.better_query(BOARD, PERIOD, rng.choice(deep)[0])),
        "rank of the last": lambda c: c.scalar(boards.better_query(BOARD, PERIOD, last[0])),
        "me": lambda c: boards.standing(c, BOARD, PERIOD, False, somebody()),
    }


def place(connection: Connection, rng: random.Random, runs: int) -> boards.Cursor:
    mine = standings.c.player_id == name_of(rng.randrange(runs))
    row = connection.execute(select(standings).where(mine, standings.c.board == BOARD)).one()
    return row.value, row.reached_at, row.player_id


def measure_times(engine: Engine, asked: Mapping[str, Read]) -> dict[str, float]:
    """Microseconds: every question once a round, over one connection; the first rounds warm up."""
    times: dict[str, list[float]] = {name: [] for name in asked}
    with reader(engine).connect() as connection:
        for turn in range(WARM_UP + ROUNDS):
            for name, read in asked.items():
                began = time.perf_counter()
                read(connection)
                took = (time.perf_counter() - began) * 1e6
                if turn >= WARM_UP:
                    times[name].append(took)
    return {name: median(took) for name, took in times.items()}


def plans(engine: Engine, read: Read) -> list[str]:
    """The plan of every statement that a question runs, as the database explains it."""
    statements: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, parameters: object, *___: object) -> None:
        statements.append((statement, parameters))

    explain = "EXPLAIN QUERY PLAN " if engine.dialect.name == "sqlite" else "EXPLAIN "
    with engine.connect() as connection:
        connection.execute(text("SELECT 1"))  # so that the beginning of the transaction is not noted
        event.listen(engine, "before_cursor_execute", note)
        try:
            read(connection)
        finally:
            event.remove(engine, "before_cursor_execute", note)
        return [
            "\n".join(str(line[-1]) for line in connection.exec_driver_sql(explain + statement, parameters))
            for statement, parameters in statements
        ]


# --- the report


def measure(url: str, runs: int) -> Report:
    engine = open_engine(url)
    migrate(engine)
    say(f"filling a board with {runs:,} standings ...")
    began = time.perf_counter()
    values = fill(engine, runs)
    filled = time.perf_counter() - began
    asked = reads(engine, runs)
    say("reading ...")
    report = Report(
        database=engine.dialect.name,
        runs=runs,
        values=values,
        seconds_to_fill=filled,
        micros=measure_times(engine, asked),
        plans={name: plans(engine, read) for name, read in asked.items()},
    )
    engine.dispose()
    return report


def show(report: Report) -> None:
    print(f"A board of {report.runs:,} players at {report.values} values in {report.database},", end=" ")
    print(f"filled in {report.seconds_to_fill:.0f} s; medians of {ROUNDS} rounds\n")
    for name, micros in report.micros.items():
        print(f"  {name:<40}{micros:>10,.0f} µs {micros / report.micros[LOOKUP]:>8.1f} x")
    print("\nPlans")
    for name, found in report.plans.items():
        print(f"  {name}")
        for plan in found:
            print("    - " + plan.replace("\n", "\n      "))


def main() -> int:
    parser = argparse.ArgumentParser(description="How long a large board takes to read.")
    parser.add_argument("--runs", type=int, default=1_000_000, help="standings on the board (1000000)")
    parser.add_argument("--database", metavar="URL", help="an empty database (SQLite in a temporary folder)")
    parser.add_argument("--json", action="store_true", help="write the report as JSON")
    arguments = parser.parse_args()
    if arguments.runs < 1:
        parser.error("--runs has to be at least 1")
    with TemporaryDirectory() as folder:
        report = measure(arguments.database or f"sqlite:///{Path(folder) / 'hall.sqlite'}", arguments.runs)
    return finish(report, show, arguments.json)


if __name__ == "__main__":
    sys.exit(main())
