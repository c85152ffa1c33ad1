"""The keep that Farkle's panel of groups recommends: the one that brings most points in this turn on average, or the
one that ends the game.

>>> from dicehall.rules import farkle
>>> recommended(farkle.rolled(farkle.start(farkle.Options(), 1), (1, 5, 2, 2, 2, 6)))
'1'
"""

from __future__ import annotations

from typing import Final

from dicehall.coach.farkle.points import turn_values
from dicehall.rules.farkle import after, legal, move_text
from dicehall.rules.farkle_scoring import scoring
from dicehall.rules.farkle_state import BANK, SELECTION, Move, State

LEAST_STEP: Final = 5  # where points are odder than that, turns take seconds to solve, and every table shows this panel


def recommended(state: State) -> str | None:
    """As a move's text; None where no keep is to be chosen."""
    if state.phase != SELECTION or state.chosen:
        return None
    if (winning := _reaches_target(state)) is not None:
        return move_text(winning)
    most, *others = legal(state)  # points now
    if scoring(state.options).step < LEAST_STEP:
        return move_text(most)
    value = turn_values(state.options, len(state.banked))
    return move_text(max([most, *others], key=lambda keep: value(after(state, keep))))


def _reaches_target(state: State) -> Move | None:
    """The keep with the most points, if banking it wins at once."""
    options, (best, *_) = state.options, legal(state)
    then = after(state, best)
    if options.max_turns or (options.last_turn and len(state.banked) > 1) or BANK not in legal(then):
        return None
    return best if then.banked[then.seat] + then.turn_total >= options.target else None
