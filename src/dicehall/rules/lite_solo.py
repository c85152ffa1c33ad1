"""Knucklebones-lite, alone: nine dice, nine cells, one score.

Each turn one die is rolled and placed in any empty cell of a 3x3 board. When the board is full every row scores its
sum times 3 (triple), 2 (pair) or 1, and the rows are added up. Options add the columns, a single reroll and a wild
six; `target` turns the score chase into a run that is won or missed.

    moves   a1 to c3 (the cell; b2 is the centre), reroll
    state   55./6.2/... 5 r      board, die to place (- before the roll), r while the reroll token is there
    dice    one at a time
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from dicehall.errors import InvalidText
from dicehall.rules import lite_grid
from dicehall.rules.game import DICE, NOBODY, Aim, Result, read_die, split_state
from dicehall.rules.lite_grid import EMPTY, REROLL, Board, legal_cells, place, score_board
from dicehall.rules.lite_grid import move_text as move_text
from dicehall.rules.lite_grid import read_move as read_move
from dicehall.rules.options import Options as BaseOptions
from dicehall.rules.options import OptionValue, number

Move = int  # a cell, or REROLL

ID: Final = "lite-solo"
TITLE: Final = "Knucklebones-lite"
VERSION: Final = 1
SEATS: Final = range(1, 2)


@dataclass(frozen=True, slots=True)
class Options(BaseOptions):
    columns: bool = lite_grid.COLUMNS_OPTION
    reroll: bool = lite_grid.REROLL_OPTION
    wild: str = lite_grid.WILD_OPTION
    target: int = number(0, 0, 1000, "the score that wins the run (0: none)")


PRESETS: Final[dict[str, dict[str, OptionValue]]] = {
    "bronze": {"target": 90},
    "silver": {"target": 120},
    "gold": {"target": 150},
}


class State(NamedTuple):
    options: Options
    board: Board = EMPTY
    die: int = 0  # 0: not rolled yet
    token: bool = False  # the reroll is still there


def aim(options: Options, seats: int) -> Aim:
    return Aim("points")


def start(options: Options, seats: int) -> State:
    return State(options, token=options.reroll)


def seats_of(state: State) -> int:
    return 1


def actor(state: State) -> int:
    if state.die:
        return 0
    return DICE if 0 in state.board else NOBODY


def dice_to_roll(state: State) -> int:
    return 1


def rolled(state: State, dice: tuple[int, ...]) -> State:
    return State(state.options, state.board, dice[0], state.token)


def legal(state: State) -> tuple[Move, ...]:
    if not state.die:
        return ()
    cells = legal_cells(state.board)
    return (*cells, REROLL) if state.token else cells


def after(state: State, move: Move) -> State:
    if move == REROLL:
        return State(state.options, state.board, 0, False)
    return State(state.options, place(state.board, move, state.die), 0, state.token)


def result(state: State) -> Result:
    options = state.options
    score = score_board(state.board, options.columns, options.wild)
    if not options.target:
        return Result((score,), (), "complete")
    if score >= options.target:
        return Result((score,), (0,), "target-reached")
    return Result((score,), (), "target-missed")


def why_not(state: State, move: Move) -> tuple[str, str]:
    return lite_grid.why_no_placing(state.board, move)


def state_text(state: State) -> str:
    return f"{lite_grid.board_text(state.board)} {state.die or '-'} {'r' if state.token else '-'}"


def read_state(options: Options, text: str) -> State:
    board_part, die_part, token_part = split_state("lite-solo", text, "board die token")
    board, die = lite_grid.read_board(board_part), read_die(die_part)
    if token_part not in ("r", "-") or (token_part == "r" and not options.reroll):
        raise InvalidText("state", "the last field is r (a reroll token, if that option is on) or -")
    if die and 0 not in board:
        raise InvalidText("state", "a full board has no die to place")
    return State(options, board, die, token_part == "r")
