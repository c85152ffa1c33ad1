"""What is known of classic Knucklebones.

    win     the chance of the seat to move to win against perfect play, a draw counting one half

`values` says from what, and how exactly.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from dicehall.coach.chart import Chart
from dicehall.coach.distribution import Distribution, not_known
from dicehall.coach.knucklebones.chart import lead_worths
from dicehall.coach.knucklebones.reason import reason as reason
from dicehall.coach.knucklebones.values import is_solved, placed, win
from dicehall.coach.objective import Objective
from dicehall.coach.protocol import StepValues, Values
from dicehall.coach.targets import Doubt, Target
from dicehall.dice import Dice
from dicehall.errors import InvalidOption, excerpt
from dicehall.rules.knucklebones import ID, Options, State

WIN: Final = Objective(
    ID, "win", "chance", certainty="judged", shared=1, digits=6, start="close"
)  # a GPU reckons with 24 bits
SOLVED_WIN: Final = replace(WIN, certainty="close", start=None)  # where a file has every position
OBJECTIVES: Final = (WIN,)
TARGET_OPTION: Final = None
OPTIONS: Final = ("first",)  # a position says whose turn it is; `odds` turns the value of the start to seat 0
recommended: Final = None


def read_objective(text: str) -> Objective:
    if text != WIN.text:
        raise InvalidOption("objective", f"knucklebones has the objective win, not {excerpt(text)}")
    return SOLVED_WIN if is_solved() else WIN


def objectives(options: Options, seats: int | None) -> list[Objective]:
    return [read_objective(WIN.text)]


def intended(options: Options, seats: int) -> Objective:
    return read_objective(WIN.text)


def ranked_by(options: Options, seats: int) -> None:
    return None


def values(options: Options, seats: int, objective: Objective) -> Values:
    return win


def step_values(options: Options, seats: int, objective: Objective) -> StepValues:
    """To the seat that could choose before, or to seat 0 while nobody has been drawn."""

    def value(before: State, now: State) -> Fraction:
        if before.die:
            return placed(now)
        return win(now) if now.seat == max(before.seat, 0) else 1 - win(now)

    return value


def distribution(options: Options, objective: Objective) -> Distribution:
    raise not_known(objective)


def percentile(options: Options, objective: Objective, result: Fraction | int) -> Fraction:
    raise not_known(objective)


def foresight(options: Options, seats: int, seat: int, source: Dice) -> None:
    return None


def chart(options: Options, objective: Objective | None) -> Chart:
    return lead_worths(objective or read_objective(WIN.text))


def targets(options: Options) -> list[Target]:
    return []


def doubt(options: Options, seats: int) -> Doubt | None:
    return None
