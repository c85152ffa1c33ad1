"""All that the hall has for classic Knucklebones, beside its rules: see `hall_game.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from dicehall.rules.options import OptionValue

if TYPE_CHECKING:
    from dicehall.bots.protocol import GameBots
    from dicehall.coach.protocol import Coach
    from dicehall.play.protocol import GamePlay
    from dicehall.terminal.protocol import GameTerminal

OPPONENTS: Final[tuple[str, ...]] = ("spec",)
DAILY: Final[Mapping[str, OptionValue]] = {}


def play() -> GamePlay:
    from dicehall.play import knucklebones

    return knucklebones


def coach() -> Coach:
    from dicehall.coach.knucklebones import coach

    return coach


def bots() -> GameBots:
    from dicehall.bots import knucklebones

    return knucklebones


def terminal() -> GameTerminal:
    from dicehall.terminal import knucklebones

    return knucklebones


solver: Final = None  # nobody has solved it
