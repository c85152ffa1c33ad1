"""How those play whom `figures` measures, as tables: what a GPU looks up, and `dicehall.bots` works out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from dicehall.bots.knucklebones import DESTROYING, STACKING
from dicehall.coach.knucklebones.pairs import pairs
from dicehall.dice import FACES
from dicehall.rules.knucklebones import SLOTS

STEPS: Final = 64  # of the table of how often a blurred placement is taken
WIDTHS: Final = 3  # that a blur spans: it is the sum of three draws


def pairs_of(mine: str, theirs: str) -> tuple[int, ...]:
    """The pairs of facing columns, as positions are written: `45/-/1`."""
    sides = (side.replace("-", "").split("/") for side in (mine, theirs))
    columns = ([tuple(sorted(map(int, column))) for column in side] for side in sides)
    return tuple(pairs().place[pair] for pair in zip(*columns, strict=True))


def likings() -> dict[str, list[list[int]]]:
    """By rule: how much whoever plays by it likes a die in a column, by [pair, die - 1], the pair seen by himself."""
    known = pairs()

    def gain(pair: int, die: int) -> int:
        return known.lead[known.after[pair][die - 1]] - known.lead[pair]

    def spec(pair: int, die: int) -> int:
        mine, theirs = known.known[pair]
        return mine.count(die) * STACKING + theirs.count(die) * die * DESTROYING

    def safe(pair: int, die: int) -> int:  # then where fewer dice can come that might break it
        return gain(pair, die) * 10 + len(known.known[pair][1])

    rules: dict[str, Callable[[int, int], int]] = {
        "spec": spec, "greedy": gain, "safe": safe, "random": lambda pair, die: 0,
    }  # fmt: skip
    found: dict[str, list[list[int]]] = {
        name: [[rule(at, die) if len(pair[0]) < SLOTS else 0 for die in FACES] for at, pair in enumerate(known.known)]
        + [[0] * len(FACES)]
        for name, rule in rules.items()
    }
    return found


def taken_table() -> Any:
    """How often the best placement is taken through a blur, and the one that loses the next least: by what the two that
    are not best lose, in parts of three widths."""
    parts = 1536  # of all widths
    one = np.ones(parts // WIDTHS) / (parts // WIDTHS)
    bell = np.convolve(np.convolve(one, one), one)  # of the sum of three draws
    below = np.concatenate([[0], np.cumsum(bell)])  # less than that

    def under(by: int) -> Any:  # that another sum is less than this one, less what it lacks; equals count half
        at = np.arange(len(bell)) + by
        low, high = below[np.clip(at, 0, len(bell))], below[np.clip(at + 1, 0, len(bell))]
        return (low + high) / 2

    table = np.zeros((STEPS + 1, STEPS + 1, 2), np.float32)
    each = parts // STEPS
    for x in range(STEPS + 1):
        for y in range(STEPS + 1):
            table[x, y] = (
                (bell * under(x * each) * under(y * each)).sum(),
                (bell * under(-x * each) * under((y - x) * each)).sum(),
            )
    return table
