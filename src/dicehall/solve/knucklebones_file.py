"""Classic Knucklebones solved into a file, which `dicehall.coach.knucklebones.table` reads.

The file is written whenever CHECKPOINT seconds have passed since it was, after a whole sweep: a solve that was killed
goes on there. Until the last time it says of itself that it is not settled.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from dicehall.coach.knucklebones.table import FORM, ONE, PAGE, WIN_DRAW_HALF, head_bytes, read_head
from dicehall.errors import InvalidOption
from dicehall.rules import knucklebones
from dicehall.solve.knucklebones import SETTLED, Sweeps

CHECKPOINT: Final = 300.0  # seconds
PIECE: Final = 1 << 25  # values that are read or written at once


class Swept(NamedTuple):
    """After a sweep: its number, the largest change in units of 1/ONE and the mean one, and the seconds it took."""

    sweeps: int
    change: int
    mean: float
    seconds: float


def solve_into(file: Path, columns: int, tell: Callable[[Swept], None], checkpoint: float = CHECKPOINT) -> dict[str, Any]:
    """Solve the game with that many columns into the file, or go on with what is in it; what the file then says of
    itself. `tell` hears of every sweep."""
    work = Sweeps(columns)
    about = _resume(file, work)
    if about is None:
        about = _about(work, 0, ONE)
        work.certain()
    written = time.monotonic()
    while about["change"] > SETTLED:
        began = time.monotonic()
        change, total = work.sweep()
        about = _about(work, about["sweeps"] + 1, change)
        now = time.monotonic()
        tell(Swept(about["sweeps"], change, total / len(work.values), now - began))
        if about["settled"] or now >= written + checkpoint:
            write(file, about, work.values)
            written = time.monotonic()
    return about


def _about(work: Sweeps, sweeps: int, change: int) -> dict[str, Any]:
    return {
        "version": FORM, "game": knucklebones.ID, "rules": knucklebones.VERSION, "columns": work.columns,
        "objective": WIN_DRAW_HALF, "one": ONE, "sweeps": sweeps, "change": change, "settled": change <= SETTLED,
    }  # fmt: skip


def write(file: Path, about: dict[str, Any], values: np.ndarray[Any, Any]) -> None:
    """All or nothing: whoever looks finds the old file or the new one, and never half of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    half = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        with half.open("wb") as out:
            out.write(bytes(PAGE))
            check = 0
            for start in range(0, len(values), PIECE):
                piece = values[start : start + PIECE].astype("<u2", copy=False)
                out.write(piece.data)
                check = zlib.crc32(piece.data, check)
            out.seek(0)
            out.write(head_bytes({**about, "crc32": check}))
        half.replace(file)
    finally:
        half.unlink(missing_ok=True)


def _resume(file: Path, work: Sweeps) -> dict[str, Any] | None:
    """Take the values that an earlier solve left in the file; None if there is no file."""
    if not file.exists():
        return None
    about = read_head(str(file))
    if (about["columns"], about["objective"]) != (work.columns, WIN_DRAW_HALF):
        raise InvalidOption("file", f"{str(file)[:80]!r} holds another game of Knucklebones; name another file")
    check = 0
    with file.open("rb") as source:
        source.seek(PAGE)
        for start in range(0, len(work.values), PIECE):
            piece = work.values[start : start + PIECE]
            data = source.read(2 * len(piece))
            check = zlib.crc32(data, check)
            piece[:] = np.frombuffer(data, "<u2")
    if check != about["crc32"]:
        raise InvalidOption("file", f"{str(file)[:80]!r} is damaged; delete it and solve again")
    return about
