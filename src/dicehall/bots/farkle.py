"""A simple Farkle player: take the most points, bank at a threshold."""

from __future__ import annotations

from collections.abc import Callable

from dicehall.rules.farkle import legal
from dicehall.rules.farkle_state import BANK, ROLL, Move, State


def bank(threshold: int) -> Callable[[State], Move]:
    def choose(state: State) -> Move:
        moves = legal(state)
        if not state.chosen:
            return moves[0]  # most points first, fewer dice among equals
        reaches = state.turn_total + state.banked[state.seat] >= state.options.target and not state.options.max_turns
        if BANK in moves and (state.turn_total >= threshold or reaches or ROLL not in moves):
            return BANK
        return ROLL

    return choose
