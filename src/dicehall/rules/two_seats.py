"""What the two games for two share: who begins, and who has won."""

from __future__ import annotations

from typing import Final

from dicehall.rules.game import Result
from dicehall.rules.options import choice

UNDRAWN: Final = -1  # a seat that a die has still to decide

FIRST_OPTION: Final[str] = choice(
    "human",
    ("human", "bot", "drawn"),
    "who begins: seat 0 (the human's), seat 1 (the bot's), or a die decides: 1 to 3 seat 0, 4 to 6 seat 1",
)
FIRST_SEAT: Final = {"human": 0, "bot": 1, "drawn": UNDRAWN}


def drawn_seat(die: int) -> int:
    return 0 if die <= 3 else 1


def by_score(totals: tuple[int, int]) -> Result:
    """The higher total wins; equal totals are shared."""
    if totals[0] == totals[1]:
        return Result(totals, (0, 1), "draw")
    return Result(totals, (0,) if totals[0] > totals[1] else (1,), "score")
