"""Presence: who is there, and when a game may be claimed from whoever is not. Above all the races."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicehall.people import presence
from dicehall.people.clocks import read_clock
from dicehall.people.presence import (
    Presence,
    arrived,
    claimable_at,
    countdown_ms,
    is_there,
    lost,
    may_claim,
    moved,
    new_game,
)
from tests.soak import times

QUICK = "30+120"  # 30 seconds until others may claim, 10 after leaving


def room(clock: str = QUICK, lines: int = 1) -> Presence:
    """Two people, with so many lines each."""
    found = presence.begin(read_clock(clock), 2, 0)
    for place in (0, 1) * lines:
        found = arrived(found, place, 0)
    return found


@pytest.mark.parametrize(
    ("clock", "lost_s", "left_s"), [("15+60", 30, 10), (QUICK, 30, 10), ("31+0", 60, 20), ("none", 120, 40)]
)
def test_how_long_the_others_wait(clock: str, lost_s: int, left_s: int) -> None:
    assert countdown_ms(read_clock(clock), left=False) == lost_s * 1000
    assert countdown_ms(read_clock(clock), left=True) == left_s * 1000
    for left, seconds in ((False, lost_s), (True, left_s)):
        away = lost(room(clock), 1, 5_000, left)
        assert claimable_at(away, 1) == 5_000 + seconds * 1000
        assert not may_claim(away, 1, 5_000 + seconds * 1000 - 1)
        assert may_claim(away, 1, 5_000 + seconds * 1000)
        assert claimable_at(away, 0) is None, "the other one is there"


def test_with_days_a_move_there_is_nothing_to_claim() -> None:
    away = lost(room("3d"), 1, 0, left=True)
    assert claimable_at(away, 1) is None
    assert not may_claim(arrived(away, 1, 10**12), 1, 10**12)


def test_whoever_is_there_cannot_be_claimed_from() -> None:
    assert claimable_at(room(), 1) is None
    assert not may_claim(room(), 1, 10**12)
    assert is_there(room(), 1)


def test_who_never_comes_is_away_from_the_start() -> None:
    empty = presence.begin(read_clock(QUICK), 2, 7_000)
    assert not is_there(empty, 0)
    assert claimable_at(empty, 0) == 37_000


def test_the_last_line_counts() -> None:
    two = room(lines=2)
    one = lost(two, 1, 1_000, left=True)
    assert is_there(one, 1)
    assert claimable_at(one, 1) is None
    none = lost(one, 1, 2_000)
    assert not is_there(none, 1)
    assert claimable_at(none, 1) == 32_000, "this page was not left on purpose"
    assert claimable_at(lost(lost(two, 1, 1_000), 1, 2_000, left=True), 1) == 12_000


def test_a_line_that_was_not_there_changes_nothing() -> None:
    away = lost(room(), 1, 1_000)
    assert lost(away, 1, 9_000, left=True) == away


# -- races


def test_coming_back_before_the_countdown_has_run_out_ends_it() -> None:
    back = arrived(lost(room(), 1, 0), 1, 29_999)
    assert claimable_at(back, 1) is None
    assert not may_claim(back, 1, 30_000)
    assert claimable_at(lost(back, 1, 40_000), 1) == 70_000, "the next one begins from its start"


@pytest.mark.parametrize("back_at", [30_000, 30_001, 90_000])
def test_coming_back_afterwards_takes_nothing_away(back_at: int) -> None:
    back = arrived(lost(room(), 1, 0), 1, back_at)
    assert is_there(back, 1)
    assert claimable_at(back, 1) == 30_000
    assert may_claim(back, 1, back_at)
    assert may_claim(back, 1, 10**9), "until it is used"


def test_a_claim_is_decided_by_when_it_came_and_not_by_when_it_is_looked_at() -> None:
    back = arrived(lost(room(), 1, 0), 1, 30_001)
    assert not may_claim(back, 1, 29_999), "too early, although it is looked at when it would have been possible"
    assert may_claim(back, 1, 30_000), "in time, although the one who was away is back when it is looked at"


def test_a_line_that_flickers_takes_nothing_away() -> None:
    found = lost(room(), 1, 0)
    for n in range(10):
        found = lost(arrived(found, 1, 30_000 + 2 * n), 1, 30_001 + 2 * n, left=n % 2 == 1)
        assert claimable_at(found, 1) == 30_000


def test_a_move_takes_the_claim_away() -> None:
    back = arrived(lost(room(), 1, 0), 1, 31_000)
    there = moved(back, 1, 32_000)
    assert claimable_at(there, 1) is None
    assert not may_claim(there, 1, 32_000)
    assert may_claim(moved(back, 0, 32_000), 1, 32_000), "a move of the one who waits does not"


def test_a_move_that_comes_after_the_line_was_lost_begins_the_countdown_again() -> None:
    there = moved(lost(room(), 1, 0, left=True), 1, 4_000)
    assert claimable_at(there, 1) == 34_000, "and whoever moves had not left"


def test_coming_back_after_leaving_is_waited_for_ten_seconds() -> None:
    away = lost(room(), 1, 0, left=True)
    assert claimable_at(arrived(away, 1, 9_999), 1) is None
    assert claimable_at(arrived(away, 1, 10_000), 1) == 10_000


def test_nothing_of_the_last_game_can_be_claimed_in_the_next() -> None:
    found = arrived(lost(room(), 1, 0), 1, 30_000)
    found = new_game(lost(found, 0, 31_000), 100_000)
    assert claimable_at(found, 1) is None
    assert claimable_at(found, 0) == 130_000


# -- whatever happens


class Happened(NamedTuple):
    what: str
    place: int
    after: int


EVENTS = st.lists(
    st.builds(
        Happened,
        st.sampled_from(["arrived", "lost", "left", "moved"]),
        st.integers(0, 1),
        st.sampled_from([0, 1, 4_999, 9_999, 10_000, 20_000, 29_999, 30_000, 30_001]),
    ),
    max_size=25,
)


def told(found: Presence, event: Happened, now: int) -> Presence:
    if event.what == "arrived":
        return arrived(found, event.place, now)
    if event.what == "moved":
        return moved(found, event.place, now)
    return lost(found, event.place, now, event.what == "left")


@settings(max_examples=times(300, 10_000))
@given(st.sampled_from([QUICK, "60+0", "none", "3d"]), EVENTS)
def test_a_claim_once_possible_stays_possible_until_a_move(clock: str, events: list[Happened]) -> None:
    found, now = presence.begin(read_clock(clock), 2, 0), 0
    lines = [0, 0]
    for event in events:
        now += event.after
        before = found
        found = told(found, event, now)
        if event.what == "arrived":
            lines[event.place] += 1
        elif event.what != "moved":
            lines[event.place] = max(0, lines[event.place] - 1)
        assert [place.lines for place in found.places] == lines
        for place in (0, 1):
            due = claimable_at(found, place)
            assert may_claim(found, place, now) == (due is not None and due <= now)
            if place != event.place:
                assert found.places[place] == before.places[place], "everybody for themselves"
            elif event.what == "moved":
                assert not may_claim(found, place, now)
            elif may_claim(before, place, now):
                assert claimable_at(before, place) == due, "nothing else takes it away, or puts it off"
            elif lines[place]:
                assert due is None
            elif clock != "3d":
                assert due is not None
                assert due > now, "there is always time to come back"


# The same told anew: everything that happened at one place, in order; slow, and as the rules are said.
@settings(max_examples=times(300, 10_000))
@given(EVENTS, st.integers(0, 60_000))
def test_a_claim_is_granted_as_the_rules_say(events: list[Happened], later: int) -> None:
    found, now = presence.begin(read_clock(QUICK), 2, 0), 0
    possible, away, lines, left = False, 0, 0, False
    for event in events:
        now += event.after
        found = told(found, event, now)
        if event.place == 0:
            continue
        possible = possible or (lines == 0 and now - away >= (10_000 if left else 30_000))
        if event.what == "moved":
            possible, away, left = False, now, False
        elif event.what == "arrived":
            lines += 1
        elif lines:
            lines -= 1
            away, left = now, event.what == "left"
    at = now + later
    expected = possible or (lines == 0 and at - away >= (10_000 if left else 30_000))
    assert may_claim(found, 1, at) == expected
