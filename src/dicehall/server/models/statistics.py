"""One's own runs, added up."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dicehall.coach.objective import Objective
from dicehall.server.models.common import Model

RunKind = Literal["ranked", "practice", "people"]


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
    other of one person; people those that others played, too, each at a device. Of runs of several people at one device
    only the number is told."""

    kind: RunKind
    ranked: int = Field(description="how many runs of that kind there are")
    practice: int
    people: int
    together: int = Field(description="runs of several people at one device")
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
