"""Skill: what the coach says of rated games, kept for each of the two who played, and what follows from it. The coach
is asked elsewhere (server/judging.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select, update

from dicehall.people import skill
from dicehall.people.skill import OLDEST, Run
from dicehall.store import runs
from dicehall.store.schema import meetings, players, players_runs, skills
from dicehall.store.upsert import insert_into

KEPT: Final = ("value", "low", "high", "provisional", "runs")


class Waiting(NamedTuple):
    """A rated game that the coach has still to look at."""

    run_id: str
    seats: dict[str, int]  # of the players who are still there
    record: dict[str, Any] | None  # None: it is gone


@dataclass(frozen=True, slots=True)
class Skilled:
    """Somebody's skill in a pool, as it is kept."""

    player_id: str
    pool: str
    value: float
    low: float
    high: float
    provisional: bool
    runs: int


def waiting(connection: Connection, limit: int, besides: frozenset[str] = frozenset()) -> list[Waiting]:
    """The first `limit` games that the coach has not seen, but for those `besides`."""
    others = [meetings.c.run_id.not_in(besides)] if besides else []
    unseen = select(meetings.c.run_id).where(*_unseen(), *others)
    # two rows a game, which may have ended at the same time as another
    ids = list(dict.fromkeys(connection.scalars(unseen.order_by(meetings.c.ended_ms).limit(2 * limit))))[:limit]
    if not ids:
        return []
    records = runs.records(connection, ids)
    seats: dict[str, dict[str, int]] = {run_id: {} for run_id in ids}
    own = players_runs.c
    for row in connection.execute(select(own.run_id, own.player_id, own.seat).where(own.run_id.in_(ids))):
        seats[row.run_id][row.player_id] = row.seat
    return [Waiting(run_id, seats[run_id], records.get(run_id)) for run_id in ids]


def keep(connection: Connection, run_id: str, told: Mapping[str, Run | None]) -> None:
    """What the coach says of a game, by player: None where it can never tell. Whoever is not named is never told of
    either. Skill follows."""
    rows = connection.execute(select(meetings.c.player_id, meetings.c.game).where(meetings.c.run_id == run_id)).all()
    for player_id, pool in sorted(map(tuple, rows)):  # in one order, so that nobody waits for somebody who waits
        there = select(players.c.id).where(players.c.id == player_id).with_for_update(key_share=True)
        if connection.scalar(there) is None:  # gone meanwhile
            continue
        run = told.get(player_id)
        values = {"choices": 0, "lost": None, "squares": None} if run is None else run._asdict()
        mine = (meetings.c.player_id == player_id, meetings.c.run_id == run_id)
        connection.execute(update(meetings).where(*mine).values(values))
        work_out(connection, player_id, pool)


def work_out(connection: Connection, player_id: str, pool: str) -> None:
    """The player's skill, anew from the rated games."""
    told = skill.skill(pool, [run for _, run in newest(connection, player_id, pool, OLDEST)])
    mine = (skills.c.player_id == player_id, skills.c.pool == pool)
    if told is None:
        connection.execute(skills.delete().where(*mine))
        return
    values = {name: getattr(told, name) for name in KEPT}
    entry = insert_into(connection, skills).values(player_id=player_id, pool=pool, **values)
    connection.execute(entry.on_conflict_do_update(index_elements=["player_id", "pool"], set_=values))


def newest(connection: Connection, player_id: str, pool: str, limit: int) -> list[tuple[int, Run]]:
    """The player's newest rated games of which the coach could tell something, the newest first; with when each ended,
    in milliseconds."""
    told = meetings.c
    mine = (told.player_id == player_id, told.game == pool, told.why_not.is_(None), told.lost.is_not(None))
    query = select(told.ended_ms, told.choices, told.lost, told.squares).where(*mine)
    found = connection.execute(query.order_by(told.ended_ms.desc(), told.run_id.desc()).limit(limit))
    return [(row.ended_ms, Run(row.choices, row.lost, row.squares)) for row in found]


def unseen(connection: Connection, player_id: str) -> dict[str, int]:
    """How many of the player's rated games the coach has still to look at, by pool."""
    query = select(meetings.c.game, func.count()).where(meetings.c.player_id == player_id, *_unseen())
    return {game: int(count) for game, count in connection.execute(query.group_by(meetings.c.game))}


def of(connection: Connection, player_id: str) -> dict[str, Skilled]:
    """The player's skill, by pool."""
    mine = select(skills).where(skills.c.player_id == player_id)
    return {row.pool: Skilled(**row._mapping) for row in connection.execute(mine)}


def board(connection: Connection, pool: str, limit: int) -> list[tuple[Skilled, str]]:
    """The best of a pool, with their nicknames; without those whose skill is provisional, and those who are hidden."""
    query = (
        select(skills, players.c.nickname)
        .join(players, players.c.id == skills.c.player_id)
        .where(*_listed(pool))
        .order_by(skills.c.value.desc(), skills.c.player_id)
        .limit(limit)
    )
    found = [dict(row._mapping) for row in connection.execute(query)]
    return [(Skilled(**{name: row[name] for name in row if name != "nickname"}), row["nickname"]) for row in found]


def better(connection: Connection, pool: str, value: float) -> int:
    """How many on the board are better than that."""
    query = select(func.count()).select_from(skills).join(players, players.c.id == skills.c.player_id)
    return int(connection.scalar(query.where(*_listed(pool), skills.c.value > value)) or 0)


def _listed(pool: str) -> tuple[ColumnElement[bool], ...]:
    return skills.c.pool == pool, skills.c.provisional.is_(False), players.c.barred.is_(None)


def _unseen() -> tuple[ColumnElement[bool], ...]:
    return meetings.c.why_not.is_(None), meetings.c.choices.is_(None)
