"""The chart of Knucklebones-lite solo as plain data: what perfect play for the score ends with, and the targets."""

from __future__ import annotations

from fractions import Fraction

from dicehall.coach.chart import ChartTarget
from dicehall.coach.distribution import Distribution
from dicehall.coach.lite_solo.targets import ladder, targets
from dicehall.rules.lite_solo import Options


def chart_targets(options: Options, scores: Distribution) -> list[ChartTarget]:
    """The calibrated targets and the run's own, among the scores of perfect play; by the names they have everywhere."""
    shown = {rung.target for rung in ladder(options)} | {options.target}
    return [
        ChartTarget(
            one.name,
            one.target,
            Fraction(one.ways, one.of),
            sum((share for score, share in scores.shares.items() if score >= one.target), Fraction(0)),
        )
        for one in targets(options)
        if one.target and one.target in shown
    ]
