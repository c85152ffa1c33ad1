"""How games that quick match has made ended for those who played them: who leaves again and again waits longer for the
next one (people/pairing.py)."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, delete, insert, select

from dicehall.people.pairing import FORGOTTEN, REMEMBERED, Outcome
from dicehall.store.schema import outcomes


def note(connection: Connection, room_id: str, at_ms: int, left: Mapping[str, bool]) -> None:
    """A game of that room is over: which player has `left` it, and which has not."""
    rows = [{"player_id": one, "at_ms": at_ms, "room_id": room_id, "left": gone} for one, gone in left.items()]
    if rows:
        connection.execute(insert(outcomes), rows)


def of(connection: Connection, player_id: str) -> list[Outcome]:
    """The last ones of a player, the oldest first."""
    query = select(outcomes.c.at_ms, outcomes.c.left).where(outcomes.c.player_id == player_id)
    newest = connection.execute(query.order_by(outcomes.c.at_ms.desc()).limit(REMEMBERED)).all()
    return [Outcome(at_ms, left) for at_ms, left in reversed(newest)]


def forget(connection: Connection, now_ms: int) -> int:
    """What counts for nothing any more; how many they were."""
    return connection.execute(delete(outcomes).where(outcomes.c.at_ms <= now_ms - FORGOTTEN * 1000)).rowcount
