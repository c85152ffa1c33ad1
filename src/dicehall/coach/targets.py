"""Results to chase: a target, and how likely it is under perfect play."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

# Perfect play reaches a calibrated target about once in as many runs, whatever the variant. Those of the rules are the
# same in every variant.
CALIBRATED: Final = {"even": 2, "bold": 10, "dream": 100}


class Target(NamedTuple):
    name: str
    target: int  # 0: none
    calibrated: bool  # set from the exact distribution, instead of by the rules
    ways: int  # of `of`: the chance of somebody who plays for it; in Shut the Box a calibrated one's is that of play
    # for few points, which is a little less
    of: int


DoubtCode = Literal["target-too-high", "goal-too-low", "goal-sure", "minimum-too-high"]


class Doubt(NamedTuple):
    """What is set can be played and makes no sense: no run reaches it, or every run does."""

    code: DoubtCode
    limit: int  # the best that can be reached; of a sure goal, the worst
    option: str  # what asks for it
    instead: int  # and what it could be set to


NO_TARGET: Final = Target("none", 0, False, 1, 1)


def listed(found: Iterable[Target], lower_is_better: bool = False) -> list[Target]:
    """As screens offer them: no target, then each result of `found` once, by its first name, the easiest first."""
    once = {one.target: one for one in reversed(list(found))}
    return [NO_TARGET, *(once[target] for target in sorted(once, reverse=lower_is_better))]
