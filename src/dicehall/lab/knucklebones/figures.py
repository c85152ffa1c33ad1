"""Measures classic Knucklebones on a GPU, from the exact values: who loses how much, and what there is to know.

    python -m dicehall.lab.knucklebones.figures MEASURED.json

It takes five minutes on one NVIDIA H200; the machine needs CuPy and 100 GB.

Whoever plays is measured against perfect play and against the best reply there is to him, over all positions, as the
seat that begins and as the other one: by how many percentage points less he wins than perfect play would, a draw
counting one half. Positions *of perfect play* are those that perfect players come to, drawn at random. What is found is
written after every line.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import cupy
import numpy as np

from dicehall.bots.knucklebones import WIDTHS
from dicehall.coach.book import packaged_book
from dicehall.coach.knucklebones.network import BOOK, BOOK_VERSION, DICE, ONE
from dicehall.coach.knucklebones.pairs import EMPTY, NO_MOVE, pairs
from dicehall.dice import FACES
from dicehall.lab.knucklebones.leads import POINTS
from dicehall.lab.knucklebones.measure import UNKNOWN, Measure, Tables
from dicehall.lab.knucklebones.packing import read_network
from dicehall.lab.knucklebones.players import likings, pairs_of
from dicehall.lab.knucklebones.teach import AT_ONCE, WALKERS, Walkers
from dicehall.rules import knucklebones
from dicehall.solve.knucklebones.gpu import GpuSweeps

SETTLED: Final = 3e-5  # of 1, the largest change of the last sweep
LOSES_NOTHING: Final = 1e-6  # the exact values are wrong by so much
SURPRISES: Final = 2000
# Those that docs/knucklebones.md tells of: the columns of the seat that rolls, the other's, and the die.
TOLD: Final = (
    ("45/-/145", "666/35/-", 5), ("346/2/36", "1/13/444", 3), ("66/135/-", "455/-/123", 4), ("44/-/-", "356/2/1", 3),
)  # fmt: skip
# Dice after which games that began together are no longer at the same die: a game takes 28, give or take four.
DRAWN: Final = 2000
CHOSEN: Final = 400_000  # positions of perfect play in which choices are counted
SOME: Final = 400  # that tests compare with


class Figures:
    """What is measured, line by line."""

    def __init__(self, file: Path) -> None:
        self._file, self._began, self.found = file, time.monotonic(), dict[str, Any]()

    def add(self, name: str, found: Any) -> None:
        cupy.cuda.Device().synchronize()
        self.found[name] = found
        self.found["seconds"] = round(time.monotonic() - self._began, 1)
        self._file.write_text(json.dumps(self.found, default=float) + "\n")
        shown = json.dumps(found, default=float)
        sys.stdout.write(f"{self.found['seconds']:6.1f} s  {name}: {shown[:200]}\n")
        sys.stdout.flush()


def edges(measure: Measure, tables: Tables) -> list[float]:
    """In percentage points: what whoever the tables are of gives away as the seat that begins, and as the other; and
    the sweeps that it took."""
    fair = float(measure.values[measure.start])
    first, second = float(tables.mine[measure.start]), float(tables.theirs[measure.start])
    return [100 * (fair - first), 100 * (1 - fair - second), tables.sweeps]


def main() -> None:
    figures = Figures(Path(sys.argv[1]))
    figures.add("network", packaged_book(BOOK, BOOK_VERSION, knucklebones.VERSION).about["crc32"])
    solved = GpuSweeps(3)
    solved.certain()
    sweeps = 1
    while solved.sweep() > solved.settled:
        sweeps += 1
    figures.add("solved", {"sweeps": sweeps, "settled": solved.settled})
    measure = Measure(solved)
    figures.add("longest game: found, and at most", measure.longest())
    walkers = Walkers(solved.tables[0], (0,), 0, 9)
    for _ in range(DRAWN * WALKERS // AT_ONCE):
        walkers.step()
    positions = walkers.where
    for name, found in of_positions(measure, positions):
        figures.add(name, found)

    part, some = positions[:CHOSEN], positions[-SOME:]
    places, seen = measure.rolling(some), list[list[int]]()
    score, whole = measure.judged(read_network()), ONE
    for dice in range(DICE + 1):
        if dice:
            score, whole = measure.ahead(score, whole), whole * 6
        figures.add(f"choices {dice} dice ahead", of_choices(measure, part, score, whole))
        figures.add(f"off {dice} dice ahead", measure.off(score, whole))
        seen.append(score[places].get().tolist())
    exact = measure.values[places].get().tolist()
    figures.add(
        "some positions",
        [
            {"pairs": three, "exact": value, "judged": judged}
            for three, value, judged in zip(some.get().tolist(), exact, zip(*seen, strict=True), strict=True)
        ],
    )
    before = measure.ahead(score, whole)
    figures.add("off before a roll", measure.off(before, whole * 6))
    figures.add("off before a roll, of perfect play", of_play(measure, part, before, whole * 6))
    del before

    # floats that are not negative are in the order of their bits
    perfect, best_reply = measure.by_score(measure.values.view(np.int32)), measure.best_reply()
    distilled = measure.by_score(score)
    tables = measure.against(distilled, perfect, SETTLED / 10)
    figures.add("perfect", edges(measure, tables))
    tables = measure.against(distilled, best_reply, SETTLED / 10, tables)
    figures.add("perfect, best reply", edges(measure, tables))
    by_rule = {name: measure.by_liking(liking) for name, liking in likings().items()}
    rungs = {
        f"level:{rung}": measure.blurred(score, whole, width / 10**6)
        for rung, width in sorted(enumerate(WIDTHS["win"], 1), reverse=True)
    }
    for name, play in (rungs | by_rule).items():  # each beginning with the tables of the one before
        tables = measure.against(play, perfect, SETTLED, tables)
        figures.add(name, edges(measure, tables))


def of_positions(measure: Measure, positions: Any) -> Iterator[tuple[str, Any]]:
    """Figures of perfect play itself."""
    start, empty = float(measure.values[measure.start]), EMPTY
    yield "start", start
    known = pairs()
    first, replies = [], []
    for die in FACES:
        placed = known.after[empty][die - 1]
        facing = known.turned[placed]
        first.append(1 - measure.value(placed, empty, empty))
        replies.append(
            [[1 - measure.value(known.after[facing][other - 1], empty, empty),
              1 - measure.value(facing, known.after[empty][other - 1], empty)] for other in FACES]
        )  # fmt: skip
    yield "first die", first
    yield "reply to it, by its face and the die's: facing it, or elsewhere", replies

    yield (
        "surprising positions",
        [{"mine": mine, "theirs": theirs, "die": die, "worth": worth(measure, mine, theirs, die)}
         for mine, theirs, die in TOLD],
    )  # fmt: skip

    lead = measure.solved.lead
    dice = cupy.asarray(np.array([len(mine) + len(theirs) for mine, theirs in known.known] + [0], np.int32))
    ahead = cupy.clip(sum(lead[positions[:, i]] for i in range(3)), -POINTS, POINTS) + POINTS
    on_board = sum(dice[positions[:, i]] for i in range(3))
    worth = measure.values[measure.rolling(positions)]
    cell = on_board * (2 * POINTS + 1) + ahead
    size = (2 * 9 + 1) * (2 * POINTS + 1)
    count, total = cupy.bincount(cell, minlength=size), cupy.bincount(cell, weights=worth, minlength=size)
    yield "by dice and lead: how many", count.reshape(19, -1).get().tolist()
    yield "by dice and lead: worth together", np.round(total.reshape(19, -1).get(), 3).tolist()

    choices = measure.choices(positions)
    exact = cupy.where(choices.room, measure.values[choices.places], 9)
    gain = cupy.asarray(np.array(likings()["greedy"], np.int32))
    now = cupy.where(choices.room, cupy.stack([gain[positions[:, i]] for i in range(3)], 2), -999)
    greedy = now.argmax(2)
    only = (now == now.max(2, keepdims=True)).sum(2) == 1
    loss = cupy.take_along_axis(exact, greedy[..., None], 2)[..., 0] - exact.min(2)
    yield "greedy: the share of choices that lose nothing", float((loss < LOSES_NOTHING).mean())
    worst = cupy.argsort(-(loss * only).ravel())[:SURPRISES].get()
    where, die = np.unravel_index(worst, (len(positions), len(FACES)))
    yield (
        "positions in which the best lead at once loses most",
        [
            {"pairs": positions[at].get().tolist(), "die": face + 1, "worth": (1 - exact[at, face]).get().tolist()}
            for at, face in zip(where.tolist(), die.tolist(), strict=True)
        ],
    )


def worth(measure: Measure, mine: str, theirs: str, die: int) -> list[float | None]:
    """By column: the chance of the seat that rolls, if it places the die there; None where there is no room."""
    known, here = pairs(), pairs_of(mine, theirs)
    found: list[float | None] = []
    for column, pair in enumerate(here):
        to = known.after[pair][die - 1]
        then = (*here[:column], to, *here[column + 1 :])
        found.append(None if to == NO_MOVE else 1 - measure.value(*then))
    return found


def of_choices(measure: Measure, positions: Any, score: Any, whole: int) -> dict[str, float]:
    """How whoever takes the least `score` chooses in positions of perfect play."""
    choices = measure.choices(positions)
    exact = cupy.where(choices.room, measure.values[choices.places], 9)
    own = cupy.where(choices.room, score[choices.places], 1 << 30)
    loss = cupy.take_along_axis(exact, own.argmin(2)[..., None], 2)[..., 0] - exact.min(2)
    many = choices.room.sum(2) > 1
    loss = loss[many]
    off = abs(score[choices.places][choices.room] / np.float64(whole) - measure.values[choices.places][choices.room])
    return {
        "lose nothing": float((loss < LOSES_NOTHING).mean()), "lose": float(loss.mean()), "most": float(loss.max()),
        "off": float(off.mean()), "off most": float(off.max()),
    }  # fmt: skip


def of_play(measure: Measure, positions: Any, score: Any, whole: int) -> dict[str, float]:
    """How far a score is off before the roll, in positions of perfect play."""
    places = measure.rolling(positions)
    assert int((score[places] == UNKNOWN).sum()) == 0
    off = abs(score[places] / np.float64(whole) - measure.values[places])
    return {"mean": float(off.mean()), "most": float(off.max())}


if __name__ == "__main__":
    main()
