"""Random walks over the catalog: options nobody would think of, dice and moves at random. Seeded, so they repeat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import islice
from random import Random
from typing import Any

from dicehall.errors import InvalidOption
from dicehall.rules.catalog import AnyGame
from dicehall.rules.game import DICE, NOBODY
from dicehall.rules.options import OptionValue

# Numbers that keep a random game short enough to walk thousands of them.
SMALL_NUMBERS = {
    "target": (50, 300, 1000),
    "straight_points": (1500, 700),
    "three_pairs_points": (1500, 750),
    "max_turns": (0, 0, 1, 3),
    "board_minimum": (0, 0, 500),
    "bank_minimum": (0, 0, 300),
    "rounds": (1, 2, 5),
    "threshold": (12, 0, 30),
    "goal": (45, 0, 40),
}


def random_options(game: AnyGame, random: Random, *, calm: float = 0.5) -> dict[str, OptionValue]:
    """Some options, away from their defaults; `calm` is the chance of leaving one alone."""
    while True:
        chosen: dict[str, OptionValue] = {}
        for option in fields(game.options):
            if random.random() >= calm or (option.name == "target" and game.id == "farkle"):
                values = SMALL_NUMBERS.get(option.name) or tuple(islice(option.metadata["values"], 1000))
                chosen[option.name] = random.choice(values)
        try:
            game.make_options(chosen)
        except InvalidOption:
            continue  # a combination that contradicts itself
        return chosen


def random_seats(game: AnyGame, options: Any, random: Random) -> int:
    seats: range = game.make_options(options).seats(game.seats)
    return random.choice(seats)


def random_walk(game: AnyGame, random: Random, state: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yields ("roll", dice, new state) and ("move", move, new state) until the game is over."""
    while (actor := game.rules.actor(state)) != NOBODY:
        if actor == DICE:
            dice = tuple(random.randint(1, 6) for _ in range(game.rules.dice_to_roll(state)))
            state = game.rules.rolled(state, dice)
            yield "roll", dice, state
        else:
            move = random.choice(game.rules.legal(state))
            state = game.rules.after(state, move)
            yield "move", move, state
