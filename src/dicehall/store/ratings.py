"""Ratings, and the games of two people that they follow from. A game is rated in the transaction that keeps its run, so
once and not twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, case, func, insert, or_, select, update

from dicehall.people.glicko import BOARD, DAY_MS, PERIODS_A_DAY, POINTS, POOLS, Rating, newcomer, periods_of, rate_game
from dicehall.people.rated import MOST_A_DAY, Played, WhyNot, day_of, why_not_rated
from dicehall.store.schema import meetings, players, ratings
from dicehall.store.upsert import insert_into

MOST_ASKED: Final = 500  # players in one question


class Standing(NamedTuple):
    """Somebody's rating in a pool."""

    player_id: str
    pool: str
    rating: Rating
    games: int
    rated_ms: int


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game of two people, by seat: `halves` are 2 for a win and 1 for a draw."""

    run_id: str
    game: str
    pool: str | None
    players: tuple[str, str]
    halves: tuple[int, int]
    networks: tuple[str | None, str | None]
    moves: tuple[int, int]
    ended: bool  # without winners, by the hall or whoever runs it
    gone: int | None  # the seat that departed, and ended it by that
    ended_ms: int


class Meeting(NamedTuple):
    """A game of two people, as one of them had it."""

    run_id: str
    game: str
    other_id: str
    other: str | None  # the nickname; None: gone, or hidden
    halves: int
    why_not: str | None
    before: float | None
    after: float | None
    ended_ms: int


class Between(NamedTuple):
    """What two have made of their games, in one game."""

    game: str
    games: int
    mine: int  # halves: 2 for a win, 1 for a draw
    theirs: int


def note(connection: Connection, game: Game, rated: bool, watched: bool = False) -> WhyNot | None:
    """Keep that they have met, and where they have agreed that it is `rated`, rate them; or why not. `watched`: whether
    others may know of it."""
    first, second = game.players
    for player_id in sorted(game.players):  # in one order, so that nobody waits for somebody who waits for them
        connection.execute(select(players.c.id).where(players.c.id == player_id).with_for_update(key_share=True))
    since = day_of(game.ended_ms) * DAY_MS
    together = (meetings.c.player_id == first, meetings.c.other_id == second, meetings.c.ended_ms >= since)
    earlier = connection.scalar(select(func.count()).where(*together, meetings.c.why_not.is_(None)))
    why = why_not_rated(
        Played(rated, game.pool, game.players, game.networks, game.moves, game.ended, game.gone, int(earlier or 0))
    )
    rows: list[dict[str, Any]] = [
        {"player_id": mine, "other_id": theirs, "halves": halves, "why_not": why}
        for mine, theirs, halves in ((first, second, game.halves[0]), (second, first, game.halves[1]))
    ]
    if why is None and game.pool is not None:
        for row, (before, after) in zip(rows, _rate(connection, game, game.pool), strict=True):
            row |= {"before": before.value, "after": after.value}
            row |= {"deviation": after.deviation, "volatility": after.volatility}
    same = {"run_id": game.run_id, "game": game.game, "ended_ms": game.ended_ms, "watched": watched}
    for row in rows:
        connection.execute(insert(meetings).values(row | same))
    return why


def of(connection: Connection, player_id: str) -> list[Standing]:
    """All ratings of a player."""
    found = connection.execute(select(ratings).where(ratings.c.player_id == player_id).order_by(ratings.c.pool))
    return [_standing(row) for row in found]


def in_pool(connection: Connection, player_id: str, pool: str) -> Rating:
    """A player's rating there; a newcomer's, if there has been no game."""
    mine = select(ratings).where(ratings.c.player_id == player_id, ratings.c.pool == pool)
    row = connection.execute(mine).one_or_none()
    return newcomer(POOLS[pool]) if row is None else _standing(row).rating


def values(connection: Connection, asked: Sequence[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """Of these players, each with a pool, the ratings as whole numbers; who has none there is left out."""
    found: dict[tuple[str, str], int] = {}
    wanted, everybody = set(asked), sorted({player_id for player_id, _ in asked})
    for n in range(0, len(everybody), MOST_ASKED):
        theirs = ratings.c.player_id.in_(everybody[n : n + MOST_ASKED])
        rows = connection.execute(select(ratings.c.player_id, ratings.c.pool, ratings.c.value).where(theirs))
        found |= {(player, pool): round(value) for player, pool, value in rows if (player, pool) in wanted}
    return found


def board(connection: Connection, pool: str, now_ms: int, limit: int) -> list[tuple[Standing, str]]:
    """The best of a pool of whom enough is known by now, with their nicknames; who is hidden is not among them."""
    query = (
        select(ratings, players.c.nickname)
        .join(players, players.c.id == ratings.c.player_id)
        .where(*_listed(pool, now_ms))
        .order_by(ratings.c.value.desc(), ratings.c.player_id)
        .limit(limit)
    )
    return [(_standing(row), row.nickname) for row in connection.execute(query)]


def better(connection: Connection, pool: str, now_ms: int, value: float) -> int:
    """How many on the board are better than that."""
    query = select(func.count()).select_from(ratings).join(players, players.c.id == ratings.c.player_id)
    return int(connection.scalar(query.where(*_listed(pool, now_ms), ratings.c.value > value)) or 0)


def between(connection: Connection, player_id: str, other_id: str) -> list[Between]:
    """What the first has made of the games of the two that had an end, rated or not."""
    told = meetings.c
    had_an_end = or_(told.why_not.is_(None), told.why_not != "ended")
    together = (told.player_id == player_id, told.other_id == other_id, had_an_end)
    query = select(told.game, func.count(), func.sum(told.halves)).where(*together).group_by(told.game)
    found = connection.execute(query.order_by(told.game))
    return [Between(game, int(games), int(halves), 2 * int(games) - int(halves)) for game, games, halves in found]


def recent(connection: Connection, player_id: str, shown_to: str | None, limit: int) -> list[Meeting]:
    """The player's newest games with one other person, the newest first. Of those that nobody might watch only the two
    are told who have played them."""
    told = meetings.c
    query = (
        select(told.run_id, told.game, told.other_id, players.c.nickname, told.halves, told.why_not)
        .add_columns(told.before, told.after, told.ended_ms)
        .select_from(meetings.outerjoin(players, (players.c.id == told.other_id) & players.c.barred.is_(None)))
        .where(told.player_id == player_id)
    )
    if shown_to != player_id:
        query = query.where(or_(told.watched, told.other_id == (shown_to or "")))
    newest = query.order_by(told.ended_ms.desc(), told.run_id.desc()).limit(limit)
    return [Meeting(*row) for row in connection.execute(newest)]


def met_enough(connection: Connection, player_id: str, now_ms: int) -> frozenset[str]:
    """Whom the player has had the most rated games with that there are in a day."""
    today = (meetings.c.player_id == player_id, meetings.c.ended_ms >= day_of(now_ms) * DAY_MS)
    query = select(meetings.c.other_id).where(*today, meetings.c.why_not.is_(None)).group_by(meetings.c.other_id)
    return frozenset(connection.scalars(query.having(func.count() >= MOST_A_DAY)))


def curve(connection: Connection, player_id: str, pool: str, limit: int) -> list[tuple[int, float, float]]:
    """The newest ratings of a player in a pool, the oldest first: when, the rating, its deviation."""
    mine = (meetings.c.player_id == player_id, meetings.c.game == pool, meetings.c.after.is_not(None))
    query = select(meetings.c.ended_ms, meetings.c.after, meetings.c.deviation).where(*mine)
    newest = connection.execute(query.order_by(meetings.c.ended_ms.desc(), meetings.c.run_id.desc()).limit(limit)).all()
    return [(at, value, deviation) for at, value, deviation in reversed(newest)]


def _listed(pool: str, now_ms: int) -> tuple[ColumnElement[bool], ...]:
    """Who is on the board: less and less is known of those who do not play (`glicko.aged`)."""
    away_ms = case((ratings.c.rated_ms < now_ms, now_ms - ratings.c.rated_ms), else_=0)
    periods = away_ms * (PERIODS_A_DAY / DAY_MS)
    steady = ratings.c.volatility * POINTS
    unknown = ratings.c.deviation * ratings.c.deviation + steady * steady * periods
    return ratings.c.pool == pool, unknown < BOARD**2, players.c.barred.is_(None)


def _rate(connection: Connection, game: Game, pool: str) -> Sequence[tuple[Rating, Rating]]:
    """Both, as they were and as they are now."""
    known = {one.player_id: one for player_id in game.players for one in of(connection, player_id) if one.pool == pool}
    fresh = newcomer(POOLS[pool])
    before = [known[one].rating if one in known else fresh for one in game.players]
    away = [periods_of(game.ended_ms - known[one].rated_ms) if one in known else 0.0 for one in game.players]
    after = rate_game(before[0], before[1], game.halves[0] / 2, (away[0], away[1]), POOLS[pool])
    for player_id, rating in zip(game.players, after, strict=True):
        values = {"value": rating.value, "deviation": rating.deviation, "volatility": rating.volatility}
        values |= {"rated_ms": game.ended_ms}
        key = {"player_id": player_id, "pool": pool}
        if player_id in known:
            mine = (ratings.c.player_id == player_id, ratings.c.pool == pool)
            connection.execute(update(ratings).where(*mine).values(**values, games=ratings.c.games + 1))
        else:
            connection.execute(insert_into(connection, ratings).values(**key, **values, games=1))
    return list(zip(before, after, strict=True))


def _standing(row: Any) -> Standing:
    return Standing(row.player_id, row.pool, Rating(row.value, row.deviation, row.volatility), row.games, row.rated_ms)
