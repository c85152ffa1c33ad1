"""A position in plain lines, drawn from its view alone."""

from __future__ import annotations

from collections.abc import Sequence

from dicehall.terminal.protocol import View, find_terminal
from dicehall.terminal.words import Words


def draw(words: Words, view: View, names: Sequence[str]) -> str:
    """The board, for a reader without colours or a cursor; `names` are those of the seats."""
    to_move = view["to_move"] if len(names) > 1 else None
    labels = [words.t("terminal.to-move", who=name) if seat == to_move else name for seat, name in enumerate(names)]
    return "\n".join(find_terminal(view["game"]).board(words, view, labels))


def describe(words: Words, view: View, move: View) -> str:
    """What a move would bring, in a few words; nothing for a game of another package."""
    return find_terminal(view["game"]).describe(words, view, move)
