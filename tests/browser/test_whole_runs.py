"""A whole run of every game and mode to its end, on a phone by touch and at a desk by keyboard.

Here a third of the modes is played by touch from the first move to the last, another third by keyboard; in the last
the first moves are by touch, and what follows is played ahead. `make soak` plays all of them by hand, twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.visit import JUST_CAME_UP, Visitor
from tests.soak import SOAKING

MOST_MOVES = 400
FEW_MOVES = 6

RUNS: dict[str, tuple[str, dict[str, Any], str]] = {
    "lite-solo": ("lite-solo", {}, ""),
    "lite-solo, everything": ("lite-solo", {"columns": True, "reroll": True, "wild": "natural", "target": 120}, ""),
    "lite-versus, house rules": ("lite-versus", {}, "you,standard"),
    "lite-versus, thinker first": ("lite-versus", {"first": "bot", "tiebreak": "highest-single-die"}, "you,lookahead"),
    "lite-versus, two people": ("lite-versus", {"columns": True, "reroll": True}, "you,you"),
    "farkle, casual": ("farkle", {"preset": "casual", "target": 2000}, ""),
    "farkle, spicy": ("farkle", {"preset": "spicy", "target": 2000}, ""),
    "farkle, arcade": ("farkle", {"preset": "arcade"}, ""),
    "farkle, race": ("farkle", {"target": 2000}, "you,bank:300"),
    "farkle, three with a last turn": ("farkle", {"target": 1500, "last_turn": True}, "you,you,random"),
    "box, classic": ("shut-the-box", {"preset": "classic", "rounds": 2}, ""),
    "box, easy": ("shut-the-box", {"preset": "easy", "rounds": 1}, ""),
    "box, hard": ("shut-the-box", {"preset": "hard", "rounds": 1}, ""),
    "box, threshold": ("shut-the-box", {"preset": "threshold"}, ""),
    "box, tournament": ("shut-the-box", {"preset": "tournament"}, "you,highest"),
    "box, long": ("shut-the-box", {"preset": "long"}, ""),
    "box, twelve": ("shut-the-box", {"preset": "twelve", "rounds": 1}, ""),
    "box, long for two": ("shut-the-box", {"preset": "long"}, "you,you"),
    "box, exactly two": ("shut-the-box", {"variant": "alwaysSumDuo", "rounds": 1}, ""),
    "box, digital": ("shut-the-box", {"variant": "digitalScore", "rounds": 1}, ""),
    "box, missionary": ("shut-the-box", {"variant": "missionaryCount", "rounds": 1}, "you,you,you"),
    "knucklebones, house": ("knucklebones", {}, "you,spec"),
    "knucklebones, drawn": ("knucklebones", {"first": "drawn"}, "you,random"),
    "knucklebones, two people": ("knucklebones", {}, "you,you"),
}
BY_KEYBOARD, BY_TOUCH, BEGUN = (list(RUNS)[n::3] for n in range(3))  # the first two: at least one of every game


def first(visitor: Visitor, *wheres: str) -> Locator | None:
    """The first of these that there is."""
    for where in wheres:
        found = visitor.page.locator(where)
        if found.count():
            return found.first
    return None


def tap_lite(visitor: Visitor) -> None:
    found = first(visitor, ".cell.thought.open", ".cell.open")
    assert found is not None
    visitor.tap(found)


def tap_knucklebones(visitor: Visitor) -> None:
    found = first(visitor, "[data-place].thought", "[data-place]")
    assert found is not None
    visitor.tap(found)


def tap_farkle(visitor: Visitor) -> None:
    bank = first(visitor, "[data-action=bank]:not([aria-disabled=true])")
    if bank is not None:
        return visitor.tap(bank)
    roll = first(visitor, "[data-action=roll]:not([aria-disabled=true])")
    if roll is not None:
        return visitor.tap(roll)
    best = first(visitor, "[data-best]", "[data-group]")  # a variant's first roll may come before it is recommended
    assert best is not None
    return visitor.tap(best)


def tap_box(visitor: Visitor) -> None:
    found = first(visitor, "[data-shut]:not([aria-disabled=true])", "[data-roll='1']", "[data-combo]")
    assert found is not None
    visitor.tap(found)


TAPS: dict[str, Callable[[Visitor], None]] = {
    "lite-solo": tap_lite,
    "lite-versus": tap_lite,
    "farkle": tap_farkle,
    "shut-the-box": tap_box,
    "knucklebones": tap_knucklebones,
}


def press(visitor: Visitor, game: str) -> None:
    """The same by keys alone."""
    page = visitor.page
    if game.startswith("lite"):
        number = page.locator("button.cell").evaluate_all("all => all.findIndex(one => one.matches('.open'))")
        assert number >= 0
        visitor.press(str(number + 1))
    elif game == "knucklebones":
        column = page.locator("[data-place]").first.get_attribute("data-place")
        visitor.press(str(int(column or 0) + 1))
    elif game == "farkle":
        if page.locator("[data-action=bank]:not([aria-disabled=true])").count():
            visitor.press("b")
        elif page.locator("[data-action=roll]:not([aria-disabled=true])").count():
            visitor.press("r")
        elif page.locator("[data-best]").count():
            visitor.press("a")
        else:
            page.locator("[data-group]").first.press("Enter")
            visitor.rest()
    elif page.locator("[data-roll='1']").count():
        visitor.press("o")
    else:
        visitor.press("n", "Enter")


def run(visitor: Visitor, name: str, move: Callable[[str], None], whole: bool) -> None:
    """Play the run of that name with `move`, `whole` or just its beginning, and look at its end and its replay."""
    game, options, seats = RUNS[name]
    page = visitor.sit(game, "", options, seats, kind="practice", seed=name)
    for _ in range(MOST_MOVES if whole else FEW_MOVES):
        if page.locator("[data-over=true]").count():
            break
        move(game)
    if not whole:
        visitor.finish()
    expect(page.locator("[data-end]")).to_be_visible()
    for button in ("Same dice", "Rematch" if "," in seats else "New run"):
        expect(page.get_by_role("button", name=button)).to_be_visible()
    expect(page.locator("[data-share]")).to_be_visible()
    expect(page.get_by_role("link", name="Replay")).to_be_visible()
    page.evaluate(JUST_CAME_UP)
    page.get_by_role("link", name="Replay").click()
    expect(page.locator("input[type=range]")).to_be_visible()
    page.keyboard.press("Home")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    expect(page.locator("input[type=range]")).to_have_value("6")


@pytest.mark.parametrize("name", RUNS if SOAKING else BY_TOUCH + BEGUN)
def test_a_whole_run_by_touch(phone: Visitor, name: str) -> None:
    run(phone, name, lambda game: TAPS[game](phone), SOAKING or name in BY_TOUCH)


@pytest.mark.parametrize("name", RUNS if SOAKING else BY_KEYBOARD)
def test_a_whole_run_by_keyboard_without_motion(desk: Visitor, name: str) -> None:
    desk.settings["motion"] = "reduced"
    run(desk, name, lambda game: press(desk, game), whole=True)
