"""Who sits at a table when nobody is named, and what a person is called there."""

from __future__ import annotations

from typing import Final

from dicehall.bots.player import RANDOM
from dicehall.rules.catalog import AnyGame

YOU: Final = "you"  # a person at this device; every other seat is a bot, by name
OPPONENTS: Final = {"lite-versus": ("lookahead",), "knucklebones": ("spec",)}


def usual_seats(game: AnyGame) -> tuple[str, ...]:
    """One person, and as many bots as the game needs to begin."""
    return (YOU, *OPPONENTS.get(game.id, (RANDOM,) * (game.seats[0] - 1)))
