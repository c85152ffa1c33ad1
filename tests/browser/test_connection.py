"""What must not be lost: a reload, a cut connection, a killed server, a second tab, quick taps. And without a
connection nothing looks as if it counted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_farkle import EXAMPLE, choose, states
from tests.browser.test_lite import SPEC_DICE, cell, fill, place
from tests.browser.test_shut_the_box import open_tiles
from tests.browser.visit import Hall, Visitor

# Notes what has come of taps: a cell was filled, a word said why not, the dice in the air have landed.
ANSWERS = """
    window.answers = []
    const table = document.querySelector('.table')
    const look = () => ({
      filled: table.querySelectorAll('.cell.full').length,
      refused: table.querySelector('.refusal')?.innerText ?? '',
      busy: document.querySelector('[data-busy=true]') !== null,
    })
    let last = look()
    new MutationObserver(() => {
      const now = look()
      if (now.filled > last.filled) answers.push('filled')
      if (now.refused && now.refused !== last.refused) answers.push('refused')
      if (last.busy && !now.busy) answers.push('landed')
      last = now
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
"""

NO_LINE = "void (window.WebSocket = class { constructor() { setTimeout(() => this.onclose({})) } })"


def dice_of(page: Page) -> list[str]:
    return list(
        page.locator("[data-cell]").evaluate_all("all => all.map(one => one.querySelector('svg')?.dataset.value ?? '')")
    )


def test_a_reload_in_mid_run_finds_the_table_as_it_was(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    fill(phone, ["a1", "b1", "c1"])
    before = dice_of(page)
    page.reload()
    phone.rest()
    assert dice_of(page) == before
    fill(phone, ["a2"])
    assert dice_of(page)[3] == "6"


def test_the_hall_leads_back_to_where_one_left(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    fill(phone, ["a1", "b1"])
    page = phone.go()
    page.locator("[data-left] a").first.tap()
    phone.rest()
    expect(page.locator(".cell.full")).to_have_count(2)


def test_an_end_that_was_left_is_found_again_without_a_line(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    phone.finish()
    page.locator("[data-end] dd").first.wait_for()
    phone.context.set_offline(True)
    page.get_by_role("link", name="Replay").tap()
    expect(page.locator("[data-end]")).to_have_count(0)
    page.go_back()
    expect(page.locator("[data-end]")).to_be_visible()
    expect(page.locator(".cell.full")).to_have_count(9)
    phone.forgiven = ("ERR_INTERNET_DISCONNECTED",)


def test_a_cut_connection_is_opened_again_and_the_move_is_made_once(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    place(phone, "a1")
    phone.context.set_offline(True)
    page.evaluate("for (const one of window.sockets) one.close()")
    expect(page.locator(".lost")).to_be_visible()
    page.locator(cell("b1")).tap()
    page.locator(cell("b1")).tap()  # nobody hears it yet
    phone.context.set_offline(False)
    expect(page.locator(".lost")).to_have_count(0)
    phone.rest()
    assert [die for die in dice_of(page) if die] == ["5", "3"]
    phone.complaints = [text for text in phone.complaints if "ERR_INTERNET_DISCONNECTED" not in text]


def test_without_a_line_the_end_is_still_there_after_a_look_at_the_analysis(phone: Visitor) -> None:
    phone.sit("lite-solo", SPEC_DICE)
    page = phone.finish()
    phone.context.set_offline(True)
    page.get_by_role("link", name="Analysis").tap()
    expect(page.locator("[data-trouble], [data-away]")).to_be_visible()
    page.go_back()
    expect(page.locator("[data-end]")).to_be_visible()
    expect(page.locator(".cell.full")).to_have_count(9)
    phone.context.set_offline(False)
    phone.forgiven = ("ERR_INTERNET_DISCONNECTED",)


def test_without_a_line_a_games_page_says_where_its_targets_are(phone: Visitor) -> None:
    page = phone.go("game/lite-solo")
    targets = page.get_by_role("radiogroup", name="Target")
    expect(targets).to_be_visible()
    phone.context.set_offline(True)
    page.locator(".options").tap()
    page.get_by_role("switch", name="Columns score too").tap()
    page.get_by_role("button", name="Close").tap()
    expect(targets).to_have_count(0)
    expect(page.locator("[data-targets-away]")).to_be_visible()
    phone.context.set_offline(False)
    expect(targets).to_be_visible()
    expect(page.locator("[data-targets-away]")).to_have_count(0)
    phone.forgiven = ("ERR_INTERNET_DISCONNECTED",)


@pytest.fixture(autouse=True)
def _reach_sockets(phone: Visitor, desk: Visitor) -> None:
    for visitor in (phone, desk):
        visitor.before(
            "window.sockets = []; window.WebSocket = class extends WebSocket {"
            " constructor(...a) { super(...a); sockets.push(this) } }"
        )


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Hall]:
    with Hall(tmp_path) as running:
        yield running


def test_a_killed_server_comes_back_and_the_run_goes_on(browser: Browser, mortal: Hall) -> None:
    with Visitor(browser, mortal, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True) as visitor:
        page = visitor.sit("lite-solo", SPEC_DICE)
        fill(visitor, ["a1", "b1", "c1", "a2"])
        before = dice_of(page)
        mortal.kill()
        expect(page.locator(".lost")).to_be_visible()
        mortal.start()
        expect(page.locator(".lost")).to_have_count(0)
        assert dice_of(page) == before
        fill(visitor, ["b2", "c2", "a3", "b3", "c3"])
        expect(page.locator(".status .big")).to_have_text("82")  # 26 + 20 + 36
        visitor.forgiven = ("WebSocket", "ERR_CONNECTION", "ERR_SOCKET")  # of what was asked while there was no server


def test_two_tabs_show_the_same_table(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    other = phone.new_page()
    other.goto(page.url)
    expect(other.locator(".cell.open")).to_have_count(9)
    place(phone, "a1")
    expect(other.locator(".cell.full")).to_have_count(1)
    other.locator(cell("b2")).tap()
    other.locator(cell("b2")).tap()
    expect(page.locator(".cell.full")).to_have_count(2)


def test_ten_quick_taps_all_count_or_are_visibly_refused(phone: Visitor) -> None:
    """Nine cells and one too many, without waiting for anything in between: each tap fills a cell, or is refused, or
    hurries the dice that are in the air; nothing else counts as an answer."""
    phone.settings |= {"oneTap": True, "speed": "normal"}
    page = phone.sit("lite-solo", SPEC_DICE)
    boxes = [
        page.locator(cell(name)).bounding_box() for name in ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3", "a1")
    ]
    page.evaluate(ANSWERS)
    for box in boxes:
        assert box is not None
        before = page.evaluate("answers.length")
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        end = time.monotonic() + 5
        while page.evaluate("answers.length") == before and time.monotonic() < end:
            pass
        assert page.evaluate("answers.length") > before, "a tap without any answer"
    phone.rest()
    answers = page.evaluate("answers")
    assert answers.count("filled") == page.locator(".cell.full").count()
    assert answers.count("filled") >= 2  # within half a second after a move, the dice are in the air


def test_a_tap_on_a_full_cell_is_refused_in_words(phone: Visitor) -> None:
    phone.settings |= {"oneTap": True}
    page = phone.sit("lite-solo", SPEC_DICE)
    page.evaluate(ANSWERS)
    phone.tap(cell("a1"))
    assert page.evaluate("answers") == ["filled", "landed"]
    page.locator(cell("a1")).tap(force=True)
    page.wait_for_function("answers.length > 2")
    assert page.evaluate("answers")[2:] == ["refused"]


# -- without a connection


def cut(visitor: Visitor) -> None:
    visitor.context.set_offline(True)
    visitor.page.evaluate("dispatchEvent(new Event('offline'))")
    expect(visitor.page.locator(".lost")).to_be_visible()


def join(visitor: Visitor) -> None:
    visitor.context.set_offline(False)
    expect(visitor.page.locator(".lost, [data-pending]")).to_have_count(0)
    visitor.rest()
    visitor.complaints = [text for text in visitor.complaints if "ERR_INTERNET_DISCONNECTED" not in text]


def test_without_a_connection_a_move_is_shown_as_pending_and_the_next_is_refused(phone: Visitor) -> None:
    page = phone.sit("farkle", EXAMPLE + "14" + "123456")
    choose(phone, 2, 3, 4, 0)
    cut(phone)
    page.locator("[data-action=roll]").tap()
    expect(page.locator("[data-pending]")).to_have_text("No connection. Not sent yet: keep 2 2 2 and 1, then roll on")
    page.locator("[data-action=bank]").tap(force=True)  # it is dim, and answers
    expect(page.locator(".refusal")).to_contain_text("has not been sent yet")
    join(phone)
    assert page.locator(".refusal").count() == 0, "it has been sent"
    assert states(page).count("kept") == 4, "the roll was made, both parts of it"
    expect(page.locator("[data-banked]")).to_have_attribute("data-banked", "0")


LOOKED_AT = {
    "lite-solo": ("[data-cell=a1]", "[data-action=place]", ".cell.full"),
    "lite-versus": ("[data-cell=a1].open", "[data-action=place]", "button.cell.full"),
    "knucklebones": ("[data-seat='0'] [data-column='0']", "[data-action=place]", "[data-seat='0'] .lying"),
    "shut-the-box": ("[data-tile='8']", "[data-shut]", "[data-tile='8'][data-open=false]"),
}


@pytest.mark.parametrize("game", LOOKED_AT)
def test_clear_takes_back_what_has_not_been_sent(phone: Visitor, game: str) -> None:
    look, do, done = LOOKED_AT[game]
    page = phone.sit(game, "5365")
    cut(phone)
    page.locator(look).first.tap()
    page.locator(do).tap()
    expect(page.locator("[data-pending]")).to_be_visible()
    expect(page.locator(do)).to_have_attribute("aria-disabled", "true")
    expect(page.locator("header [aria-label=Undo]")).to_have_attribute("aria-disabled", "true")
    clear = page.locator("[data-action=clear]")
    expect(clear).to_have_attribute("aria-disabled", "false")
    clear.tap()
    expect(page.locator("[data-pending]")).to_have_count(0)
    expect(clear).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".table > [aria-live=polite]").first).to_have_text("Taken back.")
    join(phone)
    assert page.locator(done).count() == 0, "it was not sent"
    phone.tap(page.locator(look).first)
    phone.tap(do)
    assert page.locator("[data-pending]").count() == 0


def test_without_a_connection_the_buttons_of_farkle_are_dim_once_one_was_tapped(phone: Visitor) -> None:
    page = phone.sit("farkle", EXAMPLE + "14" + "123456")
    choose(phone, 2, 3, 4, 0)
    cut(phone)
    page.locator("[data-action=roll]").tap()
    for button in ("roll", "bank"):
        expect(page.locator(f"[data-action={button}]")).to_have_attribute("aria-disabled", "true")
    join(phone)


@pytest.mark.parametrize("way", ["reload", "hall"])
def test_a_move_that_could_not_be_sent_is_kept(phone: Visitor, way: str) -> None:
    """Whoever opens the page anew, or comes back from the hall, finds it made once the line is there; meanwhile it says
    that it waits."""
    page = phone.sit("lite-solo", SPEC_DICE)
    table = page.url.split("#/")[1]
    cut(phone)
    for _ in range(2):
        page.locator(cell("a1")).tap()
    expect(page.locator("[data-pending]")).to_be_visible()
    if way == "hall":
        page.locator("header a").first.tap()
        expect(page.locator(".table")).to_have_count(0)
        phone.context.set_offline(False)
        phone.go(table)
    else:  # though the page can be opened, the line is still cut
        phone.before(f"if (sessionStorage['away']) {NO_LINE}")
        page.evaluate(f"sessionStorage['away'] = true; {NO_LINE}")  # here, too: it would be sent before we leave
        phone.context.set_offline(False)
        page.reload()
        expect(page.locator("[data-line]")).to_contain_text("kept on this device")
        page.evaluate("sessionStorage.removeItem('away')")
        page.reload()
    expect(page.locator("[data-cell=a1].full")).to_be_visible()
    expect(page.locator(".cell.full")).to_have_count(1)
    assert page.evaluate("sessionStorage['dicehall.unsent']") is None
    phone.forgiven = ("ERR_INTERNET_DISCONNECTED",)


def test_without_a_connection_no_tile_looks_shut(phone: Visitor) -> None:
    page = phone.sit("shut-the-box", "5365")
    phone.tap("[data-tile='8']")
    cut(phone)
    page.locator("[data-shut]").tap()
    expect(page.locator("[data-pending]")).to_be_visible()
    assert open_tiles(page) == list(range(1, 10))
    join(phone)
    assert 8 not in open_tiles(page)


def test_a_question_that_could_not_be_asked_is_not_asked_later(phone: Visitor) -> None:
    """It would take the run off the boards, and nobody would see it."""
    page = phone.sit("lite-solo", kind="ranked")
    phone.equip()
    cut(phone)
    page.locator("[data-action=hint]").tap()
    page.locator("[data-action=show-hint]").tap()
    expect(page.locator("[data-silence]")).to_be_visible()
    page.get_by_role("button", name="Close").tap()
    join(phone)
    place(phone, "a1")
    page.locator("[data-action=hint]").tap()
    expect(page.locator("[data-action=show-hint]")).to_be_visible()  # still to be paid for


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_waits_for_the_line_can_be_read_whole(phone: Visitor, language: str) -> None:
    """However many lines it takes, none of them lies behind the deck."""
    phone.settings["language"] = language
    for width, height in ((390, 844), (320, 568)):
        phone.page.set_viewport_size({"width": width, "height": height})
        expect(phone.go("runs").locator(".table")).to_have_count(0)  # the last one is left
        page = phone.sit("farkle", EXAMPLE)
        choose(phone, 2, 3, 4, 0, 1)
        phone.context.set_offline(True)
        page.evaluate("for (const one of window.sockets) one.close()")
        expect(page.locator(".lost")).to_be_visible()
        page.locator("[data-action=roll]").tap()
        expect(page.locator("[data-pending]")).to_be_visible()
        said, deck = page.locator("[data-pending]").bounding_box(), page.locator("section.tray").bounding_box()
        assert said is not None
        assert deck is not None
        assert said["y"] + said["height"] <= deck["y"] + 0.5, (width, height)
        phone.context.set_offline(False)
        phone.rest()
    phone.forgiven = ("ERR_INTERNET_DISCONNECTED",)
