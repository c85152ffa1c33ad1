"""How a run ended is said in a sentence that is true of it, at the table, among my runs and on the boards."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.tables import STILL
from tests.browser.test_lite import CELLS, SPEC_DICE, fill
from tests.browser.test_whole_runs import tap_box
from tests.browser.visit import Visitor

ALONE = ["a1", "a2", "b1", "b2", "c2", "c3", "a3", "b3", "c1"]  # 59 points


@pytest.mark.parametrize(("language", "score", "missed", "met"), [
    ("en", "59 points", "Target missed", "You made it!"), ("de", "59 Punkte", "Ziel verfehlt", "Geschafft!"),
])  # fmt: skip
def test_alone(phone: Visitor, language: str, score: str, missed: str, met: str) -> None:
    """For the score it is the score, good or bad; a goal is met or missed."""
    phone.settings["language"] = language
    for target, said in ((0, score), (60, missed), (59, met)):
        page = phone.sit("lite-solo", SPEC_DICE, {"target": target})
        fill(phone, ALONE)
        expect(page.locator("[data-end] h2")).to_have_text(said)
    page = phone.go("runs")
    for kept in {"en": ("target met", "target missed"), "de": ("Ziel erreicht", "Ziel verfehlt")}[language]:
        expect(page.locator("main li").filter(has_text=f"{kept} · ")).to_have_count(1)


@pytest.mark.parametrize(("dice", "said", "kept"), [
    ("1" * 18, "A draw", "drawn 27 : 27"),
    ("16" * 9, "Ida wins", "lost 27 : 162"),
    ("61" * 9, "You won!", "won 162 : 27"),
])  # fmt: skip
def test_against_a_bot_it_is_kept_how_it_ended_and_with_how_much(
    desk: Visitor, dice: str, said: str, kept: str
) -> None:
    page = desk.sit("lite-versus", dice, seats="you,perfect")
    for n in range(1, 10):
        desk.press(str(n), str(n))
    expect(page.locator("[data-end] h2")).to_have_text(said)
    page = desk.go("runs")
    word, scores = kept.split(" ", 1)
    expect(page.locator("main li").first).to_contain_text(word)
    expect(page.locator("main li").first).to_contain_text(scores)
    expect(page.locator("main li").first).to_contain_text("Standard · Ida ·")  # against whom, and not oneself


def test_known_dice_make_no_personal_best(phone: Visitor) -> None:
    """Neither practice nor a hint does; and what was best is told with the way it was played."""
    page = phone.sit("lite-solo", kind="ranked")
    fill(phone, CELLS)
    score = phone.text(".status .big")
    expect(page.locator("[data-end]")).to_contain_text("Your first score · Standard")
    page = phone.sit("lite-solo", "6" * 9)
    fill(phone, CELLS)
    expect(page.locator("[data-end]")).not_to_contain_text("best score")
    page = phone.go()
    expect(page.locator("[data-game=lite-solo]")).to_contain_text(f"Best {score} points")


def test_nearly_all_is_not_all(phone: Visitor) -> None:
    """An accuracy of 100% means that nothing was given away; and nobody is better than all perfect runs."""

    def nearly(route: Route) -> None:
        route.fulfill(json=route.fetch().json() | {"accuracy": 0.9996})

    phone.page.route("**/report*", nearly)
    page = phone.sit("lite-solo", "6" * 9)
    fill(phone, CELLS)
    expect(page.locator("[data-skill]")).to_contain_text("Accuracy 99.9%")
    page.get_by_role("link", name="Analysis").tap()
    expect(page.locator("[data-balance] .accuracy")).to_have_text("99.9% Accuracy")
    expect(page.locator("[data-balance]")).to_contain_text("Better than 99.9% of perfect runs")


def test_the_best_score_against_others_may_be_the_lowest(phone: Visitor) -> None:
    page = phone.sit("shut-the-box", "", {"rounds": 1}, "you,highest", kind="ranked")
    while not page.locator("[data-over=true]").count():
        tap_box(phone)
    expect(page.locator("[data-end]")).to_contain_text("Your first score · Rounds: 1")


def test_two_people_at_one_device_have_both_scores_among_the_runs(desk: Visitor) -> None:
    page = desk.sit("lite-versus", "61" * 9, seats="you,you")
    for n in range(1, 10):
        desk.press(str(n), str(n))
    expect(page.locator("[data-end] h2")).to_have_text("Player 1 wins")
    page = desk.go("runs")
    expect(page.locator("main li").first).to_contain_text("162 : 27")


# Dice, cells, tiles, scores and sentences of the final position that the tray lies over, or that are cut off.
UNDER_THE_TRAY = """() => {
    const tray = document.querySelector('section.tray').getBoundingClientRect()
    const board = 'section.board :is([data-cell], [data-tile], .arena svg.die, .score b)'
    return [...document.querySelectorAll(`${board}, section.status li, section.notes p`)].flatMap((one) => {
        const box = one.getBoundingClientRect()
        const under = box.bottom > tray.top + 0.5 && box.top < tray.bottom
        return under || box.top < 0 || (one.matches('li, p') && one.scrollWidth > one.clientWidth + 1)
            ? [`${one.outerHTML.slice(0, 60)} ${one.innerText} ${[box.top, box.bottom, tray.top].map(Math.round)}`]
            : []
    })
}"""
OUT_OF_REACH = """() => [...document.querySelectorAll('[data-end] :is(button, a)')].flatMap((one) => {
    const { top, left, bottom, right } = one.getBoundingClientRect()
    return top < 0 || left < 0 || bottom > innerHeight || right > innerWidth ? [one.outerHTML] : []
})"""
CUT = """() => [...document.querySelectorAll('.seats:not(.duel) :is(.name, .cut), [data-end] dl')].flatMap((one) =>
    one.scrollWidth > one.clientWidth + 1 ? [one.innerText] : [])"""
PEOPLE = json.dumps({n: f"Wilhelmina-Wolfgang-Woo{n}" for n in range(1, 7)})  # as long as names may be
BOTH = [key for n in "123456789" for key in (n, n)]


# How large a place of a board is at the end on a phone, at least, in pixels.
LARGEST = "() => Math.max(0, ...[...document.querySelectorAll('.spot, .lying')].map((one) => one.offsetWidth))"
LARGE = {"lite-solo": 60, "lite-versus": 45, "knucklebones": 41}


@pytest.mark.parametrize(
    ("game", "dice", "options", "seats", "keys"),
    [
        ("lite-solo", SPEC_DICE, {"target": 90, "columns": True, "wild": "natural"}, "", list("123456789")),
        ("lite-versus", "61" * 9, {}, "you,standard", list("123456789")),
        ("lite-versus", "61" * 9, {"columns": True, "wild": "natural"}, "you,you", BOTH),
        ("lite-versus", "614233" + "1" * 12, {"tiebreak": "sum-middle-row"}, "you,you", BOTH),
        ("knucklebones", "65" * 9, {}, "you,spec", list("111222333")),
        ("shut-the-box", "5" * 40, {"preset": "long"}, "you,highest", ["5", "Enter"] * 2),
        ("shut-the-box", "6" * 40, {"preset": "tournament"}, "you,highest", ["9", "3", "Enter", "8", "4", "Enter"]),
        # two of three share the win: a long headline, and beside it what the coach says
        ("shut-the-box", "1112111112111111", {"rounds": 1}, "you,highest,random", []),
        ("farkle", "111246", {"target": 1000}, "you,you", ["a", "b"]),
        ("farkle", "111246" * 12, {"target": 1000, "last_turn": True}, ",".join(["you"] * 6), ["a", "b"] * 6),
    ],
)
def test_nothing_of_the_final_board_is_under_the_tray(
    phone: Visitor, game: str, dice: str, options: dict[str, object], seats: str, keys: list[str]
) -> None:
    """And no sentence beside it, and no name is cut; in German, whose words are longer."""
    phone.settings |= {"language": "de", "motion": "reduced"}
    phone.before(f"localStorage['dicehall.people'] = {json.dumps(PEOPLE)}")
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    page = phone.sit(game, dice, options, seats)
    for key in keys:
        phone.press(key)
    while game == "shut-the-box" and not page.locator("[data-over=true]").count():
        tap_box(phone)
    expect(page.locator("[data-end]")).to_be_visible()
    phone.idle()  # what is said of the run has come
    if seats.endswith("random"):
        expect(page.locator("[data-end] h2")).to_have_text("Geteilter Sieg: du und Axel")
    assert len([url for url in asked if re.search(r"/api/runs/[^/?]+$", url)]) == 1, "the run is asked for once"
    for width, height in ((390, 844), (390, 664), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(STILL)
        assert page.evaluate(UNDER_THE_TRAY) == [], (width, height)
        assert page.evaluate(OUT_OF_REACH) == [], (width, height)
        if height == 844 and not options.get("columns"):
            assert page.evaluate(LARGEST) >= LARGE.get(game, 0)
        assert len(seats.split(",")) > 3 or page.evaluate(CUT) == [], (width, height)  # of many the report has them


# A text whose last line has a single word.
ONE_WORD = """(where) => [...document.querySelectorAll(where)].flatMap((one) => {
    const node = document.createTreeWalker(one, NodeFilter.SHOW_TEXT).nextNode()
    const tops = [...node.data.matchAll(/[^ ]+/g)].map(({ index }) => {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + 1)
        return Math.round(range.getBoundingClientRect().top)
    })
    return tops.at(-1) !== tops[0] && tops.at(-1) !== tops.at(-2) ? [one.innerText] : []
})"""
# How many figures stand in each line.
LINES = """() => Object.values(
    Object.groupBy(document.querySelectorAll('[data-end] dl > div'), (one) => one.offsetTop)
).map((line) => line.length)"""


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_figure_and_no_word_of_the_end_has_a_line_alone(phone: Visitor, language: str) -> None:
    phone.settings |= {"language": language, "motion": "reduced"}
    for game, seats in (("lite-solo", ""), ("lite-versus", "you,standard")):
        expect(phone.go("runs").locator(".table")).to_have_count(0)  # the last one is left
        page = phone.sit(game, SPEC_DICE + "414", seats=seats)
        phone.finish()
        expect(page.locator("[data-end] dd").last).to_be_visible()
        for width, height in ((390, 844), (320, 568), (768, 1024), (1440, 900)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(STILL)
            lines = [[4], [3, 2], [3, 3]] if width == 320 else [[4], [5], [3, 3]]
            assert page.evaluate(LINES) in lines, (game, width)
            assert page.evaluate(CUT) == [], (game, width)
            assert page.evaluate(ONE_WORD, "[data-end] .better") == [], (game, width)


def test_a_chance_is_called_one(phone: Visitor) -> None:
    for target, said in ((0, "Expected 65.51"), (65, "Chance at start 50.39%")):
        expect(phone.go("runs").locator(".table")).to_have_count(0)
        page = phone.sit("lite-solo", SPEC_DICE, {"target": target})
        phone.finish()
        expect(page.locator("[data-skill]")).to_contain_text(said)


@pytest.mark.parametrize("language", ["en", "de"])
def test_figures_with_words_stand_two_by_two(phone: Visitor, language: str) -> None:
    phone.settings |= {"language": language, "motion": "reduced"}
    page = phone.sit("farkle", "", {"target": 2000}, kind="practice", seed="two by two")
    phone.finish()
    expect(page.locator("[data-end] dd").last).to_be_visible()
    for width, height in ((390, 844), (320, 568), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(LINES) == [2, 2], width
        assert page.evaluate(CUT) == [], width


def test_what_short_points_are_is_told_beside_figures_alone(phone: Visitor) -> None:
    note = phone.page.locator("[data-end] .briefly")
    phone.sit("farkle", "111246", {"target": 1000}, "you,you")
    for key in "ab":
        phone.press(key)
    expect(phone.page.locator("[data-end] h2")).to_have_text("Player 1 wins")
    phone.idle()
    expect(note).to_be_hidden()
    expect(phone.go("runs").locator(".table")).to_have_count(0)
    phone.sit("lite-solo", SPEC_DICE, {"target": 65})
    phone.finish()
    expect(note).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (768, 1024)])
def test_a_long_game_ends_in_sight(phone: Visitor, width: int, height: int) -> None:
    phone.settings |= {"language": "de", "motion": "reduced"}
    phone.page.set_viewport_size({"width": width, "height": height})
    page = phone.sit("shut-the-box", "", {"preset": "long"}, kind="practice", seed="long 8")
    phone.finish()
    expect(page.locator(".turns li")).to_have_count(7)
    phone.idle()
    expect(page.locator("section.notes p")).to_have_text("Der Kasten ist zu!")
    assert page.evaluate(UNDER_THE_TRAY) == []
