"""The large books of Knucklebones-lite versus: every position of a variant that the coach does not play out itself,
exactly, where somebody had them built.

They lie in the cache and are never loaded: a number is looked up in its place.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import Final

from dicehall.coach.book import LargeBook, large_book
from dicehall.coach.lite_versus.sides import Side, row_scores, side_bytes
from dicehall.rules import lite_versus

BOOK_VERSION: Final = 1
NAMED: Final = 8  # bytes in which a side is named


class Ways:
    """In how many ways the seat to move wins, position by position."""

    def __init__(self, book: LargeBook) -> None:
        self.path, head = book.path, book.about
        self.full: list[list[int]] = []  # by empty cells: of each side, its full rows
        self.place: dict[bytes, int] = {}  # of a side among those with as many empty cells
        for each in map(bytes.fromhex, head["sides"]):
            names = [each[at : at + NAMED] for at in range(0, len(each), NAMED)]
            self.full.append([name[:6:2].count(7) for name in names])
            self.place |= {name: at for at, name in enumerate(names)}
        self.starts = dict(zip(head["layers"], accumulate(head["layers"].values(), initial=book.start), strict=False))
        self.sizes = head["layers"]
        self.low, self.high = row_scores(head["variant"]["wild"])
        self._layer = cache(self._layout)

    def ways(self, mine: Side, theirs: Side, lead: int) -> int:
        """`mine` is the side of the seat to move, `lead` what it is ahead by."""
        to_come = mine.empty + theirs.empty
        rows, columns, width = self._layer(to_come)
        full = 3 - len(mine.rows)
        at = rows[self.place[side_bytes(mine)]] + columns[full][self.place[side_bytes(theirs)]]
        at += lead - self.low * full + self.high * (3 - len(theirs.rows))
        with open(self.path, "rb") as file:
            file.seek(self.starts[str(to_come)] + width * at)
            return int.from_bytes(file.read(width), "little")

    def _layout(self, to_come: int) -> tuple[list[int], list[list[int]], int]:
        """Where the numbers of a mover begin; where among them, by the mover's full rows, those against each waiter
        do: there is one for each lead. And the bytes of a number."""
        movers, waiters = self.full[(to_come + 1) // 2], self.full[to_come // 2]
        each = [[(self.high - self.low) * (full + other) + 1 for other in waiters] for full in range(4)]
        rows = list(accumulate([sum(each[full]) for full in movers], initial=0))
        return rows, [list(accumulate(leads, initial=0)) for leads in each], self.sizes[str(to_come)] // rows[-1]


def find_large_book(variant: str) -> Ways | None:
    """None where the cache has none, or not a whole one for these rules."""
    book = large_book(f"lite-versus-{variant}.bin", BOOK_VERSION, lite_versus.VERSION)
    return None if book is None else Ways(book)
