"""Whether the store holds what was played: looked at when the hall opens, and by `dicehall check`.

Everything can be worked out again from the steps: a table that is still played has to play again to where it stands, a
finished run has to be true, and the boards have to follow from the runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from sqlalchemy import Connection, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from dicehall.errors import DicehallError
from dicehall.play.record import from_json
from dicehall.play.replay import check
from dicehall.server.live import replay_steps, seated
from dicehall.store import schema, tables
from dicehall.store.engine import check_version, is_local, open_engine, reader

MOST_TABLES = 300  # that are looked at when the hall opens, the ones played at last first


def damage_at_start(url: str) -> list[str]:
    """What is wrong with the file itself and with the tables that are likely to be played on, a sentence each."""
    return _found(url, everything=False)


def all_damage(url: str) -> list[str]:
    """What is wrong with anything, a sentence each."""
    return _found(url, everything=True)


def _found(url: str, everything: bool) -> list[str]:
    engine = open_engine(url)
    try:
        check_version(engine)
        looks: list[Callable[[Connection], Iterable[str]]] = [
            *([partial(_file, everything=everything)] if is_local(engine) else []),
            partial(_open_tables, limit=None if everything else MOST_TABLES),
            *([_runs, _boards] if everything else []),
        ]
        found: list[str] = []
        for look in looks:
            try:
                with reader(engine).connect() as connection:
                    found.extend(look(connection))
            except SQLAlchemyError as error:  # so torn that it cannot even be looked at
                found.append(f"the database: {getattr(error, 'orig', None) or error}")
        return found
    finally:
        engine.dispose()


def _file(connection: Connection, everything: bool) -> list[str]:
    told = connection.scalars(text("PRAGMA integrity_check" if everything else "PRAGMA quick_check")).all()
    return [f"the file: {line}" for line in told if line != "ok"]


def _open_tables(connection: Connection, limit: int | None) -> Iterator[str]:
    unfinished = select(schema.tables.c.id).where(schema.tables.c.over.is_(False))
    for table_id in connection.scalars(unfinished.order_by(schema.tables.c.updated_at.desc()).limit(limit)).all():
        try:
            saved = tables.load(connection, table_id)
            assert saved is not None
            live = seated(saved)
            replay_steps(live)
            if live.table.is_over:
                yield f"the table {table_id} is over and has no run"
        except (DicehallError, SQLAlchemyError, ValueError, TypeError) as error:
            yield f"the table {table_id}: {error}"


def _runs(connection: Connection) -> Iterator[str]:
    own = schema.players_runs.c
    query = select(schema.runs.c.id, schema.runs.c.record, schema.runs.c.table_id, own.seat, own.score)
    played = schema.runs.outerjoin(schema.players_runs, own.run_id == schema.runs.c.id)
    query = query.select_from(played).order_by(schema.runs.c.id)
    before = None
    for run_id, record, table_id, seat, score in connection.execute(query, execution_options={"yield_per": 200}):
        try:
            if run_id != before:  # of several people it is one
                told = check(from_json(record))
            if not told.ok:
                if run_id != before:
                    yield f"the run {run_id}: {told.reason} (step {told.step})"
            elif told.result is None or (score is not None and told.result.scores[seat : seat + 1] != (score,)):
                yield f"the run {run_id} of the table {table_id} has not the score {score}"
            before = run_id
        except (DicehallError, ValueError, TypeError, KeyError) as error:
            yield f"the run {run_id}: {error}"
    finished = select(schema.tables.c.id).where(schema.tables.c.over)
    for table_id in connection.scalars(finished.where(schema.tables.c.id.not_in(select(schema.runs.c.table_id)))):
        yield f"the table {table_id} is over and has no run"


def _boards(connection: Connection) -> Iterator[str]:
    lost = select(schema.standings.c.board, schema.standings.c.player_id).where(
        schema.standings.c.run_id.not_in(select(schema.runs.c.id))
    )
    for board, player_id in connection.execute(lost):
        yield f"the board {board}: the run of the player {player_id} is not there"
    keys = (schema.standings.c.board, schema.standings.c.period, schema.standings.c.value)
    counted = Counter(
        {tuple(row[:3]): row[3] for row in connection.execute(select(*keys, func.count()).group_by(*keys))}
    )
    told = Counter({tuple(row[:3]): row[3] for row in connection.execute(select(schema.tallies))})
    for place in sorted({*counted, *told}):
        if counted[place] != told[place]:
            yield f"the board {place[0]} ({place[1]}) counts {told[place]} players at {place[2]}, not {counted[place]}"
