"""What the tests of whole games share: short games, and who sits there."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dicehall.play.record import from_json
from dicehall.play.replay import check
from dicehall.rules.catalog import GAMES
from tests.server.running import Json, Server

SHORT: dict[str, dict[str, Any]] = {"farkle": {"target": 1000}, "shut-the-box": {"rounds": 2}}
BOTS = {
    "lite-versus": ["you", "random"],
    "farkle": ["bank:300", "you", "random"],
    "shut-the-box": ["random", "you", "highest"],
    "knucklebones": ["random", "you"],
}
TOGETHER = {game: ["you", "you"] for game in BOTS}
every_game = pytest.mark.parametrize("game", GAMES)


def options(game: str, **more: Any) -> Json:
    return {**SHORT.get(game, {}), **more}


def finish(server: Server, game: str, seed: int = 1, **asked: Any) -> Json:
    """Play to the end, and see on the way that the steps are one unbroken story."""
    guest = server.guest()
    table_id = guest.open(game, **asked)
    secret = server.saved(table_id).secret
    with guest.sit(table_id) as tab:
        commitment = tab.shown["commitment"]
        tab.play_on(Random(seed))
        shown = tab.shown
        assert tab.steps == server.saved(table_id).steps.split(" ")
        assert shown["count"] == len(tab.steps)
        if secret is not None:
            assert not any(secret in text for text in guest.heard)
        run = guest.run(tab)
    record = from_json(run["record"])
    assert list(record.steps) == tab.steps
    assert shown["view"]["result"] == run["record"]["result"]
    assert run["score"] == run["record"]["result"]["scores"][record.seats.index("you")]
    assert record.origin.commitment == commitment
    assert check(record).ok
    assert guest.get("/api/tables") == []
    assert guest.get(f"/api/tables/{table_id}")["over"]
    assert guest.get("/api/runs")["runs"] == [{**run, "nickname": None, "people": []}], "they are one's own"
    return run
