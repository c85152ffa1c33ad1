"""What the hall has for a game beside its rules: one file for each game names it.

The parts themselves lie in the layers that they belong to: `play/farkle.py`, `coach/farkle/`, `bots/farkle.py`,
`terminal/farkle.py`. A game's file here names them, and loads one when somebody first asks for it. So this is the one
package that points at layers above it, and only from inside functions: importing it loads none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Protocol

from dicehall.games import farkle, knucklebones, lite_solo, lite_versus, shut_the_box
from dicehall.rules.options import OptionValue

if TYPE_CHECKING:
    from dicehall.bots.protocol import GameBots
    from dicehall.coach.protocol import Coach
    from dicehall.play.protocol import GamePlay
    from dicehall.solve.command import Solver
    from dicehall.terminal.protocol import GameTerminal


class HallGame(Protocol):
    """What `games/<game>.py` holds. The file itself is the implementation: mypy compares it with this."""

    @property
    def OPPONENTS(self) -> tuple[str, ...]: ...  # noqa: N802  # who sits there where nobody is named, beside a person
    @property
    def DAILY(self) -> Mapping[str, OptionValue]: ...  # noqa: N802  # its daily's options that are not the usual ones

    def play(self) -> GamePlay:
        """What screens draw, what happened with a step, where the points came from."""

    def coach(self) -> Coach:
        """What positions are worth."""

    def bots(self) -> GameBots:
        """Its own players, and how the levels see it."""

    def terminal(self) -> GameTerminal:
        """Its drawing in plain text, and the sentences about what happens there."""

    @property
    def solver(self) -> Callable[[], Solver] | None:
        """What builds its books; None where it has none."""


HALL_GAMES: Final[dict[str, HallGame]] = {
    "lite-solo": lite_solo,
    "lite-versus": lite_versus,
    "farkle": farkle,
    "shut-the-box": shut_the_box,
    "knucklebones": knucklebones,
}


def find_hall_game(game_id: str) -> HallGame | None:
    """None for a game of another package, which brings its rules alone."""
    return HALL_GAMES.get(game_id)
