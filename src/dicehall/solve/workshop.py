"""Where books are built: part by part, and every part that is done is kept until the whole book is.

A solve that was killed goes on with the first part it had not finished, and ends with the bytes it would have
had: a part is only used again if its checksum is right and it was made for this book by this very code.
"""

from __future__ import annotations

import ast
import hashlib
import json
import shutil
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from dicehall.coach.cache import cache_folder
from dicehall.files import whole

PACKAGE: Final = Path(__file__).parent.parent
PACKAGED: Final = PACKAGE / "coach" / "books"


class BookPlan(NamedTuple):
    """How a book is built; `dicehall.coach.book.Book` is one that is read."""

    name: str  # of its file
    parts: tuple[str, ...]  # by title, in the order in which they are solved
    solve: Callable[[str], bytes]  # one part
    bind: Callable[[dict[str, bytes]], bytes]  # all parts by title: the book
    folder: Path = PACKAGED  # where it belongs

    @property
    def solver(self) -> str:
        """The module that solves and binds it."""
        return self.bind.__module__


class Solver(NamedTuple):
    """What builds the books of a game."""

    books: Callable[[], list[BookPlan]]  # that are packaged
    large_books: Callable[[], list[BookPlan]] = list  # that belong into the cache, and are built only when named
    books_for: Callable[[Any], list[BookPlan]] | None = None  # by the game's options, for the cache


class Built(NamedTuple):
    data: bytes
    kept: int  # parts that were there already


def build(book: BookPlan, tell: Callable[[int], None]) -> Built:
    """Solve all parts, or take those that an earlier try left; `tell` hears how many are done. They stay in the work
    folder until `clear`."""
    found: dict[str, bytes] = {}
    kept = 0
    for number, title in enumerate(book.parts):
        tell(number)
        file = work_folder(book) / f"{number}.part"
        part = _read(file, book, title)
        kept += part is not None
        if part is None:
            part = book.solve(title)
            write(file, _label(book, title, part) + b"\n" + part)
        found[title] = part
    tell(len(book.parts))
    return Built(book.bind(found), kept)


def write(file: Path, data: bytes) -> None:
    """All or nothing: whoever looks finds the old file or the new one, and never half of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole(file) as out:
        out.write(data)


def clear(book: BookPlan) -> None:
    shutil.rmtree(work_folder(book), ignore_errors=True)


def work_folder(book: BookPlan) -> Path:
    return Path(cache_folder()) / "unfinished" / book.name


def _read(file: Path, book: BookPlan, title: str) -> bytes | None:
    """A part that an earlier try left; nothing if it is not there, damaged or of another make."""
    try:
        label, _, part = file.read_bytes().partition(b"\n")
    except FileNotFoundError:
        return None
    return part if label == _label(book, title, part) else None


def _label(book: BookPlan, title: str, part: bytes) -> bytes:
    about = {"book": book.name, "part": title, "code": fingerprint(book.solver), "crc32": zlib.crc32(part)}
    return json.dumps(about).encode()


@cache
def fingerprint(module: str) -> str:
    """A digest of all code of ours that a module stands on: a part that other code solved is not used again."""
    found = hashlib.sha256()
    for name, file in sorted(sources(module).items()):
        found.update(f"{name}\0".encode() + file.read_bytes() + b"\0")
    return found.hexdigest()


def sources(module: str) -> dict[str, Path]:
    """A module of ours and all modules of ours that it imports, directly or not, with their files. Those of others are
    left out, as is a module that is not ours."""
    found: dict[str, Path] = {}
    names = [module]
    while names:
        name = names.pop()
        file = _file(name)
        if file is not None and name not in found:
            found[name] = file
            names += [name.rpartition(".")[0], *_names(file.read_bytes())]
    return found


@cache  # by what is in the file: whoever changes it is read anew
def _names(source: bytes) -> tuple[str, ...]:
    return tuple(_imported(ast.parse(source)))


def _imported(tree: ast.AST) -> Iterator[str]:
    """Every name that may be a module: `from dicehall.rules import farkle` imports two of them."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from [f"{node.module}.{one.name}" for one in node.names]
        elif not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):  # which does not run
            yield from _imported(node)


def _file(module: str) -> Path | None:
    """Where a module of ours lies; None for any other name."""
    ours, *inside = module.split(".")
    if ours != PACKAGE.name:
        return None
    folder = PACKAGE.joinpath(*inside)
    files = (folder / "__init__.py", folder.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


def in_chapters(game: str, version: int, rules: int, contents: dict[str, bytes]) -> bytes:
    """A book of `contents`, chapters by title, as `dicehall.coach.book` reads it; `version` is that of its form."""
    packed = {title: zlib.compress(chapter, 9) for title, chapter in contents.items()}
    body = b"".join(packed.values())
    head = {
        "version": version, "game": game, "rules": rules, "crc32": zlib.crc32(body),
        "chapters": {title: len(chapter) for title, chapter in packed.items()},
    }  # fmt: skip
    return json.dumps(head).encode() + b"\n" + body
