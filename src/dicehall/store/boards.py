"""Boards: every player's best, in order.

A *board* is named by whoever keeps it; a game's own boards begin with its id and a slash. A *period* is "all" or
whatever else a board is split by. A standing's `value` is the score where lower is better and its negative where
higher is: the smallest value leads every board. A *tally* says how many players stand at a value, so a rank is a sum
over values that are better, however many players there are.

Two processes may enter runs at the same time: whoever enters one locks the player's standing first. And whoever enters
several in one transaction takes a turn before, or two of them would touch the same tallies in another order, and wait
for each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, bindparam, delete, func, select, tuple_, update

from dicehall.store.schema import players, standings, tallies
from dicehall.store.upsert import insert_into

TURN: Final = 0xB0A2D  # the name of the lock, a number as PostgreSQL wants it
NEW_ACCOUNT: Final = 86_400  # seconds for which an account is new

Cursor = tuple[int, int, str]  # value, reached_at, player_id


@dataclass(frozen=True, slots=True)
class Entry:
    rank: int
    player_id: str
    nickname: str
    score: int
    run_id: str
    reached_at: int
    runs: int | None  # how many ranked runs there were; None where some were finished before the hall counted them
    took: int | None  # how many of them it took to reach the score
    new_account: bool  # the account was less than a day old when it was reached


def take_turn(connection: Connection) -> None:
    """Wait until no other process is entering runs, or taking players off; they wait until this transaction ends. On
    SQLite every transaction that writes does so from its start."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(TURN)))


def enter(
    connection: Connection,
    board: str,
    period: str,
    player_id: str,
    score: int,
    lower_is_better: bool,
    run_id: str,
    now: int,
) -> bool:
    """Whether `score` is the player's new best on the board of that period. An equal score leaves the earlier one
    standing; every run counts."""
    value = score if lower_is_better else -score
    key = {"player_id": player_id, "board": board, "period": period}
    reached = {"value": value, "run_id": run_id, "reached_at": now}
    first = insert_into(connection, standings).values(**key, **reached, runs=1, took=1).on_conflict_do_nothing()
    if connection.execute(first, execution_options={"preserve_rowcount": True}).rowcount == 0:
        mine = [standings.c[name] == part for name, part in key.items()]
        query = select(standings.c.value, standings.c.runs).where(*mine).with_for_update()
        before, runs = connection.execute(query).one()
        counted = None if runs is None else runs + 1
        if value >= before:
            connection.execute(update(standings).where(*mine).values(runs=counted))
            return False
        connection.execute(update(standings).where(*mine).values(**reached, runs=counted, took=counted))
    else:
        before = None
    here = insert_into(connection, tallies).values(board=board, period=period, value=value, players=1)
    one_more = {"players": tallies.c.players + 1}
    connection.execute(here.on_conflict_do_update(index_elements=list(tallies.primary_key), set_=one_more))
    if before is not None:
        _lower_tallies(connection, [(board, period, before)])
    return True


def leave(connection: Connection, player_id: str) -> None:
    """Take the player off every board."""
    take_turn(connection)
    mine = standings.c.player_id == player_id
    left = connection.execute(select(standings.c.board, standings.c.period, standings.c.value).where(mine)).all()
    connection.execute(delete(standings).where(mine))
    _lower_tallies(connection, left)


def page(
    connection: Connection, board: str, period: str, lower_is_better: bool, limit: int, after: Cursor | None
) -> tuple[list[Entry], Cursor | None]:
    """Up to `limit` entries after the cursor `after`, best first, and the cursor of the next page, if there is one."""
    rows = connection.execute(page_query(board, period, limit, after)).all()
    shown = rows[:limit]
    if not shown:
        return [], None
    # A page has no gaps: whoever stands between its first and its last value is counted by the values in between.
    better = connection.scalar(better_query(board, period, shown[0].value))
    between = select(tallies.c.value, tallies.c.players).where(
        tallies.c.board == board,
        tallies.c.period == period,
        tallies.c.value.between(shown[0].value, shown[-1].value),
    )
    rank, ranks = 1 + int(better or 0), {}
    for value, count in connection.execute(between.order_by(tallies.c.value)):
        ranks[value] = rank
        rank += count
    entries = [_entry(row, ranks[row.value], lower_is_better) for row in shown]
    last = shown[-1]
    return entries, (last.value, last.reached_at, last.player_id) if len(rows) > limit else None


def standing(connection: Connection, board: str, period: str, lower_is_better: bool, player_id: str) -> Entry | None:
    """The player's entry on the board; None where there is none."""
    row = connection.execute(_entries(board, period).where(standings.c.player_id == player_id)).one_or_none()
    if row is None:
        return None
    better = connection.scalar(better_query(board, period, row.value))
    return _entry(row, 1 + int(better or 0), lower_is_better)


def size(connection: Connection, board: str, period: str) -> int:
    """How many players are on the board."""
    total = select(func.sum(tallies.c.players)).where(tallies.c.board == board, tallies.c.period == period)
    return int(connection.scalar(total) or 0)


def boards(connection: Connection, game: str, limit: int) -> list[tuple[str, int]]:
    """The boards of all time whose names begin with the game's id and a slash, with their players: up to `limit` of
    those with the most players, in the order of their names."""
    query = (
        select(tallies.c.board, func.sum(tallies.c.players))
        .where(
            tallies.c.period == "all",
            tallies.c.board >= f"{game}/",
            tallies.c.board < f"{game}0",  # the character after the slash: every name that begins so, and no other
        )
        .group_by(tallies.c.board)
        .order_by(func.sum(tallies.c.players).desc(), tallies.c.board)
        .limit(limit)
    )
    return sorted((board, int(players)) for board, players in connection.execute(query))


def page_query(board: str, period: str, limit: int, after: Cursor | None) -> Select[Any]:
    """Up to `limit` rows and one more, which tells whether there is a next page."""
    query = _entries(board, period).order_by(standings.c.value, standings.c.reached_at, standings.c.player_id)
    if after is not None:
        query = query.where(tuple_(standings.c.value, standings.c.reached_at, standings.c.player_id) > after)
    return query.limit(limit + 1)


def better_query(board: str, period: str, value: int) -> Select[Any]:
    """How many players are better than `value`."""
    return select(func.sum(tallies.c.players)).where(
        tallies.c.board == board, tallies.c.period == period, tallies.c.value < value
    )


def _entries(board: str, period: str) -> Select[Any]:
    return (
        select(standings, players.c.nickname, players.c.created_at)
        .join(players, players.c.id == standings.c.player_id)
        .where(standings.c.board == board, standings.c.period == period)
    )


def _entry(row: Row[Any], rank: int, lower_is_better: bool) -> Entry:
    score = row.value if lower_is_better else -row.value
    new_account = row.reached_at - row.created_at < NEW_ACCOUNT
    return Entry(rank, row.player_id, row.nickname, score, row.run_id, row.reached_at, row.runs, row.took, new_account)


def _lower_tallies(connection: Connection, places: Sequence[Row[Any] | tuple[str, str, int]]) -> None:
    """One player fewer at each (board, period, value)."""
    if not places:
        return
    here = (
        tallies.c.board == bindparam("at_board"),
        tallies.c.period == bindparam("at_period"),
        tallies.c.value == bindparam("at_value"),
    )
    keys = [dict(zip(("at_board", "at_period", "at_value"), place, strict=True)) for place in places]
    connection.execute(update(tallies).where(*here).values(players=tallies.c.players - 1), keys)
    connection.execute(delete(tallies).where(*here, tallies.c.players == 0), keys)
