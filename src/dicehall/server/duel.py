"""A duel: a room whose people play the same dice at the same time, each their own board.

All that a room does before a game is done here as well: the invitation, and dice that nobody could choose, to which
everybody adds as a party. Then everybody has a table of one seat, with the same secret and the same contributions. What
one is shown of the others ends where one has come oneself (people/duels.py). Their dice are known to all when the last
board is done: until then the runs keep the secret to themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Connection

from dicehall.bots.seats import YOU
from dicehall.errors import IllegalMove
from dicehall.people import duels
from dicehall.people.clocks import SECOND
from dicehall.people.duels import Mark
from dicehall.people.presence import Place
from dicehall.play.record import LEFT, RESIGNED
from dicehall.server.live import LiveTable
from dicehall.server.room import AFTER, FORSAKEN, Room, RoomClosed
from dicehall.server.wire import BoardShown, RoomShown
from dicehall.store import runs
from dicehall.store.rooms import CLOSED, SavedRoom

MINUTE_MS: Final = 60 * SECOND
NOTHING: Final = Mark(0, 0, "points", 0)  # of a board that nobody can find any more
GIVEN_UP: Final = (RESIGNED, LEFT)  # who departs for one of these is behind everybody else


class End(NamedTuple):
    """How a board has ended: `why` it departed, if it did, and its run. Kept when the duel is over."""

    dice: int
    score: int
    unit: str
    worth: int
    why: str | None
    run: str | None


class Board:
    """One board, as the store has it."""

    def __init__(self, live: LiveTable) -> None:
        self.marks: list[Mark] = []
        self.follow(live)

    def follow(self, live: LiveTable) -> None:
        """A move that is on its way to the store does not count yet."""
        self.live, table, steps = live, live.table, live.snapshot.steps
        begun = table.game.begin(table.options, len(table.seats))
        duels.follow(self.marks, table.game, begun, steps, table.states[: len(steps)])
        self.is_over, departures = live.saved.over, live.saved.departures
        self.end = End(*self.marks[-1], departures[-1].why if departures else None, live.run_id)


class Duel(Room):
    def __init__(self, saved: SavedRoom, now_ms: int) -> None:
        super().__init__(saved, now_ms)
        self.boards: dict[int, Board] = {}  # by place; a board that nobody can find any more is none

    # -- what there is

    def table_of(self, place: int | None) -> str | None:
        tables = self.progress.tables
        return tables[place] if place is not None and place < len(tables) else None

    def live_of(self, place: int | None) -> LiveTable | None:
        board = None if place is None else self.boards.get(place)
        return None if board is None else board.live

    def seat_of(self, place: int) -> int:
        return 0

    def player_at(self, place: int | None) -> str | None:
        return None if place is None else self.people[place]

    def places_with_tables(self) -> list[int]:
        return list(range(len(self.progress.tables)))

    def plays_at(self, live: LiveTable) -> bool:
        return live.id in self.progress.tables

    def place_of_mover(self, live: LiveTable) -> int | None:
        return None if live.mover is None else self.progress.tables.index(live.id)

    def plays(self, place: int) -> bool:
        """Whether that board is not done yet."""
        return self.state == "playing" and place in self.boards and not self.boards[place].is_over

    @property
    def is_over(self) -> bool:
        return all(board.is_over for board in self.boards.values())

    def waits_for(self, place: int) -> bool:
        return self.plays(place) if self.state == "playing" else super().waits_for(place)

    def goes_on(self) -> bool:
        return self.state != CLOSED and (self.state != "between" or bool(self.progress.ready or self.progress.withheld))

    def staying(self) -> list[int]:
        return [place for place, who in enumerate(self.people) if who is not None and place not in self.progress.left]

    def next_ms(self) -> int | None:
        if self.state != "playing":
            return super().next_ms()
        if self.is_over:
            return 0  # it could not be scored when it ended
        moved = max(board.live.saved.updated_at for board in self.boards.values())
        return min(at for at in ((moved + FORSAKEN) * SECOND, self.progress.until_ms) if at is not None)

    def give_back(self, span_ms: int) -> None:
        super().give_back(span_ms)
        if self.state == "playing" and self.progress.until_ms is not None:
            self.progress.until_ms += span_ms
            for board in self.boards.values():
                board.live.until_ms = self.progress.until_ms

    # -- what people do

    def start(self, place: int, now_ms: int) -> None:
        """Between two games the host begins with those who are ready."""
        if self.state != "between":
            return super().start(place, now_ms)
        if place != 0:
            raise IllegalMove("room-host", "whoever has asked the others to the table begins")
        self._begin_with(sorted({0, *self.progress.ready}), now_ms)
        return None

    def ready(self, place: int, now_ms: int) -> None:
        """For the next game. When all who have stayed are, it begins."""
        if self.state != "between":
            raise IllegalMove("not-between", "there is no game to be ready for")
        if place in self.progress.left:
            raise IllegalMove("room-left", "whoever has gone for good does not play again")
        if place not in self.progress.ready:
            self.progress.ready.append(place)
        if len(self.staying()) > 1 and set(self.staying()) <= set(self.progress.ready):
            self._begin_with(self.staying(), now_ms)

    def _begin_with(self, places: Sequence[int], now_ms: int) -> None:
        if len(places) < duels.PARTIES[0]:
            raise IllegalMove("duel-alone", "nobody else is ready")
        self._go_on_without([place for place in range(len(self.people)) if place not in places])
        self.begin(now_ms)

    def _take_seats(self, secret: str) -> None:
        """Everybody is a party, by place."""
        own = self.progress
        own.seats, own.number = tuple(range(len(self.people))), own.number + 1
        own.tables, own.left, own.ends, self.boards = [], [], [], {}

    def leave(self, place: int, now_ms: int) -> None:
        """From a game one's own board alone departs (rooms.py), and from what comes next one is left out."""
        if self.state in ("gathering", "closed"):
            return super().leave(place, now_ms)
        if self.state in ("sealing", "opening"):  # without everybody's seed it cannot begin
            self.give_up_dice(now_ms)
            self.progress.withheld = []
        if place not in self.progress.left:
            self.progress.left.append(place)
        if place in self.progress.ready:
            self.progress.ready.remove(place)
        if self.state == "between" and len(self.staying()) < duels.PARTIES[0]:
            self.close("left")
        return None

    # -- the tables

    def sit(self, tables: Sequence[LiveTable], now_ms: int) -> None:
        self.progress.tables, self.state = [live.id for live in tables], "playing"
        self.progress.until_ms = now_ms + self.agreement.minutes * MINUTE_MS if self.agreement.minutes else None

    def follow(self, live: LiveTable) -> None:
        place = self.progress.tables.index(live.id)
        live.until_ms = self.progress.until_ms if self.state == "playing" else None
        if place in self.boards:
            self.boards[place].follow(live)
        else:
            self.boards[place] = Board(live)

    def lose(self, place: int | None) -> bool:
        """That board is gone: whoever runs the hall has cleared it away, say. The others play on. Whether it was there
        before."""
        return place is not None and self.boards.pop(place, None) is not None

    def score(self, now_ms: int) -> None:
        """All boards are done."""
        own = self.progress
        gone = End(*NOTHING, LEFT, None)
        own.ends = [self.boards[place].end if place in self.boards else gone for place in range(len(own.tables))]
        own.until_ms, self.state = now_ms + AFTER * SECOND, "between"
        if not self.staying():
            self.close("left")

    def tell_dice(self, connection: Connection) -> None:
        """The duel is over: its runs say what the house had committed itself to."""
        assert self.progress.secret is not None
        runs.tell_secrets(connection, self.progress.tables, self.progress.secret)

    # -- what is shown

    def message(self, player_id: str | None, now_ms: int) -> RoomShown:
        shown = super().message(player_id, now_ms)
        guests = []
        for place, guest in enumerate(shown.places):
            claim_ms = guest.claim_ms if self.plays(place) else None
            guests.append(msgspec.structs.replace(guest, claim_ms=claim_ms, gone=self._gone(place)))
        return msgspec.structs.replace(
            shown, places=tuple(guests), table=self.table_of(shown.you), boards=self._shown_boards(shown.you)
        )

    def _gone(self, place: int) -> str | None:
        if self.progress.ends:
            return End(*self.progress.ends[place]).why
        if place in self.boards:
            return self.boards[place].end.why
        return LEFT if self.state == "playing" else None

    def _shown_boards(self, you: int | None) -> tuple[BoardShown, ...]:
        """By place, each as far as whoever looks has come."""
        if self.progress.ends:
            ends = [End(*one) for one in self.progress.ends]
            marks, done = [Mark(*one[:4]) for one in ends], [True] * len(ends)
        elif self.state == "playing":
            dice = self._horizon(you)
            places = range(len(self.progress.tables))
            boards = list(map(self.boards.get, places))
            marks = [NOTHING if board is None else duels.seen(board.marks, dice) for board in boards]
            done = [board is None or board.is_over for board in boards]
            ends = [End(*NOTHING, None, None)] * len(boards)
        else:
            return ()
        behind = [self._gone(place) in GIVEN_UP for place in range(len(marks))]
        ranks = duels.ranks([None if gone else mark.worth for mark, gone in zip(marks, behind, strict=True)])
        return tuple(
            BoardShown(mark.score, mark.unit, mark.dice, rank, over, end.run)
            for mark, rank, over, end in zip(marks, ranks, done, ends, strict=True)
        )

    def _horizon(self, you: int | None) -> int | None:
        if you is not None and you in self.boards:
            return self.boards[you].marks[-1].dice if self.plays(you) else None
        used = [board.marks[-1].dice if self.plays(place) else None for place, board in self.boards.items()]
        return duels.horizon(used)

    def end_coming(self) -> None:
        """The time is up."""


class OpenDuel(Duel):
    """A duel to which people come in a week, one after the other: whoever asks them plays first, and everybody once.
    The dice are the house's and the host's; who comes later cannot add to them."""

    def __init__(self, saved: SavedRoom, now_ms: int) -> None:
        super().__init__(saved, now_ms)
        self._ends = False

    @property
    def is_over(self) -> bool:
        return self._ends and super().is_over

    def end_coming(self) -> None:
        self._ends = True

    def next_ms(self) -> int | None:
        if self.state != "playing":
            return super().next_ms()
        return 0 if self.is_over else self.progress.until_ms

    def join(self, player_id: str, now_ms: int) -> int:
        place = self.place_of(player_id)
        if place is not None:
            return place
        if self.state == "closed" or self._ends:
            raise RoomClosed(f"room-{self.progress.why or 'week'}", "this table is closed")
        if self.state != "playing" or self.plays(0):
            raise IllegalMove("duel-early", "whoever asks the others plays first; come back a little later")
        if len(self.people) == duels.COMERS[-1]:
            raise IllegalMove("room-full", "everybody whom this table has room for has come")
        self.people.append(player_id)
        self.agreement = replace(self.agreement, seats=(YOU,) * len(self.people))
        nobody = Place(lines=0, lost_ms=now_ms, left=False, stands_ms=None)
        self.presence = replace(self.presence, places=(*self.presence.places, nobody))
        place = len(self.people) - 1
        self._give(place, player_id, now_ms)
        self.progress.seats = tuple(range(len(self.people)))
        return place

    def add(self, live: LiveTable) -> None:
        """The table of whoever has come last."""
        self.progress.tables.append(live.id)

    def ready(self, place: int, now_ms: int) -> None:
        """The host begins again, when their seed had not come in time."""
        if self.state != "between":
            raise IllegalMove("not-between", "there is no game to be ready for")
        self.begin(now_ms)

    def sit(self, tables: Sequence[LiveTable], now_ms: int) -> None:
        super().sit(tables, now_ms)
        self.progress.until_ms = now_ms + self.clock.own_ms

    def score(self, now_ms: int) -> None:
        super().score(now_ms)
        self.close("week")

    def _horizon(self, you: int | None) -> int | None:
        """Whoever watches may still come to play, and is shown nothing."""
        return 0 if you is None or you not in self.boards else super()._horizon(you)


def room_of(saved: SavedRoom, now_ms: int) -> Room:
    """The room that was kept, of whichever kind it is."""
    if saved.agreement.get("open"):
        return OpenDuel(saved, now_ms)
    return (Duel if saved.agreement.get("same_dice") else Room)(saved, now_ms)
