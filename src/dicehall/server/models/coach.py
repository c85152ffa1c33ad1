"""The coach: hints, reports, puzzles, odds, charts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from dicehall.coach.objective import Certainty, Objective, Unit
from dicehall.coach.odds import Lack
from dicehall.coach.report import Mark
from dicehall.server.models.common import Model, OptionValue


class Ask(Model):
    game: str = Field(max_length=40)
    options: dict[str, OptionValue] = Field(default_factory=dict, max_length=40)
    state: str = Field(max_length=2000, description="as `state` in a view")
    objective: str | None = Field(default=None, max_length=40)


@dataclass(slots=True)
class AdvisedNext:
    """A choice right after a move, where no die falls in between: roll or bank, one die or two."""

    move: str
    value: Annotated[float, Field(description="of both moves together")]
    loss: Annotated[float, Field(description="of both moves together, against the best")]


@dataclass(slots=True)
class AdvisedMove:
    move: str
    value: float
    loss: Annotated[float, Field(description="against the best move")]
    then: Annotated[
        str | None,
        Field(description="the best right after it, where no die falls in between: roll or bank, one die or two"),
    ]
    thens: Annotated[list[AdvisedNext], Field(description="every choice right after it, the best first")]


@dataclass(slots=True)
class Advice:
    """What every move is worth, the best first. `judged` values are a little off."""

    objective: str
    objectives: Annotated[list[str], Field(description="that, and what else one could play for")]
    about: Objective
    others: Annotated[list[Objective], Field(description="what else one could play for")]
    certainty: Certainty
    moves: list[AdvisedMove]


@dataclass(slots=True)
class Reason:
    """Why a move is better than another, by what can be seen there; `reason.` and the code is its sentence."""

    code: str
    numbers: dict[str, int]
    shares: Annotated[dict[str, float], Field(description="of 1")]


class Prospects(Model):
    """Null where nobody knows."""

    about: Objective | None = Field(description="what a hint at such a table would be for; null: there is no hint")
    start: float | None = Field(description="what the start is worth for that to seat 0, under perfect play")


class Worth(Model):
    """Null where nobody knows."""

    about: Objective | None
    value: float | None = Field(description="of the position, to the seat to move, under perfect play")


class Odds(Model):
    game: str
    options: dict[str, OptionValue]
    objective: str
    certainty: Certainty
    value: float
    exact: str | None = Field(description="the fraction, where it is known to the last digit")


class Moment(Model):
    number: int
    text: str
    actor: int = Field(description="a seat, or less than 0 for the dice")
    value: float
    luck: float
    lost: float
    corrected: float
    best: str | None
    mark: Mark
    why: Reason | None = Field(description="why `best` is better; null where nothing was lost")


class Comparison(Model):
    objective: str = Field(description="that of the report; where it is a chance, what runs are ranked by")
    about: Objective
    result: float
    worse: float = Field(description="share of perfect runs that end worse")
    equal: float = Field(description="share of perfect runs that end the same")


class Shown(Model):
    start: float
    luck: float
    gifts: float
    lost: float
    corrected: float
    result: float
    places: int = Field(description="digits after the point; of percent, where the values are chances")


class Report(Model):
    game: str
    objective: str
    about: Objective
    unit: Unit = Field(description="of the values; chances that are added up over rounds count rounds")
    chance: bool = Field(description="the values are chances; else they count points, turns or rounds")
    certainty: Certainty
    seat: int
    start: float
    luck: float
    gifts: float
    lost: float
    corrected: float = Field(description="what the coach had judged otherwise before; nothing where values are exact")
    result: float
    of_all_rounds: bool = Field(description="`result` is the sum of all rounds, where one of them decides")
    exact: dict[str, str] = Field(description="the same six as fractions: the identity holds to the last digit")
    shown: Shown = Field(description="the same six, rounded so that what a screen shows adds up")
    accuracy: float | None
    telling: bool = Field(description="`accuracy` says something: of three choices or more, with enough at stake")
    percentile: float | None = Field(
        default=None, description="share of perfect runs that end worse, and half of those that end the same"
    )
    compared: Comparison | None = Field(default=None, description="what the percentile is about; none while it goes on")
    worst: list[int] = Field(description="the steps that gave most away")
    moments: list[Moment]


class PuzzleInfo(Model):
    number: int = Field(description="from 1")
    difficulty: int = Field(description="1 to 5")
    objective: str
    about: Objective


class Puzzles(Model):
    game: str
    today: int = Field(description="the number of the puzzle of the day")
    puzzles: list[PuzzleInfo] = Field(description="plain ones first: usual rules, and what is most surprising")


class Puzzle(PuzzleInfo):
    game: str
    of: int = Field(description="how many there are of this game")
    seats: list[str]
    certainty: Certainty
    view: dict[str, Any]
    moves: list[AdvisedMove]
    tempting: str = Field(description="what most people would do at first sight")
    why: Reason = Field(description="why the best move is better than the tempting one")


class Compared(Model):
    objective: str
    about: Objective
    certainty: Certainty = Field(description="of the values")
    usual: float | None
    changed: float | None
    usual_lacks: Lack | None = Field(description="why `usual` is null: not solved, or nothing to play for")
    changed_lacks: Lack | None = Field(description="why `changed` is null")


class Lab(Model):
    game: str
    options: dict[str, OptionValue]
    rows: list[Compared]


class Opponent(Model):
    objective: str = Field(description="what a level or perfect play plays for here; winning, where that is solved")
    about: Objective


class BankOrRollRow(Model):
    dice: int = Field(description="left to roll")
    threshold: int = Field(description="the least turn total that is better banked")
    gains: list[float] = Field(description="what rolling brings more than banking 50, 100, 150, ... points")


class BankOrRoll(Model):
    kind: Literal["bank-or-roll"] = "bank-or-roll"
    step: int
    least: int = Field(description="the smallest turn total that may be banked")
    board_minimum: int = Field(description="where more is needed to get on the board, so much; else 0")
    rows: list[BankOrRollRow]


class TileWorth(Model):
    tile: int
    costs: float = Field(description="by how much the start of a round is better with this tile shut")


class TileWorths(Model):
    kind: Literal["tiles"] = "tiles"
    objective: str
    about: Objective
    tiles: list[TileWorth]


class ScoreBar(Model):
    result: int
    share: float


class ScoreTarget(Model):
    name: str
    target: int
    best: float = Field(description="the chance of somebody who plays for it")


class Scores(Model):
    kind: Literal["scores"] = "scores"
    objective: str
    mean: float
    bars: list[ScoreBar]
    targets: list[ScoreTarget]


class LeadWorthRow(Model):
    dice: int = Field(description="on the table")
    least: int = Field(description="the first of the leads")
    chances: list[float | None] = Field(description="to win for the seat that rolls next, by lead; null: too rare")


class LeadWorths(Model):
    kind: Literal["leads"] = "leads"
    objective: str
    rows: list[LeadWorthRow]


class DailyBenchmark(Model):
    """Each null where nobody knows."""

    objective: str | None
    about: Objective | None
    expected: float | None = Field(description="what perfect play can expect before the first roll")
    perfect: int | None = Field(description="what it scores with the dice of the day, without foresight")
    against: int | None = Field(description="what the other side then scores, where perfect play is played to win")
    foresight: int | None = Field(description="the best that anybody could score who knew all dice")
