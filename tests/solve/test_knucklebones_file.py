"""`dicehall solve knucklebones --out FILE`: the same bytes every time, also after a kill."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dicehall import streams
from dicehall.cli import main
from dicehall.coach.knucklebones.table import ONE, PAGE, Table
from dicehall.solve.knucklebones.blocks import Work
from dicehall.solve.knucklebones.cpu import Sweeps, solve
from dicehall.solve.knucklebones.file import LONGEST, Swept, solve_into, write


def arguments(file: Path, *more: str) -> list[str]:
    return ["solve", "knucklebones", "--columns", "1", "--out", str(file), *more]


def told(capsys: pytest.CaptureFixture[str], file: Path, *more: str) -> dict[str, Any]:
    assert main(arguments(file, *more, "--json")) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    answer: dict[str, Any] = json.loads(captured.out)
    return answer


@pytest.mark.parametrize("objective", ["win-draw-half", "win-alone"])
def test_every_position_lies_in_the_file(objective: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new" / "one.bin"
    answer = told(capsys, file, "--objective", objective)
    work = solve(1, objective)
    assert file.read_bytes()[PAGE:] == b"".join(values.tobytes() for values in work.tables)
    table = Table(str(file))
    assert table.units([(6, 6)], [(1,)]) / ONE == work.value([(6, 6)], [(1,)])
    assert answer["start"] == work.value([()], [()])
    assert answer["off"] == table.about["off"] == work.off()
    assert answer["wrong_by"] == table.about["wrong_by"] == LONGEST[1] * work.off()
    assert 0.5 <= work.off() < 1.5, "one half, and what has changed since"
    assert (answer["bytes"], table.about["settled"]) == (file.stat().st_size, True)
    assert told(capsys, file, "--objective", objective)["sweeps"] == answer["sweeps"], "there is nothing left to do"


# A solve that writes its file after every sweep, and whose plug is pulled in the middle of the fifth time.
KILLED = """
import os, pathlib, signal, sys
from dicehall.cli import main
from dicehall.solve.knucklebones import file

file.solve_into.__defaults__ = (0.0,)
put, times = pathlib.Path.replace, []
def replace(half, file):
    times.append(file)
    if len(times) == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return put(half, file)
pathlib.Path.replace = replace
main(sys.argv[1:])
"""


def test_killed_in_the_middle_it_goes_on_and_gives_the_same_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, other = tmp_path / "one.bin", tmp_path / "other.bin"
    killed = subprocess.run([sys.executable, "-c", KILLED, *arguments(file)], capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert (Table(str(file)).about["sweeps"], Table(str(file)).about["settled"]) == (4, False)
    assert told(capsys, file)["sweeps"] == told(capsys, other)["sweeps"] > 4
    assert file.read_bytes() == other.read_bytes()


def test_what_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(streams, "PAUSE", 0.0)
    assert main(arguments(tmp_path / "one.bin")) == 0
    captured = capsys.readouterr()
    first, second, *_ = captured.err.splitlines()
    assert first.startswith("one.bin: sweep 1 changed values by 0.4")
    assert first.endswith(" s")
    assert second.endswith(" s left")
    assert captured.out.startswith("one.bin: 10,230 bytes after ")
    off = "every value follows from its neighbours to 0.000010 and is wrong by 0.00006 at most"
    assert captured.out.endswith(f"; the start is worth 0.65104; {off}\n")
    monkeypatch.setattr(streams, "PAUSE", 600.0)
    assert main(arguments(tmp_path / "other.bin")) == 0
    assert capsys.readouterr().err == "", "a quick solve is not worth a line"


def test_how_long_it_will_take_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every sweep leaves a tenth of the change of the one before: from 100 units to one it takes two more."""

    def slowly(path: Path, work: Work, tell: Callable[[Swept], None]) -> dict[str, Any]:
        tell(Swept(1, 1000.0, 3.0))
        tell(Swept(2, 100.0, 3.0))
        return solve_into(path, work, lambda _: None)

    monkeypatch.setattr(streams, "PAUSE", 0.0)
    monkeypatch.setattr("dicehall.solve.knucklebones.file.solve_into", slowly)
    assert main(arguments(tmp_path / "one.bin")) == 0
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith("; 3.0 s")
    assert second.endswith("; 3.0 s, about 6 s left")


def test_a_solve_is_written_once_in_so_many_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With sweeps of ten seconds and twenty between two times, after every second sweep; and after the last."""
    seconds, sweeps = 0.0, list[int]()

    class Slow(Sweeps):
        def sweep(self) -> int:
            nonlocal seconds
            seconds += 10
            return super().sweep()

    def write_down(path: Path, about: dict[str, Any], work: Work) -> dict[str, Any]:
        sweeps.append(about["sweeps"])
        return write(path, about, work)

    monkeypatch.setattr("dicehall.solve.knucklebones.file.time", SimpleNamespace(monotonic=lambda: seconds))
    monkeypatch.setattr("dicehall.solve.knucklebones.file.write", write_down)
    last = solve_into(tmp_path / "one.bin", Slow(1), lambda _: None, 20.0)["sweeps"]
    assert last > 6
    assert sweeps == [*range(2, last, 2), last]


def test_a_file_of_something_else_stays_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "one.bin"
    file.write_bytes(b"diary")
    assert main(arguments(file)) == 2
    assert file.read_bytes() == b"diary"
    assert "is no file of solved Knucklebones" in capsys.readouterr().err
    file.unlink()
    told(capsys, file)
    assert main(arguments(file, "--objective", "win-alone")) == 2
    assert "holds another game of Knucklebones; name another file" in capsys.readouterr().err
    damaged = bytearray(file.read_bytes())
    damaged[PAGE] ^= 1
    file.write_bytes(damaged)
    assert main(arguments(file)) == 2
    assert "is damaged; delete it and solve again" in capsys.readouterr().err
    assert file.read_bytes() == damaged


def test_a_file_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(arguments(tmp_path / "file" / "one.bin")) == 2
    error = capsys.readouterr().err
    assert error.startswith("dicehall: cannot write ")
    assert error.count("\n") == 1
