"""What people agree on when they sit down together: the game, its options, who sits there, and how it is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from dicehall.bots.seats import YOU
from dicehall.errors import InvalidOption
from dicehall.people import clocks, duels, series
from dicehall.people.clocks import Clock
from dicehall.people.rated import pool_of
from dicehall.people.series import BEGINS, Begins, Series
from dicehall.rules.catalog import find_game
from dicehall.rules.options import OptionValue
from dicehall.server import modes

OPEN_FOR: Final = "7d"  # how long people may come to an open duel, and play there
FEWEST: Final = 2  # people in a room


@dataclass(frozen=True, slots=True)
class Agreement:
    """`seats` are named by place: `you` for a person, or a player of the house; place 0 is the host's. Between games
    places change seats. On the `same_dice` everybody plays their own board, all at the same time, for at most so many
    `minutes` (0: for as long as they like); or, if it is `open`, one after the other, whoever comes in a week. Whatever
    exists has been checked."""

    game: str
    options: dict[str, OptionValue]
    seats: tuple[str, ...]
    begins: Begins = "drawn"
    best_of: int = 1
    clock: str = "none"
    rated: bool = False
    watched: bool = True
    same_dice: bool = False
    minutes: int = 0
    open: bool = False

    def __post_init__(self) -> None:
        game = find_game(self.game)
        modes.check_seats(game, self.seats)
        if self.same_dice:
            return self._check_duel()
        if self.minutes or self.open:
            raise InvalidOption("minutes", "a time limit, or a week for the whole game, is for those on the same dice")
        if self.seats[0] != YOU or self.seats.count(YOU) < FEWEST:
            raise InvalidOption("seats", "a room is for two people or more, and the first place is the host's")
        chosen = game.make_options(self.options)
        game.check_seats(chosen, len(self.seats))
        if getattr(chosen, "first", "human") != "human":
            raise InvalidOption("first", "who begins is part of what is agreed on, and no option of the game here")
        if self.begins not in BEGINS:
            raise InvalidOption("begins", f"who begins is {', '.join(BEGINS)}, not {self.begins}")
        series.begin(self.best_of, len(self.seats), 0)
        if self.rated and (self.seats != (YOU, YOU) or pool_of(self.game, chosen.changed(), FEWEST) is None):
            raise InvalidOption("rated", "games of two people at a game's usual rules are rated, and no others")
        self.read_clock()
        return None

    def _check_duel(self) -> None:
        """Everybody's run is one of one seat."""
        game = find_game(self.game)
        game.check_seats(game.make_options(self.options), 1)
        duels.check_parties(len(self.seats), self.open)
        duels.check_minutes(self.minutes)
        if set(self.seats) != {YOU}:
            raise InvalidOption("seats", "people alone play the same dice")
        if self.open and self.minutes:
            raise InvalidOption("minutes", "whoever comes in a week takes the time they like")
        if (self.best_of, self.clock, self.rated) != (1, OPEN_FOR if self.open else "none", False):
            raise InvalidOption("duel", "whoever plays the same dice has no series, no clock for a move and no rating")

    @property
    def table_seats(self) -> tuple[str, ...]:
        """Who sits at a table."""
        return (YOU,) if self.same_dice else self.seats

    def read_clock(self) -> Clock:
        return clocks.read_clock(self.clock)

    @property
    def mode(self) -> str:
        """As boards name it, so that the page can say what is played."""
        return modes.mode_name(find_game(self.game).make_options(self.options), self.table_seats)

    def without(self, places: Sequence[int]) -> Agreement:
        """The same without some of its places."""
        return replace(self, seats=tuple(name for place, name in enumerate(self.seats) if place not in places))

    def series(self, drawn_from: str) -> Series:
        """The first series; who begins it may be drawn from a text that nobody could choose."""
        first = series.first_place(self.begins, len(self.seats), drawn_from)
        return series.begin(self.best_of, len(self.seats), first)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def read_agreement(data: Mapping[str, Any]) -> Agreement:
    return Agreement(**{**data, "seats": tuple(data["seats"])})
