"""The focus never falls to the body: not after a tap, when a sheet closes, on a new screen, or at the end of a run."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.tables import SCENES, assert_somewhere, at, settle
from tests.browser.test_lite import SPEC_DICE
from tests.browser.test_screens import GAMES
from tests.browser.visit import Hall, Visitor

# Until no sheet is left on the way back: the browser goes a step back when it likes.
UNCOVERED = """() => new Promise((done) => {
    const look = () => (history.state === null ? done() : setTimeout(look, 5))
    look()
})"""


def has_focus(page: Page) -> str:
    """What has it: its tag and its first words."""
    found: str = page.evaluate("() => `${document.activeElement.localName} ${document.activeElement.innerText}`")
    return " ".join(found.split())


@pytest.mark.parametrize("name", ["lite", "farkle", "box", "bones, two people"])
def test_who_rolls_keeps_it_too(browser: Browser, hall: Hall, name: str) -> None:
    """What the player was at is hidden while the dice wait."""
    with Visitor(browser, hall, **at("phone")) as visitor:
        visitor.settings["autoRoll"] = False
        scene = SCENES[name]
        page = visitor.go(f"play/{scene.game}?seed=dice:{scene.dice}&seats={scene.seats}".removesuffix("&seats="))
        throw = page.locator("[data-action=throw]")
        throw.tap()
        settle(page)
        assert_somewhere(page, "the first roll")
        for tap in scene.taps[:6]:
            page.locator(tap.lstrip("!?")).first.tap(force=True)
            expect(page.locator("[data-busy=false][data-waiting=false], [data-action=throw]").first).to_be_attached()
            if throw.count():
                assert_somewhere(page, f"{tap}, and the dice wait")
                throw.tap()
            settle(page)
            assert_somewhere(page, tap)


@pytest.mark.parametrize("game", GAMES)
def test_a_new_screen_begins_at_its_name(desk: Visitor, game: str) -> None:
    page = desk.go()
    name = page.locator(f"[data-game={game}] b").inner_text()
    page.locator(f"[data-game={game}]").press("Enter")
    expect(page.locator("h1:focus")).to_have_text(name)
    page.locator("[data-play]").press("Enter")
    desk.rest()
    expect(page.locator("h1:focus")).to_have_text(name)
    page.get_by_role("link", name="Back").press("Enter")
    expect(page.locator("h1:focus")).to_have_text("Roll well.")


def test_so_does_every_screen_that_the_hall_leads_to(desk: Visitor) -> None:
    page = desk.go()
    for place, called in (
        ("settings", "Settings"),
        ("puzzles", "Puzzles"),
        ("runs", "My runs"),
        ("boards/lite-solo", "Boards"),
    ):
        page.locator(f"a[href='#/{place}']").press("Enter")
        expect(page.locator("h1:focus")).to_have_text(called)
        page.go_back()
        expect(page.locator("h1:focus")).to_have_text("Roll well.")


def test_a_sheet_gives_it_back_however_it_closes(desk: Visitor) -> None:
    page = desk.sit("lite-solo", kind="ranked")
    menu, hint = page.get_by_role("button", name="Menu"), page.locator("[data-action=hint]")
    close = page.get_by_role("button", name="Close")

    def expect_back(opener: str) -> None:
        expect(page.locator("dialog")).to_have_count(0)
        expect(page.locator(f"{opener}:focus")).to_have_count(1)
        page.evaluate(UNCOVERED)

    for way in ("x", "Escape", "beside", "back"):
        menu.press("Enter")
        expect(page.locator("dialog")).to_be_visible()
        if way == "x":
            close.press("Enter")
        elif way == "Escape":
            page.keyboard.press("Escape")
        elif way == "back":
            page.go_back()
        else:
            page.mouse.click(5, 5)
        expect_back("[aria-label=Menu]")
    menu.press("Enter")
    page.get_by_role("button", name="Rules").press("Enter")  # one sheet after another
    expect(page.locator("dialog ol")).to_be_visible()
    page.keyboard.press("Escape")
    expect_back("[aria-label=Menu]")
    menu.press("Enter")
    page.get_by_role("button", name="Abandon this run").press("Enter")
    expect(page.get_by_role("button", name="Keep playing")).to_be_focused()  # the harmless answer
    page.get_by_role("button", name="Keep playing").press("Enter")
    expect_back("[aria-label=Menu]")
    expect(hint).to_be_visible()  # as soon as it is known that the coach knows this game
    hint.press("Enter")
    page.get_by_role("button", name="Keep playing").press("Enter")
    expect_back("[data-action=hint]")


def test_words_in_a_sheet_can_be_tapped(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    page.get_by_role("button", name="Menu").tap()
    page.locator("dialog h2").first.tap()
    assert_somewhere(page, "a tap on words")
    assert page.evaluate("document.activeElement.closest('dialog') !== null")


def test_the_end_of_a_run_is_where_it_goes(desk: Visitor) -> None:
    """To what the end says, and not to a button that the next key would press."""
    page = desk.sit("lite-solo", SPEC_DICE)
    page.locator("[data-cell=c3]").focus()
    desk.press(*"123456789")
    expect(page.locator("[data-end] h2:focus")).to_be_visible()
    table = page.url
    page.keyboard.press("Enter")
    page.keyboard.press(" ")
    assert page.evaluate("location.href") == table


def test_keys_play_from_wherever_it_is(desk: Visitor) -> None:
    """On the screen's name Space goes on, and Enter is not lost on it."""
    page = desk.go("game/shut-the-box")
    desk.settings["speed"] = "normal"
    page.locator("[data-play]").press("Enter")
    desk.rest()
    assert has_focus(page) == "h1 Shut the Box"
    desk.press("n")
    page.keyboard.press("Enter")
    expect(page.locator("[data-open=false]")).not_to_have_count(0)


@pytest.mark.parametrize(("game", "keys"), [("knucklebones", "1"), ("farkle", "ab")])
def test_who_is_to_be_handed_the_device_is_named_where_it_is(desk: Visitor, game: str, keys: str) -> None:
    desk.settings["handOver"] = True
    page = desk.sit(game, "111246" * 3, seats="you,you")
    for key in keys:
        page.keyboard.press(key)
    expect(page.get_by_role("heading", name="Hand over to Player 2.")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-hand-over]")).to_have_count(0)
    desk.rest()
    assert_somewhere(page, "handing over")


def test_a_puzzle_begins_at_its_name(desk: Visitor) -> None:
    page = desk.go("puzzles")
    page.locator("[data-puzzles=farkle] a").last.press("Enter")
    expect(page.locator("h1:focus")).to_have_text("Farkle")


@pytest.mark.parametrize("late", ["film", "report"])
def test_behind_the_analysis_of_a_run_it_is_at_the_name(desk: Visitor, late: str) -> None:
    """Whichever of the board and the analysis comes first."""
    page = desk.sit("lite-solo", SPEC_DICE)
    desk.finish()
    held: list[Route] = []
    page.route(f"**/{late}*", lambda route: held.append(route))
    page.get_by_role("link", name="Analysis").press("Enter")
    expect(page.locator("[data-end]")).to_have_count(0)
    page.wait_for_timeout(100)  # the other one comes
    held.pop().continue_()
    expect(page.locator("dialog [data-balance]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("h1:focus")).to_have_text("Knucklebones-lite")
