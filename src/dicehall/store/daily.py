"""The daily: one secret for each UTC day, game and mode, committed to before anybody plays and revealed once.

From the moment it is revealed its dice are known, and it cannot be played for the boards any more, whatever a clock
says. A player has one open attempt at it; the first to be opened is the first, whatever becomes of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, func, insert, select, update

from dicehall import dice
from dicehall.store.schema import attempts, dailies, players, players_runs, tables
from dicehall.store.tables import forget
from dicehall.store.upsert import insert_into

MOST_FROM_ONE_NETWORK: Final = 30  # accounts whose first attempts at a daily count as such
CROWDED: Final = "+"  # ends the network of an attempt that came after MOST_FROM_ONE_NETWORK accounts


@dataclass(frozen=True, slots=True)
class Daily:
    day: str
    game: str
    mode: str
    secret: str
    commitment: str
    committed_at: int
    revealed_at: int | None = None  # when its secret was published


class Attempt(NamedTuple):
    number: int  # of the player's attempts at this daily, from 1
    first: bool  # it counts on the board of first attempts


def ensure(connection: Connection, day: str, game: str, mode: str, now: int) -> Daily:
    """The daily of that day, made now if it is the first time somebody asks."""
    found = find(connection, day, game, mode)
    if found is None:
        secret = dice.fresh_secret()
        made = Daily(day, game, mode, secret, dice.commitment(secret), now)
        connection.execute(insert_into(connection, dailies).values(astuple(made)).on_conflict_do_nothing())
        found = find(connection, day, game, mode)  # somebody else may have been quicker
        assert found is not None
    return found


def reveal(connection: Connection, today: str, now: int) -> int:
    """Publish the secrets of all dailies before today that are not known yet; how many they were. Records of their
    runs stay as they are, and get the secret when they are read."""
    over = (dailies.c.day < today, dailies.c.revealed_at.is_(None))
    return connection.execute(update(dailies).where(*over).values(revealed_at=now)).rowcount


def find(connection: Connection, day: str, game: str, mode: str) -> Daily | None:
    query = select(dailies).where(dailies.c.game == game, dailies.c.mode == mode, dailies.c.day == day)
    row = connection.execute(query).one_or_none()
    return None if row is None else Daily(*row)


def days(connection: Connection, game: str, mode: str, before: str | None, limit: int) -> list[Daily]:
    """The dailies there have been, newest first, from the day before `before` on."""
    query = select(dailies).where(dailies.c.game == game, dailies.c.mode == mode)
    if before is not None:
        query = query.where(dailies.c.day < before)
    return [Daily(*row) for row in connection.execute(query.order_by(dailies.c.day.desc()).limit(limit))]


def untouched_attempt(connection: Connection, day: str, game: str, mode: str, player_id: str, steps: str) -> str | None:
    """The player's table of this daily at which nothing has been done but `steps`, which come by themselves. Until the
    transaction ends, the player can open no other one elsewhere."""
    _lock(connection, player_id)
    query = select(tables.c.id, tables.c.unranked).join(attempts, attempts.c.table_id == tables.c.id)
    mine = _attempts_of(day, game, mode, player_id)
    open_ones = connection.execute(query.where(*mine, tables.c.over.is_(False), tables.c.steps == steps))
    return next((row.id for row in open_ones if not row.unranked), None)


def end_open_attempts(connection: Connection, day: str, game: str, mode: str, player_id: str) -> list[str]:
    """Clear away the tables of this daily that the player has not finished, so that nobody learns the dice at one of
    them and plays another. Their ids. Until the transaction ends, the player can open no other one elsewhere."""
    _lock(connection, player_id)
    mine = _attempts_of(day, game, mode, player_id)
    query = select(tables.c.id).join(attempts, attempts.c.table_id == tables.c.id)
    left = list(connection.scalars(query.where(*mine, tables.c.over.is_(False))))
    for table_id in left:
        forget(connection, table_id)
    return left


def attempt(
    connection: Connection, day: str, game: str, mode: str, player_id: str, table_id: str, network: str | None = None
) -> Attempt:
    """Which attempt of the player at this daily the table is. A table keeps its number.

    `network` is a hash that stands for where the player came from. Beyond MOST_FROM_ONE_NETWORK accounts from there,
    first attempts are played like any other and do not count as first.
    """
    _lock(connection, player_id)  # or somebody else might take the number
    known = attempt_at(connection, day, player_id, table_id)
    if known is not None:
        return known
    mine = _attempts_of(day, game, mode, player_id)
    number = 1 + int(connection.scalar(select(func.max(attempts.c.number)).where(*mine)) or 0)
    crowded = (
        network is not None and _accounts(connection, day, game, mode, {network})[network] >= MOST_FROM_ONE_NETWORK
    )
    row: dict[str, Any] = {"day": day, "game": game, "mode": mode, "player_id": player_id, "number": number}
    row |= {"table_id": table_id, "network": f"{network}{CROWDED}" if crowded else network}
    connection.execute(insert(attempts).values(row))
    return Attempt(number, number == 1 and not crowded)


def attempt_at(connection: Connection, day: str, player_id: str, table_id: str) -> Attempt | None:
    """The attempt that the table is, if it is one."""
    mine = (attempts.c.player_id == player_id, attempts.c.day == day, attempts.c.table_id == table_id)
    query = select(attempts.c.number, attempts.c.network).where(*mine)
    row = connection.execute(query).one_or_none()
    return None if row is None else Attempt(row.number, row.number == 1 and not (row.network or "").endswith(CROWDED))


def may_see(connection: Connection, day: str, game: str, mode: str, player_id: str) -> bool:
    """Whether the player may know the daily's dice while others play it: the first attempt is over, or given up."""
    still_open = and_(tables.c.id == attempts.c.table_id, tables.c.over.is_(False))
    first = select(tables.c.id).select_from(attempts.outerjoin(tables, still_open))
    row = connection.execute(
        first.where(*_attempts_of(day, game, mode, player_id), attempts.c.number == 1)
    ).one_or_none()
    return row is not None and row.id is None


def same_network(connection: Connection, day: str, game: str, mode: str, player_ids: Sequence[str]) -> dict[str, int]:
    """For each of the players: how many accounts have made their first attempt at this daily from that player's
    network. Those whose network is not known are left out."""
    firsts = (attempts.c.day == day, attempts.c.game == game, attempts.c.mode == mode, attempts.c.number == 1)
    query = select(attempts.c.player_id, attempts.c.network).where(*firsts, attempts.c.player_id.in_(player_ids))
    found = connection.execute(query.where(attempts.c.network.is_not(None)))
    networks = {player_id: network.removesuffix(CROWDED) for player_id, network in found}
    counts = _accounts(connection, day, game, mode, set(networks.values()))
    return {player_id: counts[network] for player_id, network in networks.items()}


def attempts_at(connection: Connection, day: str, player_id: str) -> dict[str, int]:
    """How often the player has sat down at the dailies of a day, by game."""
    mine = select(attempts.c.game, func.max(attempts.c.number)).where(
        attempts.c.player_id == player_id, attempts.c.day == day
    )
    return {game: int(number) for game, number in connection.execute(mine.group_by(attempts.c.game))}


def streak(connection: Connection, player_id: str, today: str) -> tuple[int, int]:
    """Days in a row with a finished daily: up to now, and the most ever. Today may still be played."""
    own = players_runs.c
    played = select(own.day).where(own.player_id == player_id, own.day.is_not(None)).distinct()
    finished = [date.fromisoformat(day) for day in connection.scalars(played.order_by(own.day)) if day]
    length = longest = 0
    latest = None
    for day in finished:
        length = length + 1 if latest is not None and day - latest == timedelta(days=1) else 1
        longest, latest = max(longest, length), day
    alive = latest is not None and latest >= date.fromisoformat(today) - timedelta(days=1)
    return length if alive else 0, longest


def days_played(connection: Connection, player_id: str, since: str) -> dict[str, int]:
    """On each day from `since` on, of how many games the player has finished the daily."""
    own = players_runs.c
    mine = (own.player_id == player_id, own.day.is_not(None), own.day >= since)
    query = select(own.day, func.count(own.game.distinct())).where(*mine).group_by(own.day)
    return {day: games for day, games in connection.execute(query) if day}


def _lock(connection: Connection, player_id: str) -> None:
    """Until the transaction ends, no other process counts the player's attempts."""
    connection.execute(select(players.c.id).where(players.c.id == player_id).with_for_update(key_share=True))


def _accounts(connection: Connection, day: str, game: str, mode: str, networks: set[str]) -> Counter[str]:
    """How many accounts have made their first attempt from each of the networks."""
    spelled = [f"{network}{end}" for network in networks for end in ("", CROWDED)]
    firsts = (attempts.c.day == day, attempts.c.game == game, attempts.c.mode == mode, attempts.c.number == 1)
    query = select(attempts.c.network, func.count()).where(*firsts, attempts.c.network.in_(spelled))
    counts: Counter[str] = Counter()
    for network, accounts in connection.execute(query.group_by(attempts.c.network)):
        counts[network.removesuffix(CROWDED)] += accounts
    return counts


def _attempts_of(day: str, game: str, mode: str, player_id: str) -> list[ColumnElement[bool]]:
    return [
        attempts.c.player_id == player_id,
        attempts.c.day == day,
        attempts.c.game == game,
        attempts.c.mode == mode,
    ]
