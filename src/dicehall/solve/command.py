"""`dicehall solve GAME`: the books of a game, built again, and compared with those that are packaged."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from dicehall.errors import InvalidOption, excerpt
from dicehall.games.hall_game import HALL_GAMES, find_hall_game
from dicehall.rules.catalog import AnyGame
from dicehall.rules.options import OptionValue
from dicehall.solve.workshop import BookPlan, build, clear, work_folder, write

WIDTH: Final = 30  # of the bar


class Solver(NamedTuple):
    """What builds the books of a game."""

    books: Callable[[], list[BookPlan]]  # that are packaged
    large_books: Callable[[], list[BookPlan]] = list  # that belong into the cache, and are built only when named
    books_for: Callable[[Any], list[BookPlan]] | None = None  # by the game's options, for the cache


def solve(
    game: AnyGame, name: str | None, chosen: dict[str, OptionValue], check: bool, to: Path | None, as_json: bool
) -> int:
    """Build the book `name` of a game, or those of the `chosen` options, or all that are packaged, and put them into
    the folder `to`, or where they belong. With `check` nothing is written. The exit code: 1 if a check finds that a
    book is not what was there."""
    different = 0
    wanted = _wanted(game, name, chosen)
    if to and not check:
        with _written(to):
            to.mkdir(parents=True, exist_ok=True)
    for book in wanted:
        began = time.monotonic()
        silent = as_json or not sys.stderr.isatty()
        with _written(work_folder(book)):
            built = build(book, partial(_nothing if silent else _bar, book))
        file = book.folder / book.name
        same = file.read_bytes() == built.data if file.is_file() else None
        different += not same
        if not check:
            file = (to or book.folder) / book.name
            with _written(file):
                write(file, built.data)
        clear(book)
        told = {"book": book.name, "bytes": len(built.data), "parts": len(book.parts), "kept": built.kept}
        _tell({**told, "seconds": round(time.monotonic() - began, 3), "same": same}, as_json)
    return 1 if check and different else 0


def _wanted(game: AnyGame, name: str | None = None, chosen: dict[str, OptionValue] | None = None) -> list[BookPlan]:
    own = find_hall_game(game.id)
    if own is None or own.solver is None:
        solved = [game_id for game_id, other in HALL_GAMES.items() if other.solver]
        raise InvalidOption("game", f"{game.id} has no books; there are books of {', '.join(solved)}")
    solver = own.solver()
    if chosen:
        if name or not solver.books_for:
            why = "choose a book or options, not both" if name else f"no book of {game.id} is for some options only"
            raise InvalidOption("solve", why)
        return solver.books_for(game.make_options(chosen))
    if name is None:
        return solver.books()
    books = solver.books() + solver.large_books()
    found = [book for book in books if book.name == name]
    if not found:
        known = ", ".join(book.name for book in books)
        raise InvalidOption("book", f"{game.id} has no book {excerpt(name)}; it has {known}")
    return found


@contextmanager
def _written(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InvalidOption("file", f"cannot write {str(path)[:80]!r}: {error.strerror}") from None


def _nothing(book: BookPlan, done: int) -> None:
    """Whoever reads our output from a program wants no bar."""


def _bar(book: BookPlan, done: int) -> None:
    filled = "#" * (WIDTH * done // len(book.parts))
    sys.stderr.write(f"\r{book.name} [{filled:<{WIDTH}}] {done} of {len(book.parts)} ")
    if done == len(book.parts):
        sys.stderr.write("\n")
    sys.stderr.flush()


def _tell(told: dict[str, Any], as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps(told) + "\n")
        return
    kept = f", {told['kept']} of {told['parts']} parts from an earlier try" if told["kept"] else ""
    same = {True: "the same as before", False: "not what was there before", None: "there was none before"}[told["same"]]
    sys.stdout.write(f"{told['book']}: {told['bytes']:,} bytes in {told['seconds']:.1f} s{kept}; {same}\n")
