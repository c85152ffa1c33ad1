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
from typing import Final, NamedTuple

from dicehall.coach.lite_solo.values import PerfectPlay
from dicehall.rules.lite_solo import Options, start

# Perfect play reaches a calibrated target about once in as many runs, whatever the variant. Bronze, silver and gold are
# the targets of the rules, the same in every variant.
CALIBRATED: Final = {"even": 2, "bold": 10, "dream": 100}


class Rung(NamedTuple):
    name: str
    target: int
    ways: int
    of: int


def chance(options: Options, target: int) -> tuple[int, int]:
    """The best chance, before the first roll, to score `target` or more: (ways, of)."""
    empty = start(options, seats=1)
    ways = PerfectPlay(options.columns, options.wild, target).ways(empty.board, empty.token)
    return ways, 6 ** (empty.board.count(0) + empty.token)


def ladder(options: Options) -> list[Rung]:
    """Targets calibrated for this variant, the easiest first: the highest that are as likely as their names say."""
    return _ladder(options.columns, options.reroll, options.wild)


@lru_cache(maxsize=12)
def _ladder(columns: bool, reroll: bool, wild: str) -> list[Rung]:
    options = Options(columns=columns, reroll=reroll, wild=wild)
    # A higher target is never likelier, so all that are likely enough come first.
    rarest = max(CALIBRATED.values())
    likely = list(takewhile(lambda odds: odds[0] * rarest >= odds[1], (chance(options, n) for n in count(1))))
    rungs = []
    for name, once_in in CALIBRATED.items():
        target = sum(ways * once_in >= of for ways, of in likely)
        rungs.append(Rung(name, target, *likely[target - 1]))
    return rungs
