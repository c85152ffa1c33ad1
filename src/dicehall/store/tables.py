"""Tables as they are kept between moves: enough to sit down again where one left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BindParameter,
    Connection,
    Integer,
    Row,
    Text,
    bindparam,
    case,
    delete,
    func,
    literal_column,
    select,
    true,
    update,
)
from sqlalchemy import insert as insert_into

from dicehall.errors import DicehallError
from dicehall.people.clocks import given_back, read_times, times_text
from dicehall.play.record import Contribution, Departure
from dicehall.store.quick import Quick, commit, take_back
from dicehall.store.schema import json_text, sitters, tables


class UnknownTable(DicehallError):
    """No such table, or not this player's: the answer is the same, so nobody learns which."""


class Overtaken(DicehallError):
    """Somebody else has saved the table since it was read. What they saved stands; whoever lost reads again."""


class Steps(NamedTuple):
    """All that has been played at a table, and the version of the table that it follows."""

    table_id: str
    version: int
    steps: str


@dataclass(slots=True)
class SavedTable:
    """`people` are the players whose seats those called `you` are, by seat: several are one player's where people share
    a device. None: a player of the house, or somebody whose account is gone."""

    id: str
    people: tuple[str | None, ...]
    game: str
    rules: int
    options: dict[str, Any]
    seats: tuple[str, ...]
    kind: str
    secret: str | None
    own_seed: str
    day: str | None
    mode: str
    steps: str
    unranked: tuple[str, ...]
    over: bool
    created_at: int
    updated_at: int
    version: int = 0  # how often it was saved since it was opened
    room_id: str | None = None  # where people play together
    contributions: tuple[Contribution, ...] = ()
    departures: tuple[Departure, ...] = ()
    times: str | None = None  # how much time everybody has left

    @property
    def player_ids(self) -> list[str]:
        """Everybody who sits there, in the order of their seats."""
        return list(dict.fromkeys(filter(None, self.people)))


_COLUMNS: Final = tuple(column.name for column in tables.columns)
_INSERT: Final = Quick(insert_into(tables).values({name: bindparam(name) for name in _COLUMNS}))
_SAVE: Final = Quick(
    update(tables)
    .where(tables.c.id == bindparam("id_"), tables.c.version == bindparam("version_"))
    .values({name: bindparam(name) for name in ("steps", "unranked", "over", "updated_at", "departures", "times")})
    .values(version=tables.c.version + literal_column("1"))
)
_OVER: Final = Quick(update(sitters).where(sitters.c.table_id == bindparam("id_")).values(over=true()))
_SIT: Final = Quick(insert_into(sitters).values({column.name: bindparam(column.name) for column in sitters.columns}))
_COUNT_OPEN: Final = Quick(
    select(func.count(sitters.c.table_id.distinct())).where(
        sitters.c.player_id == bindparam("player_id"), sitters.c.over.is_(False)
    )
)


def insert(connection: Connection, table: SavedTable) -> None:
    values = {name: getattr(table, name) for name in _COLUMNS}
    for name in ("options", "seats", "own_seed", "unranked", "contributions", "departures"):
        values[name] = json_text(values[name])
    _INSERT.run(connection, values)
    for seat, player_id in enumerate(table.people):
        if player_id is not None:
            _SIT.run(connection, {"table_id": table.id, "player_id": player_id, "seat": seat, "over": table.over})


def save(
    connection: Connection,
    table_id: str,
    version: int,
    steps: str,
    unranked: tuple[str, ...],
    over: bool,
    now: int,
    departures: tuple[Departure, ...] = (),
    times: str | None = None,
) -> bool:
    """What has happened at the table so far, onto the `version` of it that was played on. False: it had been saved
    already, by a commit whose answer was lost."""
    values: dict[str, Any] = {"id_": table_id, "version_": version, "steps": steps, "over": over, "updated_at": now}
    values |= {"unranked": json_text(unranked), "departures": json_text(departures), "times": times}
    if _SAVE.run(connection, values).rowcount:
        if over:
            _OVER.run(connection, {"id_": table_id})
        return True
    _check_saved(connection, Steps(table_id, version, steps))
    return False


def save_steps(connection: Connection, played: Sequence[Steps], now: int) -> None:
    """What has been played at several tables, durable when this returns.

    It is one statement, and a transaction of its own: the connection must not be in another. If one of the tables is
    not there any more, or not as it was, the others have been saved all the same.
    """
    try:
        saved = write_steps(connection, played, now)
        commit(connection)
    except Exception:
        take_back(connection)
        raise
    if saved != len(played):
        with connection.begin():
            for one in played:
                _check_saved(connection, one)


def save_steps_with_others(connection: Connection, played: Sequence[Steps], now: int) -> None:
    """`save_steps` in the transaction that `connection` is in: all of it is saved, or nothing of that transaction."""
    if write_steps(connection, played, now) != len(played):
        for one in played:
            _check_saved(connection, one)


def write_steps(connection: Connection, played: Sequence[Steps], now: int) -> int:
    """The statement alone, in whatever transaction: how many of the tables were as they had been played on."""
    values: dict[str, str | int] = {"now": now}
    for n, one in enumerate(played):
        values[f"id{n}"], values[f"version{n}"], values[f"steps{n}"] = one
    saved: int = _save_steps(len(played)).run(connection, values).rowcount
    return saved


def _check_saved(connection: Connection, one: Steps) -> None:
    """To save `one` once more does no harm: nobody knows whether a commit happened whose answer was lost."""
    found = connection.execute(
        select(tables.c.version, tables.c.steps).where(tables.c.id == one.table_id)
    ).one_or_none()
    if found is None:
        raise UnknownTable("table", "there is no such table")
    if tuple(found) != (one.version + 1, one.steps):
        raise Overtaken("overtaken", "the table has gone on elsewhere; this is how it is now")


@cache
def _save_steps(count: int) -> Quick:
    """The statement for `count` tables: all of them are found by their ids, each is compared with its version."""
    ids: list[BindParameter[str]] = [bindparam(f"id{n}") for n in range(count)]
    steps = case({one: bindparam(f"steps{n}", type_=Text) for n, one in enumerate(ids)}, value=tables.c.id)
    versions = case({one: bindparam(f"version{n}", type_=Integer) for n, one in enumerate(ids)}, value=tables.c.id)
    return Quick(
        update(tables)
        .where(tables.c.id.in_(ids), tables.c.version == versions)
        .values(steps=steps, updated_at=bindparam("now"), version=tables.c.version + literal_column("1"))
    )


def load(connection: Connection, table_id: str) -> SavedTable | None:
    row = connection.execute(select(tables).where(tables.c.id == table_id)).one_or_none()
    return None if row is None else _saved(connection, [row])[0]


def count_open(connection: Connection, player_id: str) -> int:
    return int(_COUNT_OPEN.run(connection, {"player_id": player_id}).fetchone()[0])


def open_tables(connection: Connection, player_id: str, limit: int = 50) -> list[SavedTable]:
    """The player's unfinished tables that are in no room, the one played at last first."""
    mine = select(sitters.c.table_id).where(sitters.c.player_id == player_id, sitters.c.over.is_(False)).distinct()
    query = select(tables).where(tables.c.id.in_(connection.scalars(mine).all()), tables.c.room_id.is_(None))
    query = query.order_by(tables.c.updated_at.desc(), tables.c.id.desc())
    return _saved(connection, connection.execute(query.limit(limit)).all())


def give_back(connection: Connection, span_ms: int) -> None:
    """So long nobody could move: it is nobody's time."""
    running = select(tables.c.id, tables.c.times).where(tables.c.over.is_(False), tables.c.times.is_not(None))
    for table_id, times in connection.execute(running).all():
        later = times_text(given_back(read_times(times), span_ms))
        connection.execute(update(tables).where(tables.c.id == table_id).values(times=later))


def forget(connection: Connection, table_id: str) -> None:
    """Clear an unfinished table away."""
    connection.execute(delete(tables).where(tables.c.id == table_id, tables.c.over.is_(False)))


def _saved(connection: Connection, rows: Sequence[Row[Any]]) -> list[SavedTable]:
    """Rows of the table `tables`, with who sits there."""
    seated: dict[str, dict[int, str]] = {row.id: {} for row in rows}
    theirs = select(sitters.c.table_id, sitters.c.seat, sitters.c.player_id).where(sitters.c.table_id.in_(seated))
    for table_id, seat, player_id in connection.execute(theirs) if rows else ():
        seated[table_id][seat] = player_id
    found = []
    for row in rows:
        seats = tuple(row.seats)
        people = tuple(map(seated[row.id].get, range(len(seats))))
        lists = {
            "seats": seats,
            "unranked": tuple(row.unranked),
            "contributions": tuple(Contribution(*one) for one in row.contributions),
            "departures": tuple(Departure(*one) for one in row.departures),
        }
        found.append(SavedTable(**{**row._mapping, **lists}, people=people))
    return found
