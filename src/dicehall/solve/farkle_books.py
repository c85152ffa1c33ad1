"""The tables of Farkle to the target as books that `dicehall.coach.farkle.tables` reads.

dicehall solve farkle                               builds the book that is packaged
dicehall solve farkle --option bank_minimum=300     the tables of these options, into the cache

turns     by place: the expected number of turns
ends      by place: the chance to be done in turn 0, 1, 2, ...
race      by both places: the chance of the seat to move
last      by what a seat lacks: what its last turn is worth
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Final

import numpy as np

from dicehall.coach.cache import cache_folder
from dicehall.coach.farkle.contest import FURTHEST, Contest, contest_name, contest_of
from dicehall.coach.farkle.tables import BOOK, BOOK_VERSION, FRAME
from dicehall.errors import InvalidOption
from dicehall.rules import farkle
from dicehall.rules.farkle_scoring import Options, Scoring
from dicehall.solve.farkle import Array, solve
from dicehall.solve.farkle_results import run_ends
from dicehall.solve.workshop import PACKAGED, BookPlan, Solver

SIZES: Final = {
    "turns": (44, 8),
    "race": (32, 4),
    "last": (32, 4),
    "ends": (32, 4),
}  # bits behind the point at most, and bytes in all

# Everything that the options switch on and off, at the usual points.
SWITCHES: Final = tuple(
    (Scoring(straight, three_pairs, four_plus_pair), hot_dice)
    for hot_dice in (True, False)
    for straight in (0, 1500)
    for three_pairs, four_plus_pair in ((0, False), (1500, False), (1500, True))
)
USUAL: Final = {
    "turns": tuple(Contest(*switches) for switches in SWITCHES),
    "race": tuple(Contest(*switches, last_turn=last) for last in (False, True) for switches in SWITCHES),
    "last": tuple(Contest(*switches, last_turn=True) for switches in SWITCHES),
    "ends": tuple(Contest(*switches) for switches in SWITCHES),
}


def packed(table: Array, bits: int, width: int) -> bytes:
    """A table as multiples of 2^-`bits`, `width` bytes each: neighbours differ little, so the differences have many
    equal bytes.

    They are taken both ways, down only within a frame, and stand with the lowest byte of each first, then the next.
    """
    most = min(256**width, 2**62) - 1  # what is as good as certain has to fit too
    numbers = np.minimum(np.rint(table * 2.0**bits).astype(np.int64), most)
    down = np.diff(numbers, axis=0, prepend=0)
    down[::FRAME] = numbers[::FRAME]
    across = np.diff(down, axis=1, prepend=0)
    return zlib.compress(across.astype("<i8").reshape(-1, 1).view(np.uint8)[:, :width].T.tobytes(), 9)


def book_bytes(tables: list[tuple[str, Contest, Array]]) -> bytes:
    """A line that says what is where, then the tables."""
    about, body = [], b""
    for kind, contest, table in tables:
        bits, width = SIZES[kind]
        bits = min(bits, 62 - int(table.max()).bit_length())  # with a high minimum it can take millions of turns
        rows, columns = table.shape
        data = packed(table, bits, width)
        place = {"rows": rows, "columns": columns, "bits": bits, "width": width, "at": len(body), "size": len(data)}
        about.append({"kind": kind, "contest": contest_name(contest), **place})
        body += data
    head = {"version": BOOK_VERSION, "game": farkle.ID, "rules": farkle.VERSION, "crc": zlib.crc32(body)}
    return json.dumps({**head, "tables": about}).encode() + b"\n" + body


def books() -> list[BookPlan]:
    return [_book(BOOK, [(kind, contest) for kind in USUAL for contest in USUAL[kind]], PACKAGED)]


def books_for(options: Options) -> list[BookPlan]:
    """The tables of these options, alone and for two, as far as they are not packaged."""
    if options.max_turns:
        raise InvalidOption("solve", "with max_turns the target plays no part, and everything is known without a book")
    found = []
    for objective, seats in (("turns", 1), ("race", 2)):
        contest = contest_of(options, seats)
        if contest.target > FURTHEST:
            raise InvalidOption("solve", f"targets above {FURTHEST * contest.rules.step} points take too long")
        if contest not in USUAL[objective]:
            kinds = ["turns", "ends"] if objective == "turns" else ["race", *["last"] * contest.last_turn]
            name = f"farkle-{objective}-{contest_name(contest)}.bin"
            found.append(_book(name, [(kind, contest) for kind in kinds], Path(cache_folder())))
    if not found:
        raise InvalidOption("solve", f"these options need no book of their own; they are in {BOOK}")
    return found


def _book(name: str, tables: list[tuple[str, Contest]], folder: Path) -> BookPlan:
    by_title = {f"{kind} {contest_name(contest)}": (kind, contest) for kind, contest in tables}

    def solved(title: str) -> bytes:
        kind, contest = by_title[title]
        table = run_ends(contest) if kind == "ends" else solve(kind, contest)
        return b"%d\n" % len(table) + table.tobytes()

    def bound(parts: dict[str, bytes]) -> bytes:
        found = []
        for title, part in parts.items():
            rows, _, data = part.partition(b"\n")
            found.append((*by_title[title], np.frombuffer(data).reshape(int(rows), -1)))
        return book_bytes(found)

    return BookPlan(name, tuple(by_title), solved, bound, folder)


SOLVER: Final = Solver(books, books_for=books_for)
