"""What the tests keep from one run to the next, in .cache: what Numba compiled, and which books were built again.

    @pytest.mark.rebuilds("dicehall.solve.shut_the_box_book")

marks a test that builds packaged books again, or part of them, and finds the same. It is skipped while nothing has
changed that it could find out: the test itself, the books, and all code of ours that the solver stands on. A fresh
checkout has nothing kept; `make soak` asks for nothing that is.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from dicehall.solve.workshop import PACKAGED, fingerprint

FOLDER: Final = Path(__file__).parents[1] / ".cache"
COMPILED: Final = FOLDER / "numba"
UNCHANGED: Final = "nothing has changed since these books were built again; `make soak` builds them in any case"


def stamp(solver: str, test: str, file: Path) -> Path:
    """The file that is there if the test of that id, in that file, has passed with the code and books of today."""
    found = hashlib.sha256(f"{test}\0{fingerprint(solver)}\0{_books()}\0".encode() + file.read_bytes())
    return FOLDER / "rebuilt" / found.hexdigest()[:32]


@cache
def _books() -> str:
    found = hashlib.sha256()
    for book in sorted(PACKAGED.glob("*.bin")):
        found.update(f"{book.name}\0".encode() + book.read_bytes())
    return found.hexdigest()
