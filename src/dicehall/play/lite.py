"""Both Knucklebones-lite games: the 3x3 boards, the sets that a die makes, the points by row and column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypedDict

from dicehall.play.protocol import Breakdown, Drawn, MoveText, RunPart, SetMade, Standing, ViewHead, ahead
from dicehall.rules import lite_solo, lite_versus
from dicehall.rules.game import NOBODY
from dicehall.rules.lite_grid import (
    COLUMNS,
    REROLL,
    ROWS,
    WILD,
    Board,
    legal_cells,
    move_text,
    place,
    read_move,
    score_board,
    score_row,
)
from dicehall.rules.two_seats import UNDRAWN

State = lite_solo.State | lite_versus.State
SETS: Final = ("none", "single", "pair", "triple")  # by what they multiply a line with


class LineScore(TypedDict):
    """A row or a column: its sum, by how much it is multiplied, and what that makes. `wild`: because of a wild six;
    `set`: which of its three places make it so, from the left or from the top."""

    base: int
    multiplier: int
    score: int
    wild: bool
    set: list[int]


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
    wild: int | None  # the face that fits any set; None where there is none
    target: int | None
    tiebreak: list[int] | None  # what decided equal totals, by seat; None where nothing had to
    seats: list[LiteSeat]


class LitePlaceMove(MoveText):
    """Put the die into a cell. The scores are those that its row, its column and the board would have."""

    kind: Literal["place"]
    row: int
    column: int
    row_score: LineScore
    column_score: LineScore | None
    total: int


class LiteRerollMove(MoveText):
    """Spend the token and roll the die again."""

    kind: Literal["reroll"]


LiteMove = LitePlaceMove | LiteRerollMove


class LiteSoloView(ViewHead, LitePicture):
    game: Literal["lite-solo"]
    moves: list[LiteMove]


class LiteVersusView(ViewHead, LitePicture):
    game: Literal["lite-versus"]
    moves: list[LiteMove]


LiteEvent = Drawn | SetMade


def picture(state: State) -> LitePicture:
    tokens = (state.token,) if isinstance(state, lite_solo.State) else state.tokens
    return {
        "turn_of": None if _seat(state) == UNDRAWN else _seat(state),
        "die": state.die or None,
        "wild": None if state.options.wild == "off" else WILD,
        "target": state.options.target or None if isinstance(state, lite_solo.State) else None,
        "tiebreak": _tiebreak(state),
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


def preview(state: State, move: int) -> LiteMove:
    """Base, multiplier and score that the row (and the column) would have, and the board's new total."""
    if move == REROLL:
        return {"move": move_text(move), "kind": "reroll"}
    board = place(_boards(state)[_seat(state)], move, state.die)
    return {
        "move": move_text(move),
        "kind": "place",
        "row": move // 3,
        "column": move % 3,
        "row_score": _line(state, board, ROWS[move // 3]),
        "column_score": _line(state, board, COLUMNS[move % 3]) if state.options.columns else None,
        "total": score_board(board, state.options.columns, state.options.wild),
    }


def events(before: State, step: str, after: State) -> list[LiteEvent]:
    seat = _seat(before)
    if seat == UNDRAWN:
        return [{"code": "drawn", "seat": _seat(after)}]
    told: list[LiteEvent] = []
    old, new, options = _boards(before)[seat], _boards(after)[seat], before.options
    if old == new:
        return told
    cell = read_move(step)
    row, column = cell // 3, cell % 3
    times = _times(new, ROWS[row], options.wild)
    if times > _times(old, ROWS[row], options.wild):
        told.append({"code": "set-made", "seat": seat, "line": "row", "number": row, "times": times})
    if options.columns:
        times = _times(new, COLUMNS[column], options.wild)
        if times > _times(old, COLUMNS[column], options.wild):
            told.append({"code": "set-made", "seat": seat, "line": "column", "number": column, "times": times})
    return told


def leader(state: State) -> int | None:
    return ahead([score_board(board, state.options.columns, state.options.wild) for board in _boards(state)])


def standing(state: State) -> Standing:
    points = score_board(_boards(state)[0], state.options.columns, state.options.wild)
    return Standing(points, "points", points)


def breakdown(states: Sequence[State]) -> Breakdown:
    final = states[-1]
    lines = {"rows": ROWS} | ({"columns": COLUMNS} if final.options.columns else {})
    return {
        name: [[_line(final, board, line)["score"] for line in cells] for board in _boards(final)]
        for name, cells in lines.items()
    }


def parts(states: Sequence[State]) -> list[list[RunPart]]:
    """The set of each row, then of each column that counts. A set does not say of which face it is; the points of its
    line would: 27 are three threes."""
    final = states[-1]
    lines = (*ROWS, *COLUMNS) if final.options.columns else ROWS
    by_seat = [[_line(final, board, line) for line in lines] for board in _boards(final)]
    return [[RunPart(SETS[one["multiplier"]], one["score"]) for one in told] for told in by_seat]


def _tiebreak(state: State) -> list[int] | None:
    if isinstance(state, lite_solo.State) or lite_versus.actor(state) != NOBODY:
        return None
    strength = lite_versus.TIEBREAKS.get(lite_versus.result(state).why)
    return None if strength is None else [strength(board) for board in state.boards]


def _seat(state: State) -> int:
    return 0 if isinstance(state, lite_solo.State) else state.seat


def _boards(state: State) -> tuple[Board, ...]:
    return (state.board,) if isinstance(state, lite_solo.State) else state.boards


def _times(board: Board, line: tuple[int, ...], wild: str) -> int:
    a, b, c = line
    return score_row((board[a], board[b], board[c]), wild).multiplier


def _line(state: State, board: Board, cells: tuple[int, ...]) -> LineScore:
    dice = tuple(board[cell] for cell in cells)
    base, multiplier, score = score_row(dice, state.options.wild)
    wild = multiplier == 2 and WILD in dice and state.options.wild != "off"
    made = [n for n, die in enumerate(dice) if multiplier > 1 and die and (wild or dice.count(die) > 1)]
    return {"base": base, "multiplier": multiplier, "score": score, "wild": wild, "set": made}
