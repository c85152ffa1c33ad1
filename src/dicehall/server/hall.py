"""The hall: every table that is being played, in memory, with the store behind it.

A move is made in memory, written, and only then acknowledged and shown; if the write fails, the table is taken from
the store again, as it was. What is shown is a snapshot of the table as the store has it, made once for everybody who
watches. A table that nobody watches is dropped from memory and comes back from the store: its steps, replayed, are the
table.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeVar

from sqlalchemy import Connection, Engine

from dicehall.bots.seats import YOU
from dicehall.coach.advise import recommended
from dicehall.errors import DicehallError, IllegalMove, InvalidOption
from dicehall.people import clocks
from dicehall.people.clocks import SECOND
from dicehall.play.record import COACH, HINT
from dicehall.server import coach, jobs
from dicehall.server.access import Access
from dicehall.server.bucket import Bucket
from dicehall.server.crew import Busy
from dicehall.server.disk import Disk
from dicehall.server.downloads import Downloads
from dicehall.server.finish import finished_run, save_table
from dicehall.server.live import LiveTable, replay_steps, seated, steps_text
from dicehall.server.metrics import MOVE_SECONDS, MOVES, TABLES
from dicehall.server.modes import day_of
from dicehall.server.opening import Opening, replay_run
from dicehall.server.positions import Positions, position
from dicehall.server.room import Room
from dicehall.server.thinking import Thinking, takes_long_to_recommend
from dicehall.server.wire import OpenTable
from dicehall.store import daily, runs, tables
from dicehall.store.engine import database_file
from dicehall.store.runs import Run
from dicehall.store.tables import Steps, UnknownTable

LOG: Final = logging.getLogger("dicehall.server")
T = TypeVar("T")
Failed = Callable[[Exception], None]  # called with the reason when what was played could not be kept
MOST_IDLE: Final = 100  # tables in memory that nobody watches
MOST_VERSIONS: Final = 10_000
LEAST_REPLAY: Final = 20  # steps that a table counts for at least: to find it and to draw it takes a while, too
OPENINGS: Final = (500, 1.0)  # new tables of one network: at once, and every second
REPLAYS: Final = (20_000, 500.0)  # steps of its tables that come back from the store: at once, and every second


class Hall:
    """`key` hides the networks that players come from; `limits` scales what each may take."""

    def __init__(self, engine: Engine, clock: Callable[[], int], key: bytes, limits: float = 1.0) -> None:
        self.engine, self.clock = engine, clock
        self.now_ms = getattr(clock, "ms", lambda: clock() * SECOND)
        self._key = key
        self.access = Access(engine)
        self.read, self.write, self.writer = self.access.read, self.access.write, self.access.writer
        self._opening = Opening(self.access, clock, self.today, self.hidden)
        self.thinking = Thinking(limits)
        self.questions = self.thinking.questions
        self.downloads = Downloads()
        self.disk = Disk(database_file(engine))
        self._live: dict[str, LiveTable] = {}
        self._versions: OrderedDict[str, int] = OrderedDict()  # of tables that were saved lately
        self._replies: set[asyncio.Task[None]] = set()  # kept, because the loop alone would forget them
        self._openings = Bucket(OPENINGS[0] * limits, OPENINGS[1] * limits)
        self._replays = Bucket(REPLAYS[0] * limits, REPLAYS[1] * limits)
        self.positions = Positions()
        self.answers: OrderedDict[object, asyncio.Future[bytes]] = OrderedDict()  # to questions that many ask
        self.settled_in_room: Callable[[LiveTable], None] = lambda live: None  # what a room does then: see rooms.py
        self.give_back_time: Callable[[], None] = lambda: None  # that the hall itself has taken: see due.py
        self._revealed_before = ""  # every daily of an earlier day has been revealed

    async def today(self) -> str:
        """The UTC day. Before this returns, the dailies of all days before it have been revealed: whoever tells their
        dice asks here first."""
        now = self.clock()
        today = day_of(now)
        if self._revealed_before != today:
            await self.write(lambda connection: daily.reveal(connection, today, now))
            self._revealed_before = today
        return today

    def hidden(self, network: str, about: str) -> str:
        """A name for a network, the same for all that is `about` one thing, which tells nobody where it is."""
        return hmac.digest(self._key, f"network/{about}/{network}".encode(), "sha256").hex()

    def close(self) -> None:
        try:
            self.thinking.close()
        finally:
            self.access.close()

    # -- tables

    async def open_table(self, player_id: str, asked: OpenTable, network: str) -> LiveTable:
        """`network` is where the player comes from. A daily's table ends the player's open one, unless nothing has been
        done there: then it is that one, so that whoever did not hear the answer can ask again."""
        self.check_opening(network)
        if asked.run is None:
            saved = await self._opening.new_table(player_id, asked)
            live = seated(saved, network)
        else:
            if asked.kind != "practice" or asked.options or asked.seats or asked.seed or asked.day:
                raise InvalidOption(
                    "run", "what goes on from a run is practice, with the run's options, seats and dice"
                )
            saved = await self._opening.table_from(player_id, asked.game, asked.run, asked.step)
            live = seated(saved, network)
            self._check_replays(live)
            replay_run(live)
        await self.thinking.get_ready(live)
        await self.thinking.let_bots_play(live)
        run = finished_run(live, saved.created_at) if live.table.is_over else None  # bots who began have won already
        saved.steps, saved.over = steps_text(live.table), run is not None
        live.run_id = None if run is None else run.id
        kept, ended = await self.write(partial(self._opening.enter_table, live, run))
        if kept != live.id:
            return await self.find_table(player_id, kept, network)
        for table_id in ended:
            self.positions.forget(table_id)
            if table_id in self._live:
                self._drop(self._live[table_id])
        live.draw()
        self._note_position(live)
        self._remember(live)
        return live

    def check_opening(self, network: str) -> None:
        """Whether there may be one more table from that network."""
        self.disk.check_room()
        if not self._openings.allow(network):
            raise Busy("too many new tables from this address", self._openings.wait(network))

    async def own_table(self, player_id: str, table_id: str, network: str) -> LiveTable:
        """A table to sit at that is in no room: there one plays in the room."""
        live = await self.find_table(player_id, table_id, network)
        if live.in_room:
            raise UnknownTable("table", "there is no such table")
        return live

    async def find_table(self, player_id: str, table_id: str, network: str | None = None) -> LiveTable:
        """`network` is from where somebody asks for it; without one it is the hall itself."""
        live = self._live.get(table_id)
        if live is None:
            saved = await self.read(lambda connection: tables.load(connection, table_id))
            run_id = attempt = None
            if saved is not None and saved.over:
                run_id = await self.read(lambda connection: runs.of_table(connection, table_id))
            if saved is not None and saved.kind == "daily":
                attempt = await self.read(
                    lambda connection: daily.attempt_at(connection, saved.day or "", player_id, table_id)
                )
            if saved is not None and player_id in saved.people:
                found = seated(saved, network or "")
                if network is not None:
                    self._check_replays(found)
                replay_steps(found)
                found.run_id = run_id
                found.first = None if attempt is None else attempt.first
                await self.thinking.get_ready(found)
                await self.thinking.recommend(found)
                live = self._live.get(table_id)  # another request may have been quicker,
                if live is None and saved.version < self._versions.get(table_id, 0):  # and may have played meanwhile
                    return await self.find_table(player_id, table_id, network)
                if live is None:
                    live = found
                    live.draw()
                    self._note_position(live)
                    self._remember(live)
        if live is None or player_id not in live.saved.people:
            raise UnknownTable("table", "there is no such table")
        live.network = network or live.network
        return live

    async def settled_table(self, player_id: str, table_id: str, network: str) -> LiveTable:
        """The table, which until the next `await` is as the store has it. While its last move is waited for it may
        leave memory, because that could not be kept or because nobody watches: then it is found again."""
        while True:
            live = await self.find_table(player_id, table_id, network)
            await live.settled()
            if self.is_current(live):
                return live

    def play(
        self, live: LiveTable, player_id: str, seen: int, move: str, failed: Failed, then: str | None = None
    ) -> bool:
        """The player makes a move on the position after `seen` steps of a settled table, with the one right after it
        (`then`), if there is one. False: it had been made already, and counts once. It is drawn when it is durable;
        `failed` is called if it could not be kept."""
        self._check_settled(live)
        steps = live.table.steps
        asked = (move,) if then is None else (move, then)
        if seen >= 0 and steps[seen : seen + len(asked)] == asked:
            return False
        _check_seen(live, seen)
        mover = live.table.actor
        if mover >= 0 and live.saved.people[mover] != player_id:
            raise IllegalMove("not-your-turn", "it is the opponent's turn")
        now_ms = 0
        if live.is_timed:
            self.give_back_time()
            now_ms = self.now_ms()
            if live.is_out_of_time(now_ms):
                raise IllegalMove("out-of-time", "the time for this move is over")
        if len(steps) >= jobs.MOST_STEPS:
            raise IllegalMove("table-length", f"a run here has at most {jobs.MOST_STEPS} steps; give this one up")
        live.table.play(move, then=then)
        live.mover = mover
        live.time_turn(now_ms, moved=True)
        live.shown_until, live.own_moves = seen, len(asked)
        live.hint, live.moved_at = None, time.perf_counter()
        self._go_on_or_drop(live, failed)
        return True

    async def people_tables(self, room: Room, places: Sequence[int] = ()) -> list[LiveTable]:
        """The new table for the game that begins in the room, or one for everybody there, or for those at these
        `places` alone. They are not kept yet: `enter_in_room` does that."""
        self.disk.check_room()
        found = [seated(saved) for saved in self._opening.people_tables(room, self.now_ms(), places)]
        for live in found:
            await self.thinking.get_ready(live)
            await self.thinking.let_bots_play(live)
            live.time_turn(self.now_ms())
        return found

    def enter_in_room(self, connection: Connection, new: Sequence[LiveTable]) -> None:
        """Keep new tables of a room."""
        for live in new:
            saved = live.saved
            saved.steps = steps_text(live.table)
            saved.times = None if live.times is None else clocks.times_text(live.times)
            tables.insert(connection, saved)

    def show_in_room(self, live: LiveTable) -> None:
        """A table of a room has been kept: it can be found."""
        self._remember(live)
        live.draw()

    async def depart(self, live: LiveTable, seat: int, why: str) -> None:
        """A seat of a table of people plays no further. Returns when that is kept; raises when it cannot be."""
        await live.settled()
        self._check_settled(live)
        failures: list[Exception] = []
        before = len(live.table.steps)
        live.table.depart(seat, why)
        live.time_turn(self.now_ms(), moved=live.times is not None and live.times.turn == seat)
        live.shown_until, live.own_moves, live.moved_at = before, 1, time.perf_counter()
        self._go_on_or_drop(live, failures.append)
        await live.settled()
        if failures:
            raise failures[0]

    def undo(self, live: LiveTable, seen: int, failed: Failed) -> None:
        self._check_settled(live)
        _check_seen(live, seen)
        if live.table.is_over:  # its run has been entered, and is entered once
            raise IllegalMove("game-over", "the run is over")
        live.table.undo(live.undo_seat)
        live.hint, live.moved_at = None, time.perf_counter()
        live.shown_until = len(live.table.steps)
        self._go_on_or_drop(live, failed)

    async def hint(self, live: LiveTable, player_id: str, seen: int, objective: str | None, failed: Failed) -> None:
        """The player asks the coach about the position. That takes the run off the boards, before anybody sees the
        answer."""
        if live.in_room:
            raise IllegalMove("no-hints", "there are no hints where people play each other")
        await live.settled()
        self._check_settled(live)
        _check_seen(live, seen)
        game, saved = live.table.game, live.saved
        where = position(saved.game, live.snapshot.view["state"])
        await self.notice_question(where, player_id, live.network, besides=live.id)
        told = await self.questions.ask(live.network, coach.hinted, game.id, game.version, live.table.state, objective)
        await live.settled()
        self._check_settled(live)
        _check_seen(live, seen)  # again: somebody may have moved meanwhile
        live.hint, live.moved_at = told, time.perf_counter()
        live.table.mark_unranked(HINT)
        self._save(live, failed)

    async def notice_question(self, asked: str, player_id: str | None, network: str, besides: str = "") -> None:
        """Somebody asks the coach about a position, not at a table or at the one `besides`. Runs of the same player, or
        of the same network, that stand there are off the boards when this returns."""
        for place in self.positions.standing_at(asked, player_id, network):
            if place.table_id == besides:
                continue
            try:
                live = await self.settled_table(place.player_id, place.table_id, place.network)
            except UnknownTable:  # it is gone, with its player
                self.positions.forget(place.table_id)
                continue
            if live.table.is_over or live.table.unranked:
                continue
            live.table.mark_unranked(COACH)
            live.moved_at = time.perf_counter()
            self._save(live, lambda error: None)
            await live.settled()
            if COACH not in live.saved.unranked:
                raise DicehallError("not-kept", "the question could not be noted; ask again")

    async def leave(self, player_id: str, table_id: str) -> None:
        """Give an unfinished table up. A daily's attempt stays an attempt. It need not be one that can be played."""
        live = self._live.get(table_id)
        if live is not None:
            await live.settled()
        saved = await self.read(lambda connection: tables.load(connection, table_id))
        if saved is None or player_id not in saved.people:
            raise UnknownTable("table", "there is no such table")
        if saved.room_id is not None and not saved.over:
            raise IllegalMove("in-room", "others play here, too: resign instead")
        await self.write(lambda connection: tables.forget(connection, table_id))
        if not saved.over:
            self.positions.forget(table_id)
        if (live := self._live.get(table_id)) is not None and not saved.over:
            self._drop(live)

    def unwatch(self, live: LiveTable, watcher: Callable[[], None]) -> None:
        live.watchers.discard(watcher)
        self.let_go(live)

    def let_go(self, live: LiveTable) -> None:
        """A table that nobody watches is the store's alone: whoever comes back finds it there."""
        if not live.watchers and not live.saving and not live.clock_runs:
            self._forget(live)

    def forget_player(self, player_id: str) -> None:
        """Drop a deleted player's tables; whoever still watches one is told that there is no such table."""
        for live in list(self._live.values()):
            if player_id in live.saved.people:
                self._drop(live)

    def drop(self, table_id: str) -> None:
        """A table has changed behind our back, or gone: whoever watches it looks into the store again."""
        if table_id in self._live:
            self._drop(self._live[table_id])

    # -- inside

    def is_current(self, live: LiveTable) -> bool:
        """A tab may still hold a table that was dropped because a write failed, or because its player is gone."""
        return self._live.get(live.id) is live

    def _drop(self, live: LiveTable) -> None:
        """The next one to ask starts from the store, and whoever watches asks again."""
        live.settle()
        self._forget(live)
        live.call()

    def _forget(self, live: LiveTable) -> None:
        if self.is_current(live):
            del self._live[live.id]
            TABLES.set(len(self._live))

    def _check_settled(self, live: LiveTable) -> None:
        assert not live.saving, "whoever moves has waited"
        if not self.is_current(live):
            raise UnknownTable("table", "this table is not what it was; connect again")

    def _go_on_or_drop(self, live: LiveTable, failed: Failed) -> None:
        """A fault from here on must not leave the table ahead of the store."""
        try:
            self._go_on(live, failed)
        except Exception:
            self._drop(live)
            raise

    def _go_on(self, live: LiveTable, failed: Failed) -> None:
        """After a move: the bots reply, and all of it is saved. Nothing else happens at the table meanwhile."""
        live.recommended = None
        # what takes no thought is played here, without a task: nearly every move ends at once
        if self.thinking.play_what_is_known(live) is None and not takes_long_to_recommend(live):
            live.recommended = recommended(live.table.game, live.table.state)
            return self._save(live, failed)
        live.saving = True
        task = asyncio.get_running_loop().create_task(self._think(live, failed))
        self._replies.add(task)
        task.add_done_callback(self._replies.discard)
        return None

    async def _think(self, live: LiveTable, failed: Failed) -> None:
        try:
            await self.thinking.let_bots_play(live)
            if self.is_current(live):  # its player may have gone
                self._save(live, failed)
        except Exception as error:
            LOG.error("a bot could not move: %s", error)
            self._drop(live)
            failed(error)

    def _save(self, live: LiveTable, failed: Failed) -> None:
        """Whoever asked may go away meanwhile: what has begun is finished."""
        table, now = live.table, self.clock()
        if live.times is not None:
            live.time_turn(self.now_ms())
        steps = steps_text(table)
        run = finished_run(live, now) if table.is_over else None
        settle = partial(self._settle, live, steps, run, now, failed)
        live.saving = True
        plain = run is None and table.unranked == live.saved.unranked and live.times is None
        if plain and table.departures == live.saved.departures:
            self.writer.save_steps(Steps(live.id, live.saved.version, steps), now, settle)
        else:
            self.writer.run(partial(save_table, live=live, steps=steps, run=run, now=now), settle)

    def _settle(
        self,
        live: LiveTable,
        steps: str,
        run: Run | None,
        now: int,
        failed: Failed,
        _: None,
        error: Exception | None,
    ) -> None:
        if error is not None:
            LOG.error("a move could not be kept: %s", error)
            self._drop(live)  # memory is ahead of the store
            return failed(error)
        saved = live.saved
        moved = saved.steps != steps
        saved.steps, saved.unranked, saved.over, saved.updated_at = steps, live.table.unranked, run is not None, now
        saved.departures = live.table.departures
        saved.times = None if live.times is None else clocks.times_text(live.times)
        saved.version += 1
        self._versions[live.id] = saved.version
        if len(self._versions) > MOST_VERSIONS:
            self._versions.popitem(last=False)
        live.run_id = None if run is None else run.id
        if live.times is not None:  # whoever is next could not move before that
            live.times = clocks.given_back(live.times, max(0, self.now_ms() - live.times.since_ms))
        if moved:  # a hint changes no step
            MOVES[saved.game].inc()
            MOVE_SECONDS.observe(time.perf_counter() - live.moved_at)
        live.settle()
        try:
            live.draw()
            self._note_position(live)
        except Exception:  # it cannot be shown; whoever watches finds out from the store how it is
            LOG.exception("the table %s could not be drawn", live.id)
            return self._drop(live)
        if live.in_room:
            self.settled_in_room(live)
        self.thinking.think_ahead(live)
        return self.let_go(live)

    def _note_position(self, live: LiveTable) -> None:
        saved = live.saved
        alone = saved.seats.count(YOU) == 1 and saved.player_ids
        if saved.kind in ("ranked", "daily") and not (saved.over or saved.unranked) and alone:
            where = position(saved.game, live.snapshot.view["state"])
            self.positions.note(saved.id, saved.player_ids[0], live.network, where, len(live.table.steps))
        else:
            self.positions.forget(saved.id)

    def _check_replays(self, live: LiveTable) -> None:
        """To play a long run again takes a while, in which nobody else moves: nobody gets that all the time."""
        steps = max(LEAST_REPLAY, live.saved.steps.count(" "))
        if not self._replays.allow(live.network, steps):
            raise Busy("too many tables at once from this address", self._replays.wait(live.network, steps))

    def _remember(self, live: LiveTable) -> None:
        self._live[live.id] = live
        TABLES.set(len(self._live))
        if len(self._live) > MOST_IDLE:
            idle = [one for one in self._live.values() if not (one.watchers or one.saving or one.clock_runs)]
            for other in idle[: max(0, len(idle) - MOST_IDLE)]:
                self._forget(other)


def _check_seen(live: LiveTable, seen: int) -> None:
    if seen != len(live.table.steps):
        raise IllegalMove("stale", f"the table has {len(live.table.steps)} steps, not {seen}; look again")
