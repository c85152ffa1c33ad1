"""A finished run: replayed, proved, kept with its table, and entered on the boards it has earned a place on."""

from __future__ import annotations

from sqlalchemy import Connection

from dicehall.bots.seats import YOU
from dicehall.people.clocks import SECOND, times_text
from dicehall.people.rated import pool_of
from dicehall.play.breakdown import breakdown
from dicehall.play.contributions import is_duel
from dicehall.play.record import ENDED
from dicehall.play.replay import proven_steps
from dicehall.server.agreement import read_agreement
from dicehall.server.leaving import moves_of
from dicehall.server.live import LiveTable
from dicehall.server.modes import board_name, daily_board, day_of, periods_of
from dicehall.store import boards, daily, players, ratings, rooms, runs, tables
from dicehall.store.ids import new_id
from dicehall.store.runs import Played, Run
from dicehall.store.tables import Overtaken


def finished_run(live: LiveTable, now: int) -> Run:
    """Replays and proves the whole run before it may count anywhere."""
    table, saved = live.table, live.saved
    ranked = saved.kind in ("ranked", "daily") and not table.unranked and saved.seats.count(YOU) == 1
    # others still have the day, or the rest of a duel, before them: the secret comes out after it
    duel = is_duel(saved.contributions, len(saved.seats))
    hidden = table.record() if saved.kind == "daily" or duel else None
    table.reveal()
    full = table.record()
    steps = proven_steps(full)
    result = full.result
    assert result is not None
    aim = table.game.rules.aim(table.options, len(saved.seats))
    return Run(
        new_id(),
        saved.id,
        tuple(Played(who, saved.people.index(who), result.scores[saved.people.index(who)]) for who in saved.player_ids),
        saved.game,
        saved.mode,
        (hidden or full).to_json(),
        aim.unit,
        aim.lower_is_better,
        ranked,
        saved.day if saved.kind == "daily" else None,
        breakdown(full, steps),
        now,
    )


def save_table(connection: Connection, live: LiveTable, steps: str, run: Run | None, now: int) -> None:
    """More than a move: what it is ranked by has changed, or it is over and this is its run."""
    saved = live.saved
    table, times = live.table, None if live.times is None else times_text(live.times)
    over = run is not None
    fresh = tables.save(connection, live.id, saved.version, steps, table.unranked, over, now, table.departures, times)
    if run is not None and fresh:
        enter_run(connection, run, now)
        if saved.room_id is not None and (met := _meeting(live, run, now)) is not None:
            room = rooms.load(connection, saved.room_id)
            agreed = None if room is None else read_agreement(room.agreement)
            rated, watched = (False, False) if agreed is None else (agreed.rated, agreed.watched)
            ratings.note(connection, met, rated, watched)
    elif run is not None and runs.of_table(connection, live.id) != run.id:
        raise Overtaken("overtaken", "the run has been finished elsewhere")


def _meeting(live: LiveTable, run: Run, now: int) -> ratings.Game | None:
    """The game of two people that this was; None of any other."""
    table, people = live.table, live.saved.people
    result = table.result
    if result is None or len(people) != 2 or None in people or people[0] == people[1]:
        return None
    one, other = (result.outcome(seat) for seat in (0, 1))
    worth = {"won": 2, "drawn": 1, "shared": 1}
    moved = moves_of(table)
    return ratings.Game(
        run_id=run.id,
        game=run.game,
        pool=pool_of(run.game, live.saved.options, len(people)),
        players=(str(people[0]), str(people[1])),
        halves=(worth.get(one or "", 0), worth.get(other or "", 0)),
        networks=(live.networks.get(0), live.networks.get(1)),
        moves=(moved[0], moved[1]),
        ended=result.why == ENDED,
        gone=next((one.seat for one in table.departures), None),
        ended_ms=now * SECOND,
    )


def enter_run(connection: Connection, run: Run, now: int) -> None:
    """The run, and the boards it has earned a place on."""
    if run.day is not None:
        if run.day < day_of(now):
            daily.reveal(connection, day_of(now), now)  # as its day is over, and the run tells the dice
        known = daily.find(connection, run.day, run.game, run.mode)
        if known is not None and known.revealed_at is not None:  # whatever the clock says
            run = runs.late(run, known.secret, known.commitment)
    runs.insert(connection, run)
    if not run.ranked or not run.people:
        return
    (played,) = run.people  # boards compare runs of one person
    if players.is_barred(connection, played.player_id):
        return
    boards.take_turn(connection)
    common = (played.player_id, played.score, run.lower_is_better, run.id, now)
    if run.day is None:
        for period in periods_of(now).values():
            boards.enter(connection, board_name(run.game, run.mode), period, *common)
    else:  # a daily's dice can be learned by heart, so it has boards of its own
        boards.enter(connection, daily_board(run.day, run.game, run.mode, "best"), "all", *common)
        attempt = daily.attempt_at(connection, run.day, played.player_id, run.table_id)
        if attempt is not None and attempt.first:
            boards.enter(connection, daily_board(run.day, run.game, run.mode, "first"), "all", *common)
