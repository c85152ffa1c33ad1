"""A simple Farkle player: take the most points, bank at a threshold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dicehall.bots.ladder import usual_advice
from dicehall.bots.protocol import BotKind
from dicehall.rules.farkle import ID, legal
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


best_advice: Final = usual_advice
KINDS: Final = (
    BotKind(
        "bank", (ID,), "keeps the most points and banks at N points or more, as in bank:300", bank, range(1, 1_000_001)
    ),
)
WIDTHS: Final = {
    "race": (160_000, 80_000, 48_000, 28_000, 13_000),
    "turns": (1_050_000, 600_000, 380_000, 240_000, 130_000),
    "turn": (480_000_000, 300_000_000, 200_000_000, 130_000_000, 80_000_000),
    "arcade": (480_000_000, 300_000_000, 200_000_000, 130_000_000, 80_000_000),
}
