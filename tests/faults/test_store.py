"""A store that hangs, or has no room: whoever plays is told, nobody else waits, nothing is lost, and it comes back."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random

import psycopg
import pytest

from dicehall.server.wire import PROTOCOL
from tests.faults.hall import Gone, Replica, Server, Socket
from tests.patience import PATIENCE
from tests.store.postgres import new_database


@contextmanager
def frozen_postgresql(url: str) -> Iterator[None]:
    """Every process that serves this database stands still, and the one that starts them, as on a machine that has
    stopped."""
    with psycopg.connect(url, autocommit=True) as connection:
        rows = connection.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()").fetchall()
        pids = [pid for (pid,) in rows if pid != connection.info.backend_pid]
        status = Path(f"/proc/{connection.info.backend_pid}/status").read_text()
        pids.append(int(status.partition("PPid:")[2].split()[0]))
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


@contextmanager
def locked_sqlite(data: Path) -> Iterator[None]:
    """Somebody else writes, and does not come to an end."""
    somebody = sqlite3.connect(data / "hall.sqlite", isolation_level=None)
    somebody.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        somebody.execute("ROLLBACK")
        somebody.close()


def sit_down(server: Server) -> tuple[str, str]:
    cookie = server.fresh_cookie()
    table = server.ask("POST", "/api/tables", {"game": "farkle", "options": {"target": 100_000}}, cookie)[1]
    return cookie, table["id"]


def until(wanted: Callable[[], bool]) -> None:
    for _ in range(int(10 * PATIENCE)):
        if wanted():
            return
        time.sleep(0.1)
    raise AssertionError("it did not come back")


def is_ready(server: Server) -> bool:
    return server.ask("GET", "/api/health/ready")[0] == 200


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_while_the_store_hangs_everybody_is_told(tmp_path: Path, database: str) -> None:
    data = tmp_path / "hall"
    url = new_database() if database == "postgresql" else None
    with Server(data, *(() if url is None else ("--database", url))) as server:
        cookie, table = sit_down(server)
        replica, random = Replica("farkle", {"target": 100_000}, ("you",)), Random("hang")
        with Socket(server.port, f"/ws/tables/{table}", cookie) as link:
            replica.follow(link.hello()["news"])
            assert is_ready(server)
            with locked_sqlite(data) if url is None else frozen_postgresql(url):
                seen = len(replica.steps)
                link.send({"type": "move", "seen": seen, "move": replica.choose(random)})
                assert link.hear() == {"type": "waiting", "seen": seen}
                with Socket(server.port, "/ws/tables/new", cookie) as newcomer:
                    newcomer.send({"type": "hello", "protocol": PROTOCOL})
                    newcomer.send({"type": "open", "game": "lite-solo"})
                    assert newcomer.hear()["type"] in ("waiting", "error"), "it takes longer, or is refused at once"
                assert server.ask("GET", "/api/health")[0] == 200, "the process is alive"
                until(lambda: not is_ready(server))
                status, checks, _ = server.ask("GET", "/api/health/ready")
                assert (status, checks["ok"], bool(checks["checks"]["database"])) == (503, False, True)
                until(lambda: server.ask("POST", "/api/tables", {"game": "farkle"}, cookie)[0] == 503)
                refused = server.ask("POST", "/api/tables", {"game": "farkle"}, cookie)[1]
                assert refused["code"] == "busy"
            shown = link.receive()
            while shown["type"] != "table":  # where patience was shorter than the trouble, it was not kept
                assert shown["code"] == "not-kept", shown
                shown = link.receive()
            assert shown["count"] >= seen
            until(lambda: is_ready(server))
            assert server.ask("POST", "/api/tables", {"game": "farkle"}, cookie)[0] == 201
        with Socket(server.port, f"/ws/tables/{table}", cookie) as link:
            assert tuple(link.hello()["news"])[:seen] == replica.steps[:seen]


def test_a_frozen_database_stops_neither_answers_nor_the_end(tmp_path: Path) -> None:
    """Those who only look are refused in time, however many they are, and SIGTERM ends it all the same."""
    url = new_database()
    with Server(tmp_path / "hall", "--database", url) as server, ThreadPoolExecutor(40) as threads:
        cookie, _ = sit_down(server)
        assert server.ask("GET", "/api/runs", None, cookie)[0] == 200
        with frozen_postgresql(url):
            looks = [threads.submit(server.ask, "GET", "/api/runs", None, cookie) for _ in range(40)]
            for status, told, _ in [look.result() for look in looks]:
                assert (status, told["code"]) == (503, "busy"), told
            assert server.ask("GET", "/api/health")[0] == 200
            assert server.ask("GET", "/api/games")[0] == 200
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(20) == 0


def test_a_full_disk_loses_no_move_that_was_shown(tmp_path: Path) -> None:
    """No file may grow any more: what cannot be kept is told, what was shown stays, and when there is room again, play
    goes on by itself."""
    data = tmp_path / "hall"
    with Server(data) as server:
        cookie, table = sit_down(server)
        replica, random = Replica("farkle", {"target": 100_000}, ("you",)), Random("full")
        refusals = 0
        with Socket(server.port, f"/ws/tables/{table}", cookie) as link:
            replica.follow(link.hello()["news"])
            for number in range(60):
                if number in (10, 40):  # full, and mended
                    size = (data / "hall.sqlite-wal").stat().st_size if number == 10 else resource.RLIM_INFINITY
                    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
                link.send({"type": "move", "seen": len(replica.steps), "move": replica.choose(random)})
                shown = link.receive()
                while shown["type"] != "table":
                    if shown["type"] == "error":
                        assert shown["code"] == "not-kept", shown
                        refusals += 1
                    shown = link.receive()
                assert shown["count"] == len(replica.steps) + len(shown["news"])
                replica.follow(shown["news"])
        assert refusals > 0, "it was never full"
        with Socket(server.port, f"/ws/tables/{table}", cookie) as link:
            assert tuple(link.hello()["news"]) == replica.steps
        server.kill()
    with Server(data) as server, Socket(server.port, f"/ws/tables/{table}", cookie) as link:
        assert tuple(link.hello()["news"]) == replica.steps


def test_a_database_that_restarts_is_found_again(tmp_path: Path) -> None:
    """All its connections are cut, in the middle of play."""
    url = new_database()
    with Server(tmp_path / "hall", "--database", url) as server, psycopg.connect(url, autocommit=True) as operator:
        cookie, table = sit_down(server)
        replica, random = Replica("farkle", {"target": 100_000}, ("you",)), Random("cut")
        with Socket(server.port, f"/ws/tables/{table}", cookie) as link:
            replica.follow(link.hello()["news"])
            for number in range(30):
                if number % 5 == 4:
                    cut_connections(operator)
                link.send({"type": "move", "seen": len(replica.steps), "move": replica.choose(random)})
                shown = link.receive()
                while shown["type"] != "table":
                    assert shown.get("code", "not-kept") == "not-kept", shown
                    shown = link.receive()
                replica.follow(shown["news"])
        status, told, _ = server.ask("GET", "/api/runs", None, cookie)
        assert status == 200, told
        try:
            with Socket(server.port, f"/ws/tables/{table}", cookie) as link:
                assert tuple(link.hello()["news"]) == replica.steps
        except Gone as gone:
            raise AssertionError(server.told()) from gone


def cut_connections(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """Of everybody else."""
    connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )


def test_a_database_that_was_read_only_comes_back(tmp_path: Path) -> None:
    """Sessions that began meanwhile stay so for ever: they are not used again."""
    url = new_database()
    name = url.rpartition("/")[2]
    with Server(tmp_path / "hall", "--database", url) as server, psycopg.connect(url, autocommit=True) as operator:
        cookie, _ = sit_down(server)
        operator.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
        cut_connections(operator)
        until(lambda: server.ask("POST", "/api/tables", {"game": "farkle"}, cookie)[0] >= 500)
        until(lambda: not is_ready(server))
        operator.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only".encode())
        until(lambda: is_ready(server))
        until(lambda: server.ask("POST", "/api/tables", {"game": "farkle"}, cookie)[0] == 201)
