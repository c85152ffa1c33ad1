"""The best score that anybody could have had who knew all dice of a run in advance: every way to fill the board."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from dicehall.dice import Dice
from dicehall.rules import lite_solo, lite_versus
from dicehall.rules.lite_grid import score_board


def foresight(options: lite_solo.Options, seats: int, seat: int, source: Dice) -> int:
    if not options.reroll:
        return best_board(options, [source.die(place) for place in range(9)])
    dice = [source.die(place) for place in range(10)]  # one of them is rerolled, or the last one never falls
    return max(best_board(options, [*some]) for some in set(combinations(dice, 9)))


def best_board(options: lite_solo.Options | lite_versus.Options, dice: list[int]) -> int:
    """The score of nine dice, each where it is best."""
    return max(score_board(board, options.columns, options.wild) for board in _boards(sorted(dice), options.columns))


def _boards(dice: list[int], columns: bool) -> Iterator[tuple[int, ...]]:
    """Every way to put nine dice into three rows; where columns score too, every order of each row but the first."""
    for first in {(dice[0], dice[a], dice[b]): (a, b) for a, b in combinations(range(1, 9), 2)}.values():
        rest = [die for place, die in enumerate(dice) if place not in (0, *first)]
        top = (dice[0], dice[first[0]], dice[first[1]])
        for a, b in {(rest[a], rest[b]): (a, b) for a, b in combinations(range(1, 6), 2)}.values():
            middle = (rest[0], rest[a], rest[b])
            last = tuple(die for place, die in enumerate(rest) if place not in (0, a, b))
            for two in set(permutations(middle)) if columns else (middle,):
                for three in set(permutations(last)) if columns else (last,):
                    yield (*top, *two, *three)
