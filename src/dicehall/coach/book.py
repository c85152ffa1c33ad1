"""The form of all books, and their only reader: a line of JSON that says what the book is, then its chapters.

The line has the version of the book's own form, the rules it was made for, a checksum of all that follows, and where
the chapters are:

    chapters   by title, the size of each, one after the other; each is packed on its own
    parts      the titles alone; each chapter is a line
    tables     where each begins, and what it holds (`dicehall.coach.farkle.tables`)
    nothing    lines without a title (`dicehall.coach.puzzles`)

Packaged books lie in `books`. Any other lies in the cache, where `dicehall solve` put it; a large one is never loaded.
"""

from __future__ import annotations

import json
import zlib
from typing import Any, NamedTuple

from dicehall.coach.cache import cache_folder
from dicehall.errors import InvalidOption


class Book(NamedTuple):
    about: dict[str, Any]  # its first line
    body: bytes

    def chapters(self) -> dict[str, bytes]:
        """By title, still packed."""
        if "parts" in self.about:
            return dict(zip(self.about["parts"], self.body.splitlines(), strict=True))
        found, start = {}, 0
        for title, size in self.about["chapters"].items():
            found[title], start = self.body[start : start + size], start + size
        return found


class LargeBook(NamedTuple):
    """Some megabytes and more: what is asked for is looked up in its place."""

    about: dict[str, Any]
    path: str
    start: int  # of the first chapter


def packaged_book(name: str, version: int, rules: int) -> Book:
    """InvalidOption where it is damaged, or its form is not `version`, or it was made for other `rules`."""
    from importlib import resources  # here, because it takes as long to load as many a question to answer

    data = resources.files("dicehall.coach").joinpath("books", name).read_bytes()
    found = read_book(data, version, rules)
    if found is None:
        raise InvalidOption("objective", f"the book {name} is damaged or made for other rules; build it again")
    return found


def cached_book(name: str, version: int, rules: int) -> Book | None:
    """None where there is none, or not a whole one of this `version` and for these `rules`."""
    try:
        with open(f"{cache_folder()}/{name}", "rb") as file:
            return read_book(file.read(), version, rules)
    except OSError:
        return None


def read_book(data: bytes, version: int, rules: int) -> Book | None:
    """None where it is not whole, or not of this version and for these rules."""
    head, _, body = data.partition(b"\n")
    try:
        about = json.loads(head)
        made_for = about["version"], about["rules"]
        checksum = about["crc"] if "tables" in about else about["crc32"]
    except (ValueError, KeyError, TypeError):
        return None
    return Book(about, body) if (*made_for, checksum) == (version, rules, zlib.crc32(body)) else None


def large_book(name: str, version: int, rules: int) -> LargeBook | None:
    """In the cache; None where there is none, or not a whole one of this `version` and for these `rules`. Before its
    first line stands that line's checksum, and for its chapters (`layers`) their size has to do."""
    path = f"{cache_folder()}/{name}"
    try:
        with open(path, "rb") as file:
            check, _, text = file.readline().partition(b" ")
            start, end = file.tell(), file.seek(0, 2)
    except OSError:
        return None
    if check != b"%08x" % zlib.crc32(text.rstrip(b"\n")):
        return None
    about = json.loads(text)
    made_for, whole = (about["version"], about["rules"]), start + sum(about["layers"].values()) == end
    return LargeBook(about, path, start) if whole and made_for == (version, rules) else None
