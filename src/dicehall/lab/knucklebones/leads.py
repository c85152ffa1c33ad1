"""Writes what a lead is worth in classic Knucklebones into the package, for its chart, from what was measured.

    python -m dicehall.lab.knucklebones.leads docs/knucklebones.json

`figures` counts, in positions of perfect play, how often each lead comes with so many dice on the table, and what that
is worth to the seat that rolls. Leads that came less than LEAST times say nothing.
"""

from __future__ import annotations

import json
import sys
import zlib
from pathlib import Path
from typing import Any, Final

from dicehall.coach.knucklebones.chart import BOOK, BOOK_VERSION, PARTS
from dicehall.rules import knucklebones
from dicehall.solve.workshop import PACKAGED

DICE: Final = (2, 5, 8, 11, 14)  # on the table
POINTS: Final = 60  # leads are counted up to this
LEAST: Final = 100
SHOWN: Final = 25  # points; further ahead little changes


def worth(measured: dict[str, Any], dice: int, lead: int) -> float | None:
    """The chance of the seat that rolls, with so many `dice` on the table; None where too few positions say so."""
    counted, together = (measured[f"by dice and lead: {what}"][dice] for what in ("how many", "worth together"))
    at = lead + POINTS
    return float(together[at] / counted[at]) if counted[at] >= LEAST else None


def book(measured: dict[str, Any]) -> bytes:
    lines = []
    for dice in DICE:
        row = {lead: worth(measured, dice, lead) for lead in range(-SHOWN, SHOWN + 1)}
        lines.append(json.dumps({lead: round(chance * PARTS) for lead, chance in row.items() if chance is not None}))
    body = ("\n".join(lines) + "\n").encode()
    about = {
        "version": BOOK_VERSION,
        "rules": knucklebones.VERSION,
        "crc32": zlib.crc32(body),
        "parts": [*map(str, DICE)],
    }
    return json.dumps(about).encode() + b"\n" + body


if __name__ == "__main__":
    (PACKAGED / BOOK).write_bytes(book(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
