"""Large boards and long histories are read through an index: nothing is scanned, nothing is sorted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, timedelta

import pytest
from sqlalchemy import Connection, Engine, event, insert, text

from dicehall.store import boards, daily, figures, players, ratings, runs, skills, tables
from dicehall.store.engine import migrate, open_engine
from dicehall.store.schema import metadata
from tests.store.postgres import new_database
from tests.store.rows import RUN, TABLE, run

PLAYERS = 20_000
WANTED = "p00100"
BEFORE: boards.Cursor = (-150, 5, "p05000")
Read = Callable[[Connection], object]


@pytest.fixture(scope="module")
def crowded(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A hall with 20,000 players on one board, and one player with 2,000 runs."""
    folder = tmp_path_factory.mktemp("crowded")
    engine = open_engine(f"sqlite:///{folder}/hall.sqlite" if database == "sqlite" else new_database())
    migrate(engine)
    names = [f"p{number:05}" for number in range(PLAYERS)]
    values = [-(number * 7919 % 300) for number in range(PLAYERS)]
    wide = {field: getattr(RUN, field) for field in RUN.__dataclass_fields__ if field != "people"}
    table = {field: getattr(TABLE, field) for field in TABLE.__dataclass_fields__ if field != "people"}
    whose = [names[100 + n % 2 * n] for n in range(4000)]
    rows: dict[str, list[dict[str, object]]] = {
        "players": [{"id": name, "nickname": name, "created_at": 1} for name in names],
        "standings": [
            {"board": board, "period": "all", "player_id": name, "value": value, "run_id": "r", "reached_at": at % 97}
            for board, count in (("farkle/standard", PLAYERS), ("lite-solo/standard", 1000))
            for at, (name, value) in enumerate(zip(names[:count], values[:count], strict=True))
        ],
        "tallies": [
            {"board": board, "period": period, "value": value, "players": count}
            for board in ("farkle/standard", "lite-solo/standard")
            for period in ("all", "2026-01", "2026-W01")
            for value, count in Counter(values).items()
        ],
        "runs": [
            {
                **wide,
                "id": f"r{n}",
                "table_id": f"t{n}",
                "finished_at": n,
                "day": "2026-01-05" if n % 50 == 0 else None,
                "ranked": n % 20 == 0,
            }
            for n in range(4000)
        ],
        "players_runs": [
            {"run_id": f"r{n}", "player_id": whose[n], "seat": 0, "game": RUN.game, "mode": RUN.mode}
            | {"score": n % 100, "ranked": n % 20 == 0, "day": "2026-01-05" if n % 50 == 0 else None, "finished_at": n}
            for n in range(4000)
        ],
        "figures": [
            {"player_id": whose[n], "run_id": f"r{n}", "kind": "ranked", "parts": 0, "hits": 0}
            for n in range(0, 4000, 3)
        ],
        "ratings": [
            {"player_id": name, "pool": "farkle", "value": 1500 + n % 300, "deviation": 60, "volatility": 0.06}
            | {"games": 9, "rated_ms": 1}
            for n, name in enumerate(names)
        ],
        "skills": [
            {"player_id": name, "pool": "farkle", "value": 1500 + n % 300, "low": 0, "high": 0}
            | {"provisional": n % 9 == 0, "runs": 9}
            for n, name in enumerate(names)
        ],
        "meetings": [
            {"player_id": whose[n], "run_id": f"r{n}", "other_id": names[n % 90], "game": "farkle", "halves": 2}
            | {"watched": n % 9 != 0, "ended_ms": n, "after": 1500, "deviation": 60}
            | {"choices": 9 if n > 5 else None, "lost": 1, "squares": 1}
            for n in range(4000)
        ],
        "tables": [{**table, "id": f"t{n}", "updated_at": n, "over": n % 256 != 0} for n in range(4000)],
        "sitters": [{"table_id": f"t{n}", "player_id": whose[n], "seat": 0, "over": n % 256 != 0} for n in range(4000)],
        "dailies": [
            {"day": str(date(2026, 1, 5) - timedelta(n)), "game": game, "mode": "standard", "secret": "0" * 64}
            | {"commitment": "0" * 64, "committed_at": 1, "revealed_at": 2}
            for game in ("lite-solo", "farkle")
            for n in range(2000)
        ],
        "attempts": [
            {"day": f"2026-01-{1 + n % 20:02}", "game": "lite-solo", "mode": "standard", "player_id": names[n]}
            | {"number": 1, "table_id": f"t{n}", "network": f"n{n // 40}"}
            for n in range(4000)
        ],
    }
    with engine.begin() as connection:
        for name, values_of in rows.items():
            connection.execute(insert(metadata.tables[name]), values_of)
    with engine.connect() as connection:
        connection.execute(text("ANALYZE"))
        connection.commit()
    yield engine
    engine.dispose()


def plans(engine: Engine, read: Read) -> list[str]:
    """The plan of every statement that the function runs, as the database explains it."""
    statements: list[tuple[str, object]] = []

    def note(_: object, __: object, statement: str, parameters: object, *___: object) -> None:
        statements.append((statement, parameters))

    with engine.connect() as connection:
        event.listen(engine, "before_cursor_execute", note)
        try:
            read(connection)
        finally:
            event.remove(engine, "before_cursor_execute", note)
        explain = "EXPLAIN QUERY PLAN " if engine.dialect.name == "sqlite" else "EXPLAIN "
        found = []
        for statement, parameters in statements:
            if not statement.startswith(("BEGIN", "ROLLBACK")):
                lines = connection.exec_driver_sql(explain + statement, parameters)  # type: ignore[arg-type]
                found.append("\n".join(str(line[-1]) for line in lines))
        connection.rollback()
    assert found
    return found


READS: dict[str, Read] = {
    "first page": lambda c: boards.page(c, "farkle/standard", "all", False, 20, None),
    "later page": lambda c: boards.page(c, "farkle/standard", "all", False, 20, BEFORE),
    "standing": lambda c: boards.standing(c, "farkle/standard", "all", False, WANTED),
    "size": lambda c: boards.size(c, "farkle/standard", "all"),
    "boards": lambda c: boards.boards(c, "farkle", 100),
    "history": lambda c: runs.history(c, WANTED, 20, None),
    "later history": lambda c: runs.history(c, WANTED, 20, (1000, "r5")),
    "last": lambda c: runs.last(c, WANTED, "lite-solo"),
    "open tables": lambda c: tables.open_tables(c, WANTED, 20),
    "run of a table": lambda c: runs.of_table(c, "t5"),
    "streak": lambda c: daily.streak(c, WANTED, "2026-01-05"),
    "may see": lambda c: daily.may_see(c, "2026-01-01", "lite-solo", "standard", WANTED),
    "same network": lambda c: daily.same_network(c, "2026-01-01", "lite-solo", "standard", [WANTED]),
    "uncounted": lambda c: figures.uncounted(c, WANTED, 20),
    "days played": lambda c: daily.days_played(c, WANTED, "2026-01-01"),
    "ranked records": lambda c: runs.ranked_page(c, "2026-01-05", (5, "r1"), 50),
    "board of results": lambda c: ratings.board(c, "farkle", 1, 20),
    "board of skill": lambda c: skills.board(c, "farkle", 20),
    "recent games": lambda c: ratings.recent(c, WANTED, "p00001", 20),
    "curve": lambda c: ratings.curve(c, WANTED, "farkle", 20),
    "between two": lambda c: ratings.between(c, WANTED, "p00001"),
    "newest of skill": lambda c: skills.newest(c, WANTED, "farkle", 20),
    "unseen": lambda c: skills.unseen(c, WANTED),
    "waiting": lambda c: skills.waiting(c, 20),
}
FEW_TO_SORT = (
    "boards",
    "open tables",
    "streak",
    "same network",
    "ranked records",
    "days played",
    "between two",
    "unseen",
)  # what an index has left


@pytest.mark.parametrize("name", READS)
def test_reads_go_through_an_index(crowded: Engine, name: str) -> None:
    for plan in plans(crowded, READS[name]):
        if crowded.dialect.name == "sqlite":
            for whole in ("runs USING INDEX ix_runs_finished_at_id", "meetings USING INDEX ix_meetings_ended_ms"):
                plan = plan.replace(f"SCAN {whole}", f"USING {whole}")  # which have nothing else
            plan = plan.replace("TEMP B-TREE FOR RIGHT PART", "")  # of what is equal
            assert "SCAN" not in plan, plan
            assert "TEMP B-TREE" not in plan or name in FEW_TO_SORT, plan
            assert "USING" in plan, plan
        else:
            assert "Seq Scan" not in plan, plan
            assert "Index" in plan, plan
            assert "Sort  (" not in plan.replace("Incremental Sort  (", "") or name in FEW_TO_SORT, plan


def test_a_rank_does_not_count_standings(crowded: Engine) -> None:
    rank = plans(crowded, lambda c: boards.standing(c, "farkle/standard", "all", False, WANTED))[-1]
    assert "tallies" in rank
    assert "standings" not in rank


@pytest.mark.parametrize("after", [None, BEFORE], ids=["first", "later"])
def test_a_page_follows_the_boards_own_index(crowded: Engine, after: boards.Cursor | None) -> None:
    page = plans(crowded, lambda c: boards.page(c, "farkle/standard", "all", False, 20, after))[0]
    assert "ix_standings_board_period_value_reached_at_player_id" in page
    if after and crowded.dialect.name == "sqlite":
        assert "(value,reached_at,player_id)>(?,?,?)" in page


def test_the_answers_on_a_crowded_board(crowded: Engine) -> None:
    with crowded.connect() as connection:
        assert boards.size(connection, "farkle/standard", "all") == PLAYERS
        assert boards.boards(connection, "farkle", 100) == [("farkle/standard", PLAYERS)]
        entries, cursor = boards.page(connection, "farkle/standard", "all", False, 100, None)
        assert [entry.score for entry in entries] == sorted((entry.score for entry in entries), reverse=True)
        assert cursor is not None
        for entry in entries[::9]:
            assert boards.standing(connection, "farkle/standard", "all", False, entry.player_id) == entry


def test_a_player_can_go_from_a_crowded_hall(crowded: Engine) -> None:
    with crowded.connect() as connection:
        runs.insert(connection, run(WANTED, id="daily", day="2026-01-01"))
        assert daily.streak(connection, WANTED, "2026-01-01") == (1, 1)
        players.delete(connection, WANTED)
        assert boards.size(connection, "farkle/standard", "all") == PLAYERS - 1
        connection.rollback()
