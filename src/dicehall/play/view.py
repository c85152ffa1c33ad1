"""What a screen needs to draw a position, as plain data: every fact, every legal move and what it would bring.

Screens draw this and know no rule. All five games are played with open boards, so no seat sees less than another;
what nobody may see (the seed of a ranked run) is not in a state and so can never be here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dicehall.errors import InvalidOption, excerpt
from dicehall.play.departures import actor_of, result_of
from dicehall.play.farkle_types import FarkleView
from dicehall.play.knucklebones import KnucklebonesView
from dicehall.play.lite import LiteSoloView, LiteVersusView
from dicehall.play.plain import PlainPicture
from dicehall.play.protocol import MoveText, ViewHead, find_play
from dicehall.play.record import Departure, result_json
from dicehall.play.shut_the_box_types import ShutTheBoxView
from dicehall.rules.catalog import AnyGame
from dicehall.rules.game import DICE

View = LiteSoloView | LiteVersusView | FarkleView | ShutTheBoxView | KnucklebonesView


class PlainView(ViewHead, PlainPicture):
    """Of a game that another package brings."""

    game: str
    moves: list[MoveText]


def view(
    game: AnyGame,
    state: Any,
    seat: int | None = None,
    with_moves: bool = True,
    departures: Sequence[Departure] = (),
) -> dict[str, Any]:
    """The position as `seat` sees it (None: an onlooker), after these departures. Where nobody is to move any more,
    moves are not needed."""
    game.check_state(state)
    play, seats, actor = find_play(game), game.rules.seats_of(state), actor_of(game, state, departures)
    if seat is not None and (type(seat) is not int or not 0 <= seat < seats):
        raise InvalidOption("seat", f"there is no seat {excerpt(seat)} at this table")
    result, departed = result_of(game, state, departures), {one.seat: one.why for one in departures}
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
        **play.picture(state),
        "moves": [play.preview(state, move) for move in game.rules.legal(state)] if with_moves and not result else [],
        "result": None if result is None else result_json(result),
        "outcomes": [] if result is None else [result.outcome(each) for each in range(seats)],
        "departed": [departed.get(each) for each in range(seats)] if departed else [],
    }
