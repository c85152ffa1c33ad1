"""The store from the event loop: what becomes of a question whose asker has gone."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import pytest
from sqlalchemy import Connection

from dicehall.errors import InvalidOption
from dicehall.server.access import Access
from dicehall.store.engine import open_engine
from tests.server.running import run_apart
from tests.store.postgres import new_database


@pytest.mark.parametrize("kind", ["read", "write"])
def test_a_refusal_that_nobody_waits_for_is_no_fault(tmp_path: Path, kind: str) -> None:
    faults: list[Any] = []

    async def leave_early() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
        access = Access(open_engine(f"sqlite:///{tmp_path / 'hall.sqlite'}"))
        going, gone = Event(), Event()

        def refuse(connection: Connection) -> None:
            going.set()
            gone.wait()
            raise InvalidOption("tables", "too many tables are open")

        ask: Callable[..., Any] = getattr(access, kind)
        asked = asyncio.create_task(ask(refuse))
        await asyncio.to_thread(going.wait)
        asked.cancel()
        await asyncio.wait([asked])
        gone.set()
        await asyncio.to_thread(access.close)
        await asyncio.sleep(0)

    run_apart(leave_early())
    gc.collect()
    assert faults == []


def test_a_hall_that_closes_lets_a_read_end_and_keeps_no_connection() -> None:
    engine = open_engine(new_database())
    drivers: list[Any] = []

    async def close_while_reading() -> None:
        access = Access(engine)
        going = Event()

        def dawdle(connection: Connection) -> None:
            drivers.append(connection.connection.driver_connection)
            going.set()
            sleep(0.2)

        asked = asyncio.create_task(access.read(dawdle))
        await asyncio.to_thread(going.wait)
        asked.cancel()
        await asyncio.wait([asked])
        access.close()

    run_apart(close_while_reading())
    assert [driver.closed for driver in drivers] == [True]
