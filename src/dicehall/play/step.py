"""The one stateless door to the rules: `step(request) -> answer`, both JSON texts.

It is the package's own `dicehall.step`, for programs that hold no table; the hall and the terminal hold tables and do
not call it. Whoever calls keeps the state. A request:

    {"game": "lite-solo", "options": {}, "state": "55./6.2/... 5 -", "move": "c1", "seed": "demo", "used": 5}

`state` is left out to start a game. At most one of `move` (a seat's) and `dice` (a roll made elsewhere, as a list) is
given; with a `seed`, dice that are due are rolled from it, beginning after the `used` dice it has already given.
`you` is the seat the view is for. The answer:

    {"ok": true, "state": ..., "steps": [what happened, as a record writes it], "used": ..., "view": {...}}
    {"ok": false, "error": {"code": ..., "message": ...}}        and nothing has happened
"""

from __future__ import annotations

import json
from typing import Any, Final

from dicehall.dice import SeededDice
from dicehall.errors import DicehallError, InvalidText, excerpt
from dicehall.play.record import load_json, roll_text
from dicehall.play.view import view
from dicehall.rules.catalog import find_game
from dicehall.rules.game import DICE

LONGEST: Final = 64 * 1024  # characters of a request
MOST_DICE: Final = 1_000_000  # far beyond any run; it bounds the work a request can ask for
FIELDS: Final = {
    "game": (str,),
    "options": (dict,),
    "seats": (int,),
    "state": (str,),
    "move": (str,),
    "dice": (list,),
    "seed": (str, int),
    "used": (int,),
    "you": (int,),
}


def step(request: str) -> str:
    """Never raises: what is wrong with a request is said in the answer."""
    try:
        answer = _step(request)
    except DicehallError as error:
        answer = {"ok": False, "error": {"code": error.code, "message": str(error)}}
    return json.dumps(answer, separators=(",", ":"))


def _step(request: str) -> dict[str, Any]:
    asked = _read(request)
    game = find_game(asked.get("game", ""))
    options = game.make_options(asked.get("options", {}))
    state = (
        game.rules.read_state(options, asked["state"]) if "state" in asked else game.begin(options, asked.get("seats"))
    )
    steps, used = [], asked.get("used", 0)
    if not 0 <= used <= MOST_DICE:
        raise InvalidText("used", f"used counts dice, 0 to {MOST_DICE}, not {excerpt(used)}")
    if "move" in asked:
        move = game.rules.read_move(asked["move"])
        state = game.apply(state, move)
        steps.append(game.rules.move_text(move))
    if "dice" in asked:
        roll = tuple(asked["dice"])
        state = game.roll(state, roll)
        steps.append(roll_text(roll))
    if "seed" in asked:
        source = SeededDice(asked["seed"])
        while game.rules.actor(state) == DICE:
            roll = tuple(source.die(used + n) for n in range(game.rules.dice_to_roll(state)))
            state, used = game.rules.rolled(state, roll), used + len(roll)
            steps.append(roll_text(roll))
    return {
        "ok": True,
        "state": game.rules.state_text(state),
        "steps": steps,
        "used": used,
        "view": view(game, state, asked.get("you")),
    }


def _read(request: str) -> dict[str, Any]:
    if not isinstance(request, str):
        raise InvalidText("request", f"a request is a JSON text, not {excerpt(request)}")
    if len(request) > LONGEST:
        raise InvalidText("request-length", f"a request has at most {LONGEST} characters")
    asked = load_json(request, "the request")
    if not isinstance(asked, dict):
        raise InvalidText("request", f"a request is a JSON object, not {excerpt(asked)}")
    for name, value in asked.items():
        if name not in FIELDS:
            raise InvalidText("request-field", f"a request has no field {excerpt(name)}")
        if type(value) not in FIELDS[name]:
            raise InvalidText("request-field", f"{name} cannot be {excerpt(value)}")
    if "move" in asked and "dice" in asked:
        raise InvalidText("request-field", "a request has a move or dice, not both")
    return asked
