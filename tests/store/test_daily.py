"""The daily: one secret for all, attempts counted, streaks kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, select

from dicehall import dice
from dicehall.store import daily, players, runs, tables
from dicehall.store.engine import migrate, open_engine
from dicehall.store.schema import attempts
from tests.soak import times
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


def test_a_daily_is_revealed_once(connection: Connection) -> None:
    for day in ("2026-01-01", "2026-01-02", "2026-01-03"):
        assert daily.ensure(connection, day, "farkle", "m", 5).revealed_at is None
    assert daily.reveal(connection, "2026-01-02", 100) == 1
    assert daily.reveal(connection, "2026-01-02", 101) == 0
    assert daily.reveal(connection, "2026-01-03", 102) == 1
    revealed = {one.day: one.revealed_at for one in daily.days(connection, "farkle", "m", None, 9)}
    assert revealed == {"2026-01-01": 100, "2026-01-02": 102, "2026-01-03": None}


def test_attempts_are_counted_for_each_player_and_daily(connection: Connection, ada: str) -> None:
    bea, _ = players.create(connection, 1)
    found = [daily.attempt(connection, "2026-01-01", "farkle", "m", ada, f"t{n}") for n in range(3)]
    assert found == [(1, True), (2, False), (3, False)]
    assert daily.attempt(connection, "2026-01-01", "farkle", "m", ada, "t1") == (2, False)
    assert daily.attempt(connection, "2026-01-01", "farkle", "m", ada, "t9") == (4, False)
    assert daily.attempt(connection, "2026-01-01", "farkle", "m", bea, "bea") == (1, True)
    assert daily.attempt(connection, "2026-01-02", "farkle", "m", ada, "t3") == (1, True)
    assert daily.attempt(connection, "2026-01-01", "farkle", "n", ada, "t4") == (1, True)
    assert daily.attempt(connection, "2026-01-01", "lite-solo", "m", ada, "t5") == (1, True)


def test_forgetting_a_table_does_not_give_the_attempt_back(connection: Connection, ada: str) -> None:
    tables.insert(connection, saved_table(ada, id="t0", day="2026-01-01"))
    assert daily.attempt(connection, "2026-01-01", "farkle", "m", ada, "t0").number == 1
    tables.forget(connection, "t0")
    assert daily.attempt(connection, "2026-01-01", "farkle", "m", ada, "t1").number == 2


def test_open_attempts_end_and_no_other_table(connection: Connection, ada: str) -> None:
    bea, _ = players.create(connection, 1)
    for who, table_id, day, over in (
        (ada, "open", "2026-01-01", False),
        (ada, "over", "2026-01-01", True),
        (ada, "other day", "2026-01-02", False),
        (bea, "bea", "2026-01-01", False),
    ):
        tables.insert(connection, saved_table(who, id=table_id, day=day, over=over))
        daily.attempt(connection, day, "farkle", "m", who, table_id)
    tables.insert(connection, saved_table(ada, id="no daily"))
    assert daily.end_open_attempts(connection, "2026-01-01", "farkle", "n", ada) == []
    assert daily.end_open_attempts(connection, "2026-01-01", "farkle", "m", ada) == ["open"]
    assert daily.end_open_attempts(connection, "2026-01-01", "farkle", "m", ada) == []
    assert tables.load(connection, "open") is None
    assert all(tables.load(connection, table_id) for table_id in ("over", "other day", "bea", "no daily"))


def test_who_has_finished_a_first_attempt_may_see(connection: Connection, ada: str) -> None:
    bea, _ = players.create(connection, 1)
    at = (connection, "2026-01-01", "farkle", "m")
    assert not daily.may_see(*at, ada)
    tables.insert(connection, saved_table(ada, id="t0", day="2026-01-01"))
    daily.attempt(*at, ada, "t0")
    assert not daily.may_see(*at, ada), "it is being played"
    tables.save(connection, "t0", 0, "d1", (), True, 9)
    assert daily.may_see(*at, ada)
    tables.insert(connection, saved_table(ada, id="t1", day="2026-01-01"))
    daily.attempt(*at, ada, "t1")
    assert daily.may_see(*at, ada), "a second attempt changes nothing"
    assert not daily.may_see(*at, bea)
    assert not daily.may_see(connection, "2026-01-02", "farkle", "m", ada)
    tables.insert(connection, saved_table(bea, id="t2", day="2026-01-01"))
    daily.attempt(*at, bea, "t2")
    tables.forget(connection, "t2")
    assert daily.may_see(*at, bea), "given up is over"


def test_a_network_sends_so_many_first_attempts(connection: Connection) -> None:
    at = (connection, "2026-01-01", "farkle", "m")
    crowd = [players.create(connection, 1)[0] for _ in range(daily.MOST_FROM_ONE_NETWORK + 2)]
    found = [daily.attempt(*at, guest, f"t{n}", "net") for n, guest in enumerate(crowd)]
    assert {attempt.number for attempt in found} == {1}
    assert [attempt.first for attempt in found] == [True] * 30 + [False] * 2
    assert daily.attempt(*at, crowd[-1], "t31", "net") == (1, False), "and it stays so"
    assert daily.attempt(*at, crowd[0], "again", "net") == (2, False)
    alone, unknown = (players.create(connection, 1)[0] for _ in range(2))
    assert daily.attempt(*at, alone, "alone", "other") == (1, True)
    assert daily.attempt(*at, unknown, "unknown") == (1, True)
    assert daily.attempt(connection, "2026-01-01", "farkle", "n", crowd[0], "n", "net") == (1, True)
    told = daily.same_network(*at, [crowd[0], crowd[-1], alone, unknown, "nobody"])
    assert told == {crowd[0]: 32, crowd[-1]: 32, alone: 1}
    assert daily.same_network(*at, []) == {}


def test_two_processes_make_one_daily_and_number_attempts(fresh_url: str) -> None:
    engines = [open_engine(fresh_url) for _ in range(2)]
    migrate(engines[0])
    with engines[0].begin() as connection:
        guest, _ = players.create(connection, 1)
    rounds = times(10, 100)

    def play(engine: Engine, name: str) -> list[str]:
        commitments = []
        for number in range(rounds):
            with engine.begin() as connection:
                commitments.append(daily.ensure(connection, f"day {number:03}", "farkle", "m", 1).commitment)
                daily.end_open_attempts(connection, "2026-01-01", "farkle", "m", guest)
                tables.insert(connection, saved_table(guest, id=f"{name}{number}", day="2026-01-01"))
                daily.attempt(connection, "2026-01-01", "farkle", "m", guest, f"{name}{number}")
        return commitments

    with ThreadPoolExecutor(4) as threads:
        playing = [threads.submit(play, engines[n % 2], f"{n}/") for n in range(4)]
        seen = [one.result() for one in playing]
    assert all(commitments == seen[0] for commitments in seen)
    with engines[0].connect() as connection:
        numbers = connection.scalars(select(attempts.c.number)).all()
        assert sorted(numbers) == list(range(1, 4 * rounds + 1))
        assert len(tables.open_tables(connection, guest)) == 1, "one open attempt at a time"
    for engine in engines:
        engine.dispose()


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


@settings(deadline=None)
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
