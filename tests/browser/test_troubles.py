"""What goes wrong is told in words, and what can be done about it is offered: a store that hangs, a table that is
damaged, a device that is signed out, somebody who is banned."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from dicehall.store.engine import FILE
from tests.browser.test_lite import CELLS, SPEC_DICE, cell, fill
from tests.browser.visit import Hall, Visitor, soon
from tests.patience import PATIENCE
from tests.processes import call

SAVING = "Your move has arrived and is being saved."
MUCH_TO_DO = "The hall is busy. Try again in a moment."
DAMAGED = re.compile(r"^This table is damaged: .* It can only be abandoned\.$")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Hall]:
    """A hall that is nobody else's."""
    with Hall(tmp_path) as running:
        yield running


@pytest.fixture
def guest(browser: Browser, own: Hall) -> Iterator[Visitor]:
    with Visitor(browser, own, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True) as visitor:
        yield visitor


@contextmanager
def held(hall: Hall) -> Iterator[None]:
    """Nobody else can write to the hall's store."""
    with closing(sqlite3.connect(hall.data / FILE, timeout=PATIENCE, isolation_level=None)) as store:
        store.execute("BEGIN IMMEDIATE")
        yield
        store.execute("ROLLBACK")


def damage(hall: Hall, table: str) -> None:
    with closing(sqlite3.connect(hall.data / FILE, timeout=PATIENCE)) as store, store:
        changed = store.execute("UPDATE tables SET steps = steps || ' a1' WHERE id = ?", (table,)).rowcount
    assert changed == 1


def table_of(page: Page) -> str:
    return page.url.rpartition("/table/")[2]


def forgive(visitor: Visitor, *what: str) -> None:
    """The browser tells of every answer that is a refusal, and of every line that is closed; of some a moment later."""
    visitor.forgiven += what


def test_a_move_that_takes_its_time_is_told_and_none_goes_out_meanwhile(guest: Visitor) -> None:
    page = guest.sit("lite-solo", SPEC_DICE)
    with held(guest.hall):
        page.locator(cell("a1")).tap()
        page.locator(cell("a1")).tap()
        expect(page.locator(".saving")).to_have_text(SAVING)
        guest.slow()
        expect(page.locator(".table [role=status]")).to_have_text(SAVING)
        page.locator(cell("b1")).tap(force=True)
        expect(page.locator(".refusal")).to_have_text("Your last move is still being saved.")
        expect(page.locator(".cell.full")).to_have_count(0)
    guest.rest()
    expect(page.locator(".cell.full")).to_have_count(1)
    expect(page.locator(".refusal")).to_have_count(0, timeout=soon(1000))  # it has arrived: that is over
    expect(page.locator(".saving")).to_have_count(0)
    expect(page.locator(".table [role=status]")).to_have_text("")
    fill(guest, ["b1"])
    expect(page.locator(".cell.full")).to_have_count(2)


def test_a_hall_that_cannot_write_is_slow_and_then_has_much_to_do(guest: Visitor) -> None:
    page = guest.sit("lite-solo", SPEC_DICE)
    with held(guest.hall):
        page = guest.go("play/lite-solo")
        expect(page.locator("[data-slow]")).to_have_text("The hall is slow to answer …")
        expect(page.locator("[data-trouble=busy]")).to_contain_text(MUCH_TO_DO)
        expect(page.locator("[data-slow]")).to_have_count(0)
    forgive(guest, "503")
    again, board = page.get_by_role("button", name="Try again"), page.locator(".cell.open")
    deadline = time.monotonic() + PATIENCE
    while again.is_visible() and time.monotonic() < deadline:  # the hall still does what has waited, as it says
        again.tap()
        page.wait_for_timeout(500)
        expect(board.first.or_(again)).to_be_visible(timeout=PATIENCE)
    guest.rest()
    expect(board).to_have_count(9)


def test_an_answer_that_comes_late_takes_the_word_about_it_away(phone: Visitor) -> None:
    kept: list[Route] = []
    phone.page.route("**/api/lobby", lambda route: kept.append(route))
    page = phone.go()
    expect(page.locator("[data-slow]")).to_be_visible()
    kept[0].continue_()
    expect(page.locator(".daily time")).to_be_visible()
    expect(page.locator("[data-slow]")).to_have_count(0)


def test_a_refusal_without_words_of_ours_is_told_in_the_halls(phone: Visitor) -> None:
    page = phone.go("play/lite-solo?options={%22no-such%22:1}")
    expect(page.locator("[data-trouble]")).to_contain_text("That did not work: ")
    forgive(phone, "400")


def test_a_table_that_has_gone_on_elsewhere_says_so_and_is_shown_as_it_is(guest: Visitor) -> None:
    page = guest.sit("lite-solo", SPEC_DICE)
    fill(guest, ["a1"])
    with closing(sqlite3.connect(guest.hall.data / FILE, timeout=PATIENCE)) as store, store:
        changed = store.execute(
            "UPDATE tables SET steps = replace(steps, ' a1 ', ' b2 '), version = version + 1 WHERE id = ?",
            (table_of(page),),
        ).rowcount
    assert changed == 1
    page.locator(cell("c3")).tap()
    page.locator(cell("c3")).tap()
    expect(page.locator(".refusal")).to_have_text("The table has gone on elsewhere. This is how it is now.")
    expect(page.locator(".cell.full")).to_have_count(1)
    expect(page.locator(f"{cell('b2')} svg")).to_be_visible()


def test_a_run_that_the_coach_was_asked_about_elsewhere_says_so(guest: Visitor) -> None:
    page = guest.sit("lite-solo", kind="ranked")
    fill(guest, CELLS[:6])
    guest.slow(least=3000)  # what is refused is told before the coach has thought
    asked = page.evaluate(
        """async (table) => {
            const { view } = await (await fetch(`/api/tables/${table}`)).json()
            const body = JSON.stringify({ game: view.game, state: view.state })
            const headers = { 'content-type': 'application/json' }
            return (await fetch('/api/coach/advise', { method: 'POST', headers, body })).status
        }""",
        table_of(page),
    )
    assert asked == 200
    expect(page.locator(".refusal")).to_contain_text("The coach was asked about this position elsewhere")
    fill(guest, CELLS[6:])
    expect(page.locator("[data-end]")).to_contain_text("The coach was asked about a position of it elsewhere")


def test_a_damaged_table_can_only_be_given_up(guest: Visitor) -> None:
    page = guest.sit("lite-solo", SPEC_DICE)
    fill(guest, ["a1", "b1"])
    table = table_of(page)
    guest.go()  # nobody sits there, so it comes from the store next time
    expect(page.locator("[data-left] a")).to_have_count(1)
    damage(guest.hall, table)
    page.locator("[data-left] a").tap()
    expect(page.get_by_role("alert")).to_have_text(DAMAGED)
    page.get_by_role("button", name="Abandon this run").tap()
    page.locator("dialog").get_by_role("button", name="Abandon this run").tap()
    expect(page.locator("[data-game]")).to_have_count(5)
    expect(page.locator("[data-left] a")).to_have_count(0)
    page = guest.go(f"table/{table}")
    expect(page.get_by_role("alert")).to_have_text("There is no such table. It may have been abandoned.")
    forgive(guest, "WebSocket")


def test_the_hall_offers_to_give_tables_up(guest: Visitor) -> None:
    page = guest.sit("lite-solo", SPEC_DICE)
    fill(guest, ["a1", "b1"])
    table = table_of(page)
    guest.go()
    damage(guest.hall, table)
    page.get_by_role("button", name="Abandon this run: Knucklebones-lite").tap()
    page.locator("dialog").get_by_role("button", name="Cancel").tap()
    expect(page.locator("dialog")).to_have_count(0)
    page.get_by_role("button", name="Abandon this run: Knucklebones-lite").tap()
    page.locator("dialog").get_by_role("button", name="Abandon this run").tap()
    expect(page.locator("[data-left] a")).to_have_count(0)


def test_a_table_that_is_given_up_elsewhere_says_so(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    fill(phone, ["a1", "b1"])
    other = phone.new_page()
    other.goto(f"{phone.hall.address}/#/")
    other.get_by_role("button", name="Abandon this run: Knucklebones-lite").tap()
    other.locator("dialog").get_by_role("button", name="Abandon this run").tap()
    expect(page.get_by_role("alert")).to_have_text("There is no such table. It may have been abandoned.")


def test_a_device_that_is_signed_out_begins_anew_or_enters_a_code(phone: Visitor, desk: Visitor) -> None:
    page = phone.go("settings")
    page.get_by_label("Nickname").fill("Grace")
    page.get_by_role("button", name="Save").tap()
    page.get_by_role("button", name="Get a code", exact=True).tap()
    code = page.locator(".code").inner_text()
    other = desk.go("settings")
    other.get_by_label("I have a code").fill(code)
    other.get_by_role("button", name="Use it").click()
    expect(other.locator("[data-device]")).to_have_count(2)
    desk.sit("lite-solo", SPEC_DICE)
    page.reload()
    expect(page.locator("[data-device=this]")).to_contain_text("since today")
    expect(page.locator("[data-device=this]")).to_contain_text("this device")
    page.locator("[data-device=other]").get_by_role("button").tap()
    expect(page.locator("[data-device]")).to_have_count(1)
    expect(other.get_by_role("alert")).to_contain_text("This device has been signed out.")
    other.evaluate("dispatchEvent(new Event('online'))")
    other.wait_for_timeout(1000)  # nobody is made a guest without being asked
    expect(other.get_by_role("alert")).to_contain_text("This device has been signed out.")
    expect(other.get_by_role("link", name="Enter a code")).to_be_visible()
    other.get_by_role("link", name="Begin as a new guest").click()
    other.locator("[data-game=lite-solo]").click()
    other.locator("[data-play]").click()
    desk.rest()
    expect(other.locator(".cell.open")).to_have_count(9)


def test_who_is_signed_out_hears_of_it_when_sitting_down(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    phone.go("game/lite-solo")
    phone.context.clear_cookies()
    page.locator("[data-play]").tap()
    expect(page.locator("[data-trouble=not-signed-in]")).to_contain_text("This device has been signed out.")
    page.get_by_role("button", name="Begin as a new guest").tap()
    phone.rest()
    expect(page.locator(".cell.open")).to_have_count(9)
    forgive(phone, "401")


def test_who_is_banned_is_told_so(guest: Visitor) -> None:
    page = guest.go("settings")
    page.get_by_label("Nickname").fill("Mallory")
    page.get_by_role("button", name="Save").tap()
    expect(page.locator("main")).to_contain_text("Saved.")
    guest.sit("lite-solo", SPEC_DICE)
    me = page.evaluate("fetch('/api/me').then(answer => answer.json()).then(me => me.id)")
    assert call("dicehall", "hall", "ban", me, "--data", str(guest.hall.data)).returncode == 0
    expect(page.get_by_role("alert")).to_have_text("You are banned from this hall.")
    page = guest.go("play/lite-solo")
    expect(page.locator("[data-trouble=banned]")).to_have_text("You are banned from this hall. To the hall")
    forgive(guest, "403")
