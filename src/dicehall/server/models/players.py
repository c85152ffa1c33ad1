"""Players as others see them: boards of those who play against people, and a page for everybody."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dicehall.server.models.common import Model

By = Literal["results", "skill"]
# why somebody is not on a board: no rated game, too few, too uncertain for any use, not certain enough for a board
WhyOff = Literal["none", "too-few", "provisional", "uncertain"]


class Estimate(Model):
    """A number that is not known for certain: with 95% it is between `low` and `high`."""

    value: float
    low: float
    high: float
    games: int = Field(description="that it follows from")
    provisional: bool = Field(description="too little is known yet")


class Results(Estimate):
    deviation: float = Field(description="as it is by now: without games it grows")


class SkillShown(Estimate):
    needs: int = Field(description="with fewer games it is provisional in any case")


class Rated(Estimate):
    place: int
    player: str
    nickname: str = Field(description="empty for a guest without a name")


class Mine(Model):
    """Where I stand, on the board or not."""

    player: str
    nickname: str
    place: int | None = Field(description="null: I am not on the board")
    why: WhyOff | None = Field(description="I am not on the board; null: I am")
    known: Results | SkillShown | None = Field(description="null without a game that tells anything")


class RatingBoard(Model):
    pool: str
    by: By
    entries: list[Rated]
    mine: Mine | None = Field(description="null without an account")


class RatedThen(Model):
    at: int = Field(description="when the game ended")
    value: float
    deviation: float


class SkillThen(Model):
    at: int = Field(description="when the game ended")
    value: float


class PoolPlayed(Model):
    """Curves have the number after each of the newest games, the oldest first."""

    pool: str
    results: Results | None
    results_curve: list[RatedThen]
    skill: SkillShown | None
    skill_curve: list[SkillThen]
    unseen: int = Field(description="rated games that the coach has still to look at")


class Against(Model):
    """My games with that player in one game, rated or not, but for those that had no end. Halves: 2 for a win, 1 for a
    draw."""

    game: str
    games: int
    mine: int = Field(description="halves")
    theirs: int = Field(description="halves")


class OtherPlayer(Model):
    player: str | None = Field(description="null: the account is gone, or not to be shown")
    nickname: str = Field(description="empty for a guest without a name, and where there is no player")


class Encounter(Model):
    """A game with one other person."""

    run: str
    game: str
    other: OtherPlayer
    outcome: Literal["won", "drawn", "lost"] | None = Field(description="null: it was ended, and nobody has won")
    before: float | None = Field(description="the rating before it; null where it was not rated")
    after: float | None
    why_not: str | None = Field(description="a code: it was not rated")
    finished_at: int


class PlayerPage(Model):
    id: str
    nickname: str = Field(description="empty for a guest without a name")
    since: str = Field(description="the day on which the account was made")
    me: bool
    pools: list[PoolPlayed] = Field(description="in which there has been a rated game")
    against: list[Against] = Field(description="my own games with that player; empty where there are none")
    recent: list[Encounter] = Field(description="the newest first; without those that nobody might watch, of others")
