"""What perfect play of Knucklebones-lite solo for the score ends with: in how many ways each score comes.

Ways are those of `lite_solo.py`: 6^9 courses of the dice, with the token 6^10. From the full board back to the empty
one every die goes where the points still to come are highest on average, and a board's ways to each number of points
are those of the boards it becomes, moved by what was gained at once.

Between moves that are equally good on average the steadier one is chosen, whose points spread less; between those, the
one that leans more to high scores, by the third power of the distance from the mean. What is still equal then has the
very same ways to every score; that is checked for each board.

    dicehall solve lite-solo      builds the book that `dicehall.coach.percentile` reads
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from dicehall.coach.lite_solo.distribution import BOOK, BOOK_VERSION
from dicehall.rules import lite_solo
from dicehall.solve.lite_solo import WILDS, Layer, Numbers, PerfectPlay, perfect_play, row_points
from dicehall.solve.lite_solo import books as perfect_play_books
from dicehall.solve.workshop import BookPlan, Solver

TITLES: Final = tuple(f"{lines} {wild} {name}" for lines in ("rows", "columns") for wild in WILDS
                      for name in ("plain", "token"))  # fmt: skip
AT_ONCE: Final = 2000  # boards that are worked on together; many more would not fit the processor's cache


class Ends(NamedTuple):
    """Of the boards of a layer before a roll: in how many ways 0, 1, 2, ... points are still to come."""

    ways: Numbers  # [board, points]
    powers: Numbers  # [board, n]: the points to the power of n, added up over all ways


def results(play: PerfectPlay, wild: str) -> Iterator[tuple[Ends, Ends]]:
    """Layer by layer of `play`, from the boards with one empty cell to the empty one: without the token and with it."""
    points, ways = row_points(wild), np.eye(1, play.highest(wild) + 1, dtype=np.int32)
    plain, token = _ends(ways), _ends(6 * ways)
    for layer in reversed(play.layers):
        gained = points[layer.row] + points[layer.column]
        plain = _step(layer, gained, plain, None)
        token = _step(layer, gained, token, plain)
        yield plain, token


def _ends(ways: Numbers) -> Ends:
    points = np.arange(ways.shape[1], dtype=np.int64)
    return Ends(ways, ways.astype(np.int64) @ np.stack([points**power for power in range(4)], axis=1))


def _step(layer: Layer, gained: Numbers, after: Ends, rerolled: Ends | None) -> Ends:
    becomes = layer.becomes
    if rerolled is not None:  # one choice more: the same board, without the token
        after = Ends(*[np.concatenate(both) for both in zip(after, rerolled, strict=True)])
        again = np.arange(len(after.ways) - len(becomes), len(after.ways)).reshape(-1, 1, 1)
        becomes = np.concatenate([becomes, np.tile(again, (1, 6, 1))], axis=2)
        gained = np.concatenate([gained, 0 * gained[:, :, :1]], axis=2)
    ways = np.zeros((len(becomes), after.ways.shape[1]), np.int32)
    for die in range(6):
        to, more = becomes[:, die], gained[:, die]
        count, total, squares, cubes = np.moveaxis(after.powers[to], 2, 0)
        # Equal means have the same order of spreads, whether points are counted from zero or from the mean.
        keys = (
            total + more * count,
            -(squares + more * (2 * total + more * count)),
            cubes + more * (3 * squares + more * (3 * total + more * count)),
        )
        best: Numbers = np.ones(to.shape, bool)
        for key in keys:
            best &= key == np.where(best, key, np.iinfo(np.int64).min).max(axis=1, keepdims=True)
        chosen = best.argmax(axis=1)
        boards = np.arange(len(to))
        found = _moved(after.ways, to[boards, chosen], more[boards, chosen])
        equal, other = np.nonzero(best & (np.arange(best.shape[1]) != chosen[:, None]))
        for start in range(0, len(equal), AT_ONCE):
            some = equal[start : start + AT_ONCE], other[start : start + AT_ONCE]
            assert (_moved(after.ways, to[some], more[some]) == found[some[0]]).all(), "a choice that is not decided"
        ways += found
    return _ends(ways)


def _moved(ways: Numbers, boards: Numbers, gained: Numbers) -> Numbers:
    """The ways of some boards, with `gained` points more for each."""
    before = np.arange(ways.shape[1]) - gained[:, None]
    return np.where(before < 0, 0, ways[boards[:, None], before])


def books() -> list[BookPlan]:
    return [BookPlan(BOOK, TITLES, _part, _bound)]


def _part(title: str) -> bytes:
    """The lowest score, then in how many ways it comes, the next one, and so on."""
    lines, wild, name = title.split(" ")
    (ways,) = _solved(lines == "columns", wild)[name == "token"].ways
    scores = np.flatnonzero(ways)
    return json.dumps([int(scores[0]), *ways[scores[0] : scores[-1] + 1].tolist()]).encode()


@lru_cache(maxsize=1)  # two parts come of it, one after the other
def _solved(columns: bool, wild: str) -> tuple[Ends, Ends]:
    *_, empty = results(perfect_play(columns), wild)
    return empty


def _bound(parts: dict[str, bytes]) -> bytes:
    """A line that says what it is, then one line for each variant."""
    body = b"".join(parts[title] + b"\n" for title in TITLES)
    about = {"version": BOOK_VERSION, "game": lite_solo.ID, "rules": lite_solo.VERSION, "crc32": zlib.crc32(body)}
    return json.dumps({**about, "parts": TITLES}).encode() + b"\n" + body


SOLVER: Final = Solver(lambda: [*perfect_play_books(), *books()])
