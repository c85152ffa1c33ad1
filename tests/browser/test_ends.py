"""How a run ended is said in a sentence that is true of it, at the table, among my runs and on the boards."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.browser.test_lite import CELLS, SPEC_DICE, fill
from tests.browser.test_whole_runs import tap_box
from tests.browser.visit import Visitor

ALONE = ["a1", "a2", "b1", "b2", "c2", "c3", "a3", "b3", "c1"]  # 59 points


@pytest.mark.parametrize(("language", "score", "missed", "met"), [
    ("en", "59 points", "Goal missed", "You made it!"), ("de", "59 Punkte", "Ziel verfehlt", "Geschafft!"),
])  # fmt: skip
def test_alone(phone: Visitor, language: str, score: str, missed: str, met: str) -> None:
    """For the score it is the score, good or bad; a goal is met or missed."""
    phone.settings["language"] = language
    for target, said in ((0, score), (60, missed), (59, met)):
        page = phone.sit("lite-solo", SPEC_DICE, {"target": target})
        fill(phone, ALONE)
        expect(page.locator("[data-end] h2")).to_have_text(said)


@pytest.mark.parametrize(("dice", "said", "kept"), [
    ("1" * 18, "A draw", "drawn 27 : 27"),
    ("16" * 9, "Perfect wins", "lost 27 : 162"),
    ("61" * 9, "You won!", "won 162 : 27"),
])  # fmt: skip
def test_against_a_bot_it_is_kept_how_it_ended_and_with_how_much(
    desk: Visitor, dice: str, said: str, kept: str
) -> None:
    page = desk.sit("lite-versus", dice, seats="you,perfect")
    for n in range(1, 10):
        desk.press(str(n), str(n))
    expect(page.locator("[data-end] h2")).to_have_text(said)
    page = desk.go("runs")
    word, scores = kept.split(" ", 1)
    expect(page.locator("main li").first).to_contain_text(word)
    expect(page.locator("main li").first).to_contain_text(scores)


def test_known_dice_make_no_personal_best(phone: Visitor) -> None:
    """Neither practice nor a hint does; and what was best is told with the way it was played."""
    page = phone.sit("lite-solo", kind="ranked")
    fill(phone, CELLS)
    score = phone.text(".status .big")
    expect(page.locator("[data-end]")).to_contain_text("Your best score so far (Standard)")
    page = phone.sit("lite-solo", "6" * 9)
    fill(phone, CELLS)
    expect(page.locator("[data-end]")).not_to_contain_text("best score")
    page = phone.go()
    expect(page.locator("[data-game=lite-solo]")).to_contain_text(f"Best {score} points")


def test_nearly_all_is_not_all(phone: Visitor) -> None:
    """An accuracy of 100% means that nothing was given away; and nobody is better than all perfect runs."""

    def nearly(route: Route) -> None:
        route.fulfill(json=route.fetch().json() | {"accuracy": 0.9996})

    phone.page.route("**/report*", nearly)
    page = phone.sit("lite-solo", "6" * 9)
    fill(phone, CELLS)
    expect(page.locator("[data-skill]")).to_contain_text("Accuracy 99.9%")
    page.get_by_role("link", name="Analysis").tap()
    expect(page.locator("[data-balance] .accuracy")).to_have_text("99.9% Accuracy")
    expect(page.locator("[data-balance]")).to_contain_text("Better than 99.9% of perfect runs")


def test_the_best_score_against_others_may_be_the_lowest(phone: Visitor) -> None:
    page = phone.sit("shut-the-box", "", {"rounds": 1}, "you,highest", kind="ranked")
    while not page.locator("[data-over=true]").count():
        tap_box(phone)
    expect(page.locator("[data-end]")).to_contain_text("Your best score so far")


def test_two_people_at_one_device_have_both_scores_among_the_runs(desk: Visitor) -> None:
    page = desk.sit("lite-versus", "61" * 9, seats="you,you")
    for n in range(1, 10):
        desk.press(str(n), str(n))
    expect(page.locator("[data-end] h2")).to_have_text("Player 1 wins")
    page = desk.go("runs")
    expect(page.locator("main li").first).to_contain_text("162 : 27")
