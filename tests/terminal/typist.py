"""Somebody at the prompt of `dicehall play`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pytest

from dicehall.cli import main

Out = pytest.CaptureFixture[str]

EASY: Final = ["bank", "#1"] * 400  # bank whenever that is a move, else the first of the list
SHORT: Final = {"farkle": ("--option", "target=500")}


class Typist:
    """Answers the prompt, and leaves (end of file) when there is nothing left to say."""

    def __init__(self, answers: Iterable[str]) -> None:
        self.answers = iter(answers)

    def __call__(self, prompt: str = "") -> str:
        try:
            return next(self.answers)
        except StopIteration:
            raise EOFError from None


def flat(said: str) -> str:
    """What was said, without the breaks of its lines."""
    return " ".join(said.split())


def play(monkeypatch: pytest.MonkeyPatch, capsys: Out, answers: Iterable[str], *arguments: str) -> str:
    monkeypatch.setattr("builtins.input", Typist(answers))
    assert main(["play", *arguments]) == 0
    return capsys.readouterr().out
