"""How often each result comes, and how results add up."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple


class Results(NamedTuple):
    ways: dict[int, int]  # result -> ways, ascending; those that never come are left out
    of: int
    error: Fraction = Fraction(0)  # by how much a share of all runs may be off

    @property
    def mean(self) -> Fraction:
        return Fraction(sum(result * ways for result, ways in self.ways.items()), self.of)


def from_ways(ways: Mapping[int, int], error: Fraction = Fraction(0)) -> Results:
    found = {result: ways[result] for result in sorted(ways) if ways[result]}
    return Results(found, sum(found.values()), error)


def added_up(one: dict[int, int], times: int) -> dict[int, int]:
    """The sum of so many results that know nothing of each other.

    The ways of all results stand side by side in one large number, each in a lane that is wide enough for the largest
    of the outcome: multiplying two such numbers adds up results and multiplies ways.
    """
    lane = (sum(one.values()) ** times).bit_length() + 1
    size = lane // 8 + 1
    packed = sum(ways << 8 * size * result for result, ways in one.items())
    data = (packed**times).to_bytes(size * (max(one) * times + 1), "little")
    return {at // size: int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)}
