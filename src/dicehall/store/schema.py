"""The tables of the database. `migrations/` builds the same, and a test compares the two.

Times are UTC epoch seconds, days are UTC dates as 2026-01-31, hashes are SHA-256 in hex. The order of a primary key's
columns is the order in which rows are looked for; its first column also serves the deletion of a player.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    TypeDecorator,
    false,
    text,
)
from sqlalchemy.exc import DontWrapMixin
from sqlalchemy.types import TypeEngine

from dicehall.errors import InvalidText, excerpt


class UnkeepableText(InvalidText, DontWrapMixin):
    """An InvalidText that SQLAlchemy hands on as it is."""


_LONE: Final = re.compile("[\ud800-\udfff]")  # half of a character


class Plain(TypeDecorator[str]):
    """Text that both databases can hold: what one of them cannot gets the same clear error from both."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[str]:
        return _by_bytes(dialect)

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is not None and ("\0" in value or (not value.isascii() and _LONE.search(value))):
            raise UnkeepableText("text", f"not a text that can be kept: {excerpt(value)}")
        return value


json_text: Final = json.JSONEncoder(separators=(",", ":")).encode


class Json(TypeDecorator[Any]):
    """Any JSON value, kept as compact text."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[str]:
        return _by_bytes(dialect)

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:
        return json_text(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return json.loads(value)


def _by_bytes(dialect: Dialect) -> TypeEngine[str]:
    """Text in the order of its bytes, as SQLite has it: no system update changes it, and a prefix is a range."""
    return Text(collation="C") if dialect.name == "postgresql" else Text()


metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def _of_player(**more: Any) -> Column[str]:
    """The player a row belongs to, and with whom it goes."""
    return Column("player_id", Plain, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, **more)


def _index_where(sqlite: str, postgresql: str, *columns: str) -> Index:
    """An index of some rows only: the others do not pay for it. The condition is written as queries write it."""
    return Index(None, *columns, sqlite_where=text(sqlite), postgresql_where=text(postgresql))


players = Table(
    "players",
    metadata,
    Column("id", Plain, primary_key=True),
    Column("nickname", Plain, nullable=False),  # empty until one is chosen
    Column("look", Plain, unique=True, index=True),  # what the nickname looks like at a glance; nobody shares it
    Column("barred", Plain),  # "hidden" from boards, or "banned" from the hall, by whoever runs it
    Column("created_at", BigInteger, nullable=False),
    Column("silenced_until", BigInteger),  # no phrases before that time, by whoever runs it; players.NEVER: for good
)

devices = Table(
    "devices",
    metadata,
    Column("token_hash", Plain, primary_key=True),
    _of_player(index=True),
    Column("label", Plain, nullable=False, server_default=""),  # what kind of device it is, for its owner to know it
    Column("created_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False, server_default="0"),  # true to a day
)

transfers = Table(
    "transfers",
    metadata,
    Column("code_hash", Plain, primary_key=True),
    _of_player(index=True),
    Column("expires_at", BigInteger, nullable=False),  # that of a lasting code never comes: players.NEVER
    Column("device", Plain),  # the hash of the token that it was turned into
)

tables = Table(
    "tables",
    metadata,
    Column("id", Plain, primary_key=True),
    Column("game", Plain, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("options", Json, nullable=False),
    Column("seats", Json, nullable=False),
    Column("kind", Plain, nullable=False),
    Column("secret", Plain),
    Column("own_seed", Json, nullable=False),  # JSON, because a seed may hold any character
    Column("day", Plain),
    Column("mode", Plain, nullable=False),
    Column("steps", Plain, nullable=False),
    Column("unranked", Json, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("version", Integer, nullable=False, server_default="0"),  # how often it was saved: a save names the last one
    Column("room_id", Plain),  # that of people who play together; no foreign key: a table outlives its room
    Column("contributions", Json, nullable=False, server_default="[]"),  # what each seat has added to the dice
    Column("departures", Json, nullable=False, server_default="[]"),  # who plays no further
    Column("times", Plain),  # how much time everybody has left: see people/clocks.py
)

sitters = Table(  # whose the seats of a table are; whose account is gone has left a seat without a name
    "sitters",
    metadata,
    Column("table_id", Plain, ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    _of_player(),
    Column("seat", Integer, nullable=False),
    Column("over", Boolean, nullable=False),  # as the table is: the tables that are still played are looked for by it
    PrimaryKeyConstraint("table_id", "seat"),
    Index(None, "player_id", "over"),  # and nothing that a move changes: an index costs as much as the row
)

runs = Table(
    "runs",
    metadata,
    Column("id", Plain, primary_key=True),
    Column("table_id", Plain, nullable=False, unique=True, index=True),  # no foreign key: a run outlives its table
    Column("game", Plain, nullable=False),
    Column("mode", Plain, nullable=False),
    Column("record", Json, nullable=False),
    Column("aim", Plain, nullable=False),
    Column("lower_is_better", Boolean, nullable=False),
    Column("ranked", Boolean, nullable=False),
    Column("day", Plain),
    Column("breakdown", Json, nullable=False),
    Column("finished_at", BigInteger, nullable=False),
    _index_where("ranked = 1", "ranked", "finished_at", "id"),  # the export of all ranked records
)

players_runs = Table(  # who played in a run, and what one's runs are looked for by, which is as the run has it
    "players_runs",
    metadata,
    Column("run_id", Plain, ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    _of_player(),
    Column("seat", Integer, nullable=False),  # the first one, of somebody who had several
    Column("game", Plain, nullable=False),
    Column("mode", Plain, nullable=False),
    Column("score", BigInteger, nullable=False),  # of that seat
    Column("ranked", Boolean, nullable=False),
    Column("day", Plain),
    Column("finished_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("run_id", "player_id"),
    Index(None, "player_id", "finished_at", "run_id"),  # history
    Index(None, "player_id", "game", "mode", "score"),  # the best run
    _index_where("day IS NOT NULL", "day IS NOT NULL", "player_id", "day"),  # streaks
)

figures = Table(  # what a run's replay says of how somebody plays: worked out once, and only when it is asked for
    "figures",
    metadata,
    _of_player(),
    Column("run_id", Plain, nullable=False),  # no foreign key: it goes with the player, as the run does
    Column("kind", Plain, nullable=False),  # what it counts as: see server/figures.py
    Column("outcome", Plain),
    Column("parts", Integer, nullable=False),  # turns or rounds of the player, where the game has such
    Column("hits", Integer, nullable=False),  # how many of them were a farkle, or shut the box
    Column("objective", Plain),  # what the next two are about: null before the coach has looked, empty if it cannot
    Column("accuracy", Double),
    Column("luck", Double),
    PrimaryKeyConstraint("player_id", "run_id"),
)

dailies = Table(
    "dailies",
    metadata,
    Column("day", Plain, nullable=False),
    Column("game", Plain, nullable=False),
    Column("mode", Plain, nullable=False),
    Column("secret", Plain, nullable=False),
    Column("commitment", Plain, nullable=False),
    Column("committed_at", BigInteger, nullable=False),
    Column("revealed_at", BigInteger),  # from then on its dice are known, and it cannot be played for the boards
    PrimaryKeyConstraint("game", "mode", "day"),
)

attempts = Table(
    "attempts",
    metadata,
    Column("day", Plain, nullable=False),
    Column("game", Plain, nullable=False),
    Column("mode", Plain, nullable=False),
    _of_player(),
    Column("number", Integer, nullable=False),
    Column("table_id", Plain, nullable=False),  # no foreign key: forgetting a table does not give the attempt back
    Column("network", Plain),  # a keyed hash of the day and the address it came from, which is not kept
    PrimaryKeyConstraint("player_id", "day", "game", "mode", "number"),
    Index(None, "day", "game", "mode", "network"),  # how many came from one address
)

standings = Table(
    "standings",
    metadata,
    Column("board", Plain, nullable=False),
    Column("period", Plain, nullable=False),
    _of_player(),
    Column("value", BigInteger, nullable=False),  # the score, or its negative: lower is always better
    Column("run_id", Plain, nullable=False),
    Column("reached_at", BigInteger, nullable=False),
    Column("runs", Integer),  # how many ranked runs there were; unknown before the hall counted them
    Column("took", Integer),  # how many of them it took to reach the value
    PrimaryKeyConstraint("player_id", "board", "period"),
    Index(None, "board", "period", "value", "reached_at", "player_id"),
)

tallies = Table(  # how many players stand at each value of a board: ranks without counting players
    "tallies",
    metadata,
    Column("board", Plain, nullable=False),
    Column("period", Plain, nullable=False),
    Column("value", BigInteger, nullable=False),
    Column("players", BigInteger, nullable=False),
    PrimaryKeyConstraint("board", "period", "value"),
    Index(None, "period", "board"),
)

rooms = Table(  # the same people with one agreement, from the invitation to the last game
    "rooms",
    metadata,
    Column("id", Plain, primary_key=True),
    Column("code", Plain, unique=True, index=True),  # to say aloud, as long as somebody may come
    Column("state", Plain, nullable=False),
    Column("agreement", Json, nullable=False),
    Column("progress", Json, nullable=False),
    Column("table_id", Plain),  # of the game that is played, or was last; no foreign key: tables are cleared away
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),  # until when people may come
    Column("version", Integer, nullable=False, server_default="0"),
    _index_where("state <> 'closed'", "state <> 'closed'", "state", "expires_at"),  # what goes on, and what is over
)

guests = Table(  # who has which place in a room
    "guests",
    metadata,
    Column("room_id", Plain, ForeignKey("rooms.id", ondelete="CASCADE"), nullable=False),
    _of_player(),
    Column("place", Integer, nullable=False),
    Column("open", Boolean, nullable=False),  # as the room is
    PrimaryKeyConstraint("room_id", "place"),
    Index(None, "player_id", "open"),
)

ratings = Table(  # how good somebody's results are, in a pool: see people/glicko.py
    "ratings",
    metadata,
    _of_player(),
    Column("pool", Plain, nullable=False),
    Column("value", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("rated_ms", BigInteger, nullable=False),  # when the last of them ended
    PrimaryKeyConstraint("player_id", "pool"),
    Index(None, "pool", "value"),
)

meetings = Table(  # games of two people, as each of them has it
    "meetings",
    metadata,
    _of_player(),
    Column("run_id", Plain, nullable=False),  # no foreign key: it goes with the player
    Column("other_id", Plain, nullable=False),  # nor here: the other one may have gone
    Column("game", Plain, nullable=False),
    Column("halves", Integer, nullable=False),  # 2 won, 1 drawn, 0 lost
    Column("watched", Boolean, nullable=False, server_default=false()),  # whether others may know of it
    Column("why_not", Plain),  # it was not rated; null: it was
    Column("before", Double),  # the rating, where it was
    Column("after", Double),
    Column("deviation", Double),  # after it
    Column("ended_ms", BigInteger, nullable=False),
    Column("volatility", Double),  # after it, too; unknown before migration 0008
    Column("choices", Integer),  # on which something depended; null before the coach has looked
    Column("lost", Double),  # by all of them; null where the coach can never tell
    Column("squares", Double),  # the sum of the squares of what each lost; null with `lost`
    PrimaryKeyConstraint("player_id", "run_id"),
    Index(None, "run_id"),  # to take back what a game has done to ratings
    Index(None, "player_id", "other_id", "ended_ms"),  # how often two have met, and how it ended
    Index(None, "player_id", "ended_ms"),
    # what the coach has still to look at
    _index_where("why_not IS NULL AND choices IS NULL", "why_not IS NULL AND choices IS NULL", "ended_ms"),
)

skills = Table(  # how little somebody's moves give away, in a pool: see people/skill.py
    "skills",
    metadata,
    _of_player(),
    Column("pool", Plain, nullable=False),
    Column("value", Double, nullable=False),
    Column("low", Double, nullable=False),
    Column("high", Double, nullable=False),
    Column("provisional", Boolean, nullable=False),
    Column("runs", Integer, nullable=False),
    PrimaryKeyConstraint("player_id", "pool"),
    Index(None, "pool", "value"),
)

outcomes = Table(  # how games that quick match has made ended: see people/pairing.py
    "outcomes",
    metadata,
    _of_player(),
    Column("at_ms", BigInteger, nullable=False),
    Column("room_id", Plain, nullable=False),  # no foreign key: it outlives the room
    Column("left", Boolean, nullable=False),
    PrimaryKeyConstraint("player_id", "at_ms", "room_id"),
)

audit = Table(  # what whoever runs the hall has done to players and tables
    "audit",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", BigInteger, nullable=False),
    Column("who", Plain, nullable=False),
    Column("action", Plain, nullable=False),
    Column("target", Plain, nullable=False),  # the id of a player or a table
    Column("reason", Plain, nullable=False),
)

beats = Table(  # the hall's own signs of life: that it can write, and what time it was
    "beats",
    metadata,
    Column("name", Plain, primary_key=True),
    Column("at", BigInteger, nullable=False),
)

halls = Table(  # who is there, as every hall that is open tells it
    "halls",
    metadata,
    Column("id", Plain, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("told", Json, nullable=False),
)
