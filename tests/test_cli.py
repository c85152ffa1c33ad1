"""The command line: shapes, exit codes, and one clear line for whatever is wrong."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dicehall import __version__
from dicehall.cli import main
from dicehall.dice import commitment, contribution_seal
from dicehall.play.record import Contribution
from dicehall.play.record_line import to_line
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES

Out = pytest.CaptureFixture[str]


def run(capsys: Out, *arguments: str, code: int = 0) -> str:
    try:
        got = main(arguments)
    except SystemExit as stop:
        got = stop.code  # type: ignore[assignment]
    assert got == code
    captured = capsys.readouterr()
    if code == 2:
        assert captured.out == ""
        assert captured.err.count("\n") == 1
        assert captured.err.startswith("dicehall")
        return captured.err
    assert captured.err == ""
    return captured.out


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def records(tmp_path: Path, capsys: Out) -> Path:
    path = tmp_path / "runs.jsonl"
    run(capsys, "simulate", "farkle", "--seats", "bank:300,random", "--games", "5", "--option", "target=1000",
        "--records", str(path), "--json")  # fmt: skip
    return path


def test_games_lists_the_catalog(capsys: Out) -> None:
    listed = json.loads(run(capsys, "games", "--json"))
    assert [game["id"] for game in listed] == list(GAMES)
    for game in listed:
        for option in game["options"]:
            assert set(option) == {"name", "values", "default", "meaning"}
            assert option["meaning"]
    text = run(capsys, "games")
    assert all(game.title in text for game in GAMES.values())
    assert "lite-solo" not in run(capsys, "games", "farkle")


@pytest.mark.parametrize("game_id", GAMES)
def test_simulate_reports_and_repeats(game_id: str, capsys: Out) -> None:
    seats = ",".join(["random"] * GAMES[game_id].seats[0])
    first, again, other = (
        json.loads(run(capsys, "simulate", game_id, "--seats", seats, "--games", "4", "--seed", seed, "--json"))
        for seed in ("a", "a", "b")
    )
    assert first["per_seat"] == again["per_seat"] != other["per_seat"]
    assert first["games"] == 4
    assert "a second" in run(capsys, "simulate", game_id, "--games", "1")


def test_wins_draws_and_losses_add_up(capsys: Out) -> None:
    got = json.loads(run(capsys, "simulate", "knucklebones", "--seats", "spec,random", "--games", "60", "--json"))
    for seat in got["per_seat"]:
        assert seat["wins"] + seat["draws"] + seat["losses"] == 60
    box = ("--seats", "random,random,random", "--games", "60", "--seed", "1", "--option", "rounds=1", "--json")
    for one in json.loads(run(capsys, "simulate", "shut-the-box", *box))["per_seat"]:
        assert one["wins"] + one["draws"] + one["losses"] == 60, "of three, two may win together"
    alone = json.loads(run(capsys, "simulate", "lite-solo", "--games", "20", "--option", "target=60", "--json"))
    assert alone["per_seat"][0]["wins"] + alone["per_seat"][0]["losses"] == 20
    aimless = json.loads(run(capsys, "simulate", "lite-solo", "--games", "20", "--json"))
    assert aimless["per_seat"][0]["wins"] + aimless["per_seat"][0]["losses"] == 0


def test_replay_accepts_what_was_played(records: Path, capsys: Out) -> None:
    verdicts = lines(run(capsys, "replay", str(records), "--json"))
    assert [verdict["ok"] for verdict in verdicts] == [True] * 5
    assert all(verdict["result"]["why"] == "target-reached" for verdict in verdicts)
    assert run(capsys, "replay", str(records)).count("ok, farkle") == 5


def test_replay_refuses_what_was_changed(records: Path, capsys: Out) -> None:
    text = records.read_text().splitlines()
    text[1] = text[1].replace('"scores":[', '"scores":[9')
    text[2] = text[2][: len(text[2]) // 2]
    records.write_text("\n".join(text))
    verdicts = lines(run(capsys, "replay", str(records), "--json", code=1))
    assert [verdict["ok"] for verdict in verdicts] == [True, False, False, True, True]
    assert verdicts[1]["step"] > 1
    assert verdicts[1]["reason"]
    assert verdicts[2]["step"] == 0
    assert "refused at step" in run(capsys, "replay", str(records), code=1)


def test_replay_reads_lines_and_one_spread_out_record(
    tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = Table("lite-solo", seed=1).record()
    path = tmp_path / "one.json"
    path.write_text(json.dumps(record.to_json(), indent=2))
    assert lines(run(capsys, "replay", str(path), "--json"))[0]["result"] is None
    assert "not over" in run(capsys, "replay", str(path))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((to_line(record) + "\n").encode())))
    assert lines(run(capsys, "replay", "-", "--json"))[0]["ok"] is True


def test_verify_checks_every_die(tmp_path: Path, capsys: Out) -> None:
    table = Table("shut-the-box", secret="ab" * 32, seed="mine", options={"rounds": 1})
    while not table.is_over:
        table.play(table.legal()[0])
    hidden = to_line(table.record())
    assert "not been revealed" in run(capsys, "verify", hidden, code=1)
    table.reveal()
    (verdict,) = lines(run(capsys, "verify", to_line(table.record()), "--json"))
    assert verdict == {"ok": True, "dice": verdict["dice"], "commitment": table.commitment, "seed": "mine"}
    assert f"all {verdict['dice']} dice" in run(capsys, "verify", to_line(table.record()))
    path = tmp_path / "forged.json"
    path.write_text(str(table.record()).replace('"steps":"d', '"steps":"d6d', 1))
    assert lines(run(capsys, "verify", str(path), "--json", code=1))[0]["ok"] is False
    path.write_text("nonsense")
    assert lines(run(capsys, "verify", str(path), "--json", code=1))[0]["step"] == 0
    assert "ok, shut-the-box" in run(capsys, "replay", to_line(table.record()))


def test_verify_says_how_many_have_contributed(tmp_path: Path, capsys: Out) -> None:
    secret, seeds = "ab" * 32, ["01" * 32, "02" * 32]
    given = [Contribution(n, contribution_seal(commitment(secret), n, seed), seed) for n, seed in enumerate(seeds)]
    for people, said in ((1, "1 person"), (2, "2 people")):
        seats = ("you", "you" if people == 2 else "spec")
        table = Table("knucklebones", seats=seats, secret=secret, contributions=given[:people])
        while not table.is_over:
            table.play(table.legal()[0])
        table.reveal()
        told = run(capsys, "verify", to_line(table.record()))
        assert (
            told
            == f"ok: all {table.dice_used} dice are the seed's; {said} contributed to it, so nobody could choose them\n"
        )
        (verdict,) = lines(run(capsys, "verify", to_line(table.record()), "--json"))
        assert verdict["contributions"] == [one._asdict() for one in given[:people]]
    path = tmp_path / "forged.json"
    path.write_text(str(table.record()).replace(seeds[0], "03" * 32))
    assert "does not open its seal" in run(capsys, "verify", str(path), code=1)
    assert lines(run(capsys, "verify", str(path), "--json", code=1))[0]["code"] == "contribution-seal"


def test_replay_says_who_has_departed(capsys: Out) -> None:
    table = Table("farkle", seats=3, seed=1)
    table.depart(1, "resigned")
    table.play(table.legal()[0])
    table.depart(0, "time")
    told = run(capsys, "replay", to_line(table.record()))
    assert told.endswith("; seat 1 resigned after 1 step; seat 0 ran out of time after 2 steps\n")
    (verdict,) = lines(run(capsys, "replay", to_line(table.record()), "--json"))
    assert verdict["result"] == {"scores": [0, 0, 0], "winners": [2], "why": "time"}
    assert verdict["departures"] == table.record().to_json()["departures"]
    told = run(capsys, "report", to_line(table.record()))
    assert "Now worth" in told, "the run was cut short, so there is no result that luck and moves add up to"


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["odds", "chess"],
        ["play", "chess"],
        ["play", "farkle", "--seed", ""],
        ["play", "farkle", "--seed", "x" * 500],
        ["play", "farkle", "--seats", "nobody"],
        ["play", "farkle", "--seats", "you," * 9],
        ["play", "farkle", "--option", "tiles=9"],
        ["play", "farkle", "--option", "target"],
        ["play", "farkle", "--option", "target=" + "9" * 9000],
        ["play", "farkle", "--option", "hot_dice=maybe"],
        ["play", "farkle", "--preset", "mild"],
        ["play", "farkle", "--preset", "casual", "--option", "preset=arcade"],
        ["play", "farkle", "--save", ""],
        ["play", "farkle", "--save", "/no/such/folder/file"],
        ["odds", "farkle", "--objective", ""],
        ["odds", "farkle", "--objective", "turn", "--compare"],
        ["odds", "lite-solo", "--objective", "race"],
        ["report", ""],
        ["report", "no-such-file"],
        ["games", "chess"],
        ["replay"],
        ["replay", "no-such-file"],
        ["replay", "no\0file"],
        ["replay", "/"],
        ["verify", "no-such-file"],
        ["simulate", "farkle", "--games", "-1"],
        ["simulate", "farkle", "--games", "0"],
        ["simulate", "farkle", "--games", "many"],
        ["simulate", "farkle", "--games", "9" * 50],
        ["simulate", "farkle", "--seats", "nobody"],
        ["simulate", "farkle", "--seats", ""],
        ["simulate", "lite-solo", "--seats", "random,random"],
        ["simulate", "shut-the-box", "--option", "tiles=-3"],
        ["simulate", "shut-the-box", "--option", "mode=long", "--seats", "random,random,random"],
        ["simulate", "farkle", "--games", "1", "--records", "/no/such/folder/file"],
        ["simulate", "farkle", "--games", "1", "--records", ""],
    ],
    ids=lambda arguments: " ".join(arguments)[:40].replace("\0", "0"),
)
def test_bad_input_is_one_clear_line_and_exit_2(arguments: list[str], capsys: Out) -> None:
    message = run(capsys, *arguments, code=2)
    assert len(message) < 600


def test_a_number_is_called_what_it_is(records: Path, capsys: Out) -> None:
    message = run(capsys, "simulate", "farkle", "--games", "-1", code=2)
    assert message == "dicehall: games is a number from 1 to 100 million, not -1\n"
    assert "'9999999999' has too many digits" in run(capsys, "simulate", "farkle", "--games", "9" * 10, code=2)
    assert "'1.5' is not a whole number" in run(capsys, "simulate", "farkle", "--games", "1.5", code=2)
    for seat in ("5", "-1"):
        message = run(capsys, "report", str(records), "--seat", seat, code=2)
        assert message == f"dicehall: there is no seat {seat} at this table\n"


def test_reports_of_several_records_are_numbered(records: Path, capsys: Out) -> None:
    records.write_text(f"{records.read_text()}nonsense\n")
    told = run(capsys, "report", str(records), code=1).splitlines()
    assert [line for line in told if line[:-1].isdecimal()] == ["1:", "2:", "3:", "4:", "5:", "6:"]
    assert told[-2] == "6:"
    assert told[-1].startswith("refused at step 0: ")


def test_who_reads_json_gets_no_menu(capsys: Out) -> None:
    assert "the game has to be named" in run(capsys, "play", "--json", code=2)


def test_a_record_is_read_as_it_was_copied(capsys: Out) -> None:
    """Indented, as `play` prints it, or as the JSON of a file."""
    record = Table("knucklebones", seed="copied", seats=["random", "random"]).record()
    for text in (f"  {to_line(record)}\n", str(record)):
        assert run(capsys, "verify", text) == "ok: all 1 dice are the seed's\n"


def test_files_that_are_no_text_are_refused(tmp_path: Path, capsys: Out) -> None:
    path = tmp_path / "noise"
    path.write_bytes(bytes(range(256)) * 10)
    run(capsys, "replay", str(path), code=2)
    path.write_text("")
    assert "holds no record" in run(capsys, "replay", str(path), code=2)
    path.write_text("[" * 100_000)
    assert lines(run(capsys, "replay", str(path), "--json", code=1))[0]["reason"].endswith("nested too deeply")


def test_help_and_version(capsys: Out) -> None:
    assert run(capsys, "--version") == run(capsys, "-V") == f"dicehall {__version__}\n"
    for command in ("", "play", "games", "replay", "verify", "simulate"):
        assert "--help" in run(capsys, *([command] if command else []), "--help")


def test_the_installed_command_and_the_module_are_one() -> None:
    command = Path(sys.executable).parent / "dicehall"
    for start in ([str(command)], [sys.executable, "-m", "dicehall"]):
        got = subprocess.run([*start, "games", "--json"], capture_output=True, text=True, check=True)
        assert len(json.loads(got.stdout)) == 5


@pytest.mark.parametrize("arguments", ["games", "--help", "odds lite-solo", "nonsense"])
@pytest.mark.parametrize(
    ("output", "said"),
    [(">/dev/full", "dicehall: cannot write 'standard output': No space left on device\n"), ("| exec 0<&-", "")],
)
def test_output_that_goes_nowhere_is_exit_3(arguments: str, output: str, said: str) -> None:
    """A full disk, which one line tells, and a reader that is gone before the first word, such as `head`. Bad input is
    told as ever: it goes elsewhere."""
    command = f"(sleep 0.3; {sys.executable} -m dicehall {arguments}) {output}"
    got = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    if arguments == "nonsense":
        assert got.returncode == 2
        assert got.stderr.count("\n") == 1
    else:
        assert (got.returncode, got.stderr) == (3, said)


def test_a_file_on_a_full_disk_is_one_line_and_exit_3(capsys: Out) -> None:
    assert main(["simulate", "farkle", "--games", "200", "--records", "/dev/full"]) == 3
    assert capsys.readouterr().err == "dicehall: cannot write '/dev/full': No space left on device\n"


# What somebody has typed, and some of the words that the shell then offers.
COMPLETED = {
    "dicehall pl": "play",
    "dicehall --port 80 --l": "--lan",
    "dicehall simulate fa": "farkle",
    "dicehall play farkle --language ''": "en de",
    "dicehall hall ba": "ban backup",
    "dicehall completion --js": "--json",
    "dicehall play farkle --preset s": "standard spicy",
    "dicehall play farkle --preset = s": "standard spicy",
    "dicehall play --preset b": "bronze",
    "dicehall odds farkle --objective tu": "turn turns",
    "dicehall odds shut-the-box --objective ''": "golf digital missionary shut win rounds turns",
    "dicehall report runs.jsonl --objective sc": "score",
    "dicehall solve knucklebones --objective ''": "win-draw-half win-alone",
    "dicehall play farkle --option max": "max_turns=",
    "dicehall play farkle --option max_turns = 1": "",
    "dicehall play farkle --option hot_d": "hot_dice=false hot_dice=true",
    "dicehall play farkle --option hot_dice =": "false true",
    "dicehall play farkle --option hot_dice = t": "true",
    "dicehall play farkle --option = hot_dice = t": "true",
    "dicehall play farkle --option hot_dice=t": "hot_dice=true",  # as in zsh
    "dicehall simulate farkle --seats b": "bank:",
    "dicehall simulate farkle --seats you,p": "you,perfect",
    "dicehall simulate farkle --seats level :": "1 2 3 4 5",
    "dicehall simulate farkle --seats level : 1,level : 2": "2",
    "dicehall simulate knucklebones --seats level : 1,s": "1,spec",
    "dicehall play --seed ''": "",
    "dicehall replay runs.js": "",  # a file, which the shell knows better
}
TYPE = 'type_() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dicehall; echo "${COMPREPLY[*]}"; }'


def test_the_shell_completes(capsys: Out, tmp_path: Path) -> None:
    script = tmp_path / "completion"
    script.write_text(run(capsys, "completion"))
    assert json.loads(run(capsys, "completion", "--json"))["script"] == script.read_text()
    session = [f"source {script}", TYPE, *(f"type_ {typed}" for typed in COMPLETED)]
    got = subprocess.run(["bash", "--norc", "-c", "\n".join(session)], capture_output=True, text=True, check=True)
    assert got.stderr == ""
    assert got.stdout.splitlines() == list(COMPLETED.values())
