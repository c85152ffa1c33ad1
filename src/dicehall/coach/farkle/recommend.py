"""The keep that Farkle's panel of groups recommends: the one that brings most points in this turn on average, or the
one that ends the game.

>>> from dicehall.rules.catalog import GAMES
>>> game = GAMES["farkle"]
>>> recommended(game, game.roll(game.begin(), (1, 5, 2, 2, 2, 6)))
'1'
"""

from __future__ import annotations

from typing import Any, Final

from dicehall.coach.advise import advise
from dicehall.rules import farkle
from dicehall.rules.catalog import AnyGame
from dicehall.rules.farkle_scoring import scoring
from dicehall.rules.farkle_state import BANK, SELECTION, Move, State

LEAST_STEP: Final = 5  # where points are odder than that, turns take seconds to solve, and every table shows this panel


def recommended(game: AnyGame, state: Any) -> str | None:
    """As a move's text; None where no keep is to be chosen, and in the other games, whose specs recommend nothing."""
    if game.id != farkle.ID or state.phase != SELECTION or state.chosen:
        return None
    if (winning := _reaches_target(state)) is not None:
        return game.move_text(winning)
    if scoring(state.options).step < LEAST_STEP:
        return game.move_text(game.legal(state)[0])  # the most points now
    return advise(game, state, "turn")[0].text


def _reaches_target(state: State) -> Move | None:
    """The keep with the most points, if banking it wins at once."""
    options, (best, *_) = state.options, farkle.legal(state)
    then = farkle.after(state, best)
    if options.max_turns or (options.last_turn and len(state.banked) > 1) or BANK not in farkle.legal(then):
        return None
    return best if then.banked[then.seat] + then.pile >= options.target else None
