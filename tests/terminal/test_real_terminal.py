"""At a real terminal: keys that edit and recall, lines that fit, and what a hang-up leaves."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from dicehall.terminal.kept import kept_files, waiting
from tests.patience import PATIENCE

UP, LEFT, BACKSPACE = "\x1b[A", "\x1b[D", "\x7f"


class Screen:
    """A process at a terminal."""

    def __init__(self, process: subprocess.Popen[bytes], keyboard: int) -> None:
        self.process, self.keyboard = process, keyboard
        self.shown = ""

    def type(self, keys: str) -> str:
        """Press keys; what the terminal shows until the next prompt."""
        os.write(self.keyboard, keys.encode())
        return self.prompt()

    def prompt(self) -> str:
        self.shown, until = "", time.monotonic() + PATIENCE
        while not re.search(r"\n(\x1b\[[?\d;]*[a-z])*> $", self.shown.replace("\r", "")):
            assert time.monotonic() < until, f"no prompt after {self.shown!r}"
            if select.select([self.keyboard], [], [], 1)[0]:
                self.shown += os.read(self.keyboard, 4096).decode()
        return self.shown


@contextmanager
def at_a_terminal(*arguments: str, columns: int = 80) -> Iterator[Screen]:
    keyboard, terminal = pty.openpty()
    os.set_inheritable(terminal, True)
    command = [sys.executable, "-m", "dicehall", "play", *arguments]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns), "LINES": "24", "INPUTRC": os.devnull}
    with subprocess.Popen(  # in a session of its own, whose terminal is ours: closing it hangs up
        ["setsid", "--ctty", *command], stdin=terminal, stdout=terminal, stderr=terminal, env=environment
    ) as process:
        os.close(terminal)
        screen = Screen(process, keyboard)
        try:
            screen.prompt()
            yield screen
        finally:
            os.close(keyboard)
            process.wait(PATIENCE)


def test_arrow_keys_recall_and_edit() -> None:
    with at_a_terminal("lite-solo", "--seed", "1") as screen:
        assert "take the last move back" in screen.type("help\r")
        assert "take the last move back" in screen.type(f"{UP}\r")
        assert "You: b2." in screen.type(f"x2{LEFT}{BACKSPACE}b\r")
        assert "You: c2." in screen.type(f"{UP}{LEFT}{BACKSPACE}c\r")


@pytest.mark.parametrize(("game", "language"), [("shut-the-box", "en"), ("lite-solo", "de"), ("farkle", "de")])
def test_lines_fit_into_a_narrow_terminal(game: str, language: str) -> None:
    with at_a_terminal(game, "--seed", "1", "--language", language, columns=40) as screen:
        said = screen.shown + "".join(screen.type(f"{word}\r") for word in ("moves", "rules", "help", "hint", "report"))
    lines = said.replace("\r", "").split("\n")
    assert len(lines) > 40
    assert [line for line in lines if len(re.sub(r"\x1b\[[?\d;]*[a-z]", "", line)) > 40] == []


def test_a_hang_up_loses_nothing() -> None:
    with at_a_terminal("knucklebones", "--seed", "1") as screen:
        screen.type("2\r")
        screen.type("3\r")
        assert waiting() == [], "while it is played, nobody else can"
    (file,) = kept_files()
    assert waiting() == [file]
    assert re.search(r'"steps":"d6 2 d6 \d d\d 3 d', file.read_text())


def test_a_pipe_gets_no_control_characters() -> None:
    command = [sys.executable, "-m", "dicehall", "play", "lite-solo", "--seed", "1"]
    done = subprocess.run(command, input="\x1b[A\na1\n", capture_output=True, text=True, check=True)
    assert "You: a1." in done.stdout
    assert "'?[A' is not a cell" in done.stdout
    assert "\x1b" not in done.stdout
