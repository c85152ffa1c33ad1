"""What the terminal says of the hall's own games where it says it of several: why they ended, scores, options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dicehall.rules.options import OptionValue
from dicehall.terminal.words import Words

if TYPE_CHECKING:
    from dicehall.terminal.protocol import View


def tell_why(words: Words, view: View, names: Sequence[str]) -> list[str]:
    code = view["result"]["why"]
    return [] if code == "score" else [words.sentence(f"why.{code}")]  # more points: the scores show it


def tell_score(words: Words, view: View, name: str, score: int) -> str:
    unit = view["aim"]["unit"]
    if unit != "points":
        return f"{name}: {words.t(f'aim.{unit}', n=score)}"
    return words.t("box.summary.points", who=name, n=score)


def option(words: Words, name: str, value: OptionValue) -> str:
    return f"{words.t(f'option.{name}')}: {_value(words, name, value)}"


def _value(words: Words, name: str, value: OptionValue) -> str:
    if isinstance(value, bool):
        return words.t("on" if value else "off")
    if not value and words.known(none := f"option.{name}.none"):
        return words.t(none)
    if words.known(key := f"option.{name}.{value}"):
        return words.t(key)
    return value if isinstance(value, str) else words.number(value)
