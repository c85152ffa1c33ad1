"""Every functional test runs on SQLite and on PostgreSQL, with real sockets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server.running import Clock, Server
from tests.store.postgres import new_database

NewUrl = Callable[[], str]
FEW = 0.05  # 6 requests at once, 10 messages, 1 account


@pytest.fixture(params=["sqlite", "postgresql"], scope="session")
def database(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def new_url(database: str, tmp_path_factory: pytest.TempPathFactory) -> NewUrl:
    """The URL of an empty database, another one with each call."""

    def make() -> str:
        if database == "postgresql":
            return new_database()
        return f"sqlite:///{tmp_path_factory.mktemp('hall')}/hall.sqlite"

    return make


@pytest.fixture(scope="session")
def server(new_url: NewUrl) -> Iterator[Server]:
    """One server for all tests that do not mind each other. Yesterday, 2026-11-14, is in its archive."""
    clock = Clock("2026-11-14 12:00")
    with Server(new_url(), clock) as server:
        server.stranger().get("/api/daily")
        clock.to("2026-11-15 12:00")
        yield server


@pytest.fixture
def own_server(new_url: NewUrl) -> Iterator[Server]:
    """A server with an empty database and its own clock, for tests that count everything there is."""
    with Server(new_url()) as server:
        yield server


@pytest.fixture
def strict_server(tmp_path: Path) -> Iterator[Server]:
    """A server that allows little at once."""
    with Server(f"sqlite:///{tmp_path}/hall.sqlite", limits=FEW) as server:
        yield server


@pytest.fixture(scope="session")
def sqlite_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """For tests that do not touch the store."""
    path: Path = tmp_path_factory.mktemp("hall")
    return f"sqlite:///{path}/hall.sqlite"
