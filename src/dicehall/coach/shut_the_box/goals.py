"""Totals worth setting as a goal, for somebody who plays alone: those of the rules, and those that fit the variant.

>>> from dicehall.coach.shut_the_box.coach import targets
>>> [(one.name, one.target) for one in targets(Options())]
[('none', 0), ('classic', 45), ('strict', 40), ('even', 54), ('bold', 33), ('dream', 19)]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from typing import Final

from dicehall.coach.distribution import Distribution
from dicehall.coach.targets import CALIBRATED, NO_TARGET, Target
from dicehall.rules.shut_the_box_tiles import Options

OF_THE_RULES: Final = {"classic": 45, "strict": 40}  # of five golf rounds with nine tiles, and of no other variant
FINE: Final = 10**9  # a chance is told to nine digits


def has_goal(options: Options) -> bool:
    """Whether a run alone under these options is played for a total, as far as one is set."""
    return options.mode == "rounds" and options.variant != "tournament45out"


def goals(options: Options, totals: Distribution | None, chance: Callable[[int], Fraction]) -> list[Target]:
    """`totals` are those of perfect play for a low one, if they are known, and tell how likely calibrated goals are;
    `chance` is the best one to stay within a total, which is a little more and takes longer."""
    if not has_goal(options):
        return []
    usual = replace(options, goal=0) == Options(goal=0)
    found = [_target(name, goal, False, chance(goal)) for name, goal in OF_THE_RULES.items()] if usual else []
    if totals is not None:
        within = list(zip(totals.shares, accumulate(totals.shares.values()), strict=True))
        for name, once_in in CALIBRATED.items():
            total, share = next(one for one in within if one[1] * once_in >= 1)
            if total:  # 0 would be none
                found.append(_target(name, total, True, share))
    return [NO_TARGET, *found]


def _target(name: str, goal: int, calibrated: bool, chance: Fraction) -> Target:
    return Target(name, goal, calibrated, round(chance * FINE), FINE)
