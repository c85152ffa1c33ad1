"""What perfect play ends with: how often each result, and how a run of one's own compares.

    lite-solo      score                       every variant; exact, from a book
    shut-the-box   golf, digital, missionary   all rounds of a run added up, each played for that scoring; exact
                                               (several rounds of digital have only a `standing`, nearly)
                   rounds, turns               the tournament and the long game; nearly
    farkle         arcade, turn                all points of `max_turns` turns; one turn is exact, several are nearly
                   turns                       whatever is solved; nearly, from a book

Between equally good moves the first one is taken in the order in which the game lists them: the one that `advise` puts
first. For a chance (a target, a win, a race) a run ends with 1 or 0, and there is nothing to compare.

>>> from dicehall.rules.catalog import GAMES
>>> game = GAMES["lite-solo"]
>>> known = results(game, game.make_options({}), 1, "score")
>>> known.ways[90], known.of, percentile(known, 90, lower=False)
(104828, 10077696, Fraction(9159761, 10077696))
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from dicehall.coach.advise import less_is_better, worth
from dicehall.coach.distribution import Results
from dicehall.coach.farkle import distribution as farkle
from dicehall.coach.lite_solo import distribution as lite_solo
from dicehall.coach.shut_the_box import distribution as box
from dicehall.errors import InvalidOption
from dicehall.rules.box_tiles import Options as BoxOptions
from dicehall.rules.catalog import AnyGame
from dicehall.rules.options import Options

FINDERS: Final[dict[str, dict[str, Callable[[Any, str], Results]]]] = {
    "lite-solo": {"score": lite_solo.score_results},
    "shut-the-box": {
        **dict.fromkeys(("golf", "digital", "missionary"), box.score_results),
        "rounds": box.rounds_results,
        "turns": box.turns_results,
    },
    "farkle": {"turns": farkle.turns_results, "arcade": farkle.points_results, "turn": farkle.points_results},
}


def results(game: AnyGame, options: Options, seats: int, objective: str) -> Results | None:
    """None where that is not known; `find_results` tells why."""
    try:
        return find_results(game, options, seats, objective)
    except InvalidOption:
        return None


@lru_cache(maxsize=32)
def find_results(game: AnyGame, options: Options, seats: int, objective: str) -> Results:
    """The same, or InvalidOption with the reason."""
    worth(game, options, seats, objective)  # what is not even worth anything is refused there
    if game.id in FINDERS and objective in FINDERS[game.id]:
        return FINDERS[game.id][objective](options, objective)
    raise InvalidOption("objective", f"how often {game.id} ends with what is not known for {objective}")


def standing(game: AnyGame, options: Options, seats: int, objective: str, result: Fraction | int) -> Fraction | None:
    """How a run that ended with this compares with perfect play: its percentile; None where that is not known."""
    known = results(game, options, seats, objective)
    if known:
        return percentile(known, result, less_is_better(game, objective))
    try:
        worth(game, options, seats, objective)
        if isinstance(options, BoxOptions) and objective == "digital":
            return 1 - box.digital_place(options, int(result))[0]
    except InvalidOption:
        pass
    return None


def percentile(known: Results, result: Fraction | int, lower: bool) -> Fraction:
    """The share of perfect runs that do worse, and half of those that do equally well. `lower`: less is better."""
    worse = sum(ways for other, ways in known.ways.items() if (other > result if lower else other < result))
    equal = sum(ways for other, ways in known.ways.items() if other == result)
    return Fraction(2 * worse + equal, 2 * known.of)
