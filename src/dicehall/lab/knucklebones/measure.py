"""Measures exactly, over all positions of classic Knucklebones, how good somebody is, on a GPU.

Whoever it is, the placements have to follow from a table: of scores by position (the network, or perfect play), of
likings by pair and die (whoever looks at one column at a time), or of scores and a blur (the rungs of the ladder). Both
seats' values are then swept until they hold still.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import cupy
import numpy as np

from dicehall.coach.knucklebones.network import ONE
from dicehall.coach.knucklebones.pairs import EMPTY, NO_PAIR, index, span
from dicehall.dice import FACES
from dicehall.lab.knucklebones.packing import Taught
from dicehall.lab.knucklebones.players import STEPS, taken_table
from dicehall.solve.knucklebones.blocks import Block, blocks
from dicehall.solve.knucklebones.gpu import LAST, LIVE, OVER, THREADS, GpuSweeps
from dicehall.solve.knucklebones.gpu import SOURCE as SWEEP

SOURCE: Final = Path(__file__).with_suffix(".cu")
UNKNOWN: Final = -1
MOST_SWEEPS: Final = 60
PIECE: Final = 1 << 27

Play = Callable[[Block, Any, Any], None]  # makes the values in a block in which they roll, from those when others do


class Choices(NamedTuple):
    """Every die in some positions: the places of all that can follow, and whether there is room."""

    places: Any  # [position, die - 1, column]
    room: Any


class Tables(NamedTuple):
    """What the first player may expect, in every position: when he rolls, and when the other does."""

    mine: Any
    theirs: Any
    sweeps: int = 0  # that made them; MOST_SWEEPS: they may not have settled


class Measure:
    """How good anybody is whose placements follow from a table."""

    def __init__(self, solved: GpuSweeps) -> None:
        self.solved, self.values = solved, solved.tables[0]
        columns = solved.columns
        self.start = index(*[EMPTY] * columns, *[NO_PAIR] * (3 - columns)) - span(columns)[0]
        self._first = np.int64(solved.first)
        self._module = cupy.RawModule(code=SWEEP.read_text() + SOURCE.read_text(), options=("--use_fast_math",))
        self._most = cupy.zeros(1, np.float32)

    # what a network says
    def judged(self, network: Taught) -> Any:
        """What the network says of every position, and where nothing is left to judge, the truth; of ONE."""
        units = network.numbers.shape[1]
        whole = network.numbers.astype(np.int32) * network.scale
        fours = np.ascontiguousarray(whole.reshape(-1, units // 4, 4).transpose(1, 0, 2)).astype(np.int16)
        limit, curve = len(network.curve) - 1, np.concatenate([ONE - network.curve[:0:-1], network.curve])
        found = cupy.full(len(self.values), UNKNOWN, np.int32)
        weights, curve = cupy.asarray(fours), cupy.asarray(curve.astype(np.int32))
        judge, look, s = self._kernel("judge"), self._kernel("look_ahead"), self.solved
        for block in blocks(s.columns):  # here `free` are slots of the seat that waits
            rest = weights, np.int32(units // 4), np.int32(len(whole)), curve, np.int32(limit)
            if block.facing:
                judge(*_grid(block), (found, self._first, *_bounds(block), *rest), shared_mem=4 * units)
        for block in blocks(s.columns):
            if block.is_over or block.is_last:
                rest = np.int32(_kind(block)), np.int32(ONE // 6), s.after, s.turned, s.lead
                look(*_grid(block), (found, found, self._first, *_bounds(block), *rest))
        return found

    def ahead(self, judged: Any, whole: int) -> Any:
        """One exact step more: in parts of 6 * whole."""
        found, s, look = cupy.full_like(judged, UNKNOWN), self.solved, self._kernel("look_ahead")
        for block in blocks(s.columns):
            if block.is_over or block.is_last or block.is_live:
                rest = np.int32(_kind(block)), np.int32(whole), s.after, s.turned, s.lead
                look(*_grid(block), (found, judged, self._first, *_bounds(block), *rest))
        return found

    def off(self, judged: Any, whole: int) -> dict[str, float]:
        """How far these values are from the truth, over all positions."""
        count, total, square, most = 0, 0.0, 0.0, 0.0
        for start in range(0, len(judged), PIECE):
            part = slice(start, start + PIECE)
            known = judged[part] != UNKNOWN
            off = abs(judged[part].astype(np.float32) / np.float32(whole) - self.values[part]) * known
            count += int(known.sum())
            total += float(off.sum(dtype=np.float64))
            square += float(cupy.dot(off, off))
            most = max(most, float(off.max()))
        return {"positions": count, "mean": total / count, "rms": math.sqrt(square / count), "most": most}

    # how somebody plays
    def best_reply(self) -> Play:
        """As badly for the first player as can be."""
        return self._by_score(None)

    def by_score(self, score: Any) -> Play:
        """The least `score` to the other seat; of equals the worst for the first player."""
        return self._by_score(score)

    def _by_score(self, score: Any | None) -> Play:
        kernel, s = self._kernel("play_by_score"), self.solved

        def play(block: Block, mine: Any, theirs: Any) -> None:
            known = theirs if score is None else score
            rest = s.after, s.turned, self._most
            kernel(*_grid(block), (mine, theirs, known, self._first, *_bounds(block), *rest))

        return play

    def by_liking(self, liking: Any) -> Play:
        """What is liked most, of [pair, die - 1]; of equals each as often."""
        kernel, s, table = self._kernel("play_by_liking"), self.solved, cupy.asarray(np.array(liking, np.int32))

        def play(block: Block, mine: Any, theirs: Any) -> None:
            rest = s.after, s.turned, self._most
            kernel(*_grid(block), (mine, theirs, table, self._first, *_bounds(block), *rest))

        return play

    def blurred(self, score: Any, whole: int, width: float) -> Play:
        """A rung of the ladder that sees `score` through a blur of so wide draws, of one."""
        kernel, s, taken = self._kernel("play_blurred"), self.solved, cupy.asarray(taken_table())
        how = np.float32(whole), np.float32(width), taken, np.int32(STEPS)

        def play(block: Block, mine: Any, theirs: Any) -> None:
            rest = s.after, s.turned, self._most
            kernel(*_grid(block), (mine, theirs, score, *how, self._first, *_bounds(block), *rest))

        return play

    def swept(self, first: Play, second: Play, mine: Any, theirs: Any) -> float:
        """One sweep over what `first` may expect, when it rolls and when `second` does; the largest change."""
        self._most.fill(0)
        for block in blocks(self.solved.columns):
            if block.is_live:
                first(block, mine, theirs)
                second(block, theirs, mine)
        return float(self._most[0])

    def against(self, first: Play, second: Play, settled: float, tables: Tables | None = None) -> Tables:
        """What `first` may expect against `second`: swept until no value changes by more than `settled`, MOST_SWEEPS
        times at most. It begins with `tables`, of players much like these, which it changes, or with those of perfect
        play."""
        mine, theirs, _ = tables or self.tables()
        sweeps = 1
        while self.swept(first, second, mine, theirs) > settled and sweeps < MOST_SWEEPS:
            sweeps += 1
        return Tables(mine, theirs, sweeps)

    def tables(self) -> Tables:
        """Of perfect play."""
        return Tables(self.values.copy(), 1 - self.values)

    def value(self, a: int, b: int, c: int) -> float:
        """Of three pairs seen by the seat that has just moved, to the other one."""
        return float(self.values[index(a, b, c) - int(self._first)])

    def longest(self) -> tuple[float, float]:
        """How many dice a game takes if both make it last, as found, and what that is at most: a sweep adds no more
        than `change` to any position, so the truth is not above what was found, over 1 - change."""
        values, s, kernel = cupy.zeros(len(self.values), np.float32), self.solved, self._kernel("lasting")
        change = 1.0
        while change > 1e-3:
            self._most.fill(0)
            for block in blocks(s.columns):
                rest = np.int32(_kind(block)), s.after, s.turned, self._most
                kernel(*_grid(block), (values, values, self._first, *_bounds(block), *rest))
            change = float(self._most[0])
        most = float(values.max())
        return most, most / (1 - change)

    # some positions
    def choices(self, positions: Any) -> Choices:
        """All that can follow some `positions`: three pairs each, seen by the seat that rolls."""
        after = self.solved.after.reshape(-1, len(FACES))
        places, room = [], []
        for column in range(3):
            to = after[positions[:, column]]  # [position, die - 1]
            three = [to if i == column else cupy.broadcast_to(positions[:, i : i + 1], to.shape) for i in range(3)]
            room.append(to >= 0)
            places.append(cupy.where(to >= 0, places_of(*(cupy.maximum(pair, 0) for pair in three)), 0))
        return Choices(cupy.stack(places, 2) - int(self._first), cupy.stack(room, 2))

    def rolling(self, positions: Any) -> Any:
        """The places of some positions, seen as above, before the roll."""
        return places_of(*(self.solved.turned[positions[:, i]] for i in range(3))) - int(self._first)

    def _kernel(self, name: str) -> Any:
        return self._module.get_function(name)


def places_of(a: Any, b: Any, c: Any) -> Any:
    a, b, c = cupy.sort(cupy.stack([a, b, c]).astype(np.int64), axis=0)
    return a + b * (b + 1) // 2 + c * (c + 1) * (c + 2) // 6


def _kind(block: Block) -> int:
    return OVER if block.is_over else LAST if block.is_last else LIVE


def _grid(block: Block) -> tuple[tuple[int, int, int], tuple[int]]:
    a, b, c = block
    return ((a.last - a.first + THREADS - 1) // THREADS, b.last - b.first, c.last - c.first), (THREADS,)


def _bounds(block: Block) -> tuple[Any, ...]:
    a, b, c = block
    return np.int32(a.first), np.int32(a.last), np.int32(b.first), np.int32(c.first)
