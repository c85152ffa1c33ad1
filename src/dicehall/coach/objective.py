"""What a game can be played for, as a value that says all about itself: what its numbers count, which end of them is
the good one, how far to trust them.

Those of a game stand in one table, in `coach/<game>/coach.py`. As a text, an objective is what the command line takes
and prints. Texts are read where they come in (`dicehall.coach.protocol.read_objective`), and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

Unit = Literal["chance", "points", "tiles", "turns", "rounds"]
Scope = Literal["turn", "round", "run"]
# How far to trust the values: to the last digit; to the digits that their module names; as judgements, which are a
# little off in the middle of a game, and at its start as `start` says.
Certainty = Literal["exact", "close", "judged"]


@dataclass(frozen=True, slots=True)
class Objective:
    """What is played for in a game."""

    game: str  # its id
    text: str  # turn, golf<=12; in the table of a game golf<=N, where N stands for any limit
    unit: Unit  # what the values count; chances lie between 0 and 1
    scope: Scope = "run"  # what one value is about; those of turns and rounds add up over a run
    lower_is_better: bool = False
    certainty: Certainty = "exact"
    shared: int | None = None  # what the values of two seats add up to; None where a seat's value is its own
    seats: int | None = None  # how many play for it; None: as many as the game usually has
    playable: bool = True  # whether a move can change it
    limit: int | None = None  # the N of golf<=N
    name: str = ""  # the text without the limit: turn, golf<=, target
    digits: int = 12  # of a value, that mean something
    start: Certainty | None = None  # how far to trust the value of a game that has not begun; None: as of any other

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.text.removesuffix("N").removesuffix(":"))

    def __str__(self) -> str:
        return self.text

    @property
    def chance(self) -> bool:
        return self.unit == "chance"

    @property
    def certainty_at_start(self) -> Certainty:
        """Of the value of a game that has not begun."""
        return self.start or self.certainty

    @property
    def takes_limit(self) -> bool:
        """Whether this stands in a table for all of its kind: golf<=N."""
        return self.text.endswith("N")

    def with_limit(self, limit: int) -> Objective:
        return replace(self, text=f"{self.text.removesuffix('N')}{limit}", limit=limit)


class Ranking(NamedTuple):
    """What boards compare runs by."""

    objective: Objective
    times: int  # that it comes in a run


def find_objective(table: Iterable[Objective], text: str, digits: int) -> Objective | None:
    """The objective of a game's table that a text names, with a limit of at most `digits` digits."""
    for one in table:
        if one.text == text and not one.takes_limit:
            return one
        stem = one.text.removesuffix("N")
        number = text.removeprefix(stem)
        if one.takes_limit and number != text and number.isascii() and number.isdecimal() and len(number) <= digits:
            return one.with_limit(int(number))
    return None
