"""A position of Shut the Box, and how it is written. The rules that lead from one to the next are in `shut_the_box.py`.

1234.67.. 65 0 2 11:7x - -

tiles (. where shut; 10, 11, 12 are A, B, C), dice (on the table; * for each that is in the air; - before that is
chosen), seat, round, total of each seat (x: out before this round), flags (o an opening turn, m mulligan used,
d doubles rolled again), what ended the game; - where there is none
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from dicehall.errors import InvalidText, excerpt
from dicehall.rules.game import check_possible, check_written, read_number, split_state
from dicehall.rules.shut_the_box_tiles import Options, Tiles, all_tiles, can_roll_one_die, legal_combos, round_score

Move = str | Tiles  # ONE, TWO, or the tiles to turn, highest first

SEATS: Final = range(1, 7)
ONE: Final = "one"
TWO: Final = "two"
OUT_AT: Final = 45
_MARKS: Final = dict(zip(range(1, 13), "123456789ABC", strict=True))
_TILE_NAMES: Final = {str(tile) for tile in _MARKS}
_ENDINGS: Final = ("shut", "opened", "out", "rounds")
_SHAPE: Final = "tiles dice seat round totals flags ending"


class State(NamedTuple):
    options: Options
    open: Tiles
    totals: tuple[int, ...]
    seat: int = 0
    round: int = 1  # in the long game: the turn
    dice: tuple[int, ...] = ()  # on the table, waiting for tiles
    to_roll: int = 0  # dice in the air; 0: not chosen yet, or nothing to choose
    out: tuple[int, ...] = ()  # tournament: seats that were out before this round began
    opening: bool = False  # the long game's other side: tiles are opened, not shut
    mulligan_used: bool = False
    doubles_used: bool = False  # doubles that fitted nothing have just been rolled again
    over: str = ""  # what ended the game


def in_play(state: State) -> Tiles:
    """The tiles still to be turned: the open ones, or in an opening turn the shut ones."""
    if not state.opening:
        return state.open
    return tuple([tile for tile in all_tiles(state.options) if tile not in state.open])


def read_move(text: str) -> Move:
    if text in (ONE, TWO):
        return text
    parts = text.split("+") if isinstance(text, str) and len(text) <= 30 else []
    if not parts or not set(parts) <= _TILE_NAMES or len(set(parts)) < len(parts):
        raise InvalidText("move", f"{excerpt(text)} is not one, two or tiles like 7+4")
    return tuple(sorted(map(int, parts), reverse=True))


def move_text(move: Move) -> str:
    return move if isinstance(move, str) else "+".join(map(str, move))


def state_text(state: State) -> str:
    tiles = "".join(_MARKS[tile] if tile in state.open else "." for tile in all_tiles(state.options))
    dice = "".join(map(str, state.dice)) or "*" * state.to_roll or "-"
    totals = ":".join(f"{total}{'x' if seat in state.out else ''}" for seat, total in enumerate(state.totals))
    used = ((state.opening, "o"), (state.mulligan_used, "m"), (state.doubles_used, "d"))
    flags = "".join(mark for is_set, mark in used if is_set)
    return f"{tiles} {dice} {state.seat} {state.round} {totals} {flags or '-'} {state.over or '-'}"


def read_state(options: Options, text: str) -> State:
    fields = split_state("shut-the-box", text, _SHAPE)
    tiles, dice, seat, turn, totals, flags, ending = fields
    parts = totals.split(":")
    state = State(
        options,
        tuple(tile for tile, mark in zip(all_tiles(options), tiles, strict=False) if mark == _MARKS[tile]),
        tuple(read_number(part.removesuffix("x"), 10**18) for part in parts),
        read_number(seat),
        read_number(turn),
        tuple(int(die) for die in dice if die in "123456"),
        dice.count("*"),
        tuple(place for place, part in enumerate(parts) if part.endswith("x")),
        "o" in flags,
        "m" in flags,
        "d" in flags,
        ending if ending in _ENDINGS else "",
    )
    check_written(text, state_text(state), _SHAPE)
    check_possible(state, _PARTS)
    return state


def _seat_is_possible(state: State) -> bool:
    seats = len(state.totals)
    return seats in state.options.seats(SEATS) and state.seat < seats and state.seat not in state.out


def _round_is_possible(state: State) -> bool:
    options = state.options
    if options.mode == "long" or options.variant == "tournament45out":
        return state.round >= 1
    return 1 <= state.round <= (options.rounds if options.mode == "rounds" else 1)


def _flags_are_possible(state: State) -> bool:
    if (state.opening or state.doubles_used) and state.options.mode != "long":
        return False
    return state.options.mulligan or not state.mulligan_used


def _totals_are_possible(state: State) -> bool:
    options, tournament = state.options, state.options.variant == "tournament45out"
    worst = round_score(all_tiles(options), options.scored_by)
    for seat, total in enumerate(state.totals):
        played = 0 if options.mode == "long" else state.round - 1 + (seat < state.seat or state.over != "")
        if total > played * worst:
            return False
        if tournament and seat == state.seat and total >= OUT_AT and not state.over:
            return False
    return all(tournament and state.totals[seat] >= OUT_AT for seat in state.out)


def _ending_is_possible(state: State) -> bool:
    if not state.over:
        return True
    if (state.over == "opened") != state.opening:
        return False
    all_turned = not in_play(state)
    if state.options.mode == "long":
        return all_turned
    return state.over not in ("shut", "opened") or (state.options.instant and all_turned)


def _dice_are_possible(state: State) -> bool:
    left = in_play(state)
    if state.over:
        return not state.dice and not state.to_roll
    one_die = can_roll_one_die(left, state.options)
    if state.dice:
        allowed = len(state.dice) == 2 or (len(state.dice) == 1 and one_die)
        return allowed and not state.to_roll and bool(legal_combos(left, state.dice, state.options))
    return state.to_roll in (0, 2) or (state.to_roll == 1 and one_die)


def _tiles_are_possible(state: State) -> bool:
    return bool(in_play(state) or state.opening or state.over)


# By part of a state's text; each relies on those before it.
_PARTS: Final[dict[str, Callable[[State], bool]]] = {
    "seat": _seat_is_possible,
    "round": _round_is_possible,
    "flags": _flags_are_possible,
    "totals": _totals_are_possible,
    "ending": _ending_is_possible,
    "tiles": _tiles_are_possible,
    "dice": _dice_are_possible,
}
