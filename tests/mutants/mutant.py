"""Mistakes, planted one at a time into a copy of the project, to see whether the tests bite.

A list for every part (rules.py, play.py, ...) names realistic mistakes, each with the tests that must fail when it is
made. A mistake that lives, and a list that does not fit the code any more, fail `make mutants`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final

from tests.patience import PATIENCE

ROOT: Final = Path(__file__).parents[2]
PARTS: Final = ("rules", "play", "coach", "bots", "people", "store", "server", "terminal", "page")
COPIED: Final = ("src", "tests", "web", "docs", "bench", "pyproject.toml", "Makefile")
LEFT_OUT: Final = shutil.ignore_patterns("__pycache__", "node_modules", ".*_cache")
TOOLS: Final = "web/node_modules"  # what the page is built with: large, and no part of any mistake
# Seconds for a test, more than it waits for anything: a mistake may make one wait for ever, and is caught by that.
LONGEST: Final = f"{2 * PATIENCE:.0f}"
CAUGHT: Final = 1  # how pytest ends when tests ran and some failed; anything else shows nothing about a mistake
FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", re.MULTILINE)  # as pytest sums up


@dataclass(frozen=True)
class Mutant:
    what: str  # the mistake, in one line
    file: str
    old: str  # occurs once in the file
    new: str
    tests: tuple[str, ...]  # files or tests; at least one of them fails


def mutants_of(part: str) -> tuple[Mutant, ...]:
    found: tuple[Mutant, ...] = import_module(f"tests.mutants.{part}").MUTANTS
    return found


def fits(mutant: Mutant, root: Path = ROOT) -> bool:
    """Whether there is one place, and only one, under `root` where the mistake can be made."""
    path = root / mutant.file
    return path.is_file() and path.read_text(encoding="utf-8").count(mutant.old) == 1 and mutant.old != mutant.new


def copy_project(to: Path) -> None:
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name, ignore=LEFT_OUT)
        else:
            shutil.copy2(ROOT / name, to / name)
    if (ROOT / TOOLS).exists():
        (to / TOOLS).symlink_to((ROOT / TOOLS).resolve())


def run(copy: Path, *command: str) -> tuple[int, str]:
    """How Python ends with the `command` in the `copy`, and what it says."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("DICEHALL_", "PYTEST_", "COV_"))}
    env["PYTHONPATH"] = f"{copy / 'src'}{os.pathsep}{copy}"
    env["PYTHONDONTWRITEBYTECODE"] = "1"  # what was compiled with a mistake may look as old as what was without
    got = subprocess.run([sys.executable, *command], cwd=copy, env=env, capture_output=True, text=True, check=False)
    return got.returncode, got.stdout + got.stderr


def run_tests(copy: Path, tests: tuple[str, ...]) -> tuple[int, str]:
    return run(copy, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--timeout", LONGEST, *tests)


def build_page(copy: Path) -> tuple[int, str]:
    return run(copy, "web/build.py")


def needs_page(mutant: Mutant) -> bool:
    return mutant.file.startswith("web/")


@dataclass(frozen=True)
class Tried:
    """What became of a mistake."""

    caught: bool
    told: str  # the test that caught it, or what happened instead


def try_one(copy: Path, mutant: Mutant) -> Tried:
    """Plant the mistake in the `copy`, run its tests, take it out."""
    if not fits(mutant, copy):
        return Tried(False, f"does not fit: {mutant.old!r} has to be in {mutant.file} once")
    path = copy / mutant.file
    right = path.read_text(encoding="utf-8")
    path.write_text(right.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        ended, told = build_page(copy) if needs_page(mutant) else (0, "")
        if ended:
            return Tried(False, f"could not be tried, the page is not built with it:\n{told[-2000:]}")
        ended, told = run_tests(copy, mutant.tests)
    finally:
        path.write_text(right, encoding="utf-8")
    if ended == CAUGHT:
        return Tried(True, ", ".join(FAILED.findall(told)))
    return Tried(False, "lives" if ended == 0 else f"could not be tried, pytest ended with {ended}:\n{told[-2000:]}")


def try_all(copy: Path, mutants: tuple[Mutant, ...]) -> list[str]:
    """What is wrong with the list: mistakes that live, or tests that fail without any. The `copy` is empty before."""
    copy_project(copy)
    ended, told = build_page(copy) if any(map(needs_page, mutants)) else (0, "")
    if ended:
        return [f"the page is not built without any mistake:\n{told[-2000:]}"]
    ended, told = run_tests(copy, tuple(dict.fromkeys(test for mutant in mutants for test in mutant.tests)))
    if ended:
        return [f"the tests fail without any mistake:\n{told[-2000:]}"]
    wrong = []
    for mutant in mutants:
        tried = try_one(copy, mutant)
        if not tried.caught:
            wrong.append(f"{mutant.file}: {mutant.what}: {tried.told}")
        told, outcome = tried.told.partition("\n")[0], "caught" if tried.caught else "WRONG "
        print(f"{outcome} {mutant.file}: {mutant.what} ({told})", flush=True)  # noqa: T201
    return wrong
