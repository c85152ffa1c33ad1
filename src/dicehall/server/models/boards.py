"""Boards and dailies."""

from __future__ import annotations

from pydantic import Field

from dicehall.rules.game import Outcome
from dicehall.server.models.common import Model, OptionValue


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
