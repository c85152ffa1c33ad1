"""Tables between moves."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from dicehall.errors import InvalidText
from dicehall.store import players, runs, tables
from dicehall.store.quick import Quick
from dicehall.store.tables import Overtaken, Steps, UnknownTable
from tests.store.rows import run, saved_table


@pytest.fixture
def ada(connection: Connection) -> str:
    return players.create(connection, 1)[0]


def test_a_table_comes_back_as_it_was(connection: Connection, ada: str) -> None:
    for table in (
        saved_table(ada),
        saved_table(ada, id="t2", secret=None, own_seed="", options={}, seats=("you",), unranked=("undo", "archive")),
        saved_table(ada, id="t3", own_seed="\0\n'\"ä🎲", seats=("Åsa", "🎲"), day="2026-01-01", over=True),
        saved_table(ada, id="t4", created_at=2**40, updated_at=2**40),
    ):
        tables.insert(connection, table)
        assert tables.load(connection, table.id) == table


def test_steps_are_saved_as_they_happen(connection: Connection, ada: str) -> None:
    table = saved_table(ada)
    tables.insert(connection, table)
    tables.insert(connection, saved_table(ada, id="other"))
    assert tables.save(connection, table.id, 0, "d53 k5", ("undo",), False, 105)
    once = replace(table, steps="d53 k5", unranked=("undo",), updated_at=105, version=1)
    assert tables.load(connection, table.id) == once
    assert tables.save(connection, table.id, 1, "d53 k5 bank", ("undo",), True, 106)
    over = tables.load(connection, table.id)
    assert over == replace(once, steps="d53 k5 bank", over=True, updated_at=106, version=2)
    assert tables.load(connection, "other") == saved_table(ada, id="other")


def test_a_save_names_the_version_it_follows(connection: Connection, ada: str) -> None:
    """Whoever has read an earlier one writes nothing; to save the same once more is no harm, and is told apart."""
    tables.insert(connection, saved_table(ada))
    assert tables.save(connection, "t1", 0, "d53 k5", (), False, 105)
    assert not tables.save(connection, "t1", 0, "d53 k5", (), False, 106)
    for version, steps in ((0, "d53 k1"), (2, "d53 k5 bank"), (2, "d53 k5"), (-1, "d53 k5")):
        with pytest.raises(Overtaken):
            tables.save(connection, "t1", version, steps, (), False, 107)
    found = tables.load(connection, "t1")
    assert found == saved_table(ada, steps="d53 k5", updated_at=105, version=1)


def test_of_moves_saved_together_only_those_overtaken_are_lost(engine: Engine) -> None:
    with engine.begin() as connection:
        ada = players.create(connection, 1)[0]
        for name in ("f0", "f1", "f2"):
            tables.insert(connection, saved_table(ada, id=name, steps="d1"))
        tables.save(connection, "f1", 0, "d1 elsewhere", (), False, 200)
    played = [Steps(name, 0, "d1 here") for name in ("f0", "f1", "f2")]
    for _ in range(2):  # again, as after a commit whose answer was lost
        with engine.connect() as connection, pytest.raises(Overtaken):
            tables.save_steps(connection, played, 300)
        with engine.connect() as connection:
            found = [tables.load(connection, one.table_id) for one in played]
        assert [(one.steps, one.version) for one in found if one] == [
            ("d1 here", 1),
            ("d1 elsewhere", 1),
            ("d1 here", 1),
        ]
    with engine.connect() as connection:
        tables.save_steps(connection, [played[0], played[2]], 300)
    with engine.begin() as connection:
        players.delete(connection, ada)


def test_the_moves_of_a_moment_are_saved_together(engine: Engine) -> None:
    with engine.begin() as connection:
        ada = players.create(connection, 1)[0]
        for number in range(250):
            tables.insert(connection, saved_table(ada, id=f"m{number}", steps="d1"))
    for version, count in enumerate((200, 2, 1)):
        with engine.connect() as connection:
            played = [Steps(f"m{number}", version, f"d1 {count}") for number in range(count)]
            tables.save_steps(connection, played, 300 + count)
        with engine.connect() as connection:  # it is durable without anything else
            found = [tables.load(connection, f"m{number}") for number in range(250)]
        steps = [table.steps for table in found if table]
        assert steps[:count] == [f"d1 {count}"] * count
        assert f"d1 {count}" not in steps[count:]
        assert {table.updated_at for table in found[:count] if table} == {300 + count}
    with engine.connect() as connection, pytest.raises(UnknownTable):
        tables.save_steps(connection, [Steps("m0", 3, "d2"), Steps("gone", 0, "d2"), Steps("m1", 2, "d2")], 400)
    with engine.begin() as connection:
        assert [getattr(tables.load(connection, name), "steps", None) for name in ("m0", "m1")] == ["d2", "d2"]
        with pytest.raises(UnknownTable):
            tables.save(connection, "gone", 0, "d2", (), False, 400)
        assert tables.count_open(connection, ada) == 250
        players.delete(connection, ada)


def test_a_save_that_failed_leaves_nothing_open(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever uses the connection next starts anew."""
    with engine.begin() as connection:
        ada = players.create(connection, 1)[0]
        tables.insert(connection, saved_table(ada, steps="d1"))
    save, wrong = tables._save_steps, Quick(text("UPDATE no_such_table SET steps = 1"))  # type: ignore[arg-type]
    with engine.connect() as connection:
        monkeypatch.setattr(tables, "_save_steps", lambda count: wrong)
        with pytest.raises(DBAPIError):
            tables.save_steps(connection, [Steps("t1", 0, "d1 a")], 200)
        monkeypatch.setattr(tables, "_save_steps", save)
        tables.save_steps(connection, [Steps("t1", 0, "d1 b")], 201)
    with engine.begin() as connection:
        assert tables.load(connection, "t1") == saved_table(ada, steps="d1 b", updated_at=201, version=1)
        players.delete(connection, ada)


def test_open_tables_are_the_latest_first(connection: Connection, ada: str) -> None:
    bea, _ = players.create(connection, 1)
    for number in range(6):
        tables.insert(connection, saved_table(ada, id=f"t{number}", updated_at=100 + number // 2, over=number == 3))
    tables.insert(connection, saved_table(bea, id="bea"))
    assert [table.id for table in tables.open_tables(connection, ada)] == ["t5", "t4", "t2", "t1", "t0"]
    assert [table.id for table in tables.open_tables(connection, ada, 2)] == ["t5", "t4"]
    tables.save(connection, "t0", 0, "", (), False, 200)
    assert tables.open_tables(connection, ada, 1) == [saved_table(ada, id="t0", updated_at=200, version=1)]
    assert tables.open_tables(connection, "nobody") == []


def test_a_forgotten_table_is_gone_and_its_run_stays(connection: Connection, ada: str) -> None:
    tables.insert(connection, saved_table(ada))
    runs.insert(connection, run(ada))
    tables.forget(connection, "t1")
    assert tables.load(connection, "t1") is None
    assert runs.get(connection, "r1") == run(ada)
    tables.forget(connection, "t1")
    tables.insert(connection, saved_table(ada, id="over", over=True))
    tables.forget(connection, "over")
    assert tables.load(connection, "over") is not None, "what is finished is not given up"


def test_a_table_belongs_to_somebody(connection: Connection) -> None:
    with pytest.raises(IntegrityError):
        tables.insert(connection, saved_table("nobody"))


@pytest.mark.parametrize("text", ["\0", "a\0b", "\ud800"])
def test_text_that_no_database_keeps_is_refused_by_both(connection: Connection, text: str) -> None:
    with pytest.raises(InvalidText) as caught:
        tables.load(connection, text)
    assert caught.value.code == "text"
