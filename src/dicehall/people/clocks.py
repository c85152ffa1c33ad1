"""How long somebody may think.

    none      as long as they like
    30+120    30 seconds a move, and 120 more for the whole game: what a move takes beyond its own seconds is taken from
              this reserve; what it leaves of its own is not saved
    3d        three days a move

Only people have clocks: while dice are due, a player of the house thinks or a retired seat is played for, it is
nobody's turn. Nobody loses by time before they have begun: the first move of a seat has at least `FIRST_MOVE` seconds
of its own, and when these are over the game does not count (`not_begun`). So whoever looks after a game asks that
first.

>>> times = begin(read_clock("30+120"), seats=2, now_ms=0, turn=0)
>>> times = moved(times, now_ms=4_000, turn=1)
>>> times = moved(times, now_ms=44_000, turn=0)  # forty seconds
>>> left_for(times, seat=1, now_ms=44_000)
Left(own_ms=30000, reserve_ms=110000)
>>> deadline(times)
194000
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from dicehall.errors import InvalidOption, InvalidText, excerpt

MOVE_SECONDS: Final = range(5, 601)
RESERVE_SECONDS: Final = range(3601)
DAYS: Final = range(1, 15)

SECOND: Final = 1000
DAY: Final = 24 * 60 * 60 * SECOND
FIRST_MOVE: Final = 30  # seconds that somebody has at least to begin, by a clock with seconds a move

WRITTEN: Final = re.compile(r"none|(0|[1-9][0-9]{0,5})\+(0|[1-9][0-9]{0,5})|([1-9][0-9]{0,5})d")
STORED: Final = re.compile(r"([^/]+)/(-|[0-9]{1,2})/([0-9]{1,18})/([0-9]{1,9}(?:,[0-9]{1,9})*)/([01]+)")


@dataclass(frozen=True, slots=True)
class Clock:
    """What people have agreed on: `move_s` seconds a move with `reserve_s` for the whole game, or `days` a move, or
    neither. Whatever exists has been checked."""

    move_s: int = 0
    reserve_s: int = 0
    days: int = 0

    def __post_init__(self) -> None:
        if self.days and (self.move_s or self.reserve_s):
            raise InvalidOption("clock", "a clock has seconds or days a move, not both")
        if self.days and self.days not in DAYS:
            raise InvalidOption("clock", f"a clock has {DAYS[0]} to {DAYS[-1]} days a move, not {excerpt(self.days)}")
        if self.reserve_s and not self.move_s:
            raise InvalidOption("clock", "a clock with a reserve has seconds a move, too")
        if self.move_s and self.move_s not in MOVE_SECONDS:
            bounds = f"{MOVE_SECONDS[0]} to {MOVE_SECONDS[-1]}"
            raise InvalidOption("clock", f"a clock has {bounds} seconds a move, not {excerpt(self.move_s)}")
        if self.reserve_s not in RESERVE_SECONDS:
            bounds = f"{RESERVE_SECONDS[0]} to {RESERVE_SECONDS[-1]}"
            raise InvalidOption("clock", f"the reserve of a clock is {bounds} seconds, not {excerpt(self.reserve_s)}")

    @property
    def runs(self) -> bool:
        """Whether there is a clock at all."""
        return bool(self.move_s or self.days)

    @property
    def own_ms(self) -> int:
        """What every move has of its own."""
        return self.move_s * SECOND + self.days * DAY

    @property
    def reserve_ms(self) -> int:
        return self.reserve_s * SECOND

    @property
    def first_move_ms(self) -> int | None:
        """How long somebody may take to begin; None where the deadline alone decides."""
        return max(FIRST_MOVE, self.move_s) * SECOND if self.move_s else None


NO_CLOCK: Final = Clock()


def read_clock(text: str) -> Clock:
    """The clock that `text` writes: `none`, `30+120` or `3d`."""
    match = WRITTEN.fullmatch(text)
    if not match:
        raise InvalidOption("clock", f"a clock is none, seconds like 30+120, or days like 3d, not {excerpt(text)}")
    if text != "none" and not match[3] and match[1] == "0":
        raise InvalidOption("clock", f"a clock has {MOVE_SECONDS[0]} to {MOVE_SECONDS[-1]} seconds a move, not 0")
    return Clock(*(int(number or 0) for number in match.groups()))


def clock_text(clock: Clock) -> str:
    """How `clock` is written."""
    if not clock.runs:
        return "none"
    return f"{clock.days}d" if clock.days else f"{clock.move_s}+{clock.reserve_s}"


@dataclass(frozen=True, slots=True)
class Times:
    """The clocks of one game: by seat what is left of the reserve and whether a first move was made; whose `turn` it is
    (None: nobody's clock runs), and since when."""

    clock: Clock
    reserves_ms: tuple[int, ...]
    begun: tuple[bool, ...]
    turn: int | None
    since_ms: int


class Left(NamedTuple):
    """What a seat has left: of the seconds of this move, or of its next one, and of its reserve."""

    own_ms: int
    reserve_ms: int


def begin(clock: Clock, seats: int, now_ms: int, turn: int | None) -> Times:
    """The times of a new game with `clock` and so many `seats`, in which at `now_ms` it is the turn of seat `turn`;
    None for dice, players of the house and retired seats."""
    return Times(clock, (clock.reserve_ms,) * seats, (False,) * seats, turn, now_ms)


def moved(times: Times, now_ms: int, turn: int | None) -> Times:
    """After a move at `now_ms`, or when the seat whose turn it was plays no further: `turn` comes next, which may be
    the same seat again, or None for nobody's clock. Every move has seconds of its own. A `now_ms` before the last move
    is taken for the time of that: nobody loses or wins time when the hall's clock is set."""
    now_ms = max(now_ms, times.since_ms)
    reserves, begun = list(times.reserves_ms), list(times.begun)
    if times.turn is not None:
        reserves[times.turn] = _left(times, times.turn, now_ms).reserve_ms
        begun[times.turn] = True
    return Times(times.clock, tuple(reserves), tuple(begun), turn, now_ms)


def deadline(times: Times) -> int | None:
    """From which millisecond on the seat whose turn it is in `times` is out of time; None when nobody's clock runs."""
    if times.turn is None or not times.clock.runs:
        return None
    return times.since_ms + sum(_left(times, times.turn, times.since_ms))


def is_out(times: Times, now_ms: int) -> bool:
    """Whether the seat whose turn it is in `times` is out of time at `now_ms`: at the deadline, not before."""
    end = deadline(times)
    return end is not None and now_ms >= end


def left_for(times: Times, seat: int, now_ms: int) -> Left | None:
    """What `seat` has left in `times` at `now_ms`, to be shown; None without a clock."""
    return _left(times, seat, now_ms) if times.clock.runs else None


def first_move_by(times: Times) -> int | None:
    """From which millisecond on the game of `times` does not count, because the seat whose turn it is has not begun;
    None when it has, when it is nobody's turn, and by a clock of days."""
    limit = times.clock.first_move_ms
    if times.turn is None or times.begun[times.turn] or limit is None:
        return None
    return times.since_ms + limit


def not_begun(times: Times, now_ms: int) -> bool:
    """Whether the game of `times` does not count at `now_ms`: the seat whose turn it is never made its first move."""
    end = first_move_by(times)
    return end is not None and now_ms >= end


def given_back(times: Times, span_ms: int) -> Times:
    """`times` as if the last `span_ms` had not been: while a hall was down, nobody could move."""
    return replace(times, since_ms=times.since_ms + span_ms)


def times_text(times: Times) -> str:
    """`times` in a line to be stored: the clock, whose turn (- for nobody's), since when, the reserves by seat, and
    whether each has begun."""
    turn = "-" if times.turn is None else times.turn
    reserves = ",".join(map(str, times.reserves_ms))
    return f"{clock_text(times.clock)}/{turn}/{times.since_ms}/{reserves}/{''.join('01'[one] for one in times.begun)}"


def read_times(text: str) -> Times:
    """What `times_text` wrote as `text`; InvalidText for anything else."""
    if match := STORED.fullmatch(text):
        try:
            clock = read_clock(match[1])
        except InvalidOption as failure:
            raise InvalidText("times", str(failure)) from None
        turn = None if match[2] == "-" else int(match[2])
        reserves = tuple(map(int, match[4].split(",")))
        times = Times(clock, reserves, tuple(one == "1" for one in match[5]), turn, int(match[3]))
        fits = len(times.begun) == len(reserves) > (turn or 0) and max(reserves) <= clock.reserve_ms
        if fits and times_text(times) == text:  # as it would be written: no needless zeros
            return times
    raise InvalidText("times", f"not the times of a game: {excerpt(text)}")


def _left(times: Times, seat: int, now_ms: int) -> Left:
    own, reserve = times.clock.own_ms, times.reserves_ms[seat]
    if not times.begun[seat]:
        own = max(own, times.clock.first_move_ms or 0)
    spent = max(0, now_ms - times.since_ms) if seat == times.turn else 0
    return Left(max(0, own - spent), reserve - min(reserve, max(0, spent - own)))
