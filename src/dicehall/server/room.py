"""A room: the same people with one agreement, from the invitation to the last game; who is there, what is agreed, how
the dice came about. The game itself is played at a table, which the room follows.

    gathering -> sealing -> opening -> playing -> between -> sealing -> ...
        everywhere -> closed

Before every game the house publishes a commitment, every browser seals what it adds to the dice, and when all have
sealed, all open (docs/dice.md). The room is in the store at every step of that: a hall that is killed goes on with the
same commitment, so it gains nothing by it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from dicehall.bots.seats import YOU
from dicehall.dice import commitment, contribution_seal, fresh_secret
from dicehall.errors import DicehallError, IllegalMove
from dicehall.people import clocks, phrases, presence, series
from dicehall.people.clocks import SECOND, Clock
from dicehall.people.presence import Presence
from dicehall.people.series import Series
from dicehall.play.record import ENDED, Contribution
from dicehall.server import wire
from dicehall.server.agreement import Agreement, read_agreement
from dicehall.server.live import LiveTable
from dicehall.server.wire import ClockShown, Contributed, Guest, RoomShown, Said
from dicehall.store.rooms import CLOSED, SavedRoom

State = Literal["gathering", "sealing", "opening", "playing", "between", "closed"]
Why = Literal["cancelled", "expired", "missed", "left", "ended", "stopped", "over", "week"]
AFTER: Final = 24 * 3600  # seconds for which there can be a next game
FORSAKEN: Final = 7 * 24 * 3600  # seconds without a move, and without a clock, after which a game has ended
LISTS: Final = ("seals", "ready", "withheld", "tables", "left", "ends")  # of what has come about
DICE_SECONDS: Final = 45  # for sealing, and again for opening: browsers do it by themselves


class RoomClosed(DicehallError):
    """There is no such room, or not any more."""


@dataclass(slots=True)
class Progress:
    """How far a room has come; all of it is kept in the store."""

    why: Why | None = None  # it is closed
    series: Series | None = None  # before the first game nobody knows who begins
    seats: tuple[int, ...] | None = None  # by place, in the game that is played, comes next or was last
    number: int = 0  # of that game in its series
    secret: str | None = None  # of the coming game, or of the one that is played
    seals: list[tuple[int, str]] = field(default_factory=list)  # by place, in the order in which they came
    seeds: dict[int, str] = field(default_factory=dict)  # that were opened, by place
    until_ms: int | None = None  # for sealing and opening, or for a next game
    ready: list[int] = field(default_factory=list)  # places
    withheld: list[int] = field(default_factory=list)  # who kept the last game from beginning
    networks: dict[int, str] = field(default_factory=dict)  # by place, from where it was last taken; hidden
    quick: bool = False  # quick match has brought them together
    # where everybody has a board of their own: see duel.py
    tables: list[str] = field(default_factory=list)  # by place
    left: list[int] = field(default_factory=list)  # places of those who have gone for good
    ends: list[Any] = field(default_factory=list)  # how the last game has ended, by place

    def to_json(self) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in self.__slots__}
        copied = {name: list(getattr(self, name)) for name in LISTS}  # these go on changing
        return own | copied | {name: list(getattr(self, name).items()) for name in ("seeds", "networks")}


def read_progress(data: dict[str, Any]) -> Progress:
    known = data["series"]
    found = None if known is None else Series(known[0], known[1], known[2], known[3], tuple(known[4]))
    seals = [(place, seal) for place, seal in data["seals"]]
    seats = None if data["seats"] is None else tuple(data["seats"])
    own = {name: dict(data.get(name, ())) for name in ("seeds", "networks")}
    return Progress(**data | own | {"series": found, "seats": seats, "seals": seals})


class Room:
    """A room in memory. Whoever changes it holds its `lock`, works on it by the methods under "what people do", and
    keeps it in the store before anybody is shown it (rooms.py)."""

    def __init__(self, saved: SavedRoom, now_ms: int) -> None:
        self.id = saved.id
        self.saved = saved
        self.agreement: Agreement = read_agreement(saved.agreement)
        self.progress = read_progress(saved.progress)
        self.state: State = saved.state  # type: ignore[assignment]  # the store has one of them
        if self.state in ("sealing", "opening"):  # as long as nobody found the room, nobody could add to the dice
            self.progress.until_ms = max(self.progress.until_ms or 0, now_ms + DICE_SECONDS * SECOND)
        self.people: list[str | None] = list(saved.people)
        self.names: dict[str, str] = {}  # nicknames of players
        self.table_id = saved.table_id
        self.live: LiveTable | None = None  # the table that is played, or was last
        self.presence: Presence = presence.begin(self.agreement.read_clock(), len(self.people), now_ms)
        self.lock = asyncio.Lock()
        self.watchers: dict[Callable[[], None], str] = {}  # who is called when it has changed, and for which player
        self.said: Said | None = None
        self._full_ms: dict[int, int] = {}  # how much somebody has said lately, by place
        self.changes = 0  # whoever has been shown fewer is behind
        self.look_ms = 0  # before that time nothing is due, unless something changes

    # -- what there is

    @property
    def clock(self) -> Clock:
        return self.presence.clock

    def place_of(self, player_id: str) -> int | None:
        return self.people.index(player_id) if player_id in self.people else None

    def may_see(self, player_id: str) -> bool:
        return self.agreement.watched or player_id in self.people

    def watching(self) -> int:
        """How many players are there who have no place."""
        return len({one for one in self.watchers.values() if one not in self.people})

    def free(self) -> list[int]:
        return [place for place, name in enumerate(self.agreement.seats) if name == YOU and self.people[place] is None]

    def persons(self) -> list[int]:
        """The places of people."""
        return [place for place, name in enumerate(self.agreement.seats) if name == YOU]

    @property
    def seats(self) -> tuple[int, ...]:
        """By place, its seat in the game that is played, comes next or was last; of one there is."""
        assert self.progress.seats is not None, "nobody knows who begins before the first game"
        return self.progress.seats

    def place_at(self, seat: int) -> int:
        return self.seats.index(seat)

    def place_of_mover(self, live: LiveTable) -> int | None:
        """Whose move has just been kept at that table."""
        return None if live.mover is None else self.place_at(live.mover)

    def table_of(self, place: int | None) -> str | None:
        """The table of the game, as whoever has that place plays it, or somebody without one watches it."""
        return self.table_id

    def live_of(self, place: int | None) -> LiveTable | None:
        return self.live

    def seat_of(self, place: int) -> int:
        """At that table."""
        return self.seats[place]

    def player_at(self, place: int | None) -> str | None:
        """Anybody who sits there."""
        return next(filter(None, self.people), None)

    def places_with_tables(self) -> list[int]:
        """The places by which all tables of the game are found."""
        return [0]

    def plays_at(self, live: LiveTable) -> bool:
        """Whether the game is played there, or was."""
        return self.table_id == live.id

    @property
    def is_over(self) -> bool:
        """Whether the game that is played there is."""
        return self.live is not None and self.live.table.is_over

    def waits_for(self, place: int) -> bool:
        """Whether nothing goes on until whoever has that place comes: to move, or to add to the dice."""
        if self.state == "playing":
            return self.live is not None and self.live.table.actor == self.seats[place]
        if self.state == "sealing":
            return place not in dict(self.progress.seals)
        return self.state == "opening" and place not in self.progress.seeds

    def goes_on(self) -> bool:
        """Whether there is more to come, or somebody would like it."""
        known = self.progress.series
        over = self.state == "between" and known is not None and series.is_decided(known)
        return self.state != CLOSED and (not over or bool(self.progress.ready))

    def contributions(self) -> tuple[Contribution, ...]:
        """What all have added to the dice, in the order in which the seals came, by seat."""
        return tuple(Contribution(self.seats[at], seal, self.progress.seeds[at]) for at, seal in self.progress.seals)

    def to_save(self) -> SavedRoom:
        """The room as the store is to have it, onto the version that it has."""
        return SavedRoom(
            id=self.id,
            code=self.saved.code if self.state == "gathering" else None,
            state=self.state,
            agreement=self.agreement.to_json(),
            progress=self.progress.to_json(),
            table_id=self.table_id,
            created_at=self.saved.created_at,
            expires_at=self.saved.expires_at,
            people=tuple(self.people),
            version=self.saved.version,
        )

    def next_ms(self) -> int | None:
        """When something may have to be done here though nobody asks for it."""
        found: list[int | None] = []
        if self.state == "gathering":
            found.append(self.saved.expires_at * SECOND)
        elif self.state in ("sealing", "opening", "between"):
            found.append(self.progress.until_ms)
        elif self.state == "playing" and self.live is not None:
            if self.live.table.is_over:
                return 0  # it could not be scored when it ended
            found += [self.live.due_ms(), self.live.begin_ms()]
            if self.live.times is None:
                found.append((self.live.saved.updated_at + FORSAKEN) * SECOND)
        return min((at for at in found if at is not None), default=None)

    def give_back(self, span_ms: int) -> None:
        """So long the hall has not answered anybody: nothing of it is charged to those who play."""
        self.presence = presence.given_back(self.presence, span_ms)
        if self.state in ("sealing", "opening") and self.progress.until_ms is not None:
            self.progress.until_ms += span_ms
        if self.live is not None and self.live.times is not None:
            self.live.times = clocks.given_back(self.live.times, span_ms)
        self.look_ms = 0

    # -- what people do; each raises, or changes the room

    def join(self, player_id: str, now_ms: int) -> int:
        """The place of somebody who comes, or who is there already."""
        place = self.place_of(player_id)
        if place is not None:
            return place
        if self.state == CLOSED:
            raise RoomClosed(f"room-{self.progress.why}", "this table is closed")
        free = self.free()
        if self.state != "gathering" or not free:
            raise IllegalMove("room-full", "everybody whom this table has room for has come")
        self._give(free[0], player_id, now_ms)
        return free[0]

    def _give(self, place: int, player_id: str | None, now_ms: int) -> None:
        """The place is somebody's from now on, with all lines that they have here; or nobody's."""
        self.people[place] = player_id
        lines = 0 if player_id is None else list(self.watchers.values()).count(player_id)
        self.presence = presence.taken(self.presence, place, lines, now_ms)
        self.progress.networks.pop(place, None)

    def start(self, place: int, now_ms: int) -> None:
        """The host begins without those who have not come."""
        if place != 0:
            raise IllegalMove("room-host", "whoever has asked the others to the table begins")
        if self.state != "gathering":
            raise IllegalMove("room-started", "it has begun already")
        free = self.free()
        if free:
            self._go_on_without(free)
        self.begin(now_ms)

    def _go_on_without(self, places: Collection[int]) -> None:
        """Leave these places out; refused where the game needs them."""
        fewer = self.agreement.without(tuple(places))
        stay = [at for at in range(len(self.people)) if at not in places]
        self.people = [self.people[at] for at in stay]
        known = self.progress.networks
        self.progress.networks = {now: known[at] for now, at in enumerate(stay) if at in known}
        self._full_ms = {now: self._full_ms[at] for now, at in enumerate(stay) if at in self._full_ms}
        self.presence = replace(self.presence, places=tuple(self.presence.places[at] for at in stay))
        self.agreement = fewer

    def begin(self, now_ms: int) -> None:
        """The house commits itself, and everybody's browser seals what it adds."""
        own, secret = self.progress, fresh_secret()
        self._take_seats(secret)
        own.secret, own.seals, own.seeds, own.ready, own.withheld = secret, [], {}, [], []
        self.state, self.table_id, self.live = "sealing", None, None
        own.until_ms = now_ms + self.dice_ms()
        self.presence = presence.new_game(self.presence, now_ms)

    def _take_seats(self, secret: str) -> None:
        """For the game that comes next."""
        own = self.progress
        if own.series is None:
            own.series = self.agreement.series(commitment(secret))
        elif series.is_decided(own.series):
            own.series = series.rematch(own.series)
        own.seats, own.number = series.seats(own.series, own.series.games), own.series.games + 1

    def dice_ms(self) -> int:
        """How long browsers have for sealing, and again for opening: with days a move, nobody need be there at once."""
        return DICE_SECONDS * SECOND if not self.clock.days else self.clock.own_ms

    def seal(self, place: int, seal: str, now_ms: int) -> None:
        own = self.progress
        known = dict(own.seals)
        if known.get(place) == seal:
            return
        if self.state != "sealing" or self._late(now_ms):
            raise IllegalMove("seal-late", "nothing is sealed any more for this game")
        if place in known:
            raise IllegalMove("seal-twice", "what somebody adds to the dice is sealed once")
        own.seals.append((place, seal))
        if {at for at, _ in own.seals} == set(self.persons()):
            self.state, own.until_ms = "opening", now_ms + self.dice_ms()

    def reveal(self, place: int, seed: str, now_ms: int) -> None:
        """When all are open, the game begins."""
        own = self.progress
        if own.seeds.get(place) == seed:
            return
        if self.state != "opening" or self._late(now_ms):
            raise IllegalMove("reveal-late", "nothing is opened now: all seals come first, and each is opened once")
        if place in own.seeds:
            raise IllegalMove("reveal-twice", "what was sealed is opened once")
        assert own.secret is not None
        if contribution_seal(commitment(own.secret), self.seats[place], seed) != dict(own.seals)[place]:
            raise IllegalMove("reveal-seal", "that is not what was sealed")
        own.seeds[place] = seed

    def _late(self, now_ms: int) -> bool:
        return self.progress.until_ms is not None and now_ms >= self.progress.until_ms

    def all_open(self) -> bool:
        """Whether nothing is missing for the dice."""
        return self.state == "opening" and set(self.progress.seeds) == set(self.persons())

    def give_up_dice(self, now_ms: int) -> None:
        """Time is up for sealing or opening: the game is not begun, and it is told who is to blame."""
        own = self.progress
        done = dict(own.seals) if self.state == "sealing" else own.seeds
        own.withheld = [place for place in self.persons() if place not in done]
        own.secret, own.seals, own.seeds, own.until_ms = None, [], {}, now_ms + AFTER * SECOND
        self.state = "between"

    def say(self, place: int, code: str, now_ms: int) -> None:
        phrase = phrases.read_phrase(code)
        full = self._full_ms.get(place, 0)
        if phrases.wait_ms(full, now_ms) > 0:
            raise IllegalMove("too-talkative", "not so many phrases at once; wait a moment")
        self._full_ms[place] = phrases.said(full, now_ms)
        self.said = Said((self.said.number if self.said else 0) + 1, place, phrase)

    def ready(self, place: int, now_ms: int) -> None:
        """For the next game. When all are, it begins."""
        if self.state != "between":
            raise IllegalMove("not-between", "there is no game to be ready for")
        if any(self.people[at] is None for at in self.persons()):
            raise IllegalMove("room-left", "somebody has gone for good")
        if place not in self.progress.ready:
            self.progress.ready.append(place)
        if set(self.progress.ready) == set(self.persons()):
            self.begin(now_ms)

    def leave(self, place: int, now_ms: int) -> None:
        """For good, but for a game that is played: that can be resigned."""
        if self.state == "gathering" and place != 0:
            self._give(place, None, now_ms)
        elif self.state == "gathering":
            self.close("cancelled")
        elif self.state in ("sealing", "opening", "between"):
            if self.state != "between":
                self.progress.withheld = [place]
            self.close("left")

    def expire(self) -> None:
        """Time is up for those who have not come: who was asked, or who was found for each other and has no code."""
        self.close("missed" if self.saved.code is None else "expired")

    def close(self, why: Why) -> None:
        self.state, self.progress.why = "closed", why

    # -- the table

    def sit(self, tables: Sequence[LiveTable], now_ms: int) -> None:
        """The game is played at this table, as soon as that is kept: then it is followed."""
        self.table_id, self.state = tables[0].id, "playing"
        self.progress.until_ms = None

    def follow(self, live: LiveTable) -> None:
        """This is the table; what the room knows of it, it has to know."""
        self.live = live
        live.networks |= {self.seats[place]: network for place, network in self.progress.networks.items()}

    def score(self, now_ms: int) -> None:
        """The game is over."""
        assert self.progress.series is not None
        assert self.live is not None
        result = self.live.table.result
        assert result is not None
        won = None if result.why == ENDED else result.winners  # then it does not count
        if won:
            self.progress.series = series.scored(self.progress.series, [self.place_at(seat) for seat in won])
        self.state, self.progress.until_ms = "between", now_ms + AFTER * SECOND

    # -- what is shown

    def call(self) -> None:
        self.changes += 1
        self.look_ms = 0
        for watcher in tuple(self.watchers):
            watcher()

    def shown(self, player_id: str | None, now_ms: int) -> bytes:
        """The room as the player sees it, as a frame."""
        return wire.frame(self.message(player_id, now_ms))

    def message(self, player_id: str | None, now_ms: int) -> RoomShown:
        own, known, seats = self.progress, self.progress.series, self.progress.seats
        gone = {} if self.live is None else {one.seat: one.why for one in self.live.table.departures}
        opened = own.seeds if self.state not in ("sealing", "opening") else {}
        guests = []
        for place, (name, player) in enumerate(zip(self.agreement.seats, self.people, strict=True)):
            seat, person = (None if seats is None else seats[place]), name == YOU
            away = self.presence.places[place]
            due = presence.claimable_at(self.presence, place) if self.state == "playing" and person else None
            guests.append(
                Guest(
                    player=player,
                    name=self.names.get(player, "") if player else "",
                    house=None if person else name,
                    here=not person or away.lines > 0,
                    lost_ms=away.lost_ms if person and player else None,
                    claim_ms=due,
                    ready=place in own.ready,
                    halves=0 if known is None else known.halves[place],
                    seat=seat,
                    gone=None if seat is None else gone.get(seat),
                )
            )
        return RoomShown(
            protocol=wire.PROTOCOL,
            id=self.id,
            code=self.saved.code if self.state == "gathering" else None,
            state=self.state,
            why=own.why,
            you=None if player_id is None else self.place_of(player_id),
            now_ms=now_ms,
            game=self.agreement.game,
            options=self.agreement.options,
            mode=self.agreement.mode,
            begins=self.agreement.begins,
            best_of=self.agreement.best_of,
            clock=self.agreement.clock,
            rated=self.agreement.rated,
            watched=self.agreement.watched,
            watchers=self.watching(),
            expires_ms=self.saved.expires_at * SECOND,
            places=tuple(guests),
            number=max(1, own.number),
            games=0 if known is None else known.games,
            winners=() if known is None else series.winners(known),
            commitment=None if own.secret is None else commitment(own.secret),
            contributions=tuple(
                Contributed(place, seal, place in own.seeds, opened.get(place)) for place, seal in own.seals
            ),
            withheld=tuple(own.withheld),
            until_ms=own.until_ms,
            table=self.table_id,
            times=None if self.live is None else _times(self.live),
            said=self.said,
            same_dice=self.agreement.same_dice,
            minutes=self.agreement.minutes,
            open=self.agreement.open,
        )


def _times(live: LiveTable) -> ClockShown | None:
    times = live.times
    if times is None or live.table.is_over:
        return None
    left = None if times.turn is None else clocks.left_for(times, times.turn, times.since_ms)
    return ClockShown(
        turn=times.turn,
        since_ms=times.since_ms,
        own_ms=times.clock.own_ms if left is None else left.own_ms,
        reserves_ms=times.reserves_ms,
        due_ms=live.due_ms(),
        begin_ms=live.begin_ms(),
    )
