"""Boards of the day, the week, the month and all time, and the daily with its two boards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Query

from dicehall.bots.seats import usual_seats
from dicehall.rules.catalog import GAMES, AnyGame, find_game
from dicehall.server import modes
from dicehall.server.api.common import PROBLEMS, MeOrNobody, NotFound, TheGame, TheHall, read_cursor, write_cursor
from dicehall.server.api.play import ending
from dicehall.server.hall import Hall
from dicehall.server.models.boards import DailyInfo, Leaderboard, LeaderboardEntry, ModeInfo
from dicehall.server.models.common import Day, Period
from dicehall.store import boards, daily, runs
from dicehall.store.boards import Entry
from dicehall.store.daily import Daily

router = APIRouter(prefix="/api", responses=PROBLEMS)
Limit = Annotated[int, Query(ge=1, le=100)]
Cursor = Annotated[str | None, Query(max_length=400)]
Mode = Annotated[str, Query(max_length=500)]
MOST_MODES: Final = 100


@router.get("/boards/{game_id}", tags=["boards"])
async def board(
    game: TheGame, hall: TheHall, me: MeOrNobody, mode: Mode = "standard", period: Period = "all",
    limit: Limit = 20, cursor: Cursor = None,
) -> Leaderboard:  # fmt: skip
    """Who is best at a game and mode; only runs that the server dealt and replayed are on it."""
    name = modes.periods_of(hall.clock())[period]
    return await _board(
        hall, modes.board_name(game.id, mode), name, modes.lower_is_better(game, mode), me, limit, cursor
    )


@router.get("/boards/{game_id}/modes", tags=["boards"])
async def board_modes(game: TheGame, hall: TheHall) -> list[ModeInfo]:
    """The modes of a game that somebody has played ranked: the usual one first, then by how many have; of many, those
    with the most players."""
    found = await hall.read(lambda c: boards.boards(c, game.id, MOST_MODES))
    known = [ModeInfo(mode=name.removeprefix(f"{game.id}/"), players=players) for name, players in found]
    usual = modes.usual_mode(game)
    return sorted(known, key=lambda one: one.mode != usual)


@router.get("/daily", tags=["daily"])
async def today(hall: TheHall) -> list[DailyInfo]:
    """Today's dailies. Tomorrow's are committed to already: see their commitments at /api/daily/{day}."""
    now = hall.clock()
    return [daily_info(one) for one in await find_dailies(hall, GAMES.values(), modes.day_of(now))]


@router.get("/daily/{day}", tags=["daily"])
async def dailies_of(day: Day, hall: TheHall) -> list[DailyInfo]:
    """The dailies of a day: the commitment from the day before, the secret from the day after."""
    if day in (await hall.today(), modes.day_of(hall.clock() + 86_400)):
        return [daily_info(one) for one in await find_dailies(hall, GAMES.values(), day)]
    found = [
        one
        for game in GAMES.values()
        if (one := await hall.read(lambda c, game=game: daily.find(c, day, game.id, modes.daily_mode(game))))  # type: ignore[misc]
    ]
    if not found:
        raise NotFound("day", f"there is no daily of {day}")
    return [daily_info(one) for one in found]


@router.get("/daily/{day}/{game_id}/board", tags=["daily"])
async def daily_board(
    day: Day, game: TheGame, hall: TheHall, me: MeOrNobody, which: Literal["first", "best"] = "first",
    limit: Limit = 20, cursor: Cursor = None,
) -> Leaderboard:  # fmt: skip
    """First attempts, or best attempts, of a day's daily."""
    mode = modes.daily_mode(game)
    found = await _board(
        hall, modes.daily_board(day, game.id, mode, which), "all", modes.lower_is_better(game, mode), me, limit, cursor
    )
    shown = [*found.entries, *([] if found.me is None else [found.me])]
    accounts = await hall.read(lambda c: daily.same_network(c, day, game.id, mode, [entry.player for entry in shown]))
    for entry in shown:
        entry.same_network = accounts.get(entry.player)
    return found


@router.get("/archive/{game_id}", tags=["daily"])
async def archive(game: TheGame, hall: TheHall, before: Day | None = None, limit: Limit = 30) -> list[DailyInfo]:
    """Past dailies of a game, newest first: playable, unranked."""
    upto = min(before or "9999", await hall.today())
    found = await hall.read(lambda c: daily.days(c, game.id, modes.daily_mode(game), upto, limit))
    return [daily_info(one) for one in found]


async def find_dailies(hall: Hall, games: Iterable[AnyGame], day: str) -> list[Daily]:
    now, asked = hall.clock(), [(day, game.id, modes.daily_mode(game)) for game in games]
    found = await hall.read(lambda c: [daily.find(c, *one) for one in asked])
    if None in found:
        return await hall.write(lambda c: [daily.ensure(c, *one, now) for one in asked])
    return [one for one in found if one is not None]


def daily_info(one: Daily) -> DailyInfo:
    return DailyInfo(
        day=one.day,
        game=one.game,
        mode=one.mode,
        options=modes.daily_choice(one.game),
        seats=list(usual_seats(find_game(one.game))),
        commitment=one.commitment,
        committed_at=one.committed_at,
        ends_at=modes.end_of_day(one.day),
        secret=None if one.revealed_at is None else one.secret,
    )


async def _board(
    hall: Hall, name: str, period: str, lower: bool, me: MeOrNobody, limit: int, cursor: str | None
) -> Leaderboard:
    after = read_cursor(cursor, (int, int, str))
    entries, following = await hall.read(lambda c: boards.page(c, name, period, lower, limit, after))
    players = await hall.read(lambda c: boards.size(c, name, period))
    mine = None
    if me is not None:
        mine = await hall.read(lambda c: boards.standing(c, name, period, lower, me.id))
    records = {}
    if ":" in name:  # several sat there
        ids = [entry.run_id for entry in (*entries, mine) if entry is not None]
        records = await hall.read(lambda c: runs.records(c, ids))
    return Leaderboard(
        board=name,
        period=period,
        players=players,
        entries=[_entry(entry, records.get(entry.run_id)) for entry in entries],
        me=None if mine is None else _entry(mine, records.get(mine.run_id)),
        next=write_cursor(following),
    )


def _entry(entry: Entry, record: dict[str, Any] | None) -> LeaderboardEntry:
    return LeaderboardEntry(
        **({} if record is None else ending(record)),
        rank=entry.rank,
        player=entry.player_id,
        nickname=entry.nickname,
        score=entry.score,
        run=entry.run_id,
        reached_at=entry.reached_at,
        runs=entry.runs,
        took=entry.took,
        new_account=entry.new_account,
        same_network=None,
    )
