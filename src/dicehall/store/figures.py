"""What replays of finished runs say of how somebody plays. It is worked out elsewhere (server/figures.py), once for
each run, and added up here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, bindparam, func, select, update

from dicehall.store.schema import attempts, figures, players_runs, runs
from dicehall.store.upsert import insert_into


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one run, without what the coach says of it."""

    player_id: str
    run_id: str
    kind: str
    outcome: str | None
    parts: int
    hits: int


class Uncounted(NamedTuple):
    """A run that has no figures yet."""

    run_id: str
    ranked: bool
    repeated: bool  # at a daily that the player had sat down at before, so its dice could be known
    record: dict[str, Any]
    seat: int  # that the player had


class Group(NamedTuple):
    """Runs of one game and mode that ended alike, added up."""

    game: str
    mode: str
    aim: str
    lower_is_better: bool
    kind: str
    outcome: str | None
    runs: int
    total: int  # of their scores
    lowest: int
    highest: int
    parts: int
    hits: int
    first_at: int
    last_at: int


class Recent(NamedTuple):
    """A run with what the coach says of it; `objective` is null before it has looked, and empty if it cannot tell."""

    run_id: str
    finished_at: int
    score: int
    objective: str | None
    accuracy: float | None
    luck: float | None
    seat: int  # that the player had


def count_uncounted(connection: Connection, player_id: str) -> int:
    """How many runs of the player have no figures yet."""
    return int(connection.scalar(_uncounted(select(func.count()), player_id)) or 0)


def uncounted(connection: Connection, player_id: str, limit: int) -> list[Uncounted]:
    """The newest `limit` runs of the player that have no figures yet."""
    own = players_runs.c
    newest = _uncounted(select(own.run_id, own.seat), player_id).order_by(own.finished_at.desc(), own.run_id.desc())
    seats = {row.run_id: row.seat for row in connection.execute(newest.limit(limit))}
    first = and_(
        attempts.c.player_id == player_id,
        attempts.c.day == runs.c.day,
        attempts.c.game == runs.c.game,
        attempts.c.mode == runs.c.mode,
        attempts.c.number == 1,
    )
    repeated = func.coalesce(attempts.c.table_id != runs.c.table_id, False)
    query = select(runs.c.id, runs.c.ranked, repeated, runs.c.record).select_from(runs.outerjoin(attempts, first))
    found = connection.execute(query.where(runs.c.id.in_(seats)))
    return [Uncounted(row.id, row.ranked, row[2], row.record, seats[row.id]) for row in found]


def keep(connection: Connection, found: Sequence[Figures]) -> None:
    """Somebody else may have been quicker, and found the same."""
    if found:
        rows = [asdict(one) for one in found]
        connection.execute(insert_into(connection, figures).on_conflict_do_nothing(), rows)


def keep_judged(
    connection: Connection, player_id: str, found: Sequence[tuple[str, str, float | None, float | None]]
) -> None:
    """What the coach says of the player's runs: the id of each, the objective, accuracy and luck."""
    mine = (figures.c.player_id == player_id, figures.c.run_id == bindparam("judged"))
    told: dict[str, Any] = {name: bindparam(f"new_{name}") for name in ("objective", "accuracy", "luck")}
    if found:
        names = ("judged", *(f"new_{name}" for name in told))
        connection.execute(
            update(figures).where(*mine).values(told), [dict(zip(names, one, strict=True)) for one in found]
        )


def groups(connection: Connection, player_id: str) -> list[Group]:
    """All runs of the player that have figures."""
    own = players_runs.c
    alike = (
        own.game,
        own.mode,
        runs.c.aim,
        runs.c.lower_is_better,
        figures.c.kind,
        figures.c.outcome,
    )
    added = (
        func.count(),
        func.sum(own.score),
        func.min(own.score),
        func.max(own.score),
        func.sum(figures.c.parts),
        func.sum(figures.c.hits),
        func.min(own.finished_at),
        func.max(own.finished_at),
    )
    query = _counted(select(*alike, *added), player_id).group_by(*alike)
    return [Group(*row[: len(alike)], *map(int, row[len(alike) :])) for row in connection.execute(query)]


def modes(connection: Connection, player_id: str, game: str) -> list[str]:
    """In which the player has finished a run of the game."""
    own = players_runs.c
    mine = select(own.mode).where(own.player_id == player_id, own.game == game)
    return list(connection.scalars(mine.distinct().order_by(own.mode)))


def scores(connection: Connection, player_id: str, game: str, modes: Sequence[str], kind: str) -> dict[int, int]:
    """How often the player's runs in these modes ended with each score."""
    score = players_runs.c.score
    query = _counted(select(score, func.count().label("times")), player_id).where(*_such(game, modes, kind))
    return {row.score: row.times for row in connection.execute(query.group_by(score).order_by(score))}


def recent(
    connection: Connection, player_id: str, game: str, modes: Sequence[str], kind: str, limit: int
) -> list[Recent]:
    """The player's newest runs in these modes, the newest first."""
    own = players_runs.c
    told = (own.run_id, own.finished_at, own.score, figures.c.objective, figures.c.accuracy, figures.c.luck, own.seat)
    query = _counted(select(*told), player_id).where(*_such(game, modes, kind))
    newest = query.order_by(own.finished_at.desc(), own.run_id.desc()).limit(limit)
    return [Recent(*row) for row in connection.execute(newest)]


def _such(game: str, modes: Sequence[str], kind: str) -> list[ColumnElement[bool]]:
    return [
        players_runs.c.game == game,
        players_runs.c.mode.in_(modes),
        figures.c.kind == kind,
    ]


def _counted(query: Any, player_id: str) -> Any:
    """Of the player's runs with their figures."""
    own = players_runs.c
    there = players_runs.join(figures, and_(figures.c.run_id == own.run_id, figures.c.player_id == own.player_id))
    return query.select_from(there.join(runs, runs.c.id == own.run_id)).where(own.player_id == player_id)


def _uncounted(query: Any, player_id: str) -> Any:
    """Of the player's runs without figures."""
    own = players_runs.c
    of_run = and_(figures.c.player_id == own.player_id, figures.c.run_id == own.run_id)
    return query.select_from(players_runs.outerjoin(figures, of_run)).where(
        own.player_id == player_id, figures.c.run_id.is_(None)
    )
