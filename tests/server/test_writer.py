"""Who writes: the event loop while that is quick, the writer's thread otherwise; and nobody waits for a lock."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.event import listen
from sqlalchemy.exc import OperationalError

from dicehall.errors import InvalidOption
from dicehall.server import hall as halls
from dicehall.server import writer
from dicehall.server.finish import save_table
from dicehall.server.live import LiveTable
from dicehall.server.wire import Close
from dicehall.store import beats, players, tables
from dicehall.store.engine import is_local, migrate, open_engine
from dicehall.store.quick import Quick
from dicehall.store.quick import commit as quick_commit
from tests.server.conftest import NewUrl
from tests.server.running import Server, Tab, run_apart
from tests.store.rows import saved_table

WRITER = "dicehall-writer"


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the threads that have saved steps, in order."""
    save, names = tables.write_steps, []

    def note(connection: Connection, played: Sequence[tables.Steps], now: int) -> int:
        names.append(threading.current_thread().name)
        return save(connection, played, now)

    monkeypatch.setattr(tables, "write_steps", note)
    return names


@contextmanager
def long_game(server: Server, moves: int) -> Iterator[Tab]:
    """So many moves of a game that lasts, and then its tab."""
    guest = server.guest()
    asked = {"seats": ["you", "you"], "kind": "practice", "options": {"target": 1_000_000}}
    with guest.sit(guest.open("farkle", **asked)) as tab:
        tab.play_on(Random(1), moves)
        yield tab


def test_quick_writes_are_done_on_the_spot(
    own_server: Server, threads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "QUICK", 10.0)
    with long_game(own_server, 20) as tab:
        assert len(threads) == 20
        own = {name != WRITER for name in threads}
        assert own == {is_local(own_server.app.state.hall.engine)}, "never over a network"
        monkeypatch.setattr(writer, "QUICK", 0.0)
        tab.play_on(Random(2), 5)
        assert threads[20:] == [WRITER] * 5


def test_a_slow_disk_is_left_to_the_thread(
    own_server: Server, threads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As soon as it had to wait, the loop leaves it to the thread, until that has been quick for long."""
    monkeypatch.setattr(writer, "QUICK", 0.02)
    monkeypatch.setattr(writer, "SLOW", 1.0)
    with long_game(own_server, 100) as tab:
        if is_local(own_server.app.state.hall.engine):
            assert threads[0] == WRITER, "how quick it is has to be seen first"
            assert threads[-1] != WRITER
        noting: Any = tables.write_steps

        def slow(connection: Connection, played: Sequence[tables.Steps], now: int) -> int:
            time.sleep(0.5)
            return int(noting(connection, played, now))

        monkeypatch.setattr(tables, "write_steps", slow)
        tab.play_on(Random(3), 1)
        monkeypatch.setattr(tables, "write_steps", noting)
        del threads[:]
        tab.play_on(Random(4), 5)
        assert threads == [WRITER] * 5


def test_a_lock_of_somebody_else_holds_only_the_move_up(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "QUICK", 10.0)
    with long_game(own_server, 5) as tab:
        engine, before = own_server.app.state.hall.engine, tab.count
        table_id = tab.shown["id"]
        with engine.connect() as somebody:
            somebody.begin()
            saved = own_server.saved(table_id)
            tables.save(somebody, table_id, saved.version, saved.steps, (), False, 5)  # on both: the row is locked
            tab.send(type="move", seen=before, move=tab.moves[0])
            for _ in range(5):
                assert own_server.stranger().get("/api/health")["ok"], "nobody else waits"
            with suppress(TimeoutError):
                assert json.loads(tab.connection.recv(0.2))["type"] == "waiting", "on a busy machine"
            somebody.rollback()
        assert tab.table()["count"] > before
        assert own_server.saved(table_id).steps.split(" ")[before] == tab.steps[before]


def test_many_tables_at_once_and_one_that_is_gone(own_server: Server) -> None:
    """Their moves are one statement; the one whose table has been taken away is refused, the others are kept."""
    guest = own_server.guest()
    opened = [guest.open("lite-solo") for _ in range(8)]
    with ExitStack() as stack:
        tabs = [stack.enter_context(guest.sit(table_id)) for table_id in opened]
        with own_server.app.state.hall.engine.begin() as connection:
            tables.forget(connection, opened[3])  # behind the hall's back
        for tab in tabs:
            tab.send(type="move", seen=1, move="b2")
        for n, tab in enumerate(tabs):
            if n == 3:
                assert tab.refusal() == "not-kept"
                assert tab.closed() == Close.NO_TABLE
            else:
                assert tab.table()["count"] == 3
                assert own_server.saved(opened[n]).steps.split(" ")[1] == "b2"


def test_a_save_that_failed_spoils_no_other(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one cannot be written for a moment. Whoever moves right after it is not refused for it."""
    guest, save = own_server.guest(), tables._save_steps
    with ExitStack() as stack:
        tabs = [stack.enter_context(guest.sit(guest.open("lite-solo"))) for _ in range(6)]
        wrong = Quick(text("UPDATE no_such_table SET steps = 1"))  # type: ignore[arg-type]
        monkeypatch.setattr(tables, "_save_steps", lambda count: wrong)
        tabs[0].send(type="move", seen=1, move="b2")
        assert tabs[0].refusal() == "not-kept"
        monkeypatch.setattr(tables, "_save_steps", save)
        for tab in tabs[1:]:
            assert tab.move("b2")["count"] == 3


def test_a_connection_on_which_something_failed_is_not_used_again(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is wrong may be wrong with it alone, and for good."""
    save = tables.write_steps
    failed: list[object] = []
    used: list[object] = []
    broken = True  # until the refusal is heard: what comes together is tried together first, and then each by itself

    def fail(connection: Connection, played: Sequence[tables.Steps], now: int) -> int:
        (failed if broken else used).append(connection.connection.dbapi_connection)
        if broken:
            raise OperationalError("UPDATE", {}, Exception("not here"))
        return save(connection, played, now)

    monkeypatch.setattr(writer, "QUICK", 0.0)
    with long_game(own_server, 2) as tab:
        monkeypatch.setattr(tables, "write_steps", fail)
        tab.send(type="move", seen=tab.count, move=tab.moves[0])
        assert tab.refusal() == "not-kept"
        broken = False
        tab.table()
        tab.play_on(Random(2), 10)
    assert len(used) == 10
    assert failed
    assert not any(one is other for one in used for other in failed)


def test_a_run_whose_commit_was_not_heard_of_is_entered_once(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer to a commit can be lost. Then all of it is written once more, and nothing happens twice."""

    def twice(connection: Connection, **what: Any) -> None:
        save_table(connection, **what)
        save_table(connection, **what)

    monkeypatch.setattr(halls, "save_table", twice)
    guest = own_server.guest()
    for kind, place in (("ranked", "boards/lite-solo"), ("daily", "daily/2026-11-15/lite-solo/board")):
        run = guest.play("lite-solo", kind=kind)
        mine = guest.get(f"/api/{place}")["me"]
        assert (mine["run"], mine["score"], mine["runs"]) == (run["id"], run["score"], 1)
    assert len(guest.get("/api/runs")["runs"]) == 2


def test_what_came_last_is_written_before_the_hall_closes(new_url: NewUrl) -> None:
    engine = open_engine(new_url())
    migrate(engine)

    async def write_and_close() -> None:
        last = writer.Writer(engine)
        last.submit(partial(beats.beat, name="last", now=5))
        last.close()

    run_apart(write_and_close())
    with engine.connect() as connection:
        assert beats.last(connection, "last") == 5
    engine.dispose()


@pytest.mark.parametrize("quick", [10.0, 0.0], ids=["on-the-spot", "by-the-thread"])
def test_moves_and_other_writes_of_a_moment_are_one_transaction(
    new_url: NewUrl, monkeypatch: pytest.MonkeyPatch, quick: float
) -> None:
    """What is wrong with one of them is told to that one alone, and the others are kept."""
    monkeypatch.setattr(writer, "QUICK", quick)
    monkeypatch.setattr(writer, "SLOW", quick / 2)  # how quick it is need not be seen first
    engine = open_engine(new_url())
    migrate(engine)
    with engine.begin() as connection:
        ada = players.create(connection, 1)[0]
        for name in ("good", "overtaken", "alone"):
            tables.insert(connection, saved_table(ada, id=name, steps="d1"))
        tables.save(connection, "overtaken", 0, "d1 elsewhere", (), False, 2)
    commits: list[int] = []

    def count_commit(connection: Connection) -> None:
        commits.append(1)
        quick_commit(connection)

    monkeypatch.setattr(tables, "commit", count_commit)  # of moves alone,
    listen(engine, "commit", lambda connection: commits.append(1))  # and of anything else
    told: dict[str, Exception | None] = {}

    def tell(name: str, _: object, error: Exception | None) -> None:
        told[name] = error

    def fail(connection: Connection) -> None:
        raise InvalidOption("wrong", "not like this")

    async def write(moves: tuple[str, ...], jobs: dict[str, Callable[[Connection], None]]) -> None:
        one = writer.Writer(engine)
        for name in moves:
            version = own_versions[name]
            one.save_steps(tables.Steps(name, version, f"d1 {version}"), 5, partial(tell, name))
        for name, job in jobs.items():
            one.run(job, partial(tell, name))
        while len(told) < len(moves) + len(jobs):
            await asyncio.sleep(0.01)
        one.close()

    own_versions = {"good": 0, "overtaken": 0, "alone": 0}
    beat = partial(beats.beat, name="with-moves", now=5)
    run_apart(write(("good", "alone"), {"job": beat}))
    assert told == {"good": None, "alone": None, "job": None}
    assert commits == [1]
    told.clear()
    own_versions = {"good": 1, "overtaken": 0, "alone": 1}
    run_apart(write(("good", "overtaken", "alone"), {"job": partial(beat, now=6), "wrong": fail}))
    assert [name for name, error in told.items() if error is None] == ["good", "alone", "job"]
    assert (type(told["overtaken"]), getattr(told["wrong"], "code", "")) == (tables.Overtaken, "wrong")
    with engine.connect() as connection:
        assert beats.last(connection, "with-moves") == 6
        for name, steps in (("good", "d1 1"), ("alone", "d1 1"), ("overtaken", "d1 elsewhere")):
            found = tables.load(connection, name)
            assert found is not None
            assert found.steps == steps
    engine.dispose()


@pytest.mark.parametrize("quick", [10.0, 0.0], ids=["on-the-spot", "by-the-thread"])
def test_whoever_cannot_bear_an_answer_keeps_nobody_from_theirs(
    new_url: NewUrl, monkeypatch: pytest.MonkeyPatch, quick: float, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(writer, "QUICK", quick)
    monkeypatch.setattr(writer, "SLOW", quick / 2)
    engine = open_engine(new_url())
    migrate(engine)

    def break_down(result: object, error: Exception | None) -> None:
        raise ZeroDivisionError("not this one")

    async def write() -> None:
        both = writer.Writer(engine)
        both.run(partial(beats.beat, name="first", now=1), break_down)
        await asyncio.wait_for(both.submit(partial(beats.beat, name="second", now=2)), 10)
        both.close()

    run_apart(write())
    assert "could not be told" in caplog.text
    with engine.connect() as connection:
        assert (beats.last(connection, "first"), beats.last(connection, "second")) == (1, 2)
    engine.dispose()


def test_a_table_that_cannot_be_drawn_comes_back_from_the_store(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = own_server.guest()
    with guest.sit(guest.open("lite-solo")) as tab:
        draw, times = LiveTable.draw, []

        def fail_once(live: LiveTable) -> None:
            times.append(live)
            if len(times) == 1:
                raise ZeroDivisionError("not now")
            draw(live)

        monkeypatch.setattr(LiveTable, "draw", fail_once)
        assert tab.move("b2")["count"] == 3
        assert tab.move("b3")["count"] == 5
    assert len(times) == 3
    assert times[0] is not times[1]
