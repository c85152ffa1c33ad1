"""The daily: one secret for all, attempts counted, streaks kept."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine

from dicehall import dice
from dicehall.store import daily, players, runs, tables
from tests.store.rows import run, saved_table

TODAY = date(2026, 3, 1)


@pytest.fixture
def ada(connection: Connection) -> str:
    return players.create(connection, 1)[0]


def test_a_daily_is_made_once(connection: Connection) -> None:
    assert daily.find(connection, "2026-01-01", "farkle", "m") is None
    made = daily.ensure(connection, "2026-01-01", "farkle", "m", 5)
    assert made.commitment == dice.commitment(made.secret)
    assert (made.day, made.game, made.mode, made.committed_at) == ("2026-01-01", "farkle", "m", 5)
    assert daily.ensure(connection, "2026-01-01", "farkle", "m", 6) == made
    assert daily.find(connection, "2026-01-01", "farkle", "m") == made
    others = [("2026-01-02", "farkle", "m"), ("2026-01-01", "lite-solo", "m"), ("2026-01-01", "farkle", "n")]
    secrets = {daily.ensure(connection, *other, 5).secret for other in others}
    assert len(secrets | {made.secret}) == 4


def test_days_come_newest_first(connection: Connection) -> None:
    for day in (28, 3, 17, 9):
        daily.ensure(connection, f"2026-02-{day:02}", "farkle", "m", 5)
    daily.ensure(connection, "2026-02-10", "farkle", "n", 5)
    daily.ensure(connection, "2026-02-11", "lite-solo", "m", 5)

    def days(before: str | None, limit: int) -> list[int]:
        return [int(one.day[-2:]) for one in daily.days(connection, "farkle", "m", before, limit)]

    assert days(None, 10) == [28, 17, 9, 3]
    assert days(None, 2) == [28, 17]
    assert days("2026-02-17", 10) == [9, 3]
    assert days("2026-02-03", 10) == []


def test_attempts_are_counted_for_each_player_and_daily(connection: Connection, ada: str) -> None:
    bea, _ = players.create(connection, 1)
    assert [daily.attempt(connection, "2026-01-01", "farkle", "m", ada, f"t{n}") for n in range(3)] == [1, 2, 3]
    assert daily.attempt(connection, "2026-01-01", "farkle", "m", ada, "t1") == 2
    assert daily.attempt(connection, "2026-01-01", "farkle", "m", ada, "t9") == 4
    assert daily.attempt(connection, "2026-01-01", "farkle", "m", bea, "bea") == 1
    assert daily.attempt(connection, "2026-01-02", "farkle", "m", ada, "t3") == 1
    assert daily.attempt(connection, "2026-01-01", "farkle", "n", ada, "t4") == 1
    assert daily.attempt(connection, "2026-01-01", "lite-solo", "m", ada, "t5") == 1


def test_forgetting_a_table_does_not_give_the_attempt_back(connection: Connection, ada: str) -> None:
    tables.insert(connection, saved_table(ada, id="t0", day="2026-01-01"))
    assert daily.attempt(connection, "2026-01-01", "farkle", "m", ada, "t0") == 1
    tables.forget(connection, "t0")
    assert daily.attempt(connection, "2026-01-01", "farkle", "m", ada, "t1") == 2


@pytest.mark.parametrize(
    ("days_ago", "streak"),
    [
        ([], (0, 0)),
        ([0], (1, 1)),
        ([1], (1, 1)),
        ([2], (0, 1)),
        ([0, 1, 2], (3, 3)),
        ([1, 2, 3], (3, 3)),
        ([0, 2, 3, 4], (1, 3)),
        ([0, 1, 3, 4], (2, 2)),
        ([5, 6, 7, 20, 21], (0, 3)),
        ([0, 0, 1, 1], (2, 2)),
        ([*range(62)], (62, 62)),  # over the ends of months and of a year
    ],
)
def test_streaks(connection: Connection, ada: str, days_ago: list[int], streak: tuple[int, int]) -> None:
    bea, _ = players.create(connection, 1)
    for number, ago in enumerate(days_ago):
        day = (TODAY - timedelta(days=ago)).isoformat()
        runs.insert(connection, run(ada, id=f"r{number}", day=day, ranked=number % 2 == 0))
    runs.insert(connection, run(ada, id="no daily"))
    runs.insert(connection, run(bea, id="bea", day=(TODAY - timedelta(days=1)).isoformat()))
    assert daily.streak(connection, ada, TODAY.isoformat()) == streak


@given(st.sets(st.integers(0, 12)))
def test_streaks_as_one_would_count_them(engine: Engine, days_ago: set[int]) -> None:
    with engine.connect() as connection:
        ada, _ = players.create(connection, 1)
        for ago in days_ago:
            runs.insert(connection, run(ada, id=f"r{ago}", day=(TODAY - timedelta(days=ago)).isoformat()))
        found = daily.streak(connection, ada, TODAY.isoformat())
        connection.rollback()

    def length(ago: int) -> int:
        return 1 + length(ago + 1) if ago in days_ago else 0

    assert found == (length(0) or length(1), max(map(length, range(13))))
