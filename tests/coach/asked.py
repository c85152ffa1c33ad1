"""The coach of a game, asked in texts, as the command line asks."""

from __future__ import annotations

from typing import Any

from dicehall.coach import advise
from dicehall.coach.objective import Objective
from dicehall.coach.protocol import StepValues, Values, read_objective
from dicehall.rules.catalog import FARKLE, KNUCKLEBONES, LITE_SOLO, LITE_VERSUS, SHUT_THE_BOX, AnyGame


class Asked:
    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def values(self, options: Any, seats: int, objective: str) -> Values:
        return advise.values(self.game, options, seats, objective)

    def step_values(self, options: Any, seats: int, objective: str) -> StepValues:
        return advise.step_values(self.game, options, seats, objective)

    def intended(self, options: Any, seats: int) -> str:
        return str(advise.intended(self.game, options, seats))

    def objective(self, text: str) -> Objective:
        return read_objective(self.game, text)


solo, versus, farkle = Asked(LITE_SOLO), Asked(LITE_VERSUS), Asked(FARKLE)
box, knucklebones = Asked(SHUT_THE_BOX), Asked(KNUCKLEBONES)
