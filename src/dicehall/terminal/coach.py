"""What the coach says, as lines of text: a hint in the game, the report after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final

from dicehall.coach.advise import Advice
from dicehall.coach.objective import Objective, Unit
from dicehall.coach.odds import Row
from dicehall.coach.percentile import Standing, standing
from dicehall.coach.report import Comparison, Moment, Report, of_all_rounds
from dicehall.play.record import Record
from dicehall.rules.game import DICE
from dicehall.terminal.told import with_word
from dicehall.terminal.words import Words

MANY: Final = Fraction(1, 20)  # of perfect runs: fewer that end as this one go unsaid
SHOWN: Final = 5  # values in a hint; moves of equal value stand together


def figure(words: Words, value: Fraction, unit: Unit, signed: bool = False, places: int = 2) -> str:
    """A value as a player reads it, without its unit: 12.50%, or 65.51. A chance is not rounded to what is certain."""
    if unit == "chance" and 0 < value < 1:
        least = Fraction(1, 100 * 10**places)
        value = min(max(value, least), 1 - least)
    return words.percent(value, places, signed) if unit == "chance" else words.decimal(value, places, signed)


def amount(words: Words, value: Fraction, unit: Unit, signed: bool = False, places: int = 2) -> str:
    """A value with its unit: 12.50%, or 65.51 points."""
    written = figure(words, value, unit, signed, places)
    return written if unit == "chance" else words.t(f"aim.{unit}", n=written)


def change(words: Words, value: Fraction, unit: Unit, signed: bool = False, places: int = 2) -> str:
    """By how much a value rises or falls, with its unit; of a chance, 12.50 percentage points."""
    if unit != "chance":
        return amount(words, value, unit, signed, places)
    return words.t("amount.chance.lost", n=words.decimal(100 * value, places, signed))


def share(words: Words, part: Fraction, places: int = 0) -> str:
    """A share of the whole in percent; what is less than the whole is not rounded up to it."""
    return words.percent(part if part == 1 else min(part, 1 - Fraction(1, 100 * 10**places)), places)


def goal(words: Words, objective: Objective) -> str:
    """What is played for, in a player's words: `target:90` is 90 points or more."""
    return words.t(f"objective.{objective.name}", n=objective.limit or 0)


def whole_goal(words: Words, objective: Objective) -> str:
    """What a whole run is played for: the points of a turn in each of its turns."""
    return words.t("objective.turn.each") if objective.scope == "turn" else goal(words, objective)


def certainty_key(objective: Objective) -> str:
    """The text that says how far to trust what the coach says of it."""
    own = objective.certainty == "judged" or (objective.certainty, objective.game) == ("close", "knucklebones")
    return f"coach.{objective.certainty}.{objective.game}" if own else f"coach.{objective.certainty}"


def hint_lines(words: Words, objective: Objective, ranked: Sequence[Advice]) -> Iterator[str]:
    yield f"  {words.t('coach.for', goal=goal(words, objective))}:"
    equals = [list(group) for _, group in groupby(ranked, key=lambda one: one.loss)]
    moves = ["  ".join(with_word(words, objective.game, one.text) for one in group) for group in equals[:SHOWN]]
    for text, (first, *_) in zip(moves, equals, strict=False):
        loss = change(words, first.loss, objective.unit) if objective.unit == "chance" else words.decimal(first.loss)
        lost = words.t("coach.loses", n=loss) if first.loss else words.t("mark.best")
        yield f"    {text:{max(map(len, moves))}}   {amount(words, first.value, objective.unit)}, {lost}"
    if len(equals) > SHOWN:
        yield f"    {words.t('terminal.more', n=sum(map(len, equals[SHOWN:])))}"
    yield f"  {words.t(certainty_key(objective))}"


def then_lines(words: Words, objective: Objective, best: Advice, ranked: Sequence[Advice]) -> Iterator[str]:
    """What the choices right after the `best` move are worth: in Farkle, rolling on beside banking."""
    worth = [
        f"{with_word(words, objective.game, one.text)} {amount(words, one.value, objective.unit)}" for one in ranked
    ]
    yield f"  {words.t('terminal.after', move=best.text)} {', '.join(worth)}."


def advice_lines(words: Words, objective: Objective, ranked: Sequence[Advice]) -> Iterator[str]:
    """Every move, one a line, for the command."""
    yield f"{words.t('terminal.head.move'):<16}{objective.text:>16}{words.t('terminal.head.loses'):>14}"
    for one in ranked:
        yield f"{one.text:<16}{words.decimal(one.value, 6):>16}{words.decimal(one.loss, 6):>14}"


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
        yield f"{row.objective.text:<14}{usual:>16}{changed:>16}{difference:>16}"


def report_lines(words: Words, record: Record, told: Report, names: Sequence[str]) -> Iterator[str]:
    """What is told of a run. The parts add up to the result, as they are shown. Where less is better, "3 saved" needs
    no thought, and a minus would. Whose report it is, is said of everybody but you."""
    shown = told.shown

    def said(value: Fraction) -> str:
        return amount(words, value, told.unit, places=shown.places)

    def brought(good: Fraction) -> str:
        if told.objective.lower_is_better and good:
            return words.t("analysis.fewer" if good > 0 else "analysis.more", n=said(abs(good)))
        return change(words, good, told.unit, signed=True, places=shown.places)

    other = names[told.seat] if len(names) > 1 and names[told.seat] != words.t("you") else ""
    parts = {words.t("analysis.start"): said(shown.start)}
    changes = {"luck": shown.luck, "gifts": shown.gifts, "lost": -shown.lost, "corrected": shown.corrected}
    for name, value in changes.items():
        if value or name in ("luck", "lost"):
            label = words.t("analysis.lost.of", who=other) if other and name == "lost" else ""
            parts[label or words.t(f"analysis.{name}")] = brought(value)
    result = "analysis.result.rounds" if of_all_rounds(record, told) else "analysis.result"
    parts[words.t(result if record.result else "terminal.now")] = said(shown.result)
    wide = max(map(len, parts)), max(map(len, parts.values()))
    whole = whole_goal(words, told.objective)
    yield (
        words.t("terminal.played-for", who=other, goal=whole)
        if other
        else words.sentence("analysis.played-for", goal=whole)
    )
    for name, part in parts.items():
        yield f"  {name:{wide[0]}}  {part:>{wide[1]}}"
    if told.accuracy is not None and told.telling:
        yield f"  {words.t('analysis.accuracy'):{wide[0]}}  {share(words, told.accuracy, 1):>{wide[1]}}"
        yield f"  {words.t('terminal.accuracy', n=told.choices)}"
    if told.compared and (place := standing(record, told)):
        yield f"  {compared_line(words, told.objective, told.compared, place)}"
    for moment in told.worst:
        mark = words.t("terminal.nearly" if moment.mark == "good" else f"mark.{moment.mark}")
        where = words.t("terminal.worst", step=moment.number, move=with_word(words, told.game, moment.text), mark=mark)
        better = with_word(words, told.game, moment.best or "")
        yield f"  {where} {words.t('analysis.better', move=better, n=change(words, moment.lost, told.unit))}"
    if shown.corrected:
        yield f"  {words.t('analysis.corrected.about')}"


def compared_line(words: Words, objective: Objective, compared: Comparison, place: Standing) -> str:
    """How many perfect runs do worse, and where they are many, how many do equally well."""
    better = share(words, place.worse)
    if compared.objective == objective:
        said = words.t("analysis.percentile", n=better)
    else:
        score = words.t(f"aim.{compared.objective.unit}", n=int(compared.result))
        said = words.t("analysis.percentile.by", score=score, n=better, goal=goal(words, compared.objective))
    return f"{said}; {words.t('analysis.as-well', n=share(words, place.equal))}." if place.equal >= MANY else f"{said}."


def moment_lines(words: Words, told: Report, names: Sequence[str]) -> Iterator[str]:
    """Step by step, as a table; `names` are those of the seats. What is gained and lost of a chance has no sign of
    percent there, and a line below says what it is."""
    heads = [words.t(f"terminal.head.{name}") for name in ("step", "who", "move", "value", "luck", "lost")]
    yield "  {:>7}  {:22}{:14}{:>12}{:>12}{:>12}".format(*heads)
    for moment in told.moments:
        yield f"  {moment.number:>7}  {_moment(words, told.unit, moment, names)}".rstrip()
    if told.unit == "chance":
        yield f"  {words.t('terminal.changes')}"


def _moment(words: Words, unit: Unit, moment: Moment, names: Sequence[str]) -> str:
    def short(value: Fraction, signed: bool = False) -> str:
        return words.decimal(100 * value if unit == "chance" else value, signed=signed) if value else ""

    who = words.t("terminal.dice") if moment.actor == DICE else names[moment.actor]
    mark = ""
    if moment.mark not in ("", "best", "good"):
        mark = f"   {words.t('terminal.better', mark=words.t(f'mark.{moment.mark}'), move=moment.best or '')}"
    value, luck, lost = figure(words, moment.value, unit), short(moment.luck, True), short(moment.lost)
    return f"{who[:21]:22}{moment.text[:13]:14}{value:>12}{luck:>12}{lost:>12}{mark}"
