"""What the hall does by itself goes on, whatever goes wrong once."""

from __future__ import annotations

import asyncio

import pytest

from dicehall.server import app, keepers
from tests.server.running import Server, run_apart


def test_a_chore_begins_again_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keepers, "PAUSE", 0.0)
    tries: list[int] = []

    async def chore() -> None:
        tries.append(1)
        if len(tries) < 3:
            raise OSError("once more")

    run_apart(keepers.keep_on(chore))
    assert len(tries) == 3


def test_a_chore_that_does_not_hear_of_the_end_holds_up_no_stop(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one does, before Python 3.12, that is answered in the moment in which it is cancelled."""
    deaf: list[bool] = []

    async def stubborn() -> None:
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                if deaf:
                    raise
                deaf.append(True)

    monkeypatch.setattr(app, "collect_garbage", stubborn)
    with Server(sqlite_url) as server:
        server.stranger().get("/api/health")
    assert deaf
