"""Every branch of the pure layers is taken by some test: rules, play, coach, bots, and what there is between people.

`pytest -p tests.branches` counts, in every worker; `python -m tests.branches` then judges, which ends `make test`.
SlipCover counts a line once and leaves it alone after that: where lines are traced, the coach's tests take 555 s of a
processor instead of 198, and with SlipCover 206.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import slipcover

COUNTED = Path(__file__).parents[1] / ".cache" / "branches"
SOURCE = "src/dicehall"
PURE = ("errors.py", "dice.py", "games.py", "rules", "play", "coach", "bots", "people")
OMITTED = [f"{part}/*" if part.is_dir() else str(part) for part in Path(SOURCE).iterdir() if part.name not in PURE]

# What is imported from here on is counted: nothing of ours may be imported before.
_COUNTER = slipcover.Slipcover(branch=True, source=[SOURCE], omit=OMITTED, exclude_also=["@overload"])
slipcover.ImportManager(_COUNTER, slipcover.FileMatcher(sources=[SOURCE], omit=OMITTED)).__enter__()


def pytest_configure() -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ:
        shutil.rmtree(COUNTED, ignore_errors=True)
        COUNTED.mkdir(parents=True)


def pytest_unconfigure() -> None:
    (COUNTED / f"{os.getpid()}.json").write_text(json.dumps(_COUNTER.get_coverage()))


def main() -> int:
    counts = [json.loads(file.read_text()) for file in COUNTED.glob("*.json")]
    assert counts, "nothing was counted: pytest -p tests.branches"
    whole = counts[0]
    for more in counts[1:]:
        slipcover.merge_coverage(whole, more)
    slipcover.print_coverage(whole, skip_covered=True)
    return 0 if whole["summary"]["percent_covered"] == 100 else 1


if __name__ == "__main__":
    sys.exit(main())
