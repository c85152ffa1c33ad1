"""What the hall has for each of its games beside the rules, and where it lies.

The parts of a game lie in the layers that they belong to, under its name: `play/farkle.py`, `coach/farkle/`,
`bots/farkle.py`, `terminal/farkle.py`. Here they are named, and one is loaded when somebody first asks for it. So this
is the one file that points at layers above it, and importing it loads none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from dicehall.rules.options import OptionValue

if TYPE_CHECKING:
    from dicehall.bots.protocol import GameBots
    from dicehall.coach.protocol import Coach
    from dicehall.play.protocol import GamePlay
    from dicehall.solve.workshop import Solver
    from dicehall.terminal.protocol import GameTerminal


class HallGame(NamedTuple):
    part: str  # what its module is called in play, bots and terminal
    coached_by: str  # its package in coach
    solved_by: str | None = None  # the module in solve that says what builds its books; None where it has none
    opponents: tuple[str, ...] = ()  # who sits there where nobody is named, beside a person
    daily: Mapping[str, OptionValue] = {}  # its daily's options that are not the usual ones

    def play(self) -> GamePlay:
        """What screens draw, what happened with a step, where the points came from."""
        return cast("GamePlay", import_module(f"dicehall.play.{self.part}"))

    def coach(self) -> Coach:
        """What positions are worth."""
        return cast("Coach", import_module(f"dicehall.coach.{self.coached_by}.coach"))

    def bots(self) -> GameBots:
        """Its own players, and how the levels see it."""
        return cast("GameBots", import_module(f"dicehall.bots.{self.part}"))

    def terminal(self) -> GameTerminal:
        """Its drawing in plain text, and the sentences about what happens there."""
        return cast("GameTerminal", import_module(f"dicehall.terminal.{self.part}"))

    def solver(self) -> Solver | None:
        """What builds its books."""
        return cast("Solver", import_module(f"dicehall.solve.{self.solved_by}").SOLVER) if self.solved_by else None


HALL_GAMES: Final[dict[str, HallGame]] = {
    "lite-solo": HallGame("lite", "lite_solo", "lite_results"),
    "lite-versus": HallGame("lite", "lite_versus", "lite_versus_book", opponents=("lookahead",)),
    "farkle": HallGame("farkle", "farkle", "farkle_books", daily={"preset": "arcade"}),
    "shut-the-box": HallGame("shut_the_box", "shut_the_box", "shut_the_box_book"),
    "knucklebones": HallGame("knucklebones", "knucklebones", opponents=("spec",)),
}


def find_hall_game(game_id: str) -> HallGame | None:
    """None for a game of another package, which brings its rules alone."""
    return HALL_GAMES.get(game_id)
