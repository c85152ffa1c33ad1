"""The hall: every table that is being played, in memory, with the store behind it.

A move is made in memory, written, and only then acknowledged and shown; if the write fails, the table is taken from
the store again, as it was. What is shown is a picture of the table as the store has it, made once for everybody who
watches. A table that nobody watches is dropped from memory and comes back from the store: its steps, replayed, are the
table.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError

from dicehall.coach.recommend import recommended
from dicehall.dice import fresh_secret, seed_text
from dicehall.errors import DicehallError, IllegalMove, InvalidOption
from dicehall.play.breakdown import breakdown
from dicehall.play.replay import proven_steps
from dicehall.rules.catalog import find_game
from dicehall.rules.farkle_scoring import Options as FarkleOptions
from dicehall.rules.options import OptionValue
from dicehall.server import coach, jobs, modes
from dicehall.server.crew import Busy, Crew
from dicehall.server.disk import Disk
from dicehall.server.downloads import Downloads
from dicehall.server.live import LiveTable, replay_steps, seated, wind_bots
from dicehall.server.metrics import MOVE_SECONDS, MOVES, TABLES
from dicehall.server.modes import YOU, board_name, daily_board, day_of, mode_name, periods_of
from dicehall.server.positions import Positions, position
from dicehall.server.writer import Writer
from dicehall.store import boards, daily, players, runs, tables
from dicehall.store.engine import database_file, reader
from dicehall.store.runs import Run
from dicehall.store.tables import Overtaken, SavedTable, Steps, UnknownTable

LOG: Final = logging.getLogger("dicehall.server")
T = TypeVar("T")
Failed = Callable[[Exception], None]  # called with the reason when what was played could not be kept
KINDS: Final = ("ranked", "practice", "daily", "archive")
MOST_IN_MEMORY: Final = 2000
MOST_OPEN: Final = 200  # tables of one player
HINT: Final = "hint"  # why a run is unranked
READERS: Final = 8  # threads, each with a connection while it reads
MOST_READING: Final = 200  # that read, or wait for one who does
READ_SECONDS: Final = 5.0
WRITE_SECONDS: Final = 10.0
HANGING: Final = 3.0  # seconds without any write finished, after which no new ones are taken but moves
QUICKLY: Final = 0.25  # seconds for the first question about a variant
MOST_VARIANTS: Final = 1000
USUAL_POINTS: Final = (FarkleOptions().straight_points, FarkleOptions().three_pairs_points)
COACH: Final = "coach"  # likewise: the coach was asked about the table's position, elsewhere


class Hall:
    """`key` hides the networks that players come from; `limits` scales what each may ask of the crews."""

    def __init__(self, engine: Engine, clock: Callable[[], int], key: bytes, limits: float = 1.0) -> None:
        self.engine, self.clock, self._key = engine, clock, key
        self._reader = reader(engine)
        self._readers = ThreadPoolExecutor(READERS, "dicehall-reader")
        self._reading = self._stuck = 0  # how many read, and how many of them for longer than anybody waits
        self.writer = Writer(engine)
        self.downloads = Downloads()
        self.disk = Disk(database_file(engine))
        self._live: dict[str, LiveTable] = {}
        self._thinking: set[asyncio.Task[None]] = set()  # kept, because the loop alone would forget them
        self._quick: OrderedDict[Any, bool] = OrderedDict()  # variants whose first question was asked
        self.positions = Positions()
        self._revealed_before = ""  # every daily of an earlier day has been revealed
        cores = os.cpu_count() or 1
        # what bots play, for which somebody at a table waits; and all that somebody asks for
        self.replies = Crew("replies", max(1, cores - 1), 10, 2000, 500, 60 * limits, 0)
        self.questions = Crew("questions", max(1, cores // 2), 20, 60, 8, 30 * limits, 10)

    # -- the store, from the event loop

    async def read(self, job: Callable[[Connection], T]) -> T:
        """What `job` finds in the store; Busy when the store does not answer, or too many ask."""
        if self._reading >= MOST_READING or self._stuck >= READERS:
            raise Busy("the hall has much to do; ask again in a moment")

        def work() -> T:
            with self._reader.connect() as connection:
                return job(connection)

        self._reading += 1
        found = asyncio.get_running_loop().run_in_executor(self._readers, work)
        found.add_done_callback(self._has_read)
        try:
            return await asyncio.wait_for(asyncio.shield(found), READ_SECONDS)
        except TimeoutError:
            self._stuck += 1
            found.add_done_callback(self._has_come_back)
            raise Busy("the store does not answer; what you have played is kept") from None

    def _has_read(self, _: asyncio.Future[Any]) -> None:
        self._reading -= 1

    def _has_come_back(self, read: asyncio.Future[Any]) -> None:
        self._stuck -= 1
        _unheard(read)

    async def write(self, job: Callable[[Connection], T]) -> T:
        """Returns when it is durable; that happens even if whoever asked has gone meanwhile. Busy when that takes too
        long: then it may still happen."""
        if self.writer.hangs_for > HANGING:
            raise Busy("the store does not answer; what you have played is kept")
        written = self.writer.submit(job)
        try:
            return await asyncio.wait_for(asyncio.shield(written), WRITE_SECONDS)
        except TimeoutError:
            written.add_done_callback(_unheard)
            raise Busy("the store does not answer; look again in a moment whether it has happened") from None
        except IntegrityError as error:  # a player was deleted, say, between the question who it is and the write
            LOG.warning("a write was refused: %s", type(error.orig).__name__)
            raise DicehallError("changed", "what this belongs to has gone, or somebody was quicker") from None

    async def today(self) -> str:
        """The UTC day. Before this returns, the dailies of all days before it have been revealed: whoever tells their
        dice asks here first."""
        now = self.clock()
        today = day_of(now)
        if self._revealed_before != today:
            await self.write(lambda connection: daily.reveal(connection, today, now))
            self._revealed_before = today
        return today

    def close(self) -> None:
        self.replies.close()
        self.questions.close()
        self.writer.close()
        self._readers.shutdown(wait=False, cancel_futures=True)
        self.engine.dispose()

    # -- tables

    async def open_table(
        self,
        player_id: str,
        game_id: str,
        kind: str = "ranked",
        options: Mapping[str, OptionValue] | None = None,
        seats: tuple[str, ...] | None = None,
        seed: str | None = None,
        day: str | None = None,
        network: str = "",
    ) -> LiveTable:
        """`network` is where the player comes from. A daily's table ends the player's open one."""
        self.disk.check_room()
        game, now = find_game(game_id), self.clock()
        if kind not in KINDS:
            raise InvalidOption("kind", f"a table is one of {', '.join(KINDS)}")
        own, secret = seed_text("" if seed is None else seed, allow_empty=True), None
        if kind in ("daily", "archive"):
            if options or seats or seed:
                raise InvalidOption("daily", "a daily has its own options, seats and dice")
            options, seats = modes.DAILY[game.id]
            secret, day = await self._daily_secret(kind, game_id, day, now)
        elif day is not None:
            raise InvalidOption("day", "only a daily has a day")
        elif kind == "ranked":
            secret = fresh_secret()
        elif not own:
            own = secrets.token_hex(8)
        chosen = game.make_options(options or {})
        people = modes.check_seats(game, seats or modes.DAILY[game.id][1])
        game.check_seats(chosen, len(people))
        mode = mode_name(chosen, people)
        saved = SavedTable(
            secrets.token_urlsafe(16), player_id, game.id, game.rules, chosen.changed(), people, kind, secret, own, day,
            mode, "", ("archive",) if kind == "archive" else (), False, now, now,
        )  # fmt: skip
        live = seated(saved)
        await self._get_ready(live, network)
        await self._let_bots_play(live)
        run = self._finished_run(live, now) if live.table.is_over else None  # bots who began have won already
        saved.steps, saved.over = " ".join(live.table.steps), run is not None
        live.run_id = None if run is None else run.id

        def save(connection: Connection) -> list[str]:
            ended = []
            if kind == "daily":
                ended = daily.end_open_attempts(connection, day or "", game.id, mode, player_id)
            if tables.count_open(connection, player_id) >= MOST_OPEN:
                raise InvalidOption("tables", f"you have {MOST_OPEN} tables open; finish or leave one first")
            tables.insert(connection, saved)
            if kind == "daily":
                # with the day in it, nobody is followed from one day to the next
                came_from = hmac.digest(self._key, f"network/{day}/{network}".encode(), "sha256").hex()
                attempt = daily.attempt(connection, day or "", game.id, mode, player_id, saved.id, came_from)
                live.first = attempt.first
            if run is not None:
                _enter_run(connection, run, now)
            return ended

        for table_id in await self.write(save):
            self.positions.forget(table_id)
            if table_id in self._live:
                self._drop(self._live[table_id])
        live.draw()
        self._note_position(live, network)
        self._remember(live)
        return live

    async def find_table(self, player_id: str, table_id: str, network: str = "") -> LiveTable:
        live = self._live.get(table_id)
        if live is None:
            saved = await self.read(lambda connection: tables.load(connection, table_id))
            run_id = attempt = None
            if saved is not None and saved.over:
                run_id = await self.read(lambda connection: runs.of_table(connection, saved.player_id, table_id))
            if saved is not None and saved.kind == "daily":
                attempt = await self.read(
                    lambda connection: daily.attempt_at(connection, saved.day or "", saved.player_id, table_id)
                )
            if saved is not None and saved.player_id == player_id:
                found = seated(saved)
                replay_steps(found)
                found.run_id = run_id
                found.first = None if attempt is None else attempt.first
                await self._get_ready(found, network)
                await self._recommend(found)
                live = self._live.get(table_id)  # another request may have been quicker
                if live is None:
                    live = found
                    live.draw()
                    self._note_position(live)
                    self._remember(live)
        if live is None or live.saved.player_id != player_id:
            raise UnknownTable("table", "there is no such table")
        return live

    def play(self, live: LiveTable, seen: int, move: str, failed: Failed) -> bool:
        """Make a move on the position after `seen` steps of a settled table. False: it had been made already, and
        counts once. It is drawn when it is durable; `failed` is called if it could not be kept."""
        self._check_settled(live)
        steps = live.table.steps
        if 0 <= seen < len(steps) and steps[seen] == move:
            return False
        _check_seen(live, seen)
        if live.table.actor in live.bots:
            raise IllegalMove("not-your-turn", "it is the opponent's turn")
        if len(steps) >= jobs.MOST_STEPS:
            raise IllegalMove("table-length", f"a run here has at most {jobs.MOST_STEPS} steps; give this one up")
        live.table.play(move)
        live.shown_until, live.hint, live.moved_at = seen, None, time.perf_counter()
        self._go_on(live, failed)
        return True

    def undo(self, live: LiveTable, seen: int, failed: Failed) -> None:
        self._check_settled(live)
        _check_seen(live, seen)
        if live.table.is_over:  # its run has been entered, and is entered once
            raise IllegalMove("game-over", "the run is over")
        live.table.undo(live.undo_seat)
        live.hint, live.moved_at = None, time.perf_counter()
        live.shown_until = len(live.table.steps)
        wind_bots(live)
        self._go_on(live, failed)

    async def hint(self, live: LiveTable, seen: int, objective: str | None, failed: Failed) -> None:
        """Ask the coach about the position. That takes the run off the boards, before anybody sees the answer."""
        await live.settled()
        _check_seen(live, seen)
        game = live.table.game
        told = await self.questions.ask(live.network, coach.hinted, game.id, game.rules, live.table.state, objective)
        await live.settled()
        self._check_settled(live)
        _check_seen(live, seen)  # again: somebody may have moved meanwhile
        live.hint, live.moved_at = told, time.perf_counter()
        if HINT not in live.table.unranked:
            live.table.unranked += (HINT,)
        self._save(live, failed)

    async def notice_question(self, asked: str, player_id: str | None, network: str) -> None:
        """Somebody asks the coach about a position, elsewhere than at a table. Runs of the same player, or of the same
        network, that stand there are off the boards when this returns."""
        for place in self.positions.standing_at(asked, player_id, network):
            try:
                live = await self.find_table(place.player_id, place.table_id)
            except UnknownTable:  # it is gone, with its player
                self.positions.forget(place.table_id)
                continue
            await live.settled()
            self._check_settled(live)
            if live.table.is_over or live.table.unranked:
                continue
            live.table.unranked += (COACH,)
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
        if saved is None or saved.player_id != player_id:
            raise UnknownTable("table", "there is no such table")
        await self.write(lambda connection: tables.forget(connection, table_id))
        if not saved.over:
            self.positions.forget(table_id)
        if (live := self._live.get(table_id)) is not None and not saved.over:
            self._drop(live)

    def unwatch(self, live: LiveTable, watcher: Callable[[], None]) -> None:
        live.watchers.discard(watcher)
        self._let_go(live)

    def _let_go(self, live: LiveTable) -> None:
        """A table that nobody watches is the store's alone: whoever comes back finds it there."""
        if not live.watchers and not live.saving:
            self._forget(live)

    def forget_player(self, player_id: str) -> None:
        """Drop a deleted player's tables; whoever still watches one is told that there is no such table."""
        for live in list(self._live.values()):
            if live.saved.player_id == player_id:
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

    # -- what needs thinking, beside the event loop

    async def _get_ready(self, live: LiveTable, network: str) -> None:
        """Bots who play by advice ask a first question about a variant, which may take seconds. Where it does, their
        crew is that of all other questions: those who play usual variants do not wait for it."""
        live.network = network
        if not any(bot.thinks for bot in live.bots.values()):
            return
        game, options, seats = live.table.game, live.table.options, len(live.table.seats)
        variant = game.id, game.rules, options, seats
        if variant not in self._quick:
            asked = self.questions.ask(network, jobs.seconds_to_advise, game.id, game.rules, options.changed(), seats)
            self._quick[variant] = await asked < QUICKLY
            if len(self._quick) > MOST_VARIANTS:
                self._quick.popitem(last=False)
        live.quick = self._quick.get(variant, False)

    def _go_on(self, live: LiveTable, failed: Failed) -> None:
        """After a move: the bots reply, and all of it is saved. Nothing else happens at the table meanwhile."""
        live.recommended = None
        while (bot := live.bots.get(live.table.actor)) is not None and not bot.thinks:
            live.table.play(bot.choose(live.table.state))
        if bot is None and not _takes_long_to_recommend(live):
            live.recommended = recommended(live.table.game, live.table.state)
            return self._save(live, failed)
        live.saving = True
        task = asyncio.get_running_loop().create_task(self._think(live, failed))
        self._thinking.add(task)
        task.add_done_callback(self._thinking.discard)
        return None

    async def _think(self, live: LiveTable, failed: Failed) -> None:
        try:
            await self._let_bots_play(live)
        except Exception as error:
            LOG.error("a bot could not move: %s", error)
            self._drop(live)
            return failed(error)
        if self.is_current(live):  # its player may have gone
            self._save(live, failed)
        return None

    async def _let_bots_play(self, live: LiveTable) -> None:
        """Until it is a person's turn, or the run is over."""
        table, crew = live.table, self.replies if live.quick else self.questions
        while (bot := live.bots.get(seat := table.actor)) is not None:
            if bot.thinks:
                asked = table.game.id, table.game.rules, bot.name, bot.seed, seat, table.state
                table.play(await crew.ask(live.network, jobs.chosen_move, *asked))
            else:
                table.play(bot.choose(table.state))
        await self._recommend(live)

    async def _recommend(self, live: LiveTable) -> None:
        game, state = live.table.game, live.table.state
        if _takes_long_to_recommend(live):
            live.recommended = await self.replies.ask(live.network, jobs.recommended_keep, game.id, game.rules, state)
        else:
            live.recommended = recommended(game, state)

    def _save(self, live: LiveTable, failed: Failed) -> None:
        """Whoever asked may go away meanwhile: what has begun is finished."""
        table, now = live.table, self.clock()
        steps = " ".join(table.steps)
        run = self._finished_run(live, now) if table.is_over else None
        settle = partial(self._settle, live, steps, run, now, failed)
        live.saving = True
        if run is None and table.unranked == live.saved.unranked:
            self.writer.save_steps(Steps(live.id, live.saved.version, steps), now, settle)
        else:
            self.writer.run(partial(_save, live=live, steps=steps, run=run, now=now), settle)

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
        saved.steps, saved.unranked, saved.over, saved.updated_at = steps, live.table.unranked, run is not None, now
        saved.version += 1
        live.run_id = None if run is None else run.id
        MOVES[saved.game].inc()
        MOVE_SECONDS.observe(time.perf_counter() - live.moved_at)
        live.settle()
        live.draw()
        self._note_position(live)
        return self._let_go(live)

    def _finished_run(self, live: LiveTable, now: int) -> Run:
        """Replays and proves the whole run before it may count anywhere."""
        table, saved = live.table, live.saved
        ranked = saved.kind in ("ranked", "daily") and not table.unranked and saved.seats.count(YOU) == 1
        hidden = table.record()
        table.reveal()
        full = table.record()
        steps = proven_steps(full)
        result = full.result
        assert result is not None
        seat = saved.seats.index(YOU)
        aim = table.game.aim(table.options, len(saved.seats))
        return Run(
            secrets.token_urlsafe(16),
            saved.id,
            saved.player_id,
            saved.game,
            saved.mode,
            # the others still have the day before them: a daily's secret comes out after it
            (hidden if saved.kind == "daily" else full).to_json(),
            result.scores[seat],
            aim.unit,
            aim.lower_is_better,
            ranked,
            saved.day if saved.kind == "daily" else None,
            None,
            breakdown(full, steps),
            now,
        )

    def _note_position(self, live: LiveTable, network: str = "") -> None:
        saved = live.saved
        if saved.kind in ("ranked", "daily") and not (saved.over or saved.unranked) and saved.seats.count(YOU) == 1:
            where = position(saved.game, saved.mode, live.picture.view["state"])
            self.positions.note(saved.id, saved.player_id, network, where, len(live.table.steps))
        else:
            self.positions.forget(saved.id)

    async def _daily_secret(self, kind: str, game_id: str, day: str | None, now: int) -> tuple[str, str]:
        today, mode = await self.today(), modes.daily_mode(find_game(game_id))
        if kind == "daily":
            if day not in (None, today):
                raise InvalidOption("day", f"today's daily is {today}; past days are in the archive, unranked")
            made = await self.write(lambda c: daily.ensure(c, today, game_id, mode, now))
            if made.revealed_at is not None:
                raise InvalidOption("daily-revealed", f"the dice of {today} are known already, so they are not played")
            return made.secret, today
        if day is None or day >= today:
            raise InvalidOption("day", "the archive holds days that are over")
        found = await self.read(lambda connection: daily.find(connection, day, game_id, mode))
        if found is None:
            raise InvalidOption("day", f"there was no daily on {day}")
        return found.secret, day

    def _remember(self, live: LiveTable) -> None:
        self._live[live.id] = live
        TABLES.set(len(self._live))
        if len(self._live) > MOST_IN_MEMORY:
            idle = (other for other in self._live.values() if not other.watchers and not other.saving)
            if (oldest := next(idle)) is not live:
                del self._live[oldest.id]


def _takes_long_to_recommend(live: LiveTable) -> bool:
    """Farkle's turns are solved once for each set of points; the usual ones are soon all known."""
    options = live.table.options
    if not isinstance(options, FarkleOptions):
        return False
    return (options.straight_points, options.three_pairs_points) != USUAL_POINTS


def _unheard(job: asyncio.Future[Any]) -> None:
    """Nobody waits for it any more; what went wrong has been told."""
    if not job.cancelled():
        job.exception()


def _check_seen(live: LiveTable, seen: int) -> None:
    if seen != len(live.table.steps):
        raise IllegalMove("stale", f"the table has {len(live.table.steps)} steps, not {seen}; look again")


def _save(connection: Connection, live: LiveTable, steps: str, run: Run | None, now: int) -> None:
    saved = live.saved
    fresh = tables.save(connection, live.id, saved.version, steps, live.table.unranked, run is not None, now)
    if run is not None and fresh:
        _enter_run(connection, run, now)
    elif run is not None and runs.of_table(connection, saved.player_id, live.id) != run.id:
        raise Overtaken("overtaken", "the run has been finished elsewhere")


def _enter_run(connection: Connection, run: Run, now: int) -> None:
    """The run, and the boards it has earned a place on."""
    if run.day is not None:
        if run.day < day_of(now):
            daily.reveal(connection, day_of(now), now)  # as its day is over, and the run tells the dice
        known = daily.find(connection, run.day, run.game, run.mode)
        if known is not None and known.revealed_at is not None:  # whatever the clock says
            run = runs.late(run, known.secret, known.commitment)
    runs.insert(connection, run)
    if not run.ranked or players.is_barred(connection, run.player_id):
        return
    boards.take_turn(connection)
    common = (run.player_id, run.score, run.lower_is_better, run.id, now)
    if run.day is None:
        for period in periods_of(now).values():
            boards.enter(connection, board_name(run.game, run.mode), period, *common)
    else:  # a daily's dice can be learned by heart, so it has boards of its own
        boards.enter(connection, daily_board(run.day, run.game, run.mode, "best"), "all", *common)
        attempt = daily.attempt_at(connection, run.day, run.player_id, run.table_id)
        if attempt is not None and attempt.first:
            boards.enter(connection, daily_board(run.day, run.game, run.mode, "first"), "all", *common)
