"""Opponents for the 3x3 boards: the spec's own, to the letter, the stronger one it suggests, and a beginner.

All play the solo board as well, where there is no opponent to look at: they never look at one anyway.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Final

from dicehall.bots.ladder import pursued
from dicehall.bots.protocol import BotKind, Pursuit
from dicehall.coach.advise import advise
from dicehall.coach.lite_versus.alone import alone
from dicehall.rules import lite_solo, lite_versus
from dicehall.rules.catalog import GAMES, AnyGame
from dicehall.rules.lite_grid import COLUMNS, REROLL, ROWS, Board, legal_cells, place, score_row

State = lite_solo.State | lite_versus.State
Choose = Callable[[State], int]

CENTRE: Final = 4


def standard(_: int = 0) -> Choose:
    """Rules a to d of the spec. It never spends a reroll, and never opens a second row while the first has room."""
    return lambda state: ai_choose_cell(my_board(state), state.die, state.options.wild)


def ai_choose_cell(board: Board, die: int, wild: str = "off") -> int:
    """The spec's standard AI: triples, else pairs, else the fullest row; ties to the centre, then in reading order."""

    def worth(cell: int) -> tuple[int, ...]:
        row = ROWS[cell // 3]
        dice = [board[other] for other in row if board[other]]
        equal = dice.count(die)
        filled = place(board, cell, die)
        if equal == 2:  # a: complete a triple, the largest resulting row first
            return 3, score_row(tuple(filled[other] for other in row), wild).score, 0
        if equal == 1:  # b: form a pair, the highest projected row first
            return 2, (sum(dice) + die) * 2, 0
        return 1, sum(dice) + die, 3 - len(dice)  # c: the largest sum, then the row with more room

    # d: max() keeps the first of equals
    return max(sorted(legal_cells(board), key=lambda cell: (cell != CENTRE, cell)), key=worth)


def lookahead(_: int = 0) -> Choose:
    """One ply: try every cell, and value the board as if the rest of each row were filled by chance."""

    def choose(state: State) -> int:
        board, options = my_board(state), state.options
        cell, worth = _best_cell(board, state.die, options.columns, options.wild)
        token = state.token if isinstance(state, lite_solo.State) else state.tokens[state.seat]
        if token:  # spend it when an average die would be worth more than this one
            average = sum(_best_cell(board, die, options.columns, options.wild)[1] for die in range(1, 7))
            if average > 6 * worth:
                return REROLL
        return cell

    return choose


def match(_: int = 0) -> Choose:
    """What a beginner does: equal dice together, any other die where there is most room. It never spends a reroll."""
    # max() keeps the first of equals
    return lambda state: max(legal_cells(my_board(state)), key=lambda cell: match_worth(state, cell))


def match_worth(state: State, cell: int) -> tuple[int, int]:
    board, lines = my_board(state), ROWS + COLUMNS if state.options.columns else ROWS
    beside = [board[other] for line in lines if cell in line for other in line]
    return beside.count(state.die), beside.count(0)


def my_board(state: State) -> Board:
    return state.board if isinstance(state, lite_solo.State) else state.boards[state.seat]


def _best_cell(board: Board, die: int, columns: bool, wild: str) -> tuple[int, int]:
    lines = ROWS + COLUMNS if columns else ROWS

    def worth(cell: int) -> int:
        filled = place(board, cell, die)
        return sum(
            _expected(tuple(sorted(filled[other] for other in line)), wild) for line in lines if cell in line
        ) - sum(_expected(tuple(sorted(board[other] for other in line)), wild) for line in lines if cell in line)

    cell = max(sorted(legal_cells(board), key=lambda cell: (cell != CENTRE, cell)), key=worth)
    return cell, worth(cell)


@cache
def _expected(values: tuple[int, ...], wild: str) -> int:
    """216 times what a row scores on average when chance fills its empty cells: an integer, the same everywhere."""
    dice = tuple(die for die in values if die)
    ends = list(product(range(1, 7), repeat=3 - len(dice)))
    return sum(score_row((*dice, *end), wild).score for end in ends) * 216 // len(ends)


def best_advice(game: AnyGame, state: State) -> Pursuit:
    """For two, where that is not solved, the own board alone."""
    objective = pursued(game, state.options, game.rules.seats_of(state))
    if isinstance(state, lite_versus.State) and objective.game == lite_solo.ID:
        return objective, advise(GAMES[lite_solo.ID], alone(state, state.seat), objective)
    return objective, advise(game, state, objective)


BOTH: Final = (lite_solo.ID, lite_versus.ID)
KINDS: Final = (
    BotKind("standard", BOTH, "the house rules of the spec; no better than chance", standard),
    BotKind("match", BOTH, "puts equal dice together, as beginners do", match),
    BotKind("lookahead", BOTH, "weighs what half-filled rows become on average", lookahead),
)
WIDTHS: Final = {
    "score": (80_000_000, 20_000_000, 9_000_000, 5_000_000, 2_500_000),
    "target": (900_000, 400_000, 250_000, 160_000, 100_000),
    "win": (3_000_000, 320_000, 200_000, 125_000, 75_000),
}
