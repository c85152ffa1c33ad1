"""What the REST interface takes and gives, for its OpenAPI description. What goes over sockets too is a plain dataclass
here or in play/film.py, or a struct in wire.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from dicehall.coach.objective import Certainty, Objective, Unit
from dicehall.coach.odds import Lack
from dicehall.play.protocol import Mark
from dicehall.play.share import Beside
from dicehall.rules.game import Outcome

OptionValue = bool | int | str
Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", examples=["2026-11-15"])]
Period = Literal["all", "month", "week", "day"]
Kind = Literal["ranked", "practice", "daily", "archive"]


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Problem(Model):
    code: str
    message: str


class Me(Model):
    id: str
    nickname: str
    created_at: int
    streak: int
    longest_streak: int


class Rename(Model):
    nickname: str = Field(min_length=1, max_length=100)


class Transfer(Model):
    lasting: bool = Field(default=False, description="a longer code without an end, to keep")


class TransferCode(Model):
    code: str
    expires_in: int | None = Field(description="seconds; null for a lasting one")


class DeviceInfo(Model):
    id: str
    label: str = Field(description="as in `Firefox on Android`; empty where we cannot tell")
    created_at: int
    seen_at: int = Field(description="true to a day; 0 if not since the hall looks")
    this: bool = Field(description="whether it is the one that asks")


class Redeem(Model):
    code: str = Field(min_length=1, max_length=40)


class Target(Model):
    name: str = Field(
        description="none; bronze, silver, gold, classic, strict; calibrated: even, bold, dream; `own`: the mode's"
    )
    target: int = Field(description="what the catalog's `target_option` is set to; 0: none")
    calibrated: bool = Field(description="set from the exact distribution, instead of by the spec")
    ways: int = Field(
        description="of `of`: the chance under perfect play for it; of a calibrated total, under that for few points"
    )
    of: int


class Playable(Model):
    code: str | None = Field(description="why nobody can play so; null: they can")
    message: str
    doubt: str | None = Field(
        default=None,
        description="what makes no sense, though it can be played: target-too-high, goal-too-low, goal-sure, "
        "minimum-too-high",
    )
    limit: int | None = Field(default=None, description="with a doubt: the best there is; of a sure goal, the worst")


class TableInfo(Model):
    id: str
    game: str
    kind: str
    mode: str
    seats: list[str]
    day: str | None
    commitment: str | None
    count: int
    over: bool
    updated_at: int
    first: bool | None = Field(
        default=None, description="a daily's, where one sits down: whether it counts on the board of first attempts"
    )
    view: dict[str, Any] | None = None


class RunInfo(Model):
    id: str
    game: str
    mode: str
    player: str
    score: int
    aim: str
    lower_is_better: bool
    ranked: bool
    day: str | None
    breakdown: dict[str, Any] | list[Any]
    finished_at: int
    record: dict[str, Any]
    dice_seed: str | None = Field(description="a practice table with this seed has the same dice")
    scores: list[int] = Field(description="by seat")
    outcome: Outcome | None = Field(description="for the one person among several seats; else null")
    nickname: str | None = Field(
        default=None, description="whose it is, where one run is asked for; empty for a guest without a name"
    )


class Shared(Model):
    """A run as it may be shown to everybody, also while others have its dice before them: the daily's board tells as
    much."""

    id: str
    game: str
    mode: str
    day: str | None
    nickname: str = Field(description="empty for a guest without a name")
    score: int
    aim: str
    seats: list[str]
    scores: list[int] = Field(description="by seat")
    outcome: Outcome | None = Field(description="for the one person among several seats; else null")
    hidden: bool = Field(description="it is of today's daily, and nothing may tell its dice")
    marks: list[list[Mark]] = Field(description="by seat, each part of it in a word; `n` is null where it is hidden")
    compared: Beside | None = Field(default=None, description="what became of it, if another run was to beat it")


class RunPage(Model):
    runs: list[RunInfo]
    next: str | None


class Verdict(Model):
    ok: bool
    step: int
    code: str
    reason: str
    proved: bool = Field(description="every die was checked against commitment and seed")
    dice: int


class CheckRecord(Model):
    record: dict[str, Any] | str


class LeaderboardEntry(Model):
    rank: int
    player: str
    nickname: str
    score: int
    scores: list[int] | None = Field(default=None, description="by seat, where several sat there")
    outcome: Outcome | None = Field(default=None, description="of that run, where several sat there")
    run: str
    reached_at: int
    runs: int | None = Field(description="ranked runs so far; null where some were not counted yet")
    took: int | None = Field(description="the number of the run that reached it")
    new_account: bool = Field(description="the account was less than a day old when it was reached")
    same_network: int | None = Field(
        description="a daily's: accounts with a first attempt from the same network, this one among them"
    )


class Leaderboard(Model):
    board: str
    period: str
    players: int
    entries: list[LeaderboardEntry]
    me: LeaderboardEntry | None
    next: str | None


class ModeInfo(Model):
    mode: str
    players: int


class DailyInfo(Model):
    day: str
    game: str
    mode: str
    options: dict[str, OptionValue]
    seats: list[str]
    commitment: str
    committed_at: int
    ends_at: int
    secret: str | None = Field(description="revealed when the day is over")


class MyDaily(DailyInfo):
    attempts: int
    best: int | None = Field(description="my best attempt that counts")
    table: str | None = Field(description="an attempt that is not finished")


class MyBest(Model):
    game: str
    mode: str
    score: int
    aim: str
    run: str


class Lobby(Model):
    me: Me | None
    dailies: list[MyDaily]
    tables: list[TableInfo] = Field(description="the newest of those that are not finished")
    bests: list[MyBest] = Field(description="by game, in the mode that was played last")


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
    """What every move is worth, the best first. A `search` looks some dice ahead; the others are answers."""

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
    start: float | None = Field(description="what the start is worth for that, under perfect play")


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
    best: str | None
    mark: Literal["", "best", "good", "slip", "mistake", "blunder"]
    why: Reason | None = Field(description="why `best` is better; null where nothing was lost")


class Comparison(Model):
    objective: str = Field(description="that of the report; where it is a chance, what runs are ranked by")
    about: Objective
    result: float


class Shown(Model):
    start: float
    luck: float
    gifts: float
    lost: float
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
    result: float
    exact: dict[str, str] = Field(description="the same five as fractions: the identity holds to the last digit")
    shown: Shown = Field(description="the same five, rounded so that what a screen shows adds up")
    accuracy: float | None
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
    certainty: Certainty = Field(description="of the values that there are; what is only searched has none")
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


class ScoreMark(Model):
    name: str
    target: int
    best: float = Field(description="the chance of somebody who plays for it")


class Scores(Model):
    kind: Literal["scores"] = "scores"
    objective: str
    mean: float
    bars: list[ScoreBar]
    marks: list[ScoreMark]


class DailyBenchmark(Model):
    """Each null where nobody knows."""

    objective: str | None
    about: Objective | None
    expected: float | None = Field(description="what perfect play can expect before the first roll")
    perfect: int | None = Field(description="what it scores with the dice of the day, without foresight")
    foresight: int | None = Field(description="the best that anybody could score who knew all dice")


Counted = Literal["ranked", "practice"]


class Opposition(Model):
    """Against the same others, in any order of seats."""

    players: list[str] = Field(description="who else sat there")
    won: int
    drawn: int = Field(description="shared wins among them")
    lost: int
    strength: float | None = Field(
        description="of one other, as measured under the usual rules: its share of wins against `against`"
    )


class Rate(Model):
    """How many of my turns were farkles, or of my rounds shut the box."""

    hit: Literal["farkle", "box-shut"]
    times: int
    of: int


class VariantStatistics(Model):
    """My runs of a game with the same options and as many seats."""

    game: str
    variant: str = Field(description="a mode without its seats: `standard`, `target=90`")
    seats: int
    aim: str
    lower_is_better: bool
    runs: int
    first_at: int
    last_at: int
    average: float
    best: int
    met: int = Field(description="alone: runs that met their goal")
    missed: int = Field(description="alone: runs that missed their goal; both are 0 where there was none")
    opponents: list[Opposition] = Field(description="the most played first")
    strongest: Opposition | None = Field(description="who was beaten, of measured strength: the strongest")
    against: str | None = Field(description="whom strengths are measured against: perfect play, or the top level")
    rate: Rate | None


class DayPlayed(Model):
    day: str
    games: int = Field(description="whose daily I finished that day")


class Statistics(Model):
    """My finished runs, added up. Ranked are those played for the boards, of a daily the first attempt; practice any
    other of one person; runs of several people at one device are only counted."""

    kind: Counted
    ranked: int = Field(description="how many runs of that kind there are")
    practice: int
    together: int = Field(description="runs of several people")
    uncounted: int = Field(description="runs that are in none of these figures yet: ask again")
    variants: list[VariantStatistics] = Field(description="of that kind, the most played first")
    streak: int
    longest_streak: int
    today: str
    days: list[DayPlayed] = Field(description="of the last ten weeks, those with a finished daily")


class ScoreBin(Model):
    """Scores from `low` to `high`, both among them."""

    low: int
    high: int
    runs: int
    share: float = Field(description="of my runs")
    perfect: float | None = Field(description="of the runs of perfect play; null where that is not known")


class RecentRun(Model):
    run: str
    finished_at: int
    score: int
    accuracy: float | None
    luck: float | None = Field(description="what the dice gave, in the unit of `about`; more is always better")


class VariantScores(Model):
    """How the runs of a variant ended, beside perfect play's."""

    bins: list[ScoreBin]
    perfect: float | None = Field(description="what perfect play ends with on average; null where that is not known")


class VariantLuck(Model):
    """What the coach says of the newest runs of a variant."""

    about: Objective | None = Field(description="what accuracy and luck are about; null where the coach does not know")
    recent: list[RecentRun] = Field(description="the newest runs that the coach has looked at, oldest first")
    unjudged: int = Field(description="of the newest runs, those that it has not looked at yet: ask again")


class Alive(Model):
    ok: bool
    version: str
    protocol: int


class Readiness(Model):
    ok: bool
    checks: dict[str, str] = Field(description="what was looked at: empty where all is well, else what is wrong")
