"""`dicehall solve knucklebones --out FILE`: every position of classic Knucklebones, into a file."""

from __future__ import annotations

import json
import math
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from dicehall import streams
from dicehall.errors import InvalidOption, not_written
from dicehall.rules import knucklebones
from dicehall.rules.catalog import AnyGame

if TYPE_CHECKING:
    from dicehall.solve.knucklebones.blocks import Work
    from dicehall.solve.knucklebones.file import Swept


def solve_every_position(
    game: AnyGame, file: Path, columns: int = 3, objective: str = "win-draw-half", backend: str = "cpu",
    as_json: bool = False,
) -> int:  # fmt: skip
    """Solve the game with so many `columns` into the file, or go on with an earlier solve that the file holds; the
    `backend` is cpu or gpu."""
    if game.id != knucklebones.ID:
        raise InvalidOption("out", f"a file of every position is there of {knucklebones.ID} alone; see --book and --to")
    from dicehall.coach.knucklebones.table import ONE, Table
    from dicehall.solve.knucklebones.file import solve_into

    began = time.monotonic()
    work = _work(columns, objective, backend)
    try:
        about = solve_into(file, work, (lambda _: None) if as_json else _Lines(file.name, work.settled))
    except OSError as error:
        raise not_written(file, error) from None
    start = Table(str(file)).units([()] * columns, [()] * columns) / ONE
    told = {
        "file": str(file), "bytes": file.stat().st_size, "columns": columns, "objective": objective,
        "sweeps": about["sweeps"], "unit": 1 / ONE, "change": about["change"], "off": about["off"],
        "wrong_by": about["wrong_by"], "start": start, "seconds": round(time.monotonic() - began, 3),
    }  # fmt: skip
    if as_json:
        sys.stdout.write(json.dumps(told) + "\n")
        return 0
    off = f"every value follows from its neighbours to {about['off'] / ONE:.6f}"
    if about["wrong_by"] is not None:
        off += f" and is wrong by {about['wrong_by'] / ONE:.5f} at most"
    sys.stdout.write(
        f"{file.name}: {told['bytes']:,} bytes after {told['sweeps']} sweeps in {told['seconds']:.1f} s; "
        f"the start is worth {start:.5f}; {off}\n"
    )
    return 0


def _work(columns: int, objective: str, backend: str) -> Work:
    if backend == "gpu":
        from dicehall.solve.knucklebones.gpu import GpuSweeps

        return GpuSweeps(columns, objective)
    from dicehall.solve.knucklebones.cpu import Sweeps

    return Sweeps(columns, objective)


class _Lines:
    """How far it is: a line now and then, and none about a solve that is quick."""

    def __init__(self, name: str, settled: float) -> None:
        self._name, self._settled, self._told = name, settled, time.monotonic()
        self._before = 0.0

    def __call__(self, swept: Swept) -> None:
        from dicehall.coach.knucklebones.table import ONE

        left = ""
        if (
            self._settled < swept.change < self._before
        ):  # every sweep leaves about the same share of the change of the one before
            more = math.log(self._settled / swept.change) / math.log(swept.change / self._before)
            left = f", about {more * swept.seconds:.0f} s left"
        self._before = swept.change
        if time.monotonic() >= self._told + streams.PAUSE:
            self._told = time.monotonic()
            change = f"changed values by {swept.change / ONE:.6f} at most"
            streams.complain(f"{self._name}: sweep {swept.number} {change}; {swept.seconds:.1f} s{left}\n")
