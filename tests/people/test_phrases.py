"""Phrases: which there are, and how often one may be said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicehall.errors import InvalidText
from dicehall.people.phrases import BURST, PHRASES, REFILL, read_phrase, said, wait_ms


def test_there_are_six_and_nothing_else_is_one() -> None:
    assert len(set(PHRASES)) == 6
    assert [read_phrase(code) for code in PHRASES] == list(PHRASES)
    for other in ("", "Hello", "thanks ", "<b>"):
        with pytest.raises(InvalidText, match="a phrase is one of hello, good-luck"):
            read_phrase(other)


def test_three_at_once_and_one_more_every_ten_seconds() -> None:
    full, now = 0, 1_700_000_000_000
    for _ in range(3):
        assert wait_ms(full, now) == 0
        full = said(full, now)
    assert wait_ms(full, now) == 10_000
    assert wait_ms(full, now + 9_999) == 1
    full = said(full, now + 10_000)
    assert wait_ms(full, now + 10_000) == 10_000
    assert wait_ms(full, now + 10_000 + 30_000) == 0, "and then there are three again"
    full = said(said(full, now + 40_000), now + 40_000)
    assert wait_ms(full, now + 40_000) == 0
    assert wait_ms(said(full, now + 40_000), now + 40_000) == 10_000


@given(st.lists(st.integers(0, 15_000), max_size=60))
def test_it_is_a_bucket(pauses: list[int]) -> None:
    """Beside a bucket that is filled millisecond by millisecond, in ten-thousandths of a phrase."""
    full, now, left = 0, 1_000_000, BURST * REFILL * 1000
    allowed = []
    for pause in pauses:
        now += pause
        left = min(BURST * REFILL * 1000, left + pause)
        assert wait_ms(full, now) == max(0, REFILL * 1000 - left)
        if wait_ms(full, now) == 0:
            full, left = said(full, now), left - REFILL * 1000
            allowed.append(now)
    for first, last in zip(allowed, allowed[BURST:], strict=False):
        assert last - first >= REFILL * 1000, "never four within ten seconds"
