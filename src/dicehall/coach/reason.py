"""Why one move is better than another, as a code with its numbers: screens make a sentence of it.

Values say how much a move gives away, and not why. A reason is what a player can see in the position: points at once,
dice that are left, rolls that fit. The first of these that speaks for the better move is told; where none does, that
what comes later decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple

NOTHING: Final[Mapping[str, int]] = MappingProxyType({})


class Reason(NamedTuple):
    code: str  # `reason.<code>` is its sentence
    numbers: Mapping[str, int] = NOTHING  # to fill in
    shares: Mapping[str, Fraction] = MappingProxyType({})  # to fill in as percentages
