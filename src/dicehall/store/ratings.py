"""Ratings, and the games of two people that they follow from. A game is rated in the transaction that keeps its run, so
once and not twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, func, insert, select, update

from dicehall.people.glicko import BOARD, DAY_MS, POOLS, Rating, newcomer, periods_of, rate_game
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


def note(connection: Connection, game: Game, rated: bool) -> WhyNot | None:
    """Keep that they have met, and where they have agreed that it is `rated`, rate them; or why not."""
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
    same = {"run_id": game.run_id, "game": game.game, "ended_ms": game.ended_ms}
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


def board(connection: Connection, pool: str, limit: int) -> list[tuple[Standing, str]]:
    """The best of a pool of whom enough is known, with their nicknames; who is hidden is not among them."""
    query = (
        select(ratings, players.c.nickname)
        .join(players, players.c.id == ratings.c.player_id)
        .where(ratings.c.pool == pool, ratings.c.deviation < BOARD, players.c.barred.is_(None))
        .order_by(ratings.c.value.desc(), ratings.c.player_id)
        .limit(limit)
    )
    return [(_standing(row), row.nickname) for row in connection.execute(query)]


def score(connection: Connection, player_id: str, other_id: str) -> tuple[int, int]:
    """How many games the two have played, and how many halves the first has of them."""
    together = (meetings.c.player_id == player_id, meetings.c.other_id == other_id)
    games, halves = connection.execute(select(func.count(), func.sum(meetings.c.halves)).where(*together)).one()
    return int(games), int(halves or 0)


def met_enough(connection: Connection, player_id: str, now_ms: int) -> frozenset[str]:
    """Whom the player has had the most rated games with that there are in a day."""
    today = (meetings.c.player_id == player_id, meetings.c.ended_ms >= day_of(now_ms) * DAY_MS)
    query = select(meetings.c.other_id).where(*today, meetings.c.why_not.is_(None)).group_by(meetings.c.other_id)
    return frozenset(connection.scalars(query.having(func.count() >= MOST_A_DAY)))


def curve(connection: Connection, player_id: str, pool: str, limit: int) -> list[tuple[int, float, float]]:
    """The newest ratings of a player in a pool, the oldest first: when, the rating, its deviation."""
    mine = (meetings.c.player_id == player_id, meetings.c.game == pool, meetings.c.after.is_not(None))
    query = select(meetings.c.ended_ms, meetings.c.after, meetings.c.deviation).where(*mine)
    newest = connection.execute(query.order_by(meetings.c.ended_ms.desc()).limit(limit)).all()
    return [(at, value, deviation) for at, value, deviation in reversed(newest)]


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
