"""Totals worth setting as a goal, for somebody who plays alone: those of the rules, and those that fit the variant.

>>> from dicehall.coach.shut_the_box.coach import targets
>>> [(one.name, one.target) for one in targets(Options())]
[('none', 0), ('even', 54), ('classic', 45), ('strict', 40), ('bold', 33), ('dream', 19)]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Final

from dicehall.coach.distribution import Distribution
from dicehall.coach.targets import CALIBRATED, Doubt, Target, listed
from dicehall.dice import FACES
from dicehall.rules.shut_the_box_tiles import Options, Tiles, all_tiles, can_roll_one_die, legal_combos, round_score

OF_THE_RULES: Final = {"classic": 45, "strict": 40}  # of five golf rounds with nine tiles, and of no other variant
FINE: Final = 10**9  # a chance is told to nine digits


def has_goal(options: Options) -> bool:
    """Whether a run alone under these options is played for a total, as far as one is set."""
    return options.mode == "rounds" and options.variant != "tournament45out"


def goals(options: Options, totals: Distribution | None, chance: Callable[[int], Fraction]) -> list[Target]:
    """`totals` are those of perfect play for a low one, if they are known, and tell how likely calibrated goals and the
    run's own are; `chance` is the best one to stay within a total, which is a little more and takes longer."""
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
        if options.goal:
            share = max((share for total, share in within if total <= options.goal), default=Fraction(0))
            found.append(_target("own", options.goal, False, share))
    return listed(found, lower_is_better=True)


def _target(name: str, goal: int, calibrated: bool, chance: Fraction) -> Target:
    return Target(name, goal, calibrated, round(chance * FINE), FINE)


def doubt(options: Options, seats: int, totals: Callable[[], Distribution | None]) -> Doubt | None:
    """Whether the goal of a run alone is out of reach, or reached by whatever is played. `totals` are those of perfect
    play for a low one, if they are known.

    >>> from dicehall.coach.shut_the_box.coach import doubt
    >>> doubt(Options(variant="alwaysSumDuo", goal=3), 1)
    Doubt(code='goal-too-low', limit=5, option='goal', instead=143)
    >>> doubt(Options(goal=300), 1)
    Doubt(code='goal-sure', limit=215, option='goal', instead=54)
    """
    threshold = options.mode == "threshold"
    option = "threshold" if threshold else "goal"
    goal = options.threshold if threshold else options.goal
    if seats > 1 or not (threshold or (has_goal(options) and goal)):
        return None
    rounds = 1 if threshold or not options.per_round_scoring else options.rounds
    best, worst = (rounds * score for score in _bounds(replace(options, rounds=1, goal=0, threshold=0)))
    if best <= goal < worst:
        return None
    most = next(one.metadata["values"][-1] for one in fields(options) if one.name == option)
    instead = min(_even(totals(), best if threshold else 0), most)
    return Doubt("goal-too-low", best, option, instead) if goal < best else Doubt("goal-sure", worst, option, instead)


def _even(totals: Distribution | None, unknown: int) -> int:
    """The total that every other run of perfect play stays within."""
    if totals is None:
        return unknown
    within = zip(totals.shares, accumulate(totals.shares.values()), strict=True)
    return next(total for total, share in within if share * CALIBRATED["even"] >= 1)


@lru_cache(maxsize=16)
def _bounds(options: Options) -> tuple[int, int]:
    """The lowest and the highest score with which a round can end, whatever is rolled and shut."""
    ends, seen, ahead = [], set[Tiles](), [all_tiles(options)]
    while ahead:
        now = ahead.pop()
        fits = [legal_combos(now, dice, options) for dice in _rolls(now, options)]
        if not now or not all(fits):
            ends.append(round_score(now, options.scored_by))
        then = {tuple(tile for tile in now if tile not in combo) for combos in fits for combo in combos}
        ahead += then - seen
        seen |= then
    return min(ends), max(ends)


def _rolls(tiles: Tiles, options: Options) -> list[tuple[int, ...]]:
    """Every roll that may come here; by their sums, which is what counts."""
    one = can_roll_one_die(tiles, options)
    two = [] if one and options.one_die == "forced" else [(first, second) for first in FACES for second in FACES]
    return [*two, *(((face,) for face in FACES) if one else ())]
