"""Sentences, numbers and lists as each language writes them."""

from __future__ import annotations

import doctest
from fractions import Fraction

import pytest

from dicehall.terminal import words as module
from dicehall.terminal.words import LANGUAGES, Words, usual_language

ENGLISH, GERMAN = Words("en"), Words("de")


def test_one_and_many() -> None:
    assert [ENGLISH.t("aim.turns", n=n) for n in (0, 1, 2)] == ["0 turns", "1 turn", "2 turns"]
    assert [GERMAN.t("aim.turns", n=n) for n in (0, 1, 2)] == ["0 Züge", "1 Zug", "2 Züge"]
    assert GERMAN.t("aim.turns", n="1,00") == "1,00 Züge"


def test_numbers() -> None:
    assert [ENGLISH.number(n) for n in (7, 999, 1000, 1234567, -5000)] == ["7", "999", "1,000", "1,234,567", "-5,000"]
    assert [GERMAN.number(n) for n in (7, 999, 1000, 1234567, -5000)] == ["7", "999", "1.000", "1.234.567", "-5.000"]
    value = Fraction(24691, 2)
    assert (ENGLISH.decimal(value), GERMAN.decimal(value)) == ("12,345.50", "12.345,50")
    assert (ENGLISH.decimal(value, signed=True), GERMAN.decimal(-value, 1, signed=True)) == ("+12,345.50", "-12.345,5")
    assert [ENGLISH.decimal(small, signed=True) for small in (Fraction(0), Fraction(-1, 999))] == ["0.00", "0.00"]
    assert (ENGLISH.percent(Fraction(1, 8)), GERMAN.percent(Fraction(1, 8), 1)) == ("12%", "12,5\u00a0%")
    assert (ENGLISH.precise(Fraction(2, 3)), GERMAN.precise(Fraction(2, 3))) == ("0.666666666667", "0,666666666667")


def test_lists() -> None:
    people = ["Ada", "Bob", "Eve"]
    assert [ENGLISH.listed(people[:n]) for n in (1, 2, 3)] == ["Ada", "Ada and Bob", "Ada, Bob, and Eve"]
    assert [GERMAN.listed(people[:n]) for n in (1, 2, 3)] == ["Ada", "Ada und Bob", "Ada, Bob und Eve"]


def test_sentences_end() -> None:
    assert (ENGLISH.t("terminal.lose"), ENGLISH.sentence("terminal.lose")) == ("Not this time", "Not this time.")
    assert ENGLISH.sentence("end.win") == "You won!"


def test_what_is_missing_is_a_fault_of_ours() -> None:
    for language in LANGUAGES:
        with pytest.raises(KeyError, match="no-such-text"):
            Words(language).t("no-such-text")
        with pytest.raises(KeyError, match="n"):
            Words(language).t("terminal.total")


def test_braces_of_a_player_are_left_alone() -> None:
    assert ENGLISH.t("terminal.to-move", who="{n}") == "{n} (to move)"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "DE"}, "de"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "de_DE.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "", "LC_ALL": ""}, "de"),
    ],
)
def test_the_language_of_the_terminal(environment: dict[str, str], language: str) -> None:
    assert usual_language(environment) == language


def test_the_example_in_the_module() -> None:
    assert doctest.testmod(module) == (0, 1)
