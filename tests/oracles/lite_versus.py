"""Slow reference for Knucklebones-lite versus, written sentence by sentence from the rules."""

import copy
from typing import Any

Position = dict[str, Any]

DEFAULTS: dict[str, Any] = {"columns": False, "reroll": False, "wild": "off", "tiebreak": "none", "first": "human"}
CELLS = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
ROWS = [["a1", "b1", "c1"], ["a2", "b2", "c2"], ["a3", "b3", "c3"]]
COLUMNS = [["a1", "a2", "a3"], ["b1", "b2", "b3"], ["c1", "c2", "c3"]]


def start(options: dict[str, Any], seats: int) -> Position:
    if seats != 2:
        raise ValueError("this game has two seats")
    chosen = {**DEFAULTS, **options}
    return {
        "options": chosen,
        "boards": [dict.fromkeys(CELLS), dict.fromkeys(CELLS)],
        "die": None,
        "tokens": [chosen["reroll"], chosen["reroll"]],
        "drawing": chosen["first"] == "drawn",
        "mover": 1 if chosen["first"] == "bot" else 0,
    }


def turn(position: Position) -> str:
    if all(value is not None for board in position["boards"] for value in board.values()):
        return "over"
    if position["die"] is None:
        return "dice"
    return "seat"


def seat(position: Position) -> int:
    mover: int = position["mover"]
    return mover


def dice_count(position: Position) -> int:
    return 1 if turn(position) == "dice" else 0


def roll(position: Position, dice: tuple[int, ...]) -> Position:
    if turn(position) != "dice" or len(dice) != 1 or dice[0] not in [1, 2, 3, 4, 5, 6]:
        raise ValueError(f"these dice cannot be rolled now: {dice}")
    after = copy.deepcopy(position)
    if position["drawing"]:
        after["drawing"] = False
        after["mover"] = 0 if dice[0] in [1, 2, 3] else 1
    else:
        after["die"] = dice[0]
    return after


def moves(position: Position) -> list[str]:
    if turn(position) != "seat":
        return []
    mover = position["mover"]
    legal = [cell for cell in CELLS if position["boards"][mover][cell] is None]
    if position["tokens"][mover]:
        legal.append("reroll")
    return legal


def move(position: Position, text: str) -> Position:
    if text not in moves(position):
        raise ValueError(f"illegal move: {text}")
    after = copy.deepcopy(position)
    mover = position["mover"]
    if text == "reroll":
        after["tokens"][mover] = False
    else:
        after["boards"][mover][text] = position["die"]
        after["mover"] = 1 - mover
    after["die"] = None
    return after


def multiplier(line: list[int], wild: str) -> int:
    if wild == "natural" and line == [6, 6, 6]:
        return 3
    if wild != "off" and 6 in line:
        return 2
    return {1: 3, 2: 2, 3: 1}[len(set(line))]


def board_score(board: dict[str, int], options: dict[str, Any]) -> int:
    lines = ROWS + COLUMNS if options["columns"] else ROWS
    total = 0
    for line in lines:
        values = [board[cell] for cell in line]
        total += sum(values) * multiplier(values, options["wild"])
    return total


def tiebreak_value(board: dict[str, int], tiebreak: str) -> int:
    if tiebreak == "highest-single-die":
        return max(board.values())
    if tiebreak == "sum-middle-row":
        return board["a2"] + board["b2"] + board["c2"]
    return 0


def outcome(position: Position) -> dict[str, list[int]]:
    if turn(position) != "over":
        raise ValueError("the game is not over")
    options = position["options"]
    scores = [board_score(board, options) for board in position["boards"]]
    compared = scores
    if scores[0] == scores[1]:
        compared = [tiebreak_value(board, options["tiebreak"]) for board in position["boards"]]
    winners = [number for number in [0, 1] if compared[number] == max(compared)]
    return {"scores": scores, "winners": winners}
