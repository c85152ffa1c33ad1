"""Slow reference for classic Knucklebones, written sentence by sentence from the rules."""

import copy
from typing import Any

Position = dict[str, Any]

DEFAULTS: dict[str, Any] = {"first": "human"}


def start(options: dict[str, Any], seats: int) -> Position:
    if seats != 2:
        raise ValueError("this game has two seats")
    chosen = {**DEFAULTS, **options}
    return {
        # Each grid is three columns; a column lists its dice from index 0, the slot next to the opponent.
        "grids": [[[], [], []], [[], [], []]],
        "die": None,
        "drawing": chosen["first"] == "drawn",
        "mover": 1 if chosen["first"] == "bot" else 0,
    }


def full(grid: list[list[int]]) -> bool:
    return all(len(column) == 3 for column in grid)


def turn(position: Position) -> str:
    # A grid fills only by its owner's own placement, so any full grid is the last mover's.
    if full(position["grids"][0]) or full(position["grids"][1]):
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
    own = position["grids"][position["mover"]]
    return [name for name, column in zip(["1", "2", "3"], own, strict=True) if len(column) < 3]


def move(position: Position, text: str) -> Position:
    if text not in moves(position):
        raise ValueError(f"illegal move: {text}")
    after = copy.deepcopy(position)
    mover = position["mover"]
    die = position["die"]
    index = int(text) - 1
    after["grids"][mover][index].append(die)
    facing = position["grids"][1 - mover][index]
    after["grids"][1 - mover][index] = [other for other in facing if other != die]
    after["die"] = None
    after["mover"] = 1 - mover
    return after


def column_score(column: list[int]) -> int:
    return sum(face * column.count(face) * column.count(face) for face in [1, 2, 3, 4, 5, 6])


def outcome(position: Position) -> dict[str, list[int]]:
    if turn(position) != "over":
        raise ValueError("the game is not over")
    scores = [sum(column_score(column) for column in grid) for grid in position["grids"]]
    winners = [number for number in [0, 1] if scores[number] == max(scores)]
    return {"scores": scores, "winners": winners}
