"""The 3x3 board that both Knucklebones-lite games are played on, and how its rows (and columns) score.

    a b c      A cell is named by its column's letter and its row's number: b2 is the centre.
  1 0 1 2      Inside, cells are numbered row by row from 0 to 8; an empty cell holds 0.
  2 3 4 5
  3 6 7 8

A row scores its sum times 3 (all equal), 2 (two equal) or 1. Wild six: a row that contains a six scores exactly twice
its sum, because the six stands for any face and caps the row; under `natural` three sixes still score three times.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final, NamedTuple

from dicehall.errors import InvalidText, excerpt
from dicehall.rules.options import choice, flag

Board = tuple[int, ...]

EMPTY: Final[Board] = (0,) * 9
REROLL: Final = 9  # the move that spends the token instead of filling a cell
ROWS: Final = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
COLUMNS: Final = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
CELLS: Final = tuple(f"{letter}{row}" for row in "123" for letter in "abc")
WILD: Final = 6


class RowScore(NamedTuple):
    base: int
    multiplier: int
    score: int


COLUMNS_OPTION: Final[bool] = flag(False, "columns score like rows, and both are added up")
REROLL_OPTION: Final[bool] = flag(False, "one token a run: roll the die again before placing it")
WILD_OPTION: Final[str] = choice(
    "off",
    ("off", "contains", "natural"),
    "six is wild: a row with a six scores exactly twice its sum (natural: but 6 6 6 three times)",
)


def score_row(values: tuple[int, ...], wild: str = "off") -> RowScore:
    """Base, multiplier and score of three cells. Empty cells (0) form no set, so this also previews a row."""
    return _row_scores(wild)[values]


def score_board(board: Board, columns: bool = False, wild: str = "off") -> int:
    """What the board is worth; on a board that is not full, what it would be worth if it ended now."""
    scores = _row_scores(wild)
    a, b, c, d, e, f, g, h, i = board
    total = scores[a, b, c].score + scores[d, e, f].score + scores[g, h, i].score
    if columns:
        total += scores[a, d, g].score + scores[b, e, h].score + scores[c, f, i].score
    return total


def validate_score(board: Board, stored: int, columns: bool = False, wild: str = "off") -> bool:
    """Is this the score that the board really has?"""
    return score_board(board, columns, wild) == stored


def legal_cells(board: Board) -> tuple[int, ...]:
    return tuple([cell for cell, die in enumerate(board) if not die])


def place(board: Board, cell: int, die: int) -> Board:
    return (*board[:cell], die, *board[cell + 1 :])


def why_no_placing(board: Board, move: int) -> tuple[str, str]:
    if move == REROLL:
        return "no-reroll", "there is no reroll token"
    return "cell-filled", f"the cell already holds a {board[move]}"


def read_move(text: str) -> int:
    if text == "reroll":
        return REROLL
    try:
        return CELLS.index(text)
    except ValueError:
        raise InvalidText("move", f"{excerpt(text)} is not a cell from a1 to c3, nor reroll") from None


def move_text(move: int) -> str:
    return "reroll" if move == REROLL else CELLS[move]


def read_board(text: str) -> Board:
    """`55./6.2/...`: rows from the top, a dot for an empty cell."""
    rows = text.split("/")
    if [len(row) for row in rows] != [3, 3, 3] or not set(text) <= set("123456./"):
        raise InvalidText("board", f"a board reads 55./6.2/... from the top, not {excerpt(text)}")
    return tuple(0 if cell == "." else int(cell) for row in rows for cell in row)


def board_text(board: Board) -> str:
    return "/".join("".join(str(board[cell] or ".") for cell in row) for row in ROWS)


@cache
def _row_scores(wild: str) -> dict[tuple[int, ...], RowScore]:
    """All 343 rows, full or not: the board is scored so often that it pays to know them by heart."""
    table = {}
    for values in product(range(7), repeat=3):
        dice = [die for die in values if die]
        multiplier = max([dice.count(die) for die in dice], default=1)
        if wild != "off" and WILD in dice and len(dice) > 1:
            multiplier = 3 if wild == "natural" and dice == [WILD] * 3 else 2
        table[values] = RowScore(sum(dice), multiplier, sum(dice) * multiplier)
    return table
