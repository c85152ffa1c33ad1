"""How the tests run: what Hypothesis draws, what Numba compiled, what is not built again.

Hypothesis draws the same examples in every run of `make test`, and new ones in every `make soak`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from typing import Final

import pytest
from hypothesis import settings

from tests.kept import COMPILED, UNCHANGED, stamp
from tests.soak import SOAKING

# without a deadline: on a busy machine everything takes long now and then
settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.register_profile("soak", print_blob=True, deadline=None)
settings.load_profile("soak" if SOAKING else "same")

STATES: Final = count()  # a folder for each test, which whoever writes into it makes

os.environ.setdefault("NUMBA_CACHE_DIR", str(COMPILED))  # before anybody imports Numba; one for all workers


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    mark = item.get_closest_marker("rebuilds")
    if mark and not SOAKING and stamp(mark.args[0], item.nodeid, item.path).exists():
        pytest.skip(UNCHANGED)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    yield
    if mark := item.get_closest_marker("rebuilds"):
        passed = stamp(mark.args[0], item.nodeid, item.path)
        passed.parent.mkdir(parents=True, exist_ok=True)
        passed.touch()


@pytest.fixture(autouse=True)
def no_books_of_ones_own(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The coach knows what is packaged, and not what whoever runs the tests had solved on this machine."""
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture(autouse=True)
def no_runs_of_ones_own(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test finds the unfinished runs of whoever runs the tests, nor those of another test."""
    monkeypatch.setenv("DICEHALL_STATE", str(tmp_path_factory.getbasetemp() / "state" / str(next(STATES))))


@pytest.fixture(autouse=True)
def spoken_to_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands speak the language of the terminal they are typed into; here that is English, wherever we are."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
