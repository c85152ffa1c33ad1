"""What a position of Knucklebones-lite solo is worth to somebody who plays perfectly for the score, or for a target.

Exact fractions, in every variant. Positions count *ways*: a way is one course of all the dice to come, each as likely
as any other. The token brings one more die, which lies ready for the reroll and counts whether it is used or not.

Early boards are in the books that `dicehall.solve.lite_solo` built: for the score those with up to four dice, for every
target those with up to three. On later boards the dice to come are so few that all their ways can be played out: four
take about a millisecond, five take five.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain, combinations, permutations, product
from struct import pack
from typing import Final

from dicehall.coach.book import packaged_book
from dicehall.coach.lanes import Lanes
from dicehall.dice import FACES
from dicehall.rules import lite_solo
from dicehall.rules.lite_grid import COLUMNS, ROWS, Board, legal_cells, score_row
from dicehall.rules.lite_solo import State, after, legal

Values = Callable[[State], Fraction]
# By the cells that are filled: what that is worth for all the dice they may hold, the last cell's changing first. Four
# bytes each, so that side by side they make a large number.
Worths = dict[tuple[int, ...], bytes]

SCORES: Final = "lite-solo-score.bin"
TARGETS: Final = "lite-solo-score-targets.bin"
BOOK_VERSION: Final = 1
DONE: Final = (7, 7, 7)  # a full row, where rows score alone: nothing about it matters but its points


@lru_cache(maxsize=100)
def perfect_values(columns: bool, wild: str, target: int | None) -> Values:
    """To somebody who plays for `target`, or (None) for the score; `columns` and `wild` are options of the game."""
    return PerfectPlay(columns, wild, target).value


class PerfectPlay:
    """For a target, or (None) for the score."""

    def __init__(self, columns: bool, wild: str, target: int | None) -> None:
        self.columns, self.wild, self.target = columns, wild, target
        self.lines = ROWS + COLUMNS if columns else ROWS
        self.book = SCORES if target is None else TARGETS
        self._known = lru_cache(maxsize=10_000)(self._ways)

    def value(self, state: State) -> Fraction:
        if state.die:
            return max(self.value(after(state, move)) for move in legal(state))
        return Fraction(self.ways(state.board, state.token), 6 ** (state.board.count(0) + state.token))

    def ways(self, board: Board, token: bool) -> int:
        """Before a roll, with the `token` there or spent: how many ways reach the target; or the scores that all ways
        end with, added up."""
        lines = [tuple([board[cell] for cell in line]) for line in self.lines]
        points = sum([score_row(line, self.wild).score for line in lines if 0 not in line])
        return self._known(_canonical(board, self.columns), points, token)

    def _ways(self, board: Board, points: int, token: bool) -> int:
        """`points` is what the full lines score."""
        at = _boards(self.book, self.columns).get(bytes(board))
        return self._play_out(board, points, token) if at is None else self._look_up(at, board, points, token)

    def _look_up(self, at: int, board: Board, points: int, token: bool) -> int:
        """The book counts the points that are still to come. The bytes of its numbers lie apart, the highest first."""
        chapter = _chapter(self.book, self.columns, f"{self.wild} {'token' if token else 'plain'}")
        boards, of = len(_boards(self.book, self.columns)), 6 ** (board.count(0) + token)
        if self.target is None:
            return int.from_bytes(chapter[at::boards], "big") + points * int(of)
        size, need, ways = len(chapter) // 3, max(self.target - points, 0), 0
        width = size // boards
        for start in range(at * width, 3 * size, size):  # what each point more costs, summed from the top
            ways = 256 * ways + sum(chapter[start + need : start + width])
        return ways

    def _play_out(self, board: Board, points: int, token: bool) -> int:
        cells = legal_cells(board)
        ends = self._final_scores(board, points, cells)
        if self.target is not None:
            ends = [1 if score >= self.target else 0 for score in ends]
        worths = _backwards(len(cells), ends, None)
        if token:
            worths = _backwards(len(cells), [6 * end for end in ends], worths)
        return int.from_bytes(worths[()], "little")

    def _final_scores(self, board: Board, points: int, cells: tuple[int, ...]) -> list[int]:
        """Of all full boards that can come of this one, the last cell's die changing first."""
        scores = [points]
        for count, cell in enumerate(cells):
            dice = dict(zip(cells[:count], _rolls(count), strict=True))  # what the earlier cells hold, roll by roll
            later = set(cells[count + 1 :])
            filled_up = [set(line) - {cell} for line in self.lines if cell in line and not later.intersection(line)]
            held = [[dice.get(other, (board[other],) * len(scores)) for other in others] for others in filled_up]
            pairs = zip(*[zip(*two, strict=True) for two in held], strict=True) if held else [()] * len(scores)
            gains = [_gains(self.wild, pair) for pair in pairs]
            scores = [score + gain for score, more in zip(scores, gains, strict=True) for gain in more]
        return scores


def _backwards(cells: int, ends: list[int], rerolled: Worths | None) -> Worths:
    """From the full boards back to the one at hand: every die goes where it is worth most, or is rolled again."""
    worths = {tuple(range(cells)): pack(f"<{len(ends)}I", *ends)}
    for count in range(cells - 1, -1, -1):
        lanes = _lanes(count)
        for filled in combinations(range(cells), count):
            choices = [] if rerolled is None else [[int.from_bytes(rerolled[filled], "little")] * 6]
            for cell in range(cells):
                if cell not in filled:
                    more = tuple(sorted((*filled, cell)))
                    choices.append(_by_die(worths[more], 6 ** (count - more.index(cell))))
            total = sum([lanes.best(choice) for choice in zip(*choices, strict=True)])
            worths[filled] = total.to_bytes(lanes.size * lanes.count, "little")
    return worths


def _by_die(values: bytes, step: int) -> list[int]:
    """The values for each die in one of the cells, whose next face is always `step` further on."""
    view = memoryview(values).cast("I")
    if step == 1:
        return [int.from_bytes(view[die::6].tobytes(), "little") for die in range(6)]
    by_die = [[view[at : at + step] for at in range(die * step, len(view), 6 * step)] for die in range(6)]
    return [int.from_bytes(b"".join(those), "little") for those in by_die]


@cache
def _lanes(cells: int) -> Lanes:
    """For all dice in `cells` cells. What is played out here is worth far less than the highest number they hold."""
    return Lanes(6**cells, (1 << 31) - 1)


@cache
def _rolls(dice: int) -> tuple[tuple[int, ...], ...]:
    """Die by die, what it shows in all rolls of `dice` dice, in order."""
    return tuple(zip(*product(FACES, repeat=dice), strict=True))


@cache
def _gains(wild: str, pairs: tuple[tuple[int, int], ...]) -> list[int]:
    """What each die scores that fills up lines which hold these pairs."""
    return [sum(score_row((*pair, die), wild).score for pair in pairs) for die in FACES]


def _canonical(board: Board, columns: bool) -> Board:
    """Of all boards that must be worth the same, because dice or lines only change places, the least."""
    rows = board[:3], board[3:6], board[6:]
    if columns:
        turned = chain(permutations(zip(*rows, strict=True)), permutations(rows))
        least = min([sorted(zip(*lines, strict=True)) for lines in turned])
    else:
        least = sorted([tuple(sorted(row)) if 0 in row else DONE for row in rows])
    return (*least[0], *least[1], *least[2])


@cache
def _boards(book: str, columns: bool) -> dict[bytes, int]:
    """The boards of a book, with their place in it."""
    cells = _chapter(book, columns, "boards")
    return {cells[at : at + 9]: at // 9 for at in range(0, len(cells), 9)}


@cache
def _chapter(book: str, columns: bool, title: str) -> bytes:
    return zlib.decompress(_book(book)[f"{'columns' if columns else 'rows'} {title}"])


@cache
def _book(name: str) -> dict[str, bytes]:
    return packaged_book(name, BOOK_VERSION, lite_solo.VERSION).chapters()
