"""What the page's library does by itself: names, throws by hand, what opponents say, what is shown and told."""

from __future__ import annotations

import subprocess
import sys

from tests.docs.pages import ROOT


def test_the_library_without_a_browser() -> None:
    """The tests are in library.mjs."""
    done = subprocess.run(
        [sys.executable, "web/build.py", "test"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 failed" in done.stdout
