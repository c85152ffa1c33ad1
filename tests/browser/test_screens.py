"""The hall, a game's page, settings, boards, replays and sharing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.test_lite import CELLS, SPEC_DICE
from tests.browser.visit import DRAWN, Visitor
from tests.soak import met

GAMES = ["lite-solo", "knucklebones", "farkle", "shut-the-box", "lite-versus"]


def test_two_taps_and_one_plays(phone: Visitor) -> None:
    page = phone.go()
    page.locator("[data-game=lite-solo]").tap()
    page.locator("[data-play]").tap()
    phone.rest()
    expect(page.locator(".cell.open")).to_have_count(9)


def test_the_hall_shows_five_games_and_the_daily_with_its_countdown(phone: Visitor) -> None:
    page = phone.go()
    expect(page.locator("[data-game]")).to_have_count(len(GAMES))
    shown = page.locator("[data-game]").evaluate_all("all => all.map(one => one.dataset.game)")
    assert shown == GAMES
    expect(page.locator(".daily time")).to_have_text(re.compile(r"^\d+ h \d+ min left \(UTC\)$"))
    expect(page.locator(".daily svg.die").first).to_be_attached()
    assert page.locator(".daily svg.die circle").count() == 0, "the dice of a daily are blank before it is played"
    page.locator(".daily .button.go").tap()
    phone.rest()
    assert "/table/" in page.url


def test_of_a_game_against_somebody_the_hall_says_how_the_last_one_ended(phone: Visitor) -> None:
    phone.sit("knucklebones", kind="ranked", seats="you,spec")
    phone.finish()
    best = phone.go().locator("[data-game=knucklebones] .best")
    expect(best).to_have_text(re.compile(r"^Last game (won|lost|drawn), \d+\xa0:\xa0\d+$"))


def test_a_finished_run_is_among_mine_and_the_best_is_in_the_hall(phone: Visitor) -> None:
    page = phone.sit("lite-solo", kind="ranked")
    phone.finish()
    score = phone.text(".status .big")
    expect(page.locator("[data-end]")).to_contain_text("Your first score · Standard")
    page = phone.go()
    expect(page.locator("[data-game=lite-solo]")).to_contain_text(f"Best {score} points")
    page.get_by_role("link", name="My runs").tap()
    expect(page.locator("main li")).to_have_count(1)
    page.locator("main li a").tap()
    expect(page.locator("input[type=range]")).to_be_visible()


def test_a_board_is_reached_from_the_game(phone: Visitor) -> None:
    """And a guest without a name has one there: a link needs words, for those who hear the page too."""
    phone.sit("lite-solo", kind="ranked")
    phone.finish()
    page = phone.go("game/lite-solo")
    page.get_by_role("link", name="Boards").tap()
    expect(page.locator("tr.me").get_by_role("link", name="A guest")).to_have_count(1)
    for period in ("This month", "This week", "Today"):
        page.get_by_role("radio", name=period).tap()
        expect(page.locator("tr.me")).to_have_count(1)


def test_boards_without_a_game_are_those_of_the_first(phone: Visitor) -> None:
    for screen in ("boards", "rules/", "lab", "game"):
        page = phone.go(screen)
        expect(page.locator("h1")).to_be_visible()
        phone.idle()
        assert page.locator("[data-away]").count() == 0, screen


def test_replay_steps_scrubs_plays_and_links_to_a_position(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    phone.finish()
    page.get_by_role("link", name="Replay").tap()
    expect(page.locator("input[type=range]")).to_have_value("0")
    expect(page.locator(".cell.full")).to_have_count(0)
    for _ in range(4):
        page.get_by_role("button", name="One step on").tap()
    expect(page.locator(".cell.full")).to_have_count(2)
    expect(page.locator(".told")).to_contain_text("You: three in row 1, column 2.")
    page.locator("input[type=range]").fill("10")
    expect(page.locator(".cell.full")).to_have_count(5)
    assert page.url.endswith("/10")
    link = page.url
    page.get_by_role("button", name="Play", exact=True).tap()
    expect(page.locator(".cell.full")).to_have_count(7)
    other = phone.new_page()
    other.goto(link)
    expect(other.locator(".cell.full")).to_have_count(5)
    other.get_by_role("button", name="Check the dice").tap()
    expect(other.locator("[data-proof]")).to_have_text("All 9 dice proved fair")
    other.get_by_role("button", name="Close").tap()
    expect(other.locator("dialog")).to_have_count(0)
    other.keyboard.press("End")
    expect(other.locator(".cell.full")).to_have_count(9)


def test_long_names_and_marks_stand_in_a_row_of_a_board_on_the_smallest_phone(desk: Visitor) -> None:
    """Each mark in a line of its own shape, and nothing beyond the edge."""
    entry = {"new_account": True, "same_network": 12, "reached_at": 0, "runs": 4, "took": 123, "outcome": "drawn"}
    names = ["Donaudampfschifffahrtsfan", "W" * 24, ""]
    rows = [
        {**entry, "rank": n, "player": str(n), "nickname": name, "score": 100 - n, "scores": [71, 71], "run": str(n)}
        for n, name in enumerate(names, 1)
    ]

    def board(route: Route) -> None:
        route.fulfill(json=route.fetch().json() | {"entries": rows, "players": 3, "me": rows[2]})

    desk.page.route("**/api/boards/lite-versus?*", board)
    desk.page.set_viewport_size({"width": 320, "height": 568})
    desk.settings["language"] = "de"
    page = desk.go("boards/lite-versus")
    expect(page.locator("[data-mark=network]")).to_have_count(3)
    heights = page.locator("[data-mark]").evaluate_all("all => all.map((one) => one.offsetHeight)")
    assert max(heights) < 30, "a mark is one line"
    assert page.locator("table").evaluate("one => one.getBoundingClientRect().right <= innerWidth - 19")


def test_a_desk_has_more_in_sight_than_a_phone(desk: Visitor) -> None:
    """Hall, rules and lab use what there is of it."""
    desk.page.set_viewport_size({"width": 1440, "height": 900})
    page = desk.go()
    expect(page.locator("[data-game]").first).to_be_visible()
    low, wide = page.locator(".games").evaluate("(one) => [one.getBoundingClientRect().bottom, one.offsetWidth]")
    assert 720 < low <= 900, "all games, and hardly anything below them"
    assert wide > 900
    for place, last in (("rules/farkle", "[data-options] dd"), ("lab/lite-solo", "[data-chart]")):
        desk.go(place)
        expect(page.locator(last).last).to_be_visible()
        right = page.locator(last).last.evaluate("one => one.getBoundingClientRect().right")
        assert right > 1250, place


def test_a_run_that_does_not_exist(phone: Visitor) -> None:
    page = phone.go("run/nothing")
    expect(page.locator("main")).to_contain_text("There is no such run.")
    page = phone.go("table/nothing")
    expect(page.locator("main")).to_contain_text("There is no such table.")
    phone.complaints = [text for text in phone.complaints if "404" not in text and "WebSocket" not in text]


LINKED: dict[str, tuple[dict[str, Any], str]] = {
    "lite-solo": ({"columns": True, "reroll": True, "wild": "natural", "target": 120}, ""),
    "lite-versus": ({"first": "drawn", "tiebreak": "highest-single-die"}, "you,perfect"),
    "farkle": ({"preset": "spicy", "target": 1000}, "you,bank:300"),
    "shut-the-box": ({"preset": "twelve", "rounds": 1}, ""),
    "knucklebones": ({"first": "drawn"}, "you,level:1"),
}


@pytest.mark.parametrize(("game", "language"), met(LINKED, ["de", "en"]))
def test_a_table_by_a_link_has_all_its_texts(phone: Visitor, game: str, language: str) -> None:
    """Texts come when they are needed: no screen before has asked for those of menu, rules, coach and end."""
    phone.settings["language"] = language
    options, seats = LINKED[game]
    page = phone.sit(game, "", options, seats, kind="practice")
    words = {"en": ("Menu", "Rules", "Close"), "de": ("Menü", "Regeln", "Schließen")}[language]
    for name in words[:2]:
        page.get_by_role("button", name=name, exact=True).tap()
    expect(page.locator("dialog ol > li").first).to_be_visible()
    page.get_by_role("button", name=words[2]).tap()
    if page.locator("[data-action=hint][aria-disabled=false]").count():
        page.locator("[data-action=hint]").tap()
        expect(page.locator("dialog [data-hint] li, dialog p").first).to_be_visible()
        page.get_by_role("button", name=words[2]).tap()
    phone.finish()
    page.locator("[data-share]").tap(force=True)
    expect(page.locator("dialog pre")).to_have_attribute("aria-busy", "false")


def test_a_table_can_be_given_up(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Abandon this run").tap()
    expect(page.locator("dialog p").first).to_contain_text("It ends without a result and is not kept")
    page.get_by_role("button", name="Keep playing").tap()
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Abandon this run").tap()
    page.locator("dialog").get_by_role("button", name="Abandon this run").tap()
    expect(page.locator("[data-game]")).to_have_count(5)
    expect(page.locator("[role=status] [data-notice]")).to_have_text("The run is abandoned.")


def test_the_way_back_does_not_lead_to_a_table_that_was_given_up(phone: Visitor) -> None:
    page = phone.go("settings")
    page = phone.go("game/lite-solo")
    page.locator("[data-play]").tap()
    phone.rest()
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Abandon this run").tap()
    page.locator("dialog").get_by_role("button", name="Abandon this run").tap()
    expect(page.locator("[data-game]")).to_have_count(5)
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate("location.hash") == "#/"
    page.go_back()
    expect(page.locator("[data-play]")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Nickname")).to_be_visible()
    page.go_forward()
    page.go_forward()
    expect(page.locator("[data-game]")).to_have_count(5)


@pytest.mark.parametrize(
    "kind", ["", "settings", "runs", "join", "player", "invite/farkle", "game", "rules", "boards", "table"]
)
def test_nothing_scrolls_sideways(desk: Visitor, kind: str) -> None:
    """640 by 360 is what a window of 1280 by 720 has left at 200%."""
    desk.settings["language"] = "de"
    for game in GAMES if kind in ("game", "rules", "boards", "table") else [""]:
        page = desk.sit(game) if kind == "table" else desk.go(f"{kind}/{game}".rstrip("/"))
        desk.idle()
        for width, height in ((320, 640), (640, 360)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(DRAWN)
            assert_fits(page)


SIDEWAYS = [
    ("lite-solo", {"columns": True, "reroll": True, "wild": "natural", "target": 65}, ""),
    ("lite-versus", {}, "you,standard"),
    ("knucklebones", {}, "you,greedy"),
    ("shut-the-box", {"preset": "twelve"}, ""),
    ("farkle", {"preset": "arcade"}, ""),
    ("farkle", {"target": 5000}, "you,bank:300"),
    ("farkle", {"target": 5000}, ",".join(["you"] * 6)),
]


@pytest.mark.parametrize(("game", "options", "seats"), SIDEWAYS)
def test_a_phone_held_sideways_has_all_of_a_table_in_sight(
    phone: Visitor, game: str, options: dict[str, Any], seats: str
) -> None:
    phone.settings["language"] = "de"
    page = phone.sit(game, "152226", options, seats)
    for width, height in ((932, 430), (844, 390), (667, 375)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        assert page.evaluate("document.documentElement.scrollHeight") <= height
        below = page.locator("main button").evaluate_all(
            "(all) => all.filter((one) => one.getBoundingClientRect().bottom > innerHeight && !one.closest('.sets'))"
            ".map((one) => one.outerHTML)"
        )
        assert below == []
        assert_fits(page)


def assert_fits(page: Page) -> None:
    wide, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= room


@pytest.mark.parametrize(
    ("language", "daily"), [("en", r"Daily of \d+ [A-Z]\w+ \d{4}"), ("de", r"Tagesspiel vom \d+\. [A-Z]\w+ \d{4}")]
)
def test_days_are_written_as_people_write_them(phone: Visitor, language: str, daily: str) -> None:
    """In the hall, at a game, among my runs and on the boards; for machines there is another name."""
    phone.settings["language"] = language
    page = phone.sit("lite-solo", kind="daily")
    phone.play_ahead(CELLS[:1])
    day = page.evaluate("new Date().toISOString().slice(0, 10)")
    for place in ("", "game/lite-solo", f"boards/lite-solo?daily={day}"):
        page = phone.go(place)
        phone.idle()
        expect(page.locator(f"time[datetime='{day}']").first).to_have_text(re.compile(daily))
        assert day not in page.locator("body").inner_text()
    phone.sit("lite-solo", kind="ranked")
    phone.finish()
    page = phone.go("runs")
    expect(page.locator("main time[datetime]").first).to_have_text(re.compile(daily.split(" ", 2)[2]))
