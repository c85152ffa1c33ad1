"""Dicehall: five dice games, one hall.

    >>> from dicehall import Table
    >>> table = Table("knucklebones", seed="demo")
    >>> table.legal()
    ('1', '2', '3')

The rules are in `dicehall.rules`, live runs, records and replay in `dicehall.play`, opponents in `dicehall.bots`.
The names below are loaded when they are first used, so that `import dicehall` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dicehall.dice import ScriptedDice, SeededDice
    from dicehall.errors import DicehallError, IllegalMove, InvalidOption, InvalidRecord, InvalidText
    from dicehall.play.record import Record
    from dicehall.play.replay import check, read_record, replay
    from dicehall.play.step import step
    from dicehall.play.table import Table, simulate_run
    from dicehall.play.view import view
    from dicehall.rules.catalog import GAMES, find_game
    from dicehall.rules.game import DICE, NOBODY, Result

__version__ = "0.1.0"

_HOMES = {
    "dicehall.dice": ("ScriptedDice", "SeededDice"),
    "dicehall.errors": ("DicehallError", "IllegalMove", "InvalidOption", "InvalidRecord", "InvalidText"),
    "dicehall.play.record": ("Record",),
    "dicehall.play.replay": ("check", "read_record", "replay"),
    "dicehall.play.step": ("step",),
    "dicehall.play.table": ("Table", "simulate_run"),
    "dicehall.play.view": ("view",),
    "dicehall.rules.catalog": ("GAMES", "find_game"),
    "dicehall.rules.game": ("DICE", "NOBODY", "Result"),
}

__all__ = [
    "DICE",
    "GAMES",
    "NOBODY",
    "DicehallError",
    "IllegalMove",
    "InvalidOption",
    "InvalidRecord",
    "InvalidText",
    "Record",
    "Result",
    "ScriptedDice",
    "SeededDice",
    "Table",
    "check",
    "find_game",
    "read_record",
    "replay",
    "simulate_run",
    "step",
    "view",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'dicehall' has no attribute {name!r}")


def __dir__() -> list[str]:
    """What there is to use, for completion: also the names that nobody has used yet."""
    return [*__all__, "__version__", "__doc__"]
