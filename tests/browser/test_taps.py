"""Every tap lands: nothing moves under a finger, a hurried tap hides nothing, and one tap is one undo."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_farkle import EXAMPLE, bank, choose, die, roll, states
from tests.browser.test_lite import CELLS, SPEC_DICE, cell, place
from tests.browser.test_shut_the_box import shut
from tests.browser.visit import DRAWN, JUST_CAME_UP, NO_ECHO, Visitor, later, soon


def lower_edge(page: Page, where: str) -> tuple[float, float]:
    box = page.locator(where).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] - 3


@pytest.mark.parametrize("name", ["a1", "b2", "c2"])
def test_tap_again_hits_the_same_cell_at_its_lower_edge(phone: Visitor, name: str) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    x, y = lower_edge(page, cell(name))
    page.touchscreen.tap(x, y)
    expect(page.locator(f"{cell(name)}.thought")).to_be_attached()
    page.touchscreen.tap(x, y)
    phone.rest()
    expect(page.locator(f"{cell(name)}.full")).to_be_attached()


def test_a_click_lands_though_what_it_shows_goes_with_the_focus(desk: Visitor) -> None:
    """The die that a column shows while the mouse is over it is gone as soon as the column clicked before loses the
    focus: between the button's going down and its coming up."""
    page = desk.sit("knucklebones", "554632421255", seats="you,you")
    for seat, column in ((0, 0), (1, 0), (0, 1), (1, 0), (0, 2)):
        where = page.locator(f"[data-seat='{seat}'] [data-place='{column}']")
        where.hover()
        desk.tap(where)
    expect(page.locator("[data-seat='1'] [data-place]")).to_have_count(3)


# -- hurried taps


def double_tap(page: Page, where: str) -> None:
    box = page.locator(where).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.touchscreen.tap(x, y)
    page.touchscreen.tap(x + 2, y + 1)


@pytest.mark.parametrize("speed", ["normal", "fast", "instant"])
def test_a_double_tap_on_roll_hides_no_farkle(phone: Visitor, speed: str) -> None:
    """Neither one's own nor the opponent's turn after it; all of it can be read afterwards."""
    phone.settings["speed"] = speed
    page = phone.sit("farkle", EXAMPLE + "46" + "111246" + "152346", {"target": 5000}, "you,bank:300")
    phone.watch("[data-mood=farkle] h2")
    for n in (2, 3, 4, 0):
        page.locator(die(n)).tap()
    double_tap(page, "[data-action=roll]")
    phone.rest()
    assert phone.watched() == ["Farkle! 300 lost"]
    page.locator("[data-action=log]").tap()
    expect(page.locator("dialog [data-log]")).to_contain_text("You: Farkle! 300 lost.")
    log = page.locator("dialog [data-log] li").all_inner_texts()
    assert "Penny: 1,000 banked, 1,000 in all." in log
    assert log.index("Penny: 1,000 banked, 1,000 in all.") < log.index("You: Farkle! 300 lost."), "the newest first"


def test_many_taps_stop_at_a_farkle(phone: Visitor) -> None:
    phone.settings["speed"] = "normal"
    page = phone.sit("farkle", EXAMPLE + "46" + "123456")
    phone.watch("[data-mood=farkle] h2")
    choose(phone, 2, 3, 4, 0)
    for _ in range(8):
        page.locator("[data-action=roll]").tap(force=True)
    phone.rest()
    assert phone.watched() == ["Farkle! 300 lost"]


# A tap on the board as soon as something is shown; and whether that was over with it.
HURRIED = """() => void (window.hurried = new Promise((told) => new MutationObserver((_, watcher) => {
    if (!document.querySelector('[data-busy=true]')) return
    watcher.disconnect()
    document.querySelector('.board').click()
    setTimeout(() => told(document.querySelector('[data-busy=true]') === null), 50)
}).observe(document, { subtree: true, attributes: true })))"""


def test_a_later_tap_still_skips(phone: Visitor) -> None:
    """Just after a move nothing is skipped: it may be an echo of the tap that moved."""
    phone.settings["speed"] = "normal"
    page = phone.sit("farkle", EXAMPLE + "111246" + "152346", {"target": 5000}, "you,bank:300")
    choose(phone, 0)
    page.evaluate(HURRIED)
    phone.slow()
    page.locator("[data-action=bank]").tap()
    assert page.evaluate("hurried") is False
    page.evaluate(NO_ECHO)
    page.locator(".board").tap(position={"x": 5, "y": 5})
    expect(page.locator("[data-busy=false][data-waiting=false]")).to_be_attached(timeout=soon(1500))


def test_a_double_tap_on_the_last_cell_does_not_start_another_run(phone: Visitor) -> None:
    """Where the button to place was, there are those of the end."""
    page = phone.sit("lite-solo", SPEC_DICE)
    for name in ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3"):
        place(phone, name)
    table = page.url
    page.locator(cell("c3")).tap()
    double_tap(page, "[data-action=place]")
    expect(page.locator("[data-end]")).to_be_visible()
    assert page.evaluate("location.href") == table


def test_a_double_tap_on_shut_does_not_choose_the_dice_too(phone: Visitor) -> None:
    page = phone.sit("shut-the-box", "63" + "62" + "52" + "4" + "11")
    shut(phone, 9)
    shut(phone, 8)
    page.locator("[data-tile='7']").tap()
    box = page.locator("[data-shut]").bounding_box()
    assert box is not None
    where = box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2
    page.touchscreen.tap(*where)
    page.locator("[data-roll='2']").wait_for()  # in the same place
    page.touchscreen.tap(*where)
    phone.rest()
    expect(page.locator("[data-roll='2']")).to_be_visible()


def test_a_late_second_tap_on_shut_does_not_choose_the_dice_either(phone: Visitor) -> None:
    page = phone.sit("shut-the-box", "63" + "62" + "52" + "4" + "11")
    for number in (9, 8, 7):
        shut(phone, number)
    page.evaluate(later(600))
    page.locator("[data-roll='2']").tap()
    phone.rest()
    expect(page.locator("[data-roll='2']")).to_be_visible()
    phone.tap("[data-roll='2']")
    expect(page.locator("[data-roll='2']")).to_have_count(0)


def test_keys_choose_the_dice_at_once(desk: Visitor) -> None:
    page = desk.sit("shut-the-box", "63" + "62" + "52" + "4" + "11")
    for number in (9, 8, 7):
        shut(desk, number)
    desk.press("t")
    expect(page.locator("[data-roll='2']")).to_have_count(0)


def test_a_key_that_is_held_down_is_pressed_once(desk: Visitor) -> None:
    page = desk.sit("lite-solo", SPEC_DICE)
    page.locator(cell("a1")).focus()
    for _ in range(6):
        page.keyboard.down("1")
    desk.rest()
    page.keyboard.up("1")
    expect(page.locator(".cell.full")).to_have_count(1)
    expect(page.locator(".refusal")).to_have_count(0)


# -- one tap, one undo


def test_one_tap_is_one_undo(phone: Visitor) -> None:
    page = phone.sit("farkle", EXAMPLE + "14" + "123456")
    start = states(page)
    choose(phone, 2, 3, 4, 0)
    before = states(page)
    for act in (roll, bank):
        act(phone)
        assert states(page) != before
        phone.tap(page.get_by_role("button", name="Undo"))
        assert states(page) == before, "as it was before the tap, with what had been chosen"
    roll(phone)
    page.reload()
    phone.rest()
    phone.tap(page.get_by_role("button", name="Undo"))
    assert states(page) == start


def test_a_double_tap_on_undo_is_one(phone: Visitor) -> None:
    """A later one hears that only the last move can be taken back; or, where nothing is placed, that there is none."""
    page = phone.sit("knucklebones", "1234561234", seats="you,spec")
    undo = page.locator("header [aria-label=Undo]")
    phone.tap(undo)
    expect(page.locator(".refusal")).to_have_text("There is nothing to take back.")
    for column in (0, 1):
        for _ in range(2):
            phone.tap(f"[data-seat='0'] [data-column='{column}']")
        page.evaluate(NO_ECHO)
    expect(page.locator("[data-seat='0'] .lying")).to_have_count(2)
    double_tap(page, "header [aria-label=Undo]")
    phone.rest()
    expect(page.locator("[data-seat='0'] .lying")).to_have_count(1)
    page.evaluate(DRAWN)
    assert page.locator(".refusal").count() == 0
    page.evaluate(NO_ECHO)
    phone.tap(undo)
    expect(page.locator(".refusal")).to_have_text("Only the last move can be taken back.")


def test_a_key_that_is_held_down_takes_back_once(desk: Visitor) -> None:
    page = desk.sit("lite-solo", SPEC_DICE)
    desk.press("1", "2")
    page.keyboard.down("u")
    desk.rest()
    page.keyboard.down("u")
    desk.rest()
    page.keyboard.up("u")
    expect(page.locator(".cell.full")).to_have_count(1)
    assert page.locator(".refusal").count() == 0


def test_a_farkle_can_be_taken_back_while_it_is_shown(phone: Visitor) -> None:
    phone.context.clock.install()
    phone.settings["speed"] = "normal"
    page = phone.sit("farkle", EXAMPLE + "46" + "123456")
    choose(phone, 2, 3, 4, 0)
    before = states(page)
    page.locator("[data-action=roll]").tap()
    expect(page.locator("[data-mood=farkle]")).to_be_visible()
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator("[data-mood=farkle]")).to_have_count(0)
    page.clock.fast_forward(5000)
    assert states(page) == before


def test_who_taps_on_when_it_is_over_sees_the_end(phone: Visitor) -> None:
    """New run stands where Place it was: a finger on its way there does not begin another run."""
    phone.settings["speed"] = "normal"
    page = phone.sit("lite-solo", SPEC_DICE)
    phone.play_ahead(CELLS[:-1])
    table = page.url
    page.locator(cell(CELLS[-1])).tap()
    place_it = page.locator("[data-action=place]").bounding_box()
    assert place_it is not None
    page.locator("[data-action=place]").tap()
    expect(page.locator("[data-end]")).to_be_visible()
    page.touchscreen.tap(place_it["x"] + place_it["width"] / 2, place_it["y"] + place_it["height"] / 2)
    assert page.evaluate("location.href") == table
    expect(page.locator("[data-end]")).to_be_visible()
    page.evaluate(JUST_CAME_UP)
    page.get_by_role("button", name="New run").tap()
    expect(page.locator("[data-end]")).to_have_count(0)


@pytest.mark.parametrize(
    ("game", "dice", "where", "pressed"),
    [
        ("farkle", EXAMPLE, "[data-best]", "[data-group='1'][aria-pressed=true]"),
        ("farkle", "111556", "[data-best]", "[data-best][aria-pressed=true]"),
        ("farkle", EXAMPLE, "[data-group='222']", "[data-group='222'][aria-pressed=true]"),
        ("farkle", EXAMPLE, die(0), "[data-group='1'][aria-pressed=true]"),
        ("shut-the-box", "63", "[data-tile='8']", "[data-tile='8'][aria-pressed=true]"),
    ],
)
def test_a_double_tap_chooses_and_does_not_let_go(
    phone: Visitor, game: str, dice: str, where: str, pressed: str
) -> None:
    page = phone.sit(game, dice)
    double_tap(page, where)
    expect(page.locator(pressed)).to_be_attached()
    page.evaluate(NO_ECHO)
    page.locator(where).tap(force=True)
    expect(page.locator(pressed)).to_have_count(0)


# Where a tap just inside a corner of what can be tapped misses it.
MISSED = """(where) => [...document.querySelectorAll(where)].flatMap((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect()
    return [[left + 3, top + 3], [right - 3, top + 3], [left + 3, bottom - 3], [right - 3, bottom - 3]]
        .filter(([x, y]) => !one.contains(document.elementFromPoint(x, y)))
})"""


@pytest.mark.parametrize(
    ("game", "where"), [("knucklebones", "[data-place]"), ("lite-solo", "[data-cell]"), ("shut-the-box", "[data-tile]")]
)
def test_a_tap_in_a_corner_lands(phone: Visitor, game: str, where: str) -> None:
    for width, height in ((390, 844), (320, 568)):
        phone.page.set_viewport_size({"width": width, "height": height})
        expect(phone.go("runs").locator(".table")).to_have_count(0)  # the last one is left
        page = phone.sit(game, "5346", seats="you,spec" if game == "knucklebones" else "")
        expect(page.locator(where).first).to_be_visible()
        assert page.evaluate(MISSED, where) == []


@pytest.mark.parametrize(
    ("game", "dice", "options", "seats", "ahead", "last"),
    [
        ("lite-solo", SPEC_DICE, {}, "", CELLS[:-1], [cell(CELLS[-1]), "[data-action=place]"]),
        ("lite-versus", "1" * 18, {}, "you,you", [one for one in CELLS for _ in "ab"][:-1],
         [f"button{cell(CELLS[-1])}", "[data-action=place]"]),
        ("farkle", "111246", {"target": 1000}, "", [], ["[data-group='111']", "[data-action=bank]"]),
        ("shut-the-box", "66" * 4, {"rounds": 1, "one_die": "never"}, "", ["9+3", "8+4"],
         ["[data-combo='7+5']", "[data-shut]"]),
    ],
)  # fmt: skip
def test_a_late_tap_on_the_last_button_begins_no_other_run(
    phone: Visitor, game: str, dice: str, options: dict[str, object], seats: str, ahead: list[str], last: list[str]
) -> None:
    """Where it was, there are the buttons of the end: half a second after that has come they do nothing yet."""
    page = phone.sit(game, dice, options, seats)
    phone.play_ahead(ahead)
    *before, button = last
    for one in before:
        phone.tap(one)
    where = page.locator(button).bounding_box()
    assert where is not None
    x, y, table = where["x"] + where["width"] / 2, where["y"] + where["height"] / 2, page.url
    page.touchscreen.tap(x, y)
    page.locator("[data-end] .slots").wait_for()
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('[data-end] .slots') !== null", [x, y])
    page.evaluate(NO_ECHO)  # so it is none
    page.touchscreen.tap(x, y)
    page.evaluate(DRAWN)
    assert page.evaluate("location.href") == table
    expect(page.locator("[data-end]")).to_be_visible()
