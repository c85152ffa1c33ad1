"""A finished run for those who were not there: in a few words, and beside another run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from dicehall.play.protocol import RunPart, find_play
from dicehall.play.record import Record
from dicehall.play.replay import start, walk
from dicehall.rules.game import Aim, Outcome, Result

Beside = Literal["beaten", "equalled", "missed"]
ORDER: Final[Sequence[Outcome | None]] = ("lost", None, "drawn", "shared", "won")


def parts(record: Record, hidden: bool) -> list[list[RunPart]]:
    """By seat, each part of the run in a word; none for a game that has no parts.

    `hidden`: others still have these dice before them, so nothing is told that dice can be read off.
    """
    found = find_play(record.find_game()).parts([start(record), *(step.state for step in walk(record))])
    return [[RunPart(one.code, None if hidden else one.n) for one in seat] for seat in found]


def compare(mine: Result, theirs: Result, seats: tuple[int, int], aim: Aim) -> Beside:
    """Whether the first result is better for its seat than the second for its own: to win first, then by the score, or
    by the lead over the best of the others."""
    one, other = (_strength(result, seat, aim) for result, seat in zip((mine, theirs), seats, strict=True))
    return "beaten" if one > other else "equalled" if one == other else "missed"


def _strength(result: Result, seat: int, aim: Aim) -> tuple[int, int]:
    scores = [-score if aim.lower_is_better else score for score in result.scores]
    others = [score for n, score in enumerate(scores) if n != seat]
    return ORDER.index(result.outcome(seat)), scores[seat] - max(others, default=0)
