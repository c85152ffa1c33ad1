"""Where books are built: part by part, and every part that is done is kept until the whole book is.

A solve that was killed goes on with the first part it had not finished, and ends with the same bytes: a part is only
used again if its checksum is right and it was made for the same book by the very same code.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

PACKAGE: Final = Path(__file__).parent.parent
PACKAGED: Final = PACKAGE / "coach" / "books"
SOURCES: Final = ("dice.py", "rules/*.py", "coach/**/*.py", "solve/*.py")  # all that a book depends on


class Book(NamedTuple):
    name: str  # of its file
    parts: tuple[str, ...]  # by title, in the order in which they are solved
    solve: Callable[[str], bytes]  # one part
    bind: Callable[[dict[str, bytes]], bytes]  # all parts by title: the book
    folder: Path = PACKAGED  # where it belongs


class Built(NamedTuple):
    data: bytes
    kept: int  # parts that were there already


def build(book: Book, tell: Callable[[int], None]) -> Built:
    """All parts, each told when it is done. They stay in the work folder until `clear`."""
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
    half = file.with_name(f"{file.name}.{os.getpid()}")
    half.write_bytes(data)
    half.replace(file)


def clear(book: Book) -> None:
    shutil.rmtree(work_folder(book), ignore_errors=True)


def work_folder(book: Book) -> Path:
    return cache_folder() / "unfinished" / book.name


def cache_folder() -> Path:
    """What is kept here can be built again."""
    if chosen := os.environ.get("DICEHALL_CACHE"):
        return Path(chosen).expanduser()
    shared = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (shared if shared.is_absolute() else Path.home() / ".cache") / "dicehall"


def _read(file: Path, book: Book, title: str) -> bytes | None:
    """A part that an earlier try left; nothing if it is not there, damaged or of another make."""
    try:
        label, _, part = file.read_bytes().partition(b"\n")
    except FileNotFoundError:
        return None
    return part if label == _label(book, title, part) else None


def _label(book: Book, title: str, part: bytes) -> bytes:
    about = {"book": book.name, "part": title, "code": _code(), "crc32": zlib.crc32(part)}
    return json.dumps(about).encode()


@cache
def _code() -> str:
    """A digest of all code that a book depends on."""
    files = sorted(file for pattern in SOURCES for file in PACKAGE.glob(pattern))
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def in_chapters(game: str, version: int, rules: int, contents: dict[str, bytes]) -> bytes:
    """A book as `dicehall.coach.book` reads it."""
    packed = {title: zlib.compress(chapter, 9) for title, chapter in contents.items()}
    body = b"".join(packed.values())
    head = {
        "version": version, "game": game, "rules": rules, "crc32": zlib.crc32(body),
        "chapters": {title: len(chapter) for title, chapter in packed.items()},
    }  # fmt: skip
    return json.dumps(head).encode() + b"\n" + body
