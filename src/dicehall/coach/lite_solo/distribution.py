"""Knucklebones-lite solo, played for the score: from a book.

Boards that mirror each other count as one, so between equally good moves the steadier is taken; its solver says how.
"""

from __future__ import annotations

import json
import zlib
from functools import cache
from importlib import resources
from typing import Final

from dicehall.coach.distribution import Results, from_ways
from dicehall.errors import InvalidOption
from dicehall.rules import lite_solo

BOOK: Final = "lite-solo-results.json"
BOOK_VERSION: Final = 1


def score_results(options: lite_solo.Options, objective: str) -> Results:
    lines, token = "columns" if options.columns else "rows", "token" if options.reroll else "plain"
    least, *ways = _book()[f"{lines} {options.wild} {token}"]
    return from_ways(dict(enumerate(ways, least)))


@cache
def _book() -> dict[str, list[int]]:
    head, _, body = resources.files("dicehall.coach").joinpath("books", BOOK).read_bytes().partition(b"\n")
    about = json.loads(head)
    if (about["version"], about["rules"], about["crc32"]) != (BOOK_VERSION, lite_solo.VERSION, zlib.crc32(body)):
        raise InvalidOption("objective", f"{BOOK} is damaged or made for other rules; build it again")
    return {part: json.loads(line) for part, line in zip(about["parts"], body.splitlines(), strict=True)}
