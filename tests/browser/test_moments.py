"""What happens is heard and felt, the more the greater it is; dice are thrown by hand; a device changes hands."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visit import DRAWN, Visitor, later

FEEL = """window.felt = []; window.tones = 0
navigator.vibrate = (pattern) => (felt.push([pattern].flat()), true)
const start = OscillatorNode.prototype.start
OscillatorNode.prototype.start = function (...when) { tones++; start.apply(this, when) }"""
FELT = """() => new Promise((there) => {
    const look = (left) => (felt.length && tones) || !left ? there() : setTimeout(look, 20, left - 1)
    look(100)
})"""
TAKE = """() => {
    const found = [Math.max(0, ...felt.map((one) => one.reduce((sum, n) => sum + n, 0))), tones]
    felt = []
    tones = 0
    return found
}"""


def sit(visitor: Visitor, game: str, dice: str, seats: str = "") -> None:
    visitor.before(FEEL)
    visitor.sit(game, dice, seats=seats)
    visitor.page.locator("h1").click()  # only who has touched the page hears anything


def moment(visitor: Visitor, *moves: str) -> tuple[int, int]:
    """The longest that is felt with these moves, and how many tones are heard."""
    visitor.page.evaluate(TAKE)
    for move in moves:
        visitor.play_ahead([move])
    visitor.page.evaluate(FELT)  # the other tab may be ahead of this one, and how sounds are made comes with the first
    visitor.rest()
    felt, tones = visitor.page.evaluate(TAKE)
    return felt, tones


def test_three_equal_dice_are_more_than_two_and_two_more_than_one(phone: Visitor) -> None:
    sit(phone, "lite-solo", "444444444")
    one, two, three = (moment(phone, cell) for cell in ("a1", "b1", "c1"))
    assert one[0] < two[0] < three[0]
    assert one[1] < two[1] < three[1]


def test_two_broken_dice_are_more_than_one(phone: Visitor) -> None:
    sit(phone, "knucklebones", "554144" + "1234", "you,you")
    moment(phone, "1")
    one = moment(phone, "1")
    moment(phone, "2", "3", "2")
    two = moment(phone, "2")
    assert 0 < one[0] < two[0]


def test_three_tiles_are_more_than_one(phone: Visitor) -> None:
    sit(phone, "shut-the-box", "54" + "54" + "1234")
    assert moment(phone, "9")[0] < moment(phone, "1+3+5")[0]


MANY_POINTS = {
    "bank": ("123346" + "666234" + "123456", ["1", "bank"], ["666", "bank"]),
    "farkle": ("123346" + "23446" + "111234" + "234" + "123456", ["1", "roll"], ["111", "roll"]),
}


@pytest.mark.parametrize("kind", MANY_POINTS)
def test_many_points_are_more_than_few(phone: Visitor, kind: str) -> None:
    dice, few, many = MANY_POINTS[kind]
    sit(phone, "farkle", dice)
    less, more = moment(phone, *few), moment(phone, *many)
    assert less[0] < more[0]
    assert less[1] < more[1] or kind == "farkle"  # which is one tone, and longer


WAITS = "[data-action=throw]"


def swipe(page: Page) -> None:
    """Over where the dice wait."""
    area = page.locator(".throw").bounding_box()
    assert area is not None
    page.mouse.move(area["x"] + 20, area["y"] + 10)
    page.mouse.down()
    page.mouse.move(area["x"] + 40, area["y"] + 12)
    expect(page.locator(WAITS)).to_be_visible()  # a finger that trembles throws nothing
    page.mouse.move(area["x"] + 120, area["y"] + 14, steps=4)
    page.mouse.up()


@pytest.mark.parametrize("way", ["tap", "swipe", "shake"])
def test_dice_are_thrown_by_hand(desk: Visitor, way: str) -> None:
    desk.settings["autoRoll"] = False
    page = desk.go("play/lite-solo?seed=dice:123456123")
    expect(page.locator(WAITS)).to_be_visible()
    expect(page.locator("[data-throws]")).to_be_attached()  # what feels swipes and shakes has come
    if way == "tap":
        page.locator(WAITS).click()
    elif way == "swipe":
        swipe(page)
    else:
        for strength in (3, 20, 20):
            page.evaluate(
                "(x) => dispatchEvent(new DeviceMotionEvent('devicemotion', { acceleration: { x, y: 0, z: 0 } }))",
                strength,
            )
            page.evaluate(later(120))
    expect(page.locator(WAITS)).to_have_count(0)
    desk.rest()


def test_a_device_that_is_hardly_moved_throws_nothing(desk: Visitor) -> None:
    desk.settings["autoRoll"] = False
    page = desk.go("play/lite-solo?seed=dice:123456123")
    expect(page.locator("[data-throws]")).to_be_attached()
    for _ in range(5):
        page.evaluate(
            "dispatchEvent(new DeviceMotionEvent('devicemotion', { acceleration: { x: 3, y: 2, z: 1 } }));"
            "dispatchEvent(new DeviceMotionEvent('devicemotion', {}))"
        )
        page.evaluate(later(100))
    jolt = "dispatchEvent(new DeviceMotionEvent('devicemotion', { acceleration: { x: 20, y: 0, z: 0 } }));"
    page.evaluate(2 * jolt)  # one, told twice
    page.evaluate(DRAWN)
    expect(page.locator(WAITS)).to_be_visible()


def test_leave_to_feel_is_asked_once_and_on_a_tap(desk: Visitor) -> None:
    desk.settings["autoRoll"] = False
    desk.before(
        "window.asked = 0; DeviceMotionEvent.requestPermission = async () => { asked++; throw new Error('no') }"
    )
    page = desk.go("play/lite-solo?seed=dice:123456123")
    expect(page.locator("[data-throws]")).to_be_attached()
    assert page.evaluate("asked") == 0
    for key in "12":
        page.locator(WAITS).click()
        desk.rest()
        page.keyboard.press(key)
        expect(page.locator(WAITS)).to_be_visible()
        assert page.evaluate("asked") == 1


def named(visitor: Visitor, *people: str) -> None:
    names = ",".join(f'"{n}":"{name}"' for n, name in enumerate(people, 1))
    visitor.before(f"localStorage['dicehall.people'] ??= '{{{names}}}'")


def test_the_device_is_handed_over_before_the_dice_roll(phone: Visitor) -> None:
    phone.settings["handOver"] = True
    named(phone, "Hedy", "Ben")
    page = phone.sit("knucklebones", "123456", seats="you,you")
    expect(page.locator("[data-hand-over]")).to_have_count(0)  # whoever begins has it
    for name in ("Ben", "Hedy"):
        page.keyboard.press("1")
        expect(page.locator("[data-hand-over]")).to_have_text(f"Hand over to {name}.")
        swipe(page)  # whoever hands it over has it between the fingers
        expect(page.locator("[data-hand-over]")).to_be_visible()
        page.get_by_role("button", name=f"I am {name}").tap()
        expect(page.locator("[data-hand-over]")).to_have_count(0)
        phone.rest()


def test_ones_own_board_is_the_large_one_until_the_device_is_handed_over(phone: Visitor) -> None:
    phone.settings["handOver"] = True
    page = phone.sit("lite-versus", "525262", seats="you,you")
    mine = page.locator("button[data-cell=a1]")
    mine.tap()
    mine.tap()
    expect(page.locator("[data-hand-over]")).to_be_visible()
    expect(mine.locator("svg.die")).to_have_attribute("data-value", "5")
    page.locator(WAITS).tap()
    phone.rest()
    expect(mine.locator("svg.die")).to_have_count(0)


@pytest.mark.parametrize(("on", "seats"), [(False, "you,you"), (True, "you,level:1")])
def test_it_is_not_where_nobody_wants_it_or_nobody_waits(phone: Visitor, on: bool, seats: str) -> None:
    phone.settings["handOver"] = on
    page = phone.sit("knucklebones", "123456", seats=seats)
    phone.press("1")
    expect(page.locator("[data-hand-over]")).to_have_count(0)


def test_handing_over_is_usual_where_one_touches(phone: Visitor, desk: Visitor) -> None:
    for visitor, usual in ((phone, True), (desk, False)):
        del visitor.settings["handOver"]
        page = visitor.go("settings")
        switch = page.get_by_role("switch", name="Wait while the device changes hands")
        expect(switch).to_be_checked(checked=usual)


def test_names_of_people_are_in_replays_and_in_my_runs(phone: Visitor) -> None:
    named(phone, "Hedy", "Grace")
    page = phone.sit("knucklebones", "123456123456123456", seats="you,you")
    phone.finish()
    page.evaluate("""localStorage['dicehall.people'] = '{"1":"Somebody","2":"Else"}'""")  # who sits here later
    page.goto(f"{phone.hall.address}/#/runs")
    page.reload()
    expect(page.locator("main li").first).to_contain_text("Hedy : Grace")
    page.locator("main li a").first.tap()
    expect(page.locator(".seats li").first).to_contain_text("Hedy")
    expect(page.locator(".seats li").nth(1)).to_contain_text("Grace")
    page.evaluate("localStorage.removeItem('dicehall.people.runs')")  # as on any other device
    page.reload()
    expect(page.locator(".seats li").nth(1)).to_contain_text(re.compile("Player 2"))
