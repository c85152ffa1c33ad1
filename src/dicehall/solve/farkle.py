"""Farkle played to the target: the fewest turns alone, and the best chance in a race of two. Builds the coach's books.

Points are counted in steps (see `dicehall.coach.farkle.contest`), and of a seat only the steps that it still needs
matter. Within a turn it is the steps that are still to go, to where banking is right in any case, and the dice left to
roll. Rolls that offer the same choices (steps, dice left) are one class. Of two choices that leave equally many dice
only the one with more points counts: whoever needs less can play as if needing more, and is never worse off. (Not so
with `last_turn`: it can be better to stop short of the target than to reach it and give the other seat its last turn.)

A farkle leads back to where the turn began, so a turn's value depends on itself. For a given value of a farkle one
sweep up from the target finds the best policy, what it gains over a farkle, and how often it is safe, that is, banks.
So until a better policy turns up, the equation is linear:

    alone     turns(n) = 1 + turns(n) - gain                                 one unknown for each n
    a race    win(i, j) = 1 - win(j, i) + gain, and the same for (j, i)      two unknowns for each pair

Solve it, find the best policy for the solution, and again, until nothing changes: two or three rounds. Every policy is
safe now and then, so there is one solution only, and the rounds that stand still have found it.

With `last_turn` whoever reaches the target may do better to go on, because the other seat has one more turn: how good
that is, by what it lacks, is a small table of its own. Its values fall, so there is an end to it: rolling once more
wins at best always, but costs the lead as often as the luckiest dice farkle. Once the other's last turn is worth less
than that, banking is right in any case.

`farkle_results.py` follows the best play of a run alone, `farkle_books.py` puts all tables into books.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final, NamedTuple

import numpy as np
from numba import prange

from dicehall.coach.farkle.contest import Contest
from dicehall.rules.farkle_scoring import Scoring, keep_points, keeps
from dicehall.rules.game import outcomes
from dicehall.solve.compiled import njit

Array = np.ndarray[Any, Any]

STANDSTILL: Final = 1e-13  # where the rounds end: each doubles the digits that are right
ROUNDS: Final = 100  # far more than it ever takes
TO_ROLL: Final = 7  # 0 to 6 dice: the width of a row
HOPELESS: Final = 2.0**-36  # a last turn that is worth less is worth nothing


class Rolls(NamedTuple):
    """Every roll of one to six dice, in classes. Those of n dice are first[n] to first[n + 1]."""

    first: Array
    chance: Array
    choice: Array  # the choices of class c are choice[c] to choice[c + 1]
    back: Array  # how far back, in a flat table of rows by steps needed, the position lies that a choice leads to
    farkle: Array  # the chance by number of dice
    most: int  # steps that one roll can bring


class Goal(NamedTuple):
    """What of a contest matters once its rolls are known."""

    target: int
    least: int
    entry: int
    last_turn: bool


def rolls_of(rules: Scoring, hot_dice: bool, every: bool = False) -> Rolls:
    """With the best choices for each number of dice left, or with `every` one."""
    first, choice, back, chance, farkles, most = [0], [0], list[int](), list[float](), [0.0], 0
    for dice in range(1, 7):
        classes: Counter[tuple[tuple[int, int], ...]] = Counter()
        first.append(len(chance))
        for roll, weight in outcomes(dice):
            found: set[tuple[int, int]] = set()  # dice left, steps
            for keep in keeps(roll, rules):
                left = dice - len("".join(keep)) or (6 if hot_dice else 0)
                found.add((left, keep_points(keep, rules) // rules.step))
            choices = sorted(found) if every else sorted(dict(sorted(found)).items())  # the last of each is the best
            classes[tuple(choices)] += weight
        farkles.append(classes.pop(()) / 6**dice)
        for group, weight in classes.items():
            chance.append(weight / 6**dice)
            back += [steps * TO_ROLL - left for left, steps in group]
            most = max(most, *[steps for _, steps in group])
            choice.append(len(back))
    first.append(len(chance))
    return Rolls(np.array(first), np.array(chance), np.array(choice), np.array(back), np.array(farkles), most)


@njit()
def best(
    rolls: Rolls, bank: Array, begin: int, minimum: int, farkle: float, gain: Array, safe: Array
) -> tuple[float, float]:
    """What a turn's best policy gains over a farkle, when that is worth `farkle`, and how often it banks.

    A turn has `begin` steps to go at first. bank[most + n] is what banking is worth with n to go, where at least the
    minimum may be banked, and anything when no die is left. The flat tables hold, by steps to go and dice left, gain
    and safety for a position after a keep; row 0 and the rows of less than nothing, before it, are banked.
    """
    for row in range(rolls.most + 1):
        gain[row * TO_ROLL : (row + 1) * TO_ROLL] = bank[row] - farkle
    safe[: (rolls.most + 1) * TO_ROLL] = 1
    total = kept = 0.0
    for steps in range(1, begin + 1):
        banked = bank[rolls.most + steps] - farkle
        row = (rolls.most + steps) * TO_ROLL
        gain[row] = banked
        safe[row] = 1
        for dice in range(1, 7):
            total = kept = 0.0
            for roll in range(rolls.first[dice], rolls.first[dice + 1]):
                chosen = row - rolls.back[rolls.choice[roll]]
                for choice in range(rolls.choice[roll] + 1, rolls.choice[roll + 1]):
                    other = row - rolls.back[choice]
                    chosen = other if gain[other] > gain[chosen] else chosen
                total += rolls.chance[roll] * gain[chosen]
                kept += rolls.chance[roll] * safe[chosen]
            rolling = total > banked or begin - steps < minimum
            gain[row + dice] = total if rolling else banked
            safe[row + dice] = kept if rolling else 1
    return total, kept


@njit()
def tables_for(rolls: Rolls, begin: int) -> tuple[Array, Array, Array]:
    """Room for the banks, gains and safeties of a turn that has `begin` steps to go at first."""
    rows = rolls.most + begin + 1
    return np.empty(rows), np.empty(rows * TO_ROLL), np.empty(rows * TO_ROLL)


@njit()
def need_and_minimum(goal: Goal, place: int) -> tuple[int, int]:
    """What a seat in a place needs, and what it has to bank at least: as a contest says it."""
    return min(place, goal.target), goal.least if place <= goal.target else goal.entry


@njit()
def solve_turns(rolls: Rolls, goal: Goal) -> Array:
    """By place, the expected number of turns to the target; less is better, so a bank is worth less than nothing."""
    turns = np.zeros(goal.target + (goal.entry > 0) + 1)
    for place in range(1, len(turns)):
        need, minimum = need_and_minimum(goal, place)
        begin = max(need, minimum)
        bank, gain, safe = tables_for(rolls, begin)
        for steps in range(-rolls.most, begin + 1):
            bank[rolls.most + steps] = -turns[max(steps - begin + need, 0)]
        x = turns[place - 1] + 1
        for _ in range(ROUNDS):
            total, kept = best(rolls, bank, begin, minimum, -x, gain, safe)
            before, x = x, x + (1 - total) / kept
            if abs(x - before) <= STANDSTILL * x:
                break
        else:
            x = np.nan
        turns[place] = x
    return turns


@njit()
def solve_last(rolls: Rolls, goal: Goal) -> Array:
    """[on the board or not, steps that a seat lacks]: what its last turn is worth, a draw one half."""
    lacking = goal.target + 2
    while True:
        last = np.zeros((1 + (goal.entry > 0), lacking + 1))
        for side in range(len(last)):
            minimum = goal.entry if side else goal.least
            for lack in range(1, lacking + 1):
                begin = max(lack + 1, minimum)
                bank, gain, safe = tables_for(rolls, begin)
                for steps in range(-rolls.most, begin + 1):
                    turn_total = begin - steps
                    bank[rolls.most + steps] = 1.0 if turn_total > lack else 0.5 if turn_total == lack else 0.0
                last[side, lack] = best(rolls, bank, begin, minimum, 0.0, gain, safe)[0]
        if last[:, -1].max() < HOPELESS:
            return last
        lacking *= 2


@njit()
def race_turn(
    rolls: Rolls, goal: Goal, win: Array, last: Array, place: int, other: int, theirs: float
) -> tuple[float, float]:
    """What the best turn of a seat in `place` gains over a farkle, and how often it banks; the other seat is in the
    place `other`, and `theirs` is its chance after a farkle. `win` and `last` are the tables as far as they are
    known."""
    (need, minimum), (other_need, _) = need_and_minimum(goal, place), need_and_minimum(goal, other)
    side, over = int(other > goal.target), 0
    if goal.last_turn:
        enough = rolls.farkle[1:].min() * theirs / 2  # half of it, because `theirs` is not final yet
        while other_need + over < last.shape[1] and last[side, other_need + over] > enough:
            over += 1
    begin = max(need + over, minimum)
    bank, gain, safe = tables_for(rolls, begin)
    for steps in range(-rolls.most, begin + 1):
        left = steps - begin + need
        if left > 0:
            bank[rolls.most + steps] = 1 - win[other, left]
        elif goal.last_turn and other_need - left < last.shape[1]:
            bank[rolls.most + steps] = 1 - last[side, other_need - left]
        else:
            bank[rolls.most + steps] = 1
    return best(rolls, bank, begin, minimum, 1 - theirs, gain, safe)


@njit(parallel=True)
def solve_race(rolls: Rolls, goal: Goal, last: Array) -> Array:
    """win[i, j]: the chance of the seat to move, in place i, against one in place j.

    A turn that is banked leads to a lower place, so pairs go by their sum; those with the same sum are apart.
    """
    places = goal.target + (goal.entry > 0)
    win = np.zeros((places + 1, places + 1))
    for both in range(2, 2 * places + 1):
        lowest = max(1, both - places)
        for i in prange(lowest, both // 2 + 1):
            j = both - i
            # The neighbours' plane is a good guess, and a good guess saves a round.
            x = win[i - 1, j] + win[i, j - 1] - win[i - 1, j - 1] if i > 1 else 0.5
            z = win[j - 1, i] + win[j, i - 1] - win[j - 1, i - 1] if i > 1 else 0.5
            standing = False
            for _ in range(ROUNDS):
                # Both turns gain x + z - 1 over a farkle, and that is safe * (mean + change of z), where `mean` is what
                # a banked turn gains. So where next to nothing is ever banked, no difference is divided by next to
                # nothing, and all digits stay.
                gain, safe = race_turn(rolls, goal, win, last, i, j, z)
                their_gain, their_safe = race_turn(rolls, goal, win, last, j, i, x)
                mean, their_mean = gain / safe, their_gain / their_safe
                ahead = (mean + their_mean - (x + z - 1)) / (1 / safe + 1 / their_safe - 1)
                by, their_by = ahead / their_safe - their_mean, ahead / safe - mean
                x, z = x + by, z + their_by
                if abs(by) <= STANDSTILL and abs(their_by) <= STANDSTILL:
                    standing = True
                    break
            win[i, j], win[j, i] = (x, z) if standing else (np.nan, np.nan)  # an error cannot leave a parallel loop
    return win


def solve(objective: str, contest: Contest) -> Array:
    """The table of `objective`: one row of turns, win[i, j] of a race, or one or two rows of last turns; rows and
    columns from 0."""
    rolls, goal = rolls_and_goal(contest)
    if objective == "turns":
        found: Array = solve_turns(rolls, goal)[None]
    else:
        found = solve_last(rolls, goal) if goal.last_turn else np.zeros((2, 1))
        found = solve_race(rolls, goal, found) if objective == "race" else found
    assert not np.isnan(found).any(), "the rounds do not come to a standstill"
    return found


def rolls_and_goal(contest: Contest) -> tuple[Rolls, Goal]:
    rules, hot_dice, target, least, entry, last_turn = contest
    return rolls_of(rules, hot_dice, last_turn), Goal(target, least, entry, last_turn)
