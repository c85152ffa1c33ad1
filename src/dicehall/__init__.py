"""Dicehall: five dice games, one hall.

    >>> from dicehall import Table
    >>> table = Table("knucklebones", seed="demo")
    >>> table.legal()
    ('1', '2', '3')

The rules are in `dicehall.rules`, live runs, records and replay in `dicehall.play`, opponents in `dicehall.bots`.
"""

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
