"""Quick match: who plays whom, of all who wait.

Two people are paired who wait for the same pool, each within the window of the other: `NARROW` points to both sides of
their own rating at first, `WIDENING` more with every second, any rating after `UNBOUNDED` seconds. The nearest ratings
come first, but a second of waiting counts as much as the points by which it widens a window, so whoever waits comes
before whoever has only just come. Two who have both waited for `UNBOUNDED` seconds always find each other, unless one
is to avoid the other. Whoever is far from everybody has to wait for such a one; so a player of the house is offered.

Tables of more are filled in the order in which people came, whatever their rating. They begin when they are full, or
`GATHERING` seconds after a second one has come.

Whatever order the tickets are given in, the answer is the same.

>>> ann, ben = Ticket("ann", "farkle", 1500, 60, 0), Ticket("ben", "farkle", 1650, 60, 0)
>>> [len(pairs([ann, ben], now_ms)) for now_ms in (4_000, 5_000)]  # 148 points each, then 160
[0, 1]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

NARROW: Final = 100  # points of rating to each side, when somebody comes
WIDENING: Final = 12  # points a second
UNBOUNDED: Final = 30  # seconds after which any rating will do
GATHERING: Final = 20  # seconds from the second one at a larger table to its beginning
OFFERED: Final = 10  # seconds after which somebody is offered a player of the house

REMEMBERED: Final = 30  # so many of somebody's last outcomes count
FORGOTTEN: Final = 7 * 24 * 60 * 60  # seconds: a leave that is as old does not count any more
# Seconds that somebody waits after a leave, by how many there are: nothing for the first two.
PENALTIES: Final = (0, 0, 0, 60, 5 * 60, 15 * 60, 60 * 60, 4 * 60 * 60, 12 * 60 * 60, 24 * 60 * 60)


class Ticket(NamedTuple):
    """Somebody who waits: the id of the `player`, for which `pool`, their `rating` and its `deviation` as whole numbers
    (which is there to be shown: windows do not depend on it), when they came, and the ids of players whom they shall
    `avoid`: muted, or played with too often lately."""

    player: str
    pool: str
    rating: int
    deviation: int
    joined_ms: int
    avoid: frozenset[str] = frozenset()


class Gathering(NamedTuple):
    """A larger table that fills: who has come so far, and from which millisecond on it begins, None for one alone."""

    tickets: tuple[Ticket, ...]
    starts_ms: int | None


class Outcome(NamedTuple):
    """How a game that quick match had made ended for somebody: when, and whether they `left` it."""

    at_ms: int
    left: bool


def window(ticket: Ticket, now_ms: int) -> tuple[int, int] | None:
    """The lowest and the highest rating that `ticket` is paired with at `now_ms`; None for any."""
    waited = _waited(ticket, now_ms)
    if waited >= UNBOUNDED * 1000:
        return None
    width = NARROW + waited * WIDENING // 1000
    return ticket.rating - width, ticket.rating + width


def may_meet(one: Ticket, other: Ticket, now_ms: int) -> bool:
    """Whether the tickets `one` and `other` may be paired at `now_ms`."""
    return _get_on(one, other) and _within(one, other, now_ms) and _within(other, one, now_ms)


def pairs(tickets: Iterable[Ticket], now_ms: int) -> list[tuple[Ticket, ...]]:
    """Who of `tickets` plays whom from `now_ms` on, each pair with whoever came first in front. Nobody is in two pairs,
    in whatever pools they wait; of those who are in none, no two may meet."""
    line = sorted(set(tickets), key=_arrival)
    windows = [window(ticket, now_ms) for ticket in line]
    by_rating = sorted(range(len(line)), key=lambda n: (line[n].pool, line[n].rating))
    found: list[tuple[int, int, int]] = []  # how far apart, less what they have waited; who came first, and second
    for at, low in enumerate(by_rating, 1):
        one, reach = line[low], windows[low]
        for high in islice(by_rating, at, None):
            other, back = line[high], windows[high]
            if one.pool != other.pool or (reach and other.rating > reach[1]):
                break  # and so it is with everybody after that
            if (back is None or back[0] <= one.rating) and _get_on(one, other):
                waited = _waited(one, now_ms) + _waited(other, now_ms)
                found.append(((other.rating - one.rating) * 1000 - WIDENING * waited, min(low, high), max(low, high)))
    paired: list[tuple[Ticket, ...]] = []
    taken: set[str] = set()
    for _, first, second in sorted(found):
        one, other = line[first], line[second]
        if one.player not in taken and other.player not in taken:
            taken |= {one.player, other.player}
            paired.append((one, other))
    return paired


def forming(tickets: Iterable[Ticket], most: int) -> list[Gathering]:
    """The tables for up to `most` that fill with those of `tickets`, in the order in which they began to. Everybody
    sits down at the first table of their pool that has room and nobody to be avoided; who has several tickets, with
    the oldest."""
    tables: list[list[Ticket]] = []
    seated: set[str] = set()
    for ticket in sorted(set(tickets), key=_arrival):
        if ticket.player not in seated:
            seated.add(ticket.player)
            for table in tables:
                if len(table) < most and all(_get_on(ticket, one) for one in table):
                    table.append(ticket)
                    break
            else:
                tables.append([ticket])
    return [Gathering(tuple(table), _starts(table, most)) for table in tables]


def gatherings(tickets: Iterable[Ticket], now_ms: int, most: int) -> list[tuple[Ticket, ...]]:
    """Those of `tickets` who begin a game together at `now_ms`, at tables for up to `most`, in the order in which they
    came."""
    return [one.tickets for one in forming(tickets, most) if one.starts_ms is not None and one.starts_ms <= now_ms]


def offered_at(ticket: Ticket) -> int:
    """From which millisecond on whoever waits with `ticket` is offered a player of the house."""
    return ticket.joined_ms + OFFERED * 1000


def offer_level(rating: int, levels: Mapping[str, int]) -> str | None:
    """The player of the house that is about as strong as `rating`, of `levels` with their ratings: the nearest, of two
    the weaker one. None where there are none."""
    return min(levels, key=lambda name: (abs(levels[name] - rating), levels[name], name), default=None)


def penalty_seconds(outcomes: Sequence[Outcome], now_ms: int) -> int:
    """How many seconds after `now_ms` somebody with these `outcomes`, the oldest first, may look for the next quick
    match; 0 for at once. It counts from their last leave, and grows with how many of the last `REMEMBERED` games they
    have left within the last week; so it shrinks as they finish games, and as time passes."""
    recent = [one.at_ms for one in outcomes[-REMEMBERED:] if one.left and now_ms - one.at_ms < FORGOTTEN * 1000]
    if not recent:
        return 0
    until = max(recent) + PENALTIES[min(len(recent), len(PENALTIES) - 1)] * 1000
    return max(0, -((now_ms - until) // 1000))


def _waited(ticket: Ticket, now_ms: int) -> int:
    return max(0, now_ms - ticket.joined_ms)


def _arrival(ticket: Ticket) -> tuple[int, str, str, int, int, list[str]]:
    """Who came first; everything else is there so that no two tickets are alike."""
    return (
        ticket.joined_ms, ticket.player, ticket.pool, ticket.rating, ticket.deviation, sorted(ticket.avoid),
    )  # fmt: skip


def _get_on(one: Ticket, other: Ticket) -> bool:
    """Whether they are two, and neither is to avoid the other."""
    return (
        one.player not in other.avoid
        and other.player not in one.avoid
        and one.player != other.player
        and one.pool == other.pool
    )


def _within(one: Ticket, other: Ticket, now_ms: int) -> bool:
    reach = window(one, now_ms)
    return reach is None or reach[0] <= other.rating <= reach[1]


def _starts(table: list[Ticket], most: int) -> int | None:
    if len(table) < 2:
        return None
    counted = table[1].joined_ms + GATHERING * 1000
    return min(counted, table[-1].joined_ms) if len(table) == most else counted
