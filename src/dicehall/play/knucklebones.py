"""Classic Knucklebones: two facing grids, what a die makes and breaks, the points by column."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal, TypedDict

from dicehall.play.protocol import Breakdown, Drawn, MoveText, RunPart, SetMade, Standing, ViewHead, ahead
from dicehall.rules.game import NOBODY
from dicehall.rules.knucklebones import Column, State, actor, destroyed, move_text, score_column
from dicehall.rules.two_seats import UNDRAWN


class KnucklebonesSeat(TypedDict):
    """A seat's grid by columns; in each, index 0 lies next to the opponent."""

    columns: list[list[int]]
    column_scores: list[int]
    multipliers: list[list[int]]
    total: int


class KnucklebonesPicture(TypedDict):
    die: int | None
    turn_of: int | None  # whose die it is, in the air or to be placed; None before the draw and after the end
    seats: list[KnucklebonesSeat]


class KnucklebonesPlaceMove(MoveText):
    """Put the die into a column. It `gains` points, and `breaks` the opponent's that lie in the slots it `destroys`."""

    kind: Literal["place"]
    column: int
    slot: int
    column_score: int
    gains: int
    destroys: list[int]  # slots of the facing column
    breaks: int  # points that the opponent loses


class KnucklebonesView(ViewHead, KnucklebonesPicture):
    game: Literal["knucklebones"]
    moves: list[KnucklebonesPlaceMove]


class Placed(TypedDict):
    """Knucklebones: a die lies in a column of the seat, which has gained points and now has its `score`."""

    code: Literal["placed"]
    seat: int
    column: int
    face: int
    score: int
    gained: int


class Broken(TypedDict):
    """Knucklebones: the seat's dice in these slots of the column, as they were numbered before, are gone, and points
    with them."""

    code: Literal["broken"]
    seat: int
    column: int
    face: int
    slots: list[int]
    lost: int


KnucklebonesEvent = Drawn | SetMade | Placed | Broken


def picture(state: State) -> KnucklebonesPicture:
    return {
        "die": state.die or None,
        "turn_of": None if state.seat == UNDRAWN or actor(state) == NOBODY else state.seat,
        "seats": [_grid(*grid) for grid in state.grids],
    }


def preview(state: State, move: int) -> KnucklebonesPlaceMove:
    """What the column would score, and what it would break on the other side."""
    mine: Column = state.grids[state.seat][move]
    facing: Column = state.grids[1 - state.seat][move]
    score, breaks = score_column((*mine, state.die)), state.die in facing
    return {
        "move": move_text(move),
        "kind": "place",
        "column": move,
        "slot": len(mine),
        "column_score": score,
        "gains": score - score_column(mine),
        "destroys": [slot for slot, die in enumerate(facing) if die == state.die] if breaks else [],
        "breaks": score_column(facing) - score_column(destroyed(facing, state.die)) if breaks else 0,
    }


def events(before: State, step: str, after: State) -> list[KnucklebonesEvent]:
    if not before.die:
        return [{"code": "drawn", "seat": after.seat}] if before.seat == UNDRAWN else []
    seat, other, face, column = before.seat, 1 - before.seat, before.die, int(step) - 1
    mine, theirs = after.grids[seat][column], before.grids[other][column]
    score = score_column(mine)
    gained = score - score_column(before.grids[seat][column])
    told: list[KnucklebonesEvent] = [
        {"code": "placed", "seat": seat, "column": column, "face": face, "score": score, "gained": gained}
    ]
    times = mine.count(face)
    if times > 1:
        told.append({"code": "set-made", "seat": seat, "line": "column", "number": column, "times": times})
    if face in theirs:
        slots = [slot for slot, die in enumerate(theirs) if die == face]
        lost = score_column(theirs) - score_column(after.grids[other][column])
        told.append({"code": "broken", "seat": other, "column": column, "face": face, "slots": slots, "lost": lost})
    return told


def leader(state: State) -> int | None:
    return ahead([sum(map(score_column, grid)) for grid in state.grids])


def standing(state: State) -> Standing:
    points = sum(map(score_column, state.grids[0]))
    return Standing(points, "points", points)


def breakdown(states: Sequence[State]) -> Breakdown:
    return {"columns": [[score_column(column) for column in grid] for grid in states[-1].grids]}


def parts(states: Sequence[State]) -> list[list[RunPart]]:
    """Each column: whether it is worth more than the one that faces it. Its points would tell dice: 54 are three
    sixes."""
    one, other = [[score_column(column) for column in grid] for grid in states[-1].grids]
    return [
        [RunPart("level" if a == b else "won" if a > b else "lost", a) for a, b in zip(mine, theirs, strict=True)]
        for mine, theirs in ((one, other), (other, one))
    ]


def _grid(a: Column, b: Column, c: Column) -> KnucklebonesSeat:
    scores = [score_column(a), score_column(b), score_column(c)]
    return {
        "columns": [list(a), list(b), list(c)],
        "column_scores": scores,
        "multipliers": [list(_multipliers(a)), list(_multipliers(b)), list(_multipliers(c))],
        "total": sum(scores),
    }


@cache
def _multipliers(column: Column) -> tuple[int, ...]:
    return tuple(column.count(die) for die in column)
