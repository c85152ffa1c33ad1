"""What the hall does by itself goes on, whatever goes wrong once."""

from __future__ import annotations

import pytest

from dicehall.server import keepers
from tests.server.running import run_apart


def test_a_chore_begins_again_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keepers, "PAUSE", 0.0)
    tries: list[int] = []

    async def chore() -> None:
        tries.append(1)
        if len(tries) < 3:
            raise OSError("once more")

    run_apart(keepers.keep_on(chore))
    assert len(tries) == 3
