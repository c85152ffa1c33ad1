"""docs/spec-coverage.md lists everything the specs ask for, and nothing it names is made up."""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import Final

import pytest

from tests.docs.pages import DOCS, ROOT, dotted_paths, read, resolve, table

COUNTS: Final = {"SOLO": 22, "VS": 12, "FARKLE": 16, "BOX": 18, "BONES": 10}
IDS: Final = [f"{spec}-{number:02}" for spec, count in COUNTS.items() for number in range(1, count + 1)]
# What only a screen can show: a test in a browser does, and is named after it.
SCREEN: Final = {
    *("SOLO-08", "SOLO-09", "SOLO-10", "SOLO-11", "SOLO-12", "SOLO-15", "SOLO-22", "VS-09", "VS-10"),
    *("FARKLE-09", "FARKLE-10", "FARKLE-11", "FARKLE-12", "FARKLE-13"),
    *("BOX-13", "BOX-14", "BOX-15", "BOX-16", "BONES-05", "BONES-07", "BONES-08", "BONES-09"),
}
NODE: Final = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
FILE: Final = re.compile(r"`((?:src|tests|docs|web)/[\w/.-]+)`")

ROWS: Final = {row[0]: row[1:] for row in table(read(DOCS / "spec-coverage.md"))}


def test_every_id_is_listed_once_and_in_order() -> None:
    listed = [row[0] for row in table(read(DOCS / "spec-coverage.md"))]
    assert listed == IDS
    assert len(IDS) == 78


@pytest.mark.parametrize("item", IDS)
def test_every_id_says_what_it_is_where_it_lives_and_what_shows_it(item: str) -> None:
    what, where, shown = ROWS[item]
    assert what
    assert dotted_paths(where) or FILE.findall(where), f"{item} has no home"
    assert NODE.findall(shown), f"{item} has no test"
    if item in SCREEN:
        name = f"test_{item.lower().replace('-', '_')}_"
        assert FILE.findall(where), f"{item} has no home on the page"
        assert any(file.startswith("tests/browser/") and test.startswith(name) for file, test in NODE.findall(shown))


@pytest.mark.parametrize("item", IDS)
def test_what_an_id_names_exists(item: str) -> None:
    _, where, shown = ROWS[item]
    for path in dotted_paths(where + shown):
        resolve(path)
    for file in FILE.findall(where + shown):
        assert (ROOT / file).exists(), f"{item}: there is no {file}"
    for file, function in NODE.findall(shown):
        assert function in functions(file), f"{item}: {file} has no {function}"


@cache
def functions(file: str) -> set[str]:
    assert (ROOT / file).is_file(), f"there is no {file}"
    tree = ast.parse(read(ROOT / file))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
