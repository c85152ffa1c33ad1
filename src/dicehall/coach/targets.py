"""How likely a target is in Knucklebones-lite, for somebody who plays perfectly for it; and targets worth setting.

The chances come out of a book that `dicehall.solve.lite_targets` built, as whole numbers: so many ways out of so many.
The book covers rows-only scoring, with and without the reroll, under each reading of the wild six.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

from dicehall.rules import lite_solo
from dicehall.rules.options import Options

BOOK: Final = "lite-solo-targets.json"
BOOK_VERSION: Final = 1
# Perfect play reaches a calibrated target about once in so many runs, whatever the variant.
CALIBRATED: Final = {"bronze": 2, "silver": 10, "gold": 100}


class Rung(NamedTuple):
    name: str
    target: int
    ways: int
    of: int


def chance(options: Options, target: int, rules: int = lite_solo.VERSION) -> tuple[int, int] | None:
    """The best chance, before the first roll, to score `target` or more: (ways, of). None where no book covers it."""
    found = _ways(options, rules)
    if found is None:
        return None
    ways, of = found
    if target < 1:
        return of, of
    return (ways[target - 1] if target <= len(ways) else 0), of


def ladder(options: Options, rules: int = lite_solo.VERSION) -> list[Rung]:
    """Targets calibrated for this variant, the easiest first: the highest with at least the chance its name stands for.

    Empty where no book covers the options.
    """
    found = _ways(options, rules)
    if found is None:
        return []
    ways, of = found
    rungs = []
    for name, once_in in CALIBRATED.items():
        # A higher target is never likelier, so counting those that are likely enough finds the highest of them.
        target = sum(way * once_in >= of for way in ways)
        rungs.append(Rung(name, target, ways[target - 1], of))
    return rungs


def _ways(options: Options, rules: int) -> tuple[list[int], int] | None:
    if not isinstance(options, lite_solo.Options) or options.columns:
        return None
    return _book().get((rules, options.reroll, options.wild))


@cache
def _book() -> dict[tuple[int, bool, str], tuple[list[int], int]]:
    """By rules version and variant: the ways to each target from 1 up, and how many ways there are."""
    book = json.loads(resources.files("dicehall.coach").joinpath("books", BOOK).read_text("utf-8"))
    if book["version"] != BOOK_VERSION:
        return {}
    return {
        (book["rules"], variant["reroll"], variant["wild"]): (variant["ways"], 6 ** variant["dice"])
        for variant in book["variants"]
    }
