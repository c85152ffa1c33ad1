"""A game of another package, which brings its rules alone: the parts of its state, by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Final, TypedDict

from dicehall.rules.game import Rules

if TYPE_CHECKING:
    from dicehall.play.events import Event
    from dicehall.play.protocol import Breakdown, MoveText, RunPart, Standing

SAID_ELSEWHERE: Final = ("options", "seat")  # by every view
Value = bool | int | str


class StatePart(TypedDict):
    """What the state calls it, and what it is now."""

    name: str
    value: Value


class PlainSeat(TypedDict):
    parts: list[StatePart]  # those that the rules name in BY_SEAT


class PlainPicture(TypedDict):
    turn_of: int | None  # whose turn it is, where the state says so
    parts: list[StatePart]  # the others
    seats: list[PlainSeat]


@dataclass(frozen=True)
class Plain:
    """What `dicehall.play.protocol.GamePlay` asks for, as far as `rules` alone can tell it."""

    rules: Rules[Any, Any, Any]

    def picture(self, state: Any) -> PlainPicture:
        return picture(state, self.rules.seats_of(state), getattr(self.rules, "BY_SEAT", ()))

    def preview(self, state: Any, move: Any) -> MoveText:
        return {"move": self.rules.move_text(move)}

    def events(self, before: Any, step: str, after: Any) -> Sequence[Event]:
        return ()

    def leader(self, state: Any) -> int | None:
        return None

    def standing(self, state: Any) -> Standing:
        from dicehall.play.protocol import Standing  # which knows this file

        score, aim = self.rules.result(state).scores[0], self.rules.aim(state.options, 1)
        return Standing(score, aim.unit, -score if aim.lower_is_better else score)  # type: ignore[arg-type]

    def breakdown(self, states: Sequence[Any]) -> Breakdown:
        return {}

    def parts(self, states: Sequence[Any]) -> list[list[RunPart]]:
        return []


def picture(state: Any, seats: int, by_seat: Sequence[str]) -> PlainPicture:
    """All parts of a `state` for `seats` seats, but the options and whose turn it is; those named in `by_seat` have a
    member for each seat."""
    own: list[list[StatePart]] = [[] for _ in range(seats)]
    common: list[StatePart] = []
    for name, value in _named(state):
        if name in by_seat:
            for parts, one in zip(own, value, strict=True):
                parts.append({"name": name, "value": _plain(one)})
        else:
            common.append({"name": name, "value": _plain(value)})
    turn_of = getattr(state, "seat", None)
    known = isinstance(turn_of, int) and 0 <= turn_of < seats
    return {"turn_of": turn_of if known else None, "parts": common, "seats": [{"parts": parts} for parts in own]}


def _named(state: Any) -> Iterable[tuple[str, Any]]:
    names = [field.name for field in fields(state)] if is_dataclass(state) else getattr(state, "_fields", ())
    return [(name, getattr(state, name)) for name in names if name not in SAID_ELSEWHERE]


def _plain(value: Any) -> Value:
    if isinstance(value, bool | int | str):
        return value
    return " ".join(str(_plain(one)) for one in value) if isinstance(value, tuple | list) else str(value)
