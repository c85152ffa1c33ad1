"""All that the hall has for Knucklebones-lite, alone, beside its rules: see `hall_game.py`."""

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
    from dicehall.play import lite

    return lite


def coach() -> Coach:
    from dicehall.coach.lite_solo import coach

    return coach


def bots() -> GameBots:
    from dicehall.bots import lite

    return lite


def terminal() -> GameTerminal:
    from dicehall.terminal import lite

    return lite


def solver() -> Solver:
    from dicehall.solve import lite_results, lite_solo
    from dicehall.solve.command import Solver

    return Solver(lambda: [*lite_solo.books(), *lite_results.books()])
