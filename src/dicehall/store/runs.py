"""Finished runs with their records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, Text, bindparam, select, tuple_, type_coerce, update
from sqlalchemy import insert as insert_into

from dicehall import dice
from dicehall.play.record import from_json
from dicehall.store.quick import Quick
from dicehall.store.schema import json_text, runs


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
    attempt: int | None
    breakdown: dict[str, Any] | list[Any]
    finished_at: int


_COLUMNS: Final = tuple(column.name for column in runs.columns)
_INSERT: Final = Quick(insert_into(runs).values({name: bindparam(name) for name in _COLUMNS}))


def insert(connection: Connection, run: Run) -> None:
    values = {name: getattr(run, name) for name in _COLUMNS}
    values["record"], values["breakdown"] = json_text(run.record), json_text(run.breakdown)
    _INSERT.run(connection, values)


def get(connection: Connection, run_id: str) -> Run | None:
    return _one(connection, select(runs).where(runs.c.id == run_id))


def of_table(connection: Connection, player_id: str, table_id: str) -> str | None:
    """The run that was finished at a table of the player."""
    return connection.scalar(select(runs.c.id).where(runs.c.player_id == player_id, runs.c.table_id == table_id))


def history(connection: Connection, player_id: str, limit: int, before: tuple[int, str] | None) -> list[Run]:
    """The player's runs, newest first. `before` is (finished_at, id) of the last one already seen."""
    query = _newest_first(select(runs).where(runs.c.player_id == player_id)).limit(limit)
    if before is not None:
        query = query.where(tuple_(runs.c.finished_at, runs.c.id) < before)
    return [_run(row) for row in connection.execute(query)]


def best(connection: Connection, player_id: str, game: str, mode: str) -> Run | None:
    """The player's best run, ranked or not; of equals, the earliest."""
    mine = (runs.c.player_id == player_id, runs.c.game == game, runs.c.mode == mode)
    lower_is_better = connection.scalar(select(runs.c.lower_is_better).where(*mine).limit(1))
    score = runs.c.score.asc() if lower_is_better else runs.c.score.desc()
    return _one(connection, select(runs).where(*mine).order_by(score, runs.c.finished_at, runs.c.id).limit(1))


def last(connection: Connection, player_id: str, game: str) -> Run | None:
    mine = (runs.c.player_id == player_id, runs.c.game == game)
    return _one(connection, _newest_first(select(runs).where(*mine)).limit(1))


def ranked_page(connection: Connection, after: tuple[int, str] | None, limit: int) -> list[tuple[tuple[int, str], str]]:
    """The records of up to `limit` ranked runs as JSON, oldest first, each with the mark after which the next page
    begins."""
    known = select(runs.c.finished_at, runs.c.id, type_coerce(runs.c.record, Text)).where(runs.c.ranked)
    if after is not None:
        known = known.where(tuple_(runs.c.finished_at, runs.c.id) > after)
    page = connection.execute(known.order_by(runs.c.finished_at, runs.c.id).limit(limit))
    return [((finished_at, run_id), record) for finished_at, run_id, record in page]


def reveal(connection: Connection, day: str, game: str, mode: str, secret: str) -> int:
    """Put the secret of a past daily into the records that its commitment is in, so that anybody can prove them.

    Returns how many records have changed. Those that have the secret already, or another commitment, stay as they are.
    """
    commitment = dice.commitment(secret)
    of_daily = select(runs.c.id).where(runs.c.day == day, runs.c.game == game, runs.c.mode == mode)
    revealed = 0
    for run_id in connection.scalars(of_daily).all():
        mine = runs.c.id == run_id
        record = from_json(connection.execute(select(runs.c.record).where(mine)).scalar_one())
        if record.origin.commitment == commitment and record.origin.secret is None:
            proved = replace(record, origin=replace(record.origin, secret=secret))
            connection.execute(update(runs).where(mine).values(record=proved.to_json()))
            revealed += 1
    return revealed


def _newest_first(query: Select[Any]) -> Select[Any]:
    return query.order_by(runs.c.finished_at.desc(), runs.c.id.desc())


def _one(connection: Connection, query: Select[Any]) -> Run | None:
    row = connection.execute(query).one_or_none()
    return None if row is None else _run(row)


def _run(row: Row[Any]) -> Run:
    return Run(**row._mapping)
