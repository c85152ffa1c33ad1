"""Why to play one column and not another: what it breaks, what it brings, what can be broken then."""

from __future__ import annotations

from dicehall.coach.reason import Reason
from dicehall.dice import FACES
from dicehall.rules.knucklebones import SLOTS, State, after, score_column, score_grid


def reason(state: State, better: int, other: int) -> Reason:
    mine, theirs = state.seat, 1 - state.seat
    first, second = after(state, better), after(state, other)
    broken, less = (score_grid(state.grids[theirs]) - score_grid(then.grids[theirs]) for then in (first, second))
    if broken > less:
        return Reason("knucklebones.breaks", {"n": broken, "other": less})
    gained = score_grid(first.grids[mine]) - score_grid(second.grids[mine])
    if gained > 0:
        return Reason("knucklebones.gains", {"n": gained})
    safe, open_to = _faces_that_break(first, mine), _faces_that_break(second, mine)
    if safe < open_to:
        return Reason("knucklebones.safe", {"n": safe, "other": open_to})
    more, fewer = _next_gain(first, mine), _next_gain(second, mine)
    if more > fewer:
        return Reason("knucklebones.next", {"n": more, "other": fewer})
    return Reason("knucklebones.room" if broken < less else "knucklebones.later")


def _faces_that_break(state: State, seat: int) -> int:
    """With how many faces the other side can break dice of `seat`."""
    facing = zip(state.grids[seat], state.grids[1 - seat], strict=True)
    return len({die for mine, theirs in facing if len(theirs) < SLOTS for die in mine})


def _next_gain(state: State, seat: int) -> int:
    """The most points that one more die can bring to `seat`."""
    room = [column for column in state.grids[seat] if len(column) < SLOTS]
    return max([score_column((*column, face)) - score_column(column) for column in room for face in FACES], default=0)
