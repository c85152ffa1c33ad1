"""How long tests wait for what comes soon: only what never comes takes that long, and a busy machine some of it."""

from __future__ import annotations

from typing import Final

PATIENCE: Final = 120.0  # seconds
