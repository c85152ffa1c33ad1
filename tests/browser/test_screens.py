"""The hall, a game's page, settings, boards, replays and sharing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from dicehall.rules.catalog import GAMES as RULES
from tests.browser.test_lite import CELLS, SPEC_DICE, fill
from tests.browser.visit import Visitor
from tests.web.test_texts import ENGLISH, GERMAN

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


def test_a_finished_run_is_among_mine_and_the_best_is_in_the_hall(phone: Visitor) -> None:
    page = phone.sit("lite-solo", kind="ranked")
    fill(phone, CELLS)
    score = phone.text(".status .big")
    expect(page.locator("[data-end]")).to_contain_text("Your first score (Standard)")
    page = phone.go()
    expect(page.locator("[data-game=lite-solo]")).to_contain_text(f"Best {score} points")
    page.get_by_role("link", name="My runs").tap()
    expect(page.locator("main li")).to_have_count(1)
    page.locator("main li a").tap()
    expect(page.locator("input[type=range]")).to_be_visible()


def test_a_board_is_reached_from_the_game(phone: Visitor) -> None:
    phone.sit("lite-solo", kind="ranked")
    fill(phone, CELLS)
    page = phone.go("game/lite-solo")
    page.get_by_role("link", name="Boards").tap()
    expect(page.locator("tr.me")).to_have_count(1)
    for period in ("This month", "This week", "Today"):
        page.get_by_role("radio", name=period).tap()
        expect(page.locator("tr.me")).to_have_count(1)


def test_replay_steps_scrubs_plays_and_links_to_a_position(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    fill(phone, CELLS)
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


def test_a_guest_without_a_name_has_one_on_the_boards(phone: Visitor) -> None:
    """A link needs words, for those who hear the page too."""
    page = phone.go("game/lite-solo")
    page.get_by_role("button", name="Play", exact=True).tap()
    expect(page.locator(".cell")).to_have_count(9)
    phone.rest()
    fill(phone, CELLS)
    expect(page.get_by_role("link", name="Replay")).to_be_visible()
    phone.go("boards/lite-solo")
    expect(page.get_by_role("link", name="A guest").first).to_be_visible()


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


def test_sharing_is_words_and_a_picture(phone: Visitor) -> None:
    phone.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=phone.hall.address)
    page = phone.sit("lite-solo", SPEC_DICE)
    fill(phone, CELLS)
    page.locator("[data-share]").tap()
    page.get_by_role("button", name="Copy as text").tap()
    expect(page.locator("dialog")).to_contain_text("Copied.")
    text = page.evaluate("navigator.clipboard.readText()")
    lines = text.split("\n")
    assert lines[0].startswith("Dicehall · Knucklebones-lite · ")
    assert re.fullmatch(r"A guest: \d+ \(\d+ \+ \d+ \+ \d+\)", lines[3])
    assert "/#/run/" in lines[-1]
    assert all(ord(letter) < 0x2100 for letter in text), "no little pictures that a screen reader would spell out"
    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Picture").tap()
    assert downloaded.value.suggested_filename == "dicehall.png"
    assert downloaded.value.path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_settings_are_kept(phone: Visitor) -> None:
    page = phone.go("settings")
    page.get_by_role("radio", name="Dark").tap()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 21, 20)"
    page.get_by_role("radio", name="Deutsch").tap()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    page.get_by_role("switch", name="Automatisch würfeln").tap()
    page.reload()
    expect(page.get_by_role("switch", name="Automatisch würfeln")).to_have_attribute("aria-checked", "false")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_without_auto_roll_the_player_rolls(phone: Visitor) -> None:
    phone.settings["autoRoll"] = False
    page = phone.go(f"play/lite-solo?seed=dice:{SPEC_DICE}")
    roll = page.get_by_role("button", name="Roll", exact=True)
    roll.tap()  # the first one, too
    phone.rest()
    for name in ("a1", "a1"):
        page.locator(f"[data-cell={name}]").tap()
    expect(roll).to_be_visible()
    expect(page.locator(".cell.open")).to_have_count(0)
    roll.tap()
    phone.rest()
    expect(page.locator(".cell.open")).to_have_count(8)


def test_what_is_being_typed_stays(phone: Visitor) -> None:
    """The answer to who one is may come late."""
    held: list[Route] = []
    phone.page.route("**/api/lobby", lambda route: held.append(route))
    page = phone.go("settings")
    page.get_by_label("Nickname").fill("Ada")
    with page.expect_response("**/api/lobby"):
        held[0].continue_()
    page.wait_for_timeout(100)
    expect(page.get_by_label("Nickname")).to_have_value("Ada")


def test_an_account_is_named_moved_exported_and_deleted(phone: Visitor, desk: Visitor) -> None:
    page = phone.go("settings")
    page.get_by_label("Nickname").fill("Ada")
    page.get_by_role("button", name="Save").tap()
    expect(page.locator("main")).to_contain_text("Saved.")
    page.get_by_role("button", name="Get a code", exact=True).tap()
    code = page.locator(".code").inner_text()
    other = desk.go("settings")
    other.get_by_label("I have a code").fill(code)
    other.get_by_role("button", name="Use it").click()
    expect(other.get_by_label("Nickname")).to_have_value("Ada")
    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Download my data").tap()
    assert json.loads(downloaded.value.path().read_text())["profile"]["nickname"] == "Ada"
    page.get_by_role("button", name="Delete my account").tap()
    page.locator("dialog").get_by_role("button", name="Delete my account").tap()
    expect(page.locator("main")).to_contain_text("The account is gone.")


def test_a_code_to_keep_brings_an_account_back(phone: Visitor, desk: Visitor) -> None:
    """Whoever gives it again at once, because an answer got lost, has it instead of the first device."""
    page = phone.go("settings")
    page.get_by_label("Nickname").fill("Lovelace")
    page.get_by_role("button", name="Save").tap()
    page.get_by_role("button", name="Get a code to keep").tap()
    expect(page.locator(".account")).to_contain_text("Keep this code somewhere safe")
    code = page.locator("[data-kept]").inner_text()
    page.locator("[data-device=this]").get_by_role("button").tap()
    page.locator("dialog").get_by_role("button", name="Cancel").tap()
    expect(page.locator("[data-device]")).to_have_count(1)
    page.locator("[data-device=this]").get_by_role("button").tap()
    page.locator("dialog").get_by_role("button", name="Sign out").tap()
    expect(page.locator("main")).to_contain_text("This device is signed out.")
    expect(page.locator("[data-device]")).to_have_count(0)
    other = desk.go("settings")
    other.get_by_label("I have a code").fill(code)
    other.get_by_role("button", name="Use it").click()
    expect(other.get_by_label("Nickname")).to_have_value("Lovelace")
    page.get_by_label("I have a code").fill(code)
    page.get_by_role("button", name="Use it").tap()
    expect(page.get_by_label("Nickname")).to_have_value("Lovelace")
    expect(page.locator("[data-device]")).to_have_count(1)


def test_all_other_devices_are_signed_out_at_once(phone: Visitor, desk: Visitor) -> None:
    page = phone.go("settings")
    page.get_by_label("Nickname").fill("Hopper")
    page.get_by_role("button", name="Save").tap()
    page.get_by_role("button", name="Get a code", exact=True).tap()
    other = desk.go("settings")
    other.get_by_label("I have a code").fill(page.locator(".code").inner_text())
    other.get_by_role("button", name="Use it").click()
    other.get_by_role("button", name="Sign out all others").click()
    expect(other.locator("[data-device]")).to_have_count(1)
    expect(other.locator("main")).to_contain_text("All other devices are signed out.")
    page.reload()
    expect(page.get_by_label("Nickname")).to_have_value("")
    expect(page.locator("[data-device]")).to_have_count(0)


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_there_before_and_at_the_table(phone: Visitor, game: str) -> None:
    page = phone.go(f"rules/{game}")
    page.wait_for_selector("main ol > li")
    count = page.locator("main ol > li").count()
    assert count >= 5
    assert page.locator("main svg.die").count() >= 2
    page = phone.sit(game)
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Rules").tap()
    expect(page.locator("dialog ol > li").first).to_be_visible()
    assert 4 <= page.locator("dialog ol > li").count() <= count, "of the variants, only what is played"


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("game", "options", "seats"),
    [
        ("lite-solo", {"columns": True, "reroll": True, "wild": "natural", "target": 120}, ""),
        ("lite-versus", {"first": "drawn", "tiebreak": "highest-single-die"}, "you,perfect"),
        ("farkle", {"preset": "spicy"}, "you,bank:300"),
        ("shut-the-box", {"preset": "twelve", "rounds": 1}, ""),
        ("knucklebones", {"first": "drawn"}, "you,level:1"),
    ],
)
def test_a_table_by_a_link_has_all_its_texts(
    phone: Visitor, game: str, options: dict[str, Any], seats: str, language: str
) -> None:
    """Texts come when they are needed: no screen before has asked for those of menu, rules, coach and end."""
    phone.settings["language"] = language
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
    page.get_by_role("button", name="Keep playing").tap()
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Abandon this run").tap()
    page.locator("dialog").get_by_role("button", name="Abandon this run").tap()
    expect(page.locator("[data-game]")).to_have_count(5)


def test_undo_in_practice(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    fill(phone, ["a1"])
    page.get_by_role("button", name="Undo").tap()
    phone.rest()
    expect(page.locator(".cell.full")).to_have_count(0)
    expect(page.locator(".dice .die svg")).to_have_attribute("data-value", "5")
    expect(page.locator("[aria-live=polite]")).to_have_text("Taken back.")


@pytest.mark.parametrize("width", [320, 640])
@pytest.mark.parametrize(
    "place", ["", "settings", "runs", *(f"{kind}/{game}" for kind in ("game", "rules", "boards") for game in GAMES)]
)
def test_nothing_scrolls_sideways(desk: Visitor, width: int, place: str) -> None:
    """640 by 360 is what a window of 1280 by 720 has left at 200%."""
    desk.page.set_viewport_size({"width": width, "height": 360 if width == 640 else 640})
    desk.settings["language"] = "de"
    page = desk.go(place)
    page.wait_for_load_state("networkidle")
    assert_fits(page)


@pytest.mark.parametrize("width", [320, 640])
@pytest.mark.parametrize("game", GAMES)
def test_no_table_scrolls_sideways(desk: Visitor, width: int, game: str) -> None:
    desk.page.set_viewport_size({"width": width, "height": 360 if width == 640 else 640})
    desk.settings["language"] = "de"
    assert_fits(desk.sit(game))


def assert_fits(page: Page) -> None:
    wide, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= room


# Controls of a page under something else, of those that are on the screen. What scrolls, the page or a part of it, is
# at `place`; what has left that part is not on the screen.
COVERED = """(place) => [...document.querySelectorAll('main :is(button, a, select, input)')].flatMap((one) => {
    const scrolled = one.closest('.scroll')
    scrollTo(0, place)
    if (scrolled) scrolled.scrollTop = place
    const box = one.getBoundingClientRect()
    const part = scrolled?.getBoundingClientRect()
    const [top, bottom] = part?.height ? [part.top, part.bottom] : [0, innerHeight]
    return [0.1, 0.5, 0.9].map((part) => [box.x + box.width / 2, box.y + part * box.height])
        .filter(([x, y]) => y > top && y < bottom - 1 && !one.contains(document.elementFromPoint(x, y)))
        .map(([x, y]) => `${one.innerText} at ${Math.round(y)}`)
})"""


@pytest.mark.parametrize("game", ["shut-the-box", "farkle"])
def test_nothing_lies_over_the_controls_of_a_game(desk: Visitor, game: str) -> None:
    """And playing takes no scrolling."""
    for size in ((1440, 900), (390, 664), (390, 844), (320, 568)):
        desk.page.set_viewport_size({"width": size[0], "height": size[1]})
        page = desk.go(f"game/{game}")
        page.wait_for_load_state("networkidle")
        page.evaluate("scrollTo(0, 0)")
        expect(page.locator("[data-play]")).to_be_in_viewport(ratio=1)
        for place in (0, 150, 10_000):
            assert page.evaluate(COVERED, place) == [], (size, place)
            expect(page.locator("[data-play]")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(
    ("game", "option", "value", "language", "said"),
    [
        ("lite-solo", "target", "1000", "en", "No run can reach that target: 162 points is the most there can be."),
        ("lite-solo", "target", "1000", "de", "Mehr als 162 Punkte gibt es nicht."),
        ("shut-the-box", "goal", "500", "de", "Dieses Ziel verfehlt niemand: Die größte mögliche Summe ist 215."),
    ],
)
def test_what_cannot_be_reached_is_said_before_one_plays(
    phone: Visitor, game: str, option: str, value: str, language: str, said: str
) -> None:
    phone.settings["language"] = language
    page = phone.go(f"game/{game}")
    page.locator(".options").tap()
    page.locator(f"input[name={option}]").fill(value)
    page.locator(f"input[name={option}]").blur()
    expect(page.locator("dialog [data-doubt]")).to_contain_text(said)
    page.locator("[data-done]").tap()
    expect(page.locator("main [data-doubt]")).to_contain_text(said)
    expect(page.locator(f"[data-value='{value}']")).to_have_attribute("aria-checked", "true")


def test_a_target_of_ones_own_has_its_chance_and_one_at_most_is_recommended(phone: Visitor) -> None:
    page = phone.go("game/lite-solo")
    page.locator(".options").tap()
    page.locator("input[name=target]").fill("100")
    page.locator("input[name=target]").blur()
    page.locator("[data-done]").tap()
    expect(page.locator("[data-value='100']")).to_have_text(re.compile(r"^Your own 100 · 1 in \d+$"))
    expect(page.locator("[data-doubt]")).to_have_count(0)
    for game, preset in (("lite-solo", ""), ("shut-the-box", "hard"), ("shut-the-box", "classic")):
        page = phone.go(f"game/{game}")
        if preset:
            page.locator(f"[data-value={preset}]").tap()
        expect(page.get_by_text("(recommended)")).to_have_count(1)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_rules_say_what_every_option_changes(phone: Visitor, language: str) -> None:
    phone.settings["language"] = language
    texts = ENGLISH if language == "en" else GERMAN
    for game in GAMES:
        page = phone.go(f"rules/{game}")
        expect(page.locator("[data-options] dt")).to_have_count(len(RULES[game].options.__dataclass_fields__))
        told = " ".join(page.locator("main").inner_text().split())
        assert [key for key in sentences(game) if str(texts[key]) not in told] == []
        page = phone.go(f"game/{game}")
        page.locator(".options").tap()
        expect(page.locator("dialog .about, dialog .small.soft").first).to_be_visible()


def sentences(game: str) -> Iterator[str]:
    """What is to be said of the options and presets of a game."""
    rules = RULES[game]
    yield from (f"preset.{game}.{name}.about" for name in rules.presets)
    for name, option in rules.options.__dataclass_fields__.items():
        own = f"option.{name}.about.{game}"
        yield own if own in ENGLISH else f"option.{name}.about"
        values = option.metadata["values"]
        if not isinstance(values, range):
            yield from (f"option.{name}.{value}.about" for value in values if not isinstance(value, bool))


@pytest.mark.parametrize(
    ("language", "daily"), [("en", r"Daily of \d+ [A-Z]\w+ \d{4}"), ("de", r"Tagesspiel vom \d+\. [A-Z]\w+ \d{4}")]
)
def test_days_are_written_as_people_write_them(phone: Visitor, language: str, daily: str) -> None:
    """In the hall, at a game, among my runs and on the boards; for machines there is another name."""
    phone.settings["language"] = language
    page = phone.sit("lite-solo", kind="daily")
    fill(phone, CELLS[:1])
    day = page.evaluate("new Date().toISOString().slice(0, 10)")
    for place in ("", "game/lite-solo", f"boards/lite-solo?daily={day}"):
        page = phone.go(place)
        expect(page.locator(f"time[datetime='{day}']").first).to_have_text(re.compile(daily))
        assert day not in page.locator("body").inner_text()
    phone.sit("lite-solo", kind="ranked")
    fill(phone, CELLS)
    page = phone.go("runs")
    expect(page.locator("main time[datetime]").first).to_have_text(re.compile(daily.split(" ", 2)[2]))


def test_people_at_one_device_have_names_that_stay_there(phone: Visitor) -> None:
    sent: list[str] = []
    phone.page.on("request", lambda request: sent.append(f"{request.url} {request.post_data}"))
    phone.page.on("websocket", lambda line: line.on("framesent", lambda frame: sent.append(str(frame))))
    page = phone.go("game/lite-versus")
    page.get_by_role("combobox").select_option("you")
    page.get_by_label("Name of player 1").fill("Hedy")
    page.get_by_label("Name of player 2").fill("B" * 30)
    expect(page.get_by_label("Name of player 2")).to_have_value("B" * 24)
    page.get_by_label("Name of player 2").fill("Grace")
    page.reload()
    expect(page.get_by_label("Name of player 2")).to_have_value("Grace")
    page.locator("[data-play]").tap()
    phone.rest()
    assert [name.strip("▸ ") for name in page.locator(".seats .name").all_inner_texts()][1] == "Grace"
    for key in CELLS_BY_KEY:
        phone.press(key, key)
    expect(page.locator("[data-end] h2")).to_have_text(re.compile("Hedy|Grace|draw"))
    page.locator("[data-action=log]").tap()
    expect(page.locator("dialog")).to_contain_text("Grace: ")
    page.keyboard.press("Escape")
    page.locator("[data-share]").tap()
    expect(page.locator("pre")).to_contain_text("Hedy: ")
    assert not [one for one in sent if "Hedy" in one or "Grace" in one]
    phone.go("runs")
    page.locator("main a", has_text="Hedy : Grace").tap()
    page.get_by_role("button", name="One step on").tap()
    expect(page.locator(".told")).to_contain_text(re.compile("Hedy|Grace"))


CELLS_BY_KEY = "123456789"


def test_a_player_of_the_house_says_by_which_rule_it_plays(phone: Visitor) -> None:
    page = phone.go("game/farkle")
    page.get_by_role("button", name="Add a player").tap()
    expect(page.locator("main")).to_contain_text("banks as soon as 300 or more are at stake")
    page.locator("[data-play]").tap()
    phone.rest()
    expect(page.locator(".seats li").nth(1)).to_contain_text("Penny")
    expect(page.locator(".seats li").nth(1)).to_have_attribute("title", re.compile("banks as soon as 300"))
    page.get_by_role("button", name="Menu").tap()
    expect(page.locator("[data-house]")).to_contain_text("Penny: Keeps the most points, and banks")
