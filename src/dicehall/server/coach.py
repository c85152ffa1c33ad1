"""The coach, as the server tells of it."""

from __future__ import annotations

from typing import Any

from dicehall.coach.advise import advise, certainty, less_is_better, meant
from dicehall.rules.catalog import AnyGame
from dicehall.server import wire


def hinted(game: AnyGame, state: Any, seats: int, objective: str | None) -> wire.Hinted:
    objective = objective or meant(game, state.options, seats)
    ranked = advise(game, state, objective, seats)
    actor = game.actor(state)

    def then(move: Any) -> str | None:
        after = game.after(state, move)
        return advise(game, after, objective, seats)[0].text if game.actor(after) == actor else None

    return wire.Hinted(
        objective,
        (),
        certainty(game, objective),
        less_is_better(game, objective),
        tuple(wire.HintedMove(one.text, float(one.value), float(one.loss), then(one.move)) for one in ranked),
    )
