"""Every functional test runs with real sockets, on SQLite or on PostgreSQL: which of them goes by its name. Under
`make soak`, and where a test is asked for by name, it runs on both; the store's own tests always do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from zlib import crc32

import pytest

from dicehall.server import access, crew
from tests.patience import PATIENCE
from tests.processes import FORKS
from tests.server.running import Clock, Server
from tests.soak import HURRYING, SOAKING
from tests.store.postgres import new_database

NewUrl = Callable[[], str]
DATABASES = ["sqlite", "postgresql"]
FEW = 0.05  # 6 requests at once, 10 messages, 1 account


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if SOAKING or HURRYING or any("::" in argument for argument in config.args):
        return
    rarer = [item for item in items if isinstance(item, pytest.Function) and _runs_on_the_other(item)]
    config.hook.pytest_deselected(items=rarer)
    items[:] = [item for item in items if item not in rarer]


def _runs_on_the_other(item: pytest.Function) -> bool:
    chosen = item.callspec.params.get("database") if hasattr(item, "callspec") else None
    if chosen is None or Path(__file__).parent not in item.path.parents:
        return False
    name = item.nodeid.replace(str(chosen), "")
    return DATABASES[crc32(name.encode()) % len(DATABASES)] != chosen


@pytest.fixture(autouse=True)
def patient_with_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine's disk takes its time; how a hall bears a store that hangs is tested with tests of its own."""
    monkeypatch.setattr(access, "READ_SECONDS", PATIENCE)
    monkeypatch.setattr(access, "HANGING", PATIENCE)


@pytest.fixture(autouse=True, scope="session")
def crews_that_begin_at_once() -> Iterator[None]:
    """The hall's own processes are forked, too, instead of beginning from nothing; `make soak` has them as they are."""
    with pytest.MonkeyPatch.context() as patches:
        if not SOAKING:
            patches.setattr(crew, "_SPAWN", FORKS)
        yield


@pytest.fixture(params=DATABASES, scope="session")
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
