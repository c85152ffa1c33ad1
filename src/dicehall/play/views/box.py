"""Tiles that fold, dice to fold them with, and the totals."""

from __future__ import annotations

from typing import Any

from dicehall.rules.box_state import ONE, OUT_AT, Move, State, in_play
from dicehall.rules.box_tiles import Tiles, all_tiles, can_roll_one_die, round_score


def picture(state: State) -> dict[str, Any]:
    options = state.options
    tournament = options.variant == "tournament45out"
    return {
        "tiles": [{"number": tile, "open": tile in state.open} for tile in all_tiles(options)],
        "dice": list(state.dice),
        "dice_total": sum(state.dice) or None,
        "can_roll_one_die": can_roll_one_die(in_play(state), options),
        "open_sum": sum(state.open),
        "opening": state.opening,
        "round": state.round,
        "rounds": options.rounds if options.mode == "rounds" and not tournament else None,
        "scoring": options.scored_by,
        "round_score": round_score(state.open, options.scored_by),
        "mulligan_left": options.mulligan and not state.mulligan_used,
        "seats": [{"total": total, "out": tournament and total >= OUT_AT} for total in state.totals],
    }


def preview(state: State, move: Move) -> dict[str, Any]:
    """Which tiles a shut turns, what stays open, and whether it leads to the one-die choice."""
    if isinstance(move, str):
        return {"kind": "dice", "dice": 1 if move == ONE else 2}
    left: Tiles = tuple(tile for tile in in_play(state) if tile not in move)
    return {
        "kind": "turn",
        "tiles": list(move),
        "exact_dice": sorted(move) == sorted(state.dice),
        "left": list(left),
        "left_sum": sum(left),
        "finishes": not left,
        "one_die_next": bool(left) and can_roll_one_die(left, state.options),
    }
