"""Shut the Box: tiles that fold and dice to fold them with, what a roll or a turned tile did, the points by round."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal

from dicehall.play.protocol import DONE, Breakdown, RunPart, Standing
from dicehall.play.record import is_roll, read_roll
from dicehall.play.shut_the_box_types import ShutTheBoxEvent, ShutTheBoxMove, ShutTheBoxPicture
from dicehall.rules.shut_the_box import limit
from dicehall.rules.shut_the_box_state import ONE, OUT_AT, Move, State, in_play, move_text
from dicehall.rules.shut_the_box_tiles import LAST_LOW_TILE, Options, Tiles, all_tiles, can_roll_one_die, round_score

LEFT: Final = ("shut", "few", "few", *["many"] * 10)  # a round in a word, by how many tiles it left


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
        "sides": [len(state.open), options.tiles - len(state.open)] if sides else None,
        "limit": limit(options, len(state.totals)),
        "seats": [
            {
                "total": total,
                "out": tournament and total >= OUT_AT,
                "scored": state.round > 1 or seat < state.seat or state.over != "",
            }
            for seat, total in enumerate(state.totals)
        ],
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


def leader(state: State) -> None:
    """Fewer points are better, and who has not played the round yet has fewer."""


def standing(state: State) -> Standing:
    """What the run would end with if no tile were shut any more: whoever has played more rounds is not behind for it.
    In the long game those are further who have fewer tiles left to turn, on either side."""
    options, turn, (total,) = state.options, state.round, state.totals
    if options.mode == "long":
        left = min(len(state.open), options.tiles - len(state.open))
        return Standing(turn, "turns", DONE - turn if state.over else -left)
    if options.variant == "tournament45out":
        rounds = turn if state.over == "shut" else turn - 1
        return Standing(rounds, "rounds", rounds)
    if state.over:
        return Standing(total, "points", -total)
    left = round_score(state.open, options.scored_by)
    if not options.per_round_scoring:  # the best round alone counts
        best = left if turn == 1 else min(total, left)
        return Standing(best, "points", -best)
    rounds = options.rounds if options.mode == "rounds" else 1
    unplayed = round_score(all_tiles(options), options.scored_by) * (rounds - turn)
    return Standing(total + left, "points", -(total + left + unplayed))


def breakdown(states: Sequence[State]) -> Breakdown:
    """What each round scored; in the long game, how many tiles stood open after each turn."""
    final = states[-1]
    if final.options.mode == "long":
        ends = [before for before, after in pairwise(states) if after.round > before.round]
        return {"open": [len(state.open) for state in (*ends, final)]}
    return {"rounds": [[round_score(left, final.options.scored_by) for left in seat] for seat in _left(states)]}


def parts(states: Sequence[State]) -> list[list[RunPart]]:
    """Each round: the box was shut, or few tiles were left, or many; nothing of a long game, which has no rounds. What
    is left scores what tells dice: all but a two, and the first roll was 1 and 1."""
    options = states[-1].options
    rounds = [] if options.mode == "long" else _left(states)
    return [[RunPart(LEFT[len(left)], round_score(left, options.scored_by)) for left in seat] for seat in rounds]


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
