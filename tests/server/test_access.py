"""The store from the event loop: what becomes of a question whose asker has gone."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlalchemy import Connection

from dicehall.errors import InvalidOption
from dicehall.server.access import Access
from dicehall.store.engine import open_engine
from tests.server.running import run_apart


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
