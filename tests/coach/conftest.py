"""Smaller games, so that the literal rules can be walked to the end, and games that no packaged book has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dicehall.coach.farkle import contest
from dicehall.coach.shut_the_box import tournament
from dicehall.rules import shut_the_box, shut_the_box_state, shut_the_box_tiles
from dicehall.rules.farkle_scoring import Options
from dicehall.solve import farkle_books
from dicehall.solve.workshop import build, write
from tests.coach.shut_the_box.twin import forget


@pytest.fixture
def few_tiles(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A box with tiles 1 to 5, and a tournament that is over at 8: the literal rules are walked to the end."""
    forget()
    monkeypatch.setitem(shut_the_box_tiles._ALL, 9, (1, 2, 3, 4, 5))
    for module in (tournament, shut_the_box_state, shut_the_box):
        monkeypatch.setattr(module, "OUT_AT", 8)
    yield
    forget()


Solve = Callable[[Options], Options]


def solve_options(options: Options) -> Options:
    for book in farkle_books.books_for(options):
        write(book.folder / book.name, build(book, lambda done: None).data)
    return options


@pytest.fixture
def solve_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Solve:
    """Solves what somebody asks for, whatever is packaged, and no further than to that target."""
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path))
    monkeypatch.setattr(contest, "USUAL_TARGET", 0)
    return solve_options
