"""What takes long to find out about several rounds of Shut the Box: from a book, for the usual rules.

`dicehall.solve.shut_the_box_book` builds it, with the same functions that solve all that the book does not have.
"""

from __future__ import annotations

import zlib
from functools import cache
from typing import Final

from dicehall.coach.book import packaged_book
from dicehall.rules.shut_the_box import VERSION
from dicehall.rules.shut_the_box_tiles import Options, all_tiles

BOOK: Final = "shut-the-box-rounds.bin"
BOOK_VERSION: Final = 1


def title_of(kind: str, options: Options) -> str:
    """`kind`, and what decides how one round is played, as `rules_of` has it."""
    rules = [options.one_die, options.difficulty, options.variant, "mulligan" if options.mulligan else "plain"]
    return " ".join([kind, str(len(all_tiles(options))), *rules])


def read_numbers(title: str, size: int) -> list[int]:
    """All numbers of a chapter, of `size` bytes each; none if there is no such chapter."""
    packed = _chapters().get(title)
    data = zlib.decompress(packed) if packed else b""
    count = len(data) // size
    return [int.from_bytes(data[at::count], "big") for at in range(count)]


@cache
def _chapters() -> dict[str, bytes]:
    return packaged_book(BOOK, BOOK_VERSION, VERSION).chapters()


def write_numbers(numbers: list[int], size: int) -> bytes:
    """The highest byte of all numbers, then the next byte of all, and so on: like beside like packs smaller."""
    rows = [number.to_bytes(size, "big") for number in numbers]
    return bytes([row[place] for place in range(size) for row in rows])
