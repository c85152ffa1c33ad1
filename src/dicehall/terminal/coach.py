"""What the coach says, as lines of text: a hint in the game, the report after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final

from dicehall.coach.advise import Advice, Certainty
from dicehall.coach.report import CHANCES, Moment, Report
from dicehall.rules.game import DICE

# What an objective's numbers are, said after them; chances are shown in percent.
UNITS: Final = {
    "score": "points", "arcade": "points", "turn": "points", "turns": "turns", "rounds": "rounds", "golf": "points",
    "digital": "points", "missionary": "tiles", "lead": "points ahead",
}  # fmt: skip
SHOWN: Final = 5  # values in a hint; moves of equal value stand together


def amount(objective: str, value: Fraction, signed: bool = False) -> str:
    """A value as a player reads it: 12.5%, 65.51 points."""
    number = f"{100 * float(value):{'+' if signed else ''}.2f}%"
    return number if objective.startswith(CHANCES) else f"{float(value):{'+' if signed else ''}.2f} {UNITS[objective]}"


def hint_lines(objective: str, sure: Certainty, ranked: Sequence[Advice]) -> Iterator[str]:
    note = {"exact": "", "close": "", "search": ", as far as a short search sees"}[sure]
    yield f"  The best for {goal(objective)}{note}:"
    equals = [list(group) for _, group in groupby(ranked, key=lambda one: one.loss)]
    for group in equals[:SHOWN]:
        lost = f"loses {amount(objective, group[0].loss)}" if group[0].loss else "best"
        yield f"    {'  '.join(one.text for one in group):16} {amount(objective, group[0].value)}, {lost}"
    if len(equals) > SHOWN:
        yield f"    and {sum(map(len, equals[SHOWN:]))} more"


def goal(objective: str) -> str:
    """What is played for, in a player's words."""
    name, _, number = objective.partition("<=" if "<=" in objective else ":")
    return {
        "score": "the score", "target": f"{number} points or more", "win": "winning", "race": "winning the race",
        "turns": "few turns", "turn": "the points of this turn", "arcade": "the points of all turns",
        "shut": "shutting the box", "rounds": "many rounds", "lead": "the lead",
        "total": f"a total of at most {number}",
        "digital": "few points (digits in a row)", "missionary": "few tiles left",
        "golf": f"at most {number} left" if number else "few points",
    }[name]  # fmt: skip


def report_lines(told: Report, sure: Certainty) -> Iterator[str]:
    aim, out = told.objective, lambda value, signed=False: amount(told.objective, value, signed)
    yield f"Played for {goal(aim)}: {out(told.result)}." + (" A search's view, not an answer." * (sure == "search"))
    yield f"  Perfect play expected {out(told.start)} at the start."
    yield f"  The dice were worth     {out(told.luck, True)}"
    if told.gifts:
        yield f"  The other side gave     {out(told.gifts, True)}"
    yield f"  Your moves gave away    {out(told.lost)}"
    if told.accuracy is not None:
        yield f"  Accuracy                {100 * float(told.accuracy):.1f}%"
    for moment in told.worst:
        where = f"{moment.mark.capitalize()} at step {moment.number}"
        yield f"  {where}: {moment.text} lost {out(moment.lost)}; {moment.best} was better."


def moment_lines(told: Report, names: Sequence[str]) -> Iterator[str]:
    yield f"  {'step':>4}  {'who':12}{'':14}{'value':>14}{'luck':>12}{'lost':>12}"
    for moment in told.moments:
        yield f"  {moment.number:>4}  {_moment(told.objective, moment, names)}".rstrip()


def _moment(objective: str, moment: Moment, names: Sequence[str]) -> str:
    def short(value: Fraction, signed: bool = False) -> str:
        return amount(objective, value, signed).partition(" ")[0] if value or not signed else ""

    who = "dice" if moment.actor == DICE else names[moment.actor]
    luck, lost = short(moment.luck, True), short(moment.lost) if moment.lost else ""
    mark = "" if moment.mark in ("", "best", "good") else f"   {moment.mark}, better {moment.best}"
    return f"{who[:11]:12}{moment.text[:13]:14}{short(moment.value):>14}{luck:>12}{lost:>12}{mark}"
