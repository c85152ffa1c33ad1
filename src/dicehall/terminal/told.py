"""What happens at a table, in sentences: who sits there, what a roll meant, why a move was refused, how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from inspect import cleandoc
from textwrap import fill
from typing import Any, Final

from dicehall.bots.seats import YOU
from dicehall.errors import DicehallError
from dicehall.games.hall_game import find_hall_game
from dicehall.play.film import Frame
from dicehall.rules.catalog import AnyGame
from dicehall.terminal.draw import View, figure, plus
from dicehall.terminal.words import Words

WIDTH: Final = 78
LONGEST: Final = 40  # characters of a player's input that are quoted


def seat_names(words: Words, seats: Sequence[str]) -> list[str]:
    """What the seats are called: people by number where there are several, and bots too where two are of a kind."""
    people = seats.count(YOU)
    names = [_called(words, seat, people, seats[: number + 1].count(YOU)) for number, seat in enumerate(seats)]
    often, seen = Counter(names), Counter[str]()
    for seat, name in enumerate(names):
        seen[name] += 1
        if often[name] > 1:
            names[seat] = f"{name} {seen[name]}"
    return names


def _called(words: Words, seat: str, people: int, number: int) -> str:
    if seat == YOU:
        return words.t("you") if people == 1 else words.t("player", n=number)
    kind, _, level = seat.partition(":")
    if not kind.isalpha() or not words.known(f"player.{kind}"):
        return seat  # a name of their own, in somebody's record
    return words.t(f"player.{kind}", level=int(level) if level.isdecimal() else level)


def title(words: Words, game: AnyGame) -> str:
    """The game's name in this language; that of a game of another package as it is."""
    return words.t(key) if words.known(key := f"game.{game.id}") else game.title


def rules_text(words: Words, game: AnyGame) -> str:
    """The rules in short, as the page tells them; of a game of another package, as it tells them itself."""
    lines, number, own = [title(words, game)], 1, find_hall_game(game.id)
    if own is None:
        return "\n".join([*lines, cleandoc(game.about)])
    while words.known(key := f"rules.{own.TEXTS}.{number}"):
        lines.append(fill(words.t(key), WIDTH, initial_indent=f"  {number}. ", subsequent_indent="     "))
        number += 1
    return "\n".join(lines)


def roll_text(words: Words, frame: Frame, view: View) -> str:
    """The dice of a roll, and what they meant where they left nobody a choice. `view` is any of the run's."""
    said = words.t("terminal.rolled", n=len(frame.step) - 1, dice=" ".join(frame.step[1:]))
    told = {event["code"]: event for event in frame.events}
    if "farkle" in told:
        lost = told["farkle"]["lost"]
        return f"{said}. {words.t('farkle.told.farkle', n=lost) if lost else words.t('farkle.told.farkle.nothing')}"
    if "stuck" in told:
        return _stuck(words, frame.step, told, view)
    return f"{said}. {words.t('knucklebones.told.drawn')}" if "drawn" in told else said


def _stuck(words: Words, roll: str, told: Mapping[str, Mapping[str, Any]], view: View) -> str:
    """A roll that fits nothing is rolled again, or ends the round; a long game's turn. `told`: its events by code."""
    dice = plus([int(die) for die in roll[1:]])
    if "mulligan" in told or "doubles" in told:
        return words.sentence("box.stuck.mulligan" if "mulligan" in told else "box.stuck.doubles", dice=dice)
    if "other-side" in told:
        opening = told["other-side"]["opening"]
        return words.sentence("box.stuck.then-open" if opening else "box.stuck.then-shut", dice=dice)
    points = figure(view, told["round-over"]["score"])
    return words.sentence("box.stuck.out" if "out" in told else "box.stuck", dice=dice, n=points)


def task_text(words: Words, view: View, names: Sequence[str], people: int) -> str:
    """What is to be done now."""
    kinds = {move.get("kind") for move in view["moves"]}
    if None in kinds:
        task = words.t("plain.choose")
    elif "place" in kinds:
        task = words.t("terminal.place", die=view["die"])
    elif "keep" in kinds:
        task = words.t("terminal.keep")
    elif "turn" in kinds:
        task = words.t("terminal.open" if view["opening"] else "terminal.shut")
    else:
        task = words.t("box.one-or-two" if "dice" in kinds else "farkle.hint.decide")
    return task if people < 2 else f"{words.sentence('turn.of', who=names[view['to_move']])} {task}"


def refusal(words: Words, error: DicehallError, game: AnyGame, line: str) -> str:
    """Why not, in the player's language; where there are no words for it, in the rules' own."""
    ours = find_hall_game(game.id)
    if error.code == "move" and ours:
        short = line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
        return words.t(f"terminal.no-move.{ours.TEXTS}", text=short)
    if error.code == "objective":
        return words.t("coach.none")
    if words.known(own := f"terminal.error.{error.code}"):
        return words.t(own)
    return words.t(key) if words.known(key := f"error.{error.code}") else f"{error}."


def end_lines(words: Words, view: View, seats: Sequence[str]) -> list[str]:
    """How it ended, why, and with how much for whom."""
    names, result = seat_names(words, seats), view["result"]
    told = [words.t("terminal.end"), *_verdict(words, result, seats, names), *_why(words, result["why"])]
    lines = [" ".join(told)]
    lines += [f"  {_score(words, view, name, score)}" for name, score in zip(names, result["scores"], strict=True)]
    if view.get("medal"):
        lines.append(f"  {words.t('farkle.medal.won', medal=words.t('farkle.medal.' + view['medal']))}")
    return lines


def _why(words: Words, code: str) -> list[str]:
    """What decided it; nothing where only the game knows what its code means."""
    return [words.sentence(key)] if words.known(key := f"why.{code}") else []


def _verdict(words: Words, result: View, seats: Sequence[str], names: Sequence[str]) -> list[str]:
    """As the one person at the table sees it; where there are several or none, who has won."""
    winners = [names[seat] for seat in result["winners"]]
    if len(seats) == 1:
        missed = result["why"].endswith("-missed")
        return [words.sentence("end.target" if winners else "end.lose" if missed else "end.done")]
    won = words.sentence("end.shared" if len(winners) > 1 else "end.won-by", who=words.listed(winners))
    if seats.count(YOU) != 1:
        return [won]
    if seats.index(YOU) in result["winners"]:
        return [words.sentence("end.draw" if len(winners) > 1 else "end.win")]
    return [words.sentence("end.lose"), won]


def _score(words: Words, view: View, name: str, score: int) -> str:
    unit = view["aim"]["unit"]
    if unit != "points":
        return f"{name}: {words.t(f'aim.{unit}', n=score)}"
    sides = view["options"].get("mode") == "long"
    return words.t("box.summary.sides" if sides else "box.summary.points", who=name, n=figure(view, score))
