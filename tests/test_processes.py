"""What tests begin ends with them, however they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.processes import ROOT

# As `python -m tests.browser.ends` begins one, or a test does, and then has other things to do.
BEGIN = """
import sys, time
from pathlib import Path
from tests.processes import begin

hall = begin("tests.browser.hall", sys.argv[1], errors=Path(sys.argv[1]) / "hall.log")
told = hall.stdout.readline().decode()
print(hall.pid, told.split("/")[2], flush=True)
time.sleep(600)
"""


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("forked", [False, True])
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_hall_ends_with_whoever_began_it(how: signal.Signals, forked: bool, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if forked or name != "PYTEST_VERSION"}
    command = [sys.executable, "-c", BEGIN, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as begun:
        assert begun.stdout is not None
        pid, address = begun.stdout.readline().split()
        assert address.startswith("127.0.0.1:")
        assert runs(int(pid))
        begun.send_signal(how)
    try:
        until = time.monotonic() + PATIENCE
        while runs(int(pid)):
            assert time.monotonic() < until, "it runs still"
            time.sleep(0.05)
    finally:
        with suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
