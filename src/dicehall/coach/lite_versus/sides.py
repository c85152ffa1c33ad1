"""What matters of a seat in Knucklebones-lite versus.

Where rows score alone, a die's place in its row and a row's place on the board change nothing, and of a full row only
the points count. What is left of a board is a *side*.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from dicehall.dice import FACES
from dicehall.rules.lite_grid import ROWS, Board, score_row


class Side(NamedTuple):
    token: bool
    rows: tuple[tuple[int, ...], ...]  # the open ones, sorted, and sorted within
    high: int  # the highest die so far; 0 where that does not matter

    @property
    def empty(self) -> int:
        return 3 * len(self.rows) - sum(map(len, self.rows))


def side_of(board: Board, token: bool, high: bool, wild: str) -> tuple[Side, int]:
    """The side of a board, with its highest die if `high` dice break ties, and the points of the full rows."""
    lines = [tuple(sorted([board[cell] for cell in row if board[cell]])) for row in ROWS]
    points = sum([score_row(line, wild).score for line in lines if len(line) == 3])
    return Side(token, tuple(sorted([line for line in lines if len(line) < 3])), max(board) if high else 0), points


def side_bytes(side: Side) -> bytes:
    """As the books name it, in eight bytes: two dice of each row (7 where it is full), token, highest die."""
    rows = sorted([(0, 0, *row)[-2:] for row in side.rows] + [(7, 7)] * (3 - len(side.rows)))
    return bytes([*rows[0], *rows[1], *rows[2], side.token, side.high])


@lru_cache(maxsize=5000)
def choices(side: Side, wild: str) -> list[list[tuple[Side, int]]]:
    """By die: what the side can become, and the points of the row that this fills up. Rows alike are one.

    The side has dice already, so its highest one is 0 only where that does not matter.
    """
    found: list[list[tuple[Side, int]]] = [[] for _ in FACES]
    for die, row in product(FACES, dict.fromkeys(side.rows)):
        found[die - 1].append(with_die(side, row, die, max(side.high, die) if side.high else 0, wild))
    return found


def with_die(side: Side, row: tuple[int, ...], die: int, high: int, wild: str) -> tuple[Side, int]:
    """What the side becomes with `die` in one of its open rows, `high` being its highest die then; and the points of
    that row, if this fills it up."""
    rows, filled = list(side.rows), tuple(sorted((*row, die)))
    rows.remove(row)
    if len(filled) < 3:
        return Side(side.token, tuple(sorted([*rows, filled])), high), 0
    return Side(side.token, tuple(rows), high), score_row(filled, wild).score


def row_scores(wild: str) -> tuple[int, int]:
    """The least and the most that a full row scores."""
    scores = points_of(1, wild)
    return scores[0], scores[-1]


@cache
def points_of(full: int, wild: str) -> list[int]:
    """All points that so many full rows can have, the fewest first."""
    scores = {score_row(row, wild).score for row in product(FACES, repeat=3)}
    return sorted({sum(rows) for rows in product(scores, repeat=full)})


@cache
def leads_of(full: int, other: int, wild: str) -> dict[int, tuple[int, int]]:
    """All leads that `full` rows can have over `other` rows; and which of their points stand for each, by their places
    in `points_of`: of all pairs that are so far apart, those in the middle. Only the lead counts in the game."""
    mine, theirs = points_of(full, wild), points_of(other, wild)
    middle = mine[0] + mine[-1] + theirs[0] + theirs[-1]
    pairs = sorted(product(mine, theirs), key=lambda pair: (abs(2 * sum(pair) - middle), pair), reverse=True)
    return {one - another: (mine.index(one), theirs.index(another)) for one, another in pairs}
