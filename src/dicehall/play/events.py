"""What happened with a step, as short codes with what belongs to them: screens, sounds and sentences speak from these.

No client compares two positions to guess what a step meant: what the rules did with it is said here, once. Seats,
columns, rows and slots count from 0, as in the views.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, TypedDict

from dicehall.rules import farkle_state, lite_solo, lite_versus, shut_the_box
from dicehall.rules.catalog import AnyGame
from dicehall.rules.game import NOBODY
from dicehall.rules.knucklebones import State as KnucklebonesState
from dicehall.rules.knucklebones import score_column
from dicehall.rules.lite_grid import COLUMNS, ROWS, Board, read_move, score_row
from dicehall.rules.shut_the_box_state import OUT_AT, in_play
from dicehall.rules.shut_the_box_tiles import Tiles, round_score
from dicehall.rules.two_seats import UNDRAWN


class TurnPassed(TypedDict):
    """The run goes on, and it is another seat's turn."""

    code: Literal["turn-passed"]
    to: int


class RunOver(TypedDict):
    """With this step; the view's result says how."""

    code: Literal["run-over"]


class Drawn(TypedDict):
    """A die has decided which seat begins, and lies there no longer."""

    code: Literal["drawn"]
    seat: int


class SetMade(TypedDict):
    """A die has joined others like it: the seat's row or column of that `number` counts `times` times."""

    code: Literal["set-made"]
    seat: int
    line: Literal["row", "column"]
    number: int
    times: int


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


class Farkle(TypedDict):
    """Nothing in the roll scores: the seat's turn is over and its points are lost."""

    code: Literal["farkle"]
    seat: int
    lost: int


class HotDice(TypedDict):
    """All six dice have scored and are free again."""

    code: Literal["hot-dice"]
    seat: int


class Banked(TypedDict):
    """The seat has written down the points of its turn; `total` is what it has now."""

    code: Literal["banked"]
    seat: int
    points: int
    total: int


class TargetReached(TypedDict):
    """Farkle: the seat has banked what the race is for."""

    code: Literal["target-reached"]
    seat: int


class LastTurn(TypedDict):
    """Farkle: a seat was the first to reach the target, and every other has one turn left."""

    code: Literal["last-turn"]
    after: int


class Stuck(TypedDict):
    """Shut the Box: no tiles fit the dice, which came to `total` and lie there no longer."""

    code: Literal["stuck"]
    seat: int
    total: int


class Mulligan(TypedDict):
    """Dice that fit nothing are rolled again, once a round."""

    code: Literal["mulligan"]
    seat: int


class Doubles(TypedDict):
    """The long game: doubles that fit nothing are rolled again."""

    code: Literal["doubles"]
    seat: int


class BoxShut(TypedDict):
    """The seat has shut the last tile."""

    code: Literal["box-shut"]
    seat: int


class AllOpen(TypedDict):
    """The long game: the seat has opened the last tile."""

    code: Literal["all-open"]
    seat: int


class OtherSide(TypedDict):
    """The long game: from now on tiles are opened (or else shut)."""

    code: Literal["other-side"]
    opening: bool


class RoundOver(TypedDict):
    """Shut the Box: the seat's round is over and has scored `score`."""

    code: Literal["round-over"]
    seat: int
    score: int


class Out(TypedDict):
    """The tournament: the seat plays no further round."""

    code: Literal["out"]
    seat: int


Event = (
    TurnPassed | RunOver | Drawn | SetMade | Placed | Broken | Farkle | HotDice | Banked | TargetReached | LastTurn
    | Stuck | Mulligan | Doubles | BoxShut | AllOpen | OtherSide | RoundOver | Out
)  # fmt: skip


def events(game: AnyGame, before: Any, step: str, after: Any) -> list[Event]:
    """What happened when `step`, a move or a roll as a record writes it, led from one state to the other."""
    tell = TELLERS.get(game.id)
    told = [] if tell is None else tell(before, step, after)
    if game.rules.actor(after) == NOBODY:
        told.append({"code": "run-over"})
        return told
    seat = getattr(after, "seat", 0)  # a game for one has none
    if seat != getattr(before, "seat", 0) != UNDRAWN:
        told.append({"code": "turn-passed", "to": seat})
    return told


def _lite_solo(before: lite_solo.State, step: str, after: lite_solo.State) -> list[Event]:
    return _sets_made(before.options, 0, step, before.board, after.board)


def _lite_versus(before: lite_versus.State, step: str, after: lite_versus.State) -> list[Event]:
    seat = before.seat
    if seat == UNDRAWN:
        return [{"code": "drawn", "seat": after.seat}]
    return _sets_made(before.options, seat, step, before.boards[seat], after.boards[seat])


def _sets_made(
    options: lite_solo.Options | lite_versus.Options, seat: int, step: str, before: Board, after: Board
) -> list[Event]:
    """The lines of a seat's board that have begun to count twice, or three times."""
    told: list[Event] = []
    if before == after:
        return told
    cell, wild = read_move(step), options.wild
    a, b, c = ROWS[cell // 3]
    times = score_row((after[a], after[b], after[c]), wild).multiplier
    if times > score_row((before[a], before[b], before[c]), wild).multiplier:
        told.append({"code": "set-made", "seat": seat, "line": "row", "number": cell // 3, "times": times})
    if options.columns:
        a, b, c = COLUMNS[cell % 3]
        times = score_row((after[a], after[b], after[c]), wild).multiplier
        if times > score_row((before[a], before[b], before[c]), wild).multiplier:
            told.append({"code": "set-made", "seat": seat, "line": "column", "number": cell % 3, "times": times})
    return told


def _knucklebones(before: KnucklebonesState, step: str, after: KnucklebonesState) -> list[Event]:
    if not before.die:
        return [{"code": "drawn", "seat": after.seat}] if before.seat == UNDRAWN else []
    seat, other, face, column = before.seat, 1 - before.seat, before.die, int(step) - 1
    mine, theirs = after.grids[seat][column], before.grids[other][column]
    score = score_column(mine)
    gained = score - score_column(before.grids[seat][column])
    told: list[Event] = [
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


def _farkle(before: farkle_state.State, step: str, after: farkle_state.State) -> list[Event]:
    seat = before.seat
    if step.startswith("d"):
        farkle = after.phase != farkle_state.SELECTION
        return [{"code": "farkle", "seat": seat, "lost": before.turn_total}] if farkle else []
    if step != farkle_state.BANK:
        return [{"code": "hot-dice", "seat": seat}] if after.chosen and not any(after.dice) else []
    total, target = after.banked[seat], before.options.target
    told: list[Event] = [{"code": "banked", "seat": seat, "points": before.turn_total, "total": total}]
    if not before.options.max_turns and before.banked[seat] < target <= total:
        told.append({"code": "target-reached", "seat": seat})
    if after.closer != before.closer and after.phase != farkle_state.END:
        told.append({"code": "last-turn", "after": seat})
    return told


def _box(before: shut_the_box.State, step: str, after: shut_the_box.State) -> list[Event]:
    seat, tiles = before.seat, before.open
    told: list[Event] = []
    if step.startswith("d"):
        if after.dice:
            return told
        told.append({"code": "stuck", "seat": seat, "total": sum(map(int, step[1:]))})
        if after.mulligan_used > before.mulligan_used:
            return [*told, {"code": "mulligan", "seat": seat}]
        if after.doubles_used > before.doubles_used:
            return [*told, {"code": "doubles", "seat": seat}]
    elif not before.dice or len(step.split("+")) < len(in_play(before)):
        return told  # how many dice to roll, or some tiles of several
    elif before.opening:
        told.append({"code": "all-open", "seat": seat})
    else:
        tiles = ()
        told.append({"code": "box-shut", "seat": seat})
    return told + _round_end(before, tiles, after)


def _round_end(before: shut_the_box.State, tiles: Tiles, after: shut_the_box.State) -> list[Event]:
    """What follows when a seat is stuck, or has turned its last tile, and these `tiles` are left open."""
    seat, options = before.seat, before.options
    if options.mode == "long":
        return [] if after.over else [{"code": "other-side", "opening": after.opening}]
    told: list[Event] = [{"code": "round-over", "seat": seat, "score": round_score(tiles, options.scored_by)}]
    if options.variant == "tournament45out" and before.totals[seat] < OUT_AT <= after.totals[seat]:
        told.append({"code": "out", "seat": seat})
    return told


TELLERS: Final[dict[str, Callable[[Any, str, Any], list[Event]]]] = {
    "lite-solo": _lite_solo,
    "lite-versus": _lite_versus,
    "farkle": _farkle,
    "shut-the-box": _box,
    "knucklebones": _knucklebones,
}
