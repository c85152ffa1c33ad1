"""Shut the Box on the page. Tests are named after the ids of docs/spec-coverage.md."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.tables import at, settle
from tests.browser.visit import DRAWN, JUST_CAME_UP, Hall, Visitor

HEAR = "window.heard = []; navigator.vibrate = (pattern) => (heard.push(pattern), true)"


def tile(number: int) -> str:
    return f"[data-tile='{number}']"


def open_tiles(page: Page) -> list[int]:
    found = page.locator("[data-tile][data-open=true]").evaluate_all("all => all.map(one => +one.dataset.tile)")
    return sorted(found)


def shut(visitor: Visitor, *tiles: int) -> None:
    for number in tiles:
        visitor.tap(tile(number))
    visitor.tap("[data-shut]")


def roll_two(visitor: Visitor) -> None:
    visitor.tap("[data-roll='2']")


def combos(page: Page) -> list[list[int]]:
    found = page.locator("[data-combo]").evaluate_all("all => all.map(one => one.dataset.combo)")
    return sorted(sorted(map(int, combo.split("+"))) for combo in found)


@pytest.mark.parametrize(("tiles", "preset"), [(9, "classic"), (12, "twelve")])
def test_box_13_tiles_are_buttons_and_fold(phone: Visitor, tiles: int, preset: str) -> None:
    page = phone.sit("shut-the-box", "5365", {"preset": preset})
    assert open_tiles(page) == list(range(1, tiles + 1))
    for number in range(1, tiles + 1):
        box = page.locator(tile(number)).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 48
    shut(phone, 8)
    assert 8 not in open_tiles(page)
    name = page.locator(tile(8)).get_attribute("aria-label") or ""
    assert "shut" in name


def test_box_13_both_dice_lie_in_the_box_and_one_die_when_it_may(phone: Visitor) -> None:
    """9, 8 and 7 go one after the other; then one die may be rolled."""
    page = phone.sit("shut-the-box", "63" + "62" + "52" + "4" + "11")
    expect(page.locator(".tiles svg.die")).to_have_count(2)
    shut(phone, 9)
    shut(phone, 8)
    expect(page.locator("[data-roll='1']")).to_have_count(0)
    shut(phone, 7)
    expect(page.locator("[data-roll='1']")).to_be_visible()
    expect(page.locator("[data-roll='2']")).to_be_visible()
    phone.tap("[data-roll='1']")
    expect(page.locator(".tiles svg.die")).to_have_count(1)
    expect(page.locator(".tiles svg.die")).to_have_attribute("data-value", "4")


def test_box_14_every_legal_set_by_tiles_or_by_the_set(phone: Visitor) -> None:
    page = phone.sit("shut-the-box", "5365")
    assert combos(page) == [[1, 2, 5], [1, 3, 4], [1, 7], [2, 6], [3, 5], [8]]
    expect(page.locator("[data-shut]")).to_have_attribute("aria-disabled", "true")
    phone.tap(tile(7))
    phone.tap(tile(1))
    expect(page.locator("[data-shut]")).to_have_attribute("aria-disabled", "false")
    expect(page.locator("[data-combo='7+1']")).to_have_attribute("aria-pressed", "true")
    phone.tap(tile(1))
    phone.tap(tile(2))  # goes with no set that has the 7
    expect(page.locator(".refusal")).to_be_visible()
    phone.tap("[data-combo='5+3']")
    expect(page.locator("[data-note=preview]")).to_contain_text("37")  # what would be left
    phone.tap("[data-combo='5+3']")  # the second tap commits
    assert open_tiles(page) == [1, 2, 4, 6, 7, 8, 9]


@pytest.mark.parametrize(
    ("scoring", "left", "points"),
    [("golf", "45", "37"), ("digital", "123,456,789", "12,345,679"), ("missionary", "9", "8")],
)
def test_box_15_scoring_and_running_total(phone: Visitor, scoring: str, left: str, points: str) -> None:
    page = phone.sit("shut-the-box", "53" + "66", {"scoring": scoring})
    digital = scoring == "digital"  # which has no room on the plate in the box
    figure = page.locator(".status .big" if digital else "[data-plate]")
    expect(figure).to_have_text(left.replace(",", "") if digital else left)
    shut(phone, 8)
    expect(figure).to_have_text(points.replace(",", "") if digital else points)
    assert "1 of 5" in phone.text(".status")


def test_box_15_the_selector_of_scoring(phone: Visitor) -> None:
    page = phone.go("game/shut-the-box")
    page.locator(".options").tap()
    scoring = page.get_by_role("radiogroup", name="Scoring").get_by_role("radio")
    expect(scoring).to_have_count(3)
    scoring.nth(2).tap()
    page.get_by_role("button", name="Close").tap()
    page.locator("[data-play]").tap()
    phone.rest()
    expect(page.locator("[data-plate]")).to_have_text("9")


def test_box_16_a_shut_is_felt_and_the_box_shut_more(phone: Visitor) -> None:
    phone.before(HEAR)
    # 9, 8, 7, then one die at a time: 6, 5, 4, 3, 2, 1
    page = phone.sit("shut-the-box", "63" + "62" + "52" + "6" + "5" + "4" + "3" + "2" + "1", {"mode": "threshold"})
    shut(phone, 9)
    assert 14 in page.evaluate("heard")
    assert [30, 40, 30, 40, 120] not in page.evaluate("heard")
    shut(phone, 8)
    shut(phone, 7)
    for number in (6, 5, 4, 3, 2, 1):
        phone.tap("[data-roll='1']")
        shut(phone, number)
    expect(page.locator("[data-over=true]")).to_be_attached()
    assert [30, 40, 30, 40, 120] in page.evaluate("heard")
    expect(page.locator("[data-end]")).to_have_attribute("data-end", "won")


def test_box_05_a_roll_that_fits_nothing_ends_the_round_and_is_read(phone: Visitor) -> None:
    phone.settings["speed"] = "fast"
    # 12 takes 9 and 3; the next 12 takes 8 and 4; then a 12 takes 7 and 5; what is left is 1, 2, 6; an 11 fits nothing
    page = phone.sit("shut-the-box", "6666666553")
    for tiles in ((9, 3), (8, 4), (7, 5)):
        for number in tiles:
            page.locator(tile(number)).tap()
        page.locator("[data-shut]").tap()
        phone.rest()
    page.evaluate(JUST_CAME_UP)
    page.locator("[data-roll='2']").tap()
    expect(page.locator("[data-note=stuck]")).to_contain_text("9")
    phone.rest()
    assert open_tiles(page) == list(range(1, 10))
    assert "2 of 5" in phone.text(".status")


def test_box_08_a_mulligan(phone: Visitor) -> None:
    page = phone.sit("shut-the-box", "666666651153", {"preset": "easy"})
    for tiles in ((9, 3), (8, 4), (7, 5)):
        shut(phone, *tiles)
    roll_two(phone)  # 11 fits nothing: once a round it is rolled again
    expect(page.locator(".tiles svg.die").first).to_have_attribute("data-value", "1")
    assert open_tiles(page) == [1, 2, 6]


def test_box_09_the_long_game_opens_again(phone: Visitor) -> None:
    # shut 8; then 9 and 3; then 7 and 5: with 1, 2, 4 and 6 standing, an 11 and a 12 fit, a doubled 6 does not
    page = phone.sit("shut-the-box", "536666666653", {"preset": "long"})
    assert "Tiles still to open" not in phone.text(".status")
    expect(page.locator("[data-combo='8']")).to_have_accessible_name("8: Leaves 8 tiles")
    phone.tap(tile(8))
    expect(page.locator("[data-note=preview]")).to_contain_text("Leaves 8 tiles")
    phone.tap("[data-shut]")
    for tiles in ((9, 3), (7, 5)):
        shut(phone, *tiles)
    roll_two(phone)  # a double that fits is played, one that does not is rolled again once
    for _ in range(8):
        if "Tiles still to open" in phone.text(".status"):
            break
        if page.locator("[data-roll='2']").count():
            roll_two(phone)
        else:
            phone.tap(page.locator("[data-combo]").first)
            phone.tap("[data-shut]")
    assert "Tiles still to open" in phone.text(".status")
    before = len(open_tiles(page))
    phone.tap(page.locator("[data-combo]").first)
    expect(page.locator("[data-shut]")).to_have_accessible_name(re.compile("^Open "))
    phone.tap("[data-shut]")
    assert len(open_tiles(page)) > before


def test_box_18_several_players(phone: Visitor) -> None:
    page = phone.sit("shut-the-box", "", {"rounds": 1}, "you,highest", kind="practice", seed="several")  # not a draw
    expect(page.locator(".seats li")).to_have_count(2)
    for _ in range(60):
        if page.locator("[data-over=true]").count():
            break
        if page.locator("[data-roll='2']").count():
            roll_two(phone)
        elif page.locator("[data-combo]").count():
            phone.tap(page.locator("[data-combo]").first)
            phone.tap("[data-shut]")
    expect(page.locator("[data-over=true]")).to_be_attached()
    expect(page.locator(".seats li.here")).not_to_have_count(0)


def test_the_best_of_several_rounds(phone: Visitor) -> None:
    """The end shows what each round scored, and which of them counts."""
    options = {"rounds": 3, "per_round_scoring": False}
    page = phone.sit("shut-the-box", "1111" + "361111" + "1111", options)  # a second 2 fits nothing
    expect(page.locator(".status")).to_contain_text("Best round –")
    for number in (2, 9, 2, 2):
        shut(phone, number)
    expect(page.locator("[data-over=true]")).to_be_attached()
    expect(page.locator(".rounds td")).to_have_text(["43", "34", "43", "34"])
    expect(page.locator(".rounds td.best")).to_have_text(["34"])
    expect(page.locator(".rounds td.shut")).to_have_count(0)


def test_by_keyboard(desk: Visitor) -> None:
    page = desk.sit("shut-the-box", "5365" + "11")
    desk.press("8", "Enter")
    assert 8 not in open_tiles(page)
    desk.press("7", "4", "Enter")
    assert open_tiles(page) == [1, 2, 3, 5, 6, 9]


def test_nothing_is_called_stuck_that_is_not(phone: Visitor) -> None:
    """Not for a moment: while dice fall that fit nothing, the last word is still about the move before them."""
    phone.settings["speed"] = "fast"
    page = phone.sit("shut-the-box", "66" + "66" + "66" + "12" + "11", {"rounds": 2})
    phone.watch("[data-note=stuck]")
    shut(phone, 9, 3)
    shut(phone, 8, 4)
    shut(phone, 7, 5)
    roll_two(phone)
    shut(phone, 2, 1)
    roll_two(phone)
    assert phone.watched() == ["Nothing fits 1 + 1: 6 points"]
    expect(page.locator("section.status")).to_contain_text("Round 2 of 2")


def test_every_variant_has_a_goal_that_fits_it(phone: Visitor) -> None:
    """45 is a goal of the game it was made for; elsewhere it would be hopeless, or certain."""
    page = phone.go("game/shut-the-box")
    goals = page.get_by_role("radiogroup", name="Target")
    expect(goals.get_by_role("radio", checked=True)).to_have_text(re.compile("^Classic 45 · 31%"))
    page.get_by_role("button", name="Options").tap()
    page.get_by_role("radiogroup", name="House rules").get_by_role("radio", name="Exactly two tiles").tap()
    page.get_by_role("button", name="Close").tap()
    expect(goals.get_by_role("radio", checked=True)).to_have_text(re.compile("^Even 143 · 52%"))
    page.get_by_role("radiogroup", name="Variant").get_by_role("radio", name="Tournament").tap()
    expect(goals).to_have_count(0)
    page.get_by_role("radiogroup", name="Variant").get_by_role("radio", name="Classic").tap()
    goals.get_by_role("radio", name="Bold 33").tap()
    page.get_by_role("button", name="Play", exact=True).tap()
    phone.rest()
    expect(page.locator(".status")).to_contain_text("33")


def test_a_goal_that_was_set_because_it_fits_goes_when_it_does_not(phone: Visitor) -> None:
    page = phone.go("game/shut-the-box")
    goals = page.get_by_role("radiogroup", name="Target")
    chosen = goals.get_by_role("radio", checked=True)

    def house_rules(name: str) -> None:
        page.get_by_role("button", name="Options").tap()
        page.get_by_role("radiogroup", name="House rules").get_by_role("radio", name=name).tap()
        page.get_by_role("button", name="Close").tap()

    house_rules("Exactly two tiles")
    expect(chosen).to_have_text(re.compile("^Even 143"))
    page.get_by_role("button", name="Play", exact=True).tap()
    phone.rest()
    page.go_back()  # it is remembered that nobody has chosen it
    house_rules("Standard")
    expect(chosen).to_have_text(re.compile("^Classic 45"))
    house_rules("Exactly two tiles")
    expect(chosen).to_have_text(re.compile("^Even 143"))
    house_rules("Out at 45")
    expect(goals).to_have_count(0)
    expect(page.locator(".options")).not_to_contain_text("143")


def test_a_goal_of_another_preset_or_length_stays_behind(phone: Visitor) -> None:
    page = phone.go("game/shut-the-box")
    page.get_by_role("radiogroup", name="Variant").get_by_role("radio", name="Twelve tiles").tap()
    page.get_by_role("button", name="Options").tap()
    page.get_by_role("radiogroup", name="Length").get_by_role("radio", name="one round").tap()
    page.get_by_role("button", name="Close").tap()
    expect(page.locator(".options")).to_contain_text("one round")
    expect(page.locator(".options")).not_to_contain_text("175")
    page.locator("[data-play]").tap()
    phone.rest()
    assert "175" not in phone.text(".table")
    page.go_back()
    page.get_by_role("button", name="Options").tap()
    page.get_by_role("radiogroup", name="House rules").get_by_role("radio", name="Exactly two tiles").tap()
    page.get_by_role("radiogroup", name="Scoring").get_by_role("radio", name="digital").tap()
    page.get_by_role("button", name="Close").tap()
    # nobody can stay below 12 points so, and nobody has asked for that
    expect(page.locator(".options")).to_contain_text("Most points in one round: 1,000")
    expect(page.locator("[data-play]")).to_have_attribute("aria-disabled", "false")


def test_a_goal_can_be_chosen_by_arrow_keys(desk: Visitor) -> None:
    """The chooser stays where it is while the hall is asked about the new choice."""
    page = desk.go("game/shut-the-box")
    goals = page.get_by_role("radiogroup", name="Target")
    goals.get_by_role("radio", checked=True).focus()
    for expected in ("Strict 40", "Bold 33", "Dream 19"):
        with page.expect_response("**/targets?*") as told:
            page.keyboard.press("ArrowRight")
            expect(goals.get_by_role("radio", checked=True)).to_have_text(re.compile(f"^{expected}"))
        told.value.finished()
        page.evaluate(DRAWN)
        assert page.evaluate("document.activeElement.getAttribute('aria-checked')") == "true"


@pytest.mark.parametrize(("language", "clash", "seats"), [
    ("en", "These options do not go together", "do not suit that many players"),
    ("de", "Diese Optionen passen nicht zusammen", "passen nicht zu so vielen Spielern"),
])  # fmt: skip
def test_what_cannot_be_played_is_said_before_play(phone: Visitor, language: str, clash: str, seats: str) -> None:
    phone.settings["language"] = language
    page = phone.go("game/shut-the-box")
    chosen = [({"variant": "digitalScore", "scoring": "missionary"}, 1, clash), ({"mode": "long"}, 3, seats)]
    for options, people, said in chosen:
        kept = {"options": options, "seats": ["you"] * people}
        page.evaluate("kept => localStorage['dicehall.game.shut-the-box'] = JSON.stringify(kept)", kept)
        page.reload()
        expect(page.locator("[data-refused]")).to_contain_text(said)
        expect(page.locator("[data-play]")).to_have_attribute("aria-disabled", "true")
        page.locator("[data-play]").tap(force=True)
        assert "/game/" in page.evaluate("location.hash")
    page.evaluate("localStorage.removeItem('dicehall.game.shut-the-box')")
    page.reload()
    expect(page.locator("[data-play]")).to_have_attribute("aria-disabled", "false")
    expect(page.locator("[data-refused]")).to_have_count(0)


def test_keys_play_on_after_the_menu_was_closed(desk: Visitor) -> None:
    """It gives the focus back to its button; whoever then chooses tiles by keys means them with Enter."""
    page = desk.sit("shut-the-box", "63" + "62")
    page.get_by_role("button", name="Menu").press("Enter")
    expect(page.locator("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    desk.press("9", "Enter")
    expect(page.locator("dialog")).to_have_count(0)
    assert 9 not in open_tiles(page)
    page.get_by_role("button", name="Menu").press("Enter")
    expect(page.locator("dialog")).to_be_visible()


def test_a_goal_that_is_missed_is_said_before_the_last_round(phone: Visitor) -> None:
    """After 9 + 2 there is nothing for a two: 34 are left."""
    page = phone.sit("shut-the-box", "65" + "11" + "11" + "11", {"rounds": 3, "goal": 30})
    expect(page.locator(".status")).to_contain_text("30 or less wins")
    phone.tap("[data-combo='9+2']")
    phone.tap("[data-shut]")
    expect(page.locator(".status")).to_contain_text("above 30: target missed")


def test_what_a_set_leaves_is_said_as_it_is_counted(phone: Visitor) -> None:
    page = phone.sit("shut-the-box", "21", {"scoring": "digital"})
    assert page.locator("[data-combo='2+1']").get_attribute("aria-label") == "2 + 1: Leaves 3456789"


def test_the_end_says_why_the_last_round_ended(phone: Visitor) -> None:
    """To whoever was there, and to whoever comes back; and its replay comes to the end."""
    page = phone.sit("shut-the-box", "1111" + "361111", {"rounds": 2, "goal": 0})
    for number in (2, 9, 2):
        shut(phone, number)
    for _ in range(2):
        expect(page.locator("[data-note=last-round]")).to_have_text("Nothing fits 1 + 1: 34 points")
        expect(page.locator("[data-note=why]")).to_have_count(0)  # how many were to be played was known
        page.reload()
        phone.rest()
    page.get_by_role("link", name="Replay").tap()
    page.get_by_role("button", name="To the end").tap()
    expect(page.locator("[data-over=true]")).to_be_attached()


def test_the_end_of_a_shut_box_says_so(phone: Visitor) -> None:
    page = phone.sit("shut-the-box", "63" + "62" + "52" + "654321", {"rounds": 1})
    phone.play_ahead(["9", "8", "7", *(move for n in "654321" for move in ("one", n))])
    expect(page.locator("section.notes")).to_contain_text("The box is shut!")
    expect(page.locator("[data-note=last-round]")).to_have_count(0)


def test_a_chosen_tile_stays_within_its_place(browser: Browser, hall: Hall) -> None:
    """It leans, and touches nothing above it, on the smallest phone."""
    with Visitor(browser, hall, **at("small")) as visitor:
        page = visitor.sit("shut-the-box", "5365")
        visitor.tap(tile(8))
        settle(page)
        place, flap = page.locator(tile(8)).bounding_box(), page.locator(f"{tile(8)} .flap").bounding_box()
        assert place is not None
        assert flap is not None
        assert flap["y"] > place["y"]


def test_nothing_chosen_is_left_after_clear(phone: Visitor) -> None:
    page = phone.sit("shut-the-box", "5365")
    clear = page.locator("[data-action=clear]")
    expect(clear).to_have_attribute("aria-disabled", "true")
    phone.tap("[data-combo='7+1']")
    phone.tap(clear)
    expect(page.locator("[data-tile][aria-pressed=true]")).to_have_count(0)
    expect(page.locator("[data-shut]")).to_have_attribute("aria-disabled", "true")


def test_without_motion_a_tile_that_fell_is_marked_for_a_while(phone: Visitor) -> None:
    phone.settings["motion"] = "reduced"
    page = phone.sit("shut-the-box", "5365")
    expect(page.locator(".dice.fresh")).to_have_count(0)  # the mark of the first roll is gone
    shut(phone, 8)
    expect(page.locator(f"{tile(8)} .check")).to_be_visible()
    expect(page.locator(".dice.fresh")).to_be_attached()
    expect(page.locator(f"{tile(8)} .check")).to_have_count(0)
    expect(page.locator(".dice.fresh")).to_have_count(0)


def test_that_there_are_more_sets_further_down_is_told(phone: Visitor) -> None:
    """An arrow says so, and goes when they have been scrolled to."""
    phone.page.set_viewport_size({"width": 320, "height": 568})
    page = phone.sit("shut-the-box", "46", {"mode": "threshold"})
    arrow = "() => getComputedStyle(document.querySelector('[data-hand]'), '::after').content"
    last = page.locator("[data-combo='4+3+2+1']")
    assert page.evaluate(arrow) == '"↓"'
    expect(last).not_to_be_in_viewport(ratio=1)
    page.locator(".sets").evaluate("(one) => one.scrollTo(0, one.scrollHeight)")
    expect(last).to_be_in_viewport(ratio=1)
    page.evaluate(DRAWN)
    assert page.evaluate(arrow) == "none"
    phone.tap(last)
    expect(page.locator("[data-shut]")).to_have_attribute("aria-disabled", "false")


@pytest.mark.parametrize(("language", "label"), [("en", "To win, at most"), ("de", "Gewinnt bis")])
def test_of_a_single_round_nothing_is_said_twice(phone: Visitor, language: str, label: str) -> None:
    """The plate in the box has the sum, and the bar says that it is one round."""
    phone.settings["language"] = language
    phone.page.set_viewport_size({"width": 320, "height": 568})
    page = phone.sit("shut-the-box", "46", {"mode": "threshold"})
    assert phone.text("section.status") == f"{label} 12"
    line = page.get_by_text(label)
    assert line.evaluate("(one) => one.clientHeight < 2 * parseFloat(getComputedStyle(one).lineHeight)")
    shut(phone, 4, 6)
    assert phone.text("section.status") == f"{label} 12"


@pytest.mark.parametrize("size", ["phone", "tablet", "desk"])
def test_the_faces_of_twelve_tiles_are_no_wider_than_their_places(browser: Browser, hall: Hall, size: str) -> None:
    """Nor are their figures, which leave room for the ring of a tile that fits."""
    with Visitor(browser, hall, **at(size)) as visitor:
        page = visitor.sit("shut-the-box", "64", {"preset": "twelve"})
        wide = page.locator("[data-tile]").evaluate_all(
            "all => all.map(one => [one, one.querySelector('.flap'), one.querySelector('.flap > *')]"
            ".map(each => each.offsetWidth))"
        )
        assert [face for place, face, _ in wide if face != place] == []
        assert [figure for place, _, figure in wide if figure > place - 7] == []


def test_all_ways_to_shut_are_in_sight_where_there_is_room(browser: Browser, hall: Hall) -> None:
    with Visitor(browser, hall, **at("desk")) as visitor:
        page = visitor.sit("shut-the-box", "64", {"preset": "twelve"})
        expect(page.locator("[data-combo]")).to_have_count(10)
        for way in page.locator("[data-combo]").all():
            expect(way).to_be_in_viewport(ratio=1)
        expect(page.locator(".sets[data-scrolls]")).to_have_count(0)
        expect(page.locator(".log li").first).to_be_in_viewport(ratio=1)
        page.locator("[data-action=hint]").click()
        expect(page.locator("[data-coach] [data-hint] li").nth(2)).to_be_in_viewport(ratio=0.9)  # it has its room
