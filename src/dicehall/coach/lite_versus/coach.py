"""What is known of Knucklebones-lite versus.

    win     the chance of the seat to move to win against perfect play, a draw counting one half

Solved for rows alone; `values` says how exactly.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from dicehall.coach.chart import Chart, no_chart
from dicehall.coach.distribution import Distribution, not_known
from dicehall.coach.lite_solo.coach import SCORE
from dicehall.coach.lite_solo.reason import cell_reason
from dicehall.coach.lite_versus.foresight import foresight as foresight
from dicehall.coach.lite_versus.values import HIGHEST, Play, Values, perfect_play
from dicehall.coach.objective import Objective, Ranking
from dicehall.coach.protocol import StepValues
from dicehall.coach.reason import Reason
from dicehall.coach.targets import Doubt, Target
from dicehall.errors import InvalidOption, excerpt
from dicehall.rules.lite_versus import ID, Options, State

WIN: Final = Objective(ID, "win", "chance", certainty="judged", shared=1, start="exact")
OBJECTIVES: Final = (WIN,)
TARGET_OPTION: Final = None
OPTIONS: Final = (
    "columns",  # refused
    "reroll",
    "wild",
    "tiebreak",  # the sum of the middle row is refused
    "first",  # a position says whose turn it is; `odds` turns the value of the start to seat 0
)
recommended: Final = None


def read_objective(text: str) -> Objective:
    if text != WIN.text:
        raise InvalidOption("objective", f"lite-versus has the objective win, not {excerpt(text)}")
    return WIN


def objectives(options: Options, seats: int | None) -> list[Objective]:
    return [WIN]


def intended(options: Options, seats: int) -> Objective:
    return WIN


def ranked_by(options: Options, seats: int) -> Ranking:
    """The points on one's own board, which the other seat cannot touch: a run of lite solo."""
    return Ranking(SCORE, 1)


def values(options: Options, seats: int, objective: Objective) -> Values:
    return _play(options).value


def step_values(options: Options, seats: int, objective: Objective) -> StepValues:
    """To the seat that had the move before, or to seat 0 while nobody has been drawn."""
    play = _play(options)

    def value(before: State, now: State) -> Fraction:
        if before.die:
            return play.moved(before, now)
        return play.value(now) if now.seat == max(before.seat, 0) else 1 - play.value(now)

    return value


def _play(options: Options) -> Play:
    if options.columns:
        raise InvalidOption("objective", "lite-versus with columns has too many positions; it is solved for rows alone")
    if options.tiebreak not in ("none", HIGHEST):
        raise InvalidOption("objective", f"lite-versus is not solved with the tie-breaker {options.tiebreak}")
    return perfect_play(options.wild, options.reroll, options.tiebreak == HIGHEST)


def distribution(options: Options, objective: Objective) -> Distribution:
    raise not_known(objective)


def percentile(options: Options, objective: Objective, result: Fraction | int) -> Fraction:
    raise not_known(objective)


def chart(options: Options, objective: Objective | None) -> Chart:
    raise no_chart(ID)


def reason(state: State, better: int, other: int) -> Reason:
    """By one's own board: the other seat cannot touch it."""
    return cell_reason(state.options, state.boards[state.seat], state.die, better, other)


def targets(options: Options) -> list[Target]:
    return []


def doubt(options: Options, seats: int) -> Doubt | None:
    return None
