"""How well somebody plays, by what the moves gave away, whatever the dice did and whoever sat opposite.

The coach's report of a run tells what each choice lost. Put together over somebody's runs that is a mean loss; and
because the levels' losses and their strength are measured, a loss stands for a strength. So skill is told in points
like those of ratings: 2000 is perfect play, and 100 points less are 64% of the wins for the better one. It takes fewer
games than results do, because it has no luck in it but for what there was to decide.

Only choices on which something depended count (those that have a mark in the report). What is averaged is the loss of a
choice, and it is told by the run: that of a run with the usual number of choices. So whoever resigns early, or meets
somebody who does, is measured by the same yard. A newer run counts more; after HALF_LIFE runs one counts half.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from math import log10, sqrt
from typing import Any, Final, NamedTuple

from dicehall.bots.ladder import strengths
from dicehall.coach.report import Report
from dicehall.errors import InvalidOption, excerpt
from dicehall.rules.catalog import find_game

PERFECT: Final = 2000.0
LOWEST: Final = 0.0
HALF_LIFE: Final = 30  # runs
OLDEST: Final = 10 * HALF_LIFE  # runs that count less than a thousandth need not be read
FEWEST_RUNS: Final = 5
WIDEST: Final = 150.0  # points from one end of the interval to the other; more is provisional
NORMAL: Final = 1.959964  # 95% of a bell lie within so many standard deviations
TYPICAL: Final = 3  # the level in the middle


class Run(NamedTuple):
    """What a run's report says of one seat."""

    choices: int  # on which something depended
    lost: float
    squares: float  # the sum of the squares of what each lost


class Loss(NamedTuple):
    """Of a mean choice, with its 95% interval."""

    mean: float
    low: float
    high: float


class Skill(NamedTuple):
    value: float  # points
    low: float
    high: float
    provisional: bool
    loss: Loss  # of a usual run, in the unit of the coach's report: wins, or in Shut the Box points
    runs: int


class Scale(NamedTuple):
    """Of a pool: what a loss stands for."""

    choices: float  # of a usual run
    marks: tuple[tuple[float, float], ...]  # a loss of a usual run, and its points; perfect play first


def run_of(report: Report) -> Run:
    """Of a report of a finished game, for the seat that it is about."""
    own = [moment.lost for moment in report.moments if moment.actor == report.seat and moment.mark]
    return Run(len(own), float(sum(own)), float(sum(lost * lost for lost in own)))


def skill(pool: str, runs: Sequence[Run]) -> Skill | None:
    """By somebody's rated runs in that pool, the newest first; None where there was nothing to decide."""
    told = scale(pool)
    typical = told.marks[-TYPICAL][0] / told.choices
    loss = mean_loss(runs, typical)
    if loss is None:
        return None
    usual = Loss(*(told.choices * part for part in loss))
    low, high = points(pool, usual.high), points(pool, usual.low)
    counted = sum(run.choices > 0 for run in runs[:OLDEST])
    provisional = counted < FEWEST_RUNS or high - low > WIDEST
    return Skill(points(pool, usual.mean), low, high, provisional, usual, counted)


def course(pool: str, runs: Sequence[Run], most: int) -> list[float | None]:
    """The value of the skill after each of the newest `most` runs, the oldest of them first, as long as there was
    nothing to decide None. `runs` has the newest first; those before are weighed, not told."""
    usual, fading = scale(pool).choices, 0.5 ** (1 / HALF_LIFE)
    lost = choices = 0.0
    found: list[float | None] = []
    for run in reversed(runs[: OLDEST + most]):
        lost, choices = fading * lost + run.lost, fading * choices + run.choices
        found.append(points(pool, usual * lost / choices) if choices else None)
    return found[-most:]


def mean_loss(runs: Sequence[Run], typical: float) -> Loss | None:
    """What a choice lost on average, the newest run first; None where there was no choice.

    How uncertain it is, is found twice, and the wider is told: from how much runs differ from each other, and as if
    every choice stood for itself. Both find nothing where nothing was lost yet; so the loss that one more run could
    bring is counted as uncertain, too: `typical`, that of a choice of a player in the middle."""
    weighed = [(0.5 ** (age / HALF_LIFE), run) for age, run in enumerate(runs[:OLDEST]) if run.choices]
    if not weighed:
        return None
    choices = sum(weight * run.choices for weight, run in weighed)
    mean = sum(weight * run.lost for weight, run in weighed) / choices
    spread = sum(weight * run.squares for weight, run in weighed) / choices - mean**2  # of single choices
    by_choices = spread * sum(weight**2 * run.choices for weight, run in weighed)
    by_runs = sum((weight * (run.lost - mean * run.choices)) ** 2 for weight, run in weighed)
    as_many = sum(weight for weight, _ in weighed) ** 2 / sum(weight**2 for weight, _ in weighed)
    free = max(1.0, as_many - 1)
    by_runs *= as_many / free
    one_more = (typical - mean) * choices / as_many
    error = sqrt(max(by_choices, by_runs) + one_more**2) / choices
    wide = error * _widened(free)
    return Loss(mean, max(0.0, mean - wide), mean + wide)


def _widened(free: float) -> float:
    """How many standard errors hold 95%, with so many degrees of freedom: Student's t, by the first terms of its
    expansion."""
    z = NORMAL
    return z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)


def points(pool: str, loss: float) -> float:
    """What a loss of a usual run stands for: straight lines from each measured player to the next, and beyond the last
    one straight on."""
    for (less, upper), (more, lower) in pairwise(scale(pool).marks):
        slope = (lower - upper) / (more - less)
        if loss <= more:
            break
    return max(LOWEST, upper + slope * (loss - less))


@cache
def scale(pool: str) -> Scale:
    """Of the levels as they were measured: their losses, and their strength against perfect play."""
    if pool not in measured():
        raise InvalidOption("pool", f"nobody has measured what is lost in {excerpt(pool)}")
    table = next(one for one in strengths(find_game(pool)) if one["seats"] == 2)
    won = {"perfect": 0.5} | {one["player"]: one["value"] for one in table["levels"]}
    play = measured()[pool]["play"]
    usual = next(one["choices"] for one in play if one["player"] == "perfect")
    marks = [(usual * one["lost"], PERFECT + in_points(won[one["player"]])) for one in play]
    return Scale(usual, tuple(sorted(marks)))


def in_points(share: float) -> float:
    """By how many points somebody is stronger who wins that share."""
    return 400 * log10(share / (1 - share))


@cache
def measured() -> dict[str, Any]:
    """What `python -m dicehall.lab.ratings --measure` has found, by pool."""
    text = resources.files("dicehall.people").joinpath("ratings.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)["pools"]
    return found
