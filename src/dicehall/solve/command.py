"""`dicehall solve GAME`: the books of a game, built again, and compared with those that are packaged."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dicehall.coach.cache import cache_folder
from dicehall.errors import InvalidOption, excerpt, not_written
from dicehall.games import HALL_GAMES, find_hall_game
from dicehall.rules.catalog import AnyGame
from dicehall.rules.options import OptionValue
from dicehall.solve.workshop import PACKAGED, BookPlan, build, clear, work_folder, write
from dicehall.streams import Progress


def solve(
    game: AnyGame, name: str | None, chosen: dict[str, OptionValue], check: bool, to: Path | None, packaged: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Build the book `name` of a game, or those of the `chosen` options, or all, and put them into the folder `to`, or
    into the cache; into the installed package only if it is to be `packaged`. With `check` nothing is written, and the
    answer is 1 if a book is not what was there."""
    different = 0
    wanted = _wanted(game, name, chosen)
    if to and not check:
        with _written(to):
            to.mkdir(parents=True, exist_ok=True)
    for book in wanted:
        began = time.monotonic()
        show = (lambda _: None) if as_json else Progress(book.name, len(book.parts), "parts")
        with _written(work_folder(book)):
            built = build(book, show)
        before = book.folder / book.name
        same = before.read_bytes() == built.data if before.is_file() else None
        different += not same
        file = None if check else (to or _place(book, packaged)) / book.name
        if file is not None:
            with _written(file):
                write(file, built.data)
        clear(book)
        told = {"book": book.name, "bytes": len(built.data), "parts": len(book.parts), "kept": built.kept}
        seconds = round(time.monotonic() - began, 3)
        _tell({**told, "seconds": seconds, "same": same, "file": None if file is None else str(file)}, as_json)
    return 1 if check and different else 0


def _wanted(game: AnyGame, name: str | None = None, chosen: dict[str, OptionValue] | None = None) -> list[BookPlan]:
    own = find_hall_game(game.id)
    solver = own and own.solver()
    if solver is None:
        solved = [game_id for game_id, other in HALL_GAMES.items() if other.solved_by]
        no_book = f"{game.id} has no books that are solved"
        if game.id == "knucklebones":
            no_book = "knucklebones is solved into a file: say --out FILE; what its coach knows was learned from that"
        raise InvalidOption("game", f"{no_book}; there are books of {', '.join(solved)}")
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


def _place(book: BookPlan, packaged: bool) -> Path:
    """Where a book goes when nobody names a folder."""
    return book.folder if packaged or book.folder != PACKAGED else Path(cache_folder())


@contextmanager
def _written(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise not_written(path, error) from None


def _tell(told: dict[str, Any], as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps(told) + "\n")
        return
    kept = f", {told['kept']} of {told['parts']} parts from an earlier try" if told["kept"] else ""
    same = {True: "the same as before", False: "not what was there before", None: "there was none before"}[told["same"]]
    file = f"; written to {told['file']}" if told["file"] else ""
    sys.stdout.write(f"{told['book']}: {told['bytes']:,} bytes in {told['seconds']:.1f} s{kept}; {same}{file}\n")
