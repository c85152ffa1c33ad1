"""What matters of a seat in Knucklebones-lite versus, and the last dice of a game played out.

Where rows score alone, a die's place in its row and a row's place on the board change nothing, and of a full row only
the points count. What is left of a board is a *side*.
"""

from __future__ import annotations

from functools import lru_cache
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


Pair = tuple[Side, Side]  # the one that moves, the one that waits
Leads = dict[Pair, tuple[int, int]]  # the least and the greatest that can come up


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
    scores = [score_row(row, wild).score for row in product(FACES, repeat=3)]
    return min(scores), max(scores)


class LastDice:
    """Perfect play when few dice are left: every side that either seat can come to, against every side of the other,
    for all leads between the least and the greatest that can come up.

    Numbers tell in how many ways the seat to move wins, a draw being one win of two, out of 2 x 6^(dice to come and
    `spare` ones, which lie ready for tokens and count whether they are used or not).
    """

    def __init__(self, wild: str, spare: int) -> None:
        self.wild, self.spare = wild, spare
        self.ways = lru_cache(maxsize=1000)(self._ways)

    def _ways(self, mine: Side, theirs: Side, lead: int) -> int:
        # Whoever places a die or spends a token has one die less to come, so pairs of sides form levels.
        levels: list[Leads] = [{(mine, theirs): (lead, lead)}]
        while levels[-1]:
            levels.append(self._next(levels[-1]))
        levels.pop()
        ways: dict[Pair, list[int]] = {}
        for level, below in zip(reversed(levels), [{}, *reversed(levels)], strict=False):
            for pair, leads in level.items():
                ways[pair] = self._count(pair, leads, below, ways) if pair[0].rows else self._ends(pair, leads)
        return ways[mine, theirs][0]

    def _next(self, level: Leads) -> Leads:
        """What these pairs can come to, each with the least and the greatest lead of the seat to move then."""
        found: Leads = {}
        for (mine, theirs), (least, most) in level.items():
            steps = [((theirs, side), -most - points, -least - points) for side, points in _steps(mine, self.wild)]
            if mine.token and mine.rows:
                steps.append(((mine._replace(token=False), theirs), least, most))
            for pair, low, high in steps:
                known_low, known_high = found.get(pair, (low, high))
                found[pair] = min(low, known_low), max(high, known_high)
        return found

    def _ends(self, pair: Pair, leads: tuple[int, int]) -> list[int]:
        mine, theirs = pair
        draw = int(6**self.spare)
        tied = draw * ((mine.high >= theirs.high) + (mine.high > theirs.high))
        return [2 * draw if lead > 0 else tied if lead == 0 else 0 for lead in range(leads[0], leads[1] + 1)]

    def _count(self, pair: Pair, leads: tuple[int, int], below: Leads, ways: dict[Pair, list[int]]) -> list[int]:
        """From the greatest lead down while it counts, because there the other seat's leads go up."""
        (mine, theirs), (least, most) = pair, leads
        certain, count = 2 * int(6 ** (mine.empty + theirs.empty - 1 + self.spare)), most - least + 1
        rerolled: list[int] = []
        if mine.token:
            again = mine._replace(token=False), theirs
            start = least - below[again][0]
            rerolled = [certain - number // 6 for number in reversed(ways[again][start : start + count])]
        by_die = []
        for dice in choices(mine, self.wild):
            lost = rerolled
            for side, points in dice:
                after = theirs, side
                start = -most - points - below[after][0]
                left = ways[after][start : start + count]
                lost = [a if a < b else b for a, b in zip(left, lost, strict=True)] if lost else left
            by_die.append(lost)
        return [6 * certain - sum(lost) for lost in zip(*reversed(by_die), strict=True)][::-1]


@lru_cache(maxsize=5000)
def _steps(side: Side, wild: str) -> list[tuple[Side, int]]:
    """All that a side can become with any die."""
    return list(dict.fromkeys(step for dice in choices(side, wild) for step in dice))
