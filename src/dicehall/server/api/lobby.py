"""What one sees on coming in: the day's dailies, where one left, and one's best."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter
from sqlalchemy import Connection

from dicehall.rules.catalog import GAMES
from dicehall.server import modes
from dicehall.server.api.boards import daily_info, find_dailies
from dicehall.server.api.common import PROBLEMS, MeOrNobody, TheHall
from dicehall.server.api.people import describe
from dicehall.server.api.play import ending, saved_info
from dicehall.server.models.lobby import Lobby, MyBest, MyDaily
from dicehall.store import boards, daily, rooms, runs, tables
from dicehall.store.tables import SavedTable

router = APIRouter(prefix="/api", responses=PROBLEMS)
TABLES_SHOWN = 6


@router.get("/lobby", tags=["players"])
async def lobby(hall: TheHall, me: MeOrNobody) -> Lobby:
    """Everything for the first screen in one answer. Nobody needs an account to look."""
    today = modes.day_of(hall.clock())
    dailies = await find_dailies(hall, GAMES.values(), today)
    if me is None:
        infos = [daily_info(one) for one in dailies]
        fresh = [MyDaily(**info.model_dump(), attempts=0, best=None, table=None) for info in infos]
        return Lobby(me=None, dailies=fresh, tables=[], rooms=0, bests=[])

    def look(connection: Connection) -> Lobby:
        unfinished = tables.open_tables(connection, me.id)
        attempts = daily.attempts_at(connection, today, me.id)
        return Lobby(
            me=describe(connection, me, today),
            dailies=[
                MyDaily(
                    **daily_info(one).model_dump(),
                    attempts=attempts.get(one.game, 0),
                    best=_best_of_daily(connection, one.game, today, me.id),
                    table=_at_daily(unfinished, one.game, today),
                )
                for one in dailies
            ],
            tables=[saved_info(saved) for saved in unfinished[:TABLES_SHOWN]],
            rooms=rooms.count_open(connection, me.id),
            bests=_bests(connection, me.id),
        )

    return await hall.read(look)


def _at_daily(unfinished: list[SavedTable], game: str, day: str) -> str | None:
    return next((table.id for table in unfinished if (table.kind, table.game, table.day) == ("daily", game, day)), None)


def _best_of_daily(connection: Connection, game_id: str, day: str, player_id: str) -> int | None:
    game = GAMES[game_id]
    mode = modes.daily_mode(game)
    board, lower = modes.daily_board(day, game_id, mode, "best"), modes.lower_is_better(game, mode)
    mine = boards.standing(connection, board, "all", lower, player_id)
    return None if mine is None else mine.score


def _bests(connection: Connection, player_id: str) -> list[MyBest]:
    found = []
    for last in filter(None, map(partial(runs.last, connection, player_id), GAMES)):
        run, ended = runs.best(connection, player_id, last.game, last.mode), ending(last.record)
        if run is not None:
            (mine,) = run.people  # it was ranked
            best = {"game": run.game, "mode": run.mode, "score": mine.score, "aim": run.aim, "run": run.id}
            found.append(MyBest.model_validate({**best, **ended}))
    return found
