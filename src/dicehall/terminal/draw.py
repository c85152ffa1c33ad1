"""A position in plain lines, drawn from its view alone."""

from __future__ import annotations

from collections.abc import Sequence

from dicehall.games.hall_game import find_hall_game
from dicehall.terminal.protocol import View
from dicehall.terminal.words import Words


def draw(words: Words, view: View, names: Sequence[str]) -> str:
    """The board, for a reader without colours or a cursor."""
    to_move = view["to_move"] if len(names) > 1 else None
    labels = [words.t("terminal.to-move", who=name) if seat == to_move else name for seat, name in enumerate(names)]
    own = find_hall_game(view["game"])
    return "\n".join(own.terminal().board(words, view, labels) if own else _plain(words, view, labels))


def describe(words: Words, view: View, move: View) -> str:
    """What a move would bring, in a few words; nothing for a game of another package."""
    own = find_hall_game(view["game"])
    return own.terminal().describe(words, view, move) if own else ""


def score_text(view: View, score: int) -> int | str:
    """Digital scores are read as they stand, without marks for thousands."""
    return str(score) if view.get("scoring") == "digital" else score


def _plain(words: Words, view: View, names: list[str]) -> list[str]:
    """The parts of the state by the names that the rules give them."""

    def parts(of: View) -> str:
        return ", ".join(f"{part['name']} {part['value']}" for part in of["parts"] if part["value"] is not False)

    seats = zip(names, view["seats"], strict=True)
    lines = [parts(view), *(f"{name}: {parts(seat)}" for name, seat in seats)]
    return [f"  {line}" for line in lines if line]
