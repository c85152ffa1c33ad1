"""A transcript: a whole run on paper, step by step, for people to read and for a test to replay.

    game     lite-solo
    rules    1
    options  reroll=true
    seats    lookahead
    dice     seed 7
    shows    the token is spent (step 4)

    step | actor  | played | state             | next
       0 |        |        | .../.../... - r   | (1 dice)
       1 | dice   | d5     | .../.../... 5 r   | a1 b1 c1 a2 b2 c2 a3 b3 c3 reroll
    ...
    scores   66 points
    winners  -
    why      complete
    record   dicehall1/lite-solo.1/...

`state` is what the step leads to, `next` every legal move in it, or in brackets that dice are due or the run is over.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from dicehall.play.record import Record
from dicehall.play.record_line import to_line
from dicehall.play.replay import start, walk
from dicehall.rules.catalog import AnyGame, find_game
from dicehall.rules.game import DICE, NOBODY, Result
from dicehall.rules.options import option_text

OVER: Final = "(over)"
SCRIPT: Final = "script"
COLUMNS: Final = ("step", "actor", "played", "state", "next")


class Line(NamedTuple):
    number: int  # 0: the start
    actor: str  # dice, seat 0, ...
    played: str  # as a record writes it
    state: str  # after it
    next: tuple[str, ...]  # legal moves, or one text in brackets

    @property
    def fields(self) -> list[str]:
        """The parts of the state's text."""
        return self.state.split(" ")


class Transcript(NamedTuple):
    title: str
    game: str
    rules: int
    options: dict[str, str]  # only what differs from the defaults
    seats: tuple[str, ...]  # the players' names
    dice: str  # "seed ..." or SCRIPT
    shows: str
    lines: tuple[Line, ...]
    scores: tuple[int, ...]
    unit: str
    winners: tuple[int, ...]
    why: str
    record: str

    @property
    def moves(self) -> list[Line]:
        return [line for line in self.lines if line.actor.startswith("seat")]

    @property
    def rolls(self) -> list[Line]:
        return [line for line in self.lines if line.actor == "dice"]

    @property
    def end(self) -> Line:
        return self.lines[-1]


def transcribe(record: Record, title: str) -> Transcript:
    """What happened in a finished run. What it shows is for the caller to say."""
    game, state = record.find_game(), start(record)
    lines = [Line(0, "", "", game.rules.state_text(state), what_next(game, state))]
    for step in walk(record):
        state = step.state
        lines.append(
            Line(step.number, actor_text(step.actor), step.text, game.rules.state_text(state), what_next(game, state))
        )
    result: Result = game.rules.result(state)
    return Transcript(
        title,
        game.id,
        game.version,
        {name: option_text(value) for name, value in record.options.changed().items()},
        record.seats,
        SCRIPT if record.origin.seed is None else f"seed {record.origin.seed}",
        "",
        tuple(lines),
        result.scores,
        game.rules.aim(record.options, len(record.seats)).unit,
        result.winners,
        result.why,
        to_line(record),
    )


def actor_text(actor: int) -> str:
    return "dice" if actor == DICE else f"seat {actor}"


def what_next(game: AnyGame, state: object) -> tuple[str, ...]:
    actor = game.rules.actor(state)
    if actor == NOBODY:
        return (OVER,)
    if actor == DICE:
        return (f"({game.rules.dice_to_roll(state)} dice)",)
    return tuple(game.rules.move_text(move) for move in game.rules.legal(state))


def write(transcript: Transcript) -> str:
    head = {
        "game": transcript.game,
        "rules": str(transcript.rules),
        "options": " ".join(f"{name}={value}" for name, value in transcript.options.items()),
        "seats": " ".join(transcript.seats),
        "dice": transcript.dice,
        "shows": transcript.shows,
    }
    foot = {
        "scores": f"{_numbers_text(transcript.scores)} {transcript.unit}",
        "winners": _numbers_text(transcript.winners),
        "why": transcript.why,
        "record": transcript.record,
    }
    parts = [f"{find_game(transcript.game).title}: {transcript.title}", _pairs_text(head)]
    return "\n\n".join([*parts, _table_text(transcript.lines), _pairs_text(foot)]) + "\n"


def read(text: str) -> Transcript:
    title, head_text, table, foot_text = text.rstrip("\n").split("\n\n")
    head, foot = _read_pairs(head_text), _read_pairs(foot_text)
    scores, unit = foot["scores"].split(" ")
    options = dict(pair.split("=") for pair in head["options"].split())
    return Transcript(
        title.partition(": ")[2],
        head["game"],
        int(head["rules"]),
        options,
        tuple(head["seats"].split(" ")),
        head["dice"],
        head["shows"],
        tuple(_read_line(line) for line in table.splitlines()[1:]),
        _read_numbers(scores),
        unit,
        _read_numbers(foot["winners"]),
        foot["why"],
        foot["record"],
    )


def _table_text(lines: tuple[Line, ...]) -> str:
    rows = [COLUMNS, *((str(line.number), *line[1:4], " ".join(line.next)) for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS) - 1)]
    return "\n".join(
        " | ".join(
            [row[0].rjust(widths[0]), *(cell.ljust(width) for cell, width in zip(row[1:4], widths[1:], strict=True))]
            + [row[4]]
        )
        for row in rows
    )


def _read_line(text: str) -> Line:
    number, actor, played, state, following = (cell.strip() for cell in text.split(" | "))
    moves = (following,) if following.startswith("(") else tuple(following.split(" "))
    return Line(int(number), actor, played, state, moves)


def _pairs_text(pairs: dict[str, str]) -> str:
    return "\n".join(f"{name:9}{value}".rstrip() for name, value in pairs.items())


def _read_pairs(text: str) -> dict[str, str]:
    pairs = (line.partition(" ") for line in text.splitlines())
    return {name: value.strip() for name, _, value in pairs}


def _numbers_text(numbers: tuple[int, ...]) -> str:
    return ":".join(map(str, numbers)) or "-"


def _read_numbers(text: str) -> tuple[int, ...]:
    return () if text == "-" else tuple(map(int, text.split(":")))
