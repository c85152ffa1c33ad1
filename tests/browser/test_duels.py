"""The same dice for several, each with a browser of their own: from a game's page to the ranking at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.test_access import violations
from tests.browser.test_people import ENDED, PHONE, resign
from tests.browser.test_whole_runs import TAPS
from tests.browser.visit import AT_REST, JUST_CAME_UP, Hall, Visitor

DESK = {"viewport": {"width": 1440, "height": 900}}
SMALL = {"viewport": {"width": 320, "height": 568}, "has_touch": True, "is_mobile": True, "locale": "de-DE"}


@pytest.fixture
def people(browser: Browser, hall: Hall) -> Iterator[list[Visitor]]:
    """On a phone, at a desk, and on a small phone in German."""
    with ExitStack() as stack:
        yield [stack.enter_context(Visitor(browser, hall, **how)) for how in (PHONE, DESK, SMALL)]


def play_out(one: Visitor, game: str) -> None:
    for _ in range(100):
        if one.page.locator(ENDED).count():
            return
        one.page.locator(f"{AT_REST}, {ENDED}").first.wait_for()
        if not one.page.locator(ENDED).count():
            TAPS[game](one)
    raise AssertionError("it does not end")


def test_three_play_the_same_dice(people: list[Visitor]) -> None:
    anna, bert, cleo = people
    page = anna.go("game/lite-solo")
    page.locator("[data-duel]").tap()
    page.locator("[data-value='3']").first.tap()
    page.locator("[data-action=ask]").tap()
    expect(page.locator("[data-agreed]")).to_contain_text("Same dice · No limit")
    room = page.url.split("#/")[1]
    for one in (bert, cleo):
        one.go(room)
    for one in people:
        expect(one.page.locator(f"{AT_REST}")).to_be_visible()
        one.hasty = True
    expect(bert.page.locator("[data-ranking] li")).to_have_count(3)
    TAPS["lite-solo"](anna)
    play_out(anna, "lite-solo")
    expect(page.locator("[data-standing]")).to_contain_text("The others still play")
    shown = bert.page.locator("[data-ranking] [data-place='0'] [data-score]")
    expect(shown).to_have_attribute("data-score", re.compile("^[1-6]$"))  # of one die, as many as bert has seen
    assert violations(page) == []
    play_out(bert, "lite-solo")
    play_out(cleo, "lite-solo")
    for one in people:
        expect(one.page.locator(ENDED)).to_be_visible()
    expect(page.locator("[data-standing]")).to_contain_text("The dice were the same for everybody")
    page.locator("[data-action=ranking]").tap()
    runs = page.locator("dialog [data-run]")
    expect(runs).to_have_count(3)
    ids = [one.get_attribute("data-run") for one in runs.all()]
    assert all(anna.asked(f"/api/runs/{run}/proof")["ok"] for run in ids)
    ranks = [int(one.get_attribute("data-rank") or 0) for one in page.locator("dialog [data-rank]").all()]
    scores = [int(one.get_attribute("data-score") or 0) for one in page.locator("dialog [data-score]").all()]
    assert ranks == sorted(ranks)
    assert scores == sorted(scores, reverse=True)
    assert violations(page) == []
    assert re.search(r"Platz \d von 3|Erster Platz|Geteilter", cleo.text("[data-standing]"))
    page.keyboard.press("Escape")
    for one in people:
        one.page.evaluate(JUST_CAME_UP)
        one.tap("[data-action=ready]")
    for one in people:
        expect(one.page.locator(ENDED)).to_be_hidden()
        expect(one.page.locator(AT_REST)).to_be_visible()


def test_a_link_for_a_week(people: list[Visitor]) -> None:
    """The host plays first; whoever comes sees them as far as they have come, and everything when they are done."""
    anna, bert, cleo = people
    page = anna.go("invite/shut-the-box?same")
    page.locator("[data-value=week]").tap()
    page.locator("[data-action=ask]").tap()
    expect(page.locator(AT_REST)).to_be_visible()
    anna.hasty = bert.hasty = True
    room = page.url.split("#/")[1]
    cleo.forgiven = ("400 (Bad Request)",)
    cleo.go(room)
    expect(cleo.page.locator("[data-trouble=duel-early]")).to_be_visible()
    resign(anna)
    expect(page.locator("[data-standing]")).to_contain_text("for another 7 days")
    expect(page.locator("[data-action=copy]")).to_be_visible()
    bert.go(room)
    expect(bert.page.locator(AT_REST)).to_be_visible()
    expect(bert.page.locator("[data-ranking] [data-place='0']")).to_contain_text("has given up")
    assert violations(bert.page) == []


def test_against_a_friend_s_run_of_the_daily(people: list[Visitor]) -> None:
    """Offered where the link leads to, shown as far as one has come, compared at the end."""
    anna, _, cleo = people
    page = anna.go("play/lite-solo?kind=daily")
    anna.rest()
    anna.finish()
    run = (page.locator("[aria-label=Replay]").get_attribute("href") or "").removeprefix("#/run/")
    cleo.forgiven = ("403 (Forbidden)",)
    cleo.go(f"run/{run}?daily=lite-solo")
    cleo.page.locator("main a.go").tap()
    cleo.rest()
    expect(cleo.page.locator("[data-pace]")).to_contain_text("hatte hier")
    assert violations(cleo.page) == []
    cleo.finish()
    expect(cleo.page.locator("[data-pace]")).to_contain_text("hatte am Ende")
