"""Lite, two boards: who fills the better one?

Two seats take turns, each rolling one die and placing it on a board of their own; the boards do not touch. When both
are full the higher total wins. Equal totals are a draw unless a tie-breaker is chosen. Scoring and variants are those
of the solo game; with `reroll` each seat has one token.

    moves   a1 to c3 (the cell; b2 is the centre), reroll
    state   55./6.2/... 1../.../... 1 5 r-      board of each seat, seat to move (- before it is drawn),
                                                die to place (- before the roll), tokens of each seat
    dice    one at a time; with first=drawn one more at the start: 1 to 3 seat 0 begins, 4 to 6 seat 1
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from dicehall.errors import InvalidText
from dicehall.rules import lite_grid
from dicehall.rules.game import DICE, NOBODY, Aim, Result, impossible, read_die, split_state
from dicehall.rules.lite_grid import EMPTY, REROLL, Board, legal_cells, place, score_board
from dicehall.rules.lite_grid import move_text as move_text
from dicehall.rules.lite_grid import read_move as read_move
from dicehall.rules.options import Options as BaseOptions
from dicehall.rules.options import OptionValue, choice
from dicehall.rules.two_seats import FIRST_OPTION, FIRST_SEAT, UNDRAWN, by_score, drawn_seat

Move = int  # a cell, or REROLL

ID: Final = "lite-versus"
TITLE: Final = "Lite, two boards"
VERSION: Final = 1
SEATS: Final = range(2, 3)
PRESETS: Final[dict[str, dict[str, OptionValue]]] = {}


@dataclass(frozen=True, slots=True)
class Options(BaseOptions):
    columns: bool = lite_grid.COLUMNS_OPTION
    reroll: bool = lite_grid.REROLL_OPTION
    wild: str = lite_grid.WILD_OPTION
    tiebreak: str = choice(
        "none",
        ("none", "highest-single-die", "sum-middle-row"),
        "what decides equal totals: nothing, the highest die on the board, the plain sum of the middle row",
    )
    first: str = FIRST_OPTION


class State(NamedTuple):
    options: Options
    boards: tuple[Board, Board] = (EMPTY, EMPTY)
    seat: int = 0
    die: int = 0  # 0: not rolled yet
    tokens: tuple[bool, bool] = (False, False)


def aim(options: Options, seats: int) -> Aim:
    return Aim("points")


def start(options: Options, seats: int) -> State:
    return State(options, seat=FIRST_SEAT[options.first], tokens=(options.reroll, options.reroll))


def seats_of(state: State) -> int:
    return 2


def actor(state: State) -> int:
    if state.die:
        return state.seat
    # the seat to move has the emptier board, so the game is over exactly when that one is full
    return DICE if 0 in state.boards[state.seat] else NOBODY


def dice_to_roll(state: State) -> int:
    return 1


def rolled(state: State, dice: tuple[int, ...]) -> State:
    if state.seat == UNDRAWN:
        return state._replace(seat=drawn_seat(dice[0]))
    return State(state.options, state.boards, state.seat, dice[0], state.tokens)


def legal(state: State) -> tuple[Move, ...]:
    if not state.die:
        return ()
    cells = legal_cells(state.boards[state.seat])
    return (*cells, REROLL) if state.tokens[state.seat] else cells


def after(state: State, move: Move) -> State:
    options, (mine, theirs), seat, die, tokens = state
    if move == REROLL:
        return state._replace(die=0, tokens=(False, tokens[1]) if seat == 0 else (tokens[0], False))
    if seat == 0:
        return State(options, (place(mine, move, die), theirs), 1, 0, tokens)
    return State(options, (mine, place(theirs, move, die)), 0, 0, tokens)


def result(state: State) -> Result:
    options, boards = state.options, state.boards
    totals = (
        score_board(boards[0], options.columns, options.wild),
        score_board(boards[1], options.columns, options.wild),
    )
    decided = by_score(totals)
    if decided.why != "draw" or options.tiebreak == "none":
        return decided
    strength = TIEBREAKS[options.tiebreak]
    broken = by_score((strength(boards[0]), strength(boards[1])))
    return decided if broken.why == "draw" else Result(totals, broken.winners, options.tiebreak)


def highest_single_die(board: Board) -> int:
    return max(board)


def sum_middle_row(board: Board) -> int:
    return sum(board[3:6])


TIEBREAKS = {"highest-single-die": highest_single_die, "sum-middle-row": sum_middle_row}


def why_not(state: State, move: Move) -> tuple[str, str]:
    return lite_grid.why_no_placing(state.boards[state.seat], move)


def state_text(state: State) -> str:
    boards = " ".join(map(lite_grid.board_text, state.boards))
    seat = "-" if state.seat == UNDRAWN else state.seat
    tokens = "".join("r" if token else "-" for token in state.tokens)
    return f"{boards} {seat} {state.die or '-'} {tokens}"


def read_state(options: Options, text: str) -> State:
    *board_parts, seat_part, die_part, token_part = split_state("lite-versus", text, "board board seat die tokens")
    boards = (lite_grid.read_board(board_parts[0]), lite_grid.read_board(board_parts[1]))
    if seat_part not in ("0", "1", "-") or token_part not in ("rr", "r-", "-r", "--"):
        raise InvalidText("state", "seat is 0, 1 or - (not drawn yet), tokens are rr, r-, -r or --")
    if "r" in token_part and not options.reroll:
        raise InvalidText("state", "there are no reroll tokens unless that option is on")
    seat, die = UNDRAWN if seat_part == "-" else int(seat_part), read_die(die_part)
    if seat == UNDRAWN:
        if options.first != "drawn" or boards != (EMPTY, EMPTY):
            raise impossible("seat")
        if (token_part == "rr") != options.reroll:
            raise impossible("tokens")
    elif not _is_turn_of(seat, boards, options.first):
        raise impossible("seat")
    if die and (seat == UNDRAWN or 0 not in boards[seat]):
        raise impossible("die")
    return State(options, boards, seat, die, (token_part[0] == "r", token_part[1] == "r"))


def _is_turn_of(seat: int, boards: tuple[Board, Board], first: str) -> bool:
    """Whether it can be the turn of `seat` with these boards, where the option `first` says who begins."""
    more = boards[1 - seat].count(0) - boards[seat].count(0)  # dice that this seat has placed more than the other
    begins = seat if more == 0 else 1 - seat
    return more in (0, -1) and first in ("drawn", "human" if begins == 0 else "bot")
