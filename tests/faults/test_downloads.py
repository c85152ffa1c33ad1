"""Downloads that are cut off, or not read: they hold nothing that others need."""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from dicehall.server import downloads
from dicehall.store import players, runs
from dicehall.store.engine import default_url, migrate, open_engine
from tests.faults.hall import Server
from tests.patience import PATIENCE
from tests.store.postgres import new_database
from tests.store.rows import run

RUNS = 4000
EXPORT = b"GET /api/export/ranked.jsonl HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.fixture(params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """A hall with more ranked runs than fit between it and a client."""
    data = tmp_path / "hall"
    url = new_database() if request.param == "postgresql" else default_url(data)
    engine = open_engine(url)
    migrate(engine)
    with engine.begin() as connection:
        player_id, _ = players.create(connection, 1)
        for n in range(RUNS):
            runs.insert(connection, run(player_id, id=f"r{n}", record={"pad": "x" * 5000}))
    engine.dispose()
    with Server(data, "--database", url) as server:
        yield server


def begin(server: Server) -> socket.socket:
    link = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
    link.sendall(EXPORT)
    return link


def status(link: socket.socket) -> int:
    return int(link.recv(12).split(b" ")[1])


def test_cut_off_downloads_hold_no_connection(server: Server) -> None:
    cookie = server.fresh_cookie()
    for _ in range(20):
        with begin(server) as link:
            assert status(link) in (200, 503)
    for _ in range(5):
        assert server.ask("GET", "/api/lobby", None, cookie)[0] == 200
    until_there_is_room(server)
    assert server.stop(signal.SIGTERM) == 0
    assert "Traceback" not in server.told()


def test_downloads_that_nobody_reads_hold_no_connection(server: Server) -> None:
    cookie = server.fresh_cookie()
    with ExitStack() as links:
        stalled = [links.enter_context(begin(server)) for _ in range(20)]
        answers = [status(link) for link in stalled]
        assert answers.count(200) == downloads.MOST_EACH, "so many of one network at a time"
        assert answers.count(503) == 20 - downloads.MOST_EACH
        for _ in range(5):
            assert server.ask("GET", "/api/lobby", None, cookie)[0] == 200
            assert server.ask("GET", "/api/health/ready")[0] == 200
        began = time.monotonic()
        assert server.stop(signal.SIGTERM) == 0
        assert time.monotonic() - began < 10  # it takes two; a busy machine more
    assert "Traceback" not in server.told()


def test_whoever_reads_gets_all_of_it(server: Server) -> None:
    with begin(server) as link, link.makefile("rb") as answer:
        assert answer.readline().split()[1] == b"200"
        lines = 0
        while size := int(next(line for line in answer if line.strip() and b":" not in line), 16):
            lines += answer.read(size).count(b"\n")
    assert lines == RUNS


def until_there_is_room(server: Server) -> None:
    for _ in range(100):
        with begin(server) as link:
            if status(link) == 200:
                return
        time.sleep(0.1)
    raise AssertionError("a download that was cut off still counts")
