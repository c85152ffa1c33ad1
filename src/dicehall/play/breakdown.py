"""Where the points of a finished run came from: rows, columns, turns or rounds."""

from __future__ import annotations

from collections.abc import Iterable

from dicehall.play.protocol import Breakdown, find_play
from dicehall.play.record import Record
from dicehall.play.replay import Step, start, walk


def breakdown(record: Record, steps: Iterable[Step] | None = None) -> Breakdown:
    """By seat: the scores of rows (and columns), of columns, of turns or of rounds, as the game has them; nothing for a
    game that has no such parts.

    Whoever has walked the `record` already gives the `steps`.
    """
    states = [start(record), *(step.state for step in (walk(record) if steps is None else steps))]
    return find_play(record.find_game()).breakdown(states)
