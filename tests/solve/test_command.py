"""`dicehall solve`: the same bytes every time, also after a kill; and one clear line for whatever is wrong."""

from __future__ import annotations

import builtins
import io
import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dicehall import streams
from dicehall.cli import main
from dicehall.games import HALL_GAMES
from dicehall.rules.catalog import GAMES
from dicehall.solve import command, farkle_books
from dicehall.solve.workshop import PACKAGED, BookPlan
from tests.soak import SOAKING

QUICK = "lite-solo-score.bin"
SMALL = BookPlan("small.bin", ("one", "two"), str.encode, lambda parts: b"".join(parts.values()))


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Farkle's books are one small one, which belongs into this folder."""
    own = farkle_books.SOLVER._replace(books=lambda: [SMALL._replace(folder=tmp_path)])
    monkeypatch.setattr(farkle_books, "SOLVER", own)
    return tmp_path / SMALL.name


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> list[dict[str, Any]]:
    assert main(["solve", *arguments, "--json"]) == code
    captured = capsys.readouterr()
    assert captured.err == ""
    return [json.loads(line) for line in captured.out.splitlines()]


def every_book() -> list[tuple[str, str]]:
    return [
        (game, book.name) for game, own in HALL_GAMES.items() if own.solved_by for book in command._wanted(GAMES[game])
    ]


@pytest.mark.parametrize(("game", "book"), every_book() if SOAKING else [("lite-solo", QUICK)])
def test_building_again_gives_the_packaged_bytes(game: str, book: str, capsys: pytest.CaptureFixture[str]) -> None:
    (answer,) = told(capsys, game, "--book", book, "--check")
    assert answer.pop("seconds") > 0
    assert answer.pop("parts") > 1
    size = PACKAGED.joinpath(book).stat().st_size
    assert answer == {"book": book, "bytes": size, "kept": 0, "same": True, "file": None}


# A solve whose plug is pulled when it has written a part but not yet put it in its place.
KILLED = """
import os, pathlib, signal, sys
from dicehall.cli import main

put = pathlib.Path.replace
def replace(half, file):
    if file.name == "9.part":
        os.kill(os.getpid(), signal.SIGKILL)
    return put(half, file)
pathlib.Path.replace = replace
main(sys.argv[1:])
"""


def test_killed_in_the_middle_it_goes_on_and_gives_the_same_bytes(
    tmp_path: Path, own_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, work = ["lite-solo", "--book", QUICK, "--to", str(tmp_path)], own_cache / "unfinished" / QUICK
    killed = subprocess.run([sys.executable, "-c", KILLED, "solve", *arguments], capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not (tmp_path / QUICK).exists()
    assert len(list(work.iterdir())) == 10, "nine parts, and one that has no place yet"
    (answer,) = told(capsys, *arguments)
    assert (answer["kept"], answer["same"]) == (9, True)
    assert (tmp_path / QUICK).read_bytes() == PACKAGED.joinpath(QUICK).read_bytes()
    assert not work.exists()


def test_what_is_written_and_what_is_only_checked(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [book["same"] for book in told(capsys, "farkle", "--check", code=1)] == [None]  # there is none
    assert not small.exists()
    assert [book["same"] for book in told(capsys, "farkle")] == [None]
    assert small.read_bytes() == b"onetwo"
    assert [book["same"] for book in told(capsys, "farkle", "--check")] == [True]
    small.write_bytes(b"another")
    assert [book["same"] for book in told(capsys, "farkle", "--check", code=1)] == [False]
    assert small.read_bytes() == b"another"
    told(capsys, "farkle", "--to", str(tmp_path / "new" / "folder"))
    assert (tmp_path / "new" / "folder" / SMALL.name).read_bytes() == b"onetwo"
    assert small.read_bytes() == b"another"


def test_large_books_are_built_only_when_named(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    large = SMALL._replace(name="large.bin", folder=tmp_path / "cache")
    both = farkle_books.SOLVER._replace(large_books=lambda: [large])
    monkeypatch.setattr(farkle_books, "SOLVER", both)
    assert [book["book"] for book in told(capsys, "farkle")] == [small.name]
    assert not (tmp_path / "cache" / "large.bin").exists()
    assert [book["book"] for book in told(capsys, "farkle", "--book", "large.bin")] == ["large.bin"]
    assert (tmp_path / "cache" / "large.bin").read_bytes() == b"onetwo"


def test_a_terminal_sees_how_far_it_is(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(["solve", "farkle"]) == 0
    bars = [
        f"\rsmall.bin [{' ' * 30}] 0 of 2 ",
        f"\rsmall.bin [{'#' * 15}{' ' * 15}] 1 of 2 ",
        f"\rsmall.bin [{'#' * 30}] 2 of 2 \n",
    ]
    assert terminal.getvalue() == "".join(bars)
    told = re.sub(r"\d+\.\d s;", "0.0 s;", capsys.readouterr().out)  # however long it took
    assert told == f"small.bin: 6 bytes in 0.0 s; there was none before; written to {small}\n"
    assert main(["solve", "farkle", "--json"]) == 0
    assert terminal.getvalue() == "".join(bars), "with --json it is silent"


@pytest.mark.usefixtures("small")
def test_a_log_sees_how_far_it_is(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(streams, "PAUSE", 0.0)
    assert main(["solve", "farkle"]) == 0
    assert capsys.readouterr().err == "".join(f"small.bin: {done} of 2 parts\n" for done in (0, 1, 2))
    monkeypatch.setattr(streams, "PAUSE", 600.0)
    assert main(["solve", "farkle"]) == 0
    assert capsys.readouterr().err == "", "a quick book is not worth a line"


def test_the_installed_package_is_written_only_when_told(
    small: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "PACKAGED", small.parent)  # as if this were the package
    (answer,) = told(capsys, "farkle")
    assert answer["file"] == str(own_cache / SMALL.name)
    assert (own_cache / SMALL.name).read_bytes() == b"onetwo"
    assert not small.exists()
    (answer,) = told(capsys, "farkle", "--packaged")
    assert answer["file"] == str(small)
    assert small.read_bytes() == b"onetwo"


def test_help_lists_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["solve", "--help"])
    shown = capsys.readouterr().out
    assert all(game in shown for game in GAMES)


def test_words_for_a_solve_that_goes_on(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    told = {"book": "b.bin", "bytes": 1234, "parts": 9, "kept": 4, "seconds": 2.34, "same": True, "file": None}
    command._tell(told, as_json=False)
    said = "b.bin: 1,234 bytes in 2.3 s, 4 of 9 parts from an earlier try; the same as before\n"
    assert capsys.readouterr().out == said


def test_the_books_of_some_options_are_found_from_then_on(own_cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--option", "target=300", "--option", "board_minimum=250"]
    assert main(["odds", "farkle", "--objective", "turns", *options]) == 2
    assert "build it: `dicehall solve farkle --option target=300 --option board_minimum=250`" in capsys.readouterr().err
    answers = told(capsys, "farkle", *options)
    assert [answer["book"] for answer in answers] == [f"farkle-{kind}-to300-board250.bin" for kind in ("turns", "race")]
    assert {file.name for file in own_cache.glob("*.bin")} == {answer["book"] for answer in answers}
    assert main(["odds", "farkle", "--objective", "turns", *options, "--json"]) == 0
    assert 1 < json.loads(capsys.readouterr().out)["value"] < 3
    assert [answer["same"] for answer in told(capsys, "farkle", *options, "--check")] == [True, True]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["checkers"], "checkers"),
        (["knucklebones"], "knucklebones is solved into a file: say --out FILE; "),
        (["farkle", "--out", "x.bin"], "every position is there of knucklebones alone"),
        (["lite-solo", "--option", "reroll=true"], "no book of lite-solo is for some options only"),
        (["farkle", "--option", "bank_minimum=300", "--book", "x"], "choose a book or options, not both"),
        (["farkle", "--option", "bank_minimum=much"], "bank_minimum"),
        (["farkle", "--preset", "spicy"], "these options need no book of their own; they are in farkle-tables.bin"),
        (["farkle", "--preset", "arcade"], "everything is known without a book"),
        (["farkle", "--book", "cooking"], "farkle has no book 'cooking'; it has farkle-tables.bin"),
    ],
)
def test_what_cannot_be_solved(arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert why in captured.err


@pytest.mark.usefixtures("small")
def test_a_folder_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(["solve", "farkle", "--to", str(tmp_path / "file")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("dicehall: cannot write ")
    assert error.count("\n") == 1


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("check", [[], ["--check"]])
def test_a_cache_that_cannot_be_used(
    check: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path / "file"))
    assert main(["solve", "farkle", *check]) == 2
    error = capsys.readouterr().err
    assert error.startswith("dicehall: cannot write ")
    assert error.count("\n") == 1


@pytest.mark.parametrize("missing", ["numpy", "numba"])
def test_without_its_packages(
    missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    importing = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == missing:
            raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)
        return importing(name, *rest)

    for name in ("farkle", "farkle_results", "farkle_books"):
        monkeypatch.delitem(sys.modules, f"dicehall.solve.{name}")
        monkeypatch.delattr(f"dicehall.solve.{name}")
    monkeypatch.setattr(builtins, "__import__", refuse)
    assert main(["solve", "farkle"]) == 2
    assert capsys.readouterr().err == "dicehall: solving needs more: pip install 'dicehall[solve]'\n"
