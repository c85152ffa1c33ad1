"""What every move is worth, the best first, and what it gives away.

>>> from dicehall.rules.catalog import GAMES
>>> game = GAMES["farkle"]
>>> state = game.roll(game.begin(), (1, 5, 2, 2, 2, 6))
>>> best, second, *rest = advise(game, state, "turn")
>>> best.text, best.loss, second.text
('1', Fraction(0, 1), '5')
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple

from dicehall.errors import IllegalMove, InvalidOption, excerpt
from dicehall.rules import box_state, farkle_state
from dicehall.rules.catalog import AnyGame
from dicehall.rules.options import Options

Worth = Callable[[Any], Fraction]
Certainty = Literal["exact", "close", "judged", "search"]

# Who knows what positions are worth; loaded when somebody asks.
WORTHS: Final = {
    "lite-solo": "lite_solo.values",
    "lite-versus": "lite_versus.values",
    "farkle": "farkle.coach",
    "shut-the-box": "shut_the_box.coach",
    "knucklebones": "knucklebones.search",
}
# What begins like this is a chance: its values are between 0 and 1. Any other objective counts points, turns, ...
CHANCES: Final = ("race", "win", "shut", "target:", "golf<=", "total<=", "farkle:")


class Advice(NamedTuple):
    move: Any
    text: str
    value: Fraction  # for the seat that moves
    loss: Fraction  # against the best move; never negative


def worth(game: AnyGame, options: Options, seats: int, objective: str) -> Worth:
    """What positions are worth for an objective, to the seat to move."""
    found: Worth = _knower(game).worth(options, seats, _text(objective))
    return found


def certainty(game: AnyGame, objective: str, at_start: bool = False) -> Certainty:
    """How far to trust its values: to the last digit; to the digits that their module names; as judgements, which are
    a little off in the middle of a game and exact at its start; or only as a search goes.

    A search looks some dice ahead and judges what it sees there; screens must not show it as an answer.
    """
    knower = _knower(game)
    if objective in getattr(knower, "SEARCHED", ()):
        return "search"
    if objective in getattr(knower, "JUDGED", ()):
        return "exact" if at_start else "judged"
    return "close" if objective in knower.NEARLY else "exact"


def step_worth(game: AnyGame, options: Options, seats: int, objective: str) -> Callable[[Any, Any], Fraction]:
    """What `now` is worth one step after `before`, to the seat whose turn it was before the step."""
    found: Callable[[Any, Any], Fraction] = _knower(game).step_worth(options, seats, _text(objective))
    return found


def less_is_better(game: AnyGame, objective: str) -> bool:
    return objective in _knower(game).LOWER


def is_chance(objective: str) -> bool:
    return objective.startswith(CHANCES)


def meant(game: AnyGame, options: Options, seats: int) -> str:
    """The objective that somebody who plays with these options has in mind."""
    objective: str = _knower(game).meant(options, seats)
    return objective


def advise(game: AnyGame, state: Any, objective: str | None = None, seats: int | None = None) -> list[Advice]:
    """Every legal move with its value and what it loses, the best first; equals in the game's own order."""
    game.check_state(state)
    if game.actor(state) < 0:
        raise IllegalMove("no-choice", "nobody has a choice in this position")
    count = seats_of(game, state)
    if seats not in (None, count):
        raise InvalidOption("seats", f"this is a position for {count}, not for {excerpt(seats)}")
    objective = meant(game, state.options, count) if objective is None else _text(objective)
    value = step_worth(game, state.options, count, objective)
    sign = -1 if less_is_better(game, objective) else 1
    seen = [(value(state, game.after(state, move)), move) for move in game.legal(state)]
    best = max(sign * points for points, _ in seen)
    ranked = sorted(seen, key=lambda one: -sign * one[0])  # stable
    return [Advice(move, game.move_text(move), points, best - sign * points) for points, move in ranked]


def seats_of(game: AnyGame, state: Any) -> int:
    """How many play in a position."""
    if isinstance(state, farkle_state.State):
        return len(state.banked)
    return len(state.totals) if isinstance(state, box_state.State) else game.seats[0]


def _text(objective: Any) -> str:
    if not isinstance(objective, str) or len(objective) > 40:
        raise InvalidOption("objective", f"{excerpt(objective)} is not an objective")
    return objective


def _knower(game: AnyGame) -> Any:
    if game.id not in WORTHS:
        raise InvalidOption("objective", f"nobody has solved {game.id} yet")
    return import_module(f"dicehall.coach.{WORTHS[game.id]}")
