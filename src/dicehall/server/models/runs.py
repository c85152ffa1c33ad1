"""Finished runs, and whether a record is true."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from dicehall.play.protocol import RunPart
from dicehall.play.share import Beside
from dicehall.rules.game import Outcome
from dicehall.server.models.common import Model


class PlayedBy(Model):
    """Somebody who played in a run."""

    player: str
    seat: int
    nickname: str = Field(description="empty for one without a name")


class RunInfo(Model):
    """A run as the one who asks has played it; as the first of those who have, for anybody else."""

    id: str
    game: str
    mode: str
    player: str | None = Field(description="who has played it so; null: the account is gone")
    seat: int = Field(description="of that player")
    score: int = Field(description="of that seat")
    aim: str
    lower_is_better: bool
    ranked: bool
    day: str | None
    breakdown: dict[str, Any] | list[Any]
    finished_at: int
    record: dict[str, Any]
    dice_seed: str | None = Field(description="a practice table with this seed has the same dice")
    scores: list[int] = Field(description="by seat")
    outcome: Outcome | None = Field(description="for that seat, where others sat there; else null")
    nickname: str | None = Field(
        default=None, description="of that player, where one run is asked for; empty for a guest without a name"
    )
    people: list[PlayedBy] = Field(default=[], description="all who played, where one run is asked for or several have")


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
    parts: list[list[RunPart]] = Field(description="by seat, each part of it in a word; `n` is null where it is hidden")
    compared: Beside | None = Field(default=None, description="what became of it, if another run was to beat it")


class Pace(Model):
    """How a run of today's daily stood when it had used no more dice than mine has."""

    score: int
    unit: str = Field(description="what it counts: points, turns or rounds")
    dice: int = Field(description="after how many of them")
    done: bool = Field(description="it ended there")


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
