"""What happens at a table, in sentences: who sits there, what a roll meant, why a move was refused, how it ended."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import cleandoc
from shutil import get_terminal_size
from textwrap import fill
from typing import Final

from dicehall.bots.seats import YOU
from dicehall.errors import DicehallError
from dicehall.play.film import Frame
from dicehall.play.record import read_roll
from dicehall.rules.catalog import AnyGame
from dicehall.rules.options import Options
from dicehall.terminal.protocol import View, find_terminal
from dicehall.terminal.words import Words

WIDTH: Final = 78  # of a line, at most
NARROWEST: Final = 20
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
    if words.known(key := f"player.{kind}.{level}"):
        return words.t(key)
    return words.t(f"player.{kind}", level=int(level) if level.isdecimal() else level)


def title(words: Words, game: AnyGame) -> str:
    """The game's name in this language; that of a game of another package as it is."""
    return words.t(key) if words.known(key := f"game.{game.id}") else game.title


def rules_text(words: Words, game: AnyGame, options: Options) -> str:
    """The rules in short, as the page tells them, or where there are no such texts, as the game itself does; and what
    is different with these options."""
    lines, number, texts = [title(words, game)], 1, find_terminal(game.id).TEXTS
    while words.known(key := f"rules.{texts}.{number}"):
        lines.append(fill(words.t(key), width(), initial_indent=f"  {number}. ", subsequent_indent="     "))
        number += 1
    if number == 1:
        lines.append(cleandoc(game.about))
    if options.changed():
        lines.append(fit(f"  {words.t('terminal.here')} {options_text(words, game, options)}"))
    return "\n".join(lines)


def options_text(words: Words, game: AnyGame, options: Options) -> str:
    """What these options make of the game: the preset that they are, or else each that is not as usual; empty where
    there is nothing to say."""
    for name in game.presets:
        if words.known(about := f"preset.{game.id}.{name}.about") and game.make_options({"preset": name}) == options:
            return f"{words.t(f'preset.{game.id}.{name}')}: {words.t(about)}"
    option = find_terminal(game.id).option
    changed = [option(words, name, value) for name, value in options.changed().items()]
    return f"{'; '.join(changed)}." if changed else ""


def width() -> int:
    """How long a line may be: less where there is a terminal, and a narrow one."""
    return max(NARROWEST, min(WIDTH, get_terminal_size().columns)) if sys.stdout.isatty() else WIDTH


def fit(line: str) -> str:
    """The line, broken between words where it is wider than the terminal; what follows stands further in."""
    wide = width()
    if len(line) <= wide:
        return line
    indent = " " * (len(line) - len(line.lstrip()))
    return fill(
        line.strip(), wide, initial_indent=indent, subsequent_indent=f"{indent}  ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip


def listed_moves(task: str, moves: Iterable[str]) -> str:
    """What is to be done and the moves, broken between moves."""
    lines = [f"  {task}"]
    for move in moves:
        longer = f"{lines[-1]}  {move}"
        if len(longer) <= width():
            lines[-1] = longer
        else:
            lines.append(f"    {move}")
    return "\n".join(lines)


def with_word(words: Words, game_id: str, move: str) -> str:
    """A move's notation, and beside it what this language calls it: bank (sichern)."""
    own = words.t(f"terminal.notation.{move}") if move in find_terminal(game_id).WORDS else move
    return move if own == move else f"{move} ({own})"


def notation(words: Words, game_id: str, line: str, legal: Sequence[str]) -> str:
    """The one of the `legal` moves that a player means who has typed this `line`: in upper or lower case, with spaces
    or without (7 4 is 7+4), or in one of this language's own words for it. Where it can mean several, the line as it
    is: the rules refuse it, as they do what means none."""
    if line in legal:
        return line
    meant = [move for move in legal if _plain(move) == _plain(line) or _parts(move) == _parts(line)]
    if len(meant) > 1:
        return line
    own = {word: move for move in find_terminal(game_id).WORDS for word in _own_words(words, move)}
    return meant[0] if meant else own.get(_plain(line), _plain(line))


def _own_words(words: Words, move: str) -> list[str]:
    """What this language calls a move, and other words for it that come to mind."""
    also = words.t(key).split() if words.known(key := f"terminal.notation.also.{move}") else []
    return [_plain(words.t(f"terminal.notation.{move}")), *also]


def _plain(text: str) -> str:
    return "".join(text.lower().split())


def _parts(text: str) -> list[str]:
    return sorted(text.lower().replace("+", " ").split())


def move_lines(words: Words, game: AnyGame, frame: Frame, names: Sequence[str]) -> list[str]:
    """A move of a seat and all that happened with it: a line about whoever moved, and one about each who lost by it."""
    assert frame.by is not None
    moved = f"{names[frame.by]}: {with_word(words, game.id, frame.step)}."
    said, *others = find_terminal(game.id).tell_move(words, frame, names)
    return [f"{moved} {said}".rstrip(), *(f"  {other}" for other in others)]


def roll_line(words: Words, game: AnyGame, frame: Frame, view: View, names: Sequence[str]) -> str:
    """The dice of a roll, and what they meant where they left nobody a choice. `view` is any of the run's; `names` are
    those of the seats."""
    dice = read_roll(frame.step)
    rolled = f"{words.t('terminal.rolled', n=len(dice), dice=' '.join(map(str, dice)))}."
    drawn = next((event["seat"] for event in frame.events if event["code"] == "drawn"), None)
    if drawn is not None:
        return f"{rolled} {words.sentence('knucklebones.drawn', who=names[drawn])}"
    return find_terminal(game.id).tell_roll(words, rolled, frame, view, names)


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


def refusal(words: Words, error: DicehallError, game: AnyGame, line: str, moves: Sequence[View]) -> str:
    """Why not, in the player's language; where there are no words for it, in the rules' own. What is no move is told
    by the kinds of `moves` that there are now, and by no others."""
    kinds = "-".join(sorted({move["kind"] for move in moves if "kind" in move}))
    if error.code == "move" and words.known(no_move := f"terminal.no-move.{find_terminal(game.id).TEXTS}.{kinds}"):
        printed = "".join(letter if letter.isprintable() else "?" for letter in line)
        short = printed if len(printed) <= LONGEST else f"{printed[: LONGEST - 1]}…"
        return words.t(no_move, text=short, move=moves[0]["move"])
    if error.code == "objective":
        return words.t("coach.none")
    if words.known(own := f"terminal.error.{error.code}"):
        return words.t(own)
    return words.t(key) if words.known(key := f"error.{error.code}") else f"{error}."


def end_lines(words: Words, view: View, seats: Sequence[str]) -> list[str]:
    """How it ended, why, and with how much for whom."""
    names, result, game = seat_names(words, seats), view["result"], find_terminal(view["game"])
    told = [words.t("terminal.end"), *_verdict(words, view, seats, names), *game.tell_why(words, view, names)]
    scores = zip(names, result["scores"], strict=True)
    lines = [" ".join(told), *(f"  {game.tell_score(words, view, name, score)}" for name, score in scores)]
    if len(seats) == 1 and view.get("medals"):
        lines += [f"  {line}" for line in _medal_lines(words, view["medals"], view["medal"], result["scores"][0])]
    return lines


def unranked_lines(words: Words, why: Iterable[str]) -> list[str]:
    """Why the run does not count on boards."""
    return [words.t(key) for code in why if words.known(key := f"terminal.unranked.{code}")]


def medals_text(words: Words, view: View) -> str:
    """What each medal takes; empty where there are none, or several play."""
    if len(view["seats"]) > 1 or not view.get("medals"):
        return ""
    takes = [f"{words.t(f'farkle.medal.{name}')} {words.number(least)}" for name, least in view["medals"].items()]
    return f"{words.t('farkle.medals')}: {', '.join(takes)}."


def _medal_lines(words: Words, medals: Mapping[str, int], won: str | None, score: int) -> Iterator[str]:
    """The medal that was won, and what was missing for the next one."""
    if won:
        yield words.t("farkle.medal.won", medal=words.t(f"farkle.medal.{won}"))
    for name, least in medals.items():
        if score < least:
            yield words.sentence("farkle.medal.short", n=least - score, medal=words.t(f"farkle.medal.{name}"))
            return


def _verdict(words: Words, view: View, seats: Sequence[str], names: Sequence[str]) -> list[str]:
    """As the one person at the table sees it; where there are several or none, who has won."""
    you = seats.index(YOU) if seats.count(YOU) == 1 else None
    mine = None if you is None else view["outcomes"][you]
    if len(seats) == 1:
        return [words.sentence("end.target" if mine == "won" else "terminal.lose")] if mine else []
    if "drawn" in view["outcomes"]:
        return [words.sentence("end.draw")]
    if mine == "won":
        return [words.sentence("end.win")]
    winners = view["result"]["winners"]
    if mine == "shared":
        return [words.t("terminal.shared-with", who=words.listed([names[seat] for seat in winners if seat != you]))]
    named = words.listed([names[seat] for seat in winners])
    won = words.sentence("end.shared" if len(winners) > 1 else "end.won-by", who=named)
    return [won] if you is None else [words.sentence("terminal.lose"), won]
