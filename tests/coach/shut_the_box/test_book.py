"""The book of Shut the Box: what it has is what would be solved without it."""

from __future__ import annotations

import zlib
from typing import Any

import pytest

from dicehall.coach.shut_the_box import book, distribution, totals, tournament
from dicehall.rules.shut_the_box import Options, start
from dicehall.solve.shut_the_box_book import CHAPTERS, chapter
from tests.coach.asked import box
from tests.soak import SOAKING


@pytest.mark.rebuilds("dicehall.solve.shut_the_box_book")
def test_the_book_is_what_the_solver_builds() -> None:
    known = {title: zlib.decompress(packed) for title, packed in book._chapters().items()}
    assert list(known) == list(CHAPTERS)
    some = [title for title in CHAPTERS if " 9 " in title][::4]
    for title in CHAPTERS if SOAKING else some:
        assert known[title] == chapter(title), title


def test_one_round_ahead_is_what_the_book_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first step of what the test above does, which is skipped while nothing has changed."""
    known = totals._from_book(Options(), totals.BOOK_LIMIT)
    monkeypatch.setattr(totals, "BOOK_AHEAD", 1)
    assert totals.solve_ahead(Options()) == known[:2]


@pytest.mark.parametrize("size", [1, 3, 40])
def test_numbers_are_read_as_they_were_written(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [0, 1, 256**size - 1, 256**size // 3, 7]
    packed = {"some": zlib.compress(book.write_numbers(numbers, size))}
    monkeypatch.setattr(book, "_chapters", lambda: packed)
    assert book.read_numbers("some", size) == numbers
    assert book.read_numbers("others", size) == []


@pytest.mark.parametrize(
    "chosen", [{}, {"mulligan": True}, {"difficulty": "hard"}, {"one_die": "forced"}, {"tiles": 12}], ids=str
)
def test_a_tournament_is_worth_the_same_with_and_without_the_book(chosen: dict[str, Any]) -> None:
    """The book only says how rounds end; what they are worth comes out as if it had been solved, to the last digit."""
    options = Options(**chosen, variant="tournament45out")
    assert tournament.round_ends(options, 1) == tournament.solve_ends(options, 1)


@pytest.mark.parametrize(
    ("chosen", "objective"),
    [
        ({}, "win"),
        ({"variant": "alwaysSumDuo", "goal": 60}, "win"),
        ({"rounds": 7}, "total<=60"),
        ({"tiles": 12, "rounds": 3, "mulligan": True, "one_die": "never"}, "total<=12"),
        ({"rounds": 2}, "total<=0"),
    ],
    ids=str,
)
def test_totals_are_worth_the_same_with_and_without_the_book(
    chosen: dict[str, Any], objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = Options(**chosen)
    begun = start(options, 1)
    with_book = box.values(options, 1, objective)(begun)
    totals._sum_values.cache_clear()
    monkeypatch.setattr(totals, "_from_book", lambda options, limit: [])
    assert box.values(options, 1, objective)(begun) == with_book
    totals._sum_values.cache_clear()


@pytest.mark.parametrize(
    ("chosen", "limit", "there"),
    [
        ({}, 60, True),
        ({}, 61, False),
        ({"scoring": "missionary"}, 10, False),
        ({"variant": "digitalScore"}, 10, False),
        ({"instant": True}, 10, False),
        ({"variant": "alwaysSumDuo", "tiles": 12, "difficulty": "hard", "one_die": "forced"}, 10, True),
    ],
    ids=str,
)
def test_which_totals_the_book_has(chosen: dict[str, Any], limit: int, there: bool) -> None:
    known = totals._from_book(Options(**chosen), limit)
    assert len(known) == (totals.BOOK_AHEAD + 1 if there else 0)


@pytest.mark.parametrize("chosen", [{}, {"mulligan": True, "variant": "alwaysSumDuo"}], ids=str)
def test_the_long_game_ends_the_same_with_and_without_the_book(chosen: dict[str, Any]) -> None:
    options = Options(**chosen, mode="long")
    followed, known = distribution.follow_turns(options), distribution._from_book(options)
    assert len(known) == len(followed)
    assert all(0 <= more - less < 1 << 24 for more, less in zip(followed, known, strict=True))
