"""Every sentence of the terminal, from the texts that the page reads too; rules and coach speak in codes.

>>> Words("en").t("farkle.to-go", n=1250), Words("de").t("farkle.to-go", n=1250)
('1,250 to go', 'noch 1.250')
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

Text = str | dict[str, str]


class Manners(NamedTuple):
    """How a language writes numbers and lists."""

    thousands: str
    point: str
    last: str  # between the last two of a list


MANNERS: Final = {"en": Manners(",", ".", " and "), "de": Manners(".", ",", " und ")}
LANGUAGES: Final = tuple(MANNERS)
# Whose word counts, the first that says anything: the order in which other programs ask.
VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def usual_language(environment: Mapping[str, str]) -> str:
    """The language that the terminal around us speaks: German or else English."""
    said = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    return "de" if said.lower().startswith("de") else "en"


class Words:
    """One language."""

    def __init__(self, language: str) -> None:
        self.language, self._texts, self._manners = language, _texts(language), MANNERS[language]

    def t(self, key: str, **values: int | str) -> str:
        """The sentence of that name. `n` decides between one and many; numbers are written as the language does."""
        text = self._texts[key]
        if not isinstance(text, str):
            text = text["one" if values.get("n") == 1 else "other"]
        filled = {name: value if isinstance(value, str) else self.number(value) for name, value in values.items()}
        return text.format_map(filled)

    def sentence(self, key: str, **values: int | str) -> str:
        """What `t` says with a full stop, where the page needs none because its line ends there."""
        text = self.t(key, **values)
        return text if text[-1] in ".!?…" else f"{text}."

    def known(self, key: str) -> bool:
        return key in self._texts

    def number(self, value: int) -> str:
        return self._written(f"{value:,}")

    def decimal(self, value: Fraction, places: int = 2, signed: bool = False) -> str:
        text = f"{float(value):{'+' if signed else ''}z,.{places}f}"
        return self._written(text.removeprefix("+") if not text.strip("+0,.") else text)  # what is nothing has no sign

    def precise(self, value: Fraction, digits: int = 12, signed: bool = False) -> str:
        """With `digits` digits that count, for those who compare."""
        return f"{float(value):{'+' if signed and value else ''}.{digits}g}".replace(".", self._manners.point)

    def percent(self, part: Fraction, places: int = 0, signed: bool = False) -> str:
        return self.decimal(100 * part, places, signed) + self.t("percent")

    def listed(self, items: Sequence[str]) -> str:
        if len(items) < 3:
            return self._manners.last.join(items)
        oxford = "," if self.language == "en" else ""
        return ", ".join(items[:-1]) + oxford + self._manners.last + items[-1]

    def _written(self, english: str) -> str:
        return english.translate(str.maketrans(",.", self._manners.thousands + self._manners.point))


@cache
def _texts(language: str) -> dict[str, Text]:
    found: dict[str, Text] = {}
    for file in (files("dicehall") / "texts" / language).iterdir():
        if not file.is_file():
            continue  # remarks of the house's players, which only the page shows
        found |= json.loads(file.read_text(encoding="utf-8"))
    return found
