"""The hall as `dicehall` serves it, but without rate limits: `python -m tests.faults.unlimited --data FOLDER`.

`--set NAME=NUMBER` changes another of its settings, so that a test need not wait as long as a client may.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from dicehall.server import serve
from dicehall.server.settings import Settings

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path)
    parser.add_argument("--database")
    parser.add_argument("--set", action="append", default=[])
    chosen = parser.parse_args()
    changed: dict[str, Any] = {"limits": 1e6}
    for name, _, number in (one.partition("=") for one in chosen.set):
        changed[name] = float(number) if "." in number else int(number)
    with mock.patch.object(serve, "Settings", partial(Settings, **changed)):
        sys.exit(serve.serve("127.0.0.1", 0, chosen.data, chosen.database, (), secure=False, lan=False))
