"""What the coach says, as lines of text: a hint in the game, the report after it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final

from dicehall.coach.advise import Advice, Certainty, is_chance
from dicehall.coach.odds import Row
from dicehall.coach.report import Comparison, Moment, Report
from dicehall.rules.game import DICE
from dicehall.terminal.words import Words

# What an objective's numbers count; chances are shown in percent.
UNITS: Final = {
    "score": "aim.points", "arcade": "aim.points", "turn": "aim.points", "golf": "aim.points", "digital": "aim.points",
    "lead": "aim.points", "turns": "aim.turns", "rounds": "aim.rounds", "missionary": "terminal.tiles",
}  # fmt: skip
SHOWN: Final = 5  # values in a hint; moves of equal value stand together


def figure(words: Words, value: Fraction, chance: bool, signed: bool = False) -> str:
    """A value as a player reads it, without its unit: 12.50%, or 65.51."""
    return words.percent(value, 2, signed) if chance else words.decimal(value, 2, signed)


def amount(words: Words, objective: str, value: Fraction, chance: bool, signed: bool = False) -> str:
    """The same with its unit: 12.50%, or 65.51 points. Chances that are added up count rounds."""
    written = figure(words, value, chance, signed)
    return written if chance else words.t(UNITS.get(objective, "aim.rounds"), n=written)


def goal(words: Words, objective: str) -> str:
    """What is played for, in a player's words: `target:90` is 90 points or more."""
    name, number = re.fullmatch(r"([a-z]+(?:<=)?):?(\d*)", objective).groups()  # type: ignore[union-attr]  # it is known
    return words.t(f"objective.{name}", n=int(number or 0))


def hint_lines(words: Words, objective: str, sure: Certainty, ranked: Sequence[Advice]) -> Iterator[str]:
    yield f"  {words.t('coach.for', goal=goal(words, objective))}:"
    chance = is_chance(objective)
    equals = [list(group) for _, group in groupby(ranked, key=lambda one: one.loss)]
    moves = ["  ".join(one.text for one in group) for group in equals[:SHOWN]]
    for text, (first, *_) in zip(moves, equals, strict=False):
        lost = words.t("coach.loses", n=figure(words, first.loss, chance)) if first.loss else words.t("mark.best")
        yield f"    {text:{max(map(len, moves))}}   {amount(words, objective, first.value, chance)}, {lost}"
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


def report_lines(words: Words, told: Report, sure: Certainty, over: bool, names: Sequence[str]) -> Iterator[str]:
    """The parts add up to the result. Where less is better, "3 fewer" needs no thought, and a minus would."""

    def said(value: Fraction, signed: bool = False) -> str:
        return amount(words, told.objective, value, told.chance, signed)

    def change(good: Fraction) -> str:
        return words.t("analysis.fewer" if good > 0 else "analysis.more", n=said(abs(good)))

    parts = {words.t("analysis.start"): said(told.start)}
    for name, value in {"luck": told.luck, "gifts": told.gifts, "lost": -told.lost}.items():
        if value or name != "gifts":
            label = words.t("analysis.lost.of", who=names[told.seat]) if name == "lost" and len(names) > 1 else ""
            parts[label or words.t(f"analysis.{name}")] = (
                change(value) if told.lower and value else said(value, signed=True)
            )
    parts[words.t("analysis.result" if over else "terminal.now")] = said(told.result)
    wide = max(map(len, parts)), max(map(len, parts.values()))
    played_for = words.t("objective.turn.each") if told.objective == "turn" else goal(words, told.objective)
    yield words.sentence("analysis.played-for", goal=played_for)
    for name, part in parts.items():
        yield f"  {name:{wide[0]}}  {part:>{wide[1]}}"
    if told.accuracy is not None:
        yield f"  {words.t('analysis.accuracy'):{wide[0]}}  {words.percent(told.accuracy, 1)}"
    if told.compared:
        yield f"  {compared_line(words, told.objective, told.compared)}"
    for moment in told.worst:
        mark = words.t("terminal.nearly" if moment.mark == "good" else f"mark.{moment.mark}")
        where = words.t("terminal.worst", step=moment.number, move=moment.text, mark=mark)
        yield f"  {where} {words.t('analysis.better', move=moment.best or '', n=said(moment.lost))}"
    if sure == "search":
        yield f"  {words.t('coach.search')}"


def compared_line(words: Words, objective: str, compared: Comparison) -> str:
    share = words.percent(compared.percentile)
    if compared.objective == objective:
        return words.sentence("analysis.percentile", n=share)
    score = words.t(UNITS[compared.objective], n=int(compared.result))
    return words.sentence("analysis.percentile.by", score=score, n=share, goal=goal(words, compared.objective))


def moment_lines(words: Words, told: Report, names: Sequence[str]) -> Iterator[str]:
    """Step by step, as a table; `names` are those of the seats."""
    heads = [words.t(f"terminal.head.{name}") for name in ("step", "who", "move", "value", "luck", "lost")]
    yield "  {:>7}  {:22}{:14}{:>12}{:>12}{:>12}".format(*heads)
    for moment in told.moments:
        yield f"  {moment.number:>7}  {_moment(words, told.chance, moment, names)}".rstrip()


def _moment(words: Words, chance: bool, moment: Moment, names: Sequence[str]) -> str:
    def short(value: Fraction, signed: bool = False) -> str:
        return figure(words, value, chance, signed) if value else ""

    who = words.t("terminal.dice") if moment.actor == DICE else names[moment.actor]
    mark = ""
    if moment.mark not in ("", "best", "good"):
        mark = f"   {words.t('terminal.better', mark=words.t(f'mark.{moment.mark}'), move=moment.best or '')}"
    value, luck, lost = figure(words, moment.value, chance), short(moment.luck, True), short(moment.lost)
    return f"{who[:21]:22}{moment.text[:13]:14}{value:>12}{luck:>12}{lost:>12}{mark}"
