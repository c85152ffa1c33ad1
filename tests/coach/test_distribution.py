"""How results add up, at the edges: against all sums, one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from dicehall.coach.distribution import CELLS, added_up, from_ways, place_among_sums

ONE = {0: 1, 3: 5, 10: 2}


def sums(times: int) -> Counter[int]:
    """The ways of every sum, by going through all of them."""
    found: Counter[int] = Counter()
    for parts in product(ONE.items(), repeat=times):
        ways = 1
        for _, number in parts:
            ways *= number
        found[sum(result for result, _ in parts)] += ways
    return found


@pytest.mark.parametrize("times", [1, 2, 5])
def test_results_are_added_up_as_by_hand(times: int) -> None:
    assert {result: ways for result, ways in added_up(ONE, times).items() if ways} == sums(times)


def test_as_many_ways_as_a_lane_can_hold() -> None:
    """Beside one result that always comes, where the next lane begins shows at once."""
    for ways in (1, 127, 128, 255, 256, 65_535, 65_536):
        assert added_up({0: ways, 1: ways}, 1) == {0: ways, 1: ways}
        assert added_up({0: ways, 1: 1}, 2) == {0: ways * ways, 1: 2 * ways, 2: 1}


def test_what_never_comes_is_left_out() -> None:
    found = from_ways({7: 0, 5: 2, 1: 3, 9: 0})
    assert (found.ways, found.of, list(found.ways)) == ({1: 3, 5: 2}, 5, [1, 5])
    assert found.mean == Fraction(13, 5)


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_place_among_sums_that_can_all_be_told_apart(times: int) -> None:
    """Lower ones, and half of the equal ones: of the least, the greatest and those between, to the last digit."""
    ways, of = sums(times), 8**times
    for result in range(10 * times + 2):
        lower = sum(number for total, number in ways.items() if total < result)
        place, error = place_among_sums(ONE, times, result)
        assert abs(place - Fraction(2 * lower + ways[result], 2 * of)) <= error < Fraction(1, 10**12)


def test_a_place_among_sums_in_cells() -> None:
    """Sums that share a cell with the result, and those next to it, are unsure; all others are not."""
    large = {0: 1, 100 * CELLS: 1}
    for result, place in ((100 * CELLS - CELLS, Fraction(1, 4)), (150 * CELLS, Fraction(3, 4))):
        found, error = place_among_sums(large, 2, result)
        assert abs(found - place) < Fraction(1, 10**12)
        assert error < Fraction(1, 10**12)
    equal, error = place_among_sums(large, 2, 100 * CELLS)
    assert abs(equal - Fraction(1, 2)) <= error
    assert Fraction(1, 4) <= error < Fraction(26, 100), "the two sums of one part each"
