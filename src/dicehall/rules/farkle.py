"""Farkle-lite: keep what scores, roll the rest, bank before it all goes.

A turn starts with six dice. After every roll keep at least one scoring group of that roll; then roll what is left, or
bank the turn's points. A roll in which nothing scores is a farkle: the turn's points are lost. When all six dice have
scored, hot dice let you roll all six again in the same turn.

Groups: a one (100), a five (50), three alike (face x 100, ones 1000), four, five and six alike (two, three and four
times the triple); by option a straight and three pairs. A keep is any set of disjoint groups, the best or not.

Alone: fewest turns to the target; with `max_turns` (arcade): most points in so many turns. With several seats: the
first to bank the target wins, at once or after everyone else's last turn; or the most points after `max_turns`.

    moves   222+1 (the groups to keep), roll, bank
    state   3450:0 0 8 300 [222]1[5]6 selection -      banked points of each seat, seat, round, points at stake, the
            six dice ([] kept, . none lies there), phase, the seat that reached the target while others finish
    dice    those that are not kept; six at the start of a turn and after hot dice
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, NamedTuple

from dicehall.errors import InvalidText, excerpt
from dicehall.rules.farkle_scoring import Keep, farkle_ways, keep_points, keeps, scoring
from dicehall.rules.farkle_scoring import Options as Options
from dicehall.rules.game import DICE, NOBODY, Aim, Result, read_number, split_state
from dicehall.rules.options import OptionValue

Move = str | Keep  # ROLL, BANK, or the groups to keep

ID: Final = "farkle"
TITLE: Final = "Farkle"
VERSION: Final = 1
SEATS: Final = range(1, 7)

ROLL: Final = "roll"
BANK: Final = "bank"
NO_DICE: Final = (0,) * 6
ALL_FREE: Final = (False,) * 6


class Phase(StrEnum):
    IDLE = "idle"  # the run's first roll is due
    ROLLED = "rolled"  # dice are in the air in the middle of a turn
    SELECTION = "selection"  # a roll waits for a keep; once kept, for the decision to roll or bank
    FARKLE = "farkle"  # so the last turn ended; the next one's first roll is due
    BANKED = "banked"  # likewise
    END = "end"


PRESETS: Final[dict[str, dict[str, OptionValue]]] = {
    "casual": {"target": 5000},
    "standard": {"target": 10_000},
    "spicy": {"target": 10_000, "straight": True, "three_pairs": True},
    "arcade": {"max_turns": 10},
}


class State(NamedTuple):
    options: Options
    banked: tuple[int, ...]
    seat: int = 0
    round: int = 1
    pile: int = 0  # the turn's points, not banked yet
    dice: tuple[int, ...] = NO_DICE  # six places on the table, 0 where no die lies
    kept: tuple[bool, ...] = ALL_FREE
    phase: Phase = Phase.IDLE
    chosen: bool = False  # something of this roll has been kept
    closer: int = -1  # the seat that reached the target, while the others have their last turn


def aim(options: Options, seats: int) -> Aim:
    return Aim("turns", lower_is_better=True) if seats == 1 and not options.max_turns else Aim("points")


def start(options: Options, seats: int) -> State:
    return State(options, (0,) * seats)


def actor(state: State) -> int:
    if state.phase is Phase.SELECTION:
        return state.seat
    return NOBODY if state.phase is Phase.END else DICE


def dice_to_roll(state: State) -> int:
    return state.kept.count(False)


def rolled(state: State, dice: tuple[int, ...]) -> State:
    options, banked, seat, turn, pile, old, kept, _, _, closer = state
    if not keeps(tuple(sorted(dice)), scoring(options)):
        return _next_turn(state, Phase.FARKLE)
    if len(dice) < 6:
        falling = iter(dice)
        dice = tuple([lying or next(falling) for lying in old])
    return State(options, banked, seat, turn, pile, dice, kept, Phase.SELECTION, False, closer)


def legal(state: State) -> tuple[Move, ...]:
    if state.phase is not Phase.SELECTION:
        return ()
    if not state.chosen:
        return keeps(fallen(state), scoring(state.options))
    if not dice_to_roll(state):
        return (BANK,)  # without hot dice; a minimum must not leave the seat without a move
    return (ROLL, BANK) if may_bank(state) else (ROLL,)


def after(state: State, move: Move) -> State:
    options, banked, seat, turn, pile, dice, kept, _, _, closer = state
    if move == ROLL:
        lying = tuple([die if locked else 0 for die, locked in zip(dice, kept, strict=True)])
        return State(options, banked, seat, turn, pile, lying, kept, Phase.ROLLED, False, closer)
    if move == BANK:
        banked = (*banked[:seat], banked[seat] + pile, *banked[seat + 1 :])
        return _next_turn(state._replace(banked=banked), Phase.BANKED)
    keep = tuple(move)
    pile += keep_points(keep, scoring(options))
    kept = _locked(dice, kept, "".join(keep))
    if False not in kept and options.hot_dice:
        dice, kept = NO_DICE, ALL_FREE  # hot dice: all six are free again, and the turn goes on
    return State(options, banked, seat, turn, pile, dice, kept, Phase.SELECTION, True, closer)


def result(state: State) -> Result:
    why = "max-turns" if state.options.max_turns else "target-reached"
    if len(state.banked) == 1:
        return Result(state.banked, (), why) if state.options.max_turns else Result((state.round,), (0,), why)
    best = max(state.banked)
    return Result(state.banked, tuple(seat for seat, points in enumerate(state.banked) if points == best), why)


def fallen(state: State) -> tuple[int, ...]:
    """The dice of the current roll, sorted."""
    return tuple(sorted([die for die, kept in zip(state.dice, state.kept, strict=True) if not kept]))


def may_bank(state: State) -> bool:
    least = state.options.bank_minimum
    if not state.banked[state.seat]:
        least = max(least, state.options.board_minimum)
    return state.pile >= least


def risk_meter(state: State) -> tuple[int, int, int]:
    """So many of so many rolls of the dice left are a farkle, which would cost so many points."""
    dice = dice_to_roll(state)
    return farkle_ways(dice, scoring(state.options)) if dice else 0, 6**dice, state.pile


def why_not(state: State, move: Move) -> tuple[str, str]:
    if not state.chosen:
        if move in (ROLL, BANK):
            return "keep-first", "keep at least one scoring group of this roll first"
        return "not-a-keep", "these groups are not all there in this roll, or do not score"
    if move == ROLL:
        return "no-dice-left", "no die is left to roll; bank"
    if move == BANK:
        return "below-minimum", f"{state.pile} points are less than the minimum"
    return "already-kept", "this roll has been kept from; roll or bank"


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
    if phase != "selected" and phase not in list(Phase):
        raise InvalidText("state", f"{excerpt(phase)} is not a phase: selected, {', '.join(Phase)}")
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
        Phase.SELECTION if phase == "selected" else Phase(phase),
        phase == "selected",
        -1 if closer == "-" else read_number(closer),
    )
    if state_text(state) != text or not _possible(state):
        raise InvalidText("state", "no game under these options comes to this state")
    return state


def _possible(state: State) -> bool:
    options, banked, seat, turn, pile, dice, kept, phase, chosen, closer = state
    if len(dice) != 6 or not 1 <= turn <= (options.max_turns or turn) or max(seat, closer) >= len(banked):
        return False
    if any(not die for die, locked in zip(dice, kept, strict=True) if locked):
        return False
    reached = not options.max_turns and max(banked) >= options.target
    if reached != (closer >= 0) or (phase is not Phase.END and reached and not (options.last_turn and seat != closer)):
        return False
    loose = fallen(state)
    if phase is Phase.SELECTION and chosen:
        hot = options.hot_dice and not any(dice)
        return pile > 0 and (hot or (all(dice) and any(kept) and not (options.hot_dice and all(kept))))
    if phase is Phase.SELECTION:
        return all(loose) and bool(keeps(loose, scoring(options)))
    if phase is Phase.ROLLED:
        return pile > 0 and bool(loose) and not any(loose)
    ended = reached or (options.max_turns == turn and seat == len(banked) - 1)
    return not any(dice) and not pile and (phase is not Phase.END or ended)


def _locked(dice: tuple[int, ...], kept: tuple[bool, ...], digits: str) -> tuple[bool, ...]:
    """The first free dice that show these digits are put aside."""
    wanted, locked = list(digits), list(kept)
    for place, die in enumerate(dice):
        if not locked[place] and str(die) in wanted:
            locked[place] = True
            wanted.remove(str(die))
    return tuple(locked)


def _next_turn(state: State, how: Phase) -> State:
    """The turn is over, by a farkle or a bank."""
    options, banked, seat, turn = state.options, state.banked, state.seat, state.round
    closer, next_seat = state.closer, (state.seat + 1) % len(state.banked)
    if options.max_turns:
        over = next_seat == 0 and turn == options.max_turns
    else:
        if closer < 0 and banked[seat] >= options.target:
            closer = seat
        over = closer >= 0 and (not options.last_turn or next_seat == closer)
    if over:
        return State(options, banked, seat, turn, phase=Phase.END, closer=closer)
    return State(options, banked, next_seat, turn + (next_seat == 0), phase=how, closer=closer)
