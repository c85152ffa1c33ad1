"""A position of Farkle, and how it is written. The rules that lead from one to the next are in `farkle.py`.

3450:0 0 8 300 [222]1[5]6 selection -

banked points of each seat, seat to move, round, points at stake, six places on the table ([] kept, . no die lies
there), phase (selected once something of the roll has been kept), the seat that reached the target while the
others have their last turn
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from dicehall.errors import InvalidText, excerpt
from dicehall.rules.farkle_scoring import Keep, Options, can_add_up, keeps, scoring
from dicehall.rules.game import read_number, split_state

Move = str | Keep  # ROLL, BANK, or the groups to keep

SEATS: Final = range(1, 7)
ROLL: Final = "roll"
BANK: Final = "bank"
IDLE: Final = "idle"  # the run's first roll is due
ROLLED: Final = "rolled"  # dice are in the air in the middle of a turn
SELECTION: Final = "selection"  # a roll waits for a keep; once kept, for the decision to roll or bank
FARKLE: Final = "farkle"  # so the last turn ended; the next one's first roll is due
BANKED: Final = "banked"  # likewise
END: Final = "end"
PHASES: Final = (IDLE, ROLLED, SELECTION, FARKLE, BANKED, END)
NO_DICE: Final = (0,) * 6
ALL_FREE: Final = (False,) * 6


class State(NamedTuple):
    options: Options
    banked: tuple[int, ...]
    seat: int = 0
    round: int = 1
    pile: int = 0  # the turn's points, not banked yet
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
    return f"{':'.join(map(str, state.banked))} {state.seat} {state.round} {state.pile} {dice} {phase} {closer}"


def read_state(options: Options, text: str) -> State:
    parts = split_state("farkle", text, "banked seat round pile dice phase closer")
    banked, seat, turn, pile, places, phase, closer = parts
    if phase != "selected" and phase not in PHASES:
        raise InvalidText("state", f"{excerpt(phase)} is not a phase: selected, {', '.join(PHASES)}")
    groups = re.findall(r"\[([^]]*)\]|([^][])", places)  # (kept dice, "") or ("", a free place)
    marks = [(mark, bool(kept)) for kept, free in groups for mark in kept or free]
    state = State(
        options,
        tuple(map(read_number, banked.split(":"))),
        read_number(seat),
        read_number(turn),
        read_number(pile),
        tuple([int(mark) if mark in "123456" else 0 for mark, _ in marks]),
        tuple([kept for _, kept in marks]),
        SELECTION if phase == "selected" else phase,
        phase == "selected",
        -1 if closer == "-" else read_number(closer),
    )
    if state_text(state) != text or not _possible(state):
        raise InvalidText("state", "no game under these options comes to this state")
    return state


def _possible(state: State) -> bool:
    options, banked, seat, turn, pile, dice, kept, phase, chosen, closer = state
    seats = len(banked)
    if len(dice) != 6 or seats not in SEATS or max(seat, closer) >= seats:
        return False
    if not 1 <= turn <= (options.max_turns or turn):
        return False
    if any(not die for die, locked in zip(dice, kept, strict=True) if locked):
        return False
    if not all(can_add_up(points, scoring(options)) for points in (*banked, pile)):
        return False
    reached = not options.max_turns and max(banked) >= options.target
    if closer >= 0 and (banked[closer] < options.target or not _closed_by(state)):
        return False
    if reached != (closer >= 0) or (phase != END and reached and not (options.last_turn and seat != closer)):
        return False
    loose = fallen(state)
    if phase == SELECTION and chosen:
        hot = options.hot_dice and not any(dice)
        return pile > 0 and (hot or (all(dice) and any(kept) and not (options.hot_dice and all(kept))))
    if phase == SELECTION:
        return all(loose) and bool(keeps(loose, scoring(options)))
    if phase == ROLLED:
        return pile > 0 and bool(loose) and not any(loose)
    ended = reached or (options.max_turns == turn and seat == seats - 1)
    return not any(dice) and not pile and (phase != END or ended)


def _closed_by(state: State) -> bool:
    """Whether it is somebody's turn who comes after the closer, and whoever still waits is below the target."""
    seats, ended, last_turn = len(state.banked), state.phase == END, state.options.last_turn
    turns = (state.seat - state.closer) % seats + ended  # of which the closer's own was the first
    if ended and turns != (seats if last_turn else 1):
        return False
    return all(state.banked[(state.closer + later) % seats] < state.options.target for later in range(turns, seats))
