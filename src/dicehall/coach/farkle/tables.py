"""The tables of Farkle to the target: what a turn is worth before its first roll, by what each seat still needs, and
how many turns it takes how often.

Those of the usual points are packaged. Any other lies in the cache, where somebody had it solved.
`dicehall.solve.farkle_books` builds both.
"""

from __future__ import annotations

import zlib
from functools import cache, lru_cache
from itertools import accumulate
from operator import add
from struct import unpack
from typing import Any, Final

from dicehall.coach.book import Book, cached_book, packaged_book
from dicehall.coach.farkle.contest import Contest, contest_name
from dicehall.rules.farkle import VERSION

BOOK: Final = "farkle-tables.bin"
BOOK_VERSION: Final = 3
FINE: Final = 44  # bits behind the point of every value
FRAME: Final = 8  # rows that are written as differences from each other


class ValueTable:
    """Rows and columns from 0. Rows are read when somebody asks, and the others of their frame with them.

    They are written as the differences between neighbours, both ways, first the lowest byte of each, then the next.
    """

    def __init__(self, about: dict[str, Any], planes: bytes) -> None:
        self.rows, self.columns, self.width, self.bits = [about[name] for name in ("rows", "columns", "width", "bits")]
        self.planes = planes
        self.known: dict[int, list[int]] = {}

    def row(self, number: int) -> list[int]:
        """In units of 2^-FINE."""
        if number not in self.known:
            self._read_frame(number - number % FRAME)
        return self.known[number]

    def _read_frame(self, first: int) -> None:
        rows = min(FRAME, self.rows - first)
        size, count = self.rows * self.columns, rows * self.columns
        data = bytearray(count * self.width)
        for byte in range(self.width):
            start = byte * size + first * self.columns
            data[byte :: self.width] = self.planes[start : start + count]
        numbers = unpack(f"<{count}{'IQ'[self.width > 4]}", data)
        above, whole, finer = [0] * self.columns, 256**self.width, FINE - self.bits
        for row in range(rows):
            across = accumulate(numbers[row * self.columns : (row + 1) * self.columns])
            above = [number % whole for number in map(add, above, across)]
            self.known[first + row] = [number << finer for number in above]


@lru_cache(maxsize=32)
def find_table(kind: str, contest: Contest) -> ValueTable:
    """Of the `kind` `turns`, `ends` (how many turns how often), `race`, or `last` (its last turns); KeyError where
    `contest` has none."""
    name = contest_name(contest)
    found = _find(_packaged(), kind, name)
    if found is None:
        alone = kind in ("turns", "ends")
        book = cached_book(f"farkle-{'turns' if alone else 'race'}-{name}.bin", BOOK_VERSION, VERSION)
        found = book and _find(book, kind, name)
    if found is None:
        raise KeyError(kind, name)
    return found


@cache
def _packaged() -> Book:
    return packaged_book(BOOK, BOOK_VERSION, VERSION)


def _find(book: Book, kind: str, contest: str) -> ValueTable | None:
    for about in book.about["tables"]:
        if (about["kind"], about["contest"]) == (kind, contest):
            return ValueTable(about, zlib.decompress(book.body[about["at"] : about["at"] + about["size"]]))
    return None
