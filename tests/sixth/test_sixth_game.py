"""A sixth game is one file: a package that is not ours brings the rules of Pig, and everything here knows it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@pytest.mark.parametrize(
    "tests",
    [["tests/sixth/walk.py", "tests/rules/test_conformance.py", "-k", "pig or walk"], ["tests/sixth/walk_page.py"]],
    ids=["rules", "page"],
)
def test_a_game_of_another_package(tests: list[str]) -> None:
    """Where the package is on the path, its entry points are found. A process of its own, because games are looked for
    once."""
    path = os.pathsep.join([str(HERE / "package"), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


def test_a_package_that_brings_no_game_is_named(tmp_path: Path) -> None:
    about = tmp_path / "broken-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[dicehall.games]\nbroken = json\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "dicehall", "games"]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("dicehall: json of another package is no game: ")
    assert done.stderr.endswith("; uninstall broken, or mend it\n")
