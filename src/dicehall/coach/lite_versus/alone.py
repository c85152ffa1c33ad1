"""One of two lite boards, as if nobody else were there."""

from __future__ import annotations

from dicehall.rules import lite_solo, lite_versus


def alone(state: lite_versus.State, seat: int) -> lite_solo.State:
    """What `seat` has before it, as a position of lite solo."""
    two = state.options
    options = lite_solo.Options(columns=two.columns, reroll=two.reroll, wild=two.wild)
    return lite_solo.State(options, state.boards[seat], state.die, state.tokens[seat])
