"""The chart of Knucklebones-lite solo as plain data: what perfect play for the score ends with, and the targets."""

from __future__ import annotations

from fractions import Fraction

from dicehall.coach.chart import ChartTarget
from dicehall.coach.distribution import Distribution
from dicehall.coach.lite_solo.targets import chance, ladder
from dicehall.rules.lite_solo import Options


def chart_targets(options: Options, scores: Distribution) -> list[ChartTarget]:
    """The calibrated targets and the run's own, among the scores of perfect play."""
    targets = {rung.target: rung.name for rung in ladder(options)}
    if options.target:
        targets.setdefault(options.target, "target")
    return [
        ChartTarget(
            targets[target],
            target,
            Fraction(*chance(options, target)),
            sum((share for score, share in scores.shares.items() if score >= target), Fraction(0)),
        )
        for target in sorted(targets)
    ]
