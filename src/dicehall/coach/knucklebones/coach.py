"""What is known of classic Knucklebones: nothing for certain. The coach searches; it does not yet read the file in
which `dicehall solve knucklebones --out` keeps what every position is worth.

lead    the expected lead in points, some dice ahead
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from dicehall.coach.chart import Chart, no_chart
from dicehall.coach.distribution import Distribution, not_known
from dicehall.coach.knucklebones.reason import reason as reason
from dicehall.coach.knucklebones.search import lead
from dicehall.coach.objective import Objective
from dicehall.coach.protocol import StepValues, Values
from dicehall.coach.targets import Doubt, Target
from dicehall.dice import Dice
from dicehall.errors import InvalidOption, excerpt
from dicehall.rules.knucklebones import ID, Options

LEAD: Final = Objective(ID, "lead", "points", certainty="search", shared=0)
OBJECTIVES: Final = (LEAD,)
TARGET_OPTION: Final = None
OPTIONS: Final = ("first",)  # changes no value: a position says whose turn it is
recommended: Final = None


def read_objective(text: str) -> Objective:
    if text == "win":
        raise InvalidOption("objective", "nobody has solved knucklebones yet; the coach searches for the lead")
    if text != LEAD.text:
        raise InvalidOption("objective", f"knucklebones has the objective lead, not {excerpt(text)}")
    return LEAD


def objectives(options: Options, seats: int | None) -> list[Objective]:
    return [LEAD]


def intended(options: Options, seats: int) -> Objective:
    """To win, and the lead is the way there."""
    return LEAD


def ranked_by(options: Options, seats: int) -> None:
    return None


def values(options: Options, seats: int, objective: Objective) -> Values:
    return lead


def step_values(options: Options, seats: int, objective: Objective) -> StepValues:
    """To the seat that could choose before, or to seat 0 while nobody has been drawn."""
    return lambda before, now: -lead(now) if now.seat != max(before.seat, 0) else lead(now)


def distribution(options: Options, objective: Objective) -> Distribution:
    raise not_known(objective)


def percentile(options: Options, objective: Objective, result: Fraction | int) -> Fraction:
    raise not_known(objective)


def foresight(options: Options, seats: int, seat: int, source: Dice) -> None:
    return None


def chart(options: Options, objective: Objective | None) -> Chart:
    raise no_chart(ID)


def targets(options: Options) -> list[Target]:
    return []


def doubt(options: Options, seats: int) -> Doubt | None:
    return None
