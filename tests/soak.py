"""How long the long tests run: a short form in `make test`, the long one under `make soak`, a taste in `make quick`."""

from __future__ import annotations

import os

SOAKING = os.environ.get("DICEHALL_SOAK") == "1"
HURRYING = os.environ.get("DICEHALL_QUICK") == "1"


def times(short: int, long: int) -> int:
    return long if SOAKING else max(1, short // 20) if HURRYING else short
