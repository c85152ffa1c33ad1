"""The hall as `dicehall` serves it, but without rate limits: `python -m tests.faults.unlimited --data FOLDER`."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from unittest import mock

from dicehall.server import serve
from dicehall.server.settings import Settings

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path)
    parser.add_argument("--database")
    chosen = parser.parse_args()
    with mock.patch.object(serve, "Settings", partial(Settings, limits=1e6)):
        sys.exit(serve.serve("127.0.0.1", 0, chosen.data, chosen.database, (), secure=False, lan=False))
