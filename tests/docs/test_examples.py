"""The examples in the documentation run, and print what the pages say they print."""

from __future__ import annotations

import doctest
import io
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dicehall import cli, streams
from tests.docs.pages import LANGUAGES, PAGES, blocks, name, read

FLAGS = doctest.NORMALIZE_WHITESPACE  # and no ellipsis: boards are written with dots


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_fenced_block_is_of_a_kind_the_tests_know(page: Path) -> None:
    for block in blocks(read(page)):
        assert block.language in LANGUAGES, f"{name(page)}:{block.line}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_python_sessions_print_what_the_page_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = read(page)
    lines = [""] * len(text.splitlines())  # everything else is blanked out, so that line numbers stay true
    for block in blocks(text):
        if block.language == "pycon":
            lines[block.line : block.line + len(block.lines)] = block.lines
    session = doctest.DocTestParser().get_doctest("\n".join(lines) + "\n", {}, name(page), str(page), 0)
    told: list[str] = []
    results = doctest.DocTestRunner(optionflags=FLAGS).run(session, out=told.append)
    assert results.failed == 0, "".join(told)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_shell_sessions_print_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path / "cache"))  # not that of whoever runs the tests
    monkeypatch.setattr(streams, "PAUSE", 600.0)  # a page does not show how far a slow machine is
    code = 0
    for block in blocks(read(page)):
        if block.language != "console run":
            continue
        for command, expected in commands(block.lines):
            place = f"{name(page)}:{block.line}: {command}"
            if command == "echo $?":
                printed = f"{code}\n"
            elif "dicehall" in shlex.split(command):
                code, printed = run_dicehall(command, monkeypatch, capsys)
            elif shutil.which("openssl") and shutil.which("bash"):
                done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
                code, printed = done.returncode, done.stdout + done.stderr
            else:
                continue
            pattern = ".*?".join(re.escape(part) for part in expected.split("…"))
            fits = re.fullmatch(pattern, printed, flags=re.DOTALL)
            assert fits, f"{place}\nthe page says:\n{expected}\nit printed:\n{printed}"


def commands(lines: list[str]) -> list[tuple[str, str]]:
    """Every command of a session with what the page shows after it."""
    found: list[tuple[str, str]] = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], ""))
        else:
            assert found, "a session begins with a command"
            command, expected = found[-1]
            if command.endswith("\\"):  # a command that goes on in the next line
                found[-1] = command[:-1] + line.strip(), ""
            else:
                found[-1] = command, f"{expected}{line}\n"
    return found


def run_dicehall(command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    words, given = shlex.split(command), ""
    if "|" in words:
        assert (words[0], words[2]) == ("printf", "|"), "only printf can feed a command here"
        given, words = words[1].replace("\\n", "\n"), words[3:]
    assert words[0] == "dicehall"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode()), encoding="utf-8"))
    try:
        code = cli.main(words[1:])
    except SystemExit as leaving:  # argparse leaves by itself after --help and after bad input
        code = leaving.code if isinstance(leaving.code, int) else 1
    captured = capsys.readouterr()
    return code, captured.out + captured.err
