"""Options: named, typed, with every value they can take and what it means.

A game's options are a frozen dataclass whose fields come from `choice`, `flag` and `number`. Whatever exists has been
checked, so nobody downstream has to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, Self

from dicehall.errors import InvalidOption, excerpt

OptionValue = bool | int | str
WORD: Final = re.compile(
    "[A-Za-z0-9._-]+"
)  # what a choice may be: records, links and modes write it between ; : , and /


def choice(default: str | int, values: tuple[str | int, ...], meaning: str) -> Any:
    """An option that is one of `values`. InvalidOption for a value that no record or link could hold."""
    for value in values:
        if not WORD.fullmatch(str(value)):
            raise InvalidOption("choice", f"a choice is letters, digits, '.', '_' and '-' alone, not {excerpt(value)}")
    return field(default=default, metadata={"values": values, "meaning": meaning})


def flag(default: bool, meaning: str) -> Any:
    return field(default=default, metadata={"values": (False, True), "meaning": meaning})


def number(default: int, low: int, high: int, meaning: str) -> Any:
    return field(default=default, metadata={"values": range(low, high + 1), "meaning": meaning})


@dataclass(frozen=True, slots=True)
class Options:
    """The base of every game's options: whatever exists has been checked."""

    def __post_init__(self) -> None:
        for option in fields(self):
            value, values = getattr(self, option.name), option.metadata["values"]
            # 1 == True and 1.0 == 1: the type decides as well, so that an option has one spelling everywhere
            if type(value) is not type(option.default) or value not in values:
                raise InvalidOption("option-value", f"{option.name} is {describe_values(values)}, not {excerpt(value)}")
        self.check()

    def check(self) -> None:
        """Raise InvalidOption where two options contradict each other."""

    def seats(self, usual: range) -> range:
        """How many can play under these options, where that differs from the game's usual number."""
        return usual

    def idle(self, seats: int) -> set[str]:
        """The names of those that decide nothing under the others, with so many at the table."""
        return set()

    def in_force(self, seats: int) -> Self:
        """The same game, with every option that decides nothing as usual."""
        defaults = _defaults(type(self))
        return replace(self, **{name: defaults[name] for name in self.idle(seats)})

    def as_dict(self) -> dict[str, OptionValue]:
        return {name: getattr(self, name) for name in _defaults(type(self))}

    def changed(self) -> dict[str, OptionValue]:
        """Only what differs from the defaults."""
        return {name: value for name, value in self.as_dict().items() if value != _defaults(type(self))[name]}


_DEFAULTS: Final[dict[type[Options], dict[str, Any]]] = {}  # remembered, because `fields` takes its time


def _defaults(options: type[Options]) -> dict[str, Any]:
    if options not in _DEFAULTS:
        _DEFAULTS[options] = {option.name: option.default for option in fields(options)}
    return _DEFAULTS[options]


def describe_values(values: range | tuple[OptionValue, ...]) -> str:
    if isinstance(values, range):
        return str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}"
    return " or ".join(option_text(value) for value in values)


def option_text(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
