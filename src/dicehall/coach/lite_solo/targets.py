"""How likely a target is in Knucklebones-lite, for somebody who plays perfectly for it; and targets worth setting.

>>> from dicehall.rules.lite_solo import Options
>>> chance(Options(), 90)
(1085322, 10077696)
>>> [(rung.name, rung.target) for rung in ladder(Options())]
[('even', 65), ('bold', 90), ('dream', 111)]
"""

from __future__ import annotations

from functools import lru_cache
from itertools import count, takewhile

from dicehall.coach.lite_solo.reason import most_points
from dicehall.coach.lite_solo.values import PerfectPlay
from dicehall.coach.targets import CALIBRATED, Doubt, Target, listed
from dicehall.rules.lite_grid import EMPTY
from dicehall.rules.lite_solo import PRESETS, Options, start


def chance(options: Options, target: int) -> tuple[int, int]:
    """The best chance, before the first roll, to score `target` or more: (ways, of)."""
    empty = start(options, seats=1)
    ways = PerfectPlay(options.columns, options.wild, target).ways(empty.board, empty.token)
    return ways, 6 ** (empty.board.count(0) + empty.token)


def targets(options: Options) -> list[Target]:
    """Those of the rules, those calibrated for this variant, and the run's own where it is another.

    >>> [(one.name, one.target) for one in targets(Options(target=77))]
    [('none', 0), ('even', 65), ('own', 77), ('bronze', 90), ('dream', 111), ('silver', 120), ('gold', 150)]
    """
    given = {name: int(preset["target"]) for name, preset in PRESETS.items()}
    named = [Target(name, target, False, *chance(options, target)) for name, target in given.items()] + ladder(options)
    own = [Target("own", options.target, False, *chance(options, options.target))] if options.target else []
    return listed([*named, *own])


def doubt(options: Options, seats: int) -> Doubt | None:
    """Whether the target is beyond a board of the best dice.

    >>> doubt(Options(target=1000), 1)
    Doubt(code='target-too-high', limit=162, option='target', instead=65)
    """
    most = most_points(options, EMPTY)
    return Doubt("target-too-high", most, "target", ladder(options)[0].target) if options.target > most else None


def ladder(options: Options) -> list[Target]:
    """Targets calibrated for this variant, the easiest first: the highest that are as likely as their names say."""
    return _ladder(options.columns, options.reroll, options.wild)


@lru_cache(maxsize=12)
def _ladder(columns: bool, reroll: bool, wild: str) -> list[Target]:
    options = Options(columns=columns, reroll=reroll, wild=wild)
    # A higher target is never likelier, so all that are likely enough come first.
    rarest = max(CALIBRATED.values())
    likely = list(takewhile(lambda odds: odds[0] * rarest >= odds[1], (chance(options, n) for n in count(1))))
    rungs = []
    for name, once_in in CALIBRATED.items():
        target = sum(ways * once_in >= of for ways, of in likely)
        rungs.append(Target(name, target, True, *likely[target - 1]))
    return rungs
