"""Whether the hall is well."""

from __future__ import annotations

from pydantic import Field

from dicehall.server.models.common import Model


class Alive(Model):
    ok: bool
    version: str
    protocol: int


class Readiness(Model):
    ok: bool
    checks: dict[str, str] = Field(description="what was looked at: empty where all is well, else what is wrong")
