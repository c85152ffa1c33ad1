"""Why to roll, to bank or to keep: the risk of the next roll, the dice that are left for it, the points at once."""

from __future__ import annotations

from fractions import Fraction

from dicehall.coach.reason import Reason
from dicehall.rules.farkle import after, dice_to_roll, risk_meter
from dicehall.rules.farkle_state import BANK, ROLL, Move, State


def reason(state: State, better: Move, other: Move) -> Reason:
    if better in (ROLL, BANK):
        ways, of, stake = risk_meter(state)
        if better == BANK and not state.options.max_turns and state.banked[state.seat] + stake >= state.options.target:
            return Reason("farkle.target", {"n": state.options.target})
        return Reason(f"farkle.{better}", {"n": dice_to_roll(state), "stake": stake}, {"risk": Fraction(ways, of)})
    first, second = after(state, better), after(state, other)
    left, fewer = dice_to_roll(first), dice_to_roll(second)
    if left > fewer:
        return Reason("farkle.dice", {"n": left, "other": fewer})
    return Reason("farkle.points", {"n": first.turn_total - second.turn_total})
