"""Clocks: what is agreed, what is left, and who is out of time at which millisecond."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicehall.errors import InvalidOption, InvalidText
from dicehall.people import clocks
from dicehall.people.clocks import (
    DAY,
    FIRST_MOVE,
    NO_CLOCK,
    SECOND,
    Clock,
    Left,
    Times,
    clock_text,
    deadline,
    first_move_by,
    given_back,
    is_out,
    left_for,
    moved,
    not_begun,
    read_clock,
    read_times,
    times_text,
)
from tests.soak import times as so_often

NOW = 1_700_000_000_000

SECONDS = st.builds(Clock, st.integers(5, 600), st.integers(0, 3600))
CLOCKS = st.one_of(st.just(NO_CLOCK), SECONDS, st.builds(Clock, days=st.integers(1, 14)))


def in_play(clock: str, seats: int = 2) -> Times:
    """A game in which everybody has begun, and seat 0 has had the turn since NOW."""
    times = clocks.begin(read_clock(clock), seats, NOW, 0)
    return replace(times, begun=(True,) * seats)


# -- the agreement


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("none", NO_CLOCK),
        ("30+120", Clock(30, 120)),
        ("5+0", Clock(5)),
        ("600+3600", Clock(600, 3600)),
        ("1d", Clock(days=1)),
        ("14d", Clock(days=14)),
    ],
)
def test_a_clock_is_written_as_it_is_read(text: str, clock: Clock) -> None:
    assert read_clock(text) == clock
    assert clock_text(clock) == text


@given(CLOCKS)
def test_every_clock_is_read_as_it_was_written(clock: Clock) -> None:
    assert read_clock(clock_text(clock)) == clock


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a clock is none, seconds like 30+120, or days like 3d"),
        ("None", "a clock is none"),
        ("30", "a clock is none"),
        ("030+120", "a clock is none"),
        ("30+120 ", "a clock is none"),
        ("30+120\n", "a clock is none"),
        ("-5+10", "a clock is none"),
        ("٣٠+١٢٠", "a clock is none"),
        ("9999999+0", "a clock is none"),
        ("1.5d", "a clock is none"),
        ("0+0", "5 to 600 seconds a move, not 0"),
        ("0+60", "5 to 600 seconds a move, not 0"),
        ("4+60", "5 to 600 seconds a move, not 4"),
        ("601+60", "5 to 600 seconds a move, not 601"),
        ("30+3601", "the reserve of a clock is 0 to 3600 seconds, not 3601"),
        ("0d", "a clock is none"),
        ("15d", "1 to 14 days a move, not 15"),
    ],
)
def test_what_is_no_clock_is_refused_with_a_reason(text: str, why: str) -> None:
    with pytest.raises(InvalidOption) as refused:
        read_clock(text)
    assert why in str(refused.value)
    assert refused.value.code == "clock"


@pytest.mark.parametrize(
    ("seconds", "reserve", "days", "why"),
    [
        (30, 0, 3, "not both"),
        (0, 60, 3, "not both"),
        (0, 60, 0, "has seconds a move, too"),
        (30, -1, 0, "the reserve"),
        (-30, 0, 0, "seconds a move"),
        (0, 0, -1, "days a move"),
    ],
)
def test_a_clock_that_contradicts_itself_is_refused(seconds: int, reserve: int, days: int, why: str) -> None:
    with pytest.raises(InvalidOption, match=why):
        Clock(seconds, reserve, days)


# -- the times of a game


def test_what_a_move_takes_beyond_its_own_seconds_is_taken_from_the_reserve() -> None:
    times = in_play("30+120")
    times = moved(times, NOW + 30_000, 1)
    assert times.reserves_ms == (120_000, 120_000)
    times = moved(times, NOW + 60_001, 0)
    assert times.reserves_ms == (120_000, 119_999)
    times = moved(times, NOW + 61_001, 0)  # 29 seconds are left of these, and not saved
    times = moved(times, NOW + 101_001, 1)
    assert times.reserves_ms == (110_000, 119_999)


def test_a_move_of_the_same_seat_has_seconds_of_its_own() -> None:
    times = in_play("30+0")
    assert deadline(times) == NOW + 30_000
    assert deadline(moved(times, NOW + 29_999, 0)) == NOW + 59_999


def test_what_is_left_runs_down_while_it_is_ones_turn() -> None:
    times = in_play("30+120")
    assert left_for(times, 0, NOW) == Left(30_000, 120_000)
    assert left_for(times, 0, NOW + 10_000) == Left(20_000, 120_000)
    assert left_for(times, 0, NOW + 31_500) == Left(0, 118_500)
    assert left_for(times, 0, NOW + 999_000) == Left(0, 0)
    assert left_for(times, 1, NOW + 999_000) == Left(30_000, 120_000)


@pytest.mark.parametrize(("clock", "span"), [("30+120", 150_000), ("5+0", 5_000), ("3d", 3 * DAY)])
def test_out_at_the_deadline_and_not_before(clock: str, span: int) -> None:
    times = in_play(clock)
    assert deadline(times) == NOW + span
    assert not is_out(times, NOW + span - 1)
    assert is_out(times, NOW + span)
    assert is_out(times, NOW + span + 1)


def test_without_a_clock_nobody_is_ever_out() -> None:
    times = in_play("none")
    assert deadline(times) is None
    assert not is_out(times, NOW + 1000 * DAY)
    assert left_for(times, 0, NOW) is None
    assert moved(times, NOW + 1000 * DAY, 1).reserves_ms == (0, 0)


def test_nobody_s_turn_runs_no_clock() -> None:
    times = moved(in_play("30+120"), NOW + 1_000, None)
    assert deadline(times) is None
    assert first_move_by(times) is None
    assert not is_out(times, NOW + DAY)
    times = moved(times, NOW + DAY, 1)
    assert times.reserves_ms == (120_000, 120_000)
    assert deadline(times) == NOW + DAY + 150_000


def test_when_the_hall_s_clock_is_set_back_nobody_wins_time() -> None:
    times = moved(in_play("30+120"), NOW - 5_000, 1)
    assert times.since_ms == NOW
    assert left_for(times, 1, NOW - 5_000) == Left(30_000, 120_000)


def test_while_the_hall_was_down_nobody_could_move() -> None:
    times = given_back(in_play("30+120"), 60_000)
    assert deadline(times) == NOW + 210_000
    assert left_for(times, 0, NOW + 60_000) == Left(30_000, 120_000)


# -- the first move


@pytest.mark.parametrize(("clock", "span"), [("5+600", FIRST_MOVE), ("30+120", FIRST_MOVE), ("600+0", 600)])
def test_a_game_that_somebody_does_not_begin_does_not_count(clock: str, span: int) -> None:
    times = clocks.begin(read_clock(clock), 2, NOW, 0)
    for seat in (0, 1):
        start = times.since_ms
        assert times.turn == seat
        assert first_move_by(times) == start + span * SECOND
        assert not not_begun(times, start + span * SECOND - 1)
        assert not_begun(times, start + span * SECOND)
        times = moved(times, start + 1_000, 1)
    assert first_move_by(times) is None, "both have begun"
    assert not not_begun(times, NOW + DAY)


def test_with_days_a_move_the_deadline_decides_the_first_one_too() -> None:
    times = clocks.begin(read_clock("1d"), 2, NOW, 0)
    assert first_move_by(times) is None
    assert not not_begun(times, NOW + 10 * DAY)
    assert is_out(times, NOW + DAY)


def test_a_first_move_has_time_enough_to_begin() -> None:
    times = clocks.begin(read_clock("5+10"), 2, NOW, 0)
    assert left_for(times, 0, NOW) == Left(30_000, 10_000)
    assert left_for(moved(times, NOW, 0), 0, NOW) == Left(5_000, 10_000)
    assert left_for(clocks.begin(read_clock("60+10"), 2, NOW, 0), 0, NOW) == Left(60_000, 10_000)


@given(CLOCKS, st.integers(0, 10_000_000))
def test_nobody_who_has_not_begun_is_out_in_a_game_that_counts(clock: Clock, span: int) -> None:
    times = clocks.begin(clock, 2, NOW, 0)
    if is_out(times, NOW + span) and not clock.days:
        assert not_begun(times, NOW + span)


# -- to be stored


def test_times_are_stored_in_a_line() -> None:
    times = moved(clocks.begin(Clock(30, 120), 2, NOW, 0), NOW + 32_500, None)
    assert times_text(times) == "30+120/-/1700000032500/117500,120000/10"
    assert read_times("30+120/-/1700000032500/117500,120000/10") == times


@pytest.mark.parametrize(
    "text",
    [
        "",
        "30+120",
        "30+120/0/1/120000,120000",
        "30+120/0/1/120000,120000/000",  # three seats and two
        "30+120/2/1/120000,120000/00",  # no such seat
        "30+120/0/1/120001,120000/00",  # more than there was
        "30+120/00/1/120000,120000/00",
        "30+120/0/01/120000,120000/00",
        "30+120/0/1/-1,120000/00",
        "30+120/0/1/120000,120000/00/",
        "1+120/0/1/120000,120000/00",  # no such clock
        "30+120/0/١/120000,120000/00",
        "none/0/1/1,0/00",
    ],
)
def test_what_are_no_times_is_refused(text: str) -> None:
    with pytest.raises(InvalidText) as refused:
        read_times(text)
    assert refused.value.code == "times"


# -- whatever happens


@settings(max_examples=so_often(200, 5000))
@given(
    CLOCKS,
    st.integers(1, 6),
    st.lists(st.tuples(st.integers(-2, 100), st.integers(-1, 5)), max_size=30),
)
def test_time_is_spent_as_it_passes_and_never_runs_below_nothing(
    clock: Clock, seats: int, steps: list[tuple[int, int]]
) -> None:
    """Each step takes some percent of what there is, and then it is somebody's turn or nobody's."""
    times = clocks.begin(clock, seats, NOW, 0)
    latest: dict[int, int] = {}  # by seat
    for percent, next_turn in steps:
        assert read_times(times_text(times)) == times
        start, end, turn = times.since_ms, deadline(times), times.turn
        now = start + (end - start if end is not None else 60_000) * percent // 100
        after = moved(times, now, next_turn if 0 <= next_turn < seats else None)
        assert all(0 <= one <= clock.reserve_ms for one in after.reserves_ms)
        assert after.since_ms == max(start, now), "time goes forwards"
        if turn is not None and end is not None:
            assert end > start
            assert is_out(times, now) == (now >= end)
            assert end >= latest.get(turn, 0), "the next deadline of a seat is no earlier than its last one"
            if times.begun[turn]:  # the first move may have had more of its own than others
                latest[turn] = end
            before, then = left_for(times, turn, start), left_for(times, turn, now)
            assert before is not None
            assert then is not None
            assert sum(before) - sum(then) == max(0, now - start), "what is gone is the time that passed"
            assert then.reserve_ms == after.reserves_ms[turn]
        others = [seat for seat in range(seats) if seat != turn]
        assert all(after.reserves_ms[seat] == times.reserves_ms[seat] for seat in others)
        times = after


@given(SECONDS, st.integers(-1000, 10_000_000), st.integers(0, 10_000_000))
def test_what_is_left_never_grows_while_one_thinks(clock: Clock, now: int, more: int) -> None:
    times = clocks.begin(clock, 2, 0, 0)
    sooner, later = left_for(times, 0, now), left_for(times, 0, now + more)
    assert sooner is not None
    assert later is not None
    assert 0 <= later.own_ms <= sooner.own_ms
    assert 0 <= later.reserve_ms <= sooner.reserve_ms
    assert is_out(times, now) == (sum(sooner) == 0)
