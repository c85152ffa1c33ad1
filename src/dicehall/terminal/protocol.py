"""What the terminal has for a game: its drawing, and the sentences about what happens there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from dicehall.play.film import Frame
from dicehall.terminal.words import Words

View = dict[str, Any]


class GameTerminal(Protocol):
    """What `terminal/<game>.py` holds. The file itself is the implementation: mypy compares it with this."""

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
