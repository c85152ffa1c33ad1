"""Who sits at a table when nobody is named, and what a person is called there."""

from __future__ import annotations

from typing import Final

from dicehall.bots.player import RANDOM
from dicehall.games import find_hall_game
from dicehall.play.record import YOU as YOU  # a person at this device; every other seat is a bot, by name
from dicehall.rules.catalog import AnyGame

PERSON: Final = "person"  # what another person's seat is called on one's own screen, where several play together


def usual_seats(game: AnyGame) -> tuple[str, ...]:
    """One person, and as many bots as the game needs to begin."""
    own = find_hall_game(game.id)
    return (YOU, *(own.opponents if own else (RANDOM,) * (game.seats[0] - 1)))
