"""What perfect play ends with: how often each result, and how a run of one's own compares.

    lite-solo      score                       every variant; exact, from a book
    shut-the-box   golf, digital, missionary   all rounds of a run added up, each played for that scoring; exact
                                               (several rounds of digital have only a `percentile`, nearly)
                   rounds, turns               the tournament and the long game; nearly
    farkle         arcade, turn                all points of `max_turns` turns; one turn is exact, several are nearly
                   turns                       whatever is solved; nearly, from a book

Between equally good moves the first one is taken in the order in which the game lists them: the one that `advise` puts
first. For a chance (a target, a win, a race) a run ends with 1 or 0, and there is nothing to compare.

>>> from dicehall.rules.catalog import GAMES
>>> game = GAMES["lite-solo"]
>>> known = find_distribution(game, game.make_options({}), 1, "score")
>>> known.ways[90], known.of, percentile(game, game.make_options({}), 1, "score", 90)
(104828, 10077696, Fraction(9159761, 10077696))
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from dicehall.coach.distribution import Distribution
from dicehall.coach.objective import Objective
from dicehall.coach.protocol import coach_of, read_objective
from dicehall.errors import InvalidOption
from dicehall.play.record import Record
from dicehall.rules.catalog import AnyGame
from dicehall.rules.options import Options

if TYPE_CHECKING:
    from dicehall.coach.report import Report


class Standing(NamedTuple):
    """Where a finished run stands among perfect ones."""

    worse: Fraction  # the share of them that does worse
    equal: Fraction  # the share that does equally well; nothing where results are too many to list, and each is rare


@lru_cache(maxsize=32)
def find_distribution(game: AnyGame, options: Options, seats: int, objective: str | Objective) -> Distribution:
    """InvalidOption with the reason where that is not known."""
    coach, objective = coach_of(game), read_objective(game, objective)
    coach.values(options, seats, objective)  # what is not even worth anything is refused there
    return coach.distribution(options, objective)


def percentile(
    game: AnyGame, options: Options, seats: int, objective: str | Objective, result: Fraction | int
) -> Fraction | None:
    """The share of perfect runs that do worse than `result`, and half of those that do equally well; None where that is
    not known."""
    coach, objective = coach_of(game), read_objective(game, objective)
    try:
        coach.values(options, seats, objective)
        return coach.percentile(options, objective, result)
    except InvalidOption:
        return None


def standing(record: Record, told: Report) -> Standing | None:
    """Of the run that is told of; None where the report compares it with nothing."""
    if told.compared is None:
        return None
    objective, result, place = told.compared
    try:
        shares = find_distribution(record.find_game(), record.options, len(record.seats), objective).shares
    except InvalidOption:
        shares = {}
    equal = next((share for other, share in shares.items() if other == result), Fraction(0))
    return Standing(place - Fraction(equal, 2), equal)
