"""Knucklebones, the classic: stack your own, break theirs.

Two seats face each other, each with three columns of three slots. In turn each rolls a die and puts it into the first
free slot of one of their own columns. Every equal die in the facing column of the opponent is then removed, and what
is left slides towards the middle. The game ends when the mover's grid is full; there is no reply. In a column each
face scores face x count x count; the higher total wins. Nothing bounds the length of a game.

    moves   1, 2, 3 (the column)
    state   33/2/1 55/4/626 0 4      columns of each seat from the middle outwards (- when empty),
                                     seat to move (- before it is drawn), die to place (- before the roll)
    dice    one at a time; with first=drawn one more at the start: 1 to 3 seat 0 begins, 4 to 6 seat 1
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from dicehall.errors import InvalidText, excerpt
from dicehall.rules.game import DICE, NOBODY, Aim, Result, impossible, read_die, split_state
from dicehall.rules.options import Options as BaseOptions
from dicehall.rules.options import OptionValue
from dicehall.rules.two_seats import FIRST_OPTION, FIRST_SEAT, UNDRAWN, by_score, drawn_seat

Move = int  # a column, 0 to 2
Column = tuple[int, ...]  # index 0 lies next to the opponent
Grid = tuple[Column, Column, Column]

ID: Final = "knucklebones"
TITLE: Final = "Knucklebones"
VERSION: Final = 1
SEATS: Final = range(2, 3)
PRESETS: Final[dict[str, dict[str, OptionValue]]] = {}

SLOTS: Final = 3
EMPTY: Final[Grid] = ((), (), ())


@dataclass(frozen=True, slots=True)
class Options(BaseOptions):
    first: str = FIRST_OPTION


class State(NamedTuple):
    options: Options
    grids: tuple[Grid, Grid] = (EMPTY, EMPTY)
    seat: int = 0
    die: int = 0  # 0: not rolled yet


def aim(options: Options, seats: int) -> Aim:
    return Aim("points")


def start(options: Options, seats: int) -> State:
    return State(options, seat=FIRST_SEAT[options.first])


def seats_of(state: State) -> int:
    return 2


def actor(state: State) -> int:
    if state.die:
        return state.seat
    # only the seat that has just moved can have a full grid
    a, b, c = state.grids[1 - state.seat] if state.seat != UNDRAWN else EMPTY
    return NOBODY if len(a) == len(b) == len(c) == SLOTS else DICE


def dice_to_roll(state: State) -> int:
    return 1


def rolled(state: State, dice: tuple[int, ...]) -> State:
    if state.seat == UNDRAWN:
        return state._replace(seat=drawn_seat(dice[0]))
    return State(state.options, state.grids, state.seat, dice[0])


def legal(state: State) -> tuple[Move, ...]:
    if not state.die:
        return ()
    a, b, c = state.grids[state.seat]
    return _ROOM[len(a) < SLOTS, len(b) < SLOTS, len(c) < SLOTS]


def after(state: State, move: Move) -> State:
    options, grids, seat, die = state
    mine, theirs = grids[seat], grids[1 - seat]
    mine = _with_column(mine, move, (*mine[move], die))
    if die in theirs[move]:
        theirs = _with_column(theirs, move, destroyed(theirs[move], die))
    return State(options, (mine, theirs) if seat == 0 else (theirs, mine), 1 - seat, 0)


def result(state: State) -> Result:
    return by_score((score_grid(state.grids[0]), score_grid(state.grids[1])))


@cache
def score_column(column: Column) -> int:
    """Each face scores face x count x count: 3 3 gives 12, 3 3 3 gives 27."""
    return sum(die * column.count(die) for die in column)


def score_grid(grid: Grid) -> int:
    return score_column(grid[0]) + score_column(grid[1]) + score_column(grid[2])


def destroyed(column: Column, die: int) -> Column:
    """What is left of a column when the opponent places this die opposite: the rest slides towards index 0."""
    return tuple([other for other in column if other != die])


def visual_row(index: int, is_player: bool) -> int:
    """The row, counted from the top of its grid, in which a slot is drawn: index 0 always faces the opponent."""
    return index if is_player else SLOTS - 1 - index


def why_not(state: State, move: Move) -> tuple[str, str]:
    return "column-full", "that column is full"


def read_move(text: str) -> Move:
    if text not in ("1", "2", "3"):
        raise InvalidText("move", f"{excerpt(text)} is not a column: 1, 2 or 3")
    return int(text) - 1


def move_text(move: Move) -> str:
    return str(move + 1)


def state_text(state: State) -> str:
    mine, theirs = state.grids
    seat = "-" if state.seat == UNDRAWN else state.seat
    return f"{_grid_text(*mine)} {_grid_text(*theirs)} {seat} {state.die or '-'}"


def _grid_text(a: Column, b: Column, c: Column) -> str:
    return f"{_column_text(a)}/{_column_text(b)}/{_column_text(c)}"


@cache
def _column_text(column: Column) -> str:
    return "".join(map(str, column)) or "-"


def read_state(options: Options, text: str) -> State:
    *grid_parts, seat_part, die_part = split_state("knucklebones", text, "columns columns seat die")
    grids = (_read_grid(grid_parts[0]), _read_grid(grid_parts[1]))
    if seat_part not in ("0", "1", "-"):
        raise InvalidText("state", "seat is 0, 1 or - (not drawn yet)")
    seat, die = UNDRAWN if seat_part == "-" else int(seat_part), read_die(die_part)
    full = [all(len(column) == SLOTS for column in grid) for grid in grids]
    if any(set(mine) & set(theirs) for mine, theirs in zip(*grids, strict=True)):
        raise impossible("columns")
    if seat == UNDRAWN and not (options.first == "drawn" and grids == (EMPTY, EMPTY)):
        raise impossible("seat")
    if seat != UNDRAWN and full[seat]:  # the game ended before it could be this seat's turn
        raise impossible("seat")
    if die and (seat == UNDRAWN or any(full)):
        raise impossible("die")
    return State(options, grids, seat, die)


def _read_grid(text: str) -> Grid:
    columns = text.split("/")
    if len(columns) != 3 or not all(re.fullmatch("-|[1-6]{1,3}", column) for column in columns):
        raise InvalidText("state", f"a grid reads 33/2/- from the middle outwards, not {excerpt(text)}")
    first, second, third = (() if column == "-" else tuple(map(int, column)) for column in columns)
    return first, second, third


def _with_column(grid: Grid, index: int, column: Column) -> Grid:
    a, b, c = grid
    return (column, b, c) if index == 0 else (a, column, c) if index == 1 else (a, b, column)


_ROOM: Final = {
    (a, b, c): tuple(column for column, room in enumerate((a, b, c)) if room)
    for a in (False, True)
    for b in (False, True)
    for c in (False, True)
}
