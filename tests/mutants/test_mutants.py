"""The lists of mistakes fit the code; under `make soak` every mistake is planted, and caught."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.mutants.mutant import PARTS, ROOT, Mutant, fits, mutants_of, try_all, try_one
from tests.soak import SOAKING

every_part = pytest.mark.parametrize("part", PARTS)
RIGHT = "def double(n: int) -> int:\n    return 2 * n\n"
TEST = "from twice import double\n\n\ndef test_it() -> None:\n    assert double({n}) == {expected}\n"


@every_part
def test_every_mistake_can_be_made_and_its_tests_are_there(part: str) -> None:
    mutants = mutants_of(part)
    assert len(mutants) >= 20
    assert len({(mutant.file, mutant.old, mutant.new) for mutant in mutants}) == len(mutants)
    for mutant in mutants:
        assert fits(mutant), f"{mutant.what}: the list is out of date, {mutant.old!r} is not in {mutant.file} once"
        assert mutant.tests
        for test in mutant.tests:
            assert exists(test), f"{mutant.what}: there is no {test}"


def exists(test: str) -> bool:
    """Whether there is such a file of tests, and in it a test of that name."""
    path, _, name = test.partition("::")
    if not (ROOT / path).is_file():
        return False
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return not name or name.partition("[")[0] in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A function and a test of it that sees little."""
    for folder in ("src", "tests"):
        (tmp_path / folder).mkdir()
    (tmp_path / "src" / "twice.py").write_text(RIGHT)
    (tmp_path / "tests" / "test_twice.py").write_text(TEST.format(n=2, expected=4))
    return tmp_path


@pytest.mark.parametrize(
    ("old", "new", "caught", "told"),
    [
        ("2 * n", "3 * n", True, "tests/test_twice.py::test_it"),
        ("2 * n", "n + 2", False, "lives"),
        ("4 * n", "2 * n", False, "does not fit"),
        ("n", "m", False, "does not fit"),
        ("return", "retrun", False, "could not be tried, pytest ended with 2"),
    ],
)
def test_what_becomes_of_a_mistake(project: Path, old: str, new: str, caught: bool, told: str) -> None:
    mutant = Mutant("a mistake", "src/twice.py", old, new, ("tests/test_twice.py",))
    tried = try_one(project, mutant)
    assert tried.caught == caught
    assert tried.told == told if caught else tried.told.startswith(told)
    assert (project / "src" / "twice.py").read_text() == RIGHT, "it has been taken out again"


def test_a_test_that_is_not_there_catches_nothing(project: Path) -> None:
    mutant = Mutant("a mistake", "src/twice.py", "2 * n", "3 * n", ("tests/test_twice.py::test_that",))
    assert "pytest ended with 4" in try_one(project, mutant).told


def test_a_page_that_cannot_be_built_is_told_and_ends_nothing(project: Path) -> None:
    (project / "web").mkdir()
    (project / "web" / "build.py").write_text("words = open('web/page.ts').read()\nassert 'let' in words, 'no page'\n")
    (project / "web" / "page.ts").write_text("let n = 2\n")
    mutant = Mutant("a mistake", "web/page.ts", "let", "lte", ("tests/test_twice.py",))
    tried = try_one(project, mutant)
    assert not tried.caught
    assert tried.told.startswith("could not be tried, the page is not built with it:")
    assert "no page" in tried.told
    assert (project / "web" / "page.ts").read_text() == "let n = 2\n", "it has been taken out again"


@pytest.mark.skipif(not SOAKING, reason="takes minutes: `make mutants`")
@pytest.mark.timeout(3600)
@every_part
def test_every_mistake_is_caught(part: str, tmp_path: Path) -> None:
    assert try_all(tmp_path, mutants_of(part)) == []
