"""How often each result comes, and how results add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from dicehall.coach.objective import Objective
from dicehall.errors import InvalidOption

FINE: Final = 48  # bits behind the point of one result's share
CELLS: Final = 1 << 12  # in which results are counted, where sums are too many


class Distribution(NamedTuple):
    ways: dict[int, int]  # result -> ways, ascending; those that never come are left out
    of: int
    error: Fraction = Fraction(0)  # by how much a share of all runs may be off

    @property
    def mean(self) -> Fraction:
        return Fraction(sum(result * ways for result, ways in self.ways.items()), self.of)

    @property
    def shares(self) -> dict[int, Fraction]:
        return {result: Fraction(ways, self.of) for result, ways in self.ways.items()}

    def percentile(self, result: Fraction | int, lower_is_better: bool) -> Fraction:
        """The share of runs that do worse than `result`, and half of those that do equally well."""
        worse = sum(
            ways for other, ways in self.ways.items() if (other > result if lower_is_better else other < result)
        )
        equal = sum(ways for other, ways in self.ways.items() if other == result)
        return Fraction(2 * worse + equal, 2 * self.of)


def not_known(objective: Objective) -> InvalidOption:
    """Of a game that is solved for an objective, but not followed to its end."""
    return InvalidOption("objective", f"how often {objective.game} ends with what is not known for {objective}")


def from_ways(ways: Mapping[int, int], error: Fraction = Fraction(0)) -> Distribution:
    found = {result: ways[result] for result in sorted(ways) if ways[result]}
    return Distribution(found, sum(found.values()), error)


def added_up(one: Mapping[int, int], times: int) -> dict[int, int]:
    """The ways of each sum of `times` results that know nothing of each other; `one` has the ways of one of them."""
    sums = Sums(sum(one.values()) ** times)
    return sums.unpack(sums.pack(one) ** times)


class Sums:
    """The ways of all results side by side in one large number, each in a lane that has room for `most` ways:
    multiplying two such numbers adds up results and multiplies ways."""

    def __init__(self, most: int) -> None:
        self.size = most.bit_length() // 8 + 1

    def pack(self, ways: Mapping[int, int]) -> int:
        return sum(number << 8 * self.size * result for result, number in ways.items())

    def unpack(self, packed: int) -> dict[int, int]:
        lanes = packed.bit_length() // (8 * self.size) + 1
        data = packed.to_bytes(self.size * lanes, "little")
        return {at // self.size: int.from_bytes(data[at : at + self.size], "little")
                for at in range(0, len(data), self.size)}  # fmt: skip


def place_among_sums(one: Mapping[int, int], times: int, result: int) -> tuple[Fraction, Fraction]:
    """Of all sums of `times` results, the share that is lower than `result`, with half of those that are equal; and how
    far off that may be.

    For sums that are too many to tell apart: results are counted in cells, and a sum is known to less than one cell for
    each of its parts. So it is only unsure which of the very nearest sums are lower; half of them are taken to be.
    """
    of, cell = sum(one.values()), result // CELLS + 1
    cells: Counter[int] = Counter()
    for part, ways in one.items():
        if part <= result:
            cells[part // cell] += (ways << FINE) // of
    sure = unsure = 0
    for number, ways in added_up(cells, times).items():
        least, most = number * cell, number * cell + times * (cell - 1)
        if most < result:
            sure += ways
        elif least <= result:
            unsure += ways
    whole = 2 << FINE * times
    rounded = Fraction(len(one) * times, 1 << FINE)
    return Fraction(2 * sure + unsure, whole), rounded + (Fraction(unsure, whole) if cell > 1 else 0)
