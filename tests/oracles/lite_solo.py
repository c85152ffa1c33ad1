"""Slow reference for Knucklebones-lite solo, written sentence by sentence from the rules."""

import copy
from typing import Any

Position = dict[str, Any]

DEFAULTS: dict[str, Any] = {"columns": False, "reroll": False, "wild": "off", "target": 0}
CELLS = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
ROWS = [["a1", "b1", "c1"], ["a2", "b2", "c2"], ["a3", "b3", "c3"]]
COLUMNS = [["a1", "a2", "a3"], ["b1", "b2", "b3"], ["c1", "c2", "c3"]]


def start(options: dict[str, Any], seats: int) -> Position:
    if seats != 1:
        raise ValueError("this game has one seat")
    chosen = {**DEFAULTS, **options}
    return {
        "options": chosen,
        "board": dict.fromkeys(CELLS),
        "die": None,
        "token": chosen["reroll"],
    }


def turn(position: Position) -> str:
    if all(value is not None for value in position["board"].values()):
        return "over"
    if position["die"] is None:
        return "dice"
    return "seat"


def seat(position: Position) -> int:
    return 0


def dice_count(position: Position) -> int:
    return 1 if turn(position) == "dice" else 0


def roll(position: Position, dice: tuple[int, ...]) -> Position:
    if turn(position) != "dice" or len(dice) != 1 or dice[0] not in [1, 2, 3, 4, 5, 6]:
        raise ValueError(f"these dice cannot be rolled now: {dice}")
    after = copy.deepcopy(position)
    after["die"] = dice[0]
    return after


def moves(position: Position) -> list[str]:
    if turn(position) != "seat":
        return []
    legal = [cell for cell in CELLS if position["board"][cell] is None]
    if position["token"]:
        legal.append("reroll")
    return legal


def move(position: Position, text: str) -> Position:
    if text not in moves(position):
        raise ValueError(f"illegal move: {text}")
    after = copy.deepcopy(position)
    if text == "reroll":
        after["token"] = False
    else:
        after["board"][text] = position["die"]
    after["die"] = None
    return after


def multiplier(line: list[int], wild: str) -> int:
    if wild == "natural" and line == [6, 6, 6]:
        return 3
    if wild != "off" and 6 in line:
        return 2
    different = len(set(line))
    if different == 1:
        return 3
    if different == 2:
        return 2
    return 1


def board_score(board: dict[str, int], options: dict[str, Any]) -> int:
    lines = ROWS + COLUMNS if options["columns"] else ROWS
    total = 0
    for line in lines:
        values = [board[cell] for cell in line]
        total += sum(values) * multiplier(values, options["wild"])
    return total


def outcome(position: Position) -> dict[str, list[int]]:
    if turn(position) != "over":
        raise ValueError("the game is not over")
    score = board_score(position["board"], position["options"])
    target = position["options"]["target"]
    return {"scores": [score], "winners": [0] if target > 0 and score >= target else []}
