"""Every test of the store runs on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine

from dicehall.store.engine import migrate, open_engine
from tests.store.postgres import new_database


@pytest.fixture(params=["sqlite", "postgresql"], scope="session")
def database(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def fresh_url(database: str, tmp_path: Path) -> str:
    """An empty database, just for this test."""
    return f"sqlite:///{tmp_path}/hall.sqlite" if database == "sqlite" else new_database()


@pytest.fixture(scope="session")
def engine(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A database with its tables and, between tests, nothing in them."""
    folder = tmp_path_factory.mktemp("store")
    engine = open_engine(f"sqlite:///{folder}/hall.sqlite" if database == "sqlite" else new_database())
    migrate(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def connection(engine: Engine) -> Iterator[Connection]:
    """A transaction that is taken back."""
    with engine.connect() as connection:
        yield connection
        connection.rollback()
