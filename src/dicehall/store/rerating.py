"""To take back what a game has done to ratings: those of both who played it, and whatever followed from them.

The games after it are rated once more, in their order, as far as somebody sat there whose rating has become another.
Everybody else's stays to the last digit. Somebody whose account has gone has left no rating: a game with them changes
the other's by as many points as it did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, select, text, tuple_, update

from dicehall.errors import InvalidOption, excerpt
from dicehall.people.glicko import POOLS, Parameters, Rating, newcomer, periods_of, rate_game
from dicehall.people.rated import TAKEN_BACK
from dicehall.store import skills
from dicehall.store.schema import meetings, players_runs, ratings


@dataclass(slots=True)
class _Rerating:
    """What has become another so far, in one pool: a rating with when it was reached, None before a first game."""

    connection: Connection
    pool: str
    parameters: Parameters
    changed: dict[str, tuple[Rating, int] | None] = field(default_factory=dict)


def take_back(connection: Connection, run_id: str) -> list[str]:
    """The game of that run is rated no more; the players whose ratings have changed."""
    if connection.dialect.name == "postgresql":  # whoever has read ratings is waited for; on SQLite there is one writer
        connection.execute(text("LOCK TABLE ratings IN ACCESS EXCLUSIVE MODE"))
    found = _seated(connection, meetings.c.run_id == run_id)
    if not found:
        raise InvalidOption("run", f"there is no game of two people in the run {excerpt(run_id)}")
    if any(row.why_not is not None for row in found):
        raise InvalidOption("run", f"that game is not rated: {found[0].why_not}")
    one = found[0]
    work = _Rerating(connection, one.game, POOLS[one.game])
    for row in found:
        work.changed[row.player_id] = _before(work, row)
    unrated = {"why_not": TAKEN_BACK, "before": None, "after": None, "deviation": None, "volatility": None}
    connection.execute(update(meetings).where(meetings.c.run_id == run_id).values(unrated))
    later = (meetings.c.game == one.game, tuple_(meetings.c.ended_ms, meetings.c.run_id) > (one.ended_ms, one.run_id))
    game: list[Row[Any]] = []
    for row in _seated(connection, *later, meetings.c.why_not.is_(None)):
        if game and row.run_id != game[0].run_id:
            _rate_again(work, game)
            game = []
        game.append(row)
    if game:
        _rate_again(work, game)
    for player_id, now in work.changed.items():
        _keep(work, player_id, now)
    for row in found:
        skills.work_out(connection, row.player_id, one.game)  # which is about rated games, too
    return sorted(work.changed)


def _seated(connection: Connection, *which: Any) -> Sequence[Row[Any]]:
    """Meetings with the seat of whom they are, in the order of games and seats."""
    seat = (players_runs.c.run_id == meetings.c.run_id) & (players_runs.c.player_id == meetings.c.player_id)
    query: Select[Any] = select(*meetings.c, players_runs.c.seat).join(players_runs, seat).where(*which)
    in_order = query.order_by(meetings.c.ended_ms, meetings.c.run_id, players_runs.c.seat)
    found: Sequence[Row[Any]] = connection.execute(in_order).all()
    return found


def _rate_again(work: _Rerating, game: Sequence[Row[Any]]) -> None:
    """One game, as each of those has it who have not gone."""
    if not any(row.player_id in work.changed for row in game):
        return
    fresh, now_ms = newcomer(work.parameters), game[0].ended_ms
    known = [work.changed[row.player_id] if row.player_id in work.changed else _before(work, row) for row in game]
    before = [fresh if one is None else one[0] for one in known]
    if len(game) == 2:
        away = [0.0 if one is None else periods_of(now_ms - one[1]) for one in known]
        first, second = before
        after: Sequence[Rating] = rate_game(first, second, game[0].halves / 2, (away[0], away[1]), work.parameters)
    else:
        (row,), (mine,) = game, before
        after = [Rating(mine.value + row.after - row.before, row.deviation, row.volatility or mine.volatility)]
    for row, was, rating in zip(game, before, after, strict=True):
        values = {"before": was.value, "after": rating.value}
        values |= {"deviation": rating.deviation, "volatility": rating.volatility}
        mine_there = (meetings.c.player_id == row.player_id, meetings.c.run_id == row.run_id)
        work.connection.execute(update(meetings).where(*mine_there).values(values))
        work.changed[row.player_id] = rating, now_ms


def _before(work: _Rerating, row: Row[Any]) -> tuple[Rating, int] | None:
    """How somebody stood before that game, and since when."""
    mine = (meetings.c.player_id == row.player_id, meetings.c.game == work.pool, meetings.c.why_not.is_(None))
    earlier = tuple_(meetings.c.ended_ms, meetings.c.run_id) < (row.ended_ms, row.run_id)
    query = select(meetings).where(*mine, earlier).order_by(meetings.c.ended_ms.desc(), meetings.c.run_id.desc())
    last = work.connection.execute(query.limit(1)).one_or_none()
    if last is None:
        return None
    return Rating(last.after, last.deviation, last.volatility or newcomer(work.parameters).volatility), last.ended_ms


def _keep(work: _Rerating, player_id: str, now: tuple[Rating, int] | None) -> None:
    mine = (ratings.c.player_id == player_id, ratings.c.pool == work.pool)
    if now is None:
        work.connection.execute(delete(ratings).where(*mine))
        return
    rating, rated_ms = now
    theirs = (meetings.c.player_id == player_id, meetings.c.game == work.pool, meetings.c.why_not.is_(None))
    values = {"value": rating.value, "deviation": rating.deviation, "volatility": rating.volatility}
    games = work.connection.scalar(select(func.count()).where(*theirs))
    work.connection.execute(update(ratings).where(*mine).values(**values, rated_ms=rated_ms, games=games))
