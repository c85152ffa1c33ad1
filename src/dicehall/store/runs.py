"""Finished runs with their records.

A daily's secret is not in the records of its runs while the day lasts. They stay as they were written: whoever reads
one after the daily was revealed gets it with the secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import Column, Connection, Row, Select, and_, bindparam, or_, select, tuple_, update
from sqlalchemy import insert as insert_into

from dicehall.dice import commitment
from dicehall.play.record import from_json
from dicehall.store.quick import Quick
from dicehall.store.schema import dailies, json_text, players_runs, runs


class Played(NamedTuple):
    """Who played in a run."""

    player_id: str
    seat: int  # the first one, of somebody who had several
    score: int  # of that seat


@dataclass(frozen=True, slots=True)
class Run:
    """`people` are those who played, in the order of their seats, but for accounts that are gone."""

    id: str
    table_id: str
    people: tuple[Played, ...]
    game: str
    mode: str
    record: dict[str, Any]
    aim: str
    lower_is_better: bool
    ranked: bool
    day: str | None
    breakdown: dict[str, Any] | list[Any]
    finished_at: int

    def of(self, player_id: str | None) -> Played | None:
        """What the player played; for anybody else, what the first of them did. None: nobody is left."""
        return next((one for one in self.people if one.player_id == player_id), next(iter(self.people), None))


_COLUMNS: Final = tuple(column.name for column in runs.columns)
_INSERT: Final = Quick(insert_into(runs).values({name: bindparam(name) for name in _COLUMNS}))
_PLAYED: Final = Quick(insert_into(players_runs).values({one.name: bindparam(one.name) for one in players_runs.c}))


def insert(connection: Connection, run: Run) -> None:
    values = {name: getattr(run, name) for name in _COLUMNS}
    values["record"], values["breakdown"] = json_text(run.record), json_text(run.breakdown)
    _INSERT.run(connection, values)
    same = {name: getattr(run, name) for name in ("game", "mode", "ranked", "day", "finished_at")}
    for one in run.people:
        _PLAYED.run(connection, {"run_id": run.id, **same, **one._asdict()})


def get(connection: Connection, run_id: str) -> Run | None:
    return _one(connection, _select(*runs.c).where(runs.c.id == run_id))


def of_table(connection: Connection, table_id: str) -> str | None:
    """The run that was finished at a table."""
    return connection.scalar(select(runs.c.id).where(runs.c.table_id == table_id))


def history(connection: Connection, player_id: str, limit: int, before: tuple[int, str] | None) -> list[Run]:
    """The player's runs, newest first. `before` is (finished_at, id) of the last one already seen."""
    query = _newest_first(_mine(player_id)).limit(limit)
    if before is not None:
        query = query.where(tuple_(players_runs.c.finished_at, players_runs.c.run_id) < before)
    return _runs(connection, connection.execute(query).all())


def best(connection: Connection, player_id: str, game: str, mode: str) -> Run | None:
    """The player's best run on dice that nobody knew: ranked, and at no daily, whose dice can be learned by heart. Of
    equals, the earliest."""
    own = players_runs.c
    query = _mine(player_id).where(own.game == game, own.mode == mode, own.ranked, own.day.is_(None))
    any_of_them = connection.execute(query.with_only_columns(runs.c.lower_is_better).limit(1)).one_or_none()
    score = own.score.asc() if any_of_them is not None and any_of_them.lower_is_better else own.score.desc()
    return _one(connection, query.order_by(score, own.finished_at, own.run_id).limit(1))


def records(connection: Connection, run_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Of these runs, by their ids."""
    return {
        row.id: row.record for row in connection.execute(select(runs.c.id, runs.c.record).where(runs.c.id.in_(run_ids)))
    }


def last(connection: Connection, player_id: str, game: str) -> Run | None:
    return _one(connection, _newest_first(_mine(player_id).where(players_runs.c.game == game)).limit(1))


def page_of(connection: Connection, player_id: str, after: tuple[int, str] | None, limit: int) -> list[Run]:
    """Up to `limit` runs of the player, oldest first, from the one `after` (finished_at, id) on."""
    query = _mine(player_id).order_by(players_runs.c.finished_at, players_runs.c.run_id).limit(limit)
    if after is not None:
        query = query.where(tuple_(players_runs.c.finished_at, players_runs.c.run_id) > after)
    return _runs(connection, connection.execute(query).all())


def ranked_page(
    connection: Connection, today: str, after: tuple[int, str] | None, limit: int
) -> list[tuple[tuple[int, str], str]]:
    """The records of up to `limit` ranked runs as JSON, oldest first, each with the mark after which the next page
    begins; without those of `today`'s dailies, which others are still playing."""
    over = or_(runs.c.day.is_(None), runs.c.day < today)
    query = _select(runs.c.finished_at, runs.c.id, runs.c.record).where(runs.c.ranked, over)
    if after is not None:
        query = query.where(tuple_(runs.c.finished_at, runs.c.id) > after)
    page = connection.execute(query.order_by(runs.c.finished_at, runs.c.id).limit(limit))
    return [((at, run_id), json_text(_opened(record, *promised))) for at, run_id, record, *promised in page]


def late(run: Run, secret: str, commitment: str) -> Run:
    """The run, at a daily that has been revealed before it was finished: it is nobody's first, best or day in a row."""
    return replace(run, record=_opened(run.record, secret, commitment), ranked=False, day=None)


def tell_secrets(connection: Connection, table_ids: Sequence[str], secret: str) -> None:
    """What the house had promised is told, in the records of the runs that were finished at these tables."""
    for run_id, record in connection.execute(
        select(runs.c.id, runs.c.record).where(runs.c.table_id.in_(table_ids))
    ).all():
        opened = _opened(record, secret, commitment(secret))
        connection.execute(update(runs).where(runs.c.id == run_id).values(record=opened))


def _mine(player_id: str) -> Select[Any]:
    """All runs in which the player played."""
    played = players_runs.c
    return _select(*runs.c).join(players_runs, played.run_id == runs.c.id).where(played.player_id == player_id)


def _select(*columns: Column[Any]) -> Select[Any]:
    """Columns of runs, and with them the secret and the commitment of their daily, once it is revealed."""
    of_daily = and_(
        dailies.c.game == runs.c.game,
        dailies.c.mode == runs.c.mode,
        dailies.c.day == runs.c.day,
        dailies.c.revealed_at.is_not(None),
    )
    known = dailies.c.secret.label("revealed_secret"), dailies.c.commitment.label("revealed_commitment")
    return select(*columns, *known).select_from(runs.outerjoin(dailies, of_daily))


def _opened(record: dict[str, Any], secret: str | None, commitment: str | None) -> dict[str, Any]:
    """The record with the secret that its commitment promised; as it is where that is another one, or in it already."""
    source = record.get("dice", {})
    if secret is None or source.get("commitment") != commitment or "secret" in source:
        return record
    hidden = from_json(record)
    return replace(hidden, origin=replace(hidden.origin, secret=secret)).to_json()


def _newest_first(query: Select[Any]) -> Select[Any]:
    return query.order_by(players_runs.c.finished_at.desc(), players_runs.c.run_id.desc())


def _one(connection: Connection, query: Select[Any]) -> Run | None:
    return next(iter(_runs(connection, connection.execute(query).all())), None)


_seat: Final = attrgetter("seat")


def _runs(connection: Connection, rows: Sequence[Row[Any]]) -> list[Run]:
    people: dict[str, list[Played]] = {row.id: [] for row in rows}
    own = players_runs.c
    theirs = select(own.run_id, own.player_id, own.seat, own.score).where(own.run_id.in_(people))
    for run_id, *played in connection.execute(theirs) if rows else ():
        people[run_id].append(Played(*played))
    found = []
    for row in rows:
        values = dict(row._mapping)
        opened = _opened(values["record"], values.pop("revealed_secret"), values.pop("revealed_commitment"))
        found.append(Run(**{**values, "record": opened}, people=tuple(sorted(people[row.id], key=_seat))))
    return found
