"""What the terminal has for a game: its drawing, and the sentences about what happens there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from dicehall.games import find_hall_game
from dicehall.play.film import Frame
from dicehall.rules.options import OptionValue
from dicehall.terminal import plain
from dicehall.terminal.words import Words

View = dict[str, Any]


class GameTerminal(Protocol):
    """What `terminal/<game>.py` holds. The file itself is the implementation: mypy compares it with this."""

    @property
    def TEXTS(self) -> str: ...  # noqa: N802  # what the texts of its rules and its notation are called
    @property
    def WORDS(self) -> tuple[str, ...]: ...  # noqa: N802  # moves that are words; a language may have its own for them

    def board(self, words: Words, view: View, names: list[str]) -> list[str]:
        """The lines of a position; `names` are those of the seats."""

    def describe(self, words: Words, view: View, move: View) -> str:
        """What a move of the view would bring, in a few words."""

    def tell_move(self, words: Words, frame: Frame, names: Sequence[str]) -> list[str]:
        """What happened with the move of a frame: a line about whoever moved, which may be empty, and one for each
        who lost by it."""

    def tell_roll(self, words: Words, rolled: str, frame: Frame, view: View, names: Sequence[str]) -> str:
        """The roll of a frame and what it meant: `rolled` is the sentence that names its dice, `view` any of the
        run's."""

    def tell_why(self, words: Words, view: View, names: Sequence[str]) -> list[str]:
        """What decided the run whose last view this is, in a sentence; none where there is nothing to say."""

    def tell_score(self, words: Words, view: View, name: str, score: int) -> str:
        """What the seat of that `name` ended with."""

    def option(self, words: Words, name: str, value: OptionValue) -> str:
        """The option of that `name`, and that it is `value`."""


def find_terminal(game_id: str) -> GameTerminal:
    """The plain one for a game of another package."""
    own = find_hall_game(game_id)
    return own.terminal() if own else plain
