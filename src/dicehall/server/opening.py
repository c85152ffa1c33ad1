"""How a table is opened: what was asked for, checked; the dice of it; and how it comes into the store."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from sqlalchemy import Connection

from dicehall.bots.seats import YOU, usual_seats
from dicehall.dice import fresh_secret, seed_text
from dicehall.errors import InvalidOption
from dicehall.people.clocks import SECOND, begin, times_text
from dicehall.play.record import from_json
from dicehall.rules.catalog import find_game
from dicehall.server import modes
from dicehall.server.access import Access
from dicehall.server.finish import enter_run
from dicehall.server.live import Damaged, LiveTable, replay_steps
from dicehall.server.modes import mode_name
from dicehall.server.room import Room
from dicehall.server.wire import OpenTable
from dicehall.store import daily, runs, tables
from dicehall.store.ids import new_id
from dicehall.store.runs import Run
from dicehall.store.tables import SavedTable

MOST_OPEN: Final = 200  # tables of one player


class Opening:
    """`today` is the hall's: when it has answered, the dailies of all earlier days are revealed. `hidden` is too."""

    def __init__(
        self,
        access: Access,
        clock: Callable[[], int],
        today: Callable[[], Awaitable[str]],
        hidden: Callable[[str, str], str],
    ) -> None:
        self._access, self._clock, self._today, self._hidden = access, clock, today, hidden

    async def new_table(self, player_id: str, asked: OpenTable) -> SavedTable:
        """What was `asked` for, checked, with its dice and before its first step."""
        game, kind, now = find_game(asked.game), asked.kind, self._clock()
        if kind == "people":
            raise InvalidOption("kind", "people sit down together in a room: POST /api/rooms")
        options, seats, day = asked.options, asked.seats, asked.day
        own, secret = seed_text(asked.seed or "", allow_empty=True), None
        if kind in ("daily", "archive"):
            if options or seats or asked.seed:
                raise InvalidOption("daily", "a daily has its own options, seats and dice")
            options, seats = modes.daily_choice(game.id), usual_seats(game)
            secret, day = await self._daily_secret(kind, game.id, day, now)
        elif day is not None:
            raise InvalidOption("day", "only a daily has a day")
        elif kind == "ranked":
            secret = fresh_secret()
        elif not own:
            own = secrets.token_hex(8)
        chosen = game.make_options(options)
        people = modes.check_seats(game, seats or usual_seats(game))
        game.check_seats(chosen, len(people))
        chosen = chosen.in_force(len(people))
        return SavedTable(
            id=new_id(),
            people=_whose(people, player_id),
            game=game.id,
            rules=game.version,
            options=chosen.changed(),
            seats=people,
            kind=kind,
            secret=secret,
            own_seed=own,
            day=day,
            mode=mode_name(chosen, people),
            steps="",
            unranked=("archive",) if kind == "archive" else (),
            over=False,
            created_at=now,
            updated_at=now,
        )

    async def table_from(self, player_id: str, game_id: str, run_id: str, step: int) -> SavedTable:
        """A table of `game_id` on which the first `step` steps of the finished run `run_id` have been played, whose
        dice are known."""
        await self._today()  # what earlier dailies rolled is known by now
        run = await self._access.read(lambda connection: runs.get(connection, run_id))
        if run is None or run.game != game_id:
            raise InvalidOption("run", "there is no such run")
        record, now = from_json(run.record), self._clock()
        dice = record.origin.dice()
        if dice is None:  # a daily's, as long as others play it
            raise InvalidOption("run-dice", "the dice of this run are not known yet; nobody can go on with them")
        return SavedTable(
            id=new_id(),
            people=_whose(record.seats, player_id),
            game=record.game,
            rules=record.rules,
            options=record.options.changed(),
            seats=record.seats,
            kind="practice",
            secret=None,
            own_seed=dice.seed,
            day=None,
            mode=run.mode,
            steps=" ".join(record.steps[:step]),
            unranked=(),
            over=False,
            created_at=now,
            updated_at=now,
        )

    def people_tables(self, room: Room, now_ms: int, places: Sequence[int] = ()) -> list[SavedTable]:
        """The table of the game that begins in the room: all have added to the dice. In a duel one for everybody there,
        or at these `places`."""
        if room.agreement.same_dice:
            who = [room.people[place] for place in places or range(len(room.people))]
            return [self._people_table(room, (YOU,), (player,), now_ms) for player in who]
        names: list[str] = [""] * len(room.seats)
        people: list[str | None] = [None] * len(room.seats)
        for place, seat in enumerate(room.seats):
            names[seat], people[seat] = room.agreement.seats[place], room.people[place]
        return [self._people_table(room, tuple(names), tuple(people), now_ms)]

    def _people_table(
        self, room: Room, names: tuple[str, ...], people: tuple[str | None, ...], now_ms: int
    ) -> SavedTable:
        game, added, now = find_game(room.agreement.game), room.contributions(), now_ms // SECOND
        chosen = game.make_options(room.agreement.options)
        timed = room.clock.runs and not room.agreement.same_dice
        times = times_text(begin(room.clock, len(names), now_ms, None)) if timed else None
        return SavedTable(
            id=new_id(),
            people=people,
            game=game.id,
            rules=game.version,
            options=chosen.in_force(len(names)).changed(),
            seats=names,
            kind="people",
            secret=room.progress.secret,
            own_seed="",
            day=None,
            mode=mode_name(chosen, names),
            steps="",
            unranked=(),
            over=False,
            created_at=now,
            updated_at=now,
            room_id=room.id,
            contributions=added,
            times=times,
        )

    def enter_table(self, live: LiveTable, run: Run | None, connection: Connection) -> tuple[str, list[str]]:
        """Keep a new table, and its `run` if it is over already. The id of the table that is kept, which may be one
        that was there, and the ids of those that it ends."""
        saved, ended = live.saved, []
        host = saved.player_ids[0]
        if saved.kind == "daily":
            mine = saved.day or "", saved.game, saved.mode, host
            there = daily.untouched_attempt(connection, *mine, saved.steps)
            if there is not None:
                return there, []
            ended = daily.end_open_attempts(connection, *mine)
        if tables.count_open(connection, host) >= MOST_OPEN:
            raise InvalidOption("tables", f"you have {MOST_OPEN} tables open; finish or leave one first")
        tables.insert(connection, saved)
        if saved.kind == "daily":
            # with the day in it, nobody is followed from one day to the next
            came_from = self._hidden(live.network, saved.day or "")
            live.first = daily.attempt(
                connection, saved.day or "", saved.game, saved.mode, host, saved.id, came_from
            ).first
        if run is not None:
            enter_run(connection, run, saved.created_at)
        return saved.id, ended

    async def _daily_secret(self, kind: str, game_id: str, day: str | None, now: int) -> tuple[str, str]:
        today, mode = await self._today(), modes.daily_mode(find_game(game_id))
        if kind == "daily":
            if day not in (None, today):
                raise InvalidOption("day", f"today's daily is {today}; past days are in the archive, unranked")
            made = await self._access.write(lambda c: daily.ensure(c, today, game_id, mode, now))
            if made.revealed_at is not None:
                raise InvalidOption("daily-revealed", f"the dice of {today} are known already, so they are not played")
            return made.secret, today
        if day is None or day >= today:
            raise InvalidOption("day", "the archive holds days that are over")
        found = await self._access.read(lambda connection: daily.find(connection, day, game_id, mode))
        if found is None:
            raise InvalidOption("day", f"there was no daily on {day}")
        return found.secret, day


def _whose(seats: tuple[str, ...], player_id: str) -> tuple[str | None, ...]:
    """Every person's seat at a table of one device is the player's."""
    return tuple(player_id if name == YOU else None for name in seats)


def replay_run(live: LiveTable) -> None:
    """Play the steps of a run again, up to a position in which somebody has a choice."""
    try:
        replay_steps(live)
    except Damaged:  # dice fall there by themselves, or fell from elsewhere
        raise InvalidOption("step", "nobody has a choice in that position") from None
    if live.table.is_over:
        raise InvalidOption("step", "the run is over there")
