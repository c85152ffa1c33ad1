"""Targets: which are calibrated for a variant, and the chances that are told beside them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from dicehall.coach.lite_solo.targets import chance, ladder, targets
from dicehall.coach.targets import CALIBRATED
from dicehall.rules import lite_solo
from dicehall.rules.lite_solo import Options, start
from tests.coach.asked import solo

BASE = Options()
every_variant = pytest.mark.parametrize(
    "options",
    [
        Options(columns=columns, reroll=reroll, wild=wild)
        for columns, reroll, wild in product((False, True), (False, True), ("off", "contains", "natural"))
    ],
    ids=str,
)


def test_published_figures() -> None:
    """Under the base rules perfect play reaches 90 about once in nine runs, and 150 about once in 120,000."""
    assert chance(BASE, 90) == (1_085_322, 6**9)
    assert chance(BASE, 150) == (85, 6**9)
    assert round(6**9 / 1_085_322) == 9
    assert round(6**9 / 85, -4) == 120_000


@every_variant
def test_chances_are_what_the_coach_says(options: Options) -> None:
    for target in range(0, 330, 7):
        assert Fraction(*chance(options, target)) == solo.values(options, 1, f"target:{target}")(start(options, 1))
    assert chance(options, -5) == chance(options, 0)


@every_variant
def test_calibrated_targets(options: Options) -> None:
    """The highest target that perfect play reaches at least once in 2, 10 and 100 runs; one point more is rarer."""
    rungs = ladder(options)
    assert [rung.name for rung in rungs] == list(CALIBRATED)
    assert not CALIBRATED.keys() & lite_solo.PRESETS.keys()
    for rung, once_in in zip(rungs, (2, 10, 100), strict=True):
        assert chance(options, rung.target) == (rung.ways, rung.of)
        more = Fraction(*chance(options, rung.target + 1))
        assert more < Fraction(1, once_in) <= Fraction(rung.ways, rung.of)


def test_calibrated_targets_of_the_base_rules() -> None:
    assert [(rung.name, rung.target) for rung in ladder(BASE)] == [("even", 65), ("bold", 90), ("dream", 111)]


@pytest.mark.parametrize("board", ["666/.../...", "666/5../...", "666/555/...", "666/555/444"])
def test_a_target_that_has_been_passed_is_certain(board: str) -> None:
    """Early boards are looked up in the book, later ones are played out."""
    state = lite_solo.read_state(BASE, f"{board} - -")
    for target in (0, 1, 53, 54):
        assert solo.values(BASE, 1, f"target:{target}")(state) == 1
    assert solo.values(BASE, 1, "target:216")(state) == 0


def test_exactly_the_target_reaches_it() -> None:
    full, one_left = (lite_solo.read_state(BASE, f"666/555/44{cell} - -") for cell in "4.")
    assert [solo.values(BASE, 1, f"target:{target}")(full) for target in (135, 136)] == [1, 0]
    assert [solo.values(BASE, 1, f"target:{target}")(one_left) for target in (135, 136)] == [Fraction(1, 6), 0]


def test_a_target_among_the_options_changes_no_chance() -> None:
    assert chance(Options(target=90), 120) == chance(BASE, 120)
    assert ladder(Options(target=90)) == ladder(BASE)


def test_targets_of_the_rules_and_of_the_run() -> None:
    """Bronze, silver and gold, the calibrated ones and the run's own: each once, under one name, the easiest first."""
    given = {int(preset["target"]): name for name, preset in lite_solo.PRESETS.items()}
    runs: list[tuple[Options, dict[int, str]]] = [
        (BASE, {}),
        (Options(target=90), {}),
        (Options(target=77), {77: "own"}),
    ]
    for options, own in runs:
        found = targets(options)
        names = {one.target: one.name for one in ladder(BASE)} | given | own
        assert names[90] == "bronze", "though it is the bold one, too"
        assert [(one.target, one.name) for one in found] == [(0, "none"), *sorted(names.items())]
        assert all((one.ways, one.of) == chance(options, one.target) for one in found[1:])
