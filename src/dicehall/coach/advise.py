"""What every move is worth, the best first, and what it gives away.

>>> from dicehall.rules.catalog import GAMES
>>> game = GAMES["farkle"]
>>> state = game.roll(game.begin(), (1, 5, 2, 2, 2, 6))
>>> best, second, *rest = advise(game, state, "turn")
>>> best.text, best.loss, best.certainty, second.text
('1', Fraction(0, 1), 'exact', '5')
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from dicehall.coach.objective import Certainty, Objective
from dicehall.coach.protocol import StepValues, Values, coach_of, find_coach, read_objective
from dicehall.coach.reason import Reason
from dicehall.errors import IllegalMove, InvalidOption, excerpt
from dicehall.rules.catalog import AnyGame
from dicehall.rules.options import Options


class Advice(NamedTuple):
    move: Any
    text: str
    value: Fraction  # for the seat that moves
    loss: Fraction  # against the best move; never negative
    certainty: Certainty  # how far to trust both


def values(game: AnyGame, options: Options, seats: int, objective: str | Objective) -> Values:
    """What positions are worth for an objective, to the seat to move; InvalidOption where that is not solved."""
    return coach_of(game).values(options, seats, read_objective(game, objective))


def step_values(game: AnyGame, options: Options, seats: int, objective: str | Objective) -> StepValues:
    """A function of two states of `game` with these `options` and `seats`: what the second, one step after the first,
    is worth for `objective` to the seat whose turn it was in the first. InvalidOption where that is not solved."""
    return coach_of(game).step_values(options, seats, read_objective(game, objective))


def turn_of(state: Any) -> int:
    """Whose turn it is; before that is drawn, the first seat stands for both."""
    return max(getattr(state, "seat", 0), 0)


def solved(game: AnyGame, options: Options, seats: int, objective: str | Objective) -> bool:
    try:
        values(game, options, seats, objective)
    except InvalidOption:
        return False
    return True


def intended(game: AnyGame, options: Options, seats: int) -> Objective:
    """What somebody has in mind who plays with these options. What boards compare is `benchmark.ranked_by`, and what
    players of the house play for is `bots.ladder.pursued`."""
    return coach_of(game).intended(options, seats)


def advise(
    game: AnyGame, state: Any, objective: str | Objective | None = None, seats: int | None = None
) -> list[Advice]:
    """Every legal move with its value and what it loses, the best first; equals in the game's own order."""
    game.check_state(state)
    if game.rules.actor(state) < 0:
        raise IllegalMove("no-choice", "nobody has a choice in this position")
    count = game.rules.seats_of(state)
    if seats not in (None, count):
        raise InvalidOption("seats", f"this is a position for {count}, not for {excerpt(seats)}")
    objective = intended(game, state.options, count) if objective is None else read_objective(game, objective)
    value = step_values(game, state.options, count, objective)
    sign = -1 if objective.lower_is_better else 1
    seen = [(value(state, game.rules.after(state, move)), move) for move in game.rules.legal(state)]
    best = max(sign * points for points, _ in seen)
    ranked = sorted(seen, key=lambda one: -sign * one[0])  # stable
    text, certainty = game.rules.move_text, objective.certainty
    return [Advice(move, text(move), points, best - sign * points, certainty) for points, move in ranked]


def advise_next(game: AnyGame, state: Any, move: Any, objective: str | Objective) -> list[Advice]:
    """What `advise` says of the choice right after `move` in `state`: roll or bank, one die or two. Nothing where a die
    falls before, or another seat has its turn."""
    after = game.rules.after(state, move)
    return advise(game, after, objective) if game.rules.actor(after) == game.rules.actor(state) else []


def reason(game: AnyGame, state: Any, better: Any, other: Any) -> Reason:
    """Why `better`, which is worth more than `other` in `state`, is so, by what can be seen there.

    >>> from dicehall.rules.catalog import GAMES
    >>> game = GAMES["farkle"]
    >>> told = reason(game, game.roll(game.begin(), (1, 5, 2, 2, 2, 6)), ("1",), ("222", "1", "5"))
    >>> told.code, dict(told.numbers)
    ('farkle.dice', {'n': 5, 'other': 1})
    """
    return coach_of(game).reason(state, better, other)


def recommended(game: AnyGame, state: Any) -> str | None:
    """The move that the game's own screen recommends, as a text; None where its spec recommends nothing."""
    coach = find_coach(game.id)
    return coach.recommended(state) if coach and coach.recommended else None


def recommends(game: AnyGame) -> bool:
    """Whether the game's own screen recommends moves."""
    coach = find_coach(game.id)
    return coach is not None and coach.recommended is not None
