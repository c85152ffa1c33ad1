"""Who is there, and what the others may do when somebody is not.

Everybody at a table has lines to the hall: one for each page that shows it. Who has lost the last of them may come back
within the time of `countdown_ms`; when somebody has left on purpose, that is a third as long. After it, the others may
claim the game.

What coming back does:

1. A line that is there BEFORE the countdown has run out ends it: there is nothing to claim. The next line that is lost
   begins a new one, from its start.
2. A line that comes when it has run out, in the same millisecond or later, takes nothing away: the claim stands, until
   it is used or until the one who was away makes a move. So a line that flickers takes nothing away, and nobody loses
   a claim by seeing who came back while deciding.
3. A move takes the claim away, whoever had it. Where nobody has a line when it comes, a new countdown begins with it.

A claim is granted by the time `at_ms` at which it comes to the hall, and by nothing else: when `claimable_at` is not
after it and no move came before. Events are told in the order in which they came.

>>> from dicehall.people.clocks import read_clock
>>> room = arrived(begin(read_clock("30+120"), places=2, now_ms=0), place=1, now_ms=0)
>>> room = lost(room, place=1, now_ms=1_000)
>>> claimable_at(room, place=1)
31000
>>> may_claim(arrived(room, place=1, now_ms=30_999), place=1, at_ms=31_000)
False
>>> may_claim(arrived(room, place=1, now_ms=31_000), place=1, at_ms=99_000)
True
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from dicehall.people.clocks import SECOND, Clock

LOST_QUICK: Final = 30  # seconds until others may claim, where moves have up to QUICK seconds
LOST_SLOW: Final = 60  # the same where they have more
LOST_UNTIMED: Final = 120  # the same without a clock
QUICK: Final = 30
LEAVING_DIVIDES: Final = 3  # who leaves on purpose is waited for a third as long,
LEAVING_LEAST: Final = 10  # but so many seconds: a page may be loaded anew


class Place(NamedTuple):
    """One place: how many `lines`; without any, since when (`lost_ms`), and whether it was `left` on purpose. And since
    when a claim stands that coming back did not end."""

    lines: int
    lost_ms: int | None
    left: bool
    stands_ms: int | None


@dataclass(frozen=True, slots=True)
class Presence:
    """Everybody in a room, by place, and the clock that they play with."""

    clock: Clock
    places: tuple[Place, ...]


def countdown_ms(clock: Clock, left: bool) -> int | None:
    """How long the others wait, with `clock`, for whoever has lost the last line, or has `left` on purpose; None with
    days a move: there the deadline decides."""
    if clock.days:
        return None
    seconds = LOST_UNTIMED if not clock.runs else LOST_QUICK if clock.move_s <= QUICK else LOST_SLOW
    return (max(LEAVING_LEAST, seconds // LEAVING_DIVIDES) if left else seconds) * SECOND


def begin(clock: Clock, places: int, now_ms: int) -> Presence:
    """A room of so many `places` with `clock` in which nobody has a line yet: who never comes is away since `now_ms`.
    So it is for everybody when the hall has started again."""
    return Presence(clock, (Place(0, now_ms, False, None),) * places)


def arrived(presence: Presence, place: int, now_ms: int) -> Presence:
    """`presence` after one more line of `place` is there, at `now_ms`."""
    one, due = presence.places[place], claimable_at(presence, place)
    stands = due if due is not None and due <= now_ms else None
    return _with(presence, place, Place(one.lines + 1, None, False, stands))


def lost(presence: Presence, place: int, now_ms: int, left: bool = False) -> Presence:
    """`presence` after one line of `place` has gone at `now_ms`, because somebody has `left` on purpose, or not. Only
    the last line counts. One that was not there changes nothing."""
    one = presence.places[place]
    if one.lines > 1:
        return _with(presence, place, one._replace(lines=one.lines - 1))
    return _with(presence, place, Place(0, now_ms, left, one.stands_ms)) if one.lines else presence


def taken(presence: Presence, place: int, lines: int, now_ms: int) -> Presence:
    """`presence` after `place` has come to somebody else, who has so many `lines` at `now_ms`, or to nobody."""
    return _with(presence, place, Place(lines, None if lines else now_ms, False, None))


def given_back(presence: Presence, span_ms: int) -> Presence:
    """`presence` as if the last `span_ms` had not been: while the hall did not answer, nobody could come back."""
    places = (one._replace(lost_ms=None if one.lost_ms is None else one.lost_ms + span_ms) for one in presence.places)
    return replace(presence, places=tuple(places))


def moved(presence: Presence, place: int, now_ms: int) -> Presence:
    """`presence` after whoever sits at `place` has made a move at `now_ms`: they are there, whatever their line."""
    one = presence.places[place]
    return _with(presence, place, Place(one.lines, None if one.lines else now_ms, False, None))


def new_game(presence: Presence, now_ms: int) -> Presence:
    """`presence` at `now_ms`, when the next game of a room begins: nothing of the one before can be claimed."""
    for place in range(len(presence.places)):
        presence = moved(presence, place, now_ms)
    return presence


def is_there(presence: Presence, place: int) -> bool:
    """Whether whoever sits at `place` has a line."""
    return presence.places[place].lines > 0


def claimable_at(presence: Presence, place: int) -> int | None:
    """From which millisecond on the others may claim the game from `place`, if nothing happens until then; None while
    there is nothing to wait for."""
    one = presence.places[place]
    if one.stands_ms is not None or one.lost_ms is None:
        return one.stands_ms
    wait = countdown_ms(presence.clock, one.left)
    return None if wait is None else one.lost_ms + wait


def may_claim(presence: Presence, place: int, at_ms: int) -> bool:
    """Whether a claim against `place` that came to the hall at `at_ms` is granted."""
    due = claimable_at(presence, place)
    return due is not None and due <= at_ms


def _with(presence: Presence, place: int, one: Place) -> Presence:
    places = presence.places
    return replace(presence, places=(*places[:place], one, *places[place + 1 :]))
