"""What a position of Shut the Box is worth to somebody who plays perfectly for one objective.

    golf, digital, missionary   expected score of the round that is being played, by that scoring; less is better
    shut, golf<=N               chance that this round shuts the box, or leaves an open sum of at most N
    total<=N                    chance that the total of the run is at most N; one seat
    win                         chance that the run meets its goal; one seat
    rounds                      expected number of rounds survived in the tournament; one seat
    turns                       expected number of turns of the long game; one seat; less is better

All but `turns` are exact fractions, solved when they are first asked for. `turns` is not, because the long game runs
in circles; it is off by less than one part in 2^40.

One round is solved in `box_round`; several in `box_totals`, the tournament in `box_tournament`, the long game in
`box_long`, all from rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from dicehall.coach.shut_the_box.long_game import turns_worth
from dicehall.coach.shut_the_box.one_round import LOWER, Value, Worth, pay, round_worth
from dicehall.coach.shut_the_box.totals import goal_of, too_many, total_worth
from dicehall.coach.shut_the_box.tournament import tournament_worth
from dicehall.errors import InvalidOption, excerpt
from dicehall.rules.box_state import State
from dicehall.rules.box_tiles import Options

__all__ = ["LOWER", "NEARLY", "meant", "step_worth", "worth"]

NEARLY: Final = frozenset({"turns"})  # a fraction too, but not true to the last digit
OBJECTIVES: Final = ("golf", "digital", "missionary", "shut", "golf<=N", "total<=N", "win", "rounds", "turns")
OF_THE_RUN: Final = ("total<=", "win", "rounds", "turns")  # the others are about one round


def worth(options: Options, seats: int, objective: str) -> Worth:
    """What any position is worth. Objectives of a round are about the round of that position, going on or just over."""
    name, limit = _read(objective)
    if name not in OF_THE_RUN:
        if options.mode == "long":
            raise InvalidOption("objective", f"the long game has turns, not rounds; {objective} means nothing there")
        return round_worth(options, name, limit)
    if seats > 1:
        raise InvalidOption("objective", f"{objective} is solved for one seat, not for {seats}")
    if (name == "turns") != (options.mode == "long"):
        raise InvalidOption("objective", "turns is the objective of the long game, and of no other")
    if name == "turns":
        return turns_worth(options)
    if options.variant == "tournament45out":
        return tournament_worth(options, name)
    if name == "rounds":
        raise InvalidOption("objective", "rounds is an objective of the tournament only")
    return total_worth(options, name, limit)


def step_worth(options: Options, seats: int, objective: str) -> Callable[[State, State], Value]:
    """What `now` is worth to somebody who was at `before` one step ago: a round that this step ended has its score.

    The plain worth of `now` is about the next round then.
    """
    value, (name, limit) = worth(options, seats, objective), _read(objective)

    def seen(before: State, now: State) -> Value:
        same_round = not now.over and (now.seat, now.round) == (before.seat, before.round)
        if same_round or name in OF_THE_RUN:
            return value(now)
        # A move ends a round by shutting the box, a roll by fitting nothing.
        return Fraction(pay(() if before.dice else before.open, name, limit))

    return seen


def meant(options: Options, seats: int) -> str:
    """The objective that somebody who plays with these options has in mind."""
    if options.mode == "long":
        return "turns"
    if seats > 1:
        return options.scored_by
    if options.variant == "tournament45out":
        return "rounds"
    rounds, limit = goal_of(options)
    if options.mode == "rounds" and not (options.goal or options.instant):
        return options.scored_by
    return options.scored_by if too_many(options, rounds, limit) else "win"


def _read(objective: str) -> tuple[str, int]:
    """Name and limit: golf<=12 is ("golf<=", 12), and shutting the box is golf<=0."""
    name, at_most, number = objective.partition("<=")
    if at_most and name in ("golf", "total") and number.isascii() and number.isdecimal() and len(number) < 20:
        return name + at_most, int(number)
    if objective not in OBJECTIVES or at_most:
        known = ", ".join(OBJECTIVES)
        raise InvalidOption("objective", f"shut-the-box has no objective {excerpt(objective)}; objectives: {known}")
    return ("golf<=", 0) if objective == "shut" else (objective, 0)
