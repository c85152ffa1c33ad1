"""The daily: one open attempt, runs that are hidden until one has played, and what its boards tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
from playwright.sync_api import Browser, Page, expect

from dicehall.store.daily import MOST_FROM_ONE_NETWORK
from tests.browser.test_lite import CELLS, fill
from tests.browser.test_screens import assert_fits
from tests.browser.test_troubles import forgive, table_of
from tests.browser.visit import JUST_CAME_UP, Hall, Visitor

DAILY = "play/lite-solo?kind=daily"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Hall]:
    """A hall whose dailies nobody else plays."""
    with Hall(tmp_path) as running:
        yield running


@pytest.fixture
def ada(browser: Browser, own: Hall) -> Iterator[Visitor]:
    with Visitor(browser, own, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True) as visitor:
        yield visitor


@pytest.fixture
def ben(browser: Browser, own: Hall) -> Iterator[Visitor]:
    with Visitor(browser, own, viewport={"width": 320, "height": 640}, color_scheme="dark") as visitor:
        visitor.settings["language"] = "de"
        yield visitor


def sit_at_daily(visitor: Visitor) -> Page:
    page = visitor.go(DAILY)
    visitor.rest()
    return page


def finish_daily(visitor: Visitor) -> str:
    """The run's id."""
    page = sit_at_daily(visitor)
    fill(visitor, CELLS)
    run = page.locator(".extra a[href*='/run/']").last.get_attribute("href")
    page.evaluate(JUST_CAME_UP)
    assert run is not None
    return run.rpartition("/")[2]


def test_an_open_attempt_is_continued_unless_one_says_otherwise(ada: Visitor) -> None:
    page = sit_at_daily(ada)
    first = table_of(page)
    fill(ada, ["a1", "b2"])
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Abandon this run").tap()
    expect(page.locator("dialog")).to_contain_text("your first attempt at the daily, and it stays the first")
    page.go_back()
    ada.go()
    ada.go(f"{DAILY}&n=2")
    expect(page.locator("[data-unfinished]")).to_contain_text(
        "Your open attempt ends when you begin another. The first attempt stays the first."
    )
    page.get_by_role("button", name="Continue it").tap()
    ada.rest()
    assert table_of(page) == first
    expect(page.locator(".cell.full")).to_have_count(2)
    ada.go()
    ada.go(f"{DAILY}&n=3")
    page.get_by_role("button", name="End it and begin another").tap()
    ada.rest()
    assert table_of(page) != first
    expect(page.locator(".cell.full")).to_have_count(0)
    ada.go(f"table/{first}")
    expect(page.get_by_role("alert")).to_contain_text("There is no such table.")


def test_a_run_of_today_is_hidden_until_one_has_played(ada: Visitor, ben: Visitor) -> None:
    run = finish_daily(ada)
    day = ada.page.evaluate("new Date().toISOString().slice(0, 10)")
    page = ben.go(f"boards/lite-solo?daily={day}")
    page.locator("tbody .score a").click()
    expect(page.locator("[data-hidden]")).to_contain_text("wenn dein eigener erster Versuch zu Ende ist")
    assert_fits(page)
    page.get_by_role("link", name="Tagesspiel spielen").click()
    ben.rest()
    fill(ben, CELLS)
    expect(page.locator("[data-benchmark]")).to_contain_text("Perfektes Spiel bringt im Schnitt")
    page = ben.go(f"run/{run}")
    expect(page.locator("input[type=range]")).to_be_visible()
    forgive(ben, "403")


def test_a_link_to_a_hidden_run_leads_to_its_daily(ada: Visitor, ben: Visitor) -> None:
    run = finish_daily(ada)
    ada.page.locator("[data-share]").tap()
    expect(ada.page.locator("pre")).to_contain_text(f"/#/run/{run}?daily=lite-solo")
    page = ben.go(f"run/{run}?daily=lite-solo")
    expect(page.locator("[data-to-beat]")).to_have_text(re.compile(r"^\d+ Punkte von einem Gast zu schlagen$"))
    expect(page.get_by_role("link", name="Tagesspiel spielen")).to_have_attribute("href", f"#/{DAILY}&beat={run}")
    assert_fits(page)
    ben.go()
    page = ben.go(f"run/{run}/3")  # a link that does not say which
    page.get_by_role("link", name="Tagesspiel spielen").click()
    ben.rest()
    expect(page.locator("[data-played]")).to_contain_text("von einem Gast zu schlagen")
    fill(ben, CELLS)
    expect(page.locator("[data-end]")).to_contain_text("Ein Gast und du seid gleichauf")
    forgive(ben, "403")


def test_boards_tell_how_many_runs_it_took_and_what_is_known_of_an_account(ada: Visitor, ben: Visitor) -> None:
    finish_daily(ada)
    finish_daily(ben)
    day = ada.page.evaluate("new Date().toISOString().slice(0, 10)")
    page = ada.go(f"boards/lite-solo?daily={day}")
    expect(page.locator("[data-mark=new]")).to_have_text(["new here"] * 2)
    expect(page.locator("[data-mark=network]")).to_have_text(["2 from one network"] * 2)
    expect(page.locator("[data-note]")).to_have_count(2)
    expect(page.locator(".took")).to_have_count(0)  # first attempts are all the first
    page.get_by_role("radio", name="Best attempts").tap()
    expect(page.locator(".took")).to_have_text(["in 1 run"] * 2)
    page = ben.go(f"boards/lite-solo?daily={day}")
    expect(page.locator("[data-mark=network]")).to_have_text(["2 aus einem Netz"] * 2)
    assert_fits(page)
    page.set_viewport_size({"width": 320, "height": 568})
    page.locator(".who a").first.evaluate("one => one.textContent = 'Wolfeschlegelsteinhausen'")
    below = page.locator(".who").first.evaluate(
        "one => one.querySelector('.marks').getBoundingClientRect().top"
        " - one.querySelector('a').getBoundingClientRect().bottom"
    )
    assert below >= 0, "a long name stands above its marks"
    assert_fits(page)
    for _ in range(2):
        ada.sit("lite-solo", kind="ranked")
        fill(ada, CELLS)
    page = ada.go("boards/lite-solo")
    expect(page.locator(".took")).to_have_text(re.compile(r"^in [12] runs?$"))
    expect(page.locator("[data-mark=network]")).to_have_count(0)


def test_who_is_alone_in_a_network_has_no_mark_for_it(ada: Visitor) -> None:
    finish_daily(ada)
    page = ada.go(f"boards/lite-solo?daily={ada.page.evaluate('new Date().toISOString().slice(0, 10)')}")
    expect(page.locator("[data-mark=new]")).to_have_count(1)
    expect(page.locator("[data-mark=network]")).to_have_count(0)


def test_a_first_attempt_that_does_not_count_as_one_says_so_once(ada: Visitor) -> None:
    for _ in range(MOST_FROM_ONE_NETWORK):
        sit_down(ada.hall)
    page = ada.go(DAILY)
    expect(page.locator("[data-crowded]")).to_contain_text("Many first attempts have come from your network today.")
    page.get_by_role("button", name="Play").tap()
    ada.rest()
    page.reload()
    ada.rest()
    expect(page.locator("[data-crowded]")).to_have_count(0)
    ada.go()
    ada.go(f"{DAILY}&n=2")
    page.get_by_role("button", name="End it and begin another").tap()  # the second one is no first one anyway
    ada.rest()


def sit_down(hall: Hall) -> None:
    """A new account at the daily's table."""
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    for path, body in (("me", b""), ("tables", b'{"game": "lite-solo", "kind": "daily"}')):
        asked = Request(f"{hall.address}/api/{path}", body, {"Content-Type": "application/json"}, method="POST")
        with browser.open(asked, timeout=60) as answer:
            assert answer.status in (200, 201)
