"""A desk and a tablet use their room: large boards and dice, the log and the coach at the side, and each seat on the
side of its board."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, expect

from tests.browser.tables import SCENES, at, settle
from tests.browser.visit import Hall, Visitor

SIZES = {"upright": (768, 1024), "wide": (1024, 768), "desk": (1440, 900)}
# What is played on, by game; and how much of the room it takes at least, in one direction or the other. The room is
# what a bar at the top and a side of 420 pixels leave, or on a tablet held upright a third of its height at the foot.
PLAYED_ON = {
    "lite": (".grid", 0.8),
    "lite, two boards": (".boards", 0.8),
    "farkle": (".felt .dice", 0.65),
    "farkle, race": (".felt .dice", 0.65),
    "box": (".tiles", 0.85),
    "box, twelve": (".tiles", 0.85),
    "bones": (".arena .facing", 0.85),
}


@pytest.fixture(params=list(SIZES))
def visitor(request: pytest.FixtureRequest, browser: Browser, hall: Hall) -> Iterator[Visitor]:
    width, height = SIZES[request.param]
    hand = {} if request.param == "desk" else {"has_touch": True, "is_mobile": True}
    with Visitor(browser, hall, viewport={"width": width, "height": height}, **hand) as one:
        yield one


def sit(visitor: Visitor, name: str) -> None:
    scene = SCENES[name]
    visitor.sit(scene.game, scene.dice, scene.options, scene.seats)
    settle(visitor.page)


def box(where: Locator) -> FloatRect:
    found = where.bounding_box()
    assert found is not None
    return found


def window(visitor: Visitor) -> tuple[int, int]:
    size = visitor.page.viewport_size
    assert size is not None
    return size["width"], size["height"]


@pytest.mark.parametrize("name", PLAYED_ON)
def test_what_is_played_on_is_large_and_the_log_is_at_the_side(visitor: Visitor, name: str) -> None:
    sit(visitor, name)
    where, share = PLAYED_ON[name]
    width, height = window(visitor)
    room = (width - 420, height - 64) if width > height else (width - 40, height * 2 / 3 - 64)
    taken = box(visitor.page.locator(where).first)
    assert max(taken["width"] / room[0], taken["height"] / room[1]) >= share
    page = visitor.page
    expect(page.locator(".log [data-log] li").first).to_be_in_viewport(ratio=1)
    expect(page.locator("[data-action=log]")).to_be_hidden()
    log, tray = box(page.locator(".log")), box(page.locator("section.tray"))
    beside = box(page.locator("section.board")) if window(visitor)[0] >= 860 else tray
    assert log["x"] >= beside["x"] + beside["width"] - 1


@pytest.mark.parametrize("seats", ["you,standard", "you,you"])
def test_two_boards_stand_as_their_seats_do(visitor: Visitor, seats: str) -> None:
    page = visitor.sit("lite-versus", "525262336414", seats=seats)
    for _ in range(2):  # and stay there when it is the other's turn
        names = [one.inner_text() for one in page.locator(".whose").all()]
        places = [box(one)["x"] for one in page.locator(".one").all()]
        assert places == sorted(places)
        assert places[0] + box(page.locator(".one").first)["width"] <= places[1]
        for name, seat in zip(names, page.locator(".seats li").all(), strict=True):
            assert name in " ".join(seat.inner_text().split())
        tiles = [box(one)["x"] for one in page.locator(".seats li").all()]
        assert tiles == sorted(tiles, reverse=seats != "you,you")  # the house has its face first, and speaks there
        cell = page.locator("button.cell.open").first
        visitor.tap(cell)
        if visitor.touches():
            visitor.tap(cell)


def test_grids_lie_as_their_seats_do(visitor: Visitor) -> None:
    page = visitor.sit("knucklebones", "5546324212", seats="you,spec")
    mine, theirs = (box(page.locator(f"[data-seat='{n}']"))["y"] for n in (0, 1))
    assert mine > theirs
    seats = page.locator(".seats li")
    assert box(seats.first)["y"] > box(seats.nth(1))["y"]


@pytest.mark.parametrize("visitor", ["wide", "desk"], indirect=True)  # a tablet held upright has no room for it
def test_the_coach_is_beside_the_board(visitor: Visitor) -> None:
    """One plays on while it speaks; about another position it is silent."""
    page = visitor.sit("lite-solo", "535622444")
    page.locator("[data-action=hint]").click()
    coach = page.locator("[data-coach]")
    expect(coach.locator("[data-hint]")).to_be_visible()
    expect(page.locator("dialog")).to_have_count(0)
    assert box(coach)["x"] >= box(page.locator("section.board"))["x"] + box(page.locator("section.board"))["width"] - 1
    expect(page.locator(".cell.hinted")).to_be_visible()
    if window(visitor)[1] > 840:
        expect(page.locator(".log [data-log] li").first).to_be_in_viewport()
    visitor.press("5")
    expect(page.locator(".cell.full")).to_have_count(1)
    expect(coach).to_have_count(0)
    visitor.press("h")
    expect(coach.locator("[data-hint]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(coach).to_have_count(0)
    visitor.press("h")
    coach.get_by_role("button", name="Close").click()
    expect(coach).to_have_count(0)
    assert page.evaluate("document.activeElement !== document.body")


def test_where_there_is_little_room_the_coach_has_that_of_the_log(browser: Browser, hall: Hall) -> None:
    with Visitor(browser, hall, **at("wide")) as visitor:
        page = visitor.sit("farkle", "152226")
        page.locator("[data-action=hint]").tap()
        expect(page.locator("[data-coach] [data-hint] li").nth(2)).to_be_in_viewport(ratio=0.9)
        expect(page.locator(".log")).to_be_hidden()
        coach = page.locator("[data-coach]")
        if coach.evaluate("one => one.scrollHeight > one.clientHeight + 4"):  # it says that there is more
            expect(coach).to_have_attribute("data-scrolls", "")
            coach.evaluate("one => one.scrollTo(0, one.scrollHeight)")
        expect(page.locator("[data-coach][data-scrolls]")).to_have_count(0)
        page.locator("[data-coach]").get_by_role("button", name="Close").tap()
        expect(page.locator(".log")).to_be_visible()


def test_what_the_coach_costs_is_said_beside_the_board_too(desk: Visitor) -> None:
    page = desk.sit("lite-solo", kind="ranked")
    page.locator("[data-action=hint]").click()
    coach = page.locator("[data-coach]")
    expect(coach).to_contain_text("takes this run off the boards")
    coach.get_by_role("button", name="Keep playing").click()
    expect(coach).to_have_count(0)
    page.locator("[data-action=hint]").click()
    coach.locator("[data-action=show-hint]").click()
    expect(coach.locator("[data-hint]")).to_be_visible()


APART = """([one, others]) => {
    const box = document.querySelector(one).getBoundingClientRect()
    return [...document.querySelectorAll(others)].map((each) => each.getBoundingClientRect()).every((each) =>
        each.right <= box.left || each.left >= box.right || each.bottom <= box.top || each.top >= box.bottom)
}"""


def test_nothing_lies_over_another_beside_a_board_on_a_low_desk(browser: Browser, hall: Hall) -> None:
    """The coach's way out over no value; what a replay offers not under its controls, and what it says beside its dice;
    and the luck of a share is that of the end."""
    with Visitor(browser, hall, viewport={"width": 1280, "height": 720}) as visitor:
        page = visitor.sit("knucklebones", "5546324212", seats="you,spec")
        page.locator("[data-action=hint]").click()
        expect(page.locator("[data-hint] li").first).to_be_visible()
        assert page.evaluate(APART, ["[data-coach] .icon", "[data-hint] li, [data-hint] p"])
        visitor.finish()
        visitor.idle()
        luck = page.locator("[data-skill] dd").nth(1).inner_text()
        page.locator("[data-share]").click()
        expect(page.locator("pre")).to_contain_text(f"Luck: {luck.removesuffix('%').strip()} percentage points ·")
        page.keyboard.press("Escape")
        page.get_by_role("link", name="Replay").click()
        expect(page.locator("[data-to-end]")).to_be_visible()
        assert page.evaluate(APART, ["[data-to-end]", ".controls"])
        for _ in range(5):
            page.get_by_role("button", name="One step on").click()
        assert page.evaluate(APART, ["[data-play-on]", ".controls"])
        assert page.evaluate(APART, ["[data-rolled]", ".told > .small"])


@pytest.mark.parametrize("name", ["lite", "lite, two boards"])
def test_a_groove_ends_with_its_places_and_a_name_stands_clear_of_it(visitor: Visitor, name: str) -> None:
    sit(visitor, name)
    page = visitor.page
    groove, place = box(page.locator(".line .groove").first), box(page.locator(".spot").first)
    above, below = place["y"] - groove["y"], groove["y"] + groove["height"] - place["y"] - place["height"]
    assert abs(above - below) <= 1
    for one in page.locator(".one:has(.whose)").all():
        letters = one.locator(".whose").evaluate(
            "(one) => { const range = document.createRange(); range.selectNodeContents(one);"
            " return range.getBoundingClientRect().bottom }"
        )
        assert letters <= box(one.locator(".line .groove").first)["y"] - 3
