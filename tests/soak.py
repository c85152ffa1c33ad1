"""How long the long tests run: a short form in `make test`, the long one under `make soak`, a taste in `make quick`."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from itertools import cycle, product
from typing import TypeVar

One = TypeVar("One")
Other = TypeVar("Other")

SOAKING = os.environ.get("DICEHALL_SOAK") == "1"
HURRYING = os.environ.get("DICEHALL_QUICK") == "1"


def times(short: int, long: int) -> int:
    return long if SOAKING else max(1, short // 20) if HURRYING else short


def met(ones: Collection[One], others: Sequence[Other]) -> list[tuple[One, Other]]:
    """Every one with every other under `make soak`; else each of them once, with one of the others in turn."""
    return list(product(ones, others) if SOAKING else zip(ones, cycle(others), strict=False))
