"""The house's players have faces and something to say: now and then, in a place of its own, where it is wanted."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visit import Visitor

TEXTS = Path(__file__).parents[2] / "src" / "dicehall" / "texts"
SAYS = ".seats .says"
# Of a run of Knucklebones in which dice meet and break all the time.
DICE = "5554443332221116665554443332221116661234"
COLUMN = "one => String(1 + Number(one.closest('[data-place]').dataset.place))"
WATCH = """() => { window.said = []; new MutationObserver(() => {
    const one = document.querySelector('.says')
    const text = one ? `${one.dataset.says}: ${one.innerText}` : ''
    if (text && text !== said.at(-1)) said.push(text)
}).observe(document.body, { subtree: true, childList: true, characterData: true }) }"""


def remarks(player: str, occasion: str, language: str = "en") -> list[str]:
    said: dict[str, list[str]] = json.loads((TEXTS / language / "remarks" / f"{player}.json").read_text("utf-8"))
    return said[occasion]


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_opponent_greets_in_the_players_language(phone: Visitor, language: str) -> None:
    phone.settings["language"] = language
    page = phone.sit("knucklebones", "1234", seats="you,level:3")
    expect(page.locator(SAYS)).to_have_attribute("data-says", "start")
    assert page.locator(f"{SAYS} q").inner_text().strip("“”„") in remarks("level-3", "start", language)
    expect(page.locator("[data-face='level:3']")).to_be_visible()


def test_it_speaks_of_what_happened_rests_and_never_says_the_same_again(phone: Visitor) -> None:
    page = phone.sit("knucklebones", DICE, {}, "you,greedy")
    page.evaluate(WATCH)
    phone.finish()
    expect(page.locator(SAYS)).to_have_attribute("data-says", re.compile("won|lost|drawn"))
    said = page.evaluate("said")
    occasions = [one.split(": ")[0] for one in said]
    assert set(occasions) & {"broke", "broken", "pair", "pair-yours", "triple", "triple-yours"}
    assert len(set(said)) == len(said)
    assert 2 < len(said) < 12, "not about everything"
    phone.go((page.locator("a[href*='/run/']").last.get_attribute("href") or "").removeprefix("#/"))
    expect(page.locator("main:has(input[type=range]) .seats [data-face=greedy]")).to_be_visible()
    expect(page.locator("[data-voice]")).to_have_count(0)  # what is looked at again is not talked about


def test_what_was_taken_back_is_not_talked_about(phone: Visitor) -> None:
    phone.slow(least=4000)  # no remark goes by itself
    page = phone.sit("knucklebones", DICE, {}, "you,greedy")
    expect(page.locator(SAYS)).to_be_visible()
    about = page.locator(f"{SAYS}:not([data-says=start])")
    phone.play_ahead([page.locator("[data-place] [data-slot]").first.evaluate(COLUMN)])
    expect(about).to_have_count(1)  # the reply breaks the first die
    page.get_by_role("button", name="Undo").tap()
    expect(about).to_have_count(0)


def test_the_loser_has_a_last_word_that_stays(phone: Visitor) -> None:
    phone.context.clock.install()
    page = phone.sit("lite-versus", "61" * 9, seats="you,perfect")
    phone.finish()
    expect(page.locator(SAYS)).to_have_attribute("data-says", "lost")
    assert page.locator(f"{SAYS} q").inner_text().strip("“”") in remarks("perfect", "lost")
    page.clock.fast_forward(30_000)  # any other remark is gone by then
    expect(page.locator(SAYS)).to_be_visible()


def test_one_tap_silences_it_for_good(phone: Visitor) -> None:
    page = phone.sit("knucklebones", DICE, seats="you,level:1")
    expect(page.locator(SAYS)).to_be_visible()
    page.locator("[data-voice]").tap()
    expect(page.locator(SAYS)).to_have_count(0)
    expect(page.locator("[data-voice]")).to_have_attribute("aria-pressed", "false")
    page.evaluate(WATCH)
    phone.finish()
    assert page.evaluate("said") == []
    page.goto(f"{phone.hall.address}/#/settings")
    switch = page.get_by_role("switch", name="Opponents talk")
    expect(switch).not_to_be_checked()
    switch.tap()
    phone.sit("knucklebones", "1234", seats="you,level:1")
    expect(page.locator(SAYS)).to_be_visible()


def test_what_is_said_is_not_read_out_and_moves_nothing(phone: Visitor) -> None:
    page = phone.sit("knucklebones", "1234", seats="you,level:2")
    expect(page.locator(SAYS)).to_be_visible()
    expect(page.locator(SAYS)).to_have_attribute("aria-hidden", "true")
    before = places(page)
    page.locator("[data-voice]").tap()
    expect(page.locator(SAYS)).to_have_count(0)
    assert places(page) == before


def places(page: Page) -> list[list[float]]:
    found: list[list[float]] = page.evaluate(
        "() => [...document.querySelectorAll('.seats, .seats b, .seats .name, .board, .tray')].map((one) => {"
        " const { x, y, right, width, height } = one.getBoundingClientRect();"
        " return one.matches('b') ? [right, y, height] : [x, y, width, height] })"  # a score stands at the right
    )
    return found


# Those of some lines that would reach the scores, or leave the seats at the top. On a small phone a remark is beside
# both scores, else above one's own.
MISPLACED = """([lines, small]) => {
    const left = (part) => {
        const range = document.createRange()
        range.selectNodeContents(document.querySelector(`.seats ${part}`))
        return range.getBoundingClientRect().x
    }
    const bubble = document.querySelector('.seats .says')
    bubble.style.animation = 'none'
    const room = Math.min(left('.house b'), small ? left('li:not(.house) .name') : Infinity)
    const top = document.querySelector('.seats').getBoundingClientRect().y - 8
    return lines.filter((line) => {
        bubble.firstChild.textContent = line
        const box = bubble.getBoundingClientRect()
        return box.right > room || box.top < top
    })
}"""


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_remark_fits_beside_the_scores(phone: Visitor, language: str) -> None:
    phone.settings["language"] = language
    phone.slow(least=4000)
    page = phone.sit("farkle", "234466123456", {}, "you,level:4")
    expect(page.locator(SAYS)).to_be_visible()
    files = [json.loads(path.read_text("utf-8")) for path in (TEXTS / language / "remarks").iterdir()]
    lines = [line for said in files for some in said.values() for line in some]
    for score in page.locator(".seats b").all():
        score.evaluate("one => (one.lastChild.textContent = '10,000')")
    for width, height in ((320, 568), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(MISPLACED, [lines, height < 700]) == [], width


def test_nothing_of_it_comes_where_nobody_of_the_house_plays(phone: Visitor) -> None:
    loaded: list[str] = []
    phone.page.on("request", lambda request: loaded.append(request.url))
    phone.sit("knucklebones", "1234", seats="you,you")
    phone.equip()
    assert not [one for one in loaded if "voice" in one or "level-" in one or "faces" in one]
    phone.sit("knucklebones", "1234", seats="you,level:3")
    expect(phone.page.locator(SAYS)).to_be_visible()
    assert [one for one in loaded if "voice" in one]
    assert [one for one in loaded if "level-3" in one]
    assert not [one for one in loaded if "level-2" in one]


@pytest.mark.parametrize("opponent", ["spec", "level:4"])
@pytest.mark.parametrize("game", ["knucklebones", "lite-versus"])
@pytest.mark.parametrize("size", [(320, 568), (360, 740), (390, 844)])
def test_both_scores_have_a_name_while_the_opponent_speaks(
    phone: Visitor, game: str, opponent: str, size: tuple[int, int]
) -> None:
    phone.page.set_viewport_size({"width": size[0], "height": size[1]})
    player = "standard" if (game, opponent) == ("lite-versus", "spec") else opponent
    page = phone.sit(game, DICE, seats=f"you,{player}")
    expect(page.locator(SAYS)).to_be_visible()
    names = page.locator(".seats .of, .seats li:not(.house) .name")
    expect(names).to_have_count(2)
    for name in names.all():
        expect(name).to_be_visible()
        assert name.evaluate("one => one.scrollWidth <= one.clientWidth")
    said, named = page.locator(SAYS).bounding_box(), page.locator(".seats .of").bounding_box()
    assert said
    assert named
    assert said["x"] + said["width"] <= named["x"]
