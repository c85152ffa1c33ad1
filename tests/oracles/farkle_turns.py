"""What a Farkle turn brings when every choice maximises its expected points, and what several turns bring together.

The exact distribution, by backward induction over (turn total, dice to roll). The arcade's medals are read off
it: `python -m tests.oracles.farkle_turns` prints them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache

from dicehall.rules.farkle_scoring import Scoring, keep_points, keeps
from dicehall.rules.game import outcomes

STEP = 50
CEILING = 40_000  # far above the turn total from which every roll loses on average, so that banking is right beyond it
SHARES = {"bronze": 0.5, "silver": 0.2, "gold": 0.05}  # how many of all perfectly played runs reach the medal

Chances = list[float]  # by points / STEP


@cache
def choices(dice: int, rules: Scoring) -> tuple[tuple[float, tuple[tuple[int, int], ...]], ...]:
    """Rolls of `dice` dice, merged where they offer equal choices: probability, each (points, dice left) on offer."""
    merged: Counter[tuple[tuple[int, int], ...]] = Counter()
    for roll, weight in outcomes(dice):
        offers = {(keep_points(keep, rules), (dice - len("".join(keep))) or 6) for keep in keeps(roll, rules)}
        merged[tuple(sorted(offers))] += weight
    return tuple((weight / 6**dice, offers) for offers, weight in merged.items())


def solve(rules: Scoring) -> tuple[dict[tuple[int, int], float], dict[tuple[int, int], bool]]:
    """Expected points of the turn, and whether to roll, for every (turn_total, dice)."""
    value: dict[tuple[int, int], float] = {}
    rolling: dict[tuple[int, int], bool] = {}
    for turn_total in range(CEILING, -STEP, -STEP):
        for dice in range(1, 7):
            roll = sum(
                chance * max(value.get((turn_total + points, left), turn_total + points) for points, left in offers)
                for chance, offers in choices(dice, rules)
                if offers
            )
            rolling[turn_total, dice] = roll > turn_total
            value[turn_total, dice] = max(roll, turn_total)
    return value, rolling


def turn(rules: Scoring) -> Chances:
    """The chance of each turn total."""
    value, rolling = solve(rules)
    assert not any(rolls for (turn_total, _), rolls in rolling.items() if turn_total > CEILING // 2), (
        "the ceiling is too low"
    )
    totals = [0.0] * (2 * CEILING // STEP)
    reach: defaultdict[tuple[int, int], float] = defaultdict(float, {(0, 6): 1.0})
    for turn_total in range(0, CEILING + STEP, STEP):
        for dice in range(6, 0, -1):
            chance = reach.pop((turn_total, dice), 0)
            if not chance:
                continue
            if not rolling[turn_total, dice]:
                totals[turn_total // STEP] += chance
                continue
            for share, offers in choices(dice, rules):
                if not offers:
                    totals[0] += chance * share
                    continue
                points, left = max(
                    offers, key=lambda offer: value.get((turn_total + offer[0], offer[1]), turn_total + offer[0])
                )
                reach[turn_total + points, left] += chance * share
    for (turn_total, _), chance in reach.items():  # beyond the ceiling: banked
        totals[turn_total // STEP] += chance
    return totals


def several(one: Chances, turns: int) -> Chances:
    total = [1.0]
    for _ in range(turns):
        longer = [0.0] * (len(total) + len(one) - 1)
        for points, chance in enumerate(total):
            if chance > 1e-15:
                for more, share in enumerate(one):
                    longer[points + more] += chance * share
        total = longer
    return total


def medals(turns: int, rules: Scoring) -> dict[str, int]:
    """The highest score that at least the given share of runs reaches."""
    chances = several(turn(rules), turns)
    found, left, points = {}, 1.0, 0
    for name, share in SHARES.items():
        while left - chances[points] >= share:
            left -= chances[points]
            points += 1
        found[name] = points * STEP
    return found


if __name__ == "__main__":
    import sys

    for rules in (Scoring(), Scoring(1500, 1500)):
        mean = sum(points * STEP * chance for points, chance in enumerate(turn(rules)))
        sys.stdout.write(f"{rules}: {mean:.3f} points a turn, medals by the number of turns\n")
        sys.stdout.writelines(f"{turns}: {medals(turns, rules)}\n" for turns in range(1, 21))
