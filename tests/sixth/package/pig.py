"""Pig.

On your turn roll one die as often as you dare. Its points pile up. Hold, and they are yours; roll a one, and they are
lost. Either way the turn passes. The first to hold at the target wins at once.

    moves   roll, hold
    state   points of each seat, whose turn it is, the pile, * while the die is in the air: 12:40 1 7 -
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from dicehall.errors import InvalidText, excerpt
from dicehall.rules.game import DICE, NOBODY, Aim, Result, check_written, impossible, read_number, split_state
from dicehall.rules.options import Options as BaseOptions
from dicehall.rules.options import number

ID: Final = "pig"
TITLE: Final = "Pig"
VERSION: Final = 1
SEATS: Final = range(2, 5)
BY_SEAT: Final = ("points",)
PRESETS: Final[dict[str, dict[str, bool | int | str]]] = {"short": {"target": 30}}
ROLL: Final = "roll"
HOLD: Final = "hold"
BUST: Final = 1
_SHAPE: Final = "points seat pile die"


@dataclass(frozen=True, slots=True)
class Options(BaseOptions):
    target: int = number(100, 10, 1000, "points that win")


class State(NamedTuple):
    options: Options
    points: tuple[int, ...]
    seat: int = 0
    pile: int = 0
    rolling: bool = False  # the die is in the air


def aim(options: Options, seats: int) -> Aim:
    return Aim("points")


def start(options: Options, seats: int) -> State:
    return State(options, (0,) * seats)


def seats_of(state: State) -> int:
    return len(state.points)


def actor(state: State) -> int:
    if max(state.points) >= state.options.target:
        return NOBODY
    return DICE if state.rolling else state.seat


def dice_to_roll(state: State) -> int:
    return 1


def rolled(state: State, dice: tuple[int, ...]) -> State:
    if dice[0] == BUST:
        return _pass_on(state, 0)
    return state._replace(pile=state.pile + dice[0], rolling=False)


def legal(state: State) -> tuple[str, ...]:
    if actor(state) < 0:
        return ()
    return (ROLL, HOLD) if state.pile else (ROLL,)


def after(state: State, move: str) -> State:
    return state._replace(rolling=True) if move == ROLL else _pass_on(state, state.pile)


def result(state: State) -> Result:
    winners = [seat for seat, points in enumerate(state.points) if points >= state.options.target]
    return Result(state.points, tuple(winners), "target")


def why_not(state: State, move: str) -> tuple[str, str]:
    return "nothing-to-hold", "roll first: there is nothing to hold"


def read_move(text: str) -> str:
    if text not in (ROLL, HOLD):
        raise InvalidText("move", f"{excerpt(text)} is not roll or hold")
    return text


def move_text(move: str) -> str:
    return move


def state_text(state: State) -> str:
    return f"{':'.join(map(str, state.points))} {state.seat} {state.pile} {'*' if state.rolling else '-'}"


def read_state(options: Options, text: str) -> State:
    points, seat, pile, die = split_state(ID, text, _SHAPE)
    state = State(options, tuple(map(read_number, points.split(":"))), read_number(seat), read_number(pile), die == "*")
    check_written(text, state_text(state), _SHAPE)
    if len(state.points) not in SEATS or state.seat >= len(state.points):
        raise impossible("seat")
    over = [seat for seat, one in enumerate(state.points) if one >= options.target]
    if len(over) > 1 or 1 in state.points:
        raise impossible("points")
    if state.pile == BUST or (over and (state.pile or state.rolling)):
        raise impossible("pile")
    return state


def _pass_on(state: State, points: int) -> State:
    now = state.points[state.seat] + points
    totals = (*state.points[: state.seat], now, *state.points[state.seat + 1 :])
    seat = state.seat if now >= state.options.target else (state.seat + 1) % len(totals)
    return State(state.options, totals, seat)
