"""Series: the score, who begins, and when it is over."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicehall.errors import InvalidOption
from dicehall.people.series import (
    EXTRA,
    LENGTHS,
    PLACES,
    Series,
    begin,
    first_place,
    is_decided,
    rematch,
    scored,
    seats,
    winners,
)


def played(best_of: int, *games: str, places: int = 2) -> Series:
    """A series after these games: each told by the places that have won it."""
    series = begin(best_of, places, 0)
    for won in games:
        series = scored(series, [int(place) for place in won])
    return series


@pytest.mark.parametrize(
    ("best_of", "games", "halves", "won"),
    [
        (1, ["0"], (2, 0), (0,)),
        (1, ["01"], (1, 1), ()),
        (1, ["01", "01", "1"], (2, 4), (1,)),
        (1, ["01"] * 5, (5, 5), (0, 1)),
        (3, ["1"], (0, 2), ()),
        (3, ["1", "1"], (0, 4), (1,)),
        (3, ["1", "0"], (2, 2), ()),
        (3, ["1", "0", "1"], (2, 4), (1,)),
        (3, ["0", "01"], (3, 1), ()),
        (3, ["0", "01", "01"], (4, 2), (0,)),
        (3, ["01", "01", "01"], (3, 3), ()),
        (3, ["01", "01", "01", "01"], (4, 4), ()),
        (3, ["0", "1", "01", "01", "0"], (6, 4), (0,)),
        (3, ["01"] * 7, (7, 7), (0, 1)),
        (5, ["0", "0"], (4, 0), ()),
        (5, ["0", "0", "0"], (6, 0), (0,)),
        (5, ["0", "0", "1", "1"], (4, 4), ()),
        (5, ["0", "0", "1", "01"], (5, 3), ()),
        (5, ["0", "1"] * 2 + ["01"] * 5, (9, 9), (0, 1)),
    ],
)
def test_the_score_and_who_has_won(
    best_of: int, games: list[str], halves: tuple[int, ...], won: tuple[int, ...]
) -> None:
    series = played(best_of, *games)
    assert series.halves == halves
    assert winners(series) == won
    assert is_decided(series) == bool(won)


def test_at_larger_tables_the_highest_score_wins_in_the_end() -> None:
    each = ["0", "1", "2", "3", "4", "5"]
    series = played(3, *each, places=6)
    assert winners(series) == ()
    assert winners(scored(series, [4])) == (4,), "alone with two wins"
    assert winners(played(5, *each, "01", "01", "2", places=6)) == (0, 1, 2)
    assert winners(played(5, *each, "01", "01", "0", places=6)) == (0,)
    assert winners(played(5, *each, "345", "345", "03", places=6)) == (3,), "with fewer than half of all halves"


def test_nothing_is_scored_when_it_is_over_or_when_nobody_has_won() -> None:
    with pytest.raises(InvalidOption, match="this series is over"):
        scored(played(1, "0"), [1])
    for nobody in ([], [2], [0, -1]):
        with pytest.raises(InvalidOption, match="a game is won by some of places 0 to 1"):
            scored(played(3, "0"), nobody)


def test_a_winner_named_twice_has_won_once() -> None:
    assert scored(begin(3, 2, 0), [1, 1]).halves == (0, 2)


@pytest.mark.parametrize(
    ("best_of", "places", "first", "why"),
    [
        (2, 2, 0, "best of 1, 3 or 5, not 2"),
        (3, 1, 0, "between 2 to 6, not 1"),
        (3, 7, 0, "between 2 to 6, not 7"),
        (3, 2, 2, "one of places 0 to 1 begins, not 2"),
        (3, 2, -1, "begins, not -1"),
    ],
)
def test_what_is_no_series_is_refused(best_of: int, places: int, first: int, why: str) -> None:
    with pytest.raises(InvalidOption, match=why) as refused:
        begin(best_of, places, first)
    assert refused.value.code == "series"


# -- who begins


def test_whoever_did_not_begin_begins_the_next() -> None:
    series = begin(5, 2, 1)
    assert [seats(series, game) for game in range(4)] == [(1, 0), (0, 1), (1, 0), (0, 1)]


@given(st.sampled_from(PLACES), st.data())
def test_everybody_has_a_seat_and_begins_in_turn(places: int, data: st.DataObject) -> None:
    series = begin(5, places, data.draw(st.integers(0, places - 1)))
    began = []
    for game in range(places):
        by_place = seats(series, game)
        assert sorted(by_place) == list(range(places))
        began.append(by_place.index(0))
        # who comes after whom stays as it is
        assert {(by_place[(place + 1) % places] - seat) % places for place, seat in enumerate(by_place)} == {1}
    assert began[0] == series.first
    assert sorted(began) == list(range(places))
    assert seats(series, places) == seats(series, 0)


def test_a_rematch_is_begun_by_the_other_side() -> None:
    series = played(3, "0", "0")
    again = rematch(series)
    assert again == begin(3, 2, 1)
    assert rematch(again).first == 0


def test_host_guest_or_drawn() -> None:
    assert first_place("host", 2, "") == 0
    assert first_place("guest", 5, "") == 1
    assert first_place("drawn", 2, "ab" * 32) == first_place("drawn", 2, "ab" * 32)
    for places in PLACES:
        drawn = Counter(first_place("drawn", places, f"{seed:064x}") for seed in range(600))
        assert set(drawn) == set(range(places))
        assert min(drawn.values()) > 600 / places * 0.7


# -- whatever happens


@given(st.sampled_from(LENGTHS), st.sampled_from(PLACES), st.data())
def test_every_series_ends_and_only_who_cannot_be_caught_wins_early(
    best_of: int, places: int, data: st.DataObject
) -> None:
    series, games = begin(best_of, places, 0), 0
    some = st.sets(st.integers(0, places - 1), min_size=1)
    while not is_decided(series):
        series, games = scored(series, data.draw(some)), games + 1
        assert series.games == games <= best_of + EXTRA
    won = winners(series)
    assert {series.halves[place] for place in won} == {max(series.halves)}
    if games < best_of + EXTRA:
        [best] = won
        others = [half for place, half in enumerate(series.halves) if place != best]
        assert max(others) + 2 * max(0, best_of - games) < series.halves[best]
        assert games >= (best_of + 1) // 2
