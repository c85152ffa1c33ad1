"""Farkle-lite: keep what scores, roll the rest, bank before it all goes.

A turn starts with six dice. After every roll keep at least one scoring group of that roll; then roll what is left, or
bank the turn's points. A roll in which nothing scores is a farkle: the turn's points are lost. When all six dice have
scored, hot dice let you roll all six again in the same turn.

Groups: a one (100), a five (50), three alike (face x 100, ones 1000), four, five and six alike (two, three and four
times the triple); by option a straight and three pairs. A keep is any set of disjoint groups, the best or not.

Alone: fewest turns to the target; with `max_turns` (arcade): most points in that many turns. With several seats: the
first to bank the target wins, at once or after everyone else's last turn; or the most points after `max_turns`.

    moves   222+1 (the groups to keep), roll, bank
    state   3450:0 0 8 300 [222]1[5]6 selection -      see farkle_state.py
    dice    those that are not kept; six at the start of a turn and after hot dice
"""

from __future__ import annotations

from typing import Final

from dicehall.rules.farkle_scoring import Options as Options
from dicehall.rules.farkle_scoring import farkle_ways, keep_points, keeps, scoring
from dicehall.rules.farkle_state import (
    ALL_FREE,
    BANK,
    BANKED,
    END,
    FARKLE,
    NO_DICE,
    ROLL,
    ROLLED,
    SELECTION,
    Move,
    fallen,
)
from dicehall.rules.farkle_state import SEATS as SEATS
from dicehall.rules.farkle_state import State as State
from dicehall.rules.farkle_state import move_text as move_text
from dicehall.rules.farkle_state import read_move as read_move
from dicehall.rules.farkle_state import read_state as read_state
from dicehall.rules.farkle_state import state_text as state_text
from dicehall.rules.game import DICE, NOBODY, Aim, Result
from dicehall.rules.options import OptionValue

ID: Final = "farkle"
TITLE: Final = "Farkle"
VERSION: Final = 1


PRESETS: Final[dict[str, dict[str, OptionValue]]] = {
    "casual": {"target": 5000},
    "standard": {"target": 10_000},
    "spicy": {"target": 10_000, "straight": True, "three_pairs": True},
    "arcade": {"max_turns": 10},
}


def aim(options: Options, seats: int) -> Aim:
    return Aim("turns", lower_is_better=True) if seats == 1 and not options.max_turns else Aim("points")


def start(options: Options, seats: int) -> State:
    return State(options, (0,) * seats)


def seats_of(state: State) -> int:
    return len(state.banked)


def actor(state: State) -> int:
    if state.phase == SELECTION:
        return state.seat
    return NOBODY if state.phase == END else DICE


def dice_to_roll(state: State) -> int:
    return state.kept.count(False)


def rolled(state: State, dice: tuple[int, ...]) -> State:
    options, banked, seat, turn, turn_total, old, kept, _, _, closer = state
    if not keeps(tuple(sorted(dice)), scoring(options)):
        return end_turn(state, FARKLE)
    if len(dice) < 6:
        falling = iter(dice)
        dice = tuple([lying or next(falling) for lying in old])
    return State(options, banked, seat, turn, turn_total, dice, kept, SELECTION, False, closer)


def legal(state: State) -> tuple[Move, ...]:
    if state.phase != SELECTION:
        return ()
    if not state.chosen:
        return keeps(fallen(state), scoring(state.options))
    if not dice_to_roll(state):
        return (BANK,)  # without hot dice; a minimum must not leave the seat without a move
    return (ROLL, BANK) if may_bank(state) else (ROLL,)


def after(state: State, move: Move) -> State:
    options, banked, seat, turn, turn_total, dice, kept, _, _, closer = state
    if move == ROLL:
        lying = tuple([die if locked else 0 for die, locked in zip(dice, kept, strict=True)])
        return State(options, banked, seat, turn, turn_total, lying, kept, ROLLED, False, closer)
    if move == BANK:
        banked = (*banked[:seat], banked[seat] + turn_total, *banked[seat + 1 :])
        return end_turn(state._replace(banked=banked), BANKED)
    turn_total += keep_points(tuple(move), scoring(options))
    kept = _locked(dice, kept, [int(digit) for group in move for digit in group])
    return hot_dice_check(State(options, banked, seat, turn, turn_total, dice, kept, SELECTION, True, closer))


def result(state: State) -> Result:
    why = "max-turns" if state.options.max_turns else "target-reached"
    if len(state.banked) == 1:
        return Result(state.banked, (), why) if state.options.max_turns else Result((state.round,), (0,), why)
    best = max(state.banked)
    return Result(state.banked, tuple(seat for seat, points in enumerate(state.banked) if points == best), why)


def end_turn(state: State, how: str) -> State:
    """By a farkle or a bank: the next seat's turn, or the end of the game."""
    options, banked, seat, closer = state.options, state.banked, state.seat, state.closer
    if closer < 0 and not options.max_turns and banked[seat] >= options.target:
        closer = seat
    next_seat = (seat + 1) % len(banked)
    if check_end_game(state, closer):
        return State(options, banked, seat, state.round, phase=END, closer=closer)
    return State(options, banked, next_seat, state.round + (next_seat == 0), phase=how, closer=closer)


def check_end_game(state: State, closer: int) -> bool:
    """Is the game over with this turn? `closer` is the seat that has reached the target, or -1."""
    next_seat = (state.seat + 1) % len(state.banked)
    if state.options.max_turns:
        return next_seat == 0 and state.round == state.options.max_turns
    return closer >= 0 and (not state.options.last_turn or next_seat == closer)


def hot_dice_check(state: State) -> State:
    """All six dice have scored: all six are free again, and the turn goes on."""
    if False not in state.kept and state.options.hot_dice:
        return state._replace(dice=NO_DICE, kept=ALL_FREE)
    return state


def least_to_bank(state: State) -> int:
    """What a turn must have brought; more where the seat has nothing on the board yet."""
    options = state.options
    return options.bank_minimum if state.banked[state.seat] else max(options.bank_minimum, options.board_minimum)


def may_bank(state: State) -> bool:
    return state.turn_total >= least_to_bank(state)


def risk_meter(state: State) -> tuple[int, int, int]:
    """How many rolls of the dice left are a farkle, of how many, and how many points that would cost."""
    dice = dice_to_roll(state)
    return farkle_ways(dice, scoring(state.options)) if dice else 0, 6**dice, state.turn_total


def why_not(state: State, move: Move) -> tuple[str, str]:
    if not state.chosen:
        if move in (ROLL, BANK):
            return "keep-first", "keep at least one scoring group of this roll first"
        return "not-a-keep", "these groups are not all there in this roll, or do not score"
    if move == ROLL:
        return "no-dice-left", "no die is left to roll; bank"
    if move == BANK:
        return "below-minimum", f"{state.turn_total} points are less than the minimum"
    return "already-kept", "this roll has been kept from; roll or bank"


def _locked(dice: tuple[int, ...], kept: tuple[bool, ...], faces: list[int]) -> tuple[bool, ...]:
    """The first free dice that show these faces are put aside."""
    locked = list(kept)
    for place, die in enumerate(dice):
        if die in faces and not locked[place]:
            locked[place] = True
            faces.remove(die)
    return tuple(locked)
