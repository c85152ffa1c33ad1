"""The log of a run: it says what screen readers hear, and all of it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.test_lite import SPEC_DICE
from tests.browser.visit import Visitor


def test_the_log_stands_open_on_a_desk_and_says_what_screen_readers_hear(desk: Visitor) -> None:
    page = desk.sit("knucklebones", "5546324", seats="you,you")
    heard: list[str] = []
    for key in ("1", "1", "2"):
        desk.press(key)
        heard.append(page.locator("[aria-live=polite]").inner_text())
    log = page.locator(".log [data-log] li")
    told = log.all_inner_texts()
    assert [text for text in told if text in heard] == heard[::-1], "what was heard is in the log"
    assert any("breaks" in text for text in told)
    expect(page.locator("[data-action=log]")).to_be_hidden()
    page.reload()
    desk.rest()
    expect(log).to_have_text(told)  # all of it, to whoever comes back
    desk.press("3")
    expect(log).to_have_count(len(told) + 2)  # and it goes on from there


def test_the_log_says_what_a_mixed_column_has_lost(desk: Visitor) -> None:
    """A five breaks two of a 5, a 2 and a 5: 20 of 22 points."""
    page = desk.sit("knucklebones", "15122555", seats="you,you")
    desk.press(*"1212322")
    assert "Player 1: five in column 2 breaks 2 dice: −20" in page.locator(".log [data-log] li").all_inner_texts()


def test_the_log_says_what_whoever_banks_has_in_all(desk: Visitor) -> None:
    page = desk.sit("farkle", "152226" + "111246" + "152226", {"target": 5000}, "you,you")
    for _ in range(3):
        desk.press("a", "b")
    told = page.locator(".log [data-log] li").all_inner_texts()
    assert [text for text in told if "banked" in text] == [
        "Player 1: 100 banked, 200 in all.",
        "Player 2: 1,000 banked, 1,000 in all.",
        "Player 1: 100 banked, 100 in all.",
    ]


def test_the_log_says_what_was_kept_before_a_bank_or_a_farkle(desk: Visitor) -> None:
    """Both moves go out with one tap, and the hall answers with how the table is after both."""
    page = desk.sit("farkle", "111555" + "111246" + "224" + "152226")
    desk.press("a", "b", *"123", "r")
    told = page.locator(".log [data-log] li").all_inner_texts()
    assert told[::-1][:7] == [
        "Rolled 1 1 1 5 5 5.",
        "You: 1 1 1 and 5 5 5 kept. Hot dice!",
        "You: 1,500 banked, 1,500 in all.",
        "Rolled 1 1 1 2 4 6.",
        "You: 1 1 1 kept. 1,000 at stake, 3 dice left.",
        "You: rolling 3 dice.",
        "Farkle! 1,000 lost.",
    ]


def test_the_log_says_what_a_farkle_has_cost(desk: Visitor) -> None:
    page = desk.sit("farkle", "111346" + "223" + "223464" + "111246")
    log = page.locator(".log [data-log] li")
    desk.press("a", "r")
    told = log.all_inner_texts()
    assert sum("1,000" in text for text in told if "Farkle" in text) == 1, told
    assert len([text for text in told if "Farkle" in text]) == 2, "the next one cost nothing"


def test_what_is_taken_back_is_not_in_the_log(desk: Visitor) -> None:
    page = desk.sit("lite-solo", SPEC_DICE)
    log = page.locator(".log [data-log] li")
    before = log.all_inner_texts()
    desk.press("1")
    assert len(log.all_inner_texts()) == len(before) + 2
    desk.press("u")
    assert log.all_inner_texts() == before
    expect(page.locator(".cell.full")).to_have_count(0)
    expect(page.locator(".dice .die svg")).to_have_attribute("data-value", "5")
    expect(page.locator("[aria-live=polite]")).to_have_text("Taken back.")
