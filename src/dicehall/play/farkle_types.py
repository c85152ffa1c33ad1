"""What views and events of Farkle hold."""

from __future__ import annotations

from typing import Literal, TypedDict

from dicehall.play.protocol import MoveText, ViewHead


class FarkleDie(TypedDict):
    value: int | None
    locked: bool
    scores: bool


class Group(TypedDict):
    """Dice that score together, like 222."""

    group: str
    points: int


class Risk(TypedDict):
    """In `ways` of the `of` ways that the next roll can fall, the points of the turn, `stake`, are lost."""

    ways: int
    of: int
    stake: int


class Minimum(TypedDict):
    """The fewest points that can be banked now; `to_enter`: because the seat has nothing on the board yet."""

    points: int
    to_enter: bool


class FarkleSeat(TypedDict):
    banked: int
    to_target: int


class FarklePicture(TypedDict):
    phase: Literal["idle", "rolled", "selection", "farkle", "banked", "end"]
    round: int
    turn_of: int  # a seat, also while its dice are in the air and nobody is to move
    turn_total: int
    remaining_dice: int
    dice: list[FarkleDie]
    groups: list[Group]
    can_roll: bool
    can_bank: bool
    minimum: Minimum
    hot_dice: bool
    risk: Risk
    medals: dict[str, int]  # what each takes; empty where there are none
    medal: str | None
    last_turn_after: int | None  # the seat that reached the target
    seats: list[FarkleSeat]


class FarkleKeepMove(MoveText):
    """Set these groups aside. `best_grouping`: these dice cannot be counted for more."""

    kind: Literal["keep"]
    groups: list[Group]
    points: int
    turn_total: int
    dice_left: int
    hot_dice: bool
    risk: Risk
    can_roll: bool
    can_bank: bool
    reaches_target: bool  # before anybody else, if it is banked
    best_grouping: bool


class FarkleRollMove(MoveText):
    """Roll what is left."""

    kind: Literal["roll"]
    dice: int
    risk: Risk


class FarkleBankMove(MoveText):
    """Write the points down and end the turn; `score` is what the seat then has."""

    kind: Literal["bank"]
    points: int
    score: int
    reaches_target: bool


FarkleMove = FarkleKeepMove | FarkleRollMove | FarkleBankMove


class FarkleView(ViewHead, FarklePicture):
    game: Literal["farkle"]
    moves: list[FarkleMove]


class Farkle(TypedDict):
    """Nothing in the roll scores: the seat's turn is over and its points are lost."""

    code: Literal["farkle"]
    seat: int
    lost: int


class HotDice(TypedDict):
    """All six dice have scored and are free again."""

    code: Literal["hot-dice"]
    seat: int


class Banked(TypedDict):
    """The seat has written down the points of its turn, a `large` number or not; `total` is what it has now."""

    code: Literal["banked"]
    seat: int
    points: int
    total: int
    large: bool


class TargetReached(TypedDict):
    """Farkle: the seat has banked what the race is for."""

    code: Literal["target-reached"]
    seat: int


class LastTurn(TypedDict):
    """Farkle: a seat was the first to reach the target, and every other has one turn left."""

    code: Literal["last-turn"]
    after: int


FarkleEvent = Farkle | HotDice | Banked | TargetReached | LastTurn
