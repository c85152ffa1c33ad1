"""What play has for each game: what screens draw, what happened with a step, where the points came from, a run in a few
words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol, TypedDict

from dicehall.games import find_hall_game
from dicehall.play.plain import Plain
from dicehall.play.record import ResultJson, WhyDeparted
from dicehall.rules.catalog import AnyGame
from dicehall.rules.game import Outcome
from dicehall.rules.options import OptionValue

if TYPE_CHECKING:
    from dicehall.play.events import Event

Breakdown = dict[str, Any]
Unit = Literal["points", "turns", "rounds"]  # what scores count


class AimJson(TypedDict):
    """What the scores count, and which end of them is the good one."""

    unit: Unit
    lower_is_better: bool


class ViewHead(TypedDict):
    """What the views of all games begin with; `game` comes with each of them, because it tells them apart."""

    rules: int
    options: dict[str, OptionValue]
    aim: AimJson
    state: str
    actor: Literal["seat", "dice", "nobody"]
    to_move: int | None
    you: int | None
    your_turn: bool
    dice_to_roll: int
    result: ResultJson | None
    outcomes: list[Outcome | None]  # of the result, by seat; none before the end
    departed: list[WhyDeparted | None]  # by seat; none where nobody has


class MoveText(TypedDict):
    move: str  # in the game's notation; the rest of a move is its preview


class Drawn(TypedDict):
    """A die has decided which seat begins, and lies there no longer."""

    code: Literal["drawn"]
    seat: int


class SetMade(TypedDict):
    """A die has joined others like it: the seat's row or column of that `number` counts `times` times."""

    code: Literal["set-made"]
    seat: int
    line: Literal["row", "column"]
    number: int
    times: int


class Standing(NamedTuple):
    """How somebody stands who plays alone, where others play the same dice. What is still at stake does not count."""

    score: int  # of Shut the Box with what is open in this round
    unit: Unit  # what it counts
    worth: int  # more is better, and so it is between a run that is over and one that goes on


DONE: Final = 10_000_000  # worth more than anything that is not done yet, where the fewest turns win


@dataclass(frozen=True, slots=True)
class RunPart:
    """A line, a column, a turn or a round of a finished run in a word, for those who were not there.

    The word alone tells no die, whatever the game. `n` is what it was worth, or what was left, where there is such a
    number; dice can be read off that, so it is left out while others still have them before them.
    """

    code: str
    n: int | None


class GamePlay(Protocol):
    """What `play/<game>.py` holds. The file itself is the implementation: mypy compares it with this.

    States and moves are those of the game's rules. Seats, columns, rows and slots count from 0.
    """

    def picture(self, state: Any) -> Mapping[str, object]:
        """The facts of a position, as plain data: what its view has beside the head and the moves."""

    def preview(self, state: Any, move: Any) -> MoveText:
        """A legal move in the game's notation, and what it would bring."""

    def events(self, before: Any, step: str, after: Any) -> Sequence[Event]:
        """What happened when `step`, a move or a roll as a record writes it, led from one state to the other; without
        what `dicehall.play.events` tells of every game."""

    def leader(self, state: Any) -> int | None:
        """The seat that has more points than any other; None where there is none, or points do not tell that yet."""

    def standing(self, state: Any) -> Standing:
        """How a run of one seat stands, to be compared with others on the same dice."""

    def breakdown(self, states: Sequence[Any]) -> Breakdown:
        """By seat, where the points of a finished run came from; `states` are all of the run."""

    def parts(self, states: Sequence[Any]) -> list[list[RunPart]]:
        """By seat, a finished run in a few words, one for each of its parts; none where it has no parts. `states` are
        all of the run."""


def ahead(points: Sequence[int]) -> int | None:
    """The seat with the most of these points, by seat; None where several have as many."""
    most = max(points)
    return points.index(most) if points.count(most) == 1 else None


@cache
def find_play(game: AnyGame) -> GamePlay:
    """Loaded when somebody first asks; the plain one for a game of another package."""
    own = find_hall_game(game.id)
    return Plain(game.rules) if own is None else own.play()
