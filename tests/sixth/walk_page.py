"""The page draws a game that is not ours: the parts of its state in words, its moves as buttons."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import browser, hall, phone, playwright  # noqa: F401
from tests.browser.tables import BROKEN, OUT_OF_SIGHT, SIZES, at, settle
from tests.browser.test_access import violations
from tests.browser.visit import JUST_CAME_UP, Hall, Visitor
from tests.soak import met

MOST_TAPS = 200


@pytest.mark.parametrize("language", ["en", "de"])
def test_from_the_hall_to_the_end_of_a_run(phone: Visitor, language: str) -> None:  # noqa: F811
    phone.settings |= {"language": language, "speed": "instant", "motion": "reduced"}  # nothing half faded in
    phone.forgiven += ("derived_inert",)  # a warning of Svelte when a screen goes in the moment in which it changes
    page = phone.go()
    page.locator("[data-game=pig]").tap()
    expect(page.get_by_role("heading", name="Pig", exact=True)).to_be_visible()
    for coach in ("#/puzzles", "#/lab/pig"):
        expect(page.locator(f"a[href='{coach}']")).to_have_count(0)
    assert violations(page) == []
    page.locator(".options").tap()
    expect(page.locator("label", has=page.locator("input[name=target]"))).to_contain_text("target")  # its own word
    page.locator("input[name=target]").fill("10")
    page.locator("dialog").get_by_role("button").first.tap()
    page.locator("[data-play]").tap()
    expect(page.locator("[data-plain]")).to_contain_text("pile")
    expect(page.locator("[data-action=hint]")).to_have_count(0)
    assert violations(page) == []
    for n in range(MOST_TAPS):
        if page.locator("[data-over=true]").count():
            break
        choices = page.locator("[data-move]")
        choices.nth(n % 2 if choices.count() > 1 else 0).tap()
        phone.rest()
    expect(page.locator("[data-over=true]")).to_have_count(1)
    expect(page.locator("a[href$='?analysis']")).to_have_count(0)
    page.evaluate(JUST_CAME_UP)
    page.locator("[data-share]").tap()
    expect(page.locator("dialog pre")).to_contain_text(
        re.compile(r"· Pig ·(.|\n)*: \d+\n.*: \d+\n")
    )  # who has how much
    with page.expect_download():
        page.get_by_role("button", name={"en": "Picture", "de": "Bild"}[language]).tap()
    page.keyboard.press("Escape")
    page.locator("a[href^='#/run/']").tap()
    page.wait_for_selector("input[type=range]")
    expect(page.locator("[data-plain]")).to_be_visible()
    phone.go("runs")
    expect(page.locator("main")).to_contain_text("Pig")
    phone.go("boards/pig")
    expect(page.locator("main")).to_contain_text("Pig")
    phone.go("rules/pig")
    expect(page.locator("main")).to_contain_text("roll one die as often as you dare")


@pytest.mark.parametrize(("size", "language"), met(SIZES, ["de", "en"]))
def test_it_uses_the_room_there_is(browser: Browser, hall: Hall, size: str, language: str) -> None:  # noqa: F811
    with Visitor(browser, hall, **at(size)) as visitor:
        visitor.settings["language"] = language
        page = visitor.sit("pig", "342", {}, "you,you")
        visitor.tap(page.locator("[data-move]").first)
        settle(page)
        assert [*page.evaluate(OUT_OF_SIGHT), *page.evaluate(BROKEN)] == []
        log = page.locator(".log [data-log] li").first
        if SIZES[size][0] < 700:
            expect(log).to_be_hidden()
            return
        expect(log).to_be_in_viewport(ratio=1)
        card = page.locator("[data-plain]").bounding_box()
        assert card is not None
        assert card["width"] >= 560
