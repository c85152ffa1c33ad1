"""What the start of a game is worth, for all that it can be played for; and what a changed rule makes of it. Where two
share a game, that is the chance of seat 0, whoever begins: of the same one in a report.

>>> from dicehall.rules.catalog import GAMES
>>> game = GAMES["farkle"]
>>> [str(objective) for objective in objectives(game, game.make_options({}), 1)]
['turn', 'turns', 'farkle:1', 'farkle:2', 'farkle:3', 'farkle:4', 'farkle:5', 'farkle:6']
>>> row = compare(game, game.make_options({"three_pairs": True}))[-1]
>>> str(row.objective), row.usual, row.changed, row.difference
('farkle:6', Fraction(5, 162), Fraction(5, 216), Fraction(-5, 648))
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

from dicehall.coach.advise import intended, turn_of, values
from dicehall.coach.objective import Objective
from dicehall.coach.protocol import coach_of, read_objective
from dicehall.errors import InvalidOption
from dicehall.rules.catalog import AnyGame
from dicehall.rules.options import Options

Lack = Literal["unsolved", "no-goal"]  # why an objective has no odds


class Row(NamedTuple):
    """One objective under the usual rules and under changed ones; None where it is not solved, or means nothing."""

    objective: Objective
    usual: Fraction | None
    changed: Fraction | None

    @property
    def difference(self) -> Fraction | None:
        return None if self.usual is None or self.changed is None else self.changed - self.usual


def objectives(game: AnyGame, options: Options, seats: int | None = None) -> list[Objective]:
    """What `seats` seats (None: any number) can play for under these options. Some of it may not be solved."""
    return coach_of(game).objectives(options, seats)


def odds(game: AnyGame, options: Options, objective: str | Objective) -> Fraction | None:
    """What the start is worth to seat 0, for the usual number of seats; None where that is not solved."""
    try:
        return start_value(game, options, objective)[1]
    except InvalidOption:
        return None


def start_value(game: AnyGame, options: Options, asked: str | Objective | None) -> tuple[Objective, Fraction]:
    """What the start is worth to seat 0, whoever begins, for the usual number of seats and the objective that is
    `asked` for or, without one, for what somebody has in mind who plays with these options. InvalidOption where nobody
    has solved that."""
    wanted = None if asked is None else read_objective(game, asked)
    seats = game.check_seats(options, wanted.seats if wanted else None)
    objective = wanted or intended(game, options, seats)
    return objective, value_at_start(game, options, seats, objective)


def value_at_start(game: AnyGame, options: Options, seats: int, objective: Objective) -> Fraction:
    """What the start is worth to seat 0 of `seats`, whoever begins; InvalidOption where nobody has solved that."""
    begun = game.begin(options, seats)
    value = values(game, options, seats, objective)(begun)
    return value if objective.shared is None or turn_of(begun) == 0 else objective.shared - value


def lack(game: AnyGame, options: Options, objective: Objective) -> Lack:
    """Why there are no odds: nobody has solved that here, or nobody can play for it under these options."""
    return "unsolved" if objective in objectives(game, options) else "no-goal"


def compare(game: AnyGame, options: Options) -> list[Row]:
    """Every objective that the usual rules or the changed ones have, under both."""
    usual = game.make_options({})
    either = dict.fromkeys([*objectives(game, options), *objectives(game, usual)])
    return [Row(one, odds(game, usual, one), odds(game, options, one)) for one in either]
