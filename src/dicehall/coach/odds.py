"""What a game can be played for, and what becomes of the odds when a rule is changed.

>>> from dicehall.rules.catalog import GAMES
>>> game = GAMES["farkle"]
>>> objectives(game, game.make_options({}), 1)
['turn', 'turns', 'farkle:1', 'farkle:2', 'farkle:3', 'farkle:4', 'farkle:5', 'farkle:6']
>>> row = compare(game, game.make_options({"three_pairs": True}))[-1]
>>> row.objective, row.usual, row.changed, row.difference
('farkle:6', Fraction(5, 162), Fraction(5, 216), Fraction(-5, 648))
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple

from dicehall.coach.advise import certainty, worth
from dicehall.errors import InvalidOption
from dicehall.rules import lite_solo
from dicehall.rules.box_tiles import Options as BoxOptions
from dicehall.rules.catalog import AnyGame
from dicehall.rules.farkle_scoring import Options as FarkleOptions
from dicehall.rules.options import Options

RACERS: Final = 2  # a race is solved for so many
DICE: Final = range(1, 7)
Lack = Literal["unsolved", "no-goal"]  # why an objective has no odds


class Row(NamedTuple):
    """One objective under the usual rules and under changed ones; None where it is not solved, or means nothing."""

    objective: str
    usual: Fraction | None
    changed: Fraction | None

    @property
    def difference(self) -> Fraction | None:
        return None if self.usual is None or self.changed is None else self.changed - self.usual


def objectives(game: AnyGame, options: Options, seats: int | None = None) -> list[str]:
    """What so many (None: any number) can play for under these options. Some of them may not be solved."""
    return LISTS[game.id](options, seats)


def solved(game: AnyGame, options: Options, seats: int, objective: str) -> bool:
    try:
        worth(game, options, seats, objective)
    except InvalidOption:
        return False
    return True


def odds(game: AnyGame, options: Options, objective: str) -> Fraction | None:
    """What the start is worth, to the usual number of seats; None where that is not solved."""
    try:
        seats = game.check_seats(options, RACERS if objective == "race" else None)
        value = worth(game, options, seats, objective)
    except InvalidOption:
        return None
    return None if certainty(game, objective) == "search" else value(game.begin(options, seats))


def lack(game: AnyGame, options: Options, objective: str) -> Lack:
    """Why there are no odds: nobody has solved that here, or nobody can play for it under these options."""
    return "unsolved" if objective in objectives(game, options) else "no-goal"


def compare(game: AnyGame, options: Options) -> list[Row]:
    """Every objective that the usual rules or the changed ones have, under both."""
    usual = game.make_options({})
    named = dict.fromkeys([*objectives(game, options), *objectives(game, usual)])
    return [Row(name, odds(game, usual, name), odds(game, options, name)) for name in named]


def _lite_solo(options: lite_solo.Options, seats: int | None) -> list[str]:
    usual = [preset["target"] for preset in lite_solo.PRESETS.values()]
    targets = sorted({*usual, options.target or usual[0]})
    return ["score", *[f"target:{target}" for target in targets]]


def _farkle(options: FarkleOptions, seats: int | None) -> list[str]:
    alone = ["arcade" if options.max_turns else "turns"] if seats in (1, None) else []
    race = ["race"] if seats in (RACERS, None) and not options.max_turns else []
    return ["turn", *alone, *race, *[f"farkle:{dice}" for dice in DICE]]


def _box(options: BoxOptions, seats: int | None) -> list[str]:
    alone = seats in (1, None)
    if options.mode == "long":
        return ["turns"] if alone else []
    found = ["golf", "digital", "missionary", "shut"]
    if seats is None:  # whoever compares rules wants to see it; at a table it is winning, or another game
        found.append(f"golf<={options.threshold}")
    if options.variant == "tournament45out":
        return [*found, "rounds"] if alone else found
    to_win = options.instant or options.mode == "threshold" or options.goal
    return [*found, "win"] if alone and to_win else found


LISTS: Final[dict[str, Callable[[Any, int | None], list[str]]]] = {
    "lite-solo": _lite_solo,
    "lite-versus": lambda options, seats: ["win"],
    "farkle": _farkle,
    "shut-the-box": _box,
    "knucklebones": lambda options, seats: ["lead"],  # a search: it has no odds
}
