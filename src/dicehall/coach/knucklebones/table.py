"""The values of every position of classic Knucklebones, in a file that `dicehall solve knucklebones` wrote. It may be
larger than the memory: what is asked for is looked up in its place.

The first PAGE bytes are a line of JSON, with its checksum before it; then one whole number of two bytes for every
position, by `dicehall.coach.knucklebones.pairs`, as the seat sees it that has just moved: what the other seat, which
rolls next, may expect, ONE being a certain win. By objective:

    win-draw-half   a draw is half a win, to both seats
    win-alone       only a win counts, and the other seat is content with a draw. There are two tables, one after the
                    other: in the first the seat rolls next that wants to win, in the second the other one
"""

from __future__ import annotations

import json
import mmap
import zlib
from collections.abc import Sequence
from typing import Any, Final

from dicehall.coach.knucklebones.pairs import place_of, span
from dicehall.errors import InvalidOption, excerpt
from dicehall.rules import knucklebones
from dicehall.rules.knucklebones import Column

FORM: Final = 1
PAGE: Final = 4096  # so that the numbers begin where a page of memory does
ONE: Final = 65534  # an even number, so that half of it is one, too
WIN_DRAW_HALF: Final = "win-draw-half"
WIN_ALONE: Final = "win-alone"
TABLES: Final = {WIN_DRAW_HALF: 1, WIN_ALONE: 2}


def head_bytes(about: dict[str, Any]) -> bytes:
    """The first PAGE of a file."""
    text = json.dumps(about).encode().ljust(PAGE - 10)
    return b"%08x %s\n" % (zlib.crc32(text), text)


def read_head(path: str) -> dict[str, Any]:
    """What the file says of itself. InvalidOption if it is none of these files, or for other rules, or not whole."""
    try:
        with open(path, "rb") as file:
            head, size = file.read(PAGE), file.seek(0, 2)
    except OSError as error:
        raise InvalidOption("file", f"cannot read {excerpt(path, 80)}: {error.strerror or error}") from None
    check, _, text = head.partition(b" ")
    if len(head) != PAGE or check != b"%08x" % zlib.crc32(text[:-1]):
        raise InvalidOption("file", f"{excerpt(path, 80)} is no file of solved Knucklebones")
    about: dict[str, Any] = json.loads(text)
    if (about["version"], about["game"], about["rules"]) != (FORM, knucklebones.ID, knucklebones.VERSION):
        raise InvalidOption("file", f"{excerpt(path, 80)} was made for other rules; solve it again")
    if size != PAGE + 2 * TABLES[about["objective"]] * span(about["columns"])[1]:
        raise InvalidOption("file", f"{excerpt(path, 80)} is not whole; solve it again")
    return about


class Table:
    """The values in a file."""

    def __init__(self, path: str) -> None:
        self.about = read_head(path)
        self.columns: int = self.about["columns"]
        self._size = 2 * span(self.columns)[1]
        with open(path, "rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def units(self, mine: Sequence[Column], theirs: Sequence[Column], table: int = 0) -> int:
        """What the seat that rolls next may expect, whose columns are `mine`; of ONE."""
        return self.at(place_of(theirs, mine), table)

    def at(self, place: int, table: int = 0) -> int:
        """The same of the position at this `place`."""
        at = PAGE + table * self._size + 2 * place
        return int.from_bytes(self._bytes[at : at + 2], "little")
