"""Shut the Box: tiles that fold and dice to fold them with, what a roll or a turned tile did, the points by round."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal, TypedDict

from dicehall.play.protocol import Breakdown, Mark, MoveText, ViewHead
from dicehall.play.record import is_roll, read_roll
from dicehall.rules.shut_the_box import limit
from dicehall.rules.shut_the_box_state import ONE, OUT_AT, Move, State, in_play, move_text
from dicehall.rules.shut_the_box_tiles import LAST_LOW_TILE, Options, Tiles, all_tiles, can_roll_one_die, round_score

LEFT: Final = ("shut", "few", "few", *["many"] * 10)  # a round in a word, by how many tiles it left


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


class ShutTheBoxTurnMove(MoveText):
    """Turn these tiles. `left` are those still to be turned."""

    kind: Literal["turn"]
    tiles: list[int]
    exact_dice: bool
    left: list[int]
    left_sum: int
    round_score: int
    finishes: bool
    one_die_next: bool


class ShutTheBoxDiceMove(MoveText):
    """Roll one die or two."""

    kind: Literal["dice"]
    dice: Literal[1, 2]


ShutTheBoxMove = ShutTheBoxTurnMove | ShutTheBoxDiceMove


class ShutTheBoxView(ViewHead, ShutTheBoxPicture):
    game: Literal["shut-the-box"]
    moves: list[ShutTheBoxMove]


class Stuck(TypedDict):
    """Shut the Box: no tiles fit the dice, which came to `total` and lie there no longer."""

    code: Literal["stuck"]
    seat: int
    total: int


class Mulligan(TypedDict):
    """Dice that fit nothing are rolled again, once a round."""

    code: Literal["mulligan"]
    seat: int


class Doubles(TypedDict):
    """The long game: doubles that fit nothing are rolled again."""

    code: Literal["doubles"]
    seat: int


class BoxShut(TypedDict):
    """The seat has shut the last tile."""

    code: Literal["box-shut"]
    seat: int


class AllOpen(TypedDict):
    """The long game: the seat has opened the last tile."""

    code: Literal["all-open"]
    seat: int


class OtherSide(TypedDict):
    """The long game: from now on tiles are opened (or else shut)."""

    code: Literal["other-side"]
    opening: bool


class RoundOver(TypedDict):
    """Shut the Box: the seat's round is over and has scored `score`."""

    code: Literal["round-over"]
    seat: int
    score: int


class Out(TypedDict):
    """The tournament: the seat plays no further round."""

    code: Literal["out"]
    seat: int


ShutTheBoxEvent = Stuck | Mulligan | Doubles | BoxShut | AllOpen | OtherSide | RoundOver | Out


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


def preview(state: State, move: Move) -> ShutTheBoxMove:
    """Which tiles a shut turns, what stays open, and whether it leads to the one-die choice."""
    if isinstance(move, str):
        return {"move": move, "kind": "dice", "dice": 1 if move == ONE else 2}
    left: Tiles = tuple(tile for tile in in_play(state) if tile not in move)
    standing = tuple(tile for tile in all_tiles(state.options) if tile not in left) if state.opening else left
    return {
        "move": move_text(move),
        "kind": "turn",
        "tiles": list(move),
        "exact_dice": sorted(move) == sorted(state.dice),
        "left": list(left),
        "left_sum": sum(left),
        "round_score": round_score(standing, state.options.scored_by),
        "finishes": not left,
        "one_die_next": bool(left) and can_roll_one_die(left, state.options),
    }


def events(before: State, step: str, after: State) -> list[ShutTheBoxEvent]:
    seat, tiles = before.seat, before.open
    told: list[ShutTheBoxEvent] = []
    if is_roll(step):
        if after.dice:
            return told
        told.append({"code": "stuck", "seat": seat, "total": sum(read_roll(step))})
        if after.mulligan_used > before.mulligan_used:
            return [*told, {"code": "mulligan", "seat": seat}]
        if after.doubles_used > before.doubles_used:
            return [*told, {"code": "doubles", "seat": seat}]
    elif not before.dice or len(step.split("+")) < len(in_play(before)):
        return told  # how many dice to roll, or some tiles of several
    elif before.opening:
        told.append({"code": "all-open", "seat": seat})
    else:
        tiles = ()
        told.append({"code": "box-shut", "seat": seat})
    return told + _round_end(before, tiles, after)


def breakdown(states: Sequence[State]) -> Breakdown:
    """What each round scored; in the long game, how many tiles stood open after each turn."""
    final = states[-1]
    if final.options.mode == "long":
        ends = [before for before, after in pairwise(states) if after.round > before.round]
        return {"open": [len(state.open) for state in (*ends, final)]}
    return {"rounds": [[round_score(left, final.options.scored_by) for left in seat] for seat in _left(states)]}


def marks(states: Sequence[State]) -> list[list[Mark]]:
    """Each round: the box was shut, or few tiles were left, or many; nothing of a long game, which has no rounds. What
    is left scores what tells dice: all but a two, and the first roll was 1 and 1."""
    options = states[-1].options
    rounds = [] if options.mode == "long" else _left(states)
    return [[Mark(LEFT[len(left)], round_score(left, options.scored_by)) for left in seat] for seat in rounds]


def _left(states: Sequence[State]) -> list[list[Tiles]]:
    """By seat, the tiles that each of its rounds has left open."""
    rounds: list[list[Tiles]] = [[] for _ in states[-1].totals]
    for before, after in pairwise(states):
        if after.over or (after.round, after.seat) != (before.round, before.seat):
            # a move ends a round only by shutting the box, else a roll does
            rounds[before.seat].append(() if before.dice else before.open)
    return rounds


def _round_end(before: State, tiles: Tiles, after: State) -> list[ShutTheBoxEvent]:
    """What follows when a seat is stuck, or has turned its last tile, and these `tiles` are left open."""
    seat, options = before.seat, before.options
    if options.mode == "long":
        return [] if after.over else [{"code": "other-side", "opening": after.opening}]
    told: list[ShutTheBoxEvent] = [{"code": "round-over", "seat": seat, "score": round_score(tiles, options.scored_by)}]
    if options.variant == "tournament45out" and before.totals[seat] < OUT_AT <= after.totals[seat]:
        told.append({"code": "out", "seat": seat})
    return told


def _one_die_rule(options: Options) -> Literal["high", "sum", "never"]:
    if options.one_die == "never":
        return "never"
    return "sum" if options.one_die == "sum-6" or options.difficulty == "hard" else "high"
