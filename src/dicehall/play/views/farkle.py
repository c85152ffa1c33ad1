"""Six dice, what they score, and what is at stake."""

from __future__ import annotations

from typing import Any

from dicehall.rules.farkle import dice_to_roll, legal, may_bank, risk_meter
from dicehall.rules.farkle_medals import medal, medals
from dicehall.rules.farkle_scoring import farkle_ways, group_points, groups, keep_points, keeps, scoring
from dicehall.rules.farkle_state import BANK, ROLL, SELECTION, Move, State, fallen


def picture(state: State) -> dict[str, Any]:
    rules = scoring(state.options)
    choosing = state.phase == SELECTION and not state.chosen
    found = groups(fallen(state), rules) if choosing else ()
    ways, of, stake = risk_meter(state)
    return {
        "phase": state.phase,
        "round": state.round,
        "turn_total": state.pile,
        "remaining_dice": dice_to_roll(state),
        "dice": [
            {"value": die or None, "locked": kept, "scores": not kept and str(die) in "".join(found)}
            for die, kept in zip(state.dice, state.kept, strict=True)
        ],
        "groups": [{"group": group, "points": group_points(group, rules)} for group in found],
        "can_roll": ROLL in legal(state),
        "can_bank": BANK in legal(state),
        "below_minimum": state.chosen and not may_bank(state),
        "hot_dice": state.chosen and not any(state.dice),
        "risk": {"ways": ways, "of": of, "stake": stake},
        "medals": medals(state.options),
        "medal": medal(state.options, state.banked[0]) if len(state.banked) == 1 else None,
        "last_turn_after": None if state.closer < 0 else state.closer,
        "seats": [{"banked": points, "to_target": max(0, state.options.target - points)} for points in state.banked],
    }


def preview(state: State, move: Move) -> dict[str, Any]:
    """What a keep scores and leaves; what a roll risks; what a bank brings."""
    if move == BANK:
        return {"kind": "bank", "points": state.pile, "score": state.banked[state.seat] + state.pile}
    if move == ROLL:
        ways, of, stake = risk_meter(state)
        return {"kind": "roll", "dice": dice_to_roll(state), "risk": {"ways": ways, "of": of, "stake": stake}}
    rules, keep = scoring(state.options), tuple(move)
    points = keep_points(keep, rules)
    left = dice_to_roll(state) - len("".join(keep))
    hot = not left and state.options.hot_dice
    left = 6 if hot else left
    choices = keeps(fallen(state), rules)
    same_dice = [other for other in choices if sorted("".join(other)) == sorted("".join(keep))]
    return {
        "kind": "keep",
        "groups": [{"group": group, "points": group_points(group, rules)} for group in keep],
        "points": points,
        "turn_total": state.pile + points,
        "dice_left": left,
        "hot_dice": hot,
        "risk": {"ways": farkle_ways(left, rules) if left else 0, "of": 6**left, "stake": state.pile + points},
        "most_points": keep == choices[0],  # they come in that order
        "best_grouping": keep == same_dice[0],
    }
