"""What a screen needs to draw a position, as plain data: every fact, every legal move and what it would bring.

Screens draw this and know no rule. All five games are played with open boards, so no seat sees less than another;
what nobody may see (the seed of a ranked run) is not in a state and so can never be here.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from dicehall.errors import InvalidOption, excerpt
from dicehall.play.record import result_json
from dicehall.play.views import bones, box, farkle, lite
from dicehall.rules.catalog import AnyGame
from dicehall.rules.game import DICE, NOBODY

PICTURES: Final[dict[str, ModuleType]] = {
    "lite-solo": lite,
    "lite-versus": lite,
    "farkle": farkle,
    "shut-the-box": box,
    "knucklebones": bones,
}


def view(game: AnyGame, state: Any, seat: int | None = None) -> dict[str, Any]:
    """The position as `seat` sees it (None: an onlooker)."""
    game.check_state(state)
    draw = PICTURES[game.id]
    actor, picture = game.actor(state), draw.picture(state)
    seats = len(picture["seats"])
    if seat is not None and (type(seat) is not int or not 0 <= seat < seats):
        raise InvalidOption("seat", f"there is no seat {excerpt(seat)} at this table")
    return {
        "game": game.id,
        "rules": game.rules,
        "options": state.options.as_dict(),
        "aim": game.aim(state.options, seats)._asdict(),
        "state": game.state_text(state),
        "actor": "seat" if actor >= 0 else "dice" if actor == DICE else "nobody",
        "to_move": actor if actor >= 0 else None,
        "you": seat,
        "your_turn": seat is not None and seat == actor,
        "dice_to_roll": game.dice_to_roll(state) if actor == DICE else 0,
        **picture,
        "moves": [{"move": game.move_text(move), **draw.preview(state, move)} for move in game.legal(state)],
        "result": result_json(game.result(state)) if actor == NOBODY else None,
    }
