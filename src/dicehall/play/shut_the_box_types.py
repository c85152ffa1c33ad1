"""What views and events of Shut the Box hold."""

from __future__ import annotations

from typing import Literal, TypedDict

from dicehall.play.protocol import MoveText, ViewHead


class Tile(TypedDict):
    number: int
    open: bool


class ShutTheBoxSeat(TypedDict):
    """`scored`: one of its rounds is over; until then a `total` of 0 says nothing."""

    total: int
    out: bool
    scored: bool


class ShutTheBoxPicture(TypedDict):
    """The box. In an `opening` turn (the long game) tiles are opened, not shut; `rounds` is null without a limit.

    `turn_of` is the seat whose round it is, also while the dice roll. One die may be rolled by a rule of the high
    tiles, `one_die_after` those of them that are still in the way, or of the sum, or never. `sides`, by seat, only in
    the long game of two: how many tiles each still has to turn. `to_turn` are the tiles that are still to be shut, or
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
