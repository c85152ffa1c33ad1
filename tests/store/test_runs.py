"""Finished runs: history, bests, and records that can be proved."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select, update

from dicehall import dice
from dicehall.play.record import from_json
from dicehall.play.replay import check, prove
from dicehall.store import daily, players, runs, schema
from dicehall.store.runs import Run
from tests.store.rows import SECRET, finished_record, run


@pytest.fixture
def ada(connection: Connection) -> str:
    return players.create(connection, 1)[0]


def test_a_run_comes_back_as_it_was(connection: Connection, ada: str) -> None:
    for one in (
        run(ada),
        run(ada, id="r2", ranked=False, lower_is_better=True, score=-3, day="2026-01-01", breakdown=[1, "a"]),
        run(ada, id="r3", record=finished_record(SECRET, "\0 own").to_json(), finished_at=2**40),
    ):
        runs.insert(connection, one)
        assert runs.get(connection, one.id) == one
    assert runs.get(connection, "r4") is None


def test_history_is_read_in_pages_newest_first(connection: Connection, ada: str) -> None:
    bea, _ = players.create(connection, 1)
    for number in range(25):
        runs.insert(connection, run(ada, id=f"r{number:02}", finished_at=100 + number // 4))
    runs.insert(connection, run(bea, id="bea", finished_at=103))
    everything = runs.history(connection, ada, 100, None)
    assert [one.id for one in everything] == [f"r{number:02}" for number in reversed(range(25))]
    for limit in (1, 3, 4, 7, 25):
        pages: list[Run] = []
        cursor: tuple[int, str] | None = None
        while page := runs.history(connection, ada, limit, cursor):
            assert len(page) <= limit
            pages += page
            cursor = page[-1].finished_at, page[-1].id
        assert pages == everything
    assert runs.history(connection, "nobody", 5, None) == []


def test_a_new_run_does_not_shift_the_pages_after_the_cursor(connection: Connection, ada: str) -> None:
    for number in range(4):
        runs.insert(connection, run(ada, id=f"r{number}", finished_at=number))
    first = runs.history(connection, ada, 2, None)
    runs.insert(connection, run(ada, id="r9", finished_at=9))
    second = runs.history(connection, ada, 2, (first[-1].finished_at, first[-1].id))
    assert [one.id for one in first + second] == ["r3", "r2", "r1", "r0"]


def test_the_best_run_follows_the_direction(connection: Connection, ada: str) -> None:
    """Of those that are ranked, and at no daily: dice that one knows make no personal best. Of equals, the earliest."""
    bea, _ = players.create(connection, 1)
    for number, score in enumerate((50, 70, 70, 60, 60)):
        for lower in (False, True):
            mode = "low" if lower else "high"
            one = run(
                ada,
                -score if lower else score,
                id=f"{mode} {number}",
                mode=mode,
                lower_is_better=lower,
                ranked=number != 1,
                day="2026-01-01" if number == 2 else None,
            )
            runs.insert(connection, replace(one, finished_at=number))
    runs.insert(connection, run(bea, 99, id="bea", mode="high"))
    for mode in ("high", "low"):
        best = runs.best(connection, ada, "lite-solo", mode)
        assert best is not None
        assert best.id == f"{mode} 3"
    assert runs.best(connection, ada, "lite-solo", "other") is None
    assert runs.best(connection, ada, "farkle", "high") is None


def test_the_last_run_of_a_game(connection: Connection, ada: str) -> None:
    runs.insert(connection, run(ada, id="r1", finished_at=3))
    runs.insert(connection, run(ada, id="r2", finished_at=5, mode="other"))
    runs.insert(connection, run(ada, id="r3", finished_at=9, game="farkle"))
    last = runs.last(connection, ada, "lite-solo")
    assert last is not None
    assert last.id == "r2"
    assert runs.last(connection, ada, "knucklebones") is None


def test_ranked_records_come_in_pages_oldest_first(connection: Connection, ada: str) -> None:
    rows = [  # more than are fetched at once
        asdict(run(ada, id=f"r{n:04}", finished_at=5000 - n, ranked=n % 3 != 0, record={"number": n}))
        for n in range(1200)
    ]
    connection.execute(insert(schema.runs), rows)
    found: list[int] = []
    after = None
    while page := runs.ranked_page(connection, "2026-01-02", after, 100):
        after = page[-1][0]
        found += [json.loads(record)["number"] for _, record in page]
    assert found == [number for number in reversed(range(1200)) if number % 3 != 0]


def test_ranked_records_of_a_day_that_is_not_over_stay_out(connection: Connection, ada: str) -> None:
    for n, day in enumerate((None, "2026-01-01", "2026-01-02", "2026-01-03")):
        runs.insert(connection, run(ada, id=f"r{n}", finished_at=n, day=day, record={"number": n}))

    def told(today: str) -> list[int]:
        return [json.loads(record)["number"] for _, record in runs.ranked_page(connection, today, None, 100)]

    assert told("2026-01-01") == [0]
    assert told("2026-01-02") == [0, 1]
    assert told("2026-01-04") == [0, 1, 2, 3]


def test_a_revealed_daily_is_in_its_own_records(connection: Connection, ada: str) -> None:
    of_daily: dict[str, Any] = {"day": "2026-01-01", "mode": "m"}
    for day, mode in (("2026-01-01", "m"), ("2026-01-01", "n"), ("2026-01-02", "m")):
        daily.ensure(connection, day, "lite-solo", mode, 5)
    secret = {"secret": SECRET, "commitment": dice.commitment(SECRET)}
    connection.execute(update(schema.dailies).where(schema.dailies.c.mode == "m").values(secret))
    hidden, elsewhere = (finished_record(one, "own").to_json() for one in (SECRET, dice.fresh_secret()))
    assert "secret" not in hidden["dice"]
    for number in range(3):
        runs.insert(connection, run(ada, id=f"r{number}", record=hidden, **of_daily))
    runs.insert(connection, run(ada, id="other secret", record=elsewhere, **of_daily))
    runs.insert(connection, run(ada, id="other day", record=hidden, day="2026-01-02", mode="m"))
    runs.insert(connection, run(ada, id="other mode", record=hidden, day="2026-01-01", mode="n"))
    stored = connection.execute(select(schema.runs).order_by(schema.runs.c.id)).all()

    def told() -> dict[str, dict[str, Any]]:
        """By every way that a record can be read."""
        listed = {one.id: one.record for one in runs.history(connection, ada, 100, None)}
        assert listed == {one.id: one.record for one in runs.page_of(connection, ada, None, 100)}
        assert listed == {one["id"]: one["record"] for one in players.export_runs(connection, ada, None, 100)}
        found = {name: runs.get(connection, name) for name in listed}
        assert listed == {name: one.record for name, one in found.items() if one is not None}
        last = runs.last(connection, ada, "lite-solo")
        assert last is not None
        assert last.record == listed[last.id]
        ordered = sorted(listed)  # they were finished at the same time
        exported = [json.loads(record) for _, record in runs.ranked_page(connection, "2026-01-05", None, 100)]
        assert exported == [listed[name] for name in ordered]
        return listed

    assert all("secret" not in record["dice"] for record in told().values())
    assert daily.reveal(connection, "2026-01-02", 9) == 2
    records = told()
    for number in range(3):
        record = from_json(records[f"r{number}"])
        assert record.origin.secret == SECRET
        assert records[f"r{number}"]["check"] == record.check()
        assert check(str(record)).ok
        assert prove(record) > 0
    assert (records["other secret"], records["other day"], records["other mode"]) == (elsewhere, hidden, hidden)
    assert connection.execute(select(schema.runs).order_by(schema.runs.c.id)).all() == stored, "nothing is rewritten"


def test_a_record_that_has_its_secret_stays_as_it_is(connection: Connection, ada: str) -> None:
    daily.ensure(connection, "2026-01-01", "lite-solo", "m", 5)
    connection.execute(update(schema.dailies).values(secret=SECRET, commitment=dice.commitment(SECRET)))
    hidden = finished_record(SECRET, "own")
    proved = replace(hidden, origin=replace(hidden.origin, secret=SECRET)).to_json()
    runs.insert(connection, run(ada, record=proved, day="2026-01-01", mode="m"))
    daily.reveal(connection, "2026-01-02", 9)
    found = runs.get(connection, "r1")
    assert found is not None
    assert found.record == proved


def test_a_late_run_is_nobodys(connection: Connection, ada: str) -> None:
    hidden = finished_record(SECRET, "own").to_json()
    late = runs.late(run(ada, record=hidden, day="2026-01-01", mode="m"), SECRET, dice.commitment(SECRET))
    assert (late.ranked, late.day) == (False, None)
    assert prove(from_json(late.record)) > 0
