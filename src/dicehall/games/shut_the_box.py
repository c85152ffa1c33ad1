"""All that the hall has for Shut the Box, beside its rules: see `hall_game.py`."""

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
DAILY: Final[Mapping[str, OptionValue]] = {}


def play() -> GamePlay:
    from dicehall.play import shut_the_box

    return shut_the_box


def coach() -> Coach:
    from dicehall.coach.shut_the_box import coach

    return coach


def bots() -> GameBots:
    from dicehall.bots import shut_the_box

    return shut_the_box


def terminal() -> GameTerminal:
    from dicehall.terminal import shut_the_box

    return shut_the_box


def solver() -> Solver:
    from dicehall.solve import shut_the_box_book
    from dicehall.solve.command import Solver

    return Solver(shut_the_box_book.books)
