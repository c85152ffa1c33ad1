"""Rows for tests, with everything that does not matter filled in."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from dicehall import dice
from dicehall.bots.player import play_on, player
from dicehall.play.record import Record
from dicehall.play.table import Table
from dicehall.rules.catalog import find_game
from dicehall.store.runs import Played, Run
from dicehall.store.tables import SavedTable

SECRET = "5ec7e7" + "0" * 58
TABLE = SavedTable(
    id="t1",
    people=("p1", None),
    game="farkle",
    rules=1,
    options={"target": 2000, "hot_dice": False},
    seats=("you", "bank:300"),
    kind="ranked",
    secret=SECRET,
    own_seed="mine",
    day=None,
    mode="standard",
    steps="",
    unranked=(),
    over=False,
    created_at=100,
    updated_at=100,
)
RUN = Run(
    id="r1",
    table_id="t1",
    people=(Played("p1", 0, 80),),
    game="lite-solo",
    mode="standard",
    record={"format": 1},
    aim="most",
    lower_is_better=False,
    ranked=True,
    day=None,
    breakdown={"rows": [1, 2, 3], "why": "ä"},
    finished_at=100,
)


def saved_table(player_id: str, **changes: Any) -> SavedTable:
    """A table of one device: all that are no bot's are the player's."""
    seats = changes.get("seats", TABLE.seats)
    people = tuple(None if ":" in name else player_id for name in seats)
    return replace(TABLE, people=people, **changes)


def run(player_id: str, score: int = 80, **changes: Any) -> Run:
    """A run of one player at a table of its own."""
    table_id = f"table of {changes.get('id', RUN.id)}"
    return replace(RUN, **{"table_id": table_id, "people": (Played(player_id, 0, score),), **changes})


@cache
def finished_record(secret: str, own: str) -> Record:
    """A run of lite-solo that the house has committed to, as it is stored while the secret still decides dice."""
    table = Table(find_game("lite-solo"), seats=("you",), seed=own, secret=secret)
    play_on(table, {0: player("random", find_game("lite-solo"), own, 0)})
    record = table.record()
    assert record.result is not None
    assert record.origin.commitment == dice.commitment(secret)
    return replace(record, origin=replace(record.origin, secret=None))
