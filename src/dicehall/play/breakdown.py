"""Where the points of a finished run came from: rows, columns, turns or rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, Final

from dicehall.play.record import Record
from dicehall.play.replay import Step, start, walk
from dicehall.rules import farkle_state
from dicehall.rules.knucklebones import score_column
from dicehall.rules.lite_grid import COLUMNS, ROWS, score_row

Breakdown = dict[str, Any]


def breakdown(record: Record, steps: Iterable[Step] | None = None) -> Breakdown:
    """By seat: the scores of rows (and columns), of columns, of turns or of rounds, as the game has them; nothing for a
    game that has no such parts.

    Whoever has walked the `record` already gives the `steps`.
    """
    states = [start(record), *(step.state for step in (walk(record) if steps is None else steps))]
    parts = PARTS.get(record.game)
    return {} if parts is None else parts(states)


def _lite(states: list[Any]) -> Breakdown:
    final = states[-1]
    boards = [final.board] if hasattr(final, "board") else final.boards
    lines = {"rows": ROWS} | ({"columns": COLUMNS} if final.options.columns else {})
    return {
        name: [
            [score_row(tuple(board[c] for c in line), final.options.wild).score for line in cells] for board in boards
        ]
        for name, cells in lines.items()
    }


def _columns(states: list[Any]) -> Breakdown:
    return {"columns": [[score_column(column) for column in grid] for grid in states[-1].grids]}


def _turns(states: list[Any]) -> Breakdown:
    """What each turn brought; 0 for a farkle."""
    turns: list[list[int]] = [[] for _ in states[0].banked]
    for before, after in pairwise(states):
        ended = after.phase in (farkle_state.FARKLE, farkle_state.BANKED, farkle_state.END)
        if ended and after != before:
            turns[before.seat].append(after.banked[before.seat] - before.banked[before.seat])
    return {"turns": turns}


def _rounds(states: list[Any]) -> Breakdown:
    """What each round added to the total; in the long game, how many tiles stood open after each turn."""
    final = states[-1]
    if final.options.mode == "long":
        ends = [before for before, after in pairwise(states) if after.round > before.round]
        return {"open": [len(state.open) for state in (*ends, final)]}
    rounds: list[list[int]] = [[] for _ in final.totals]
    for before, after in pairwise(states):
        if after.over or (after.round, after.seat) != (before.round, before.seat):
            rounds[before.seat].append(after.totals[before.seat] - before.totals[before.seat])
    return {"rounds": rounds}


PARTS: Final[dict[str, Callable[[list[Any]], Breakdown]]] = {
    "lite-solo": _lite,
    "lite-versus": _lite,
    "farkle": _turns,
    "shut-the-box": _rounds,
    "knucklebones": _columns,
}
