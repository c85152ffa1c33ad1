"""A table in memory, and the snapshot of it that everybody who watches is shown."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from dicehall.bots.player import Player, player, plays_by_advice
from dicehall.bots.seats import PERSON, YOU
from dicehall.dice import mixed
from dicehall.errors import DicehallError
from dicehall.people import clocks
from dicehall.people.clocks import Times, read_times
from dicehall.play.contributions import seed_of
from dicehall.play.film import Frame, start_frame
from dicehall.play.record import is_roll
from dicehall.play.table import Table
from dicehall.rules.catalog import find_game
from dicehall.server import wire
from dicehall.server.models.coach import Advice
from dicehall.store.tables import SavedTable

APART: Final = re.compile(r"(?<! ) (?! )")  # what stands between saved steps that were not made together


class Damaged(DicehallError):
    """A table that the store does not hold as it was played. It can be left, and nothing else."""


class Bot(NamedTuple):
    name: str
    seed: str
    choose: Player

    @property
    def thinks(self) -> bool:
        """Whether its moves are worked out beside the event loop: they may take long."""
        return plays_by_advice(self.name)


class LiveTable:
    """A table in memory. While `saving`, it is ahead of the store; `saved` and `snapshot` never are."""

    def __init__(self, saved: SavedTable, table: Table, bots: dict[int, Bot], network: str) -> None:
        self.id = saved.id
        self.network = network  # of whoever sat down last: on their account its bots think
        self.quick = True  # whether its bots' first question about the variant is quickly answered
        self.replies: dict[str, list[Any]] = {}  # of bots who have thought ahead, by the state they reply to
        self.recommended: str | None = None  # the keep that brings most, where Farkle asks for one
        self.saved, self.table, self.bots = saved, table, bots
        people = [seat for seat in range(len(table.seats)) if seat not in bots]
        # whose move an undo takes back, with the bots' replies to it; None where several people play
        self.undo_seat = people[0] if len(people) == 1 else None
        self.run_id: str | None = None  # once it is over
        self.moved_at = 0.0  # by a clock for durations: when what is being saved has begun
        self.first: bool | None = None  # a daily's: whether it counts on the board of first attempts
        self.shown_until = 0  # how many steps were there before the last move of a person
        self.own_moves = 1  # how many the person made at once then, one or two
        self.hint: Advice | None = None  # what the coach says about the position, once somebody has asked
        self.saving = False
        self._waiting: list[asyncio.Future[None]] = []  # for the end of it
        self.watchers: set[Callable[[], None]] = set()  # called when there is a new snapshot, or none any more
        self.in_room = saved.room_id is not None
        self.networks: dict[int, str] = {}  # from where each seat was last played, as far as anybody knows
        self.mover: int | None = None  # the seat of a person whose move is being kept
        self.times: Times | None = None if saved.times is None else read_times(saved.times)
        self.until_ms: int | None = None  # when a duel is over that it is played in
        self.snapshot: Snapshot

    def note_mover(self, moves: int) -> None:
        """So many moves are made now: what a person has seen before them is where the film begins."""
        if self.table.actor not in self.bots:
            self.shown_until, self.own_moves = len(self.table.steps), moves

    def time_turn(self, now_ms: int, moved: bool = False) -> None:
        """Clocks run for people alone. `moved`: it is after a move; else bots have moved, or a seat has departed."""
        if self.times is None:
            return
        actor = self.table.actor
        turn = actor if actor >= 0 and self.table.seats[actor] == YOU else None
        if moved or turn != self.times.turn:
            self.times = clocks.moved(self.times, now_ms, turn)

    @property
    def is_timed(self) -> bool:
        return self.times is not None or self.until_ms is not None

    def is_out_of_time(self, now_ms: int) -> bool:
        out = self.times is not None and clocks.is_out(self.times, now_ms)
        return out or (self.until_ms is not None and now_ms >= self.until_ms)

    @property
    def clock_runs(self) -> bool:
        """Whether somebody's time goes on, though nobody may be there."""
        return self.times is not None and not self.table.is_over

    def due_ms(self) -> int | None:
        """When the seat whose turn it is will be out of time."""
        return None if self.times is None else clocks.deadline(self.times)

    def begin_ms(self) -> int | None:
        """When the game will not count, because somebody has not begun it."""
        return None if self.times is None else clocks.first_move_by(self.times)

    def seat_of(self, player_id: str | None) -> int | None:
        """The seat of a player, where people have seats of their own; None at a table of one device."""
        people = self.saved.people
        return people.index(player_id) if self.in_room and player_id in people else None

    async def settled(self) -> None:
        """Until the next `await`, the table is as the store has it; unless the hall has dropped it meanwhile."""
        while self.saving:
            self._waiting.append(waiting := asyncio.get_running_loop().create_future())
            await waiting

    def settle(self) -> None:
        self.saving = False
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        self._waiting.clear()

    def draw(self) -> None:
        """Everybody who watches gets to see the table as it is now."""
        self.snapshot = Snapshot(self)
        self.call()

    def call(self) -> None:
        for watcher in tuple(self.watchers):
            watcher()


class Snapshot:
    """A table as it is shown, encoded once for all who have seen the same of it from the same seat."""

    def __init__(self, live: LiveTable) -> None:
        table, actor = live.table, live.table.actor
        one_device = actor >= 0 and actor not in live.bots and not live.in_room
        self.steps, self.view = table.steps, table.view(actor if one_device else None)
        self.hint, self.unranked, self.departures = live.hint, table.unranked, table.departures
        self._live = live
        self._shown = wire.TableShown(
            protocol=wire.PROTOCOL,
            id=live.id,
            kind=live.saved.kind,
            day=live.saved.day,
            mode=live.saved.mode,
            seats=live.saved.seats if not live.in_room else _seats_for(None, live.saved.seats),
            commitment=table.commitment,
            count=len(self.steps),
            news=(),  # by who looks: `since`
            can_undo=table.can_undo(live.undo_seat) and not table.is_over,
            unranked=table.unranked,
            view=self.view,
            run=live.run_id,
            film=_film(live),
            recommended=live.recommended if self.view["your_turn"] else None,
            hint=self.hint,
            first=live.first,
            room=live.saved.room_id,
        )
        self._seats: dict[int | None, wire.TableShown] = {None: self._shown}
        self._frames: dict[tuple[int | None, int], bytes] = {}

    def since(self, seen: tuple[str, ...], seat: int | None = None) -> bytes:
        """For somebody who has seen these steps, on a seat of their own; if they are not among the table's, no news
        make sense of them."""
        news = self.steps[len(seen) :] if seen == self.steps[: len(seen)] else ()
        if (seat, len(news)) not in self._frames:
            shown = self._from(seat)
            shown.news = news
            self._frames[seat, len(news)] = wire.frame(shown)
        return self._frames[seat, len(news)]

    def _from(self, seat: int | None) -> wire.TableShown:
        if seat not in self._seats:
            view = self.view | {"you": seat, "your_turn": seat == self.view["to_move"]}
            keep = self._live.recommended if view["your_turn"] else None
            seats = _seats_for(seat, self._live.saved.seats)
            self._seats[seat] = msgspec.structs.replace(self._shown, view=view, seats=seats, recommended=keep)
        return self._seats[seat]


def _seats_for(seat: int | None, seats: tuple[str, ...]) -> tuple[str, ...]:
    """Who sits there, as the person on `seat` sees it, or somebody who watches."""
    return tuple(PERSON if name == YOU and at != seat else name for at, name in enumerate(seats))


def _film(live: LiveTable) -> list[Frame]:
    """What the last move has brought. A move, or two made together, and a roll explain themselves, unless they end the
    run; of anything longer every step is shown. Before anybody has moved, the table before its first roll is shown."""
    if not live.shown_until:
        begun = live.table.game.begin(live.table.options, len(live.table.seats))
        return [start_frame(live.table.game, begun), *live.table.film()]
    long = len(live.table.steps) - live.shown_until > live.own_moves + 1 or live.table.is_over
    return live.table.film(live.shown_until, views=long)


def seated(saved: SavedTable, network: str = "") -> LiveTable:
    """The table at its start, as the store describes it. `network` is where whoever sits there comes from."""
    ranked = saved.secret is not None
    table = Table(
        find_game(saved.game, saved.rules),
        options=saved.options,
        seats=saved.seats,
        seed=saved.own_seed if (ranked or saved.own_seed) and not saved.contributions else None,
        secret=saved.secret,
        contributions=saved.contributions,
        practice=not ranked,
        undo_allowed=not ranked,
    )
    table.unranked = saved.unranked
    return LiveTable(saved, table, _bots(saved), network)


def _bots(saved: SavedTable) -> dict[int, Bot]:
    game = find_game(saved.game, saved.rules)
    own = seed_of(saved.contributions) if saved.contributions else saved.own_seed
    seed = own if saved.secret is None else mixed(saved.secret, own)
    return {
        seat: Bot(name, seed, player(name, game, seed, seat)) for seat, name in enumerate(saved.seats) if name != YOU
    }


def steps_text(table: Table) -> str:
    """The table's steps as the store keeps them: a space between two, and one more between two moves that were made
    together, so that they are still taken back together when the table comes back from the store."""
    if not (together := table.together()):
        return " ".join(table.steps)
    return " ".join(f"{step} " if number in together else step for number, step in enumerate(table.steps))


def replay_steps(live: LiveTable) -> None:
    """Play the saved moves again."""
    if live.in_room:
        _replay_in_room(live)
    else:
        _replay_on_one_device(live)


def _replay_on_one_device(live: LiveTable) -> None:
    table = live.table
    try:
        for steps in APART.split(live.saved.steps) if live.saved.steps else ():  # none before somebody begins
            if not is_roll(steps):
                move, *then = steps.split("  ")
                live.note_mover(1 + len(then))
                table.play(move, then=then[0] if then else None)
    except DicehallError as error:
        raise _damaged(live.id) from error
    table.unranked = live.saved.unranked
    if steps_text(table) != live.saved.steps:
        raise _damaged(live.id)


def _replay_in_room(live: LiveTable) -> None:
    """Where seats may have departed: the table itself has played for them. No move is taken back there."""
    table, steps, left = live.table, tuple(live.saved.steps.split()), list(live.saved.departures)
    try:
        while True:
            while left and left[0].step == len(table.steps):
                table.depart(*left.pop(0)[1:])
            if len(table.steps) >= len(steps):
                break
            live.note_mover(1)
            table.play(steps[len(table.steps)])
    except (DicehallError, IndexError) as error:
        raise _damaged(live.id) from error
    table.unranked = live.saved.unranked
    if table.steps != steps or left:
        raise _damaged(live.id)


def _damaged(table_id: str) -> Damaged:
    return Damaged("damaged", f"the table {table_id} is damaged: what was played there cannot be played again")
