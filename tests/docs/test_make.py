"""The commands that the pages name are there; under `make soak` those that measure or film run, in a short form."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from typing import Final

import pytest

from dicehall import find_game
from dicehall.coach.protocol import read_objective
from dicehall.games import HALL_GAMES
from tests.docs.pages import PAGES, ROOT, read
from tests.soak import SOAKING

TARGETS: Final = set(re.findall(r"^([a-z][a-z-]*):", read(ROOT / "Makefile"), re.MULTILINE))
NAMED: Final = re.compile(r"(?:`|^\$ )make ([a-z-]+)", re.MULTILINE)
# By script, what makes it short. 0 and 1 are both fine: on a busy machine a measurement may miss its mark.
SHORT: Final = {
    "bench/rules.py": ["--seconds", "0.2"],
    "bench/server.py": ["--seconds", "0.5", "--minutes", "0.05"],
    "bench/load.py": ["--seconds", "0.5"],
    "bench/boards.py": ["--runs", "2000"],
    "bench/page.py": ["--runs", "1", "--taps", "2"],
    "bench/solve.py": ["--only", "advice"],
}


def test_every_target_that_the_pages_name_is_in_the_makefile() -> None:
    for page in PAGES:
        for target in NAMED.findall(read(page)):
            assert target in TARGETS, f"{page.name} names `make {target}`"


def test_every_benchmark_has_a_short_form_and_a_target() -> None:
    scripts = re.findall(r"\$\(BIN\)/python (bench/\w+\.py)", read(ROOT / "Makefile"))
    assert set(scripts) == set(SHORT)


@pytest.mark.parametrize("name", HALL_GAMES)
def test_what_advice_is_timed_on_is_solved(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    game, variants = find_game(name), runpy.run_path(str(ROOT / "bench" / "solve.py"))["VARIANTS"][name]
    for chosen, seats, objective in variants():
        assert read_objective(game, objective).text == objective
        game.begin(game.make_options(chosen), seats)


@pytest.mark.skipif(not SOAKING, reason="takes minutes, and installs peers from the registries")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("script", SHORT)
def test_a_benchmark_runs(script: str) -> None:
    command = [sys.executable, script, *SHORT[script], "--json"]
    got = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert got.returncode in (0, 1), got.stderr[-2000:]
    assert '"checks"' in got.stdout


@pytest.mark.skipif(not SOAKING, reason="films at the speed of play")
def test_a_film_is_taken() -> None:
    sheet = ROOT / "films" / "lite-place.png"
    sheet.unlink(missing_ok=True)
    command = [sys.executable, "docs/images/take_films.py", sheet.stem]
    got = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert got.returncode == 0, got.stderr[-2000:]
    assert sheet.read_bytes().startswith(b"\x89PNG")
