"""For everybody: axe finds nothing on any screen, in light, in dark and in forced colours; targets are large."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.tables import STILL, at
from tests.browser.test_lite import CELLS, SPEC_DICE, fill
from tests.browser.test_screens import GAMES
from tests.browser.test_whole_runs import TAPS
from tests.browser.visit import Hall, Visitor

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light", "forced_colors": "none"},
    "dark": {"color_scheme": "dark", "forced_colors": "none"},
    "forced": {"color_scheme": "light", "forced_colors": "active"},
}
COLOURS = ["color-contrast", "link-in-text-block"]
SCREENS = [
    "",
    "settings",
    "runs",
    "join",
    "player",
    "invite/farkle",
    *(f"{kind}/{game}" for kind in ("game", "rules", "boards") for game in GAMES),
]


def violations(page: Page) -> list[str]:
    """What is wrong with this screen: with its colours in every look, with everything else in the first."""
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    found: list[str] = []
    for look, colours in LOOKS.items():
        page.emulate_media(**colours)
        page.evaluate(STILL)  # what fades in, or pales while it is asked anew, has too little contrast on the way
        options: dict[str, Any] = {"resultTypes": ["violations"]}
        if look == "light":
            wrong = Axe().run(page, options=options).response["violations"]
        else:  # axe is in the page by now
            options["runOnly"] = COLOURS
            wrong = page.evaluate("(options) => axe.run(options).then((found) => found.violations)", options)
        found += [
            f"{look}: {one['id']}: {one['help']}: {[node['html'][:200] for node in one['nodes']]}" for one in wrong
        ]
    return found


@pytest.fixture
def visitor(browser: Browser, hall: Hall) -> Any:
    with Visitor(browser, hall, **at("phone")) as one:
        one.settings["motion"] = "reduced"  # nothing half faded in
        one.hasty = True
        yield one


def test_every_screen_passes(visitor: Visitor) -> None:
    for place in SCREENS:
        page = visitor.go(place)
        visitor.idle()
        assert violations(page) == [], place


@pytest.mark.parametrize("game", GAMES)
def test_every_table_passes(visitor: Visitor, game: str) -> None:
    page = visitor.sit(game)
    assert violations(page) == []
    page.get_by_role("button", name="Menu").tap()
    assert violations(page) == []


def test_in_forced_colours_what_can_be_done_looks_so(visitor: Visitor) -> None:
    page = visitor.sit("knucklebones", "1111111", seats="you,you")
    visitor.play_ahead("121313")  # the first column is full
    page.emulate_media(forced_colors="active")
    seat = page.locator("[data-seat='0']")
    style = "(one, what) => getComputedStyle(one)[what]"
    assert seat.locator("[data-column='0']").evaluate(style, "borderTopStyle") == "dotted"
    assert seat.locator("[data-place='1']").evaluate(style, "borderTopStyle") == "solid"
    assert "gradient" in seat.locator("[data-place='1'] .slot.open").evaluate(style, "backgroundImage")
    place = page.locator("[data-action=place]")
    dull = place.evaluate(style, "color")
    seat.locator("[data-place='1']").tap()
    assert place.evaluate(style, "color") != dull


def test_the_options_pass(visitor: Visitor) -> None:
    for game in GAMES:
        page = visitor.go(f"game/{game}")
        visitor.idle()
        page.locator(".options").tap()
        page.locator("dialog").wait_for()
        assert violations(page) == [], game


@pytest.mark.parametrize(
    ("game", "seed", "options", "seats"),
    [
        ("lite-versus", "versus", {}, "you,lookahead"),
        ("farkle", "farkle", {"target": 1000}, "you,bank:300"),
        ("farkle", "arcade", {"max_turns": 3}, ""),
        ("shut-the-box", "box", {"rounds": 1, "tiles": 12}, "you,highest"),
        ("shut-the-box", "long", {"preset": "long"}, ""),
        ("knucklebones", "bones", {}, "you,spec"),
    ],
)
def test_every_game_passes_in_mid_run_and_at_its_end(
    visitor: Visitor, game: str, seed: str, options: dict[str, Any], seats: str
) -> None:
    page = visitor.sit(game, "", options, seats, kind="practice", seed=seed)
    for n in range(6):
        TAPS[game](visitor)
        if n in (0, 1, 2, 5):  # something chosen, something kept, something refused
            assert violations(page) == []
    visitor.finish()
    visitor.idle()
    assert violations(page) == []


def test_the_end_the_share_sheet_and_the_replay_pass(visitor: Visitor) -> None:
    page = visitor.sit("lite-solo", SPEC_DICE, {"target": 60})
    fill(visitor, CELLS)
    assert violations(page) == []
    page.locator("[data-share]").tap()
    assert violations(page) == []
    page.get_by_role("button", name="Close").tap()
    page.get_by_role("link", name="Replay").tap()
    page.wait_for_selector("input[type=range]")
    assert violations(page) == []


def test_axe_can_fail(phone: Visitor) -> None:
    """A control: grey on grey and a button without a name are found, and grey on black in the dark."""
    page = phone.go()
    page.locator("h1").wait_for()
    page.evaluate(
        "document.querySelector('h1').style.color = '#ddd'; document.querySelector('a.icon').ariaLabel = null"
    )
    found = " ".join(violations(page))
    assert "light: color-contrast" in found
    assert "link-name" in found
    page.evaluate("document.querySelector('h1').style.color = '#222'")
    assert "dark: color-contrast" in " ".join(violations(page))


@pytest.mark.parametrize("game", GAMES)
def test_targets_are_large(phone: Visitor, game: str) -> None:
    for place in ("", f"game/{game}", "table"):
        page = phone.sit(game) if place == "table" else phone.go(place)
        phone.idle()
        small = page.locator("button:visible, a:visible, input:visible, select:visible").evaluate_all(
            "all => all.map(one => [one, one.getBoundingClientRect()])"
            ".filter(([, box]) => box.width < 47.5 || box.height < 47.5)"
            ".map(([one, box]) => `${one.outerHTML.slice(0, 120)} ${box.width}x${box.height}`)"
        )
        assert small == [], place
