"""Who has left a game that quick match had made: what is kept of it when the game ends (store/outcomes.py)."""

from __future__ import annotations

from typing import Final

from dicehall.play.record import ENDED, LEFT, RESIGNED, TIME, Departure, is_roll
from dicehall.play.table import Table
from dicehall.server.room import Room

FIRST_MOVES: Final = 2  # who resigns before has not played


def how_it_ended(room: Room, before: str) -> dict[str, bool]:
    """For every player of the game that is over with the room's last change, `before` which it was in that state:
    whether they have left it. Where it was not even begun, only those who are to blame are named."""
    if not room.progress.quick or room.state not in ("between", "closed"):
        return {}
    if before in ("sealing", "opening"):
        return {player: True for place in room.progress.withheld if (player := room.people[place]) is not None}
    if before != "playing" or room.live is None or not room.live.table.is_over:
        return {}
    table = room.live.table
    gone = {one.seat: one for one in table.departures}
    seated = {room.seats[place]: player for place, player in enumerate(room.people) if player is not None}
    return {player: seat in gone and _has_left(table, gone[seat]) for seat, player in seated.items()}


def moves_of(table: Table, until: int | None = None) -> list[int]:
    """How many moves every seat has made in the first `until` steps; in all of them, if None."""
    rules, moved = table.game.rules, [0] * len(table.seats)
    for before, step in zip([None, *table.states], table.steps[:until], strict=False):
        if before is not None and not is_roll(step) and rules.actor(before) >= 0:
            moved[rules.actor(before)] += 1
    return moved


def _has_left(table: Table, one: Departure) -> bool:
    if one.why == LEFT:
        return True
    moved = moves_of(table, one.step)[one.seat]  # at a larger table, the table itself moves for them afterwards
    return (one.why == RESIGNED and moved < FIRST_MOVES) or (one.why in (TIME, ENDED) and moved == 0)
