"""Standard input, output and error that were closed before the command began, or are full; and how far long work is."""

from __future__ import annotations

import io
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dicehall import cli, streams
from dicehall.cli import main
from dicehall.lab.simulate import simulate
from dicehall.play.record_line import to_line
from dicehall.play.replay import check, split_records
from dicehall.play.table import Table
from tests.patience import PATIENCE

Out = pytest.CaptureFixture[str]
RECORD = to_line(Table("lite-solo", seed=1).record())
UNREADABLE, UNWRITTEN = "Bad file descriptor", "dicehall: cannot write 'standard output': Bad file descriptor\n"


def shell(command: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """What bash says of `dicehall command`, where `command` may redirect."""
    whole = f"{sys.executable} -m dicehall {command}"
    return subprocess.run(["bash", "-c", whole], capture_output=True, text=True, check=False, **more)


@pytest.mark.parametrize(
    "command", ["play farkle", "play", "play --json farkle", "play --resume", "replay -", "verify -", "report -"]
)
def test_a_closed_input_is_one_line_and_exit_2(command: str) -> None:
    got = shell(f"{command} <&-")
    assert (got.returncode, got.stdout, got.stderr.count("\n")) == (2, "", 1)
    assert got.stderr.startswith("dicehall: cannot read ")
    assert got.stderr.endswith(f": {UNREADABLE}\n")


def test_who_asks_nobody_needs_no_input() -> None:
    got = shell("play knucklebones --seats random,random --seed 1 --json <&-")
    assert (got.returncode, got.stderr) == (0, "")
    assert "record" in json.loads(got.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    "command",
    [
        "games", "odds lite-solo", f"replay '{RECORD}'", f"verify '{RECORD}'", "completion", "-V", "--help",
        "games --json", "play --help", "simulate farkle --games 1", "play farkle </dev/null",
    ],
)  # fmt: skip
def test_a_closed_output_is_one_line_and_exit_3(command: str) -> None:
    got = shell(f"{command} >&-")
    assert (got.returncode, got.stdout, got.stderr) == (3, "", UNWRITTEN)


@pytest.mark.parametrize(("command", "code"), [("odds nope", 2), ("nonsense", 2), ("-V", 0)])
@pytest.mark.parametrize("error", ["&-", "/dev/full"])
def test_errors_that_nobody_reads_go_nowhere_else(command: str, code: int, error: str) -> None:
    got = shell(f"{command} 2>{error}")
    assert got.returncode == code
    assert got.stdout.startswith("dicehall ") == (code == 0)
    assert (got.stdout == "") == (code == 2)


OPEN = """
import os, sys
from dicehall import streams
streams.begin()
os.system("echo something that a child says")
sys.exit(os.open(os.devnull, os.O_RDONLY))
"""


def test_no_file_takes_the_place_of_what_is_closed() -> None:
    """Else what a child says would be written into it. Nor does a child find its output closed."""
    command = ["bash", "-c", '"$@" <&- >&- 2>&-', "bash", sys.executable, "-c", OPEN]
    assert subprocess.run(command, check=False).returncode > 2


def test_records_are_kept_though_nobody_reads_of_them(tmp_path: Path) -> None:
    assert shell(f"simulate farkle --games 3 --records {tmp_path}/runs <&- >&- 2>&-").returncode == 3
    assert all(check(text).ok for text in split_records((tmp_path / "runs").read_text()))


SERVE = """
import sys
from dicehall import cli
from dicehall.server import serve
serve.serve = lambda *_, **__: print("The hall is open", flush=True) or 0
sys.exit(cli.main([]))
"""


def test_a_hall_opens_though_nobody_reads_its_address() -> None:
    got = subprocess.run(
        ["bash", "-c", 'exec "$@" >&-', "bash", sys.executable, "-c", SERVE],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (got.returncode, got.stderr) == (0, "")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_simulate_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    monkeypatch.setattr(streams, "PAUSE", 0.0)
    assert main(["simulate", "farkle", "--games", "3"]) == 0
    assert capsys.readouterr().err == "".join(f"simulate: {done} of 3 games\n" for done in (1, 2, 3))
    assert main(["simulate", "farkle", "--games", "3", "--json"]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(streams, "PAUSE", 600.0)
    assert main(["simulate", "farkle", "--games", "3"]) == 0
    assert capsys.readouterr().err == "", "what is quick is not worth a line"
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    assert main(["simulate", "farkle", "--games", "100"]) == 0
    bars = terminal.getvalue()
    assert 30 <= bars.count("\r") <= 60, "not one a game"
    assert bars.endswith(f"\rsimulate [{'#' * 30}] 100 of 100 \n")


def pressed_after(games: int, real: Callable[..., Any], times: int = 1) -> Callable[..., Any]:
    """`simulate`, in which somebody presses Ctrl-C while the next game is played."""

    def interrupted(*arguments: Any) -> Any:
        *rest, keep, tell = arguments
        played = 0

        def kept(record: Any) -> None:
            nonlocal played
            played += 1
            if played > games:
                for _ in range(times):
                    os.kill(os.getpid(), signal.SIGINT)
            keep(record)

        return real(*rest, kept, tell)

    return interrupted


@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_an_interrupted_simulation_keeps_what_is_complete(
    json_too: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    path = tmp_path / "runs.jsonl"
    monkeypatch.setattr(cli, "simulate", pressed_after(4, simulate))
    assert main(["simulate", "farkle", "--games", "1000", *json_too]) == 130
    assert capsys.readouterr() == ("", "dicehall: stopped after 5 of 1000 games\n")
    assert main(["simulate", "farkle", "--games", "1000", "--records", str(path), *json_too]) == 130
    told = f"dicehall: stopped after 5 of 1000 games; their records are in {path}\n"
    assert capsys.readouterr() == ("", told)
    records = split_records(path.read_text())
    assert [check(text).ok for text in records] == [True] * 5
    assert main(["simulate", "farkle", "--games", "5", *json_too]) == 0, "all were played"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_pressed_twice_it_stops_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text("as it was")
    monkeypatch.setattr(cli, "simulate", pressed_after(4, simulate, times=2))
    assert main(["simulate", "farkle", "--games", "1000", "--records", str(path)]) == 130
    assert capsys.readouterr() == ("", "\n")
    assert [(path.name, path.read_text())] == [(one.name, one.read_text()) for one in tmp_path.iterdir()]


def test_who_ignores_interrupts_goes_on_doing_so(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        monkeypatch.setattr(cli, "simulate", pressed_after(1, simulate))
        assert main(["simulate", "farkle", "--games", "3"]) == 0
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_ctrl_c_at_a_real_terminal() -> None:
    keyboard, terminal = pty.openpty()
    command = ["setsid", "--ctty", sys.executable, "-m", "dicehall", "simulate", "farkle", "--games", "100000000"]
    with subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal) as process:
        os.close(terminal)
        said = b""
        while b" of 100000000" not in said:
            said += os.read(keyboard, 4096)
        os.write(keyboard, b"\x03")
        while b"stopped after" not in said:
            said += os.read(keyboard, 4096)
        assert process.wait(PATIENCE) == 130
    os.close(keyboard)
