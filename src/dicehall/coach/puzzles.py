"""Puzzles: positions out of play in which the best move is clear by value, but is not the one most people would make.

>>> puzzle = puzzles("lite-solo")[0]
>>> puzzle.tempting in puzzle.best
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
from typing import Any, Final, NamedTuple

from dicehall.coach.book import Book, packaged_book
from dicehall.coach.objective import Objective
from dicehall.coach.protocol import find_coach, read_objective
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
    objective: Objective  # what is played for
    state: str
    moves: dict[str, Fraction]  # every legal move with its value, the best first
    best: tuple[str, ...]  # several where they come to the same
    tempting: str  # the move that most would make, by the rule of thumb of this game
    difficulty: int  # 1 to HARDEST

    @property
    def surprise(self) -> Fraction:
        """What the tempting move loses."""
        return abs(self.moves[self.best[0]] - self.moves[self.tempting])


def puzzles(game_id: str) -> list[Puzzle]:
    """All puzzles of a game."""
    return list(_puzzles(find_game(game_id).id))


def plain_first(game_id: str) -> list[int]:
    """The numbers of a game's puzzles, from 1, in the order to learn from them: usual rules before changed ones, and
    among each the clearest first. A puzzle is as clear as the tempting move loses much, compared with the others that
    are played for the same."""
    known = _puzzles(find_game(game_id).id)
    kinds: dict[Any, list[Fraction]] = {}
    for puzzle in known:
        kinds.setdefault((puzzle.objective, str(puzzle.options)), []).append(puzzle.surprise)

    def place(number: int) -> tuple[bool, Fraction, int]:
        puzzle = known[number - 1]
        others = kinds[puzzle.objective, str(puzzle.options)]
        clearer = sum(other > puzzle.surprise for other in others)
        return not _is_usual(puzzle), Fraction(clearer, len(others)), number

    return sorted(range(1, len(known) + 1), key=place)


def puzzle_of_the_day(game_id: str, day: str) -> Puzzle:
    """One for everybody; `day` is a text such as 2026-01-31. Of a game that has puzzles."""
    known = _puzzles(find_game(game_id).id)
    if not known:
        raise InvalidOption("puzzles", f"there are no puzzles of {game_id}")
    return known[Stream(seed_text(day), f"puzzle/{game_id}").below(len(known))]


def written(found: list[Puzzle], rules: int) -> str:
    """A file of the puzzles `found`: a line about it, with the version of the `rules`, then a puzzle to a line."""
    body = "".join(f"{json.dumps(_entry(one))}\n" for one in found)
    head = {"version": VERSION, "game": found[0].game, "rules": rules, "crc32": zlib.crc32(body.encode())}
    return f"{json.dumps(head)}\n{body}"


def read(book: Book) -> tuple[Puzzle, ...]:
    """What `written` wrote."""
    return tuple(_puzzle(json.loads(line)) for line in book.body.splitlines())


def _entry(puzzle: Puzzle) -> dict[str, Any]:
    """As the file has it: `thumb` is the tempting move, and how far to trust the values is told for those who read the
    file without us."""
    told = {name: puzzle._asdict()[name] for name in ("game", "options", "seats")}
    told |= {"objective": str(puzzle.objective), "certainty": puzzle.objective.certainty, "state": puzzle.state}
    told |= {"moves": {text: str(number) for text, number in puzzle.moves.items()}, "best": puzzle.best}
    return {**told, "thumb": puzzle.tempting, "difficulty": puzzle.difficulty}


def _puzzle(entry: dict[str, Any]) -> Puzzle:
    moves = {text: Fraction(number) for text, number in entry["moves"].items()}
    objective = read_objective(find_game(entry["game"]), entry["objective"])
    del entry["certainty"]  # which the objective has
    told = {"objective": objective, "moves": moves, "best": tuple(entry["best"]), "tempting": entry.pop("thumb")}
    return Puzzle(**{**entry, **told})


def _is_usual(puzzle: Puzzle) -> bool:
    """Whether its rules are the usual ones; a target, or who began, changes none."""
    return not puzzle.options.keys() - {"target", "first"}


@cache
def _puzzles(game_id: str) -> tuple[Puzzle, ...]:
    if find_coach(game_id) is None:
        return ()
    return read(packaged_book(f"{FOLDER}/{game_id}.jsonl", VERSION, find_game(game_id).version))
