"""One's own play in figures."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Final

from fastapi import APIRouter, Query
from sqlalchemy import Connection

from dicehall.server import figures, modes
from dicehall.server.api.common import PROBLEMS, Network, TheHall, TheMe
from dicehall.server.crew import Busy, TooLong
from dicehall.server.hall import Hall
from dicehall.server.models.statistics import RecentRun, RunKind, Statistics, VariantLuck, VariantScores
from dicehall.server.statistics import (
    Variant,
    calendar_start,
    compare_scores,
    objective_of,
    statistics,
    variant_of,
)
from dicehall.store import daily, runs
from dicehall.store import figures as kept
from dicehall.store.figures import Figures, Recent

router = APIRouter(prefix="/api/me/statistics", responses=PROBLEMS, tags=["players"])
Game = Annotated[str, Query(max_length=40)]
Mode = Annotated[str, Query(max_length=500)]
Seats = Annotated[int, Query(ge=1, le=6)]
COUNTED_AT_ONCE: Final = 500  # runs, if there is time for so many
RECENT: Final = 24  # runs that the coach looks at


@router.get("")
async def my_statistics(hall: TheHall, me: TheMe, network: Network, kind: RunKind = "ranked") -> Statistics:
    """My finished runs, added up by game, options and seats. Runs that nobody has asked about before are replayed
    first, some hundred at a time; `uncounted` says how many are left."""
    await _count(hall, me.id, network)
    today = modes.day_of(hall.clock())

    def look(connection: Connection) -> Statistics:
        return statistics(
            kept.groups(connection, me.id),
            kind,
            kept.count_uncounted(connection, me.id),
            daily.streak(connection, me.id, today),
            today,
            daily.days_played(connection, me.id, calendar_start(today)),
        )

    return await hall.read(look)


@router.get("/scores")
async def my_scores(
    hall: TheHall, me: TheMe, network: Network, game: Game, variant: Mode = "standard", seats: Seats = 1,
    kind: RunKind = "ranked",
) -> VariantScores:  # fmt: skip
    """How my runs of one variant ended, beside perfect play's where that is known."""
    asked = Variant(game, variant, seats)
    scores = await hall.read(lambda c: kept.scores(c, me.id, game, _modes(c, me.id, asked), kind))
    return await hall.questions.ask(network, compare_scores, asked, scores)


@router.get("/luck")
async def my_luck(
    hall: TheHall, me: TheMe, network: Network, game: Game, variant: Mode = "standard", seats: Seats = 1,
    kind: RunKind = "ranked",
) -> VariantLuck:  # fmt: skip
    """Accuracy and luck of my newest runs of one variant. The coach looks at some of them with each question;
    `unjudged` says how many are left."""
    asked = Variant(game, variant, seats)
    newest = await hall.read(lambda c: kept.recent(c, me.id, game, _modes(c, me.id, asked), kind, RECENT))
    newest = await _judge(hall, me.id, network, newest)
    judged = [one for one in newest if one.objective is not None]
    about = next((one.objective for one in judged if one.objective), "")
    objective = objective_of(asked, about) if about else None
    return VariantLuck(
        about=objective,
        recent=[_recent(one) for one in reversed(judged) if objective and one.objective == about],
        unjudged=len(newest) - len(judged),
    )


def _modes(connection: Connection, player_id: str, asked: Variant) -> list[str]:
    """The modes of that variant that the player has played in, whoever else sat there."""
    return [mode for mode in kept.modes(connection, player_id, asked.game) if variant_of(asked.game, mode) == asked]


def _recent(one: Recent) -> RecentRun:
    return RecentRun(run=one.run_id, finished_at=one.finished_at, score=one.score, accuracy=one.accuracy, luck=one.luck)


async def _count(hall: Hall, player_id: str, network: str) -> None:
    """Replay some runs that have no figures yet, and keep what they say. What cannot be done now is done another
    time."""
    missing = await hall.read(lambda c: kept.uncounted(c, player_id, COUNTED_AT_ONCE))
    if not missing:
        return
    with suppress(Busy, TooLong):
        hall.disk.check_room()
        counted = await hall.questions.ask(network, figures.count_some, [(one.record, one.seat) for one in missing])
        found = [
            Figures(
                player_id,
                run.run_id,
                figures.kind_of(run.record, run.ranked, run.repeated),
                told.outcome,
                told.parts,
                told.hits,
            )
            for run, told in zip(missing, counted, strict=False)
        ]
        await hall.write(lambda c: kept.keep(c, found))


async def _judge(hall: Hall, player_id: str, network: str, newest: list[Recent]) -> list[Recent]:
    """The same runs, after the coach has looked at some of those that it has not seen yet."""
    unseen = {one.run_id: one.seat for one in newest if one.objective is None}
    if not unseen:
        return newest
    told: dict[str, figures.Judged] = {}
    with suppress(Busy, TooLong):
        hall.disk.check_room()
        records = await hall.read(lambda c: runs.records(c, list(unseen)))
        judged = await hall.questions.ask(
            network, figures.judge_some, [(records[name], seat) for name, seat in unseen.items()]
        )
        told = dict(zip(unseen, judged, strict=False))
        await hall.write(lambda c: kept.keep_judged(c, player_id, [(name, *one) for name, one in told.items()]))
    return [one._replace(**told[one.run_id]._asdict()) if one.run_id in told else one for one in newest]
