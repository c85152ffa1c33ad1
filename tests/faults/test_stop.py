"""Stopping is quick and loses nothing; what stands in the way of starting is said in one line."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from tests.faults.hall import Gone, Replica, Server, Socket
from tests.patience import PATIENCE
from tests.processes import call

RESTARTING = 1012  # the close code of a server that goes away


def dicehall(*arguments: str) -> subprocess.CompletedProcess[str]:
    return call("dicehall", *arguments)


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_within_two_seconds(tmp_path: Path, by: signal.Signals) -> None:
    data = tmp_path / "hall"
    with Server(data) as server, ExitStack() as links:
        cookie = server.fresh_cookie()
        status, table, _ = server.ask("POST", "/api/tables", {"game": "farkle", "options": {"target": 100_000}}, cookie)
        assert status == 201
        path = f"/ws/tables/{table['id']}"
        for _ in range(5):
            links.enter_context(Socket(server.port, path, cookie)).hello()
        links.enter_context(Socket(server.port, path, cookie))  # no hello yet
        replica = Replica("farkle", {"target": 100_000}, ("you",))
        closed: list[int | None] = []

        def play() -> None:
            random = Random("stop")
            with Socket(server.port, path, cookie) as link:
                replica.follow(link.hello()["news"])
                try:
                    while True:
                        time.sleep(0.02)  # as fast as the limits allow without being refused
                        move = {"type": "move", "seen": len(replica.steps), "move": replica.choose(random)}
                        shown = link.ask(move)
                        assert shown["type"] == "table", shown
                        replica.follow(shown["news"])
                except Gone as gone:
                    closed.append(gone.code)

        playing = threading.Thread(target=play)
        playing.start()
        while len(replica.steps) < 20:
            time.sleep(0.01)
        started = time.monotonic()
        code = server.stop(by)
        seconds = time.monotonic() - started
        playing.join(PATIENCE)
        assert code == 0, server.told()
        assert seconds < 2
        assert closed == [RESTARTING]
        assert "Traceback" not in server.told()
    with Server(data) as server, Socket(server.port, path, cookie) as link:
        shown = link.hello()
        assert tuple(shown["news"][: len(replica.steps)]) == replica.steps
        replica.follow(shown["news"][len(replica.steps) :])
        assert replica.is_whole()


def test_half_a_request_does_not_keep_it(tmp_path: Path) -> None:
    """It has a second to become whole; then the server leaves, without a trace of it in the log."""
    with Server(tmp_path / "hall") as server:
        cookie = server.fresh_cookie()
        with socket.create_connection(("127.0.0.1", server.port)) as half:
            half.sendall(
                f"POST /api/tables HTTP/1.1\r\nhost: x\r\ncookie: {cookie}\r\ncontent-length: 100\r\n\r\n{{".encode()
            )
            time.sleep(0.3)
            started = time.monotonic()
            assert server.stop(signal.SIGTERM) == 0, server.told()
            assert time.monotonic() - started < 5  # a second for the request, and then room for a busy machine
        assert "Traceback" not in server.told()


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_while_it_starts(tmp_path: Path, by: signal.Signals) -> None:
    with Server(tmp_path / "hall") as server:  # it has said where it listens, and nothing more
        assert server.stop(by) == 0, server.told()
        assert "Traceback" not in server.told()


def said_in_one_line(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert done.stderr.startswith("dicehall: ")
    assert done.stderr.count("\n") == 1
    assert len(done.stderr) < 500
    for word in words:
        assert word in done.stderr


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said_in_one_line(dicehall("--port", port, "--data", str(tmp_path)), "cannot listen", port)


@pytest.mark.parametrize("port", ["-1", "65536", "http", "8000.5", "9" * 50])
def test_no_port(tmp_path: Path, port: str) -> None:
    said_in_one_line(dicehall(f"--port={port}", "--data", str(tmp_path)), "port")


def test_an_address_of_somebody_else(tmp_path: Path) -> None:
    done = dicehall("--host", "192.0.2.1", "--port", "0", "--data", str(tmp_path))
    said_in_one_line(done, "cannot listen", "192.0.2.1")


def test_a_name_that_is_no_address(tmp_path: Path) -> None:
    done = dicehall("--host", "no.such.host.invalid", "--port", "0", "--data", str(tmp_path))
    said_in_one_line(done, "cannot listen", "no.such.host.invalid")


@pytest.mark.parametrize("name", ["https://dice.example", "", "[dice", "dice.example/hall"])
def test_a_name_that_is_no_host(tmp_path: Path, name: str) -> None:
    said_in_one_line(dicehall("--port", "0", "--data", str(tmp_path), "--allow-host", name), "no name of a host")


def test_a_data_folder_that_cannot_be(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    for folder in (file, file / "below"):
        said_in_one_line(dicehall("--port", "0", "--data", str(folder)), str(folder))


def test_a_data_folder_of_somebody_else(tmp_path: Path) -> None:
    """Of the system itself where the tests are run by root, who may write everywhere else."""
    folder = Path("/sys") if os.geteuid() == 0 else tmp_path
    tmp_path.chmod(0o500)
    try:
        said_in_one_line(dicehall("--port", "0", "--data", str(folder)), str(folder))
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("name", ["cookie.key", "hall.sqlite"])
def test_a_folder_where_a_file_should_be(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    said_in_one_line(dicehall("--port", "0", "--data", str(tmp_path)), name)


def test_a_key_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "cookie.key").write_bytes(b"short")
    said_in_one_line(dicehall("--port", "0", "--data", str(tmp_path)), "cookie.key")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nonsense",
        "mysql://127.0.0.1/hall",
        "sqlite:///:memory:",
        "sqlite:////no/such/folder/hall.sqlite",
        "postgresql://127.0.0.1:1/hall",
        "postgresql://127.0.0.1:port/hall",
        "postgresql://hall:secret-word@127.0.0.1:1/hall",
    ],
)
def test_a_bad_database(tmp_path: Path, url: str) -> None:
    done = dicehall("--port", "0", "--data", str(tmp_path), "--database", url)
    said_in_one_line(done)
    assert "secret-word" not in done.stderr


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "hall.sqlite").write_bytes(b"this is no database. " * 100)
    said_in_one_line(dicehall("--port", "0", "--data", str(tmp_path)), "not a database")


def test_a_database_of_a_later_version(tmp_path: Path) -> None:
    with Server(tmp_path / "hall") as server:
        server.ask("GET", "/api/health")
    store = sqlite3.connect(tmp_path / "hall" / "hall.sqlite")
    store.execute("UPDATE alembic_version SET version_num = 'later'")
    store.commit()
    store.close()
    said_in_one_line(dicehall("--port", "0", "--data", str(tmp_path / "hall")), "version")
