"""A run step by step: what was done, by whom, what happened with it, and what an onlooker saw then."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dicehall.play.departures import gone_by
from dicehall.play.events import departed, events
from dicehall.play.record import Departure
from dicehall.play.view import view
from dicehall.rules.catalog import AnyGame
from dicehall.rules.game import DICE


@dataclass(slots=True)
class Frame:
    """A step of a run: a roll or a move (empty for the start), `by` a seat (null for the dice), what happened with it,
    and how the table was after it; null where that is not shown."""

    step: str
    by: int | None
    events: Sequence[Mapping[str, Any]]
    view: dict[str, Any] | None


def start_frame(game: AnyGame, state: Any, departures: Sequence[Departure] = ()) -> Frame:
    """The table before its first step: `state` is the one the game begins with. `departures` are those of the run."""
    gone = gone_by(departures, 0)
    told = departed(gone, 0, game.rules.seats_of(state))
    return Frame("", None, told, view(game, state, with_moves=False, departures=gone))


def film(
    game: AnyGame,
    before: Any,
    steps: Iterable[tuple[str, Any]],
    views: int,
    departures: Sequence[Departure] = (),
    first: int = 0,
) -> list[Frame]:
    """The frames of `steps`, each a text with the state it led to, from the state `before` them on. The first `views`
    of them say how the table was. `departures` are those of the run, of which `first` steps came before these."""
    frames: list[Frame] = []
    for step, after in steps:
        actor = game.rules.actor(before)
        told = events(game, before, step, after)
        gone = gone_by(departures, first + len(frames) + 1)
        if gone:
            told += departed(gone, first + len(frames) + 1, game.rules.seats_of(after))
        shown = view(game, after, None, False, gone) if len(frames) < views else None
        frames.append(Frame(step, None if actor == DICE else actor, told, shown))
        before = after
    return frames
