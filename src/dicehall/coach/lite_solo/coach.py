"""What is known of Knucklebones-lite solo, for somebody who plays perfectly for one objective. All of it is exact, in
every variant.

    score       the expected score at the end
    target:N    the chance to end with N points or more
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from dicehall.coach.chart import Results, not_drawn
from dicehall.coach.distribution import Distribution, not_known
from dicehall.coach.lite_solo.chart import chart_targets
from dicehall.coach.lite_solo.distribution import score_distribution
from dicehall.coach.lite_solo.foresight import foresight as foresight
from dicehall.coach.lite_solo.reason import cell_reason
from dicehall.coach.lite_solo.targets import doubt as doubt
from dicehall.coach.lite_solo.targets import targets as targets
from dicehall.coach.lite_solo.values import Values, perfect_values
from dicehall.coach.objective import Objective, Ranking, find_objective
from dicehall.coach.protocol import StepValues
from dicehall.coach.reason import Reason
from dicehall.errors import InvalidOption, excerpt
from dicehall.rules.lite_solo import ID, PRESETS, Options, State

SCORE: Final = Objective(ID, "score", "points")
TARGET: Final = Objective(ID, "target:N", "chance")
OBJECTIVES: Final = (SCORE, TARGET)
TARGET_OPTION: Final = "target"
OPTIONS: Final = (
    "columns",
    "reroll",  # the token is part of a position
    "wild",
    "target",  # an objective of its own; the values of the others do not change with it
)
recommended: Final = None
DIGITS: Final = 4  # of a target


def read_objective(text: str) -> Objective:
    found = find_objective(OBJECTIVES, text, DIGITS)
    if found is None:
        raise InvalidOption("objective", f"lite-solo has the objectives score and target:N, not {excerpt(text)}")
    return found


def objectives(options: Options, seats: int | None) -> list[Objective]:
    usual = [int(preset["target"]) for preset in PRESETS.values()]
    return [SCORE, *[TARGET.with_limit(target) for target in sorted({*usual, options.target or usual[0]})]]


def intended(options: Options, seats: int) -> Objective:
    return TARGET.with_limit(options.target) if options.target else SCORE


def ranked_by(options: Options, seats: int) -> Ranking:
    return Ranking(SCORE, 1)


def values(options: Options, seats: int, objective: Objective) -> Values:
    return perfect_values(options.columns, options.wild, objective.limit)


def step_values(options: Options, seats: int, objective: Objective) -> StepValues:
    """No step ends anything but the run."""
    value = values(options, seats, objective)
    return lambda before, now: value(now)


def distribution(options: Options, objective: Objective) -> Distribution:
    if objective != SCORE:
        raise not_known(objective)
    return score_distribution(options)


def percentile(options: Options, objective: Objective, result: Fraction | int) -> Fraction:
    return distribution(options, objective).percentile(result, objective.lower_is_better)


def chart(options: Options, objective: Objective | None) -> Results:
    if objective not in (None, SCORE):
        raise not_drawn(objective, (SCORE,))
    scores = score_distribution(options)
    return Results(SCORE, scores, chart_targets(options, scores))


def reason(state: State, better: int, other: int) -> Reason:
    return cell_reason(state.options, state.board, state.die, better, other)
