"""Boards: every player's best, in order.

A *board* is named by whoever keeps it; a game's own boards begin with its id and a slash. A *period* is "all" or
whatever else a board is split by. A standing's `value` is the score where lower is better and its negative where
higher is: the smallest value leads every board. A *tally* says how many players stand at a value, so a rank is a sum
over values that are better, however many players there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, delete, func, insert, select, tuple_, update

from dicehall.store.schema import players, standings, tallies

Cursor = tuple[int, int, str]  # value, reached_at, player_id


@dataclass(frozen=True, slots=True)
class Entry:
    rank: int
    player_id: str
    nickname: str
    score: int
    run_id: str
    reached_at: int


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
    """Whether this is the player's new best there. An equal score leaves the earlier one standing."""
    value = score if lower_is_better else -score
    key = {"player_id": player_id, "board": board, "period": period}
    reached = {"value": value, "run_id": run_id, "reached_at": now}
    mine = [standings.c[name] == part for name, part in key.items()]
    before = connection.scalar(select(standings.c.value).where(*mine))
    if before is None:
        connection.execute(insert(standings).values(**key, **reached))
    elif value < before:
        _lower_tallies(connection, [(board, period, before)])
        connection.execute(update(standings).where(*mine).values(**reached))
    else:
        return False
    here = (tallies.c.board == board, tallies.c.period == period, tallies.c.value == value)
    if connection.execute(update(tallies).where(*here).values(players=tallies.c.players + 1)).rowcount == 0:
        connection.execute(insert(tallies).values(board=board, period=period, value=value, players=1))
    return True


def leave(connection: Connection, player_id: str) -> None:
    """Take the player off every board."""
    mine = standings.c.player_id == player_id
    left = connection.execute(select(standings.c.board, standings.c.period, standings.c.value).where(mine)).all()
    connection.execute(delete(standings).where(mine))
    _lower_tallies(connection, left)


def page(
    connection: Connection, board: str, period: str, lower_is_better: bool, limit: int, after: Cursor | None
) -> tuple[list[Entry], Cursor | None]:
    """So many entries after a cursor, best first, and the cursor of the next page, if there is one."""
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
    row = connection.execute(_entries(board, period).where(standings.c.player_id == player_id)).one_or_none()
    if row is None:
        return None
    better = connection.scalar(better_query(board, period, row.value))
    return _entry(row, 1 + int(better or 0), lower_is_better)


def size(connection: Connection, board: str, period: str) -> int:
    """How many players are on the board."""
    total = select(func.sum(tallies.c.players)).where(tallies.c.board == board, tallies.c.period == period)
    return int(connection.scalar(total) or 0)


def boards(connection: Connection, game: str) -> list[tuple[str, int]]:
    """The boards of all time whose names begin with the game's id and a slash, with their players."""
    query = (
        select(tallies.c.board, func.sum(tallies.c.players))
        .where(
            tallies.c.period == "all",
            tallies.c.board >= f"{game}/",
            tallies.c.board < f"{game}0",  # the character after the slash: every name that begins so, and no other
        )
        .group_by(tallies.c.board)
        .order_by(tallies.c.board)
    )
    return [(board, int(players)) for board, players in connection.execute(query)]


def page_query(board: str, period: str, limit: int, after: Cursor | None) -> Select[Any]:
    """One row more than asked for: it tells whether there is a next page."""
    query = _entries(board, period).order_by(standings.c.value, standings.c.reached_at, standings.c.player_id)
    if after is not None:
        query = query.where(tuple_(standings.c.value, standings.c.reached_at, standings.c.player_id) > after)
    return query.limit(limit + 1)


def better_query(board: str, period: str, value: int) -> Select[Any]:
    """How many players have a better value."""
    return select(func.sum(tallies.c.players)).where(
        tallies.c.board == board, tallies.c.period == period, tallies.c.value < value
    )


def _entries(board: str, period: str) -> Select[Any]:
    return (
        select(standings, players.c.nickname)
        .join(players, players.c.id == standings.c.player_id)
        .where(standings.c.board == board, standings.c.period == period)
    )


def _entry(row: Row[Any], rank: int, lower_is_better: bool) -> Entry:
    score = row.value if lower_is_better else -row.value
    return Entry(rank, row.player_id, row.nickname, score, row.run_id, row.reached_at)


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
