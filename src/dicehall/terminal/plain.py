"""A game of another package, in plain lines: what its rules call things, and none of the hall's texts about its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, get_args

from dicehall.play.film import Frame
from dicehall.play.protocol import Unit
from dicehall.rules.options import OptionValue
from dicehall.terminal import hall_games
from dicehall.terminal.words import Words

if TYPE_CHECKING:
    from dicehall.terminal.protocol import View

TEXTS: Final = "plain"
WORDS: Final = ()


def board(words: Words, view: View, names: list[str]) -> list[str]:
    """The parts of the state by the names that the rules give them."""

    def parts(of: View) -> str:
        return ", ".join(f"{part['name']} {part['value']}" for part in of["parts"] if part["value"] is not False)

    seats = zip(names, view["seats"], strict=True)
    lines = [parts(view), *(f"{name}: {parts(seat)}" for name, seat in seats)]
    return [f"  {line}" for line in lines if line]


def describe(words: Words, view: View, move: View) -> str:
    return ""


def tell_move(words: Words, frame: Frame, names: Sequence[str]) -> list[str]:
    return [""]


def tell_roll(words: Words, rolled: str, frame: Frame, view: View, names: Sequence[str]) -> str:
    return rolled


def tell_why(words: Words, view: View, names: Sequence[str]) -> list[str]:
    return []  # only the game knows what its code means


def tell_score(words: Words, view: View, name: str, score: int) -> str:
    unit = view["aim"]["unit"]
    known = unit in get_args(Unit)
    return hall_games.tell_score(words, view, name, score) if known else f"{name}: {words.number(score)} {unit}"


def option(words: Words, name: str, value: OptionValue) -> str:
    if isinstance(value, bool):
        return f"{name}: {words.t('on' if value else 'off')}"
    return f"{name}: {value if isinstance(value, str) else words.number(value)}"
