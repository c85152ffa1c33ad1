"""Opening a database, what is refused, and migrations."""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import asdict, replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import IntegrityError

from dicehall.errors import InvalidOption, InvalidText
from dicehall.store import daily, players, rooms, runs, schema, skills, tables
from dicehall.store import engine as engines
from dicehall.store.engine import (
    check_version,
    data_folder,
    default_url,
    existing_url,
    migrate,
    open_engine,
    reader,
)
from dicehall.store.rooms import SavedRoom
from dicehall.store.runs import Played
from dicehall.store.schema import json_text, metadata
from tests.store.postgres import free_port
from tests.store.rows import run, saved_table


def test_an_empty_database_gets_its_tables(fresh_url: str) -> None:
    engine = open_engine(fresh_url)
    migrate(engine)
    migrate(engine)  # which has nothing left to do
    assert set(inspect(engine).get_table_names()) == {*metadata.tables, "alembic_version"}
    engine.dispose()


def test_metadata_and_migrations_agree(engine: Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    found = inspect(engine)
    for table in metadata.sorted_tables:  # what the comparison leaves out
        assert found.get_pk_constraint(table.name)["constrained_columns"] == list(table.primary_key.columns.keys())
        rules = [key["options"].get("ondelete") for key in found.get_foreign_keys(table.name)]
        assert rules == [key.ondelete for key in table.foreign_keys]


def test_a_hall_of_the_first_version_keeps_what_it_has(fresh_url: str) -> None:
    engine = open_engine(fresh_url)
    migrate(engine, "0001")
    player_id = "p1"
    several = ("level:1", "you", "random", "you")  # at one device
    own, shared = saved_table(player_id), saved_table(player_id, id="t2", seats=several, over=True)
    shared = replace(shared, people=(None, player_id, None, player_id))
    finished = run(player_id, day="2026-01-01"), run(player_id, id="r2", record={"seats": several, "odd": "\0"})
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO players (id, nickname, created_at) VALUES ('p1', '', 1)"))
        for table in (own, shared):
            _insert_first(connection, "tables", {**asdict(table), "player_id": player_id}, *LATER)
        for one in finished:
            _insert_first(connection, "runs", {**asdict(one), "player_id": player_id, "score": 80}, "people")
    migrate(engine)
    with engine.begin() as connection:
        assert [tables.load(connection, one.id) for one in (own, shared)] == [own, shared]
        assert runs.get(connection, "r1") == finished[0]
        record = {"seats": list(several), "odd": "\0"}
        assert runs.get(connection, "r2") == replace(finished[1], record=record, people=(Played(player_id, 1, 80),))
        assert [one.id for one in runs.history(connection, player_id, 5, None)] == ["r2", "r1"]
        assert tables.count_open(connection, player_id) == 1
        assert daily.streak(connection, player_id, "2026-01-01") == (1, 1)
        with pytest.raises(IntegrityError):
            runs.insert(connection, run(player_id, id="r3", table_id="table of r1"))
    engine.dispose()


LATER = ("people", "version", "room_id", "contributions", "departures", "times")


def _insert_first(connection: Connection, name: str, values: dict[str, Any], *later: str) -> None:
    """A row of `name` as the first version had it: without the columns that came `later`."""
    row = {key: value for key, value in values.items() if key not in later}
    kept = {key: json_text(value) if isinstance(value, dict | list | tuple) else value for key, value in row.items()}
    if name == "tables":
        kept["own_seed"] = json_text(row["own_seed"])
    marks = ", ".join(f":{key}" for key in kept)
    connection.execute(text(f"INSERT INTO {name} ({', '.join(kept)}) VALUES ({marks})"), kept)


def test_of_earlier_games_it_is_known_whether_they_could_be_watched(fresh_url: str) -> None:
    engine = open_engine(fresh_url)
    migrate(engine, "0006")
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO players (id, nickname, created_at) VALUES ('p1', '', 1)"))
        for name in ("open", "private", "forgotten"):
            if name != "forgotten":
                room = SavedRoom(name, None, "closed", {"rated": True, "watched": name == "open"}, {}, None, 1, 1, ())
                rooms.enter(connection, room)
            tables.insert(connection, saved_table("p1", id=name, over=True, room_id=name))
            runs.insert(connection, run("p1", id=name, table_id=name))
            columns = "player_id, run_id, other_id, game, halves, ended_ms"
            values = {"name": name}
            connection.execute(
                text(f"INSERT INTO meetings ({columns}) VALUES ('p1', :name, 'p2', 'farkle', 2, 1)"), values
            )
    migrate(engine)
    with engine.begin() as connection:
        kept = {row.run_id: row.watched for row in connection.execute(schema.meetings.select())}
        assert kept == {"open": True, "private": False, "forgotten": False}
        assert [one.run_id for one in skills.waiting(connection, 5)] == list(kept), "and the coach has them before it"
    engine.dispose()


def test_the_earliest_of_players_who_look_alike_has_the_look(fresh_url: str) -> None:
    engine = open_engine(fresh_url)
    migrate(engine, "0002")
    rows = [("p1", "Ada", 5), ("p2", "ADA", 4), ("p3", "4da", 4), ("p4", "", 1), ("p5", "Bea\u200b", 2), ("p6", "", 2)]
    with engine.begin() as connection:
        for row in rows:
            values = dict(zip(("id", "nickname", "at"), row, strict=True))
            connection.execute(
                text("INSERT INTO players (id, nickname, created_at) VALUES (:id, :nickname, :at)"), values
            )
    migrate(engine)
    with engine.begin() as connection:
        found = {row.id: (row.nickname, row.look) for row in connection.execute(schema.players.select())}
        assert {player_id: nickname for player_id, (nickname, _) in found.items()} == {row[0]: row[1] for row in rows}
        looks = {player_id: look for player_id, (_, look) in found.items()}
        assert looks == {"p1": None, "p2": "ada", "p3": None, "p4": None, "p5": "bea", "p6": None}
        with pytest.raises(InvalidText):
            players.rename(connection, "p1", "Ada")
        assert players.rename(connection, "p2", "Ada") == "Ada"
    engine.dispose()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "hall.sqlite"
    files = [file, tmp_path / "hall.sqlite-wal", tmp_path / "hall.sqlite-shm"]
    url = f"sqlite:///{file}"
    before = os.umask(0o022)
    try:
        engine = open_engine(url)
        migrate(engine)
        with engine.connect():
            assert [mode(one) for one in files] == [0o600] * 3
            for one in files:
                one.chmod(0o644)  # as an earlier version left them, and is still running
            other = open_engine(url)
            assert [mode(one) for one in files] == [0o600] * 3
            other.dispose()
        engine.dispose()
        tmp_path.chmod(0o755)
        with pytest.raises(InvalidOption):
            open_engine(f"sqlite:///{tmp_path}")
        assert mode(tmp_path) == 0o755, "a folder is no file"
    finally:
        os.umask(before)


def test_a_hall_that_never_was_is_not_made(tmp_path: Path, fresh_url: str) -> None:
    for data, database in ((tmp_path / "no", None), (None, f"sqlite:///{tmp_path}/no/hall.sqlite")):
        with pytest.raises(InvalidOption, match="there is no hall here"):
            existing_url(data, database)
    assert not (tmp_path / "no").exists()
    engine = open_engine(fresh_url)
    for version in (None, "0002"):
        if version is not None:
            migrate(engine, version)
        with pytest.raises(InvalidOption) as caught:
            check_version(engine)
        assert caught.value.code == "database-version"
    migrate(engine)
    check_version(engine)
    engine.dispose()
    assert existing_url(None, fresh_url).endswith(fresh_url.rpartition("://")[2])


def test_text_is_ordered_by_bytes(engine: Engine) -> None:
    if engine.dialect.name == "postgresql":
        query = (
            "SELECT DISTINCT collation_name FROM information_schema.columns WHERE data_type = 'text' AND table_name IN "
        )
        names = ", ".join(f"'{name}'" for name in metadata.tables)
        with engine.connect() as connection:
            assert connection.execute(text(f"{query} ({names})")).scalars().all() == ["C"]


def test_migrating_says_nothing(fresh_url: str, capfd: pytest.CaptureFixture[str]) -> None:
    engine = open_engine(fresh_url)
    capfd.readouterr()
    migrate(engine)
    engine.dispose()
    assert capfd.readouterr() == ("", "")


def test_a_database_of_a_later_version_is_refused_and_left_alone(fresh_url: str) -> None:
    engine = open_engine(fresh_url)
    migrate(engine)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(InvalidOption, match="9999") as caught:
        migrate(engine)
    assert caught.value.code == "database-version"
    engine.dispose()


def test_what_is_committed_is_there_when_opened_again(fresh_url: str) -> None:
    engine = open_engine(fresh_url)
    migrate(engine)
    with engine.begin() as connection:
        player_id, token = players.create(connection, 5)
    engine.dispose()
    engine = open_engine(fresh_url)
    migrate(engine)
    with reader(engine).connect() as connection:
        player = players.authenticate(connection, player_id, token)
    engine.dispose()
    assert player is not None
    assert player.created_at == 5


def test_sqlite_is_durable_and_keeps_its_promises(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path}/hall.sqlite")
    with engine.connect() as connection:
        pragmas = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    engine.dispose()
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10_000}


def test_readers_do_not_wait_for_a_writer(fresh_url: str) -> None:
    engine = open_engine(fresh_url)
    migrate(engine)
    with engine.begin() as writing:
        players.create(writing, 1)
        with reader(engine).connect() as reading:
            assert reading.execute(text("SELECT count(*) FROM players")).scalar_one() == 0
    with reader(engine).connect() as reading:
        assert reading.execute(text("SELECT count(*) FROM players")).scalar_one() == 1
    engine.dispose()


def test_writers_wait_for_each_other(tmp_path: Path) -> None:
    """Reading first and writing later loses nothing, even from several threads at once."""
    engine = open_engine(f"sqlite:///{tmp_path}/hall.sqlite")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE counter (n INTEGER)"))
        connection.execute(text("INSERT INTO counter VALUES (0)"))

    def count() -> None:
        for _ in range(10):
            with engine.begin() as connection:
                n = connection.execute(text("SELECT n FROM counter")).scalar_one()
                connection.execute(text("UPDATE counter SET n = :n"), {"n": n + 1})

    threads = [Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with engine.connect() as connection:
        assert connection.execute(text("SELECT n FROM counter")).scalar_one() == 40
    engine.dispose()


def test_plain_postgresql_means_psycopg(fresh_url: str, database: str) -> None:
    engine = open_engine(fresh_url)
    assert engine.url.drivername == ("sqlite" if database == "sqlite" else "postgresql+psycopg")
    engine.dispose()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hall.sqlite",
        "://",
        "mysql://root@localhost/hall",
        "postgresql+asyncpg://localhost/hall",
        "oracle:thin",
        "postgresql://localhost:port/hall",
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
    ],
)
def test_a_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        open_engine(url)
    assert caught.value.code == "database"


def test_a_password_is_never_shown() -> None:
    for url in ("mysql://me:hush@localhost/hall", f"postgresql://me:hush@127.0.0.1:{free_port()}/hall"):
        with pytest.raises(InvalidOption) as caught:
            open_engine(url)
        assert "hush" not in str(caught.value)


def test_a_server_that_does_not_answer_is_named() -> None:
    port = free_port()
    with pytest.raises(InvalidOption, match=f"127.0.0.1:{port}/hall: ") as caught:
        open_engine(f"postgresql://me@127.0.0.1:{port}/hall")
    assert caught.value.code == "database"


def test_files_that_cannot_be_a_database_are_refused(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear reader, this is not a database at all. " * 50)
    for path in (tmp_path, tmp_path / "letter", tmp_path / "letter" / "below", tmp_path / "missing" / "hall.sqlite"):
        with pytest.raises(InvalidOption, match="cannot open sqlite"):
            open_engine(f"sqlite:///{path}")


def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "hall.sqlite"
    open_engine(f"sqlite:///{file}").dispose()
    with pytest.raises(InvalidOption, match="readonly"):
        open_engine(f"sqlite:///file:{file}?mode=ro&uri=true")


def test_the_data_folder_is_where_the_caller_says(tmp_path: Path) -> None:
    assert default_url(tmp_path) == f"sqlite:///{tmp_path}/hall.sqlite"
    for name in ("plain", "a b%c", "%25", "why?x=1#y", "ä@:8"):
        folder = tmp_path / name / "hall"
        url = default_url(folder)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        open_engine(url).dispose()
        assert (folder / "hall.sqlite").exists()


def test_the_data_folder_is_found_in_the_usual_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("DICEHALL_DATA", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert data_folder() == tmp_path / "home" / ".local" / "share" / "dicehall"
    monkeypatch.setenv("XDG_DATA_HOME", "not/absolute")
    assert data_folder() == tmp_path / "home" / ".local" / "share" / "dicehall"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "shared"))
    assert data_folder() == tmp_path / "shared" / "dicehall"
    monkeypatch.setenv("DICEHALL_DATA", "~/games")
    assert data_folder() == tmp_path / "home" / "games"
    assert default_url() == f"sqlite:///{tmp_path}/home/games/{engines.FILE}"


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(InvalidOption) as caught:
            default_url(folder)
        assert caught.value.code == "data-folder"


def test_postgresql_without_its_driver_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(InvalidOption, match=r"^PostgreSQL needs psycopg: pip install 'dicehall\[postgres\]'$"):
        open_engine("postgresql://hall@localhost/hall")
