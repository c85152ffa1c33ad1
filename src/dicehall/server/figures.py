"""What a finished run says of how somebody plays: how it ended for the person who sat there, how many of the turns were
farkles and how many rounds shut the box, and what the coach makes of it. The rules say it, by replay; so it is worked
out in the processes of a crew, some runs at a time, when somebody first asks, and kept (store/figures.py).

What a run counts as:

    ranked      it was played for the boards, on dice that the player could not know: of a daily, the first attempt
    practice    any other: practice, past dailies, later attempts at a daily, runs with a hint or a move taken back
    people      others played, too, each at their own device
    together    several people sat at one device, and nobody knows which of them it was
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeVar

from dicehall.bots.seats import YOU
from dicehall.coach.report import report
from dicehall.errors import DicehallError, InvalidOption
from dicehall.play.contributions import among_people
from dicehall.play.events import events
from dicehall.play.record import Record, from_json
from dicehall.play.replay import start, walk
from dicehall.rules.game import Outcome

T = TypeVar("T")
Kind = Literal["ranked", "practice", "people", "together"]
Seated = tuple[dict[str, Any], int]  # a record, and the seat of whoever asks
SECONDS: Final = 1.0  # that one job may take, and one run more


class Told(NamedTuple):
    """Of what rates are told: `hit` is the event that is counted, among the events that end a turn or a round."""

    hit: Literal["farkle", "box-shut"]
    ends: tuple[str, ...]


RATES: Final = {"farkle": Told("farkle", ("farkle", "banked")), "shut-the-box": Told("box-shut", ("round-over",))}


class Counted(NamedTuple):
    outcome: Outcome | None  # for the person whose run it is
    parts: int  # that person's turns or rounds; 0 where the game tells no rate
    hits: int  # of them


class Judged(NamedTuple):
    objective: str  # what was played for; empty where the coach does not know the variant
    accuracy: float | None  # None where there was nothing to decide
    luck: float | None


NOTHING: Final = Counted(None, 0, 0)
UNKNOWN: Final = Judged("", None, None)


def kind_of(record: Mapping[str, Any], ranked: bool, repeated: bool) -> Kind:
    """What a run counts as. `ranked`: it was entered on boards; `repeated`: it was a later attempt at a daily."""
    if among_people(record):
        return "people"
    if record["seats"].count(YOU) != 1:
        return "together"
    return "ranked" if ranked and not repeated else "practice"


def count(record: Record, seat: int) -> Counted:
    """Of a finished run, for whoever had that seat; of several people at one device nothing is counted."""
    result, told = record.result, RATES.get(record.game)
    if result is None or (record.seats.count(YOU) != 1 and not record.origin.contributions):
        return NOTHING
    parts = hits = 0
    if told is not None:
        game, before = record.find_game(), start(record)
        for step in walk(record):
            own = [one["code"] for one in events(game, before, step.text, step.state) if one.get("seat") == seat]
            parts, hits = parts + sum(code in told.ends for code in own), hits + own.count(told.hit)
            before = step.state
    # the long game has no rounds, and its box is shut when it is won
    return Counted(result.outcome(seat), parts, hits if parts else 0)


def judge(record: Record, seat: int) -> Judged:
    """What the coach makes of a finished run, for what whoever had that seat had in mind."""
    try:
        told = report(record, seat)
    except InvalidOption:  # nobody coaches this game, or not with these options
        return UNKNOWN
    accuracy = told.accuracy
    return Judged(str(told.objective), None if accuracy is None else float(accuracy), float(told.luck))


def count_some(records: Sequence[Seated]) -> list[Counted]:
    """Of the first of these records, as many as there is time for."""
    return _some(records, count, NOTHING)


def judge_some(records: Sequence[Seated]) -> list[Judged]:
    """Of the first of these records, as many as there is time for."""
    return _some(records, judge, UNKNOWN)


def _some(records: Sequence[Seated], about: Callable[[Record, int], T], otherwise: T) -> list[T]:
    """`otherwise` of a record that is damaged: it holds up no other."""
    until, found = time.monotonic() + SECONDS, []
    for data, seat in records:
        try:
            found.append(about(from_json(data), seat))
        except DicehallError:
            found.append(otherwise)
        if time.monotonic() > until:
            break
    return found
