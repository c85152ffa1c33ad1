"""What leaves the device: a text and a picture for somebody who was not there, and what a link shows to a stranger."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_access import violations
from tests.browser.test_ends import ALONE
from tests.browser.test_lite import SPEC_DICE, fill
from tests.browser.visit import JUST_CAME_UP, Hall, Visitor

LANGUAGES = ("en", "de")
WORDS = {
    "en": {"share": "Share", "picture": "Picture", "copy": "Copy as text", "saved": "The picture is saved."},
    "de": {"share": "Teilen", "picture": "Bild", "copy": "Als Text kopieren", "saved": "Das Bild ist gespeichert."},
}
TO_YOU = re.compile(r"\b(you|your|du|dein|deine)\b", re.IGNORECASE)
DATE = {"en": r"\d{1,2} [A-Z][a-z]+ \d{4}", "de": r"\d{1,2}\. [A-Z][a-zä]+ \d{4}"}
SEATS: dict[str, tuple[str, dict[str, Any], str]] = {
    "one": ("lite-solo", {"target": 60, "columns": True}, ""),
    "one box": ("shut-the-box", {"preset": "hard", "rounds": 1}, ""),
    "two": ("knucklebones", {}, "you,spec"),
    "two boards": ("lite-versus", {}, "you,standard"),
    "three": ("shut-the-box", {"rounds": 1, "variant": "digitalScore"}, "you,highest,random"),
    "six": ("farkle", {"target": 1000}, "you,you,bank:300,bank:600,random,level:1"),
}
# Every line that is drawn on a canvas, with the box that it takes: left, top, right, bottom.
LISTEN = """
  window.drawn = []
  const draw = CanvasRenderingContext2D.prototype.fillText
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const { width, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = this.measureText(text)
    drawn.push({ text, box: [x, y - up, x + width, y + down] })
    draw.call(this, text, x, y)
  }
"""
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"


@pytest.fixture(autouse=True)
def nothing_moves(phone: Visitor) -> None:
    phone.settings["motion"] = "reduced"


def name(visitor: Visitor, nickname: str) -> None:
    """Give the visitor, whose page is in English, a nickname."""
    page = visitor.go("settings")
    page.get_by_label("Nickname").fill(nickname)
    page.get_by_role("button", name="Save").tap()
    expect(page.locator("main")).to_contain_text("Saved.")


def play(visitor: Visitor, game: str, options: dict[str, Any], seats: str, dice: str = "") -> Page:
    visitor.sit(game, dice, options, seats, kind="practice", **({} if dice else {"seed": "a run"}))
    return visitor.finish()


def shared(page: Page, language: str = "en") -> list[str]:
    """Open the sheet; the lines of the text on it."""
    page.evaluate(JUST_CAME_UP)
    page.get_by_role("button", name=WORDS[language]["share"]).tap()
    return page.locator("dialog pre").inner_text().split("\n")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", SEATS)
def test_a_share_speaks_to_nobody_and_says_the_day_in_text_and_picture(
    phone: Visitor, seats: str, language: str
) -> None:
    """Every line of the picture has a place of its own."""
    phone.settings["language"] = language
    phone.page.add_init_script(LISTEN)
    page = play(phone, *SEATS[seats])
    text = shared(page, language)
    assert not [line for line in text[:-1] if TO_YOU.search(line)], text
    assert re.fullmatch(f"Dicehall · .+ · {DATE[language]}", text[0]), text
    assert "/#/run/" in text[-1]
    with page.expect_download() as downloaded:
        page.get_by_role("button", name=WORDS[language]["picture"]).tap()
    assert downloaded.value.path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    expect(page.locator("dialog")).to_contain_text(WORDS[language]["saved"])
    drawn = sorted(page.evaluate("drawn"), key=lambda one: one["box"][1])
    words = " ".join(one["text"].strip() for one in drawn)
    assert all(line in words for line in text[:-1]), (text, words)
    for one in drawn:
        left, top, right, bottom = one["box"]
        assert 90 <= left < right <= 1080 - 90, one
        assert 90 <= top < bottom <= 1080 - 80, one
    gaps = [below["box"][1] - above["box"][3] for above, below in pairwise(drawn)]
    assert min(gaps) > 0, drawn
    assert max(gaps) < 1080 / 3, drawn


@pytest.mark.parametrize(
    ("nickname", "dice", "told"),
    [
        ("", "61" * 9, ["Practice", "Won 162 : 27", "A guest: 162 (54 + 54 + 54)", "Grandmaster: 27 (9 + 9 + 9)"]),
        ("Hedy", "61" * 9, ["Practice", "Hedy wins", "Hedy: 162 (54 + 54 + 54)", "Grandmaster: 27 (9 + 9 + 9)"]),
        ("", "16" * 9, ["Practice", "Grandmaster wins", "A guest: 27 (9 + 9 + 9)", "Grandmaster: 162 (54 + 54 + 54)"]),
    ],
)
def test_a_shared_win_names_the_winner(phone: Visitor, nickname: str, dice: str, told: list[str]) -> None:
    if nickname:
        name(phone, nickname)
    page = play(phone, "lite-versus", {}, "you,perfect", dice)
    assert shared(page)[1:-1] == told


@pytest.mark.parametrize(
    ("language", "options", "told"),
    [
        ("en", {"target": 59}, ["Practice · Target: 59", "Goal reached", "A guest: 59 "]),
        ("de", {"target": 59}, ["Übung · Ziel: 59", "Ziel erreicht", "Ein Gast: 59 "]),
        ("en", {"preset": "gold"}, ["Practice · Gold · Target: ", "Goal missed", "A guest: 59 "]),
        ("en", {}, ["Practice", "59 points", "A guest: 59 "]),
    ],
)
def test_a_shared_text_says_what_was_played_and_for_what(
    phone: Visitor, language: str, options: dict[str, Any], told: list[str]
) -> None:
    phone.settings["language"] = language
    page = phone.sit("lite-solo", SPEC_DICE, options)
    fill(phone, ALONE)
    lines = shared(page, language)[1:-1]
    assert [line.startswith(start) for line, start in zip(lines, told, strict=True)] == [True] * len(told), lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_shared_daily_has_its_day(phone: Visitor, language: str) -> None:
    phone.settings["language"] = language
    page = phone.sit("lite-solo", kind="daily")
    fill(phone, ALONE)
    daily = {"en": "Daily of", "de": "Tagesspiel vom"}[language]
    assert re.fullmatch(f"Dicehall · Knucklebones-lite · {daily} {DATE[language]}", shared(page, language)[0])


def selected(page: Page) -> str:
    found: str = page.evaluate(
        "() => { const { value, selectionStart, selectionEnd } = document.activeElement;"
        " return value?.slice(selectionStart, selectionEnd) ?? '' }"
    )
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_clipboard_it_is_copied_by_hand(phone: Visitor, language: str) -> None:
    phone.settings["language"] = language
    phone.page.add_init_script(NO_CLIPBOARD)
    page = phone.sit("lite-solo", SPEC_DICE)
    fill(phone, ALONE)
    text = "\n".join(shared(page, language))
    page.get_by_role("button", name=WORDS[language]["copy"]).tap()
    expect(page.locator("dialog textarea")).to_be_focused()
    assert selected(page) == text
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.locator("a[href^='#/run/']").last.tap()
    expect(page.locator("input[type=range]")).to_be_visible()
    page.get_by_role("button", name={"en": "Copy a link", "de": "Link zu dieser"}[language]).tap()
    expect(page.locator("dialog textarea")).to_be_focused()
    assert selected(page) == page.url
    assert violations(page) == []


@pytest.mark.parametrize("nickname", ["", "Emmy"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_analysis_of_a_stranger_says_whose_moves_they_were(
    browser: Browser, hall: Hall, language: str, nickname: str
) -> None:
    with Visitor(browser, hall, has_touch=True) as player, Visitor(browser, hall, has_touch=True) as friend:
        who = f"{nickname} {language}" if nickname else {"en": "A guest", "de": "Ein Gast"}[language]
        if nickname:
            name(player, who)
        player.sit("lite-solo", SPEC_DICE)
        fill(player, ALONE)
        link = player.page.get_by_role("link", name="Analysis").get_attribute("href") or ""
        friend.settings["language"] = language
        page = friend.go(link.removeprefix("#/"))
        balance = page.locator("[data-balance]")
        expect(balance).to_contain_text({"en": f"{who} gave away", "de": f"{who} hat verschenkt"}[language])
        assert not TO_YOU.search(page.locator("dialog").inner_text())
        assert violations(page) == []
        page.locator("dialog header button").tap()
        credit = {
            "en": f"{who} played this", "de": f"Gespielt von {who}" if nickname else "Gespielt von einem Gast",
        }[language]  # fmt: skip
        expect(page.locator("[data-credit] p")).to_have_text(credit)
        own = player.go(link.removeprefix("#/"))
        expect(own.locator("[data-balance]")).to_contain_text("Your moves gave away")
