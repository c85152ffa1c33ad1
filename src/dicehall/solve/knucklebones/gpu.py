"""Classic Knucklebones solved on a GPU, in single precision: `dicehall solve knucklebones --backend gpu`.

It needs CuPy, and nothing else of what solving on a CPU does. Three columns take 20 GB of the GPU's memory, or 39 for
wins alone. The file it writes is the same as the CPU's, in 16-bit fixed point.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cupy
import numpy as np

from dicehall.coach.knucklebones.pairs import pairs, span
from dicehall.coach.knucklebones.table import ONE, WIN_DRAW_HALF
from dicehall.solve.knucklebones.blocks import DRAWS, Block, Numbers, blocks

SOURCE: Final = Path(__file__).with_suffix(".cu")
SETTLED: Final = 3e-7
SINGLE: Final = 2e-7  # what adding up six values in single precision may leave out
THREADS: Final = 128  # side by side
LIVE, LAST, OVER = range(3)  # as in the source


class GpuSweeps:
    """A `Work` on a GPU."""

    settled = SETTLED * ONE
    rounded = 0.5

    def __init__(self, columns: int, objective: str = WIN_DRAW_HALF) -> None:
        self.columns, self.objective = columns, objective
        self.draws = [draw / ONE for draw in DRAWS[objective]]
        self.first, count = span(columns)
        self.tables = [cupy.full(count, 0.5, np.float32) for _ in self.draws]
        known = pairs()
        self.after, self.turned, self.lead = (
            cupy.asarray(np.array(each, np.int32)) for each in (known.after, known.turned, known.lead)
        )
        self.most = cupy.zeros(1, np.float32)
        self.kernel = cupy.RawModule(code=SOURCE.read_text()).get_function("sweep")

    def certain(self) -> None:
        for block in blocks(self.columns):
            if block.is_over or block.is_last:
                self._sweep_block(block, OVER if block.is_over else LAST)

    def sweep(self) -> float:
        self.most.fill(0)
        for block in blocks(self.columns):
            if block.is_live:
                self._sweep_block(block, LIVE)
        return float(self.most[0]) * ONE

    def off(self) -> float:
        """No more than what changes: a sweep in place changes a value and then, no more than that, its neighbours."""
        return self.sweep() + SINGLE * ONE

    def _sweep_block(self, block: Block, kind: int) -> None:
        a, b, c = block
        grid = (a.last - a.first + THREADS - 1) // THREADS, b.last - b.first, c.last - c.first
        for mine, theirs, draw in zip(self.tables, reversed(self.tables), self.draws, strict=True):
            bounds = np.int32(a.first), np.int32(a.last), np.int32(b.first), np.int32(c.first)
            rest = np.int32(kind), np.float32(draw), self.after, self.turned, self.lead, self.most
            self.kernel(grid, (THREADS,), (mine, theirs, np.int64(self.first), *bounds, *rest))

    def get(self, table: int, start: int, end: int) -> Numbers:
        found: Numbers = cupy.asnumpy(self.tables[table][start:end])
        units: Numbers = np.rint(found * np.float32(ONE))
        return units.astype(np.uint16)

    def put(self, table: int, start: int, numbers: Numbers) -> None:
        values = cupy.asarray(numbers.astype(np.float32) / np.float32(ONE))
        self.tables[table][start : start + len(numbers)] = values
