"""How likely perfect play is to reach a score in Knucklebones-lite solo: exact, and for every score at once.

Rows only. Where a die lies in its row and where a row lies on the board changes nothing, and of a full row only the
points count. So what matters of a board is which rows are still open: at most 4,495 cases. The answer to one case is
a list that holds, at index n, in how many ways it leads to n more points or better, every die placed best for that n.

A way is one course of all the dice to come, each course as likely as any other: 6^9 of them at the start. The token
brings a tenth die, which lies ready for the reroll and counts whether it is used or not: 6^10. Integers throughout.

    python -m dicehall.solve.lite_targets      builds the book that `dicehall.coach.targets` reads
"""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

from dicehall.dice import FACES
from dicehall.rules import lite_solo
from dicehall.rules.lite_grid import ROWS, score_row

Row = tuple[int, ...]  # the dice of an open row, sorted: none, one or two
Ways = list[int]  # by the points still needed

BOOK: Final = Path(__file__).parent.parent / "coach" / "books" / "lite-solo-targets.json"
BOOK_VERSION: Final = 1
FRESH: Final[tuple[Row, ...]] = ((), (), ())


class Variant(NamedTuple):
    reroll: bool
    wild: str

    @property
    def dice(self) -> int:
        """How many dice a run may see: the ways are counted out of six to this power."""
        return 10 if self.reroll else 9


VARIANTS: Final = tuple(Variant(reroll, wild) for wild in ("off", "contains", "natural") for reroll in (False, True))


class PerfectPlay:
    """Best play for a target under one reading of the wild six, with or without the token."""

    def __init__(self, wild: str) -> None:
        self.wild = wild
        self.highest = len(ROWS) * max(score_row(row, wild).score for row in product(FACES, repeat=3))
        self._known: dict[tuple[tuple[Row, ...], bool], Ways] = {}

    def ways(self, rows: tuple[Row, ...] = FRESH, token: bool = False) -> Ways:
        """From these open rows (sorted), before a roll: the ways to 0, 1, 2, ... more points."""
        if (rows, token) not in self._known:
            self._known[rows, token] = self._solve(rows, token)
        return self._known[rows, token]

    def reach(self, state: lite_solo.State, target: int) -> tuple[int, int]:
        """From a position before a roll: the ways to end with at least `target`, and how many ways there are."""
        lines = [tuple(sorted(state.board[cell] for cell in row if state.board[cell])) for row in ROWS]
        rows = tuple(sorted(line for line in lines if len(line) < 3))
        need = target - sum(score_row(line, self.wild).score for line in lines if len(line) == 3)
        ways = self.ways(rows, state.token)
        return (ways[max(need, 0)] if need <= self.highest else 0), ways[0]  # 0 more points: every way leads there

    def _solve(self, rows: tuple[Row, ...], token: bool) -> Ways:
        if not rows:
            return [6 if token else 1] + [0] * self.highest
        # Rerolling takes a die off the dice to come, as placing does, so the two are counted out of the same number.
        rerolled = [self.ways(rows, False)] if token else []
        by_die = []
        for die in FACES:
            choices = rerolled + [self._placed(rows, row, die, token) for row in set(rows)]
            by_die.append([max(ways) for ways in zip(*choices, strict=True)])
        return [sum(ways) for ways in zip(*by_die, strict=True)]

    def _placed(self, rows: tuple[Row, ...], row: Row, die: int, token: bool) -> Ways:
        others = list(rows)
        others.remove(row)
        line = tuple(sorted((*row, die)))
        if len(line) < 3:
            return self.ways(tuple(sorted([*others, line])), token)
        ways, points = self.ways(tuple(others), token), score_row(line, self.wild).score
        return ways[:1] * points + ways[:-points]  # so many points fewer are needed


def chapter(variant: Variant) -> dict[str, object]:
    """One variant in the book: the ways to each target, from 1 up to the highest score."""
    ways = PerfectPlay(variant.wild).ways(token=variant.reroll)
    return {**variant._asdict(), "dice": variant.dice, "ways": ways[1:]}


def book_text(chapters: list[dict[str, object]]) -> str:
    head = {"version": BOOK_VERSION, "game": lite_solo.ID, "rules": lite_solo.VERSION}
    return json.dumps({**head, "variants": chapters}) + "\n"


def main() -> None:
    chapters: list[dict[str, object]] = []
    for variant in VARIANTS:
        sys.stderr.write(f"\r{BOOK.name}: variant {len(chapters) + 1} of {len(VARIANTS)}")
        sys.stderr.flush()
        chapters.append(chapter(variant))
    BOOK.write_text(book_text(chapters), encoding="utf-8", newline="\n")
    sys.stderr.write("\n")


if __name__ == "__main__":
    main()
