"""What a player is, and which of them a game has of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple, Protocol

from dicehall.coach.advise import Advice
from dicehall.coach.objective import Objective
from dicehall.games import find_hall_game
from dicehall.rules.catalog import AnyGame

Player = Callable[[Any], Any]  # from a state to a move
Pursuit = tuple[Objective, list[Advice]]  # what a seat plays for, and every move, the best first


class BotKind(NamedTuple):
    """Players of one kind. Where it has `numbers`, `make` gets the one after the colon of its name, and 0 elsewhere."""

    name: str
    games: tuple[str, ...]
    meaning: str
    make: Callable[[int], Player]
    numbers: range | None = None


class GameBots(Protocol):
    """What `bots/<game>.py` holds. The file itself is the implementation: mypy compares it with this."""

    @property
    def KINDS(self) -> tuple[BotKind, ...]: ...  # noqa: N802
    @property
    def WIDTHS(self) -> Mapping[str, tuple[int, ...]]:  # noqa: N802
        """How wide the levels' blur is, by objective and rung, in millionths of the objective's unit: `ladder.py`."""

    def best_advice(self, game: AnyGame, state: Any) -> Pursuit:
        """For what the levels play in a position, or for the nearest to it that is solved."""


@cache
def find_bots(game_id: str) -> GameBots | None:
    """Loaded when somebody first asks; None for a game of another package."""
    own = find_hall_game(game_id)
    return own.bots() if own else None
