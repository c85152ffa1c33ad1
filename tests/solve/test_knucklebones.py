"""Classic Knucklebones with one and two columns, solved, beside slow and obvious ways to the same numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product

import pytest

from dicehall.coach.knucklebones.pairs import pairs
from dicehall.solve.knucklebones import Solved, solve

Columns = tuple[tuple[int, ...], ...]
Position = tuple[Columns, Columns]  # of the seat that rolls next, and of the other

COLUMNS = [dice for count in range(4) for dice in combinations_with_replacement(range(1, 7), count)]


def ended(mine: Columns, theirs: Columns) -> float:
    """What it is worth to the seat whose columns are `mine`."""

    def score(columns: Columns) -> int:
        return sum(face * column.count(face) ** 2 for column in columns for face in set(column))

    lead = score(mine) - score(theirs)
    return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5


def placed(mine: Columns, theirs: Columns, die: int) -> Iterator[Position]:
    """All that the seat can make of a die: its own columns first."""
    for at, column in enumerate(mine):
        if len(column) < 3:
            grown = tuple(sorted((*column, die)))
            left = tuple(other for other in theirs[at] if other != die)
            yield (*mine[:at], grown, *mine[at + 1 :]), (*theirs[:at], left, *theirs[at + 1 :])


def is_full(columns: Columns) -> bool:
    return all(len(column) == 3 for column in columns)


def twin() -> dict[Position, float]:
    """One column, position by position, until nothing changes: as one would write it down."""
    positions = [((a,), (b,)) for a, b in product(COLUMNS, COLUMNS) if not set(a) & set(b) and not is_full((a,))]
    value = dict.fromkeys(positions, 0.5)
    change = 1.0
    while change > 1e-12:
        change = 0.0
        for mine, theirs in positions:
            found = ended(mine, theirs) if is_full(theirs) else 0.0
            if not is_full(theirs):
                for die in range(1, 7):
                    found += max(
                        ended(grown, left) if is_full(grown) else 1 - value[left, grown]
                        for grown, left in placed(mine, theirs, die)
                    )
                found /= 6
            change = max(change, abs(found - value[mine, theirs]))
            value[mine, theirs] = found
    return value


@cache
def solved(columns: int) -> Solved:
    return solve(columns)


def test_there_are_as_many_positions_as_were_counted() -> None:
    assert len(pairs().known) == 3067
    assert len(solved(1).values) == 3067
    assert len(solved(2).values) == 3067 * 3068 // 2


def test_one_column_is_worth_what_the_twin_says_in_every_position() -> None:
    for (mine, theirs), value in twin().items():
        assert solved(1).value(mine, theirs) == pytest.approx(value, abs=3e-5), (mine, theirs)


def test_the_order_of_columns_and_dice_changes_nothing() -> None:
    two = solved(2)
    assert two.value([(1, 2), (6,)], [(5, 3), ()]) == two.value([(6,), (2, 1)], [(), (3, 5)])
