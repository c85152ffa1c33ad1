"""Books in chapters: a line that says what is in the book, then the chapters, each packed on its own.

`dicehall.solve.workshop` writes them.
"""

from __future__ import annotations

import json
import zlib

from dicehall.errors import InvalidOption


def read_chapters(name: str, version: int, rules: int) -> dict[str, bytes]:
    """By title, still packed; InvalidOption where the book is damaged or made for other rules."""
    from importlib import resources  # here, because it takes as long to load as many a question to answer

    head, _, body = resources.files("dicehall.coach").joinpath("books", name).read_bytes().partition(b"\n")
    contents = json.loads(head)
    if (contents["version"], contents["rules"]) != (version, rules):
        raise InvalidOption("objective", f"{name} was not made for these rules")
    if contents["crc32"] != zlib.crc32(body):
        raise InvalidOption("objective", f"{name} is damaged")
    chapters, start = {}, 0
    for title, size in contents["chapters"].items():
        chapters[title], start = body[start : start + size], start + size
    return chapters
