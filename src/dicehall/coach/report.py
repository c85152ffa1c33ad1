"""What the dice gave in a run, and what the player gave away.

Every position has a value to a seat: what it can expect if everybody plays perfectly from there. A roll changes it, and
that is luck; a move never raises it, and what it gives away is lost. In between nothing changes, so

    result = start + luck - lost            to the last digit; where less is better: start - luck + lost

Against somebody, what the other seat loses is a gift: result = start + luck + gifts - lost. Where values are
judgements, the coach sees further before a roll than after the move that led there; then it is *corrected*, by a
little, and that is nobody's doing: result = start + luck + gifts - lost + corrected. The luck of a roll is nothing on
average over all rolls, judged or not.

Values of one turn or round (Farkle's `turn`, the box's `golf`) are added up over the turns or rounds of the run, those
before the step by what they brought and those after it by what they were worth when they began. A chance that is added
up counts rounds.

Accuracy is the share of what was at stake that the player kept: 1 - lost / at stake, where a move puts at stake what
lies between the best choice and the worst. Perfect play has 1, the worst choice every time 0; a move on which nothing
depends, the only one or one of equals, counts nothing and has no mark. Other choices put other things at stake: whoever
compares two runs on the same dice compares what they lost.

Where a departure has ended the run, what was played is told of, and what it stood at: as of a run that is not over. So
is what a seat had played that has departed from a run that went on.

>>> from dicehall.play.table import Table
>>> table = Table("lite-solo", seed="dicehall")
>>> while not table.is_over:
...     table.play(table.legal()[0])
>>> told = report(table.record())
>>> told.result == told.start + told.luck - told.lost == table.result.scores[0]
True
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple

from dicehall.coach.advise import advise, intended, reason, step_values, turn_of, values
from dicehall.coach.benchmark import ranked_by
from dicehall.coach.objective import Objective, Unit
from dicehall.coach.percentile import percentile
from dicehall.coach.protocol import read_objective
from dicehall.coach.reason import Reason
from dicehall.errors import InvalidOption, excerpt
from dicehall.play.departures import gone_by
from dicehall.play.record import Record
from dicehall.play.replay import Step, start, walk
from dicehall.rules.game import DICE, NOBODY

Mark = Literal["", "best", "good", "slip", "mistake", "blunder"]
# From which share of the whole a loss has a name. The whole is certainty where the objective is a chance, else what
# could be expected at the start of the run, turn or round that the objective is about.
MARKS: Final[dict[Mark, Fraction]] = {
    "blunder": Fraction(8, 100),
    "mistake": Fraction(3, 100),
    "slip": Fraction(1, 100),
}
LARGE: Final = 1000  # from here on one digit after the point is enough
WORST: Final = 2  # moves that are shown with the better one
ENOUGH: Final = 3  # choices on which something depended: of fewer an accuracy says nothing about a player


class Moment(NamedTuple):
    """One step of the run, as the seat sees it."""

    number: int  # of the step, from 1
    text: str
    actor: int  # a seat, or the dice
    value: Fraction  # after it
    luck: Fraction
    lost: Fraction  # by whoever moved
    corrected: Fraction  # what the coach had not seen before; nothing where values are exact
    best: str | None  # the move that loses nothing; None for a roll
    mark: Mark  # empty for a roll, and for a move on which nothing depends
    why: Reason | None  # the best move is better; None where nothing was lost


class Comparison(NamedTuple):
    """With perfect play for an objective: that of the run, or where it is a chance, for the score."""

    objective: Objective
    result: Fraction
    percentile: Fraction  # the share of perfect runs that end worse, and half of those that end the same


class Shown(NamedTuple):
    """The parts of a report as every screen writes them."""

    start: Fraction
    luck: Fraction
    gifts: Fraction
    lost: Fraction
    corrected: Fraction
    result: Fraction
    places: int  # digits after the point; of percent, where they are chances


class Report(NamedTuple):
    game: str
    objective: Objective
    unit: Unit  # of the values: that of the objective, but chances that are added up over rounds count rounds
    seat: int
    start: Fraction
    luck: Fraction
    gifts: Fraction
    lost: Fraction
    corrected: Fraction
    result: Fraction  # what the run ended with; what it stands at, if it is not over
    at_stake: Fraction
    moments: tuple[Moment, ...]
    compared: Comparison | None  # None where nothing is known, or the run is not over
    is_over: bool  # `result` is what the seat ended with, by the rules

    @property
    def accuracy(self) -> Fraction | None:
        """None where there was never anything to decide."""
        return 1 - Fraction(self.lost, self.at_stake) if self.at_stake else None

    @property
    def choices(self) -> int:
        """How many own moves there were on which something depended."""
        return sum(moment.actor == self.seat and moment.mark != "" for moment in self.moments)

    @property
    def telling(self) -> bool:
        """Whether the accuracy says anything about a player: not of one choice or two, nor where the worst choice every
        time would not have been a slip, all of them together."""
        whole = Fraction(1) if self.objective.chance else abs(self.start)
        return self.choices >= ENOUGH and 0 < self.at_stake >= MARKS["slip"] * whole

    @property
    def shown(self) -> Shown:
        """Rounded so that what is shown adds up, too. What rounding leaves over goes to the dice: the others are each
        as near as their digits allow, but what is not certain is not shown as certain."""
        own = (self.start, self.gifts, self.lost, self.corrected, self.result)
        whole = 100 if self.unit == "chance" else 1
        places = 2 if whole * max(map(abs, (*own, self.luck))) < LARGE else 1
        fine = whole * 10**places
        start, gifts, lost, corrected, result = (Fraction(round(part * fine), fine) for part in own)
        if self.unit == "chance":
            start, result = (
                _uncertain(part, shown, fine) for part, shown in ((self.start, start), (self.result, result))
            )
        gained = start - result if self.objective.lower_is_better else result - start
        return Shown(start, gained - gifts + lost - corrected, gifts, lost, corrected, result, places)

    @property
    def worst(self) -> list[Moment]:
        """The own moves that gave most away, the worst first."""
        own = [moment for moment in self.moments if moment.actor == self.seat and moment.lost]
        return sorted(own, key=lambda moment: -moment.lost)[:WORST]


def _uncertain(chance: Fraction, shown: Fraction, fine: int) -> Fraction:
    """What is shown of a chance: nothing or all only where it is so."""
    return min(max(shown, Fraction(1, fine)), 1 - Fraction(1, fine)) if 0 < chance < 1 else shown


def of_all_rounds(record: Record, told: Report) -> bool:
    """Whether the sum that is told is not the result: where one round of several is, such as the best."""
    if record.result is None or not told.is_over or told.objective.scope != "round":
        return False
    return told.result != record.result.scores[told.seat]


def report(record: Record, seat: int = 0, objective: str | Objective | None = None) -> Report:
    """What `seat` had of any true record, finished or not. Raises InvalidRecord for any other, InvalidOption where
    nobody knows."""
    if type(seat) is not int or not 0 <= seat < len(record.seats):
        raise InvalidOption("seat", f"there is no seat {excerpt(seat)} at this table")
    game = record.find_game()
    seats = len(record.seats)
    objective = intended(game, record.options, seats) if objective is None else read_objective(game, objective)
    if not objective.playable:
        raise InvalidOption("objective", f"nobody plays for {excerpt(objective.text)}: no move changes it")
    return _Scribe(record, seat, objective).write()


class _Scribe:
    def __init__(self, record: Record, seat: int, objective: Objective) -> None:
        self.game, self.record, self.seat, self.objective = record.find_game(), record, seat, objective
        self.seats = len(record.seats)
        self.values = values(self.game, record.options, self.seats, objective)
        self.step_values = step_values(self.game, record.options, self.seats, objective)
        self.sign = -1 if objective.lower_is_better else 1
        self.shared = objective.shared
        self.part: Hashable = None  # the turn or round that the value is about
        self.parts = 0
        self.value = self.earlier = Fraction(0)  # of that part as it was last seen; of the parts before it
        self.whole = Fraction(0)  # what the part was worth when it began
        self.start = self.luck = self.gifts = self.lost = self.corrected = self.at_stake = Fraction(0)

    def write(self) -> Report:
        state, moments = start(self.record), []
        self._look(state)
        for step in walk(self.record):
            before, state = state, step.state
            if not self._has_departed(step.number - 1) and self._look(before):
                moments.append(self._roll(step, before) if step.actor == DICE else self._move(step, before))
        result = self.earlier + self.value
        # While it went on, nobody knew how many parts there would be; now those that came later count from the start.
        moments = [moment._replace(value=moment.value + self.start) for moment in moments]
        over = self.game.rules.actor(state) == NOBODY and not self._has_departed(len(self.record.steps))
        unit: Unit = "rounds" if self.objective.chance and self.parts > 1 else self.objective.unit
        return Report(
            self.game.id, self.objective, unit, self.seat, self.start, self.luck, self.gifts, self.lost, self.corrected,
            result, self.at_stake, tuple(moments), self._compare(state, result) if over else None,
            over,
        )  # fmt: skip

    def _has_departed(self, steps: int) -> bool:
        """Before so many steps had been played: from then on the table plays for the seat."""
        return any(one.seat == self.seat for one in gone_by(self.record.departures, steps))

    def _compare(self, state: Any, result: Fraction) -> Comparison | None:
        objective = self.objective
        if objective.chance:  # which a run has met or not; but its score can be compared
            ranking = ranked_by(self.game, self.record.options, self.seats) if self.seats == 1 else None
            if ranking is None:
                return None
            objective, result = ranking.objective, Fraction(self.game.rules.result(state).scores[self.seat])
        share = percentile(self.game, self.record.options, self.seats, objective, result)
        return None if share is None else Comparison(objective, result, share)

    def _look(self, state: Any) -> bool:
        """Whether this seat's values speak of the position; if it begins a turn or round of its own, so do they."""
        if self.shared is None and turn_of(state) != self.seat:
            return False
        part = True if self.objective.scope == "run" else (state.seat, state.round)
        if part != self.part:
            self.part, self.earlier = part, self.earlier + self.value
            self.value = self._mine(self.values(state), state)
            self.start, self.whole, self.parts = self.start + self.value, abs(self.value), self.parts + 1
        return True

    def _roll(self, step: Step, before: Any) -> Moment:
        corrected = Fraction(0)
        if self.objective.certainty != "exact":
            corrected = self._go_to(self._mine(self.values(before), before))
        luck = self._go_to(self._mine(self.step_values(before, step.state), before))
        return self._moment(step, luck, Fraction(0), corrected, None, "", None)

    def _move(self, step: Step, before: Any) -> Moment:
        ranked = advise(self.game, before, self.objective, self.seats)
        chosen = next(one for one in ranked if one.text == step.text)
        change = self._go_to(self._mine(chosen.value, before))
        if step.actor == self.seat:
            self.lost += chosen.loss
            self.at_stake += ranked[-1].loss
            corrected = change + chosen.loss
        else:
            self.gifts += chosen.loss
            corrected = change - chosen.loss
        best = ranked[0]
        why = reason(self.game, before, best.move, chosen.move) if chosen.loss else None
        mark = self._mark(chosen.loss) if ranked[-1].loss else ""
        return self._moment(step, Fraction(0), chosen.loss, corrected, best.text, mark, why)

    def _go_to(self, value: Fraction) -> Fraction:
        """What that changes, for better or worse."""
        change, self.value = self.sign * (value - self.value), value
        return change

    def _moment(
        self, step: Step, luck: Fraction, lost: Fraction, corrected: Fraction, best: str | None, mark: Mark,
        why: Reason | None,
    ) -> Moment:  # fmt: skip
        self.luck += luck
        self.corrected += corrected
        value = self.earlier + self.value - self.start  # all starts are added when they are known
        return Moment(step.number, step.text, step.actor, value, luck, lost, corrected, best, mark, why)

    def _mine(self, value: Fraction, state: Any) -> Fraction:
        return value if self.shared is None or turn_of(state) == self.seat else self.shared - value

    def _mark(self, lost: Fraction) -> Mark:
        if not lost:
            return "best"
        whole = Fraction(1) if self.objective.chance else self.whole
        return next((name for name, share in MARKS.items() if lost >= share * whole), "good")
