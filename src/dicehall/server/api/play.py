"""Games, tables and runs."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Response
from fastapi.responses import StreamingResponse

from dicehall.bots.catalog import catalog_entry
from dicehall.bots.seats import YOU
from dicehall.dice import commitment
from dicehall.errors import InvalidOption
from dicehall.play.contributions import among_people
from dicehall.play.film import Frame
from dicehall.play.record import from_json
from dicehall.play.share import Beside, compare
from dicehall.rules.catalog import GAMES
from dicehall.rules.game import Aim, Result
from dicehall.server import coach, jobs
from dicehall.server.api.common import (
    PAGE,
    PROBLEMS,
    Ask,
    Hidden,
    MeOrNobody,
    Network,
    NotFound,
    TheGame,
    TheHall,
    TheMe,
    read_cursor,
    write_cursor,
)
from dicehall.server.hall import Hall
from dicehall.server.jobs import as_json
from dicehall.server.live import LiveTable
from dicehall.server.models.common import Model
from dicehall.server.models.runs import CheckRecord, Pace, PlayedBy, RunInfo, RunPage, Shared, Verdict
from dicehall.server.models.tables import Playable, TableInfo, Target
from dicehall.server.wire import OpenTable
from dicehall.store import daily, players, runs, tables
from dicehall.store.players import Player
from dicehall.store.runs import Run
from dicehall.store.tables import SavedTable

router = APIRouter(prefix="/api", responses=PROBLEMS)
Limit = Annotated[int, Query(ge=1, le=100)]
Cursor = Annotated[str | None, Query(max_length=300)]


@router.get("/games", tags=["games"])
async def games() -> list[dict[str, Any]]:
    """The catalog: every game with its options, presets and players."""
    return [catalog_entry(game) for game in GAMES.values()]


@router.get("/games/{game_id}", tags=["games"])
async def one_game(game: TheGame) -> dict[str, Any]:
    return catalog_entry(game)


@router.get("/games/{game_id}/playable", tags=["games"], response_model=Playable)
async def playable(
    game: TheGame,
    ask: Ask,
    seats: Annotated[int, Query(ge=1, le=100)] = 1,
    mode: Annotated[str, Query(max_length=500)] = "standard",
) -> Response:
    """Whether the options of a mode and `seats` seats go together, before anybody tries to open a table; and whether
    what they ask for can be reached."""
    return await ask.once(as_json, coach.playable, game.id, mode, seats)


@router.get("/games/{game_id}/targets", tags=["games"], response_model=list[Target])
async def targets(game: TheGame, ask: Ask, mode: Annotated[str, Query(max_length=500)] = "standard") -> Response:
    """Results to chase alone, with the chance of each under perfect play: none first, then those of the rules, then
    those that fit the variant. Empty where a game, or a way of playing it, has none."""
    return await ask.once(coach.targets, game.id, mode)


@router.post("/tables", tags=["tables"], status_code=201)
async def open_table(asked: Annotated[OpenTable, Body()], hall: TheHall, me: TheMe, network: Network) -> TableInfo:
    """Sit down at a new table; play over its socket, /ws/tables/{id}."""
    return _table(await hall.open_table(me.id, asked, network))


@router.get("/tables", tags=["tables"])
async def my_tables(hall: TheHall, me: TheMe) -> list[TableInfo]:
    """The tables I have not finished, newest first."""
    return [saved_info(saved) for saved in await hall.read(lambda c: tables.open_tables(c, me.id))]


@router.get("/tables/{table_id}", tags=["tables"])
async def my_table(table_id: str, hall: TheHall, me: TheMe, network: Network) -> TableInfo:
    live = await hall.find_table(me.id, table_id, network)
    hall.let_go(live)
    return _table(live)


@router.get("/tables/{table_id}/film", tags=["tables"], response_model=list[Frame])
async def table_film(table_id: str, hall: TheHall, me: TheMe, network: Network, ask: Ask) -> Response:
    """What has happened at my table so far, step by step, from its start."""
    live = await hall.settled_table(me.id, table_id, network)
    record = live.table.record().to_json()
    hall.let_go(live)
    return await ask(jobs.film, record)


@router.delete("/tables/{table_id}", tags=["tables"], status_code=204)
async def leave_table(table_id: str, hall: TheHall, me: TheMe) -> None:
    """Give an unfinished table up, a damaged one too."""
    await hall.leave(me.id, table_id)


@router.get("/runs", tags=["runs"])
async def my_runs(hall: TheHall, me: TheMe, limit: Limit = 20, cursor: Cursor = None) -> RunPage:
    """My finished runs, newest first."""
    before = read_cursor(cursor, (int, str))
    found = await hall.read(lambda c: runs.history(c, me.id, limit, before))
    following = (found[-1].finished_at, found[-1].id) if len(found) == limit else None
    told, together = [_run(run, me.id) for run in found], [run for run in found if len(run.people) > 1]
    names = await hall.read(lambda c: players.names(c, {one.player_id for run in together for one in run.people}))
    for run, info in zip(found, told, strict=True):
        if run in together:
            info.people = _people(run, names)
    return RunPage(runs=told, next=write_cursor(following))


@router.get("/runs/best", tags=["runs"])
async def my_best(hall: TheHall, me: TheMe, game: str, mode: str = "standard") -> RunInfo:
    """My best run of a game and mode."""
    return _run_or_nothing(await hall.read(lambda c: runs.best(c, me.id, game, mode)), me)


@router.get("/runs/last", tags=["runs"])
async def my_last(hall: TheHall, me: TheMe, game: str) -> RunInfo:
    """My last run of a game: its seed and its board are in the record."""
    return _run_or_nothing(await hall.read(lambda c: runs.last(c, me.id, game)), me)


@router.get("/runs/{run_id}", tags=["runs"])
async def one_run(run_id: str, hall: TheHall, me: MeOrNobody) -> RunInfo:
    """A finished run, for anybody who has its id: to replay, to learn from, to check. A run of today's daily is shown
    to its own player and to those who have finished their first attempt; one of a duel to its own player, as long as
    others play."""
    today = await hall.today()
    run = await hall.read(lambda c: runs.get(c, run_id))
    if run is not None and not await _may_see(hall, me, run, today):
        if run.day is None:
            raise Hidden("duel-hidden", "others still play these dice; they are shown when all are done")
        raise Hidden("daily-hidden", "today's dice are shown to those who have finished their first attempt")
    found = _run_or_nothing(run, me)
    there = () if run is None else run.people
    names = await hall.read(lambda c: players.names(c, {one.player_id for one in there}))
    found.people = [] if run is None else _people(run, names)
    found.nickname = next((one.nickname for one in found.people if one.player == found.player), "")
    return found


@router.get("/runs/{run_id}/share", tags=["runs"], response_model=Shared)
async def share(
    run_id: str, hall: TheHall, me: MeOrNobody, ask: Ask, by: Annotated[str | None, Query(max_length=40)] = None
) -> Response:
    """A finished run as it may be shown to everybody: who, with what result, and each part of it in a word. Of today's
    daily nothing tells a die, and the words are for those who may see the run: of many runs of the same dice, words and
    scores together would tell most of them. `by`: another run of the same mode, and whether it has beaten this one."""
    run, today = await hall.read(lambda c: runs.get(c, run_id)), await hall.today()
    info = _run_or_nothing(run, me)
    seen = run is not None and await _may_see(hall, me, run, today)
    if run is not None and _in_open_duel(run) and not seen:
        raise Hidden("duel-hidden", "this run is shown when the others have played these dice")
    other = None if by is None else await hall.read(lambda c: runs.get(c, by))
    about = info.model_dump(include={*Shared.model_fields}) | {
        "nickname": "" if info.player is None else await _nickname(hall, info.player),
        "seats": info.record["seats"],
        "hidden": info.day is not None and info.day >= today,
        "compared": None
        if other is None or (other.game, other.mode) != (info.game, info.mode)
        else _compared(other, info),
    }
    return await ask(jobs.shared, about, info.record, seen)


@router.get("/runs/{run_id}/pace", tags=["runs"], response_model=Pace)
async def pace(
    run_id: str, hall: TheHall, me: TheMe, network: Network, ask: Ask, table: Annotated[str, Query(max_length=40)]
) -> Response:
    """How somebody's run of today's daily stood when it had used no more dice than mine at this `table` has; all of it
    when mine is over. So nobody learns a die in advance."""
    live = await hall.settled_table(me.id, table, network)
    mine, dice = live.saved, None if live.table.is_over else live.table.dice_used
    hall.let_go(live)
    run = await hall.read(lambda c: runs.get(c, run_id))
    of_mine = None if run is None else (run.day, run.game, run.mode)
    if run is None or mine.kind != "daily" or len(mine.seats) != 1 or of_mine != (mine.day, mine.game, mine.mode):
        raise InvalidOption("pace", "that run is not one of the daily that is played here")
    return await ask(jobs.pace, run.record, dice)


@router.get("/runs/{run_id}/film", tags=["runs"], response_model=list[Frame])
async def film(run_id: str, hall: TheHall, me: MeOrNobody, ask: Ask) -> Response:
    """A finished run step by step, as an onlooker saw it: the start, then every roll and move."""
    return await ask(jobs.film, (await one_run(run_id, hall, me)).record)


@router.get("/runs/{run_id}/proof", tags=["proof"], response_model=Verdict)
async def proof(run_id: str, hall: TheHall, me: MeOrNobody, ask: Ask) -> Response:
    """Check every step and every die of a run, here and now."""
    return await ask(jobs.verdict, json.dumps((await one_run(run_id, hall, me)).record))


@router.post("/records/check", tags=["proof"], response_model=Verdict)
async def check_record(asked: CheckRecord, ask: Ask) -> Response:
    """Check any record. Nothing is kept, and nothing that comes from outside ever enters a board."""
    jobs.check_length(asked.record)
    return await ask(jobs.verdict, asked.record if isinstance(asked.record, str) else json.dumps(asked.record))


@router.get("/export/ranked.jsonl", tags=["proof"], response_class=StreamingResponse)
async def export_ranked(hall: TheHall, network: Network) -> StreamingResponse:
    """Every finished ranked record, one a line, oldest first; without those of today's dailies."""
    lines = hall.downloads.start(network, _ranked_lines(hall, await hall.today()))
    return StreamingResponse(lines, media_type="application/x-ndjson")


async def _ranked_lines(hall: Hall, today: str) -> AsyncIterator[str]:
    """Page by page: no connection is held while the client takes its time."""
    after = None
    while True:
        page = await hall.read(partial(runs.ranked_page, today=today, after=after, limit=PAGE))
        if not page:
            return
        yield "".join(f"{record}\n" for _, record in page)
        after = page[-1][0]


def _table(live: LiveTable) -> TableInfo:
    info = saved_info(live.saved)
    info.view, info.first = live.snapshot.view, live.first
    return info


def saved_info(saved: SavedTable) -> TableInfo:
    own = commitment(saved.secret) if saved.secret is not None else None
    same = _common(TableInfo, saved)
    return TableInfo(**same | {"seats": list(saved.seats)}, commitment=own, count=len(saved.steps.split()))


def _common(model: type[Model], stored: SavedTable | Run) -> dict[str, Any]:
    """What a model tells as the store has it."""
    return {name: getattr(stored, name) for name in model.model_fields if hasattr(stored, name)}


async def _may_see(hall: Hall, me: Player | None, run: Run, today: str) -> bool:
    """Whether a run tells nothing that somebody else still has to find out."""
    day = run.day
    others_play = _in_open_duel(run)
    if not others_play and (day is None or day < today):
        return True
    if me is None:
        return False
    if any(one.player_id == me.id for one in run.people):
        return True
    if others_play or day is None:
        return False
    return await hall.read(lambda c: daily.may_see(c, day, run.game, run.mode, me.id))


def _in_open_duel(run: Run) -> bool:
    """Whether others still play the dice of this run, which says nothing of the secret yet."""
    dice = run.record["dice"]
    return len(run.record["seats"]) == 1 and "contributions" in dice and "secret" not in dice


def _people(run: Run, names: Mapping[str, str]) -> list[PlayedBy]:
    return [PlayedBy(player=one.player_id, seat=one.seat, nickname=names.get(one.player_id, "")) for one in run.people]


async def _nickname(hall: Hall, player_id: str) -> str:
    player = await hall.read(lambda c: players.find(c, player_id))
    return player.nickname if player is not None and player.barred is None else ""


def _compared(run: Run, info: RunInfo) -> Beside:
    """Whether `run` has beaten the other one; seats are those of the person, or the first of them."""
    mine, theirs = (Result(**record["result"]) for record in (run.record, info.record))
    played = run.of(None)
    seat = played.seat if played is not None else run.record["seats"].index(YOU)
    return compare(mine, theirs, (seat, info.seat), Aim(info.aim, info.lower_is_better))


def _run_or_nothing(run: Run | None, me: Player | None) -> RunInfo:
    if run is None:
        raise NotFound("run", "there is no such run")
    return _run(run, None if me is None else me.id)


def _run(run: Run, player_id: str | None) -> RunInfo:
    played, several = run.of(player_id), among_people(run.record)
    seat = run.record["seats"].index(YOU) if played is None else played.seat
    return RunInfo(
        **_common(RunInfo, run) | {"people": []},
        **ending(run.record, seat if several else None),
        player=None if played is None else played.player_id,
        seat=seat,
        score=run.record["result"]["scores"][seat],
        dice_seed=_dice_seed(run),
    )


def ending(record: Mapping[str, Any], seat: int | None = None) -> dict[str, Any]:
    """How a run ended, from its record: what it says of all seats, and of one of them: of `seat`, or else of the one
    person among several."""
    seats, result = record["seats"], Result(**record["result"])
    if seat is None and len(seats) > 1 and seats.count(YOU) == 1:
        seat = seats.index(YOU)
    return {"scores": result.scores, "outcome": None if seat is None else result.outcome(seat)}


def _dice_seed(run: Run) -> str | None:
    source = from_json(run.record).origin.dice()
    return None if source is None else source.seed
