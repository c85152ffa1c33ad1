"""What a position of Farkle is worth to somebody who plays perfectly for one objective.

    turn        expected points of the turn that is being played, for points alone
    arcade      expected points at the end of `max_turns` turns; one seat
    turns       expected number of turns in which the target is reached; one seat; less is better
    race        chance of the seat to move to be the first at the target; two seats
    farkle:N    chance that a roll of N dice scores nothing; the same in every position

`turn`, `arcade` (both in `farkle_points`) and `farkle:N` are exact fractions. `turns` and `race` (in `farkle_target`)
are nearly so. All of them stand on one turn, `farkle_turn`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from dicehall.coach.farkle.points import arcade_worth, turn_worth
from dicehall.coach.farkle.target import race_worth, turns_worth
from dicehall.coach.farkle.turn import Worth
from dicehall.errors import InvalidOption, excerpt
from dicehall.rules.farkle_scoring import Options, farkle_ways, scoring
from dicehall.rules.farkle_state import END, State

LOWER: Final = frozenset({"turns"})
NEARLY: Final = frozenset({"turns", "race"})  # fractions too, but not true to the last digit
OBJECTIVES: Final = ("turn", "arcade", "turns", "race", "farkle:N")


def worth(options: Options, seats: int, objective: str) -> Worth:
    """What any position is worth. `turn` means the turn of that position, `race` the seat whose turn it is.

    Once the game is over there is no turn to bring points, and the seat that has won is certain to win.
    """
    name, colon, number = objective.partition(":")
    if name == "farkle" and colon:
        return _farkle_worth(options, number)
    if objective not in OBJECTIVES[:-1]:
        known = ", ".join(OBJECTIVES)
        raise InvalidOption("objective", f"farkle has no objective {excerpt(objective)}; objectives: {known}")
    return {"turn": turn_worth, "arcade": arcade_worth, "turns": turns_worth, "race": race_worth}[objective](
        options, seats
    )


def step_worth(options: Options, seats: int, objective: str) -> Callable[[State, State], Fraction]:
    """What `now` is worth one step after `before`, to the seat whose turn it was, as part of that turn.

    `worth(now)` alone would speak of the next turn, and in a race of the other seat, when this step ended the turn.
    """
    value = worth(options, seats, objective)

    def seen(before: State, now: State) -> Fraction:
        ended = now.phase == END or (now.seat, now.round) != (before.seat, before.round)
        if ended and objective == "turn":
            return Fraction(now.banked[before.seat] - before.banked[before.seat])
        return 1 - value(now) if objective == "race" and now.seat != before.seat else value(now)

    return seen


def meant(options: Options, seats: int) -> str:
    """The objective that somebody who plays with these options has in mind, or `turn` where that is not solved."""
    objective = "race" if seats > 1 else "arcade" if options.max_turns else "turns"
    try:
        worth(options, seats, objective)
    except InvalidOption:
        return "turn"
    return objective


def _farkle_worth(options: Options, number: str) -> Worth:
    if number not in tuple("123456"):
        raise InvalidOption("objective", f"farkle:N takes 1 to 6 dice, not {excerpt(number)}")
    chance = Fraction(farkle_ways(int(number), scoring(options)), 6 ** int(number))
    return lambda state: chance
