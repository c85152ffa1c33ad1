"""Why a cell is better than another, on either board of Knucklebones-lite: points at once, sets that the next die can
make, points that the board can still reach."""

from __future__ import annotations

from typing import Any

from dicehall.coach.reason import Reason
from dicehall.dice import FACES
from dicehall.rules.lite_grid import COLUMNS, REROLL, ROWS, Board, legal_cells, place, score_board, score_row


def cell_reason(options: Any, board: Board, die: int, better: int, other: int) -> Reason:
    """Of two moves with `die` on `board`, by the `options` of either game; `better` is worth more than `other`."""
    if REROLL in (better, other):
        return Reason("lite.reroll" if better == REROLL else "lite.no-reroll")
    first, second = place(board, better, die), place(board, other, die)
    now = _score(options, first) - _score(options, second)
    if now > 0:
        return Reason("lite.now", {"n": now})
    sets, fewer = _faces_for_sets(options, first), _faces_for_sets(options, second)
    if sets > fewer:
        return Reason("lite.sets", {"n": sets, "other": fewer})
    most, less = most_points(options, first), most_points(options, second)
    if most > less:
        return Reason("lite.most", {"n": most, "other": less})
    return Reason("lite.later")


def _score(options: Any, board: Board) -> int:
    return score_board(board, options.columns, options.wild)


def _lines(options: Any) -> tuple[tuple[int, int, int], ...]:
    return (*ROWS, *COLUMNS) if options.columns else ROWS


def _times(options: Any, board: Board, line: tuple[int, int, int]) -> int:
    return score_row(tuple(board[cell] for cell in line), options.wild).multiplier


def _faces_for_sets(options: Any, board: Board) -> int:
    """With how many faces the next die can make a line count more often."""
    tried = [[place(board, cell, face) for cell in legal_cells(board)] for face in FACES]
    return sum(
        any(_times(options, then, line) > _times(options, board, line) for then in boards for line in _lines(options))
        for boards in tried
    )


def most_points(options: Any, board: Board) -> int:
    """The most points that its lines can still come to, each for itself."""
    return sum(_most_of_line(options.wild, tuple(board[cell] for cell in line)) for line in _lines(options))


def _most_of_line(wild: str, values: tuple[int, ...]) -> int:
    if 0 not in values:
        return score_row(values, wild).score
    gap = values.index(0)
    return max(_most_of_line(wild, (*values[:gap], face, *values[gap + 1 :])) for face in FACES)
