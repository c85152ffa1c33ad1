"""What the hall has for one player."""

from __future__ import annotations

from pydantic import Field

from dicehall.rules.game import Outcome
from dicehall.server.models.boards import DailyInfo
from dicehall.server.models.common import Model
from dicehall.server.models.people import Me
from dicehall.server.models.tables import TableInfo


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
    scores: list[int] = Field(description="of my last run there, by seat")
    outcome: Outcome | None = Field(description="how that ended for the one person among several; else null")


class Lobby(Model):
    me: Me | None
    dailies: list[MyDaily]
    tables: list[TableInfo] = Field(description="the newest of those that are not finished")
    rooms: int = Field(description="where I play with others and it is not over: GET /api/rooms tells of them")
    bests: list[MyBest] = Field(description="by game, in the mode that was played last")
