"""How often each result comes, as shares of all runs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dicehall.coach.ends.ways import Results
from dicehall.coach.results import results
from dicehall.rules.catalog import GAMES

Shares = dict[int, Fraction]


def known(game_id: str, options: dict[str, Any], objective: str, seats: int = 1) -> Results:
    found = results(GAMES[game_id], GAMES[game_id].make_options(options), seats, objective)
    assert found is not None
    return found


def shares(found: Results) -> Shares:
    return {result: Fraction(ways, found.of) for result, ways in found.ways.items()}


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
