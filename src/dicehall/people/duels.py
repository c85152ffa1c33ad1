"""Several people play the same dice, each their own board: what each may be shown of the others, and who is ahead.

Nobody is to learn a die in advance. So of everybody else's board one is shown the newest position that used no more
dice than one has used oneself; whoever watches, what the slowest of those who still play would be shown. Somebody whose
own board is done is shown all there is: no die can help them any more.

>>> ada = [Mark(dice, points, "points", points) for dice, points in [(0, 0), (2, 0), (2, 8), (4, 8), (4, 14)]]
>>> seen(ada, dice=2)
Mark(dice=2, score=8, unit='points', worth=8)
>>> seen(ada, dice=None).score
14
>>> ranks([14, 8, None, 14])
(1, 3, 4, 1)
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from dicehall.errors import InvalidOption, excerpt
from dicehall.play.protocol import find_play
from dicehall.play.record import is_roll, read_roll
from dicehall.rules.catalog import AnyGame

PARTIES: Final = range(2, 11)
COMERS: Final = range(1, 51)  # where they come one after the other
MINUTES: Final = range(1, 181)  # that a duel may last at most; without a limit 0


class Mark(NamedTuple):
    """How a board stood when so many dice had been used; the rest as in `Standing`."""

    dice: int
    score: int
    unit: str
    worth: int


def check_parties(count: int, comers: bool = False) -> None:
    """`comers`: they come one after the other."""
    many = COMERS if comers else PARTIES
    if count not in many:
        raise InvalidOption("parties", f"{many[0]} to {many[-1]} play the same dice, not {excerpt(count)}")


def check_minutes(minutes: int) -> None:
    if minutes and minutes not in MINUTES:
        raise InvalidOption(
            "minutes", f"a time limit is {MINUTES[0]} to {MINUTES[-1]} minutes, or 0 for none, not {excerpt(minutes)}"
        )


def follow(marks: list[Mark], game: AnyGame, begun: Any, steps: Sequence[str], states: Sequence[Any]) -> None:
    """Add to the `marks` of a run what they lack: how it stood as it had `begun`, and after each of its `steps`."""
    standing = find_play(game).standing
    if not marks:
        marks.append(Mark(0, *standing(begun)))
    known = len(marks) - 1
    for step, state in zip(steps[known:], states[known:], strict=True):
        fallen = len(read_roll(step)) if is_roll(step) else 0
        marks.append(Mark(marks[-1].dice + fallen, *standing(state)))


def seen(of: Sequence[Mark], dice: int | None) -> Mark:
    """The newest of these marks that used no more `dice`; with None the newest there is."""
    if dice is None:
        return of[-1]
    return of[bisect_right(of, dice, key=lambda mark: mark.dice) - 1]


def horizon(used: Iterable[int | None]) -> int | None:
    """How many dice somebody who watches may know of: as many as the slowest of those who still play has used. `used`
    is by board, None for one that is done; so is the answer when all are."""
    return min((dice for dice in used if dice is not None), default=None)


def ranks(worths: Sequence[int | None]) -> tuple[int, ...]:
    """Who is where, from 1: those who are worth more come first, equals share a place, and whoever has none (they have
    left) comes after all the others."""
    order = [(worth is None, -(worth or 0)) for worth in worths]
    return tuple(1 + sum(other < mine for other in order) for mine in order)
