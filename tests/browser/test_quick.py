"""Quick match: two who look find each other, a game of the house is played meanwhile, and whoever goes is not looked
for any more."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.tables import at
from tests.browser.test_game_page import COVERED
from tests.browser.visit import DRAWN, Hall, Visitor

# The page's clock is put forward, which a hall does not notice.
A_MINUTE_ON = "() => { const now = performance.now.bind(performance), on = 61_000; performance.now = () => now() + on }"
HERE = "() => document.activeElement?.innerText"
Guests = Callable[..., list[Visitor]]


@pytest.fixture
def guests(browser: Browser, hall: Hall) -> Iterator[Guests]:
    """So many people with phones."""
    with ExitStack() as stack:

        def come(count: int, size: str = "phone") -> list[Visitor]:
            return [stack.enter_context(Visitor(browser, hall, **at(size))) for _ in range(count)]

        yield come


def look_for(visitor: Visitor, pool: str) -> Page:
    page = visitor.go(f"quick/{pool}")
    expect(page.locator("[data-sentence]")).to_contain_text(re.compile("Looking for|Others are there"))
    return page


def fact(page: Page, what: str) -> Locator:
    return page.locator("dl div", has_text=what).locator("dd")


def room_of(visitor: Visitor) -> str:
    visitor.page.wait_for_url(re.compile("#/room/"))
    expect(visitor.page.locator("[data-people]")).to_be_visible()
    visitor.rest()
    return visitor.page.url.split("#/")[1]


def play_meanwhile(visitor: Visitor, pool: str) -> str:
    """The address of the table where a player of the house is played."""
    page = look_for(visitor, pool)
    offered = page.locator("[data-offered^=level], [data-offered=perfect]")
    expect(offered).to_contain_text("The search goes on")
    expect(offered).to_have_attribute("role", "status")  # so it is heard, too
    page.locator("[data-action=meanwhile]").tap()
    page.wait_for_url(re.compile("#/table/"))
    visitor.rest()
    return page.url.split("#/")[1]


def test_two_who_look_sit_down_at_one_table(guests: Guests) -> None:
    anna, bert = guests(2)
    page = anna.go("game/knucklebones")
    page.locator("[data-quick]").tap()
    expect(page.locator("[data-sentence]")).to_have_text("Looking for somebody near 1500")
    assert page.evaluate(HERE) == "Quick match"
    expect(fact(page, "Looking, you included")).to_have_text("1")
    expect(fact(page, "In the hall now")).to_have_text(re.compile(r"^\d+$"))
    expect(fact(page, "Strength looked for")).to_have_text(re.compile(r"^1[1-4]\d\d – 1[5-8]\d\d$"))
    expect(page.locator("[data-waited]")).to_have_text(re.compile("0:[012]"))
    assert "30 s + 2:00" in anna.text("header")
    bert.go("game/knucklebones").locator("[data-quick]").tap()
    assert room_of(anna) == room_of(bert)
    expect(page.locator("[data-heard-found]")).to_have_text("Somebody has come")
    assert "30 s + 2:00" in anna.text("header")
    for one in (anna, bert):
        expect(one.page.locator("[data-found]")).to_have_count(0)
    page.go_back()  # to the game: the search is over
    expect(page.locator("[data-quick]")).to_be_visible()


def test_a_larger_table_counts_down(guests: Guests) -> None:
    anna, bert, cleo = guests(3)
    page = anna.go("game/farkle")
    page.locator("[data-quick-table]").tap()
    expect(page.locator("[data-sentence]")).to_have_text("Looking for others; two are enough")
    expect(page.locator(".linen .die")).to_have_count(1)
    look_for(bert, "farkle-table")
    expect(page.locator("[data-sentence]")).to_have_text("Others are there: it begins in a moment")
    expect(fact(page, "Begins in")).to_have_text(re.compile("^0:"))
    look_for(cleo, "farkle-table")
    expect(page.locator(".linen .die")).to_have_count(3)
    for one in (cleo, bert):
        one.page.locator("[data-action=stop]").tap()
    expect(page.locator("[data-sentence]")).to_have_text("Looking for others; two are enough")
    expect(page.locator(".linen .die")).to_have_count(1)


def test_a_level_is_played_until_somebody_comes(guests: Guests) -> None:
    anna, bert = guests(2)
    table = play_meanwhile(anna, "lite-versus")
    page = anna.page
    cell = page.locator("button.cell.open").first
    anna.tap(cell)
    anna.tap(cell)
    steps = page.locator("[data-count]").first.get_attribute("data-count")
    page.get_by_role("button", name="Menu").tap()
    expect(page.locator("dialog")).to_be_visible()
    bert.go("quick/lite-versus")
    expect(page.locator("[data-found]")).to_contain_text("Somebody has come")
    expect(page.locator("[data-found]")).to_contain_text(re.compile(r"Waits for (1:00|0:5\d)"))
    expect(page.locator("[data-heard-found]")).to_have_text("Somebody has come")
    expect(page.locator("dialog")).to_have_count(0)  # it would lie over the notice
    assert page.url.endswith(table), "nobody is led away from a game"
    page.locator("[data-action=to-room]").tap()
    assert room_of(anna) == room_of(bert)
    expect(page.locator("[data-found]")).to_have_count(0)
    page.go_back()
    expect(page.locator("[data-count]").first).to_have_attribute("data-count", steps or "")  # as it was left


def test_the_table_that_was_found_is_kept_for_a_minute(guests: Guests) -> None:
    anna, bert = guests(2)
    play_meanwhile(anna, "knucklebones")
    bert.go("quick/knucklebones")
    expect(anna.page.locator("[data-found]")).to_be_visible()
    anna.page.get_by_role("link", name="Back").tap()  # it waits there, too
    expect(anna.page.locator("[data-game=farkle]")).to_be_visible()
    expect(anna.page.locator("[data-found]")).to_be_visible()
    anna.page.evaluate(A_MINUTE_ON)
    expect(anna.page.locator("[data-notice]")).to_have_text("You did not come in time: that table is closed.")
    expect(anna.page.locator("[data-found]")).to_have_count(0)


def test_who_stops_is_not_found(guests: Guests) -> None:
    anna, bert = guests(2)
    page = look_for(anna, "farkle")
    page.locator("[data-action=stop]").tap()
    expect(page.locator("[data-quick]")).to_be_visible()
    look_for(bert, "farkle")
    waiting = fact(bert.page, "Looking, you included")
    expect(waiting).to_have_text("1")
    bert.page.wait_for_timeout(1500)
    expect(waiting).to_have_text("1")
    page.locator("[data-quick]").tap()
    assert room_of(anna) == room_of(bert)


def test_who_leaves_what_is_played_meanwhile_stops(guests: Guests) -> None:
    (anna,) = guests(1)
    table = play_meanwhile(anna, "shut-the-box")
    anna.page.go_back()  # to the search, which has gone on
    expect(anna.page.locator("[data-waited]")).to_have_text(re.compile("0:(0[2-9]|[1-5])"))
    expect(anna.page.locator("[data-offered^=level]")).to_be_visible()
    anna.page.go_forward()
    assert anna.page.url.endswith(table)
    anna.rest()
    anna.go()
    expect(anna.page.locator("[data-game=farkle]")).to_be_visible()
    look_again = play_meanwhile(anna, "shut-the-box")
    assert look_again != table
    anna.page.get_by_role("link", name="Back").tap()
    expect(anna.page.locator("[data-notice]")).to_have_text("Nobody is looked for any more.")


def test_the_line_is_cut(guests: Guests) -> None:
    anna, bert = guests(2)
    page = look_for(anna, "lite-versus")
    anna.context.set_offline(True)
    expect(page.locator("[data-sentence]")).to_contain_text("No connection")
    anna.context.set_offline(False)
    expect(page.locator("[data-sentence]")).to_contain_text("Looking for somebody near 1500")
    bert.go("quick/lite-versus")
    assert room_of(anna) == room_of(bert)
    anna.forgiven = ("ERR_INTERNET_DISCONNECTED",)


def test_in_another_window(guests: Guests) -> None:
    """The hall tells the last one that has asked, and nobody takes the search from the other again and again."""
    (anna,) = guests(1)
    anna.before("const every = setInterval; window.setInterval = (what, time) => every(what, time / 4)")
    first = look_for(anna, "knucklebones")
    second = anna.new_page()
    second.goto(first.url)
    expect(first.locator("[data-sentence]")).to_have_text("It seems that you are looking in another window.")
    first.locator("[data-action=look-here]").tap()
    expect(first.locator("[data-sentence]")).to_contain_text("Looking for somebody")


def test_there_is_no_such_quick_match(phone: Visitor) -> None:
    page = phone.go("quick/chess")
    expect(page.locator("[role=alert]", has_text="There is no quick match for that.")).to_be_visible()
    phone.go("game/lite-solo")
    expect(page.locator("[data-play]")).to_be_visible()
    expect(page.locator("[data-quick]")).to_have_count(0)


@pytest.mark.parametrize("pool", ["knucklebones", "shut-the-box-table"])
def test_it_fits_the_smallest_phone(guests: Guests, pool: str) -> None:
    (anna,) = guests(1, "small")
    anna.settings |= {"language": "de", "theme": "dark"}
    page = anna.go(f"quick/{pool}")
    expect(page.locator("[data-offered^=level]")).to_be_visible()
    page.evaluate(DRAWN)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(COVERED, 0) == []
    for what in ("[data-waited]", "[data-sentence]", "dl dd >> nth=2", "[data-action=stop]", "[data-action=meanwhile]"):
        expect(page.locator(what)).to_be_in_viewport(ratio=1)
    cut = "(them) => them.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.innerText)"
    assert page.locator("main :is(.button, p, dt, dd)").evaluate_all(cut) == []
