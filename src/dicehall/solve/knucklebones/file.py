"""Classic Knucklebones solved into a file, which `dicehall.coach.knucklebones.table` reads.

The file is written whenever CHECKPOINT seconds have passed since it was, after a whole sweep: a solve that was killed
goes on there. Until the last time it says of itself that it is not settled.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from dicehall.coach.knucklebones.pairs import span
from dicehall.coach.knucklebones.table import FORM, ONE, PAGE, TABLES, head_bytes, read_head
from dicehall.errors import InvalidOption, excerpt
from dicehall.rules import knucklebones
from dicehall.solve.knucklebones.blocks import Work

CHECKPOINT: Final = 300.0  # seconds
PIECE: Final = 1 << 25  # values that are read or written at once

# How many dice a game takes at most on average, if both seats do all they can to make it last: what
# `dicehall.solve.knucklebones.length` finds, rounded up; with three columns, what `Measure.longest` found on a GPU.
LONGEST: Final = {1: 5.76, 2: 17.6, 3: 42.1}


def most_wrong(off: float, work: Work) -> float | None:
    """How wrong a value is, at most, in units; None where that is not known.

    If every value is `off` by at most so many units from what follows from its neighbours, then none is wrong by more
    than that times the dice of a game: whoever plays by the values against the best reply loses no more with each die.
    """
    dice = LONGEST.get(work.columns)
    return None if dice is None else off * dice + work.rounded


class Swept(NamedTuple):
    """After a sweep: its number, the largest change in units, and the seconds it took."""

    number: int
    change: float
    seconds: float


def solve_into(file: Path, work: Work, tell: Callable[[Swept], None], checkpoint: float = CHECKPOINT) -> dict[str, Any]:
    """Solve a game into the file, or go on with what is in it; what the file then says of itself. `tell` hears of every
    sweep, and `checkpoint` are the seconds after which the file is written again."""
    _clear(file)
    about = _resume(file, work)
    if about is None:
        about = _about(work, 0, ONE)
        work.certain()
    written = time.monotonic()
    while not about["settled"]:
        began = time.monotonic()
        change = work.sweep()
        about = _about(work, about["sweeps"] + 1, change)
        now = time.monotonic()
        tell(Swept(about["sweeps"], change, now - began))
        if about["settled"]:
            about["off"] = work.off()
            about["wrong_by"] = most_wrong(about["off"], work)
        if about["settled"] or now >= written + checkpoint:
            about = write(file, about, work)
            written = time.monotonic()
    return about


def _about(work: Work, sweeps: int, change: float) -> dict[str, Any]:
    return {
        "version": FORM, "game": knucklebones.ID, "rules": knucklebones.VERSION, "columns": work.columns,
        "objective": work.objective, "one": ONE, "sweeps": sweeps, "change": change, "settled": change <= work.settled,
    }  # fmt: skip


def write(file: Path, about: dict[str, Any], work: Work) -> dict[str, Any]:
    """All or nothing: whoever looks finds the old file or the new one, and never half of it. What it says of itself
    then."""
    file.parent.mkdir(parents=True, exist_ok=True)
    half = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        with half.open("wb") as out:
            out.write(bytes(PAGE))
            check = 0
            for piece in _pieces(work):
                data = work.get(*piece).astype("<u2", copy=False).data
                out.write(data)
                check = zlib.crc32(data, check)
            about = {**about, "crc32": check}
            out.seek(0)
            out.write(head_bytes(about))
        half.replace(file)
    finally:
        half.unlink(missing_ok=True)
    return about


def _clear(file: Path) -> None:
    """Away with what solves into the file had half written when they were killed: with three columns, 10 GB each."""
    for left in file.parent.glob("*.*") if os.name == "posix" else ():
        name, _, process = left.name.rpartition(".")
        if name == file.name and process.isdigit():
            try:
                os.kill(int(process), 0)
            except ProcessLookupError:
                left.unlink(missing_ok=True)
            except OSError:  # it runs, and is somebody else's
                continue


def _resume(file: Path, work: Work) -> dict[str, Any] | None:
    """Take the values that an earlier solve left in the file; None if there is no file."""
    if not file.exists():
        return None
    about = read_head(str(file))
    if (about["columns"], about["objective"]) != (work.columns, work.objective):
        raise InvalidOption("file", f"{excerpt(str(file), 80)} holds another game of Knucklebones; name another file")
    check = 0
    with file.open("rb") as source:
        source.seek(PAGE)
        for table, start, end in _pieces(work):
            data = source.read(2 * (end - start))
            check = zlib.crc32(data, check)
            work.put(table, start, np.frombuffer(data, "<u2"))
    if check != about["crc32"]:
        raise InvalidOption("file", f"{excerpt(str(file), 80)} is damaged; delete it and solve again")
    return about


def _pieces(work: Work) -> Iterator[tuple[int, int, int]]:
    """Of which table, from where and to where."""
    count = span(work.columns)[1]
    for table in range(TABLES[work.objective]):
        for start in range(0, count, PIECE):
            yield table, start, min(start + PIECE, count)
