"""Players as others see them: boards of results and of skill, and a page for everybody. Who is hidden or banned is on
no board, and has no page but for themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from sqlalchemy import Connection

from dicehall.people.clocks import SECOND
from dicehall.people.glicko import BOARD, POOLS, aged, periods_of
from dicehall.people.skill import FEWEST_RUNS, NORMAL, OLDEST, course
from dicehall.server.api.common import PROBLEMS, MeOrNobody, NotFound, TheHall
from dicehall.server.models.players import (
    Against,
    By,
    Encounter,
    Estimate,
    Mine,
    OtherPlayer,
    PlayerPage,
    PoolPlayed,
    Rated,
    RatedThen,
    RatingBoard,
    Results,
    SkillShown,
    SkillThen,
    WhyOff,
)
from dicehall.server.modes import day_of
from dicehall.store import players, ratings, skills
from dicehall.store.players import Player
from dicehall.store.ratings import Meeting, Standing
from dicehall.store.skills import Skilled

router = APIRouter(prefix="/api", tags=["people"], responses=PROBLEMS)
CURVE: Final = 200  # games
RECENT: Final = 20  # games
OUTCOMES: Final = ("lost", "drawn", "won")  # by halves


@router.get("/ratings/{pool}")
async def rating_board(
    pool: str, hall: TheHall, me: MeOrNobody, by: By = "results", limit: Annotated[int, Query(ge=1, le=100)] = 20
) -> RatingBoard:
    """Who is best against people in a pool, by results or by skill; of whom enough is known."""
    if pool not in POOLS:
        raise NotFound("pool", "games are rated in no such pool")
    now_ms = hall.now_ms()
    return await hall.read(lambda c: _board(c, pool, by, now_ms, me, limit))


def _board(connection: Connection, pool: str, by: By, now_ms: int, me: Player | None, limit: int) -> RatingBoard:
    better: Callable[[float], int]
    told: list[tuple[str, str, Results | SkillShown]]
    own: Results | SkillShown | None = None
    if by == "results":
        better = partial(ratings.better, connection, pool, now_ms)
        told = [
            (one.player_id, name, _results(one, now_ms)) for one, name in ratings.board(connection, pool, now_ms, limit)
        ]
        if me is not None:
            own = next((_results(one, now_ms) for one in ratings.of(connection, me.id) if one.pool == pool), None)
    else:
        better = partial(skills.better, connection, pool)
        told = [(one.player_id, name, _skill(one)) for one, name in skills.board(connection, pool, limit)]
        if me is not None and (kept := skills.of(connection, me.id).get(pool)) is not None:
            own = _skill(kept)
    mine = None
    if me is not None:
        why = _why_off(own)
        place = None if own is None or why else better(own.value) + 1
        mine = Mine(player=me.id, nickname=me.nickname, place=place, why=why, known=own)
    entries = [
        Rated(**_estimate(one), place=place, player=who, nickname=name)
        for place, (who, name, one) in zip(_places([one.value for _, _, one in told]), told, strict=True)
    ]
    return RatingBoard(pool=pool, by=by, entries=entries, mine=mine)


def _why_off(own: Results | SkillShown | None) -> WhyOff | None:
    """Why somebody is not on the board; None: they are."""
    if own is None:
        return "none"
    if isinstance(own, SkillShown) and own.games < own.needs:
        return "too-few"
    if own.provisional:
        return "provisional"
    return "uncertain" if isinstance(own, Results) and own.deviation >= BOARD else None


@router.get("/players/{player_id}")
async def player_page(player_id: str, hall: TheHall, me: MeOrNobody) -> PlayerPage:
    """Somebody's ratings and skill, and their games against people, as far as they are others' business."""
    now_ms = hall.now_ms()
    found = await hall.read(lambda c: _page(c, player_id, me, now_ms))
    if found is None:
        raise NotFound("player", "there is no such player")
    return found


def _page(connection: Connection, player_id: str, me: Player | None, now_ms: int) -> PlayerPage | None:
    shown_to = None if me is None else me.id
    player = players.find(connection, player_id)
    if player is None or (player.barred is not None and player.id != shown_to):
        return None
    between = ratings.between(connection, shown_to, player_id) if shown_to else []
    return PlayerPage(
        id=player.id,
        nickname=player.nickname,
        since=day_of(player.created_at),
        me=player.id == shown_to,
        pools=_pools(connection, player_id, now_ms),
        against=[Against(**one._asdict()) for one in between],
        recent=[_encounter(one) for one in ratings.recent(connection, player_id, shown_to, RECENT)],
    )


def _pools(connection: Connection, player_id: str, now_ms: int) -> list[PoolPlayed]:
    known, skilled = {one.pool: one for one in ratings.of(connection, player_id)}, skills.of(connection, player_id)
    unseen = skills.unseen(connection, player_id)
    return [
        PoolPlayed(
            pool=pool,
            results=_results(known[pool], now_ms) if pool in known else None,
            results_curve=[
                RatedThen(at=at // SECOND, value=value, deviation=deviation)
                for at, value, deviation in ratings.curve(connection, player_id, pool, CURVE)
            ],
            skill=_skill(skilled[pool]) if pool in skilled else None,
            skill_curve=_skill_curve(connection, player_id, pool),
            unseen=unseen.get(pool, 0),
        )
        for pool in POOLS
        if pool in known or pool in skilled
    ]


def _skill_curve(connection: Connection, player_id: str, pool: str) -> list[SkillThen]:
    runs = skills.newest(connection, player_id, pool, OLDEST + CURVE)
    values = course(pool, [run for _, run in runs], CURVE)
    ends = [at // SECOND for at, _ in reversed(runs[:CURVE])]
    return [SkillThen(at=at, value=value) for at, value in zip(ends, values, strict=True) if value is not None]


def _results(one: Standing, now_ms: int) -> Results:
    """As they are by now."""
    now = aged(one.rating, periods_of(now_ms - one.rated_ms))
    either = NORMAL * now.deviation
    return Results(
        value=now.value,
        low=now.value - either,
        high=now.value + either,
        games=one.games,
        provisional=now.provisional,
        deviation=now.deviation,
    )


def _skill(one: Skilled) -> SkillShown:
    return SkillShown(
        value=one.value, low=one.low, high=one.high, games=one.runs, provisional=one.provisional, needs=FEWEST_RUNS
    )


def _estimate(one: Estimate) -> dict[str, Any]:
    return {name: getattr(one, name) for name in Estimate.model_fields}


def _places(values: Sequence[float]) -> list[int]:
    """From the best on; equal values share a place."""
    return [values.index(value) + 1 for value in values]


def _encounter(one: Meeting) -> Encounter:
    known = one.other is not None
    return Encounter(
        run=one.run_id,
        game=one.game,
        other=OtherPlayer(player=one.other_id if known else None, nickname=one.other or ""),
        outcome=None if one.why_not == "ended" else OUTCOMES[one.halves],
        before=one.before,
        after=one.after,
        why_not=one.why_not,
        finished_at=one.ended_ms // SECOND,
    )
