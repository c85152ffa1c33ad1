"""A position of Farkle, and how it is written. The rules that lead from one to the next are in `farkle.py`.

3450:0 0 8 300 [222]1[5]6 selection -

banked points of each seat, seat to move, round, points at stake, six places on the table ([] kept, . no die lies
there), phase (selected once something of the roll has been kept), the seat that reached the target while the
others have their last turn
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from dicehall.errors import InvalidText, excerpt
from dicehall.rules.farkle_scoring import Keep, Options, can_add_up, keeps, scoring
from dicehall.rules.game import check_possible, check_written, read_number, split_state

Move = str | Keep  # ROLL, BANK, or the groups to keep

SEATS: Final = range(1, 7)
ROLL: Final = "roll"
BANK: Final = "bank"
IDLE: Final = "idle"  # the run's first roll is due
ROLLED: Final = "rolled"  # dice are in the air in the middle of a turn
SELECTION: Final = "selection"  # a roll waits for a keep; once kept, for the decision to roll or bank
FARKLE: Final = "farkle"  # the last turn ended without points; the next one's first roll is due
BANKED: Final = "banked"  # the last turn's points were banked; the next one's first roll is due
END: Final = "end"
PHASES: Final = (IDLE, ROLLED, SELECTION, FARKLE, BANKED, END)
NO_DICE: Final = (0,) * 6
ALL_FREE: Final = (False,) * 6
_SHAPE: Final = "banked seat round turn_total dice phase closer"


class State(NamedTuple):
    options: Options
    banked: tuple[int, ...]
    seat: int = 0
    round: int = 1
    turn_total: int = 0  # the turn's points, not banked yet
    dice: tuple[int, ...] = NO_DICE  # six places on the table, 0 where no die lies
    kept: tuple[bool, ...] = ALL_FREE
    phase: str = IDLE  # one of PHASES
    chosen: bool = False  # something of this roll has been kept
    closer: int = -1  # the seat that reached the target, while the others have their last turn


def fallen(state: State) -> tuple[int, ...]:
    """The dice of the current roll, sorted."""
    return tuple(sorted([die for die, kept in zip(state.dice, state.kept, strict=True) if not kept]))


def read_move(text: str) -> Move:
    if text in (ROLL, BANK):
        return text
    keep = tuple(text.split("+")) if isinstance(text, str) and len(text) <= 11 else ()
    if not keep or not all(re.fullmatch("[1-6]+", group) for group in keep):
        raise InvalidText("move", f"{excerpt(text)} is not roll, bank or groups to keep like 222+1")
    return tuple(sorted(("".join(sorted(group)) for group in keep), key=lambda group: (-len(group), group)))


def move_text(move: Move) -> str:
    return move if isinstance(move, str) else "+".join(move)


def state_text(state: State) -> str:
    dice = "".join(
        f"[{die}]" if kept else str(die or ".") for die, kept in zip(state.dice, state.kept, strict=True)
    ).replace("][", "")
    phase = "selected" if state.chosen else state.phase
    closer = "-" if state.closer < 0 else state.closer
    return f"{':'.join(map(str, state.banked))} {state.seat} {state.round} {state.turn_total} {dice} {phase} {closer}"


def read_state(options: Options, text: str) -> State:
    parts = split_state("farkle", text, _SHAPE)
    banked, seat, turn, turn_total, places, phase, closer = parts
    if phase != "selected" and phase not in PHASES:
        raise InvalidText("state", f"{excerpt(phase)} is not a phase: selected, {', '.join(PHASES)}")
    groups = re.findall(r"\[([^]]*)\]|([^][])", places)  # (kept dice, "") or ("", a free place)
    marks = [(mark, bool(kept)) for kept, free in groups for mark in kept or free]
    state = State(
        options,
        tuple(map(read_number, banked.split(":"))),
        read_number(seat),
        read_number(turn),
        read_number(turn_total),
        tuple([int(mark) if mark in "123456" else 0 for mark, _ in marks]),
        tuple([kept for _, kept in marks]),
        SELECTION if phase == "selected" else phase,
        phase == "selected",
        -1 if closer == "-" else read_number(closer),
    )
    check_written(text, state_text(state), _SHAPE)
    check_possible(state, _PARTS)
    return state


def _seat_is_possible(state: State) -> bool:
    return len(state.banked) in SEATS and state.seat < len(state.banked)


def _round_is_possible(state: State) -> bool:
    return 1 <= state.round <= (state.options.max_turns or state.round)


def _banked_is_possible(state: State) -> bool:
    return all(can_add_up(points, scoring(state.options)) for points in state.banked)


def _closer_is_possible(state: State) -> bool:
    """Whoever has reached the target is the closer; and then it is the turn of somebody else, or the end."""
    options, closer = state.options, state.closer
    if closer >= len(state.banked) or (closer >= 0) != _target_reached(state):
        return False
    if closer < 0:
        return True
    if state.banked[closer] < options.target or not _closed_by(state):
        return False
    return state.phase == END or (options.last_turn and state.seat != closer)


def _turn_total_is_possible(state: State) -> bool:
    if not can_add_up(state.turn_total, scoring(state.options)):
        return False
    if state.phase == SELECTION and not state.chosen:
        return True
    return (state.turn_total > 0) == (state.phase in (ROLLED, SELECTION))


def _dice_are_possible(state: State) -> bool:
    dice, kept, hot_dice = state.dice, state.kept, state.options.hot_dice
    if len(dice) != 6 or any(locked and not die for die, locked in zip(dice, kept, strict=True)):
        return False
    free = fallen(state)
    if state.phase == ROLLED:
        return bool(free) and not any(free)
    if state.phase != SELECTION:
        return not any(dice)
    if not state.chosen:
        return all(free) and bool(keeps(free, scoring(state.options)))
    if not any(dice):  # hot dice: all six are about to be rolled again
        return hot_dice
    return all(dice) and any(kept) and not (hot_dice and all(kept))


def _phase_is_possible(state: State) -> bool:
    last = state.options.max_turns == state.round and state.seat == len(state.banked) - 1
    return state.phase != END or last or _target_reached(state)


def _target_reached(state: State) -> bool:
    return not state.options.max_turns and max(state.banked) >= state.options.target


# By part of a state's text; each relies on those before it.
_PARTS: Final[dict[str, Callable[[State], bool]]] = {
    "seat": _seat_is_possible,
    "round": _round_is_possible,
    "banked": _banked_is_possible,
    "closer": _closer_is_possible,
    "turn_total": _turn_total_is_possible,
    "dice": _dice_are_possible,
    "phase": _phase_is_possible,
}


def _closed_by(state: State) -> bool:
    """Whether it is somebody's turn who comes after the closer, and whoever still waits is below the target."""
    seats, ended, last_turn = len(state.banked), state.phase == END, state.options.last_turn
    turns = (state.seat - state.closer) % seats + ended  # of which the closer's own was the first
    if ended and turns != (seats if last_turn else 1):
        return False
    return all(state.banked[(state.closer + later) % seats] < state.options.target for later in range(turns, seats))
