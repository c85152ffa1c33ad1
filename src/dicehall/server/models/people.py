"""Players and their devices."""

from __future__ import annotations

from pydantic import Field

from dicehall.server.models.common import Model


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
