"""All that the hall has for Farkle, beside its rules: see `hall_game.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from dicehall.rules.options import OptionValue

if TYPE_CHECKING:
    from dicehall.bots.protocol import GameBots
    from dicehall.coach.protocol import Coach
    from dicehall.play.protocol import GamePlay
    from dicehall.solve.command import Solver
    from dicehall.terminal.protocol import GameTerminal

OPPONENTS: Final[tuple[str, ...]] = ()
DAILY: Final[Mapping[str, OptionValue]] = {"preset": "arcade"}


def play() -> GamePlay:
    from dicehall.play import farkle

    return farkle


def coach() -> Coach:
    from dicehall.coach.farkle import coach

    return coach


def bots() -> GameBots:
    from dicehall.bots import farkle

    return farkle


def terminal() -> GameTerminal:
    from dicehall.terminal import farkle

    return farkle


def solver() -> Solver:
    from dicehall.solve import farkle_books
    from dicehall.solve.command import Solver

    return Solver(farkle_books.books, books_for=farkle_books.books_for)
