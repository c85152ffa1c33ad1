"""What the coach says, as lines of text: a hint in the game, the report after it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final

from dicehall.coach.advise import Advice, Certainty, is_chance
from dicehall.coach.objectives import Row
from dicehall.coach.report import Moment, Report
from dicehall.rules.game import DICE
from dicehall.terminal.words import Words

# What an objective's numbers count; chances are shown in percent.
UNITS: Final = {
    "score": "aim.points", "arcade": "aim.points", "turn": "aim.points", "golf": "aim.points", "digital": "aim.points",
    "lead": "aim.points", "turns": "aim.turns", "rounds": "aim.rounds", "missionary": "terminal.tiles",
}  # fmt: skip
SHOWN: Final = 5  # values in a hint; moves of equal value stand together


def figure(words: Words, objective: str, value: Fraction, signed: bool = False) -> str:
    """A value as a player reads it, without its unit: 12.50%, or 65.51."""
    if is_chance(objective):
        return words.percent(value, 2, signed)
    return words.decimal(value, 2, signed)


def amount(words: Words, objective: str, value: Fraction, signed: bool = False) -> str:
    """The same with its unit: 12.50%, or 65.51 points."""
    written = figure(words, objective, value, signed)
    return words.t(UNITS[objective], n=written) if objective in UNITS else written


def goal(words: Words, objective: str) -> str:
    """What is played for, in a player's words: `target:90` is 90 points or more."""
    name, number = re.fullmatch(r"([a-z]+(?:<=)?):?(\d*)", objective).groups()  # type: ignore[union-attr]  # it is known
    return words.t(f"objective.{name}", n=int(number or 0))


def hint_lines(words: Words, objective: str, sure: Certainty, ranked: Sequence[Advice]) -> Iterator[str]:
    yield f"  {words.t('coach.for', goal=goal(words, objective))}:"
    equals = [list(group) for _, group in groupby(ranked, key=lambda one: one.loss)]
    moves = ["  ".join(one.text for one in group) for group in equals[:SHOWN]]
    for text, (first, *_) in zip(moves, equals, strict=False):
        lost = words.t("coach.loses", n=figure(words, objective, first.loss)) if first.loss else words.t("mark.best")
        yield f"    {text:{max(map(len, moves))}}   {amount(words, objective, first.value)}, {lost}"
    if len(equals) > SHOWN:
        yield f"    {words.t('terminal.more', n=sum(map(len, equals[SHOWN:])))}"
    yield f"  {words.t(f'coach.{sure}')}"


def advice_lines(words: Words, objective: str, sure: Certainty, ranked: Sequence[Advice]) -> Iterator[str]:
    """Every move, one a line, for the command."""
    yield f"{words.t('terminal.head.move'):<16}{objective:>16}{words.t('terminal.head.loses'):>14}"
    for one in ranked:
        yield f"{one.text:<16}{words.decimal(one.value, 6):>16}{words.decimal(one.loss, 6):>14}"
    if sure == "search":
        yield words.t("coach.search")


def comparison_lines(words: Words, rows: Sequence[Row]) -> Iterator[str]:
    """What other rules do to the odds, as a small table."""
    heads = [words.t(f"terminal.head.{name}") for name in ("objective", "usual", "changed", "difference")]
    yield "{:<14}{:>16}{:>16}{:>16}".format(*heads)
    for row in rows:
        usual, changed = (
            words.t("terminal.unsolved") if value is None else words.precise(value, 9)
            for value in (row.usual, row.changed)
        )
        difference = "-" if row.difference is None else words.precise(row.difference, 9, signed=True)
        yield f"{row.objective:<14}{usual:>16}{changed:>16}{difference:>16}"


def report_lines(words: Words, told: Report, sure: Certainty, over: bool) -> Iterator[str]:
    """The parts add up to the result, so where less is better, good dice and moves have a minus."""
    better = -1 if told.lower else 1
    changes = {"luck": better * told.luck, "gifts": better * told.gifts, "lost": -better * told.lost}
    parts = {words.t("analysis.start"): amount(words, told.objective, told.start)}
    for name, value in changes.items():
        if value or name != "gifts":
            parts[words.t(f"analysis.{name}")] = amount(words, told.objective, value, signed=True)
    parts[words.t("analysis.result" if over else "terminal.now")] = amount(words, told.objective, told.result)
    wide = max(map(len, parts)), max(map(len, parts.values()))
    yield words.sentence("analysis.played-for", goal=goal(words, told.objective))
    for name, said in parts.items():
        yield f"  {name:{wide[0]}}  {said:>{wide[1]}}"
    if told.accuracy is not None:
        yield f"  {words.t('analysis.accuracy'):{wide[0]}}  {words.percent(told.accuracy, 1)}"
    if told.percentile is not None:
        yield f"  {words.sentence('analysis.percentile', n=words.percent(told.percentile))}"
    for moment in told.worst:
        where = words.t("terminal.worst", step=moment.number, move=moment.text, mark=words.t(f"mark.{moment.mark}"))
        lost = amount(words, told.objective, moment.lost)
        yield f"  {where} {words.t('analysis.better', move=moment.best or '', n=lost)}"
    if sure == "search":
        yield f"  {words.t('coach.search')}"


def moment_lines(words: Words, told: Report, names: Sequence[str]) -> Iterator[str]:
    """Step by step, as a table; `names` are those of the seats."""
    heads = [words.t(f"terminal.head.{name}") for name in ("step", "who", "move", "value", "luck", "lost")]
    yield "  {:>7}  {:22}{:14}{:>12}{:>12}{:>12}".format(*heads)
    for moment in told.moments:
        yield f"  {moment.number:>7}  {_moment(words, told.objective, moment, names)}".rstrip()


def _moment(words: Words, objective: str, moment: Moment, names: Sequence[str]) -> str:
    def short(value: Fraction, signed: bool = False) -> str:
        return figure(words, objective, value, signed) if value else ""

    who = words.t("terminal.dice") if moment.actor == DICE else names[moment.actor]
    mark = ""
    if moment.mark not in ("", "best", "good"):
        mark = f"   {words.t('terminal.better', mark=words.t(f'mark.{moment.mark}'), move=moment.best or '')}"
    value, luck, lost = figure(words, objective, moment.value), short(moment.luck, True), short(moment.lost)
    return f"{who[:21]:22}{moment.text[:13]:14}{value:>12}{luck:>12}{lost:>12}{mark}"
