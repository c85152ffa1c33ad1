"""Rooms: where several people play together."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dicehall.people.series import Begins
from dicehall.server.models.common import Model, OptionValue


class OpenRoom(Model):
    """`seats` by place: the first is mine, `you` is a person, anything else a player of the house."""

    game: str = Field(max_length=40)
    options: dict[str, OptionValue] = Field(default_factory=dict, max_length=40)
    seats: list[Annotated[str, Field(max_length=40)]] = Field(default=["you", "you"], max_length=10)
    begins: Begins = "drawn"
    best_of: int = Field(default=1, ge=1, le=5)
    clock: str = Field(
        default="none", max_length=10, description="none, seconds a move and a reserve (30+120), days (3d)"
    )
    rated: bool = False
    watched: bool = True
    same_dice: bool = Field(default=False, description="everybody plays their own board, on the same dice")
    minutes: int = Field(default=0, ge=0, le=180, description="how long that may last; 0 for as long as they like")
    open: bool = Field(default=False, description="so, but one after the other: whoever comes in a week (clock `7d`)")


class RoomInfo(Model):
    id: str
    code: str | None = Field(description="to say aloud, as long as people may come")
    state: str
    game: str
    mode: str
    place: int | None = Field(description="mine")
    seats: list[str] = Field(description="by place: `you` is a person, anything else a player of the house")
    names: list[str] = Field(
        description="by place: nicknames, players of the house, empty where nobody is or a guest is"
    )
    same_dice: bool
    open: bool = Field(description="people come one after the other, in a week")
    turn: bool = Field(description="it is mine")
    table: str | None
    created_at: int


class GameNow(Model):
    """A game that is played now, and may be watched."""

    id: str = Field(description="the room's")
    game: str
    mode: str
    seats: list[str] = Field(description="by place: `you` is a person, anything else a player of the house")
    names: list[str] = Field(description="by place: nicknames, players of the house, empty for a guest")
    ratings: list[int | None] = Field(description="by place, in this game")
    scores: list[int] = Field(description="by place, as the game stands")
    watchers: int


class FindRoom(Model):
    code: str = Field(max_length=40)


class FoundRoom(Model):
    room: str
