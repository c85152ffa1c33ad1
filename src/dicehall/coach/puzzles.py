"""Puzzles: positions out of play in which the best move is clear by value, but is not the one most people would make.

>>> puzzle = puzzles("lite-solo")[0]
>>> puzzle.thumb in puzzle.best
False
>>> puzzle_of_the_day("farkle", "2026-01-31") == puzzle_of_the_day("farkle", "2026-01-31")
True

They were mined by `python -m dicehall.lab.puzzles`, which says by which rules, and lie one to a line in books/puzzles.
"""

from __future__ import annotations

import json
import zlib
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

from dicehall.dice import Stream, seed_text
from dicehall.errors import InvalidOption
from dicehall.rules.catalog import find_game
from dicehall.rules.options import OptionValue

FOLDER: Final = "puzzles"
VERSION: Final = 1
HARDEST: Final = 5


class Puzzle(NamedTuple):
    game: str
    options: dict[str, OptionValue]  # what differs from the defaults
    seats: int
    objective: str  # what is played for
    certainty: str  # of the values; see `dicehall.coach.advise.certainty`
    state: str
    moves: dict[str, Fraction]  # every legal move with its value, the best first
    best: tuple[str, ...]  # several where they come to the same
    thumb: str  # the move that most would make, by the rule of thumb of this game
    difficulty: int  # 1 to HARDEST


def puzzles(game_id: str) -> list[Puzzle]:
    """All puzzles of a game."""
    return list(_puzzles(find_game(game_id).id))


def puzzle_of_the_day(game_id: str, day: str) -> Puzzle:
    """The same for everybody; `day` is a text such as 2026-01-31. Of a game that has puzzles."""
    known = _puzzles(find_game(game_id).id)
    if not known:
        raise InvalidOption("puzzles", f"there are no puzzles of {game_id}")
    return known[Stream(seed_text(day), f"puzzle/{game_id}").below(len(known))]


def written(found: list[Puzzle], rules: int) -> str:
    """A file of puzzles: a line about it, then a puzzle to a line."""
    lines = [json.dumps({**one._asdict(), "moves": {text: str(n) for text, n in one.moves.items()}}) for one in found]
    body = "".join(f"{line}\n" for line in lines)
    head = {"version": VERSION, "game": found[0].game, "rules": rules, "crc32": zlib.crc32(body.encode())}
    return f"{json.dumps(head)}\n{body}"


def read(name: str, text: str, rules: int) -> tuple[Puzzle, ...]:
    """What `written` wrote, for these rules."""
    head, _, body = text.partition("\n")
    about = json.loads(head)
    if (about["version"], about["rules"], about["crc32"]) != (VERSION, rules, zlib.crc32(body.encode())):
        raise InvalidOption("puzzles", f"{name} is damaged or made for other rules; mine it again")
    return tuple(_puzzle(json.loads(line)) for line in body.splitlines())


def _puzzle(line: dict[str, Any]) -> Puzzle:
    moves = {text: Fraction(number) for text, number in line["moves"].items()}
    return Puzzle(**{**line, "moves": moves, "best": tuple(line["best"])})


@cache
def _puzzles(game_id: str) -> tuple[Puzzle, ...]:
    name = f"{game_id}.jsonl"
    book = resources.files("dicehall.coach").joinpath("books", FOLDER, name)
    if not book.is_file():
        return ()
    text = book.read_text(encoding="utf-8")
    return read(name, text, find_game(game_id).rules)
