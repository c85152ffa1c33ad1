"""What every position of classic Knucklebones is worth: the chance to win, a draw counting one half.

All follows from what a placement leaves to the other seat. That is looked up in a file in which `dicehall solve
knucklebones` has solved every position, where the cache holds one (`dicehall.coach.knucklebones.table`), and is judged
by the packaged network everywhere else (`dicehall.coach.knucklebones.network`). After a roll a position is worth its
best placement, and before the roll the mean of that over the six dice: so the luck of a roll is nothing on average,
however far the judgements are off. The network sees a die further before a roll than after the placement that led
there; what that changes is nobody's doing, and a report tells it apart.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, NamedTuple

from dicehall.coach.cache import cache_folder
from dicehall.coach.knucklebones import network
from dicehall.coach.knucklebones.pairs import COLUMNS, NO_MOVE, index, pairs
from dicehall.coach.knucklebones.table import ONE, WIN_DRAW_HALF, Table
from dicehall.dice import FACES
from dicehall.errors import InvalidOption
from dicehall.rules.knucklebones import SLOTS, State, score_grid
from dicehall.rules.two_seats import UNDRAWN

FILE: Final = "knucklebones-solved.bin"  # in the cache
KEPT: Final = 5_000

Pairs = tuple[int, int, int]


class Source(NamedTuple):
    """Where it is known what a placement leaves to the other seat."""

    left: Callable[[int, int, int], int]  # of three pairs, seen by the seat that has placed; of `whole`
    whole: int


def is_solved() -> bool:
    """Whether there is a file with every position."""
    return solved_file() is not None


@cache
def solved_file() -> Table | None:
    """The file in the cache; None where there is none, or not a whole one of this game. It is looked for once: a file
    that is put there later counts for processes that begin later."""
    try:
        table = Table(f"{cache_folder()}/{FILE}")
    except (InvalidOption, OSError, ValueError):  # as the last two, when it cannot be mapped into memory
        return None
    whole = table.about["settled"] and (table.columns, table.about["objective"]) == (COLUMNS, WIN_DRAW_HALF)
    return table if whole else None


@cache
def source() -> Source:
    table = solved_file()
    if table is None:
        return Source(network.left, network.WHOLE)
    return Source(lambda a, b, c: table.at(index(a, b, c)), ONE)


def win(state: State) -> Fraction:
    """To the seat to move: before a roll, after it, or at the end. Half while nobody has been drawn."""
    if state.seat == UNDRAWN:
        return Fraction(1, 2)
    if is_over(state):
        return ended(state)
    here = seen(state)
    if state.die:
        return 1 - Fraction(least(here)[state.die - 1], source().whole)
    return 1 - Fraction(sum(least(here)), len(FACES) * source().whole)


def placed(state: State) -> Fraction:
    """To the seat that has just placed a die, which led to `state`."""
    if is_over(state):
        return 1 - ended(state)
    a, b, c = seen(state)
    turned = pairs().turned
    return 1 - Fraction(source().left(turned[a], turned[b], turned[c]), source().whole)


@lru_cache(KEPT)
def least(here: Pairs) -> list[int]:
    """By die: what the best placement leaves to the other seat. The pairs are seen by the seat that rolls."""
    a, b, c = here
    left, after = source().left, pairs().after
    found = []
    for to_a, to_b, to_c in zip(after[a], after[b], after[c], strict=True):
        then = [left(to_a, b, c)] if to_a != NO_MOVE else []
        if to_b != NO_MOVE and b != a:
            then.append(left(a, to_b, c))
        if to_c != NO_MOVE and c != b:
            then.append(left(a, b, to_c))
        found.append(min(then))
    return found


def seen(state: State) -> Pairs:
    """The three pairs, by the seat that rolls."""
    place = pairs().place
    grids = zip(state.grids[state.seat], state.grids[1 - state.seat], strict=True)
    a, b, c = sorted(place[tuple(sorted(mine)), tuple(sorted(theirs))] for mine, theirs in grids)
    return a, b, c


def is_over(state: State) -> bool:
    """Whether the other seat has just placed the last die."""
    return all(len(column) == SLOTS for column in state.grids[1 - state.seat])


def ended(state: State) -> Fraction:
    lead = score_grid(state.grids[state.seat]) - score_grid(state.grids[1 - state.seat])
    return Fraction(1 if lead > 0 else 0) if lead else Fraction(1, 2)
