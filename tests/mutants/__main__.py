"""Plants every listed mistake and sees whether it is caught.

python -m tests.mutants [PART ...]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.mutants.mutant import PARTS, mutants_of, try_all


def main(*parts: str) -> int:
    if unknown := [part for part in parts if part not in PARTS]:
        sys.exit(f"{', '.join(unknown)}: the parts are {', '.join(PARTS)}")
    wrong = []
    for part in parts or PARTS:
        with tempfile.TemporaryDirectory(prefix="dicehall-mutants-") as copy:
            wrong += try_all(Path(copy), mutants_of(part))
    print("\n".join(wrong) or "every mistake was caught")  # noqa: T201
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
