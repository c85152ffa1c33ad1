"""`dicehall` in a terminal: it opens a browser, unless it is told not to."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest


@pytest.mark.parametrize("arguments", [[], ["--no-browser"]])
def test_a_browser_is_opened_unless_somebody_minds(arguments: list[str], tmp_path: Path) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.new\nmv {opened}.new {opened}\n')
    browser.chmod(0o700)
    serve = [sys.executable, "-m", "dicehall", "--data", str(tmp_path / "data"), "--port", "0", *arguments]
    ours, theirs = pty.openpty()
    env = {**os.environ, "BROWSER": str(browser)}
    with (
        os.fdopen(ours, encoding="utf-8") as terminal,
        subprocess.Popen(serve, stdout=theirs, stderr=subprocess.DEVNULL, env=env) as hall,
    ):
        os.close(theirs)
        address = terminal.readline().removeprefix("The hall is open at ").strip()
        deadline = time.monotonic() + (1 if arguments else 60)
        while not opened.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        hall.terminate()
        hall.wait(30)
    assert address.startswith("http://127.0.0.1:")
    assert not opened.exists() if arguments else opened.read_text().strip() == address
