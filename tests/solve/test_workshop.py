"""Books are built part by part: what was done is used again, unless anything about it is wrong."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dicehall.coach.cache import cache_folder
from dicehall.games import HALL_GAMES
from dicehall.solve import workshop
from dicehall.solve.workshop import BookPlan, Built, build, clear, work_folder


class Killed(Exception):
    """As if somebody had pulled the plug."""


class Bench:
    """A book of three parts, and how often each was solved."""

    def __init__(self, name: str = "small.bin") -> None:
        self.solved: list[str] = []
        self.dies_at = ""
        self.book = BookPlan(name, ("one", "two", "three"), self.solve, lambda parts: b"\n".join(parts.values()))

    def solve(self, title: str) -> bytes:
        if title == self.dies_at:
            raise Killed
        self.solved.append(title)
        return f"{title}\n{title}".encode()


WHOLE = b"one\none\ntwo\ntwo\nthree\nthree"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path))


@pytest.fixture
def left() -> Bench:
    """What a solve leaves that was killed in its third part."""
    bench = Bench()
    bench.dies_at = "three"
    with pytest.raises(Killed):
        build(bench.book, lambda done: None)
    assert bench.solved == ["one", "two"]
    bench.solved, bench.dies_at = [], ""
    return bench


def test_it_goes_on_where_it_was(left: Bench) -> None:
    told: list[int] = []
    assert build(left.book, told.append) == Built(WHOLE, kept=2)
    assert left.solved == ["three"]
    assert told == [0, 1, 2, 3]
    assert build(left.book, told.append) == Built(WHOLE, kept=3)
    clear(left.book)
    assert not work_folder(left.book).exists()
    clear(left.book)  # nothing there: nothing to do
    assert build(left.book, told.append) == Built(WHOLE, kept=0)


@pytest.mark.parametrize("at", [0, 20, -1])
def test_a_damaged_part_is_solved_again(left: Bench, at: int) -> None:
    file = work_folder(left.book) / "1.part"
    data = bytearray(file.read_bytes())
    data[at] ^= 1
    file.write_bytes(data)
    assert build(left.book, lambda done: None) == Built(WHOLE, kept=1)
    assert left.solved == ["two", "three"]


def test_half_a_part_is_solved_again(left: Bench) -> None:
    file = work_folder(left.book) / "0.part"
    file.write_bytes(file.read_bytes()[:-1])
    assert build(left.book, lambda done: None) == Built(WHOLE, kept=1)


def test_a_part_of_other_code_is_solved_again(left: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workshop, "fingerprint", lambda module: "changed")
    assert build(left.book, lambda done: None) == Built(WHOLE, kept=0)


BUILT = [solver for own in HALL_GAMES.values() if (solver := own.solver())]
SOLVERS = sorted({book.solver for found in BUILT for book in found.books() + found.large_books()})


# Solver by solver, in one process, for Numba takes long to load: what of ours is loaded with it alone.
LOADED = """
import importlib, sys
for solver in sys.argv[1:]:
    importlib.import_module(solver)
    ours = [name for name in sys.modules if name.split(".")[0] == "dicehall"]
    print(*ours)
    for name in ours:
        del sys.modules[name]
"""


@pytest.fixture(scope="module")
def loaded_with() -> dict[str, list[str]]:
    """What Python itself loads of ours, by solver."""
    command = [sys.executable, "-c", LOADED, *SOLVERS]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {solver: line.split() for solver, line in zip(SOLVERS, lines, strict=True)}


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_change_to_anything_that_a_solver_imports_is_noticed(
    solver: str, loaded_with: dict[str, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is loaded of ours with the solver, each of it changed in turn in a copy of the package."""
    loaded = loaded_with[solver]
    assert solver in loaded
    digest, before = workshop.fingerprint.__wrapped__, workshop.fingerprint(solver)
    package = tmp_path / "dicehall"
    shutil.copytree(workshop.PACKAGE, package, ignore=shutil.ignore_patterns("books", "static", "__pycache__"))
    monkeypatch.setattr(workshop, "PACKAGE", package)
    assert digest(solver) == before
    assert {*loaded} <= {*workshop.sources(solver)}
    for name in loaded:
        file = workshop.sources(solver)[name]
        was = file.read_bytes()
        file.write_bytes(was + b"# changed\n")
        assert digest(solver) != before, name
        file.write_bytes(was)
    assert digest(solver) == before


def test_every_book_knows_its_solver() -> None:
    """Or else its parts would be used again after any change."""
    assert [solver for solver in SOLVERS if not solver.startswith("dicehall.solve.")] == []


def test_a_change_elsewhere_changes_nothing() -> None:
    lanes, server = "dicehall.coach.lanes", "dicehall.server.app"
    assert lanes in workshop.sources("dicehall.solve.shut_the_box_book"), "which adds up totals side by side"
    assert lanes not in workshop.sources("dicehall.solve.farkle_books")
    assert not any(server in workshop.sources(solver) for solver in SOLVERS)


def test_a_part_of_another_book_is_not_taken_for_ours(left: Bench) -> None:
    other = Bench("other.bin")
    work_folder(left.book).rename(work_folder(other.book))
    assert build(other.book, lambda done: None) == Built(WHOLE, kept=0)


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Path(cache_folder()) == tmp_path
    monkeypatch.delenv("DICEHALL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "shared"))
    assert Path(cache_folder()) == tmp_path / "shared" / "dicehall"
    monkeypatch.setenv("XDG_CACHE_HOME", "nowhere")  # only absolute folders count
    assert Path(cache_folder()) == Path.home() / ".cache" / "dicehall"
