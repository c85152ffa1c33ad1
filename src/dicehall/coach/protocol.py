"""What the coach of a game offers, and who coaches which game."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, Final, Protocol

from dicehall.coach.chart import Chart
from dicehall.coach.distribution import Distribution
from dicehall.coach.objective import Objective, Ranking
from dicehall.coach.reason import Reason
from dicehall.coach.targets import Doubt, Target
from dicehall.dice import Dice
from dicehall.errors import InvalidOption, excerpt
from dicehall.games import find_hall_game
from dicehall.rules.catalog import AnyGame

Values = Callable[[Any], Fraction]  # of a state, to the seat to move
StepValues = Callable[[Any, Any], Fraction]  # of the second state, one step after the first
LONGEST: Final = 40  # letters of an objective's text


class Coach(Protocol):
    """What `coach/<game>/coach.py` holds. The module itself is the implementation: mypy compares it with this.

    Options and states are those of the game's rules. Whatever is not solved, or means nothing under these options,
    raises InvalidOption with the reason.
    """

    @property
    def OBJECTIVES(self) -> tuple[Objective, ...]: ...  # noqa: N802
    @property
    def OPTIONS(self) -> tuple[str, ...]:  # noqa: N802
        """Every option of the game's rules, once the coach reckons with it: in its values, by refusing it, or because
        it changes no value. A test compares them, so that no new option is answered as if it were not there."""

    @property
    def TARGET_OPTION(self) -> str | None: ...  # noqa: N802  # which option sets one of `targets`
    @property
    def recommended(self) -> Callable[[Any], str | None] | None:
        """Of a state: the move that the game's own screen recommends, as a text. None where its spec recommends
        nothing."""

    def read_objective(self, text: str) -> Objective: ...

    def objectives(self, options: Any, seats: int | None) -> list[Objective]:
        """What `seats` seats (None: any number) can play for under these options. Some of it may not be solved."""

    def intended(self, options: Any, seats: int) -> Objective:
        """What somebody has in mind who plays with these options, or the nearest to it that the coach speaks of."""

    def ranked_by(self, options: Any, seats: int) -> Ranking | None:
        """What boards compare the runs of a seat by; None where nothing that is solved says it. It may be an objective
        of another game, which one's own part of the table is."""

    def values(self, options: Any, seats: int, objective: Objective) -> Values:
        """What any position is worth to the seat to move: before a roll, after it, or at the end."""

    def step_values(self, options: Any, seats: int, objective: Objective) -> StepValues:
        """What `now` is worth one step after `before`, to the seat whose turn it was before the step."""

    def distribution(self, options: Any, objective: Objective) -> Distribution:
        """What perfect play of one seat ends with, and how often."""

    def percentile(self, options: Any, objective: Objective, result: Fraction | int) -> Fraction:
        """The share of perfect runs that do worse than `result`, and half of those that do equally well."""

    def foresight(self, options: Any, seats: int, seat: int, source: Dice) -> int | None:
        """The best that `seat` could have ended with, knowing all dice of `source`; None where that would take long to
        find."""

    def chart(self, options: Any, objective: Objective | None) -> Chart:
        """What there is to draw of the game, for an objective or (None) what most ask for."""

    def reason(self, state: Any, better: Any, other: Any) -> Reason:
        """Why the move `better` is worth more than `other` in this position, by what can be seen in it."""

    def targets(self, options: Any) -> list[Target]:
        """Results to chase, alone: no target first, then those of the rules, then calibrated ones. Nothing where the
        game is not played for one."""

    def doubt(self, options: Any, seats: int) -> Doubt | None:
        """Whether what these options ask of `seats` seats cannot be reached at all, or cannot be missed."""


def coach_of(game: AnyGame) -> Coach:
    """InvalidOption for a game that has none."""
    found = find_coach(game.id)
    if found is None:
        raise InvalidOption("objective", f"nobody has solved {game.id} yet")
    return found


def has_coach(game: AnyGame) -> bool:
    """Whether anything is known of what positions of this game are worth."""
    return find_coach(game.id) is not None


@cache
def find_coach(game_id: str) -> Coach | None:
    """Loaded when somebody first asks; None for a game of another package."""
    own = find_hall_game(game_id)
    return own.coach() if own else None


def read_objective(game: AnyGame, asked: str | Objective) -> Objective:
    """The objective of `game` that is `asked` for, as a text or already as one.

    >>> from dicehall.rules.catalog import GAMES
    >>> at_most = read_objective(GAMES["shut-the-box"], "golf<=12")
    >>> at_most.name, at_most.limit, at_most.unit, str(at_most)
    ('golf<=', 12, 'chance', 'golf<=12')
    """
    coach = coach_of(game)
    if isinstance(asked, Objective):
        if asked.game != game.id:
            raise InvalidOption("objective", f"{asked} is an objective of {asked.game}, not of {game.id}")
        return asked
    if not isinstance(asked, str) or len(asked) > LONGEST:
        raise InvalidOption("objective", f"{excerpt(asked)} is not an objective")
    return coach.read_objective(asked)
