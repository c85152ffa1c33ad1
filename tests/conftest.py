"""Hypothesis draws the same examples in every run of `make test`, and new ones in every `make soak`."""

from __future__ import annotations

import pytest
from hypothesis import settings

from tests.soak import SOAKING

settings.register_profile("same", derandomize=True, database=None)
settings.register_profile("soak", print_blob=True)
settings.load_profile("soak" if SOAKING else "same")


@pytest.fixture(autouse=True)
def no_books_of_ones_own(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The coach knows what is packaged, and not what whoever runs the tests had solved on this machine."""
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture(autouse=True)
def no_runs_of_ones_own(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test finds the unfinished runs of whoever runs the tests, nor those of another test."""
    monkeypatch.setenv("DICEHALL_STATE", str(tmp_path_factory.mktemp("state")))


@pytest.fixture(autouse=True)
def spoken_to_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands speak the language of the terminal they are typed into; here that is English, wherever we are."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
