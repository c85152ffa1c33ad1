"""The table says what is played: what it counts for, by which rules, with what chance. Its rules are its own."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.test_access import violations
from tests.browser.visit import Visitor


@pytest.fixture(autouse=True)
def nothing_moves(phone: Visitor) -> None:
    phone.settings["motion"] = "reduced"


@pytest.mark.parametrize(
    ("language", "told", "line"),
    [
        ("en", "This is your first attempt, and it counts.", "Daily: the first attempt counts"),
        ("de", "Das ist dein erster Versuch, und er zählt.", "Tagesspiel: der erste Versuch zählt"),
    ],
)
def test_a_daily_says_that_it_counts_before_the_first_roll(phone: Visitor, language: str, told: str, line: str) -> None:
    phone.settings["language"] = language
    page = phone.go("play/farkle?kind=daily")
    expect(page.locator("[data-announced]")).to_contain_text(told)
    expect(page.locator("[data-played]")).to_contain_text(line)
    expect(page.locator("[data-state=scores], [data-state=plain]")).to_have_count(0)
    assert violations(page) == []
    page.locator("[data-action=throw]").tap()
    phone.rest()
    expect(page.locator("[data-announced]")).to_have_count(0)
    expect(page.locator("[data-played]")).to_contain_text(line)
    expect(page.locator("[data-played]")).to_contain_text("Arcade")


def test_another_attempt_at_the_daily_says_so(phone: Visitor) -> None:
    page = phone.sit("lite-solo", kind="daily")
    for _ in range(2):
        phone.tap("button[data-cell=a1]")
    phone.go("play/lite-solo?kind=daily&n=2")
    page.get_by_role("button", name="End it and begin another").tap()
    expect(page.locator("[data-announced]")).to_contain_text("Your first attempt was another one")
    expect(page.locator("[data-played]")).to_contain_text("another attempt")


@pytest.mark.parametrize(
    ("game", "options", "seats", "kind", "line"),
    [
        ("lite-solo", {}, "", "ranked", "Ranked"),
        ("lite-solo", {"columns": True}, "", "practice", "Practice · Columns score too"),
        ("farkle", {"preset": "spicy"}, "", "practice", "Practice · Spicy"),
        ("shut-the-box", {"preset": "hard"}, "", "ranked", "Ranked · chance 52% at the start · Hard"),
        ("farkle", {"target": 3000}, "you,you", "ranked", "Several players · Target: 3,000"),
    ],
)
def test_a_table_says_what_is_played(
    phone: Visitor, game: str, options: dict[str, Any], seats: str, kind: str, line: str
) -> None:
    page = phone.sit(game, "", options, seats, kind=kind)
    expect(page.locator("[data-played]")).to_have_text(line)
    page.get_by_role("button", name="Menu").tap()
    parts = page.locator("[data-what-is-played] li")
    expect(parts).to_have_count(len(line.split(" · ")))
    assert sorted(parts.all_inner_texts()) == sorted(line.split(" · "))
    assert violations(page) == []


def test_a_target_is_said_once(phone: Visitor) -> None:
    """It stands beside the score, so not in the line above as well."""
    page = phone.sit("lite-solo", "", {"target": 90}, kind="ranked")
    expect(page.locator("[data-played]")).to_have_text("Ranked · chance 1 in 9 at the start")
    assert page.locator(".table").inner_text().count("90") == 1
    page.get_by_role("button", name="Menu").tap()
    expect(page.locator("[data-what-is-played]")).to_contain_text("Bronze")


def test_a_run_that_a_hint_took_off_the_boards_says_so(phone: Visitor) -> None:
    page = phone.sit("lite-solo", kind="ranked")
    page.locator("[data-action=hint]").tap()
    page.locator("[data-action=show-hint]").tap()
    expect(page.locator("[data-played]")).to_have_text("Unranked")


def test_practice_tells_the_chance_as_it_is_now(phone: Visitor) -> None:
    """Nearly certain is not certain."""
    page = phone.sit("lite-solo", "6" * 9, {"target": 90})
    played = page.locator("[data-played]")
    expect(played).to_contain_text("chance now 21%")
    for cell, chance in (("a1", "39%"), ("b1", "60%"), ("c1", "77%"), ("a2", "99.7%")):
        for _ in range(2):
            phone.tap(f"button[data-cell={cell}]")
        expect(played).to_contain_text(f"chance now {chance}")
        expect(played).not_to_contain_text("at the start")


def test_a_run_for_the_boards_tells_the_chance_at_the_start_alone(phone: Visitor) -> None:
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    page = phone.sit("lite-solo", "", {"target": 90}, kind="ranked")
    expect(page.locator("[data-played]")).to_contain_text("chance 1 in 9 at the start")
    for cell in ("a1", "b1", "c1"):
        for _ in range(2):
            phone.tap(f"button[data-cell={cell}]")
        expect(page.locator("[data-played]")).to_contain_text("chance 1 in 9 at the start")
    assert not [url for url in asked if "/worth" in url]


def test_a_wild_six_is_marked_on_the_die_and_in_the_formula(phone: Visitor) -> None:
    page = phone.sit("lite-solo", "632", {"wild": "contains"})
    for cell in ("a1", "b1"):
        for _ in range(2):
            phone.tap(f"button[data-cell={cell}]")
    expect(page.locator("[data-cell=a1] [data-wild]")).to_have_count(1)
    expect(page.locator("[data-wild]")).to_have_count(1)
    expect(page.locator("[data-cell=a1]")).to_have_accessible_name("Row 1, column 1: six, wild")
    expect(page.locator("[data-row='1']")).to_have_text("18 9 × 2✱")
    page = phone.sit("lite-solo", "632")
    for _ in range(2):
        phone.tap("button[data-cell=a1]")
    expect(page.locator("[data-wild]")).to_have_count(0)


@pytest.mark.parametrize(
    ("game", "options", "seats", "said", "unsaid"),
    [
        ("lite-solo", {"wild": "contains", "target": 90}, "", ["is wild", "target is 90"], ["Columns", "Variants"]),
        ("lite-solo", {}, "", ["All rows together"], ["wild", "Columns", "Against"]),
        ("farkle", {"preset": "arcade"}, "", ["10 turns"], ["few turns", "race", "straight"]),
        ("farkle", {"preset": "spicy"}, "", ["few turns", "straight", "Three pairs"], ["arcade"]),
        ("farkle", {"hot_dice": False, "target": 3000}, "you,you", ["first at 3,000", "only banking"], ["hot"]),
        ("shut-the-box", {"preset": "hard"}, "", ["one or two", "59 or less", "6 or less"], ["long game", "Digital"]),
        ("shut-the-box", {"preset": "long"}, "", ["long game"], ["five rounds", "45"]),
        ("shut-the-box", {"variant": "missionaryCount"}, "you,highest", ["number of open tiles", "lowest"], ["45"]),
        ("shut-the-box", {"preset": "tournament"}, "", ["45 points or more is out"], ["or less wins"]),
        ("shut-the-box", {"preset": "tournament"}, "you,you", ["last one in wins", "in the same round"], ["five"]),
        ("shut-the-box", {"preset": "threshold", "mulligan": True}, "", ["12 or less wins", "rolled again"], ["five"]),
    ],
)
def test_the_rules_are_those_of_the_table(
    phone: Visitor, game: str, options: dict[str, Any], seats: str, said: list[str], unsaid: list[str]
) -> None:
    page = phone.sit(game, "", options, seats, kind="practice")
    page.keyboard.press("?")
    rules = page.locator("dialog")
    for text in said:
        expect(rules).to_contain_text(text)
    told = rules.inner_text()
    assert not [text for text in unsaid if text in told], told
