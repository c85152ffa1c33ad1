"""The 3x3 boards of both Knucklebones-lite games."""

from __future__ import annotations

from typing import Literal, TypedDict

from dicehall.rules import lite_solo, lite_versus
from dicehall.rules.lite_grid import COLUMNS, REROLL, ROWS, Board, legal_cells, place, score_board, score_row
from dicehall.rules.two_seats import UNDRAWN

State = lite_solo.State | lite_versus.State


class LineScore(TypedDict):
    """A row or a column: its sum, by how much it is multiplied, and what that makes."""

    base: int
    multiplier: int
    score: int


class LiteSeat(TypedDict):
    """A seat's board, row by row from the top; an empty cell is null. `columns` is null where only rows score."""

    board: list[list[int | None]]
    placements_remaining: int
    rows: list[LineScore]
    columns: list[LineScore] | None
    total: int
    reroll_left: bool


class LitePicture(TypedDict):
    turn_of: int | None  # a seat, also while its die is in the air; None before the draw
    die: int | None
    target: int | None
    seats: list[LiteSeat]


class LitePlace(TypedDict):
    kind: Literal["place"]
    row: int
    column: int
    row_score: LineScore
    column_score: LineScore | None
    total: int


class LiteReroll(TypedDict):
    kind: Literal["reroll"]


def picture(state: State) -> LitePicture:
    tokens = (state.token,) if isinstance(state, lite_solo.State) else state.tokens
    return {
        "turn_of": 0 if isinstance(state, lite_solo.State) else None if state.seat == UNDRAWN else state.seat,
        "die": state.die or None,
        "target": state.options.target or None if isinstance(state, lite_solo.State) else None,
        "seats": [
            {
                "board": [[board[cell] or None for cell in row] for row in ROWS],
                "placements_remaining": len(legal_cells(board)),
                "rows": [_line(state, board, row) for row in ROWS],
                "columns": [_line(state, board, column) for column in COLUMNS] if state.options.columns else None,
                "total": score_board(board, state.options.columns, state.options.wild),
                "reroll_left": token,
            }
            for board, token in zip(_boards(state), tokens, strict=True)
        ],
    }


def preview(state: State, move: int) -> LitePlace | LiteReroll:
    """Base, multiplier and score that the row (and the column) would have, and the board's new total."""
    if move == REROLL:
        return {"kind": "reroll"}
    board = place(_boards(state)[0 if isinstance(state, lite_solo.State) else state.seat], move, state.die)
    return {
        "kind": "place",
        "row": move // 3,
        "column": move % 3,
        "row_score": _line(state, board, ROWS[move // 3]),
        "column_score": _line(state, board, COLUMNS[move % 3]) if state.options.columns else None,
        "total": score_board(board, state.options.columns, state.options.wild),
    }


def _boards(state: State) -> tuple[Board, ...]:
    return (state.board,) if isinstance(state, lite_solo.State) else state.boards


def _line(state: State, board: Board, cells: tuple[int, ...]) -> LineScore:
    base, multiplier, score = score_row(tuple(board[cell] for cell in cells), state.options.wild)
    return {"base": base, "multiplier": multiplier, "score": score}
