"""Knucklebones-lite solo, played for the score: from a book.

Boards that mirror each other count as one, so between equally good moves the steadier is taken; its solver says how.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Final

from dicehall.coach.book import packaged_book
from dicehall.coach.distribution import Distribution, from_ways
from dicehall.rules import lite_solo

BOOK: Final = "lite-solo-results.json"
BOOK_VERSION: Final = 1


def score_distribution(options: lite_solo.Options) -> Distribution:
    lines, token = "columns" if options.columns else "rows", "token" if options.reroll else "plain"
    least, *ways = json.loads(_book()[f"{lines} {options.wild} {token}"])
    return from_ways(dict(enumerate(ways, least)))


@cache
def _book() -> dict[str, bytes]:
    return packaged_book(BOOK, BOOK_VERSION, lite_solo.VERSION).chapters()
