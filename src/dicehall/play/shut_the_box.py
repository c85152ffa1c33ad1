"""Tiles that fold, dice to fold them with, and the totals."""

from __future__ import annotations

from typing import Literal, TypedDict

from dicehall.rules.shut_the_box import limit
from dicehall.rules.shut_the_box_state import ONE, OUT_AT, Move, State, in_play
from dicehall.rules.shut_the_box_tiles import LAST_LOW_TILE, Options, Tiles, all_tiles, can_roll_one_die, round_score


class Tile(TypedDict):
    number: int
    open: bool


class ShutTheBoxSeat(TypedDict):
    total: int
    out: bool


class ShutTheBoxPicture(TypedDict):
    """The box. In an `opening` turn (the long game) tiles are opened, not shut; `rounds` is null without a limit.

    `turn_of` is the seat whose round it is, also while the dice roll. One die may be rolled by a rule of the high
    tiles, `one_die_after` those of them that are still in the way, or of the sum, or never. `sides`, by seat, only in
    the long game of two: the sum of what each still has to turn. `to_turn` are the tiles that are still to be shut, or
    in an opening turn opened; `limit` is the most points with which one who plays alone still wins.
    """

    tiles: list[Tile]
    to_turn: list[int]
    dice: list[int]
    dice_total: int | None
    turn_of: int
    can_roll_one_die: bool
    one_die_rule: Literal["high", "sum", "never"]
    one_die_after: list[int]
    open_sum: int
    opening: bool
    round: int
    rounds: int | None
    scoring: Literal["golf", "digital", "missionary"]
    round_score: int
    mulligan_left: bool
    sides: list[int] | None
    limit: int | None
    seats: list[ShutTheBoxSeat]


class ShutTheBoxTurn(TypedDict):
    kind: Literal["turn"]
    tiles: list[int]
    exact_dice: bool
    left: list[int]
    left_sum: int
    round_score: int
    finishes: bool
    one_die_next: bool


class ShutTheBoxDice(TypedDict):
    kind: Literal["dice"]
    dice: Literal[1, 2]


def picture(state: State) -> ShutTheBoxPicture:
    options = state.options
    tournament = options.variant == "tournament45out"
    one_die_rule = _one_die_rule(options)
    open_sum, to_turn = sum(state.open), in_play(state)
    sides = options.mode == "long" and len(state.totals) == 2
    return {
        "tiles": [{"number": tile, "open": tile in state.open} for tile in all_tiles(options)],
        "to_turn": list(to_turn),
        "dice": list(state.dice),
        "dice_total": sum(state.dice) or None,
        "turn_of": state.seat,
        "can_roll_one_die": can_roll_one_die(to_turn, options),
        "one_die_rule": one_die_rule,
        "one_die_after": [tile for tile in to_turn if tile > LAST_LOW_TILE and one_die_rule == "high"],
        "open_sum": open_sum,
        "opening": state.opening,
        "round": state.round,
        "rounds": options.rounds if options.mode == "rounds" and not tournament else None,
        "scoring": options.scored_by,  # type: ignore[typeddict-item]  # one of those: options are checked
        "round_score": round_score(state.open, options.scored_by),
        "mulligan_left": options.mulligan and not state.mulligan_used,
        "sides": [open_sum, sum(all_tiles(options)) - open_sum] if sides else None,
        "limit": limit(options, len(state.totals)),
        "seats": [{"total": total, "out": tournament and total >= OUT_AT} for total in state.totals],
    }


def preview(state: State, move: Move) -> ShutTheBoxTurn | ShutTheBoxDice:
    """Which tiles a shut turns, what stays open, and whether it leads to the one-die choice."""
    if isinstance(move, str):
        return {"kind": "dice", "dice": 1 if move == ONE else 2}
    left: Tiles = tuple(tile for tile in in_play(state) if tile not in move)
    standing = tuple(tile for tile in all_tiles(state.options) if tile not in left) if state.opening else left
    return {
        "kind": "turn",
        "tiles": list(move),
        "exact_dice": sorted(move) == sorted(state.dice),
        "left": list(left),
        "left_sum": sum(left),
        "round_score": round_score(standing, state.options.scored_by),
        "finishes": not left,
        "one_die_next": bool(left) and can_roll_one_die(left, state.options),
    }


def _one_die_rule(options: Options) -> Literal["high", "sum", "never"]:
    if options.one_die == "never":
        return "never"
    return "sum" if options.one_die == "sum-6" or options.difficulty == "hard" else "high"
