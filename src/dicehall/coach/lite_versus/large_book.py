"""The large books of Knucklebones-lite versus: every position of a variant, exactly, where somebody had them built.

They lie in the cache, a hundred megabytes and more each, and are never loaded: a number is looked up in its place.
"""

from __future__ import annotations

import json
import zlib
from functools import cache
from itertools import accumulate, product
from typing import Any, Final

from dicehall.coach.cache import cache_folder
from dicehall.coach.lite_versus.sides import Side, side_bytes
from dicehall.dice import FACES
from dicehall.rules import lite_versus
from dicehall.rules.lite_grid import score_row

BOOK_VERSION: Final = 1
NAMED: Final = 8  # bytes in which a side is named


class LargeBook:
    def __init__(self, path: str, head: dict[str, Any], start: int) -> None:
        self.path = path
        self.full: list[list[int]] = []  # by empty cells: of each side, its full rows
        self.place: dict[bytes, int] = {}  # of a side among those with as many empty cells
        for each in map(bytes.fromhex, head["sides"]):
            names = [each[at : at + NAMED] for at in range(0, len(each), NAMED)]
            self.full.append([name[:6:2].count(7) for name in names])
            self.place |= {name: at for at, name in enumerate(names)}
        self.starts = dict(zip(head["layers"], accumulate(head["layers"].values(), initial=start), strict=False))
        self.sizes = head["layers"]
        scores = [score_row(row, head["variant"]["wild"]).score for row in product(FACES, repeat=3)]
        self.low, self.high = min(scores), max(scores)
        self._layer = cache(self._layout)

    def ways(self, mine: Side, theirs: Side, lead: int) -> int:
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


def find_large_book(variant: str) -> LargeBook | None:
    """None where there is none, or not one for these rules, or not a whole one."""
    path = f"{cache_folder()}/lite-versus-{variant}.bin"
    try:
        with open(path, "rb") as file:
            check, _, text = file.readline().partition(b" ")
            start, end = file.tell(), file.seek(0, 2)
    except OSError:
        return None
    if check != b"%08x" % zlib.crc32(text.rstrip(b"\n")):
        return None
    head = json.loads(text)
    made_for, whole = (head["version"], head["rules"]), start + sum(head["layers"].values()) == end
    return LargeBook(path, head, start) if whole and made_for == (BOOK_VERSION, lite_versus.VERSION) else None
