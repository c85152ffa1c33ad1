"""What leaves the device: a text and a picture for somebody who was not there, and what a link shows to a stranger."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.ends import ASK
from tests.browser.test_access import violations
from tests.browser.test_ends import ALONE
from tests.browser.test_lite import SPEC_DICE, fill
from tests.browser.test_screens import GAMES
from tests.browser.visit import JUST_CAME_UP, Hall, Visitor
from tests.soak import met

BETTER = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]  # 82 points
LANGUAGES = ("en", "de")
WORDS = {
    "en": {"picture": "Picture", "copy": "Copy as text", "saved": "The picture is saved.",
           "beat": "Beat me on these dice.", "win": "Who can win on these dice?",
           "goal": "Who can make it on these dice?"},
    "de": {"picture": "Bild", "copy": "Als Text kopieren", "saved": "Das Bild ist gespeichert.",
           "beat": "Mach’s besser: gleiche Würfel.", "win": "Wer gewinnt mit diesen Würfeln?",
           "goal": "Wer schafft es mit diesen Würfeln?"},
}  # fmt: skip
TO_YOU = re.compile(r"\b(you|your|du|dein|deine)\b", re.IGNORECASE)
DATE = {"en": r"\d{1,2} [A-Z][a-z]+ \d{4}", "de": r"\d{1,2}\. [A-Z][a-zä]+ \d{4}"}
LONG = [f"Wilhelmina-Wolfgang-Woo{n}" for n in "ABC"]  # as long as nicknames may be
SIX = "you,you,bank:300,bank:600,random,level:1"
DIGITAL = {"rounds": 1, "variant": "digitalScore"}


class End(NamedTuple):
    game: str
    options: dict[str, Any]
    seats: str
    dice: str
    nickname: str
    language: str
    said: list[str]  # in the text
    drawn: list[str]  # on the picture


ENDS = {
    "a score": End("lite-solo", {}, "", SPEC_DICE, "", "en", ["A guest: ", "pair", "Better than "], ["Better than"]),
    "a goal met": End(
        "lite-solo", {"target": 27, "columns": True}, "", "1" * 9, LONG[0], "de",
        ["Ziel erreicht", f"{LONG[0]}: 54 (9 + 9 + 9 + 9 + 9 + 9)", ", ".join(["Drilling"] * 6)],
        ["54", "Ziel erreicht"],
    ),
    "a goal missed": End(
        "shut-the-box", {"rounds": 2, "goal": 1}, "", "", "", "en",
        ["Target missed", " left, ", "Who can make it on these dice?"], ["Target missed", "left"],
    ),
    "a long row": End("farkle", {}, "", "", "", "de", [" × wenige Punkte"], ["× wenige Punkte"]),
    "turns": End(
        "farkle", {"preset": "arcade"}, "", "111246" * 10, "Hedy", "en",
        ["Hedy: 10,000 points in 10 turns", ", ".join(["1,000"] * 10)], ["10,000", "Hedy"],
    ),
    "won": End(
        "lite-versus", {}, "you,perfect", "61" * 9, "", "en",
        ["Won 162 : 27", "A guest: 162 (54 + 54 + 54)", "Ida: 27 (9 + 9 + 9)", "triple, triple, triple"],
        ["162 : 27", "A guest wins", "Ida"],
    ),
    "won by name": End(
        "lite-versus", {"columns": True}, "you,standard", "61" * 9, LONG[1], "de",
        [f"{LONG[1]} gewinnt"], [LONG[1], "324 : 54"],
    ),
    "lost": End(
        "lite-versus", {}, "you,perfect", "16" * 9, "", "de",
        ["Ida gewinnt", "Ein Gast: 27 ", "Wer gewinnt mit diesen Würfeln?"], ["27 : 162"],
    ),
    "drawn": End(
        "lite-versus", {}, "you,perfect", "1" * 18, "", "en", ["A draw", "Who can win on these dice?"],
        ["27 : 27", "A draw"],
    ),
    "the second seat": End(
        "lite-versus", {}, "random,you", "".join(f"1{die}" for die in "456564645"), "", "en",
        ["Won 45 : 27", "The cup: 27 (9 + 9 + 9)", "no pair, no pair, no pair", "Beat me on these dice."], ["27 : 45"],
    ),
    "columns": End(
        "knucklebones", {}, "you,spec", "", LONG[2], "de", ["Spalten: ", f"{LONG[2]}: "], [LONG[2], "Hugo"]
    ),
    "three": End("shut-the-box", DIGITAL, "you,highest,random", "", "", "de", ["Ein Gast: "], ["Ein Gast"]),
    "long game": End(
        "shut-the-box", {"preset": "long"}, "you,highest", "5" * 40, "", "en", ["tiles left to turn"], ["A guest"]
    ),
    "six": End("farkle", {"target": 1000}, SIX, "", "", "de", ["Spieler 1: "], ["Spieler 2", "Penny"]),
}  # fmt: skip
RENAME = """(nickname) => fetch('/api/me', {
    method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ nickname })
}).then(({ ok }) => ok)"""
SCORES = """() => fetch('/api/runs').then((answer) => answer.json())
    .then(({ runs }) => runs[0].scores.map((n) => n.toLocaleString('en')))"""
PICTURE = 1200, 630
# Every line that is drawn on a canvas, with the box that it takes: left, top, right, bottom.
LISTEN = """() => {
  window.drawn = []
  window.pips = 0
  CanvasRenderingContext2D.prototype.arc = new Proxy(CanvasRenderingContext2D.prototype.arc, {
    apply: (arc, pen, values) => (pips++, Reflect.apply(arc, pen, values)),
  })
  const draw = CanvasRenderingContext2D.prototype.fillText
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const { width, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = this.measureText(text)
    drawn.push({ text, box: [x, y - up, x + width, y + down] })
    draw.call(this, text, x, y)
  }
}"""
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


def shared(page: Page) -> list[str]:
    """Open the sheet; the lines of the text on it."""
    page.evaluate(JUST_CAME_UP)
    page.locator("[data-share]").tap()
    expect(page.locator("dialog pre")).to_have_attribute("aria-busy", "false")
    return page.locator("dialog pre").inner_text().split("\n")


def drawn(page: Page, language: str = "en") -> list[Any]:
    """Have the picture made; what is written on it, every line in a place of its own."""
    with page.expect_download() as downloaded:
        page.get_by_role("button", name=WORDS[language]["picture"]).tap()
    assert downloaded.value.suggested_filename == "dicehall.png"
    file = downloaded.value.path().read_bytes()
    assert file[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(file[16:20]), int.from_bytes(file[20:24])) == PICTURE
    expect(page.locator("dialog")).to_contain_text(WORDS[language]["saved"])
    found: list[Any] = page.evaluate("drawn")
    for one in found:
        left, top, right, bottom = one["box"]
        assert 50 <= left < right <= PICTURE[0] - 50, one
        assert 50 <= top < bottom <= PICTURE[1] - 46, one
    for one, other in combinations(found, 2):
        (a, b, c, d), (e, f, g, h) = one["box"], other["box"]
        assert c <= e or g <= a or d <= f or h <= b, (one, other)
    return found


@pytest.mark.parametrize("end", ENDS)
def test_every_end_has_a_text_and_a_picture_for_those_who_were_not_there(phone: Visitor, end: str) -> None:
    """Both speak to nobody, and say the day, the result, and how good that was."""
    game, options, seats, dice, nickname, language, said, written = ENDS[end]
    phone.settings["language"] = language
    page = phone.sit(game, dice, options, seats, kind="practice", **({} if dice else {"seed": "a run"}))
    page.evaluate(LISTEN)
    assert not nickname or page.evaluate(RENAME, nickname)
    phone.finish()
    how = page.locator("[data-end]").get_attribute("data-end")
    text = [line.replace("\xa0", " ") for line in shared(page)]
    assert not [line for line in text[:-1] if TO_YOU.search(line)], text
    assert re.fullmatch(f"Dicehall · .+ · {DATE[language]}", text[0]), text
    assert "/#/run/" in text[-1]
    assert all(any(part in line for line in text) for part in said), text
    words = " ".join(one["text"] for one in drawn(page, language)).replace("\xa0", " ")
    assert all(part in words for part in [*written, "Dicehall", text[-1].partition("//")[2].split("/")[0]]), words
    assert re.search(DATE[language], words)
    if seats.count("you") < 2:
        lost = "win" if "," in seats else "goal"
        challenge = WORDS[language][lost if how in ("lost", "drawn") else "beat"]
        assert challenge in words
        assert text[-2] == challenge


@pytest.mark.parametrize("game", GAMES)
def test_no_share_of_a_running_daily_tells_a_die(phone: Visitor, game: str) -> None:
    """The only numbers are the day's, the scores, which the board tells too, and shares; the dice lie face down."""
    phone.sit(game, kind="daily").evaluate(LISTEN)
    page = phone.finish()
    scores = page.evaluate(SCORES)
    text = shared(page)
    picture = [one["text"] for one in drawn(page)]
    free = "|".join(
        [*DATE.values(), *map(re.escape, sorted(scores, key=len, reverse=True)), r"[\d.]+%", "45 or less", "×[23]"]
    )
    link = text[-1].partition("//")[2]
    for told in (*text[:-1], " ".join(one for one in picture if len(one) < 9 or one not in link)):
        assert not re.search(r"\d", re.sub(free, "", told)), (told, scores)
    assert page.evaluate("pips") == 4, "those of the sign"


def test_a_shared_run_is_to_be_beaten_with_the_same_dice(browser: Browser, hall: Hall) -> None:
    """Whoever follows the link sees by whom and how much, at the table too, and in the end what has become of it."""
    with Visitor(browser, hall, has_touch=True) as player, Visitor(browser, hall, has_touch=True) as friend:
        name(player, "Ada to beat")
        player.sit("lite-solo", SPEC_DICE)
        fill(player, ALONE)
        link = (player.page.get_by_role("link", name="Replay").get_attribute("href") or "").removeprefix("#/")
        page = friend.go(link)
        expect(page.locator("[data-credit]")).to_contain_text("59 points")
        level, beaten = (
            "Ada to beat and you are level: 59 points.",
            "You have done better than Ada to beat: it was 59 points.",
        )
        for moves, said in ((ALONE, level), (BETTER, beaten)):
            friend.go(link)
            page.locator("[data-credit] a").tap()
            friend.rest()
            expect(page.locator("[data-played]")).to_contain_text("Practice · 59 points to beat, by Ada to beat")
            page.reload()
            expect(page.locator("[data-played]")).to_contain_text("to beat")
            friend.play_ahead(moves)
            expect(page.locator("[data-end]")).to_contain_text(said)
        best = page.evaluate("fetch('/api/lobby').then((answer) => answer.json())")["bests"]
        assert best == [], "known dice are not ranked"


@pytest.mark.parametrize(
    ("language", "options", "told"),
    [
        ("en", {"target": 59}, ["Practice · Target: 59", "Target reached", "A guest: 59 "]),
        ("de", {"target": 59}, ["Übung · Ziel: 59", "Ziel erreicht", "Ein Gast: 59 "]),
        ("en", {"preset": "gold"}, ["Practice · Gold · Target: ", "Target missed", "A guest: 59 "]),
        ("en", {}, ["Practice", "59 points", "A guest: 59 "]),
    ],
)
def test_a_shared_text_says_what_was_played_and_for_what(
    phone: Visitor, language: str, options: dict[str, Any], told: list[str]
) -> None:
    phone.settings["language"] = language
    page = phone.sit("lite-solo", SPEC_DICE, options)
    fill(phone, ALONE)
    lines = shared(page)[1:]
    assert [line.startswith(start) for line, start in zip(lines, told, strict=False)] == [True] * len(told), lines


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ["Practice", "With the coach’s help", "With moves taken back"]),
        ("de", ["Übung", "Mit Hilfe des Trainers", "Mit zurückgenommenen Zügen"]),
    ],
)
def test_a_share_says_what_helped(phone: Visitor, language: str, told: list[str]) -> None:
    """A score that the coach has had a hand in, or a second thought, is not told as if it had not."""
    phone.settings["language"] = language
    page = phone.sit("lite-solo", SPEC_DICE)
    page.evaluate(LISTEN)
    page.evaluate(ASK)
    phone.play_ahead(ALONE[:1])
    phone.press("u")
    fill(phone, ALONE)
    assert shared(page)[1] == " · ".join(told)
    words = " ".join(one["text"] for one in drawn(page, language))
    assert all(part in words for part in told), words


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_shared_daily_has_its_day(phone: Visitor, language: str) -> None:
    """And tells no die either where the hall does not say what may be told."""
    phone.settings["language"] = language
    phone.forgiven = ("ERR_FAILED",)
    phone.page.route("**/api/runs/*/share*", lambda route: route.abort())
    page = phone.sit("lite-solo", kind="daily")
    phone.play_ahead(ALONE)
    daily = {"en": "Daily of", "de": "Tagesspiel vom"}[language]
    lines = shared(page)
    assert re.fullmatch(f"Dicehall · Knucklebones-lite · {daily} {DATE[language]}", lines[0])
    assert not [line for line in lines if "+" in line], "what its rows score"


def selected(page: Page) -> str:
    found: str = page.evaluate(
        "() => { const { value, selectionStart, selectionEnd } = document.activeElement;"
        " return value?.slice(selectionStart, selectionEnd) ?? '' }"
    )
    return found


def test_the_text_can_be_copied(phone: Visitor) -> None:
    phone.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=phone.hall.address)
    page = phone.sit("lite-solo", SPEC_DICE)
    phone.finish()
    lines = shared(page)
    page.get_by_role("button", name="Copy as text").tap()
    expect(page.locator("dialog")).to_contain_text("Copied.")
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.split("\n") == lines
    assert re.fullmatch(r"A guest: \d+ \(\d+ \+ \d+ \+ \d+\)", lines[3])
    assert all(ord(letter) < 0x2100 for letter in text), "no little pictures that a screen reader would spell out"


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_clipboard_it_is_copied_by_hand(phone: Visitor, language: str) -> None:
    phone.settings["language"] = language
    phone.before(NO_CLIPBOARD)
    page = phone.sit("lite-solo", SPEC_DICE)
    fill(phone, ALONE)
    text = "\n".join(shared(page))
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


@pytest.mark.parametrize(("nickname", "language"), met(["", "Emmy"], ["de", "en"]))
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
        expect(balance).to_contain_text({"en": f"Moves of {who}", "de": f"Spiel von {who}"}[language])
        assert not TO_YOU.search(page.locator("dialog").inner_text())
        assert violations(page) == []
        page.locator("dialog header button").tap()
        credit = {
            "en": f"{who} played this", "de": f"Gespielt von {who}" if nickname else "Gespielt von einem Gast",
        }[language]  # fmt: skip
        expect(page.locator("[data-credit] p")).to_have_text(credit)
        own = player.go(link.removeprefix("#/"))
        expect(own.locator("[data-balance]")).to_contain_text("Your moves")
