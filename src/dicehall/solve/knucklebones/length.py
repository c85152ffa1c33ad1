"""How long a game of classic Knucklebones lasts on average if both seats do all they can to make it last.

No two players take longer, so this is what a bound on the errors of solved values stands on (`file`).

    python -m dicehall.solve.knucklebones.length 2      with two columns; three take 10 GB
"""

from __future__ import annotations

import math
import sys
import time
from typing import Final

import numpy as np

from dicehall.coach.knucklebones.table import ONE
from dicehall.solve.knucklebones.blocks import blocks
from dicehall.solve.knucklebones.cpu import Sweeps, batches, compiled_pairs
from dicehall.solve.knucklebones.rows import store

STEP: Final = 250  # units that a die takes: no more than 262 of them fit into a value


class Lengths(Sweeps):
    """A value is ONE, less a STEP for each die to come."""

    step = STEP

    def certain(self) -> None:
        (values,) = self.tables
        values[:] = ONE
        self._found[:] = 6 * (ONE - STEP)
        for block in blocks(self.columns):
            if block.is_last:
                for batch in batches(block):
                    store(values, self.first, self._found, *batch, block.a.first, compiled_pairs().turned, False)

    def longest(self) -> float:
        """Of all positions; once settled, not less than it is. A value is then off by a unit and a half, at most: half
        of one is rounded, and no neighbour has changed by more than one since. That makes so much for each die."""
        least = int(min(values.min() for values in np.array_split(self.tables[0], 100)))
        return (ONE - least) / STEP / (1 - 1.5 / STEP) if least else math.inf


def main() -> None:
    work = Lengths(int(sys.argv[1]))
    work.certain()
    change = ONE
    while change > work.settled:
        began = time.monotonic()
        change = work.sweep()
        seconds = time.monotonic() - began
        sys.stdout.write(f"change {change / STEP:.3f}, {work.longest():.4f} dice, {seconds:.1f} s\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
