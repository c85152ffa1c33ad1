"""Farkle: six dice and what they score, what a roll or a bank did to the turn, the points by turn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from dicehall.play.farkle_types import FarkleEvent, FarkleMove, FarklePicture, Risk
from dicehall.play.protocol import DONE, Breakdown, RunPart, Standing, ahead
from dicehall.play.record import is_roll
from dicehall.rules.farkle import after, dice_to_roll, least_to_bank, legal, risk_meter
from dicehall.rules.farkle_medals import medal, medals
from dicehall.rules.farkle_scoring import group_points, groups, keeps, scoring
from dicehall.rules.farkle_state import BANK, BANKED, END, FARKLE, ROLL, SELECTION, Move, State, fallen, move_text

LARGE: Final = 500  # points of a turn that are told as many


def picture(state: State) -> FarklePicture:
    rules = scoring(state.options)
    choosing = state.phase == SELECTION and not state.chosen
    found = groups(fallen(state), rules) if choosing else ()
    scores = "".join(found)
    least = least_to_bank(state)
    return {
        "phase": state.phase,  # type: ignore[typeddict-item]  # one of PHASES, says State
        "round": state.round,
        "turn_of": state.seat,
        "turn_total": state.turn_total,
        "remaining_dice": dice_to_roll(state),
        "dice": [
            {"value": die or None, "locked": kept, "scores": not kept and str(die) in scores}
            for die, kept in zip(state.dice, state.kept, strict=True)
        ],
        "groups": [{"group": group, "points": group_points(group, rules)} for group in found],
        "can_roll": ROLL in legal(state),
        "can_bank": BANK in legal(state),
        "minimum": {"points": least, "to_enter": least > state.options.bank_minimum},
        "hot_dice": _hot(state),
        "risk": _risk(state),
        "medals": medals(state.options),
        "medal": medal(state.options, state.banked[0]) if len(state.banked) == 1 else None,
        "last_turn_after": None if state.closer < 0 else state.closer,
        "seats": [{"banked": points, "to_target": max(0, state.options.target - points)} for points in state.banked],
    }


def preview(state: State, move: Move) -> FarkleMove:
    """What a keep scores and leaves; what a roll risks; what a bank brings."""
    if move == BANK:
        score, reaches = state.banked[state.seat] + state.turn_total, _reaches_target(state)
        return {"move": BANK, "kind": "bank", "points": state.turn_total, "score": score, "reaches_target": reaches}
    if move == ROLL:
        return {"move": ROLL, "kind": "roll", "dice": dice_to_roll(state), "risk": _risk(state)}
    rules, keep, kept = scoring(state.options), tuple(move), after(state, move)
    choices, then = keeps(fallen(state), rules), legal(kept)
    same_dice = [other for other in choices if sorted("".join(other)) == sorted("".join(keep))]
    return {
        "move": move_text(move),
        "kind": "keep",
        "groups": [{"group": group, "points": group_points(group, rules)} for group in keep],
        "points": kept.turn_total - state.turn_total,
        "turn_total": kept.turn_total,
        "dice_left": dice_to_roll(kept),
        "hot_dice": _hot(kept),
        "risk": _risk(kept),
        "can_roll": ROLL in then,
        "can_bank": BANK in then,
        "reaches_target": _reaches_target(kept),
        "best_grouping": keep == same_dice[0],  # they come in the order of their points
    }


def events(before: State, step: str, after: State) -> list[FarkleEvent]:
    seat = before.seat
    if is_roll(step):
        lost = after.phase != SELECTION
        return [{"code": "farkle", "seat": seat, "lost": before.turn_total}] if lost else []
    if step != BANK:
        return [{"code": "hot-dice", "seat": seat}] if _hot(after) else []
    total, target = after.banked[seat], before.options.target
    points = before.turn_total
    told: list[FarkleEvent] = [
        {"code": "banked", "seat": seat, "points": points, "total": total, "large": points >= LARGE}
    ]
    if not before.options.max_turns and before.banked[seat] < target <= total:
        told.append({"code": "target-reached", "seat": seat})
    if after.closer != before.closer and after.phase != END:
        told.append({"code": "last-turn", "after": seat})
    return told


def leader(state: State) -> int | None:
    return ahead(state.banked)


def standing(state: State) -> Standing:
    """What is banked; whoever has reached the target is ahead of those who have not, with fewer turns further."""
    reached = state.phase == END and not state.options.max_turns
    if reached:
        return Standing(state.round, "turns", DONE - state.round)
    return Standing(state.banked[0], "points", state.banked[0])


def breakdown(states: Sequence[State]) -> Breakdown:
    """What each turn brought; 0 for a farkle."""
    return {"turns": [[points for points, _ in seat] for seat in _turns(states)]}


def parts(states: Sequence[State]) -> list[list[RunPart]]:
    """Each turn: a farkle, few points or many, or all six dice scored on the way. The points would tell dice: 50 are a
    five."""
    return [[_part(*turn) for turn in seat] for seat in _turns(states)]


def _part(points: int, hot: bool) -> RunPart:
    code = "farkle" if not points else "hot" if hot else "large" if points >= LARGE else "small"
    return RunPart(code, points)


def _turns(states: Sequence[State]) -> list[list[tuple[int, bool]]]:
    """By seat, what each turn brought, and whether all six dice scored in it."""
    turns: list[list[tuple[int, bool]]] = [[] for _ in states[0].banked]
    hot = False
    for state, then in pairwise(states):
        hot = hot or _hot(state)
        if then.phase in (FARKLE, BANKED, END) and then != state:
            turns[state.seat].append((then.banked[state.seat] - state.banked[state.seat], hot))
            hot = False
    return turns


def _hot(state: State) -> bool:
    """All six have scored and are free again."""
    return state.chosen and not any(state.dice)


def _risk(state: State) -> Risk:
    ways, of, turn_total = risk_meter(state)
    return {"ways": ways, "of": of, "stake": turn_total}


def _reaches_target(state: State) -> bool:
    """Would banking now, as the first seat to do so?"""
    race = state.closer < 0 and not state.options.max_turns
    return race and state.banked[state.seat] + state.turn_total >= state.options.target
