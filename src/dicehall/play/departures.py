"""Seats that play no further, and what that makes of a run. The rules know nothing of it: what they say of a position
is put right here, for whoever asks who is to move or how it ended.

Where two play, the first departure ends the run, and the other seat wins. Where more do, it goes on: whenever it is the
turn of a seat that has departed the table plays for it, as shortly as it can, and a seat that has departed does not
win, nor end the run for the others where it has another move. When one seat is left it has won. A run that whoever runs
the hall has ended has no winner. In a duel everybody plays a run of one seat, and its departure ends it as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dicehall.errors import excerpt
from dicehall.play.record import ENDED, WHY_DEPARTED, Departure
from dicehall.rules.catalog import AnyGame
from dicehall.rules.game import NOBODY, Result

Departures = Sequence[Departure]


def actor_of(game: AnyGame, state: Any, departures: Departures) -> int:
    """Who is to act in this position of a run: as the rules say, or nobody where a departure has ended it."""
    if departures and cut_short(departures, game.rules.seats_of(state)):
        return NOBODY
    return game.rules.actor(state)


def result_of(game: AnyGame, state: Any, departures: Departures) -> Result | None:
    """How a run has ended that stands at this position; None as long as it goes on."""
    rules = game.rules
    seats = range(rules.seats_of(state))
    gone = [one.seat for one in departures]
    if cut_short(departures, len(seats)):
        why = departures[-1].why
        stayed = () if why == ENDED else tuple(seat for seat in seats if seat not in gone)
        return Result(rules.result(state).scores, stayed, why)
    if rules.actor(state) != NOBODY:
        return None
    result = rules.result(state)
    if not gone or not result.winners:
        return result
    stayed = tuple(seat for seat in result.winners if seat not in gone)
    return result._replace(winners=stayed or _best(game, state, result.scores, gone))


def _best(game: AnyGame, state: Any, scores: tuple[int, ...], gone: Sequence[int]) -> tuple[int, ...]:
    """Of those who have stayed, where the rules name nobody of them."""
    staying = {seat: score for seat, score in enumerate(scores) if seat not in gone}
    aim = game.rules.aim(state.options, len(scores))
    best = min(staying.values()) if aim.lower_is_better else max(staying.values())
    return tuple(seat for seat, score in staying.items() if score == best)


def cut_short(departures: Departures, seats: int) -> bool:
    """Whether a run of so many seats has ended with the last of these departures."""
    return len(departures) > 0 and (departures[-1].why == ENDED or len(departures) >= seats - 1)


def gone_by(departures: Departures, steps: int) -> tuple[Departure, ...]:
    """The departures that there had been when so many steps had been played."""
    return tuple(one for one in departures if one.step <= steps)


def stand_in(game: AnyGame, state: Any) -> Any:
    """What the table plays for a seat that has departed: the first move with which the turn passes, or else the first
    with which the run goes on, or else the first."""

    def hurry(move: Any) -> int:
        after = game.rules.after(state, move)
        if game.rules.actor(after) == NOBODY:
            return 2
        return 0 if after.seat != state.seat else 1  # the state of a game for several has a `seat`

    return min(game.rules.legal(state), key=hurry)


def wrong_departure(
    before: Departures, new: Departure, seats: int, steps: int, duel: bool = False
) -> tuple[str, str] | None:
    """What is wrong with a departure after those before it, in a run of so many seats and steps, which may be one of a
    `duel`: a code, a sentence."""
    step, seat, why = new
    if seats < 2 and not duel:
        return "departure-alone", "nobody departs from a run of one seat: it is left as it is"
    if why not in WHY_DEPARTED:
        return "departure-why", f"{excerpt(why)} is not why a seat departs; {', '.join(WHY_DEPARTED)} are"
    if type(seat) is not int or not 0 <= seat < seats:
        return "departure-seat", f"there is no seat {excerpt(seat)} at this table to depart"
    if not (before[-1].step if before else 0) <= step <= steps:
        return "departure-step", f"seat {seat} cannot have departed after {step} steps"
    if any(one.seat == seat for one in before):
        return "departure-twice", f"seat {seat} has departed already"
    if cut_short(before, seats):
        return "departure-late", "the run was over before that departure"
    return None
