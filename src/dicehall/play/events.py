"""What happened with a step, as short codes with what belongs to them: screens, sounds and sentences speak from these.

No client compares two positions to guess what a step meant: what the rules did with it is said here, once. Seats,
columns, rows and slots count from 0, as in the views.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

from dicehall.play.departures import cut_short, gone_by
from dicehall.play.farkle_types import FarkleEvent
from dicehall.play.knucklebones import KnucklebonesEvent
from dicehall.play.lite import LiteEvent
from dicehall.play.protocol import find_play
from dicehall.play.record import Departure, WhyDeparted
from dicehall.play.shut_the_box_types import ShutTheBoxEvent
from dicehall.rules.catalog import AnyGame
from dicehall.rules.game import NOBODY
from dicehall.rules.two_seats import UNDRAWN


class TurnPassed(TypedDict):
    """The run goes on, and it is another seat's turn; `leader` is the one that has more points than any other, where
    there is one."""

    code: Literal["turn-passed"]
    to: int
    leader: int | None


class Departed(TypedDict):
    """After this step, and before the next one, the seat has departed."""

    code: Literal["departed"]
    seat: int
    why: WhyDeparted


class RunOver(TypedDict):
    """With this step, or with a departure after it; the view's result says how."""

    code: Literal["run-over"]


Event = TurnPassed | Departed | RunOver | LiteEvent | KnucklebonesEvent | FarkleEvent | ShutTheBoxEvent


def events(game: AnyGame, before: Any, step: str, after: Any) -> list[Event]:
    """What happened when `step`, a move or a roll as a record writes it, led from the state `before` to `after`."""
    play = find_play(game)
    told = [*play.events(before, step, after)]
    if game.rules.actor(after) == NOBODY:
        told.append({"code": "run-over"})
        return told
    seat = getattr(after, "seat", 0)  # a game for one has none
    if seat != getattr(before, "seat", 0) != UNDRAWN:
        told.append({"code": "turn-passed", "to": seat, "leader": play.leader(after)})
    return told


def departed(departures: Sequence[Departure], steps: int, seats: int) -> list[Event]:
    """What happened between the step that makes `steps` and the next one, in a run with these departures."""
    new = [one for one in departures if one.step == steps]
    told: list[Event] = [{"code": "departed", "seat": one.seat, "why": one.why} for one in new]  # type: ignore[typeddict-item]  # checked
    if new and cut_short(gone_by(departures, steps), seats):
        told.append({"code": "run-over"})
    return told
