"""What the hall does by itself goes on, whatever goes wrong once."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from dicehall.server import app, keepers
from dicehall.store import audit
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


def test_a_ban_while_the_first_look_fails_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever it is about may have come in before: nobody knows what the hall remembers of them."""
    monkeypatch.setattr(keepers, "PAUSE", 0.0)
    monkeypatch.setattr(keepers, "LOOK_EVERY", 0.0)
    looks = iter((OSError("away for a moment"), 1, 1))
    dropped: list[str] = []
    rooms_dropped: list[str] = []
    reviewed: list[str] = []

    async def read(job: Any) -> Any:
        if job is not audit.newest:
            return [SimpleNamespace(id=1, target="Ada")]
        found = next(looks, asyncio.CancelledError())  # enough has been seen
        if isinstance(found, BaseException):
            raise found
        return found

    async def review(target: str) -> None:
        reviewed.append(target)

    hall, guard = SimpleNamespace(read=read, drop=dropped.append), SimpleNamespace(review=review)
    rooms = SimpleNamespace(drop=rooms_dropped.append)
    with pytest.raises(asyncio.CancelledError):
        run_apart(keepers.follow_audit(cast(Any, hall), cast(Any, guard), cast(Any, rooms)))
    assert dropped == reviewed == rooms_dropped == ["Ada"]


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
