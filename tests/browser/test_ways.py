"""Ways through the hall: back from a table and on again, a shared link, from screen to screen without a flash, and out
of a sheet."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.tables import LANGUAGES
from tests.browser.test_focus import UNCOVERED
from tests.browser.test_lite import CELLS, SPEC_DICE, fill
from tests.browser.test_screens import GAMES
from tests.browser.test_shut_the_box import shut
from tests.browser.visit import JUST_CAME_UP, Hall, Visitor
from tests.soak import met

LOBBY_PATIENCE = 500  # milliseconds, as in web/src/lib/lobby.svelte.ts


# A sheet is closed, and before the browser has gone the step back that this takes, another screen is chosen.
LATE = """() => {
    const back = history.back.bind(history)
    history.back = () => {
        history.back = back
        location.hash = '/settings'
        setTimeout(back, 20)
    }
    document.querySelector('dialog').close()
    return new Promise((done) => setTimeout(done, 200))
}"""


def table_of(page: Page) -> str:
    return page.url.rpartition("/table/")[2]


# -- back, and on again


def test_back_from_a_table_leads_to_the_hall_with_the_table_on_top(phone: Visitor) -> None:
    """The one just left, though another was played at later, and though nothing was done at it."""
    page = phone.sit("farkle", "152226")
    first = table_of(page)
    phone.sit("lite-solo", SPEC_DICE)
    fill(phone, ["a1", "b1"])
    second = table_of(page)
    phone.go(f"table/{first}")
    phone.rest()
    page.get_by_role("link", name="Back").tap()
    tables = page.locator("main > section").first.locator("a")
    expect(tables.first).to_have_attribute("href", f"#/table/{first}")
    expect(tables.nth(1)).to_have_attribute("href", f"#/table/{second}")
    tables.first.tap()
    phone.rest()
    assert table_of(page) == first


@pytest.mark.parametrize(("game", "language"), met(GAMES, LANGUAGES))
def test_a_games_page_offers_to_go_on(phone: Visitor, game: str, language: str) -> None:
    phone.settings["language"] = language
    page = phone.go(f"game/{game}")
    page.locator("[data-play]").tap()
    phone.rest()
    table = table_of(page)
    go_on = page.locator("[data-go-on]")
    page.go_back()
    expect(go_on).to_be_visible()
    page.locator("header a[href='#/']").tap()
    expect(page.locator(f"[data-left] a[href='#/table/{table}']")).to_be_visible()  # and the hall says the same
    page.locator(f"[data-game={game}]").tap()
    expect(go_on).to_contain_text({"en": "Continue", "de": "Weiterspielen"}[language])
    expect(go_on.locator("small")).not_to_be_empty()  # with what
    go_on.tap()
    phone.rest()
    assert table_of(page) == table


def test_the_hall_comes_whole(phone: Visitor) -> None:
    """The tables are there when the hall is: what is below them does not move away from under a finger."""
    # who waits long is shown the hall without them; a busy machine takes its time, and here it has it
    phone.before(
        "{ const later = window.setTimeout.bind(window); window.setTimeout = (what, time, ...more) =>"
        f" later(what, time === {LOBBY_PATIENCE} ? 100 * time : time, ...more) }}"
    )
    page = phone.sit("lite-solo", SPEC_DICE)
    page.evaluate(
        "window.tops = new Set(); new MutationObserver(() => { const daily = document.querySelector('.daily');"
        " if (daily) tops.add(Math.round(daily.getBoundingClientRect().top)) })"
        ".observe(document, { subtree: true, childList: true, characterData: true })"
    )
    page.get_by_role("link", name="Back").tap()
    expect(page.locator(".daily time")).to_be_visible()
    expect(page.locator("a[href^='#/table/']").first).to_be_visible()
    phone.idle()
    assert len(page.evaluate("[...tops]")) == 1


# -- from screen to screen


def test_no_splash_between_screens(phone: Visitor) -> None:
    page = phone.go()
    expect(page.locator("[data-game]")).to_have_count(5)
    page.evaluate(
        "window.splashes = 0; new MutationObserver(() => { splashes += document.querySelectorAll('.splash').length })"
        ".observe(document, { subtree: true, childList: true })"
    )
    page.locator("[data-game=lite-solo]").tap()
    page.locator("[data-play]").tap()
    phone.rest()
    page.get_by_role("link", name="Back").tap()
    page.locator("a[href^='#/table/']").first.tap()
    phone.rest()
    fill(phone, CELLS)
    page.evaluate(JUST_CAME_UP)
    page.get_by_role("button", name="New run").tap()
    expect(page.locator(".cell.open")).to_have_count(9)
    assert page.evaluate("splashes") == 0


# -- a shared link


@pytest.mark.parametrize(("nickname", "language"), met(["", "Grace"], ["de", "en"]))
def test_a_shared_link_names_who_played_and_offers_the_dice(
    browser: Browser, hall: Hall, nickname: str, language: str
) -> None:
    with Visitor(browser, hall, has_touch=True) as player, Visitor(browser, hall, has_touch=True) as friend:
        if nickname:
            player.go("settings")
            player.page.get_by_label("Nickname").fill(f"{nickname} {language}")
            player.page.get_by_role("button", name="Save").tap()
            expect(player.page.locator("main")).to_contain_text("Saved.")
        player.sit("lite-versus", "525262336414", {"columns": True}, "you,standard")
        for name in CELLS:
            player.tap(player.page.locator(f"button[data-cell={name}]"))
            player.tap(player.page.locator(f"button[data-cell={name}]"))
        expect(player.page.locator("[data-end]")).to_be_visible()
        player.page.evaluate(JUST_CAME_UP)
        player.page.get_by_role("link", name="Replay").tap()
        expect(player.page.locator("input[type=range]")).to_be_visible()
        expect(player.page.locator("[data-credit]")).to_have_count(0)  # one's own
        friend.settings["language"] = language
        page = friend.go(player.page.url.partition("#/")[2])
        guest = {"en": "A guest", "de": "Ein Gast"}[language]
        who = f"{nickname} {language}" if nickname else guest
        by = who if nickname else "einem Gast"
        said = {"en": f"{who} played this", "de": f"Gespielt von {by}"}[language]
        expect(page.locator("[data-credit] p")).to_have_text(said)
        expect(page.locator(".seats li").first).to_contain_text(who)
        page.locator("[data-credit] a").tap()
        page.wait_for_url("**/#/table/*")
        friend.rest()
        expect(page.locator(".cell.open")).to_have_count(9)
        expect(page.locator(".dice .die svg")).to_have_attribute("data-value", "5")
        expect(page.locator("[data-column]")).to_have_count(6)  # the options too, and the other seat


def test_a_shared_daily_offers_the_daily(phone: Visitor, desk: Visitor) -> None:
    links = []
    for one in (phone, desk):
        one.sit("lite-solo", kind="daily")
        fill(one, CELLS)
        links.append(one.page.get_by_role("link", name="Replay").get_attribute("href") or "")
    page = desk.go(links[0].removeprefix("#/"))
    expect(page.locator("[data-credit] a")).to_have_attribute(
        "href", f"#/play/lite-solo?kind=daily&beat={links[0].removeprefix('#/run/')}"
    )


# -- sheets


def test_the_options_have_done_and_keep_their_way_out(phone: Visitor) -> None:
    phone.page.set_viewport_size({"width": 320, "height": 568})
    page = phone.go("game/shut-the-box")
    page.locator(".options").tap()
    sheet = page.locator("dialog")
    for end in ("0", "one.scrollHeight"):
        sheet.evaluate(f"one => one.scrollTo(0, {end})")
        for way_out in (page.get_by_role("button", name="Close"), page.get_by_role("button", name="Done")):
            expect(way_out).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Done").tap()
    expect(sheet).to_have_count(0)


def test_the_way_back_closes_a_sheet_and_leads_out_of_the_table_after_that(phone: Visitor) -> None:
    """One sheet after another, too, and a link out of one leaves nothing behind it."""
    phone.go()
    page = phone.sit("lite-solo", SPEC_DICE)
    table, menu, sheet = page.url, page.get_by_role("button", name="Menu"), page.locator("dialog")
    menu.tap()
    page.get_by_role("button", name="Rules").tap()
    expect(sheet.locator("ol")).to_be_visible()
    page.go_back()
    expect(sheet).to_have_count(0)
    assert page.url == table
    menu.tap()
    page.get_by_role("link", name="Settings").tap()
    expect(page.locator("h1")).to_have_text("Settings")
    page.go_back()
    phone.rest()
    expect(page.locator(".cell.open")).to_have_count(9)
    expect(sheet).to_have_count(0)
    page.evaluate(UNCOVERED)  # one step further, to the table itself
    page.go_back()
    expect(page.locator("[data-game]")).to_have_count(5)
    page.go_forward()
    phone.rest()
    menu.tap()
    expect(sheet).to_be_visible()
    page.evaluate(LATE)
    phone.forgiven = ("WebSocket is closed before",)  # the table was there for a moment
    expect(page.locator("h1")).to_have_text("Settings")


def test_keys_are_listed_where_there_is_a_keyboard(phone: Visitor, desk: Visitor) -> None:
    for one, listed in ((phone, False), (desk, True)):
        page = one.sit("farkle", "152226", kind="ranked")
        page.get_by_role("button", name="Menu").click()
        expect(page.get_by_role("button", name="Rules")).to_be_visible()
        assert page.locator("[data-keys]").is_visible() == listed
    expect(page.locator("[data-keys]")).not_to_contain_text("Undo")  # there is none in a run for the boards


@pytest.mark.parametrize(("key", "dice"), [("1", 1), ("2", 2), ("o", 1), ("t", 2)])
def test_one_or_two_dice_by_a_key(desk: Visitor, key: str, dice: int) -> None:
    page = desk.sit("shut-the-box", "63" + "62" + "52" + "43")
    for number in (9, 8, 7):
        shut(desk, number)
    expect(page.locator("[data-roll]")).to_have_count(2)
    desk.press(key)
    expect(page.locator("section.board .dice .die svg")).to_have_count(dice)
