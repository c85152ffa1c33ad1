"""In how many turns perfect play of Farkle alone reaches the target: the chance of each number of turns.

The tables of `farkle.py` say what every position of a turn is worth. Following the best choice forwards from the first
roll tells how likely a turn that begins in one place ends in another. Turn after turn of that, and the chance to be
done in turn 1, 2, 3, ... comes out, from every place at once.

What differs by less than `TIE` of a turn is equally good: then banking goes before rolling, and the keep that leaves
fewer dice before another. So the policy is the same wherever it is computed. Chances are sums of products of positive
floats, so each is right to one part in 10^12.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from dicehall.coach.farkle.contest import Contest
from dicehall.solve.compiled import njit
from dicehall.solve.farkle import TO_ROLL, Array, Goal, Rolls, best, need_and_minimum, rolls_and_goal, solve, tables_for

TIE: Final = 1e-10
RARE: Final = 2.0**-34  # a number of turns that comes less often from every place is left out
MOST_TURNS: Final = 500  # where a high minimum makes runs longer than that, nothing is told


@njit()
def turn_ends(rolls: Rolls, goal: Goal, place: int, turns: Array) -> Array:
    """The chances that a turn which begins in `place` ends in place 0, 1, 2, ...; a farkle ends where it began. `turns`
    are what `solve_turns` finds."""
    need, minimum = need_and_minimum(goal, place)
    begin = max(need, minimum)
    bank, gain, safe = tables_for(rolls, begin)
    for steps in range(-rolls.most, begin + 1):
        bank[rolls.most + steps] = -turns[max(steps - begin + need, 0)]
    best(rolls, bank, begin, minimum, -turns[place], gain, safe)
    reached, ends = np.zeros(len(gain)), np.zeros(len(turns))
    reached[(rolls.most + begin) * TO_ROLL + 6] = 1
    for steps in range(begin, 0, -1):
        row, left = (rolls.most + steps) * TO_ROLL, max(steps - begin + need, 0)
        ends[left] += reached[row]  # no die is left
        banked = turns[place] - turns[left]
        for dice in range(1, 7):
            chance = reached[row + dice]
            if chance == 0:
                continue
            if steps < begin and begin - steps >= minimum and gain[row + dice] <= banked + TIE:
                ends[left] += chance
                continue
            ends[place] += chance * rolls.farkle[dice]
            for roll in range(rolls.first[dice], rolls.first[dice + 1]):
                chosen = row - rolls.back[rolls.choice[roll]]
                for choice in range(rolls.choice[roll] + 1, rolls.choice[roll + 1]):
                    other = row - rolls.back[choice]
                    chosen = other if gain[other] > gain[chosen] + TIE else chosen
                reached[chosen] += chance * rolls.chance[roll]
    ends[0] += reached[: (rolls.most + 1) * TO_ROLL].sum()
    return ends


@njit()
def one_turn_more(chances: Array, done: Array) -> Array:
    """By place: the chance to be done in one turn more than in `done`, where `chances[place, after]` are those of one
    turn. Added up one by one, so that every machine finds the same digits."""
    found = np.zeros(len(done))
    for place in range(1, len(done)):
        for after in range(1, len(done)):
            found[place] += chances[place, after] * done[after]
    return found


def run_ends(contest: Contest) -> Array:
    """[place, turns]: the chance that the target is reached in that many turns; no columns where runs are too long."""
    rolls, goal = rolls_and_goal(contest)
    turns = solve("turns", contest)[0]
    chances = np.zeros((len(turns), len(turns)))
    for place in range(1, len(turns)):
        chances[place] = turn_ends(rolls, goal, place, turns)
    columns = [np.zeros(len(turns)), chances[:, 0]]
    while columns[-1].max() > RARE:
        if len(columns) > MOST_TURNS:
            return np.zeros((len(turns), 1))
        columns.append(one_turn_more(chances, columns[-1]))
    return np.stack(columns[:-1], axis=1)
