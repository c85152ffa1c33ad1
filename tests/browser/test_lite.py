"""Knucklebones-lite on the page, alone and with two boards. Tests are named after the ids of docs/spec-coverage.md."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.visit import JUST_CAME_UP, Visitor

SPEC_DICE = "535622444"  # the specs' own script
CELLS = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


def cell(name: str) -> str:
    return f"[data-cell={name}]"


def place(visitor: Visitor, name: str, mine: str = "") -> None:
    """Look at it, then place: two taps. `mine` tells one's own cell from another board's."""
    visitor.tap(mine + cell(name))
    visitor.tap(mine + cell(name))


def fill(visitor: Visitor, names: list[str]) -> None:
    for name in names:
        place(visitor, name)


def test_solo_08_empty_cells_can_be_tapped_and_filled_ones_are_locked(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    expect(page.locator(".cell.open")).to_have_count(9)
    place(phone, "b2")
    expect(page.locator(".cell.open")).to_have_count(8)
    full = page.locator(cell("b2"))
    expect(full).to_have_attribute("aria-disabled", "true")
    expect(full).to_have_attribute("aria-label", "Row 2, column 2: five")
    phone.tap(cell("b2"))
    expect(page.locator(".refusal")).to_have_text("That cell is taken.")
    expect(page.locator("[aria-live=assertive]")).to_have_text("That cell is taken.")
    expect(page.locator(".cell.full")).to_have_count(1)
    phone.tap(cell("a1"))
    expect(page.locator(".refusal")).to_have_count(0)


def test_solo_09_the_die_rolls_for_a_moment_and_snaps_in(phone: Visitor) -> None:
    phone.settings["speed"] = "normal"
    page = phone.sit("lite-solo", SPEC_DICE)
    page.locator(cell("a1")).tap()
    page.locator(cell("a1")).tap()
    expect(page.locator(".dice.air")).to_be_attached()  # in the air
    expect(page.locator(f"{cell('a1')} .snap")).to_have_css("animation-name", "snap")
    phone.rest()
    expect(page.locator(".dice .die svg")).to_have_attribute("data-value", "3")


def test_solo_10_a_cell_previews_base_multiplier_and_row_score(phone: Visitor, desk: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    fill(phone, ["a1", "a2"])  # 5 and 3; the third die is a 5
    phone.tap(cell("b1"))
    expect(page.locator("[data-row='1']")).to_have_text("20 10 × 2")
    expect(page.locator("[data-note=preview]")).to_contain_text("Pair: row 1 scores 20")
    expect(page.locator(f"{cell('b1')} svg.ghost")).to_be_visible()
    phone.tap(cell("b2"))
    expect(page.locator("[data-row='1']")).to_have_text("5 5 × 1")
    expect(page.locator("[data-row='2']")).to_have_text("8 8 × 1")
    page = desk.sit("lite-solo", SPEC_DICE)
    desk.press("1", "4")
    page.locator(cell("b1")).hover()
    expect(page.locator("[data-row='1']")).to_have_text("20 10 × 2")
    page.mouse.move(5, 5)
    expect(page.locator("[data-row='1']")).to_have_text("5 5 × 1")
    page.locator(cell("a1")).focus()
    page.keyboard.press("ArrowRight")  # the focus previews too
    expect(page.locator(cell("b1"))).to_be_focused()
    expect(page.locator("[data-row='1']")).to_have_text("20 10 × 2")


def test_solo_11_totals_of_rows_and_of_all(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    fill(phone, ["a1", "a2", "b1"])
    expect(page.locator("[data-row='1']")).to_have_text("20 10 × 2")
    expect(page.locator("[data-row='2']")).to_have_text("3 3 × 1")
    expect(page.locator(".status .big")).to_have_text("23")
    assert "6 dice left" in phone.text(".status")


def test_a_set_has_a_bracket_a_stamp_and_a_word(phone: Visitor) -> None:
    """As it would be, and as it is: a pair outlined, a triple filled; the line above the deck tells what was made."""
    page = phone.sit("lite-solo", "5535666")
    stamps = page.locator(".rail .stamp")
    place(phone, "a1")
    phone.tap(cell("c1"))
    expect(page.locator(".set.would .stamp")).to_have_text("×2")
    phone.tap("[data-action=clear]")
    expect(stamps).to_have_count(0)
    expect(page.locator(".thought, [data-note=preview]")).to_have_count(0)
    place(phone, "c1")
    expect(stamps).to_have_text("×2")
    expect(page.locator("[data-note=set]")).to_have_text("Pair: row 1 scores 20")
    first, last = (page.locator(f"{cell(name)} svg").bounding_box() for name in ("a1", "c1"))
    bracket = page.locator(".set").bounding_box()
    assert first
    assert last
    assert bracket
    for die, end in ((first, bracket["x"]), (last, bracket["x"] + bracket["width"])):
        assert abs(die["x"] + die["width"] / 2 - end) < 3, "from the middle of one die to that of the other"
    place(phone, "a2")
    place(phone, "b1")
    expect(stamps).to_have_text("×3")
    expect(page.locator(".stamp.triple")).to_have_count(1)
    expect(page.locator(".stamp.triple")).to_have_css("animation-name", re.compile("stamp$"))  # it comes down
    expect(page.locator(f"{cell('c1')} .hops")).to_have_css("animation-name", re.compile("hop$"))


@pytest.mark.parametrize(("target", "words"), [(59, "Target 59 reached exactly"), (60, "Target 60 missed by 1 point")])
def test_solo_12_the_end_screen(phone: Visitor, target: int, words: str) -> None:
    page = phone.sit("lite-solo", SPEC_DICE, {"target": target})
    fill(phone, ["a1", "a2", "b1", "b2", "c2", "c3", "a3", "b3", "c1"])
    expect(page.locator("[data-over=true]")).to_be_attached()
    expect(page.locator(".status .big")).to_have_text("59")
    assert [phone.text(f"[data-row='{n}']") for n in (1, 2, 3)] == ["28 14 × 2", "11 11 × 1", "20 10 × 2"]
    assert phone.text("[data-target]") == words
    expect(page.locator("[data-end]")).to_have_attribute("data-end", "won" if target == 59 else "lost")
    dice = page.locator(".cell svg").evaluate_all("all => all.map(one => one.dataset.value)")
    page.evaluate(JUST_CAME_UP)
    page.get_by_role("button", name="Same dice").tap()
    expect(page.locator(".cell.open")).to_have_count(9)
    fill(phone, ["a1", "a2", "b1", "b2", "c2", "c3", "a3", "b3", "c1"])
    assert page.locator(".cell svg").evaluate_all("all => all.map(one => one.dataset.value)") == dice
    page.evaluate(JUST_CAME_UP)
    page.get_by_role("button", name="New run").tap()
    expect(page.locator(".cell.open")).to_have_count(9)


def test_solo_13_targets_with_their_chances(phone: Visitor) -> None:
    page = phone.go("game/lite-solo")
    chips = page.get_by_role("radiogroup", name="Target").get_by_role("radio")
    expect(chips).to_have_count(6)  # 90 is both bronze and the bold target
    told = [" ".join(text.split()) for text in chips.all_text_contents()]
    assert told[:3] == ["No target", "Even 65 · 50% (recommended)", "Bronze 90 · 1 in 9"]
    assert told[4:] == ["Silver 120 · 1 in 420", "Gold 150 · 1 in 120,000"]
    chips.nth(2).tap()
    page.locator("[data-play]").tap()
    phone.rest()
    expect(page.locator(".status")).to_contain_text("Bronze 90")
    expect(page.locator(".status")).to_contain_text("1 in 9")


def test_solo_13_targets_where_columns_score_too(phone: Visitor) -> None:
    page = phone.go("game/lite-solo")
    expect(page.get_by_role("radiogroup", name="Target")).to_be_visible()  # it moves what is below it
    page.locator(".options").tap()
    page.get_by_role("switch", name="Columns score too").tap()
    page.get_by_role("button", name="Close").tap()
    chips = page.get_by_role("radiogroup", name="Target").get_by_role("radio")
    expect(chips.nth(1)).to_have_text("Bronze 90 · 83%")


def test_solo_14_the_daily_is_the_same_for_all(phone: Visitor, desk: Visitor) -> None:
    seen = []
    for visitor in (phone, desk):
        page = visitor.sit("lite-solo", kind="daily")
        rolled = []
        for name in CELLS:
            rolled.append(page.locator(".dice .die svg").get_attribute("data-value"))
            visitor.page.locator(cell(name)).focus()
            page.keyboard.press("Enter")
            visitor.rest()
        seen.append(rolled)
        expect(page.locator("[data-end]")).to_contain_text("today")
    assert seen[0] == seen[1]
    page = phone.go("boards/lite-solo?daily=" + phone.page.evaluate("new Date().toISOString().slice(0, 10)"))
    expect(page.locator("tbody tr.me")).to_have_count(1)
    page.get_by_role("radio", name="Best attempts").tap()
    expect(page.locator("tbody tr.me")).to_have_count(1)


def test_with_columns_a_cell_says_its_column_and_so_does_what_is_said_of_a_move(phone: Visitor) -> None:
    page = phone.sit("lite-solo", "55566", {"columns": True})
    expect(page.locator("[data-tip]")).to_contain_text("within a row or a column")
    phone.point("[data-cell=a1]")
    phone.tap("[data-action=place]")
    expect(page.locator("[data-cell=a2]")).to_have_accessible_name(
        "Row 2, column 1: empty. The row would score 5 times 1, that is 5. "
        "The column would score 10 times 2, that is 20."
    )
    expect(page.locator("body")).to_contain_text("The row scores 5, the column 5, the board 10.")


def test_solo_15_tips(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    tips = set()
    for name in ("a1", "b2", "c3", "a2"):  # no set, which would be told instead
        tips.add(page.locator("[data-tip]").inner_text())
        place(phone, name)
    assert len(tips) == 4
    assert any("Triples beat pairs" in tip for tip in tips)


def test_solo_17_columns(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE, {"columns": True})
    fill(phone, ["a1", "b1"])
    phone.tap(cell("a2"))
    expect(page.locator("[data-column='1']")).to_have_text("20 10 × 2")
    expect(page.locator("[data-note=preview]")).to_have_text("No set: row 2 scores 5 · Pair: column 1 scores 20")
    place(phone, "b3")
    expect(page.locator(".status .big")).to_have_text("26")  # rows 8 and 5, columns 5 and 8


def test_solo_18_one_reroll(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE, {"reroll": True})
    page.get_by_role("button", name="Roll again").tap()
    phone.rest()
    expect(page.locator(".dice .die svg")).to_have_attribute("data-value", "3")
    expect(page.get_by_role("button", name="Roll again")).to_have_attribute("aria-disabled", "true")
    phone.tap("[data-action=reroll]")
    expect(page.locator(".refusal")).to_have_text("The reroll is used up.")


def test_solo_19_wild_six(phone: Visitor) -> None:
    page = phone.sit("lite-solo", "61266", {"wild": "contains"})
    fill(phone, ["a1", "b1"])
    phone.tap(cell("c1"))
    expect(page.locator("[data-row='1']")).to_have_text("18 9 × 2✱")


def test_solo_20_nothing_moves_after_the_end(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    fill(phone, CELLS)
    expect(page.locator("[data-over=true]")).to_be_attached()
    expect(page.locator("button.cell")).to_have_count(0)


def test_solo_22_sound_and_vibration_and_one_switch_silences_both(phone: Visitor) -> None:
    phone.before(
        "window.heard = []; navigator.vibrate = (pattern) => (heard.push(['buzz', pattern]), true);"
        "const start = AudioBufferSourceNode.prototype.start;"
        "AudioBufferSourceNode.prototype.start = function (...when) { heard.push(['sound']); start.apply(this, when) }"
    )
    page = phone.sit("lite-solo", SPEC_DICE)
    place(phone, "a1")
    kinds = {kind for kind, *_ in page.evaluate("heard")}
    assert kinds == {"sound", "buzz"}
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("switch", name="Sound and vibration").tap()
    page.get_by_role("button", name="Close").tap()
    page.evaluate("heard.length = 0")
    place(phone, "a2")
    assert page.evaluate("heard") == []


def test_vs_09_cells_highlight_animation_and_preview(phone: Visitor) -> None:
    page = phone.sit("lite-versus", "535333222111", seats="you,standard")
    phone.tap(cell("b2") + ".open")
    expect(page.locator(".cell.thought")).to_have_count(1)
    expect(page.locator("[data-note=preview]")).to_contain_text("No set: row 2 scores 5")
    phone.tap(cell("b2") + ".open")
    expect(page.locator("button.cell.full")).to_have_count(1)
    theirs = page.locator("div.cell.full")
    expect(theirs).to_have_count(1)  # the bot has answered
    expect(theirs.locator(".snap")).to_have_css("animation-name", "snap")


def test_the_last_die_is_marked_and_told_until_the_next_one_lies(phone: Visitor) -> None:
    page = phone.sit("lite-versus", "535333222111", seats="you,standard")
    place(phone, "b2", "button")
    for _ in range(2):
        assert page.locator(".latest").count() == 1
        theirs = page.locator("div.cell:has(.latest)")
        expect(theirs).to_have_attribute("aria-label", re.compile(r": three, just placed$"))
        ring = theirs.locator(".latest").evaluate("one => getComputedStyle(one, '::after').borderStyle")
        assert ring == "solid"
        told = phone.text("[data-note=latest]")
        assert told.startswith("Knut: three in row")
        page.reload()  # whoever comes back sees it, too
        phone.rest()
    phone.tap("button" + cell("a1"))
    expect(page.locator("[data-note=latest]")).to_have_text(told)  # what one thinks of is told in the deck
    place(phone, "c1", "button")
    assert phone.text("[data-note=latest]") != told


@pytest.mark.parametrize(
    ("tiebreak", "reason"),
    [
        ("none", "Level on points"),
        ("highest-single-die", "Level on points, and the tie-breaker is level too"),
        ("sum-middle-row", "Level on points: the sum of the middle row decides (Player 1: 10, Player 2: 4)"),
    ],
)
def test_vs_10_the_end_screen_names_what_broke_the_tie(desk: Visitor, tiebreak: str, reason: str) -> None:
    # both get 1 1 2, 3 3 4, 5 5 6, and put their rows into another order
    mine, theirs = [1, 1, 2, 3, 3, 4, 5, 5, 6], [3, 3, 4, 1, 1, 2, 5, 5, 6]
    dice = "".join(f"{a}{b}" for a, b in zip(mine, theirs, strict=True))
    page = desk.sit("lite-versus", dice, {"tiebreak": tiebreak}, "you,you")
    for n in range(1, 10):
        desk.press(str(n), str(n))
    expect(page.locator("[data-over=true]")).to_be_attached()
    assert reason in desk.text(".notes")
    assert desk.text("[data-end] h2") == ("Player 1 wins" if tiebreak == "sum-middle-row" else "A draw")
    rows = page.locator("[data-row]").all_inner_texts()
    assert sorted(" ".join(row.split()) for row in rows) == sorted(["8 4 × 2", "20 10 × 2", "32 16 × 2"] * 2)


def test_a_draw_against_the_house_is_no_win(phone: Visitor) -> None:
    page = phone.sit("lite-versus", "4" * 18, seats="you,standard")
    for name in CELLS:
        phone.tap(f"button{cell(name)}")
        phone.tap(f"button{cell(name)}")
    expect(page.locator("[data-end]")).to_have_attribute("data-end", "drawn")
    assert phone.text("[data-end] h2") == "A draw"


def test_vs_12_variants_by_toggle(phone: Visitor) -> None:
    page = phone.go("game/lite-versus")
    page.get_by_role("button", name="Options").tap()
    page.get_by_role("switch", name="Columns score too").tap()
    page.get_by_role("switch", name="Reroll").tap()
    page.get_by_role("radiogroup", name="Wild six").get_by_role("radio", name="on", exact=True).tap()
    page.get_by_role("button", name="Close").tap()
    page.locator("[data-play]").tap()
    phone.rest()
    expect(page.locator("[data-column]")).to_have_count(6)
    expect(page.get_by_role("button", name="Roll again")).to_be_visible()
