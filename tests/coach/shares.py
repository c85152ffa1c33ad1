"""How often each result comes, as shares of all runs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dicehall.coach.distribution import Distribution
from dicehall.coach.objective import Objective
from dicehall.coach.percentile import find_distribution
from dicehall.rules.catalog import GAMES, AnyGame
from dicehall.rules.game import DICE, NOBODY, outcomes

Shares = dict[int, Fraction]


def known(game_id: str, options: dict[str, Any], objective: str | Objective, seats: int = 1) -> Distribution:
    return find_distribution(GAMES[game_id], GAMES[game_id].make_options(options), seats, objective)


def mixed(parts: list[tuple[int, Shares]]) -> Shares:
    """One of several happens, each so often."""
    total: Shares = {}
    for weight, part in parts:
        for result, share in part.items():
            total[result] = total.get(result, Fraction(0)) + Fraction(weight) * share
    of = sum(weight for weight, _ in parts)
    return {result: share / of for result, share in total.items()}


def mean(part: Shares) -> Fraction:
    return sum((result * share for result, share in part.items()), Fraction(0))


def by_hand(one: Shares, times: int) -> Shares:
    total: Shares = {0: Fraction(1)}
    for _ in range(times):
        more: Shares = {}
        for result, share in total.items():
            for score, chance in one.items():
                more[result + score] = more.get(result + score, Fraction(0)) + share * chance
        total = more
    return total


def literal_ends(
    game: AnyGame, state: Any, key: Callable[[Any], Any], best: Callable[..., Shares], seen: dict[Any, Shares]
) -> Shares:
    """The twin: the literal rules to the end of a run, by the moves of the best mean, the first of equally good ones.
    `key` is what matters of a position."""
    known = key(state)
    if known not in seen:
        who = game.rules.actor(state)
        if who == NOBODY:
            seen[known] = {game.rules.result(state).scores[0]: Fraction(1)}
        elif who == DICE:
            rolls = outcomes(game.rules.dice_to_roll(state))
            seen[known] = mixed(
                [(n, literal_ends(game, game.rules.rolled(state, roll), key, best, seen)) for roll, n in rolls]
            )
        else:
            choices = [
                literal_ends(game, game.rules.after(state, move), key, best, seen) for move in game.rules.legal(state)
            ]
            seen[known] = best(choices, key=mean)
    return seen[known]
