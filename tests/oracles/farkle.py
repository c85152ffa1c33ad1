"""A slow and obvious twin of Farkle-lite, written straight from the rules, to test the rules engine against."""

import copy
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

Position = dict[str, Any]

DEFAULTS: dict[str, Any] = {
    "target": 10000,
    "hot_dice": True,
    "straight": False,
    "three_pairs": False,
    "four_plus_pair": False,
    "straight_points": 1500,
    "three_pairs_points": 1500,
    "max_turns": 0,
    "last_turn": False,
    "board_minimum": 0,
    "bank_minimum": 0,
}


def start(options: dict[str, Any], seats: int) -> Position:
    return {
        "options": {**DEFAULTS, **options},
        "phase": "dice",  # "dice", "keep", "decide" or "over"
        "current": 0,
        "banked": [0] * seats,
        "turns_taken": [0] * seats,
        "turn_total": 0,
        "dice_left": 6,
        "dice": [],
        # The seat that reached the target first, once the others are taking their last turns.
        "target_reached_by": None,
    }


def turn(position: Position) -> str:
    return {"dice": "dice", "keep": "seat", "decide": "seat", "over": "over"}[position["phase"]]


def seat(position: Position) -> int:
    return int(position["current"])


def dice_count(position: Position) -> int:
    return int(position["dice_left"])


def roll(position: Position, dice: tuple[int, ...]) -> Position:
    if turn(position) != "dice":
        raise ValueError("no dice are to be rolled now")
    if len(dice) != dice_count(position) or not all(die in (1, 2, 3, 4, 5, 6) for die in dice):
        raise ValueError(f"these are not {dice_count(position)} dice: {dice}")
    after = copy.deepcopy(position)
    after["dice"] = list(dice)
    if _keeps(after):
        after["phase"] = "keep"
    else:
        _end_turn(after)
    return after


def moves(position: Position) -> list[str]:
    if position["phase"] == "keep":
        return _keeps(position)
    if position["phase"] == "decide":
        legal = []
        if position["dice_left"] > 0:
            legal.append("roll")
        if _may_bank(position):
            legal.append("bank")
        return legal
    return []


def move(position: Position, text: str) -> Position:
    if text not in moves(position):
        raise ValueError(f"not a legal move: {text}")
    after = copy.deepcopy(position)
    if text == "roll":
        after["phase"] = "dice"
        after["dice"] = []
    elif text == "bank":
        after["banked"][after["current"]] += after["turn_total"]
        _end_turn(after)
    else:
        for group in text.split("+"):
            after["turn_total"] += _group_points(group, after["options"])
            after["dice_left"] -= len(group)
        if after["dice_left"] == 0 and after["options"]["hot_dice"]:
            after["dice_left"] = 6
        after["phase"] = "decide"
    return after


def outcome(position: Position) -> dict[str, Any]:
    if turn(position) != "over":
        raise ValueError("the game is not over")
    banked = list(position["banked"])
    if len(banked) == 1:
        if position["options"]["max_turns"] > 0:
            return {"scores": banked, "winners": []}
        return {"scores": list(position["turns_taken"]), "winners": [0]}
    return {"scores": banked, "winners": [who for who, points in enumerate(banked) if points == max(banked)]}


def _group_points(group: str, options: dict[str, Any]) -> int | None:
    """The points of one group, its digits ascending; None when these dice are no legal group."""
    if group == "1":
        return 100
    if group == "5":
        return 50
    counts = Counter(group)
    if len(group) >= 3 and len(counts) == 1:
        triple = 1000 if group[0] == "1" else 100 * int(group[0])
        return triple * {3: 1, 4: 2, 5: 3, 6: 4}[len(group)]
    if group == "123456" and options["straight"]:
        return int(options["straight_points"])
    if options["three_pairs"]:
        shape = sorted(counts.values())
        if shape == [2, 2, 2] or (shape == [2, 4] and options["four_plus_pair"]):
            return int(options["three_pairs_points"])
    return None


def _keeps(position: Position) -> list[str]:
    """Tries every way to leave some of the dice and to divide the others into groups."""
    points = {group: _group_points(group, position["options"]) for group in _groups(tuple(sorted(position["dice"])))}
    return [
        "+".join(groups)
        for groups in _ways(tuple(sorted(position["dice"])))
        if groups and all(points[group] is not None for group in groups)
    ]


@cache  # options say which groups count, not which there are
def _ways(dice: tuple[int, ...]) -> list[list[str]]:
    """Every division of every subset of the dice once, as a move is written: long groups first."""
    found = {tuple(sorted(groups, key=lambda group: (-len(group), group))) for groups in _divisions(list(dice))}
    return sorted(map(list, found), key="+".join)


@cache
def _groups(dice: tuple[int, ...]) -> set[str]:
    return {group for groups in _ways(dice) for group in groups}


def _divisions(dice: list[int]) -> Iterator[list[str]]:
    """Every division of every subset of the dice into groups, with repeats where dice are equal."""
    if not dice:
        yield []
        return
    # The last die is the highest one: appended to a group of lower dice it leaves the digits ascending.
    *others, last = dice
    for groups in _divisions(others):
        yield groups
        yield [*groups, str(last)]
        for index, group in enumerate(groups):
            yield [*groups[:index], group + str(last), *groups[index + 1 :]]


def _may_bank(position: Position) -> bool:
    if position["dice_left"] == 0:
        return True
    options = position["options"]
    if position["turn_total"] < options["bank_minimum"]:
        return False
    on_the_board = position["banked"][position["current"]] > 0
    return on_the_board or bool(position["turn_total"] >= options["board_minimum"])


def _end_turn(position: Position) -> None:
    """Ends the turn of a position that is the caller's own copy."""
    seats = len(position["banked"])
    current = position["current"]
    position["turns_taken"][current] += 1
    position["turn_total"] = 0
    position["dice_left"] = 6
    position["dice"] = []
    position["current"] = (current + 1) % seats
    position["phase"] = "dice"

    options = position["options"]
    if options["max_turns"] > 0:
        if all(taken == options["max_turns"] for taken in position["turns_taken"]):
            position["phase"] = "over"
    elif position["target_reached_by"] is not None:
        if position["current"] == position["target_reached_by"]:
            position["phase"] = "over"
    elif position["banked"][current] >= options["target"]:
        if options["last_turn"] and seats > 1:
            position["target_reached_by"] = current
        else:
            position["phase"] = "over"
