"""Where people play together, for whoever runs the hall: who is there, and how a match is ended. It works on the store
alone, so it does whether a hall is open or not; one that is open follows (keepers.py)."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection

from dicehall.bots.seats import YOU
from dicehall.errors import InvalidOption, excerpt
from dicehall.play.record import ENDED
from dicehall.server.finish import finished_run, save_table
from dicehall.server.live import Damaged, replay_steps, seated, steps_text
from dicehall.server.room import Progress, read_progress
from dicehall.store import halls, players, rooms, runs, tables
from dicehall.store.rooms import CLOSED, SavedRoom

HEARD: Final = 30  # seconds for which what a hall has told holds: it tells every few seconds
IN_PLAY: Final = ("sealing", "opening", "playing")


def who_is_there(connection: Connection, now: int) -> dict[str, Any]:
    """Connected players, matches in play, and who looks for one. `open` is how many halls are open on these data."""
    told = halls.told(connection, now - HEARD)
    matches = [one for room_id in rooms.going_on(connection) if (one := rooms.load(connection, room_id)) is not None]
    matches = [one for one in matches if one.state in IN_PLAY]
    looking = [one for hall in told for one in hall["looking"]]
    here = sorted({player for hall in told for player in hall["players"]})
    asked = {*here, *(one["player"] for one in looking), *(player for one in matches for player in one.people)}
    names = {known.id: known.nickname for player in asked if player and (known := players.find(connection, player))}
    watched = {room: lines for hall in told for room, lines in hall["watchers"].items()}

    def person(player: str) -> dict[str, str]:
        return {"id": player, "nickname": names.get(player, "")}

    return {
        "open": len(told),
        "players": [person(player) for player in here],
        "matches": [
            {
                "room": one.id,
                "game": one.agreement["game"],
                "state": one.state,
                "since": one.created_at,
                "players": [person(player) for player in one.people if player],
                "lines": watched.get(one.id, 0),
            }
            for one in matches
        ],
        "looking": [{**person(one["player"]), "pool": one["pool"], "since": one["since"]} for one in looking],
    }


def end_match(connection: Connection, asked: str, now: int) -> str:
    """The room with that id, or whose table has it, is closed; a game that is played there ends, and counts for nobody.
    The room's id."""
    saved = rooms.load(connection, asked) or _of_table(connection, asked)
    if saved is None:
        raise InvalidOption("room", f"there is no match {excerpt(asked)}")
    if saved.state == CLOSED:
        raise InvalidOption("room", "that match is over already")
    progress = read_progress(saved.progress)
    if saved.state == "playing":
        for table_id in progress.tables or filter(None, [saved.table_id]):
            _end_game(connection, table_id, progress, now)
        if progress.tables and progress.secret is not None:  # nobody plays these dice any more
            runs.tell_secrets(connection, progress.tables, progress.secret)
    progress.why = "stopped"
    saved.state, saved.code, saved.progress = CLOSED, None, progress.to_json()
    rooms.save(connection, saved)
    return saved.id


def _of_table(connection: Connection, table_id: str) -> SavedRoom | None:
    table = tables.load(connection, table_id)
    return None if table is None or table.room_id is None else rooms.load(connection, table.room_id)


def _end_game(connection: Connection, table_id: str, room: Progress, now: int) -> None:
    """As the hall ends one: its run is kept, and is of no account."""
    saved = tables.load(connection, table_id)
    if saved is None or saved.over:
        return
    live = seated(saved)
    try:
        replay_steps(live)
    except Damaged:  # there is no game any more; its table stays, to be looked at
        return
    gone = {one.seat for one in live.table.departures}
    seat = next(seat for seat, name in enumerate(saved.seats) if name == YOU and seat not in gone)
    if room.seats and not room.tables:
        live.networks = {room.seats[place]: network for place, network in room.networks.items()}
    live.table.depart(seat, ENDED)
    save_table(connection, live, steps_text(live.table), finished_run(live, now), now)
