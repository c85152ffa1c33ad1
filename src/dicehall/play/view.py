"""What a screen needs to draw a position, as plain data: every fact, every legal move and what it would bring.

Screens draw this and know no rule. All five games are played with open boards, so no seat sees less than another;
what nobody may see (the seed of a ranked run) is not in a state and so can never be here.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final, Literal, TypedDict

from dicehall.errors import InvalidOption, excerpt
from dicehall.play import farkle, knucklebones, lite, plain, shut_the_box
from dicehall.play.record import ResultJson, result_json
from dicehall.rules.catalog import AnyGame
from dicehall.rules.game import DICE, NOBODY
from dicehall.rules.options import OptionValue


class AimJson(TypedDict):
    """What the scores count, and which end of them is the good one."""

    unit: Literal["points", "turns", "rounds"]
    lower_is_better: bool


class ViewHead(TypedDict):
    """What the views of all games begin with; `game` comes with each of them, because it tells them apart."""

    rules: int
    options: dict[str, OptionValue]
    aim: AimJson
    state: str
    actor: Literal["seat", "dice", "nobody"]
    to_move: int | None
    you: int | None
    your_turn: bool
    dice_to_roll: int
    result: ResultJson | None


class MoveText(TypedDict):
    move: str  # in the game's notation; the rest of a move is its preview


class LitePlaceMove(MoveText, lite.LitePlace):
    """Put the die into a cell. The scores are those that its row, its column and the board would have."""


class LiteRerollMove(MoveText, lite.LiteReroll):
    """Spend the token and roll the die again."""


class FarkleKeepMove(MoveText, farkle.FarkleKeep):
    """Set these groups aside. `best_grouping`: these dice cannot be counted for more."""


class FarkleRollMove(MoveText, farkle.FarkleRoll):
    """Roll what is left."""


class FarkleBankMove(MoveText, farkle.FarkleBank):
    """Write the points down and end the turn; `score` is what the seat then has."""


class ShutTheBoxTurnMove(MoveText, shut_the_box.ShutTheBoxTurn):
    """Turn these tiles. `left` are those still to be turned."""


class ShutTheBoxDiceMove(MoveText, shut_the_box.ShutTheBoxDice):
    """Roll one die or two."""


class KnucklebonesPlaceMove(MoveText, knucklebones.KnucklebonesPlace):
    """Put the die into a column. It `gains` points, and `breaks` the opponent's that lie in the slots it `destroys`."""


LiteMove = LitePlaceMove | LiteRerollMove
FarkleMove = FarkleKeepMove | FarkleRollMove | FarkleBankMove
ShutTheBoxMove = ShutTheBoxTurnMove | ShutTheBoxDiceMove


class LiteSoloView(ViewHead, lite.LitePicture):
    game: Literal["lite-solo"]
    moves: list[LiteMove]


class LiteVersusView(ViewHead, lite.LitePicture):
    game: Literal["lite-versus"]
    moves: list[LiteMove]


class FarkleView(ViewHead, farkle.FarklePicture):
    game: Literal["farkle"]
    moves: list[FarkleMove]


class ShutTheBoxView(ViewHead, shut_the_box.ShutTheBoxPicture):
    game: Literal["shut-the-box"]
    moves: list[ShutTheBoxMove]


class KnucklebonesView(ViewHead, knucklebones.KnucklebonesPicture):
    game: Literal["knucklebones"]
    moves: list[KnucklebonesPlaceMove]


class PlainView(ViewHead, plain.PlainPicture):
    """Of a game that another package brings."""

    game: str
    moves: list[MoveText]


View = LiteSoloView | LiteVersusView | FarkleView | ShutTheBoxView | KnucklebonesView  # and PlainView, of no game here

PICTURES: Final[dict[str, ModuleType]] = {
    "lite-solo": lite,
    "lite-versus": lite,
    "farkle": farkle,
    "shut-the-box": shut_the_box,
    "knucklebones": knucklebones,
}


def view(game: AnyGame, state: Any, seat: int | None = None, with_moves: bool = True) -> dict[str, Any]:
    """The position as `seat` sees it (None: an onlooker). Where nobody is to move any more, moves are not needed."""
    game.check_state(state)
    draw, seats = PICTURES.get(game.id), game.rules.seats_of(state)
    actor, picture = game.rules.actor(state), plain.picture(state, seats) if draw is None else draw.picture(state)
    if seat is not None and (type(seat) is not int or not 0 <= seat < seats):
        raise InvalidOption("seat", f"there is no seat {excerpt(seat)} at this table")
    return {  # one of `View`; mypy loses sight of it in the stars, so tests/web/test_wire.py holds it to that
        "game": game.id,
        "rules": game.version,
        "options": state.options.as_dict(),
        "aim": game.rules.aim(state.options, seats)._asdict(),
        "state": game.rules.state_text(state),
        "actor": "seat" if actor >= 0 else "dice" if actor == DICE else "nobody",
        "to_move": actor if actor >= 0 else None,
        "you": seat,
        "your_turn": seat is not None and seat == actor,
        "dice_to_roll": game.rules.dice_to_roll(state) if actor == DICE else 0,
        **picture,
        "moves": [
            {"move": game.rules.move_text(move), **({} if draw is None else draw.preview(state, move))}
            for move in (game.rules.legal(state) if with_moves else ())
        ],
        "result": result_json(game.rules.result(state)) if actor == NOBODY else None,
    }
