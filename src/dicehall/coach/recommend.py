"""The keep that Farkle's panel of groups recommends: the one that brings most points in this turn on average.

>>> from dicehall.rules.catalog import GAMES
>>> game = GAMES["farkle"]
>>> recommended(game, game.roll(game.begin(), (1, 5, 2, 2, 2, 6)))
'1'
"""

from __future__ import annotations

from typing import Any

from dicehall.coach.advise import advise
from dicehall.errors import InvalidOption
from dicehall.rules import farkle
from dicehall.rules.catalog import AnyGame
from dicehall.rules.farkle_state import SELECTION


def recommended(game: AnyGame, state: Any) -> str | None:
    """As a move's text; None where no keep is to be chosen, and in the other games, whose specs recommend nothing."""
    if game.id != farkle.ID or state.phase != SELECTION or state.chosen:
        return None
    try:
        return advise(game, state, "turn", len(state.banked))[0].text
    except InvalidOption:  # groups worth odd points, which nobody has solved: the most points now
        return game.move_text(game.legal(state)[0])
