"""Tables, and what can be played at them."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from dicehall.coach.targets import DoubtCode
from dicehall.server.models.common import Model


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
    doubt: DoubtCode | None = Field(default=None, description="what makes no sense, though it can be played")
    limit: int | None = Field(default=None, description="with a doubt: the best there is; of a sure goal, the worst")
    option: str | None = Field(default=None, description="with a doubt: the option that asks for it")
    instead: int | None = Field(default=None, description="with a doubt: what that option could be set to")
    idle: list[str] = Field(default=[], description="the options that decide nothing under the others")


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
