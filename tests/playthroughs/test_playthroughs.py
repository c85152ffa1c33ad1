"""Every transcript is replayed line by line, and every mode of every game has one that really shows it."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import pytest

from dicehall.play.record import read_roll
from dicehall.play.record_line import to_line
from dicehall.play.replay import prove, read_record, replay
from dicehall.rules.catalog import GAMES, AnyGame, find_game
from dicehall.rules.game import DICE, NOBODY
from dicehall.rules.options import option_text
from tests.playthroughs.plays import PLAYS, Play
from tests.playthroughs.transcript import OVER, SCRIPT, Line, Transcript, read, write
from tests.playthroughs.write import FOLDER, path, shows_text

MOST_LINES: Final = 150  # more than that nobody reads

# What a game can be played as. A mode that is added to the rules is added here, and then needs a transcript.
MODES: Final = {
    "lite-solo": [
        "base", "target", "target-missed", "columns", "reroll", "wild-contains", "wild-natural", "everything",
    ],
    "lite-versus": [
        "base", "draw", "tiebreak-highest-single-die", "tiebreak-sum-middle-row", "first-bot", "first-drawn",
        "variants", "variants-natural",
    ],
    "farkle": [
        "solo", "hot-dice", "farkle", "spicy-straight", "spicy-three-pairs", "spicy-four-and-a-pair", "arcade",
        "arcade-two-seats", "race-of-two", "race-of-three-last-turn", "minimums", "hot-dice-off",
    ],
    "shut-the-box": [
        "five-rounds", "strict", "no-goal", "twelve", "always-sum", "always-sum-duo", "digital-score",
        "missionary-count", "best-round", "tournament-alone", "tournament-seats", "threshold", "long-alone",
        "long-two-seats", "easy-mulligan", "hard", "one-die-forced", "one-die-never", "one-die-sum-6", "instant",
        "several-seats",
    ],
    "knucklebones": ["base", "first-bot", "first-drawn", "draw"],
}  # fmt: skip

# Everything that can decide a game.
ENDINGS: Final = {
    "lite-solo": {"complete", "target-reached", "target-missed"},
    "lite-versus": {"score", "draw", "highest-single-die", "sum-middle-row"},
    "farkle": {"target-reached", "max-turns"},
    "shut-the-box": {"goal-met", "goal-missed", "complete", "rounds", "shut", "opened", "out"},
    "knucklebones": {"score", "draw"},
}

FILES: Final = sorted(FOLDER.glob("*/*.txt"))


def name(file: Path) -> str:
    return f"{file.parent.name}-{file.stem}"


def load(file: Path) -> Transcript:
    return read(file.read_text(encoding="utf-8"))


def of_game(game_id: str) -> list[Transcript]:
    return [load(file) for file in FILES if file.parent.name == game_id]


def play_of(file: Path) -> Play:
    return next(play for play in PLAYS if (play.game, play.mode) == (file.parent.name, file.stem))


@pytest.mark.parametrize("file", FILES, ids=name)
def test_the_rules_agree_with_every_line(file: Path) -> None:
    written = load(file)
    game = find_game(written.game)
    options = game.make_options({name: game.read_option(name, text) for name, text in written.options.items()})
    assert written.rules == game.version
    state = game.begin(options, len(written.seats))
    start, *steps = written.lines
    assert start[:3] == (0, "", "")
    check_position(game, options, state, start)
    for number, line in enumerate(steps, 1):
        assert line.number == number
        state = take_step(game, state, line)
        check_position(game, options, state, line)
    assert game.rules.actor(state) == NOBODY
    assert game.rules.result(state) == (written.scores, written.winners, written.why)
    assert game.rules.aim(options, len(written.seats)).unit == written.unit


def take_step(game: AnyGame, state: Any, line: Line) -> Any:
    if game.rules.actor(state) == DICE:
        assert line.actor == "dice"
        return game.roll(state, read_roll(line.played))
    assert line.actor == f"seat {game.rules.actor(state)}"
    move = game.rules.read_move(line.played)
    assert game.rules.move_text(move) == line.played
    return game.apply(state, move)


def check_position(game: AnyGame, options: Any, state: Any, line: Line) -> None:
    assert game.rules.state_text(state) == line.state
    assert game.rules.read_state(options, line.state) == state
    moves = tuple(game.rules.move_text(move) for move in game.rules.legal(state))
    if game.rules.actor(state) == DICE:
        assert (line.next, moves) == ((f"({game.rules.dice_to_roll(state)} dice)",), ())
    elif game.rules.actor(state) == NOBODY:
        assert (line.next, moves) == ((OVER,), ())
    else:
        assert line.next == moves


@pytest.mark.parametrize("file", FILES, ids=name)
def test_the_record_tells_the_same_run_and_replays(file: Path) -> None:
    written = load(file)
    record = read_record(written.record)
    assert to_line(record) == written.record
    assert (record.game, record.rules, record.seats) == (written.game, written.rules, written.seats)
    assert {name: option_text(value) for name, value in record.options.changed().items()} == written.options
    assert record.steps == tuple(line.played for line in written.lines[1:])
    assert record.result == (written.scores, written.winners, written.why)
    assert record.find_game().rules.state_text(replay(record)) == written.end.state
    if written.dice == SCRIPT:
        assert record.origin.seed is None
    else:
        assert written.dice == f"seed {record.origin.seed}"
        assert prove(record) == sum(len(read_roll(line.played)) for line in written.rolls)


@pytest.mark.parametrize("file", FILES, ids=name)
def test_the_transcript_shows_what_it_is_there_for(file: Path) -> None:
    written, play = load(file), play_of(file)
    game = find_game(play.game)
    assert play.shown(written), play.shows
    assert written.shows == shows_text(play, written)
    assert (written.game, written.title, written.seats) == (play.game, play.title, play.seats)
    changed = game.make_options(play.options).changed()
    assert written.options == {name: option_text(value) for name, value in changed.items()}


@pytest.mark.parametrize("file", FILES, ids=name)
def test_the_file_is_laid_out_as_the_script_does_and_short_enough_to_read(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert write(read(text)) == text
    assert len(text.splitlines()) < MOST_LINES


@pytest.mark.parametrize("game_id", GAMES)
def test_every_mode_of_every_game_has_a_transcript(game_id: str) -> None:
    assert set(MODES[game_id]) == {file.stem for file in FILES if file.parent.name == game_id}
    assert all(path(game_id, mode).exists() for mode in MODES[game_id])


def test_there_is_no_transcript_that_nobody_asked_for() -> None:
    declared = {(game_id, mode) for game_id in MODES for mode in MODES[game_id]}
    assert {(play.game, play.mode) for play in PLAYS} == declared
    assert set(MODES) == {folder.name for folder in FOLDER.iterdir()} == set(GAMES)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_ending_of_a_game_is_shown(game_id: str) -> None:
    assert {written.why for written in of_game(game_id)} == ENDINGS[game_id]


@pytest.mark.parametrize("game_id", GAMES)
def test_every_option_of_a_game_is_played_with(game_id: str) -> None:
    """An option is away from its default in some transcript; one with a few values has each of them in some."""
    transcripts = of_game(game_id)
    for option in fields(find_game(game_id).options):
        default_value: Any = option.default
        default = option_text(default_value)
        played = {written.options.get(option.name, default) for written in transcripts}
        assert played - {default}, f"{option.name} is never changed"
        if isinstance(option.metadata["values"], tuple):
            assert played == {option_text(value) for value in option.metadata["values"]}, option.name
