"""What all shapes of the REST interface are made of."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

OptionValue = bool | int | str
Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", examples=["2026-11-15"])]
Period = Literal["all", "month", "week", "day"]
Kind = Literal["ranked", "practice", "daily", "archive", "people"]


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Problem(Model):
    code: str
    message: str
