"""All that the hall has for Knucklebones-lite for two, beside its rules: see `hall_game.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from dicehall.games.lite_solo import bots as bots
from dicehall.games.lite_solo import play as play
from dicehall.games.lite_solo import terminal as terminal
from dicehall.rules.options import OptionValue

if TYPE_CHECKING:
    from dicehall.coach.protocol import Coach
    from dicehall.solve.command import Solver

OPPONENTS: Final[tuple[str, ...]] = ("lookahead",)
DAILY: Final[Mapping[str, OptionValue]] = {}


def coach() -> Coach:
    from dicehall.coach.lite_versus import coach

    return coach


def solver() -> Solver:
    from dicehall.solve import lite_versus, lite_versus_book
    from dicehall.solve.command import Solver

    return Solver(lite_versus_book.books, lite_versus.large_books)
