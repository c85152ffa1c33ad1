"""Teaches the network that judges positions of classic Knucklebones, on a GPU, from the exact values.

    python -m dicehall.lab.knucklebones.teach FILE      into this book; four minutes on one NVIDIA H200

`dicehall.coach.knucklebones.network` says what the network is. It learns from games that perfect players play against
themselves on the GPU, all the time anew, with moves anywhere now and then, so that it also knows positions that good
play avoids; of each it sees all that could have been placed. Towards the end its weights are rounded while it learns,
so that it learns to live with that. Sums of floats come in another order every time: two networks are never the same,
but equally good. What it costs to play by one is measured by `python -m dicehall.lab.knucklebones.figures`.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import cupy
import numpy as np

from dicehall.coach.knucklebones.network import MOST, UNITS, ZERO
from dicehall.coach.knucklebones.pairs import EMPTY, NO_PAIR, index, pairs
from dicehall.lab.knucklebones.packing import Taught, bind, curve_of
from dicehall.rules.knucklebones import SLOTS
from dicehall.solve.knucklebones.gpu import SOURCE as SWEEP
from dicehall.solve.knucklebones.gpu import GpuSweeps

SOURCE: Final = Path(__file__).with_suffix(".cu")
WALKERS: Final = 1 << 20
AT_ONCE: Final = 1 << 15  # walkers that take a step between two steps of learning
ANYWHERE: Final = (0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)  # of the moves of a walker
THREADS: Final = 256
LARGEST: Final = ZERO - 1  # of a weight, as a whole number


class Lesson(NamedTuple):
    seconds: float = 190
    rate: float = 2e-3
    rounded: float = 0.75  # the part of the time after which weights are rounded
    odd: int = 1  # of 16 games, those that begin anywhere
    blend: float = 0.03  # how much more it counts to be right about what is certain


def teach(lesson: Lesson, values: Any, seed: int, tell: Callable[[str], None]) -> Taught:
    """`values` are those of `GpuSweeps`, of three columns; `tell` hears how far it is."""
    rows = -(-(NO_PAIR + 1) // THREADS) * THREADS  # more than there are pairs, so that blocks of threads are full
    module = _module(UNITS, lesson.blend)
    learn, adam = module.get_function("learn"), module.get_function("adam")
    walkers = Walkers(values, ANYWHERE, lesson.odd, seed)
    for _ in range(64 * WALKERS // AT_ONCE):
        walkers.step()
    cupy.random.seed(seed)
    weights = cupy.random.standard_normal((rows, UNITS), np.float32) * 0.03
    judging, change, mean, square = weights.copy(), *(cupy.zeros_like(weights) for _ in range(3))
    off, scale, one, steps, speed = cupy.zeros(2, np.float64), None, 0.0, 0, 0.0
    rounding = cupy.zeros(UNITS, np.float32)  # of each unit; nothing until the weights are rounded
    count, began = np.int32(3 * AT_ONCE), time.monotonic()
    while True:
        if steps % 500 == 0:
            cupy.cuda.Device().synchronize()
            done = (time.monotonic() - began) / lesson.seconds
            if steps % 50_000 == 0 and steps:
                miss, seen = off.get()
                off.fill(0)
                tell(f"{min(done, 1):4.0%}, {steps} steps: off by {math.sqrt(miss / seen):.5f}")
            if done >= 1:
                break
            if scale is None and done >= lesson.rounded:
                one = LARGEST / float(abs(weights).max())
                scale = _scales(weights * one)
                rounding = (scale / one).astype(np.float32)
            speed = lesson.rate * min(done / 0.03, 1) * 0.5 * (1 + math.cos(math.pi * done)) + 1e-7
        steps += 1
        walkers.step()
        learn((count * 32 // THREADS,), (THREADS,), (walkers.seen, walkers.worth, count, judging, change, off))
        fixes = 1 / (1 - 0.9 ** min(steps, 1000)), 1 / (1 - 0.999 ** min(steps, 100_000))
        rates = np.float32(speed), *map(np.float32, fixes)
        adam(
            (rows * UNITS // THREADS,), (THREADS,),
            (weights, judging, change, mean, square, *rates, rounding, np.float32(MOST)),
        )  # fmt: skip
    assert scale is not None
    numbers = cupy.clip(cupy.rint(judging / rounding), -MOST, MOST).astype(np.int32)
    return Taught(numbers.get()[:NO_PAIR], scale.get().astype(np.int32), curve_of(one), opening(values))


def opening(values: Any) -> list[float]:
    """The chance of the seat that rolls next, by the first die of a game."""
    return [float(values[index(placed, EMPTY, EMPTY)]) for placed in pairs().after[EMPTY]]


def _module(units: int, blend: float) -> Any:
    options = (f"-DUNITS={units}", f"-DBLEND={float(blend)}f")
    return cupy.RawModule(code=SWEEP.read_text() + SOURCE.read_text(), options=options)


def _scales(weights: Any) -> Any:
    """For each unit the whole number that costs least if its weights are rounded to multiples of it."""
    highest = abs(weights).max(axis=0)
    best, least = cupy.zeros(UNITS), cupy.full(UNITS, cupy.inf)
    for part in np.linspace(0.1, 1.0, 46):
        size = cupy.clip(cupy.ceil(highest * part / MOST), 1, LARGEST // MOST)
        rounded = cupy.clip(cupy.rint(weights / size), -MOST, MOST) * size
        error = ((rounded - weights) ** 2).sum(axis=0)
        best = cupy.where(error < least, size, best)
        least = cupy.minimum(error, least)
    return best


class Walkers:
    """Games that go on, `AT_ONCE` of them a step further with each call."""

    def __init__(self, values: Any, anywhere: Sequence[float], odd: int, seed: int) -> None:
        """`anywhere` are the parts of their moves that are not perfect, in turn; of 16 games, `odd` begin anywhere."""
        known = pairs()
        full = [(len(mine) == SLOTS) + 2 * (len(theirs) == SLOTS) for mine, theirs in known.known] + [3]
        self.walk = _module(4, 0).get_function("walk")
        self.values, self.odd, self.at = values, odd, 0
        self.after, self.turned, self.full = (
            cupy.asarray(np.array(each, np.int32)) for each in (known.after, known.turned, full)
        )
        self.where = cupy.full((WALKERS, 3), EMPTY, np.int32)
        self.dice = cupy.asarray(np.random.default_rng(seed).integers(1, 1 << 32, WALKERS, np.uint32))
        shares = np.array(anywhere)[np.arange(WALKERS) % len(anywhere)]
        self.anywhere = cupy.asarray((65536 * shares).astype(np.int32))
        self.seen = cupy.zeros((3 * AT_ONCE, 3), np.uint16)
        self.worth = cupy.zeros(3 * AT_ONCE, np.float32)

    def step(self) -> None:
        self.walk(
            (AT_ONCE // THREADS,), (THREADS,),
            (self.where, self.dice, self.anywhere, np.int32(self.at), np.int32(AT_ONCE), self.values, self.after,
             self.turned, self.full, np.int32(EMPTY), np.int32(self.odd), self.seen, self.worth),
        )  # fmt: skip
        self.at = (self.at + AT_ONCE) % WALKERS


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def main() -> None:
    solved = GpuSweeps(3)
    solved.certain()
    while solved.sweep() > solved.settled:
        pass
    network = teach(Lesson(), solved.tables[0], 1, _tell)
    Path(sys.argv[1]).write_bytes(bind(network))


if __name__ == "__main__":
    main()
