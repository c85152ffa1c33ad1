"""The daily: one secret for each UTC day, game and mode, committed to before anybody plays."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from datetime import date, timedelta

from sqlalchemy import ColumnElement, Connection, func, insert, select

from dicehall import dice
from dicehall.store.schema import attempts, dailies, runs


@dataclass(frozen=True, slots=True)
class Daily:
    day: str
    game: str
    mode: str
    secret: str
    commitment: str
    committed_at: int
    revealed_at: int | None = None  # when its secret was published


def ensure(connection: Connection, day: str, game: str, mode: str, now: int) -> Daily:
    """The daily of that day, made now if it is the first time somebody asks."""
    daily = find(connection, day, game, mode)
    if daily is None:
        secret = dice.fresh_secret()
        daily = Daily(day, game, mode, secret, dice.commitment(secret), now)
        connection.execute(insert(dailies).values(astuple(daily)))
    return daily


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


def attempt(connection: Connection, day: str, game: str, mode: str, player_id: str, table_id: str) -> int:
    """Which attempt of the player at this daily the table is, from 1. The same table has the same number again."""
    mine = _attempts_of(day, game, mode, player_id)
    known = connection.scalar(select(attempts.c.number).where(*mine, attempts.c.table_id == table_id))
    if known is not None:
        return int(known)
    number = 1 + int(connection.scalar(select(func.max(attempts.c.number)).where(*mine)) or 0)
    row = {"day": day, "game": game, "mode": mode, "player_id": player_id, "number": number, "table_id": table_id}
    connection.execute(insert(attempts).values(row))
    return number


def attempts_at(connection: Connection, day: str, player_id: str) -> dict[str, int]:
    """How often the player has sat down at the dailies of a day, by game."""
    mine = select(attempts.c.game, func.max(attempts.c.number)).where(
        attempts.c.player_id == player_id, attempts.c.day == day
    )
    return {game: int(number) for game, number in connection.execute(mine.group_by(attempts.c.game))}


def streak(connection: Connection, player_id: str, today: str) -> tuple[int, int]:
    """Days in a row with a finished daily: up to now, and the most ever. Today may still be played."""
    played = select(runs.c.day).where(runs.c.player_id == player_id, runs.c.day.is_not(None)).distinct()
    finished = [date.fromisoformat(day) for day in connection.scalars(played.order_by(runs.c.day)) if day]
    length = longest = 0
    latest = None
    for day in finished:
        length = length + 1 if latest is not None and day - latest == timedelta(days=1) else 1
        longest, latest = max(longest, length), day
    alive = latest is not None and latest >= date.fromisoformat(today) - timedelta(days=1)
    return length if alive else 0, longest


def _attempts_of(day: str, game: str, mode: str, player_id: str) -> list[ColumnElement[bool]]:
    return [
        attempts.c.player_id == player_id,
        attempts.c.day == day,
        attempts.c.game == game,
        attempts.c.mode == mode,
    ]
