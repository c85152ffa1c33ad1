"""Finished runs with their records.

A daily's secret is not in the records of its runs while the day lasts. They stay as they were written: whoever reads
one after the daily was revealed gets it with the secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Column, Connection, Row, Select, and_, bindparam, or_, select, tuple_
from sqlalchemy import insert as insert_into

from dicehall.play.record import from_json
from dicehall.store.quick import Quick
from dicehall.store.schema import dailies, json_text, runs


@dataclass(frozen=True, slots=True)
class Run:
    id: str
    table_id: str
    player_id: str
    game: str
    mode: str
    record: dict[str, Any]
    score: int
    aim: str
    lower_is_better: bool
    ranked: bool
    day: str | None
    breakdown: dict[str, Any] | list[Any]
    finished_at: int


_COLUMNS: Final = tuple(column.name for column in runs.columns)
_INSERT: Final = Quick(insert_into(runs).values({name: bindparam(name) for name in _COLUMNS}))


def insert(connection: Connection, run: Run) -> None:
    values = {name: getattr(run, name) for name in _COLUMNS}
    values["record"], values["breakdown"] = json_text(run.record), json_text(run.breakdown)
    _INSERT.run(connection, values)


def get(connection: Connection, run_id: str) -> Run | None:
    return _one(connection, _select(*runs.c).where(runs.c.id == run_id))


def of_table(connection: Connection, player_id: str, table_id: str) -> str | None:
    """The run that was finished at a table of the player."""
    return connection.scalar(select(runs.c.id).where(runs.c.player_id == player_id, runs.c.table_id == table_id))


def history(connection: Connection, player_id: str, limit: int, before: tuple[int, str] | None) -> list[Run]:
    """The player's runs, newest first. `before` is (finished_at, id) of the last one already seen."""
    query = _newest_first(_select(*runs.c).where(runs.c.player_id == player_id)).limit(limit)
    if before is not None:
        query = query.where(tuple_(runs.c.finished_at, runs.c.id) < before)
    return [_run(row) for row in connection.execute(query)]


def best(connection: Connection, player_id: str, game: str, mode: str) -> Run | None:
    """The player's best run on dice that nobody knew: ranked, and at no daily, whose dice can be learned by heart. Of
    equals, the earliest."""
    fresh = (runs.c.ranked, runs.c.day.is_(None))
    mine = (runs.c.player_id == player_id, runs.c.game == game, runs.c.mode == mode, *fresh)
    lower_is_better = connection.scalar(select(runs.c.lower_is_better).where(*mine).limit(1))
    score = runs.c.score.asc() if lower_is_better else runs.c.score.desc()
    return _one(connection, _select(*runs.c).where(*mine).order_by(score, runs.c.finished_at, runs.c.id).limit(1))


def records(connection: Connection, run_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Of these runs, by their ids."""
    return {
        row.id: row.record for row in connection.execute(select(runs.c.id, runs.c.record).where(runs.c.id.in_(run_ids)))
    }


def last(connection: Connection, player_id: str, game: str) -> Run | None:
    mine = (runs.c.player_id == player_id, runs.c.game == game)
    return _one(connection, _newest_first(_select(*runs.c).where(*mine)).limit(1))


def page_of(connection: Connection, player_id: str, after: tuple[int, str] | None, limit: int) -> list[Run]:
    """Up to `limit` runs of the player, oldest first, from the one `after` (finished_at, id) on."""
    query = _select(*runs.c).where(runs.c.player_id == player_id)
    if after is not None:
        query = query.where(tuple_(runs.c.finished_at, runs.c.id) > after)
    return [_run(row) for row in connection.execute(query.order_by(runs.c.finished_at, runs.c.id).limit(limit))]


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
    return query.order_by(runs.c.finished_at.desc(), runs.c.id.desc())


def _one(connection: Connection, query: Select[Any]) -> Run | None:
    row = connection.execute(query).one_or_none()
    return None if row is None else _run(row)


def _run(row: Row[Any]) -> Run:
    values = dict(row._mapping)
    opened = _opened(values["record"], values.pop("revealed_secret"), values.pop("revealed_commitment"))
    return Run(**{**values, "record": opened})
