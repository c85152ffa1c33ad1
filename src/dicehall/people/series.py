"""Several games between the same people: best of 1, 3 or 5, and who begins each.

A win is two halves, a game that some share is one half to each of them. Somebody has won the series who has more halves
than `best_of` (more than half of all there are) and more than anybody else: nobody else can catch up then. So two
who draw play on, beyond `best_of` games where they have to, until one is ahead. After `best_of + EXTRA` games the
highest score wins; where several have it, the series is drawn between them.

In each game seat 0 begins. Places change seats by one from game to game, so of two people whoever did not begin begins
the next one.

>>> series = begin(best_of=3, places=2, first=0)
>>> seats(series, 0), seats(series, 1)
((0, 1), (1, 0))
>>> series = scored(scored(series, [1]), [0, 1])
>>> series.halves, winners(series)
((1, 3), ())
>>> winners(scored(series, [1]))
(1,)
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal, NamedTuple

from dicehall.dice import Stream
from dicehall.errors import InvalidOption, excerpt

LENGTHS: Final = (1, 3, 5)
PLACES: Final = range(2, 7)
EXTRA: Final = 4  # how many games there may be beyond best_of, where nobody is ahead
WIN: Final = 2  # halves
SHARE: Final = 1

Begins = Literal["host", "guest", "drawn"]
BEGINS: Final[tuple[Begins, ...]] = ("host", "guest", "drawn")


class Series(NamedTuple):
    """A series between so many `places`: `best_of` how many games, which place begins the `first` of them, how many
    have been played, and the score by place in halves."""

    best_of: int
    places: int
    first: int
    games: int
    halves: tuple[int, ...]


def first_place(begins: Begins, places: int, seed: str) -> int:
    """Which of so many `places` begins, as `begins` says: the host's (0), the guest's (1), or one drawn from `seed`.
    That is a text which nobody could choose, like the first commitment of the room; the same seed draws the same
    place."""
    if begins == "drawn":
        return Stream(seed, "first-place").below(places)
    return BEGINS.index(begins)


def begin(best_of: int, places: int, first: int) -> Series:
    """A new series of `best_of` games between so many `places`, of which `first` begins. InvalidOption for what there
    is not."""
    if best_of not in LENGTHS:
        raise InvalidOption("series", f"a series is best of 1, 3 or 5, not {excerpt(best_of)}")
    if places not in PLACES:
        raise InvalidOption("series", f"a series is between {PLACES[0]} to {PLACES[-1]}, not {excerpt(places)}")
    if first not in range(places):
        raise InvalidOption("series", f"one of places 0 to {places - 1} begins, not {excerpt(first)}")
    return Series(best_of, places, first, 0, (0,) * places)


def seats(series: Series, game: int) -> tuple[int, ...]:
    """By place, the seat that it has in a `game` of `series`; games count from 0."""
    return tuple((place - series.first - game) % series.places for place in range(series.places))


def scored(series: Series, won: Collection[int]) -> Series:
    """`series` after a game that the places in `won` have won: one, or several who share it. A game that does not count
    is not scored. InvalidOption when the series is over or nobody has won."""
    if winners(series):
        raise InvalidOption("series", "this series is over")
    if not won or not set(won) <= set(range(series.places)):
        raise InvalidOption("series", f"a game is won by some of places 0 to {series.places - 1}")
    points = WIN if len(set(won)) == 1 else SHARE
    halves = tuple(half + points * (place in won) for place, half in enumerate(series.halves))
    return series._replace(games=series.games + 1, halves=halves)


def winners(series: Series) -> tuple[int, ...]:
    """The places that have won `series`: () while it goes on, several where it is drawn."""
    most = max(series.halves)
    best = tuple(place for place, half in enumerate(series.halves) if half == most)
    decided = len(best) == 1 and most > series.best_of
    return best if decided or series.games == series.best_of + EXTRA else ()


def is_decided(series: Series) -> bool:
    """Whether `series` is over, won or drawn."""
    return bool(winners(series))


def rematch(series: Series) -> Series:
    """A new series like this one, in which the next place begins: of two, the other side."""
    return begin(series.best_of, series.places, (series.first + 1) % series.places)
