"""Unfinished runs: kept after every move, resumed as they were, and never lost without a word."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from dicehall.cli import main
from dicehall.errors import InvalidOption
from dicehall.play.replay import check, read_record
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES
from dicehall.terminal import kept
from dicehall.terminal.kept import KeptRun, kept_files, new_run, resume, runs_folder, waiting
from dicehall.terminal.words import Words
from tests.soak import times
from tests.terminal.typist import EASY, SHORT, Out, flat, play

FEW = ["#1"] * 3


def refused(capsys: Out, *arguments: str) -> str:
    """What the command says that refuses these arguments."""
    assert main(["play", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


def kept_record() -> Any:
    (file,) = kept_files()
    return json.loads(file.read_text())["record"]


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("moves", range(1, times(3, 12)))
def test_a_run_in_two_parts_is_the_run_in_one(
    game_id: str, moves: int, monkeypatch: pytest.MonkeyPatch, capsys: Out, tmp_path: Path
) -> None:
    short = SHORT.get(game_id, ())
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    play(monkeypatch, capsys, EASY, game_id, "--seed", "parts", "--save", str(whole), *short)
    assert kept_files() == [], "a finished run is not kept"
    first = play(monkeypatch, capsys, EASY[: 2 * moves], game_id, "--seed", "parts", *short)
    if "The end" not in first:
        assert "The run is kept. To go on with it: dicehall play --resume" in first
        rest = play(monkeypatch, capsys, EASY, "--resume", "--save", str(parts))
        assert "The run goes on where you left it." in rest
        assert "The end" in rest
        assert read_record(parts.read_text()) == read_record(whole.read_text())
    assert kept_files() == []


def test_a_resumed_run_tells_the_last_move_with_the_reply_to_it(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    play(monkeypatch, capsys, ["2", "1"], "knucklebones", "--seed", "reply")
    said = play(monkeypatch, capsys, [], "--resume")
    told = re.findall(r"^  (You|Hugo): (\d)\.", said, re.MULTILINE)
    assert told == [("You", "1"), ("Hugo", "1")]


@pytest.fixture
def hangups_are_heard() -> Iterator[None]:
    """By what a test starts: it would ignore them as well, where the tests were started by nohup. What is handled here
    begins there as usual."""
    before = signal.signal(signal.SIGHUP, lambda *_: None)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("hangups_are_heard")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM])
def test_a_killed_terminal_loses_nothing(how: signal.Signals, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    command = [sys.executable, "-m", "dicehall", "play", "lite-solo", "--seed", "kill"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as game:
        assert game.stdin is not None
        assert game.stdout is not None
        for cell in ("a1", "b1", "c2"):
            game.stdin.write(f"{cell}\n")
            game.stdin.flush()
            while f"You: {cell}." not in (line := game.stdout.readline()):
                assert line, "it ended too early"
        game.send_signal(how)
        assert game.wait(60) == -how
    said = play(monkeypatch, capsys, ["record"], "--resume")
    assert "-a1-" in said
    assert "-b1-" in said
    assert "-c2-" in said
    assert "You: c2." in said, "the last move is told again"
    assert "You: b1." not in said


def test_a_run_is_its_owners_alone(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    usual = os.umask(0)
    try:
        play(monkeypatch, capsys, FEW, "knucklebones")
    finally:
        os.umask(usual)
    (file,) = kept_files()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [path.name for path in file.parent.iterdir()] == [file.name], "nothing else is left there"


def test_before_the_first_move_there_is_nothing_to_keep(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, ["help", "moves", "quit"], "lite-versus", "--option", "first=bot")
    assert "The run is kept" not in said
    assert kept_files() == []


def test_a_new_run_leaves_the_unfinished_one_alone(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    play(monkeypatch, capsys, FEW, "farkle", "--seed", "first")
    (file,) = kept_files()
    before = file.read_bytes()
    said = play(monkeypatch, capsys, FEW, "farkle", "--seed", "second")
    assert flat(said).startswith("An unfinished run is kept (Farkle). To go on with it: dicehall play --resume ")
    assert file.read_bytes() == before
    refused(capsys, "chess")
    german = flat(play(monkeypatch, capsys, FEW, "shut-the-box", "--language", "de"))
    assert german.startswith("2 Partien sind noch offen, zuletzt Farkle. Weiterspielen: dicehall play --resume ")
    assert [kept.game_of(path) for path in kept_files()] == ["shut-the-box", "farkle", "farkle"]
    assert "kept" not in play(monkeypatch, capsys, [], "farkle", "--json"), "a program has not asked"


def test_the_last_run_or_the_last_of_a_game(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    play(monkeypatch, capsys, FEW, "farkle")
    play(monkeypatch, capsys, FEW, "lite-solo")
    assert play(monkeypatch, capsys, [], "--resume").startswith("Knucklebones-lite.")
    assert play(monkeypatch, capsys, ["#1"], "farkle", "--resume").startswith("Farkle.")
    assert play(monkeypatch, capsys, [], "--resume").startswith("Farkle."), "which was played last now"
    assert "no unfinished run of knucklebones is kept" in refused(capsys, "knucklebones", "--resume")


@pytest.mark.parametrize(("word", "language"), [("drop", "en"), ("verwerfen", "de"), ("Discard", "en")])
def test_a_run_is_not_thrown_away_by_one_word(
    word: str, language: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    """Neither before the end of a pipe, nor when something else is typed in between."""
    told = Words(language).t("terminal.drop-sure", word=Words(language).t("terminal.word.drop"))
    for answers in ([*FEW, word], [*FEW, word, "", word], [*FEW, word, "moves", word, "#1"]):
        said = play(monkeypatch, capsys, answers, "lite-solo", "--language", language)
        assert flat(said).count(told) == answers.count(word)
        assert Words(language).t("terminal.kept") in flat(said)
    assert len(kept_files()) == 3


def test_what_is_not_kept_is_left_at_once(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, ["drop", "a1"], "lite-solo")
    assert "throws the run away" not in said
    assert "You: a1." not in said


def test_a_program_throws_a_run_away_at_once(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    play(monkeypatch, capsys, [*FEW, "drop"], "lite-solo", "--json")
    assert kept_files() == []


def test_a_run_can_be_thrown_away(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, [*FEW, "drop", "drop", "#1"], "lite-solo")
    assert "The run so far" in said
    assert "The run is kept" not in said
    assert "no unfinished run is kept in " in refused(capsys, "--resume")


def test_what_was_asked_and_taken_back_is_remembered(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    play(monkeypatch, capsys, ["a1", "b1", "hint", "undo"], "lite-solo", "--seed", "1", "--practice")
    assert kept_record()["unranked"] == ["hint", "undo"]
    said = play(monkeypatch, capsys, ["undo"], "--resume")
    assert "Practice: undo may take back a roll." in said
    assert "Taken back." in said
    assert kept_record()["unranked"] == ["hint", "undo"]
    play(monkeypatch, capsys, ["1", "drop", "drop"], "knucklebones", "--seed", "1")
    play(monkeypatch, capsys, ["1"], "knucklebones", "--seed", "1")
    assert "The dice have been rolled since" in play(monkeypatch, capsys, ["undo"], "--resume")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--seed", "1"],
        ["--seed", ""],
        ["--seats", "you"],
        ["--practice"],
        ["--option", "target=500"],
        ["--preset", "spicy"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_resumed_run_is_as_it_was_begun(arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    play(monkeypatch, capsys, FEW, "farkle")
    why = refused(capsys, "--resume", *arguments)
    assert f"--resume goes on with a run as it was begun; leave {arguments[0]} out" in why


def other_seed(file: Path) -> None:
    """Whole and readable, with check digits that fit, but the dice are not those of the seed."""
    whole = json.loads(file.read_text())
    record = read_record(json.dumps(whole["record"]))
    whole["record"] = Table(record.game, seed="another").record().to_json() | {"steps": whole["record"]["steps"]}
    file.write_text(json.dumps(whole))


def committed(file: Path) -> None:
    record = Table("lite-solo", seed="mine", secret="ab" * 32).record()
    file.write_text(json.dumps({"format": 1, "practice": False, "record": record.to_json()}))


def changed(**values: Any) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        file.write_text(json.dumps(json.loads(file.read_text()) | values))

    return change


def as_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda file: file.write_text(file.read_text()[:-9]), "not readable JSON"),
        (lambda file: file.write_text(""), "not readable JSON"),
        (lambda file: file.write_bytes(bytes(range(256))), "codec can't decode"),
        (lambda file: file.write_text(file.read_text().replace("a1", "a2")), "has been changed"),
        (lambda file: file.write_text("[1, 2]"), "it is not a kept run of Dicehall"),
        (lambda file: file.write_text('{"name": "left-pad"}'), "it is not a kept run of Dicehall"),
        (lambda file: file.write_text(" " * (4 * 1024 * 1024 + 1)), "more than 4194304 characters"),
        (changed(format=2), "another version of Dicehall"),
        (changed(practice=1), "it is not a kept run of Dicehall"),
        (changed(record=None), "a record is a JSON object"),
        (other_seed, "the seed's die 1 is"),
        (committed, "its dice do not come from a seed alone"),
        (as_folder, "it is no file"),
    ],
)
def test_a_damaged_or_foreign_file_is_named_and_left_alone(
    damage: Callable[[Path], None], why: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    play(monkeypatch, capsys, ["a1", "b2"], "lite-solo", "--seed", "1")
    (file,) = kept_files()
    damage(file)
    before = file.read_bytes() if file.is_file() else b""
    message = refused(capsys, "--resume")
    assert f"cannot go on with {file}: " in message
    assert why in message
    assert "unfinished run" in play(monkeypatch, capsys, ["a1", "drop", "drop"], "lite-solo"), "others can be played"
    assert kept_files() == [file]
    assert not file.is_file() or file.read_bytes() == before


def test_a_bot_that_is_not_there_any_more(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    play(monkeypatch, capsys, FEW, "farkle", "--seats", "you,random")
    (file,) = kept_files()
    table = Table("farkle", seats=["you", "gone"], seed=1)
    run = KeptRun(file)
    run.save(table)
    run.close()
    assert "farkle has no player 'gone'" in refused(capsys, "--resume")


def test_a_run_is_on_the_disk_before_it_takes_the_place_of_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the power that goes in between leaves an empty file, or a name that nobody finds."""
    done: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def synced(descriptor: int) -> None:
        whole = os.fstat(descriptor)
        done.append("folder" if stat.S_ISDIR(whole.st_mode) else f"{whole.st_size} bytes")
        fsync(descriptor)

    def replaced(new: Path, old: Path) -> Path:
        done.append("in place")
        return replace(new, old)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    run = KeptRun(runs_folder() / "lite-solo-1.run.json")
    run.save(Table("lite-solo", seats=["you"], seed=1))
    run.close()
    assert done == [f"{run.path.stat().st_size} bytes", "in place", "folder"]


def test_one_run_is_played_in_one_terminal() -> None:
    run, table = new_run("lite-solo"), Table("lite-solo", seats=["you"], seed=1)
    assert run is not None
    for move in ("a1", "b1"):
        table.play(move)
        run.save(table)
        assert waiting() == [], "somebody plays it"
        with pytest.raises(InvalidOption, match="every unfinished run is being played in another terminal"):
            resume()
    run.close()
    assert waiting() == [run.path]
    again, same = resume()
    assert same.record() == table.record()
    assert waiting() == []
    again.forget()
    assert kept_files() == []


def test_whoever_has_locked_what_another_file_has_replaced_holds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between opening a run's file and locking it, somebody else has gone on with the run and saved it."""
    run, table = KeptRun(runs_folder() / "lite-solo-1.run.json"), Table("lite-solo", seats=["you"], seed=1)
    lock = kept._lock
    run.save(table)
    run.close()

    def late(file: IO[str]) -> bool:
        monkeypatch.setattr(kept, "_lock", lock)
        run.save(table)
        return lock(file)

    monkeypatch.setattr(kept, "_lock", late)
    assert waiting() == []
    run.close()


def test_a_run_that_cannot_be_kept_is_played_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: Out, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("DICEHALL_STATE", str(tmp_path / "file"))
    said = play(monkeypatch, capsys, EASY, "lite-solo", "--seed", "1")
    assert said.count("This run cannot be kept between moves: Not a directory.") == 1
    assert "The end" in said
    told = [json.loads(line) for line in play(monkeypatch, capsys, EASY, "lite-solo", "--json").splitlines()]
    assert [one["error"]["code"] for one in told if "error" in one].count("not-kept") == 1
    assert check(json.dumps(told[-1]["record"])).ok


def test_so_many_are_kept(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    monkeypatch.setattr(kept, "MOST", 2)
    monkeypatch.setattr("dicehall.terminal.lines.MOST", 2)
    for _ in range(2):
        play(monkeypatch, capsys, FEW, "lite-solo")
    kept_before = [file.read_bytes() for file in kept_files()]
    said = play(monkeypatch, capsys, FEW, "lite-solo")
    assert "This run cannot be kept between moves: there are 2 unfinished ones already." in said
    assert "The run is kept." not in said
    assert '{"error":{"code":"not-kept",' in play(monkeypatch, capsys, FEW, "lite-solo", "--json")
    assert [file.read_bytes() for file in kept_files()] == kept_before


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"DICEHALL_STATE": "/own", "XDG_STATE_HOME": "/xdg"}, "/own/runs"),
        ({"XDG_STATE_HOME": "/xdg"}, "/xdg/dicehall/runs"),
        ({"XDG_STATE_HOME": "not/absolute"}, "/home/ada/.local/state/dicehall/runs"),
        ({}, "/home/ada/.local/state/dicehall/runs"),
    ],
)
def test_where_runs_lie(environment: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DICEHALL_STATE", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/ada")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert runs_folder() == Path(folder)
