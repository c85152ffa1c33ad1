"""Puzzles in the page: what counts as an answer, what it says about it, and where it goes on."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from dicehall.coach.puzzles import puzzles
from tests.browser.tables import screen, settle
from tests.browser.test_access import violations
from tests.browser.visit import Visitor
from tests.soak import met

BANKED_TOO_SOON = 25  # in Farkle: the best is to keep 1, then to roll on
SMALL: ViewportSize = {"width": 320, "height": 640}


@pytest.fixture(autouse=True)
def nothing_moves(phone: Visitor) -> None:
    phone.settings["motion"] = "reduced"


def told(phone: Visitor, game: str, number: int) -> Any:
    return phone.asked(f"/api/puzzles/{game}/{number}")


def place(page: Page, cell: str) -> None:
    for _ in range(2):  # the first tap looks
        page.locator(f"button[data-cell={cell}]").tap()


def cells(phone: Visitor, number: int) -> list[str]:
    """Where the die of a puzzle of lite-solo can go, the best first."""
    return [move["move"] for move in told(phone, "lite-solo", number)["moves"] if move["move"] != "reroll"]


def test_a_keep_is_judged_with_what_follows_it(phone: Visitor) -> None:
    page = phone.go(f"puzzle/farkle/{BANKED_TOO_SOON}")
    page.locator("[data-group='1']").tap()
    page.locator("[data-action=bank]").tap()
    expect(page.locator("[data-verdict=wrong]")).to_contain_text("Not quite: this gives 295.0 points away.")
    expect(page.locator("[data-verdict=wrong] h2")).to_be_focused()
    expect(page.locator(".table > [aria-live=polite]")).to_have_text(
        "Not quite: this gives 295.0 points away. There is something better."
    )
    page.locator("[data-again]").tap()
    page.locator("[data-action=roll]").tap()
    expect(page.locator("[data-verdict=right]")).to_contain_text("The best: keep 1, then roll on")
    expect(page.locator("[data-verdict=right]")).to_contain_text(re.compile(r"worth [\d,.]+ points"))
    expect(page.locator("[data-verdict=right] h2")).to_be_focused()
    expect(page.locator(".table > [aria-live=polite]")).to_contain_text("The best: keep 1, then roll on")
    phone.go("puzzles")
    expect(page.locator("[data-puzzles=farkle]")).to_contain_text("0 of")


def test_a_keep_with_what_is_best_after_it_solves_a_puzzle(phone: Visitor) -> None:
    page = phone.go(f"puzzle/farkle/{BANKED_TOO_SOON}")
    page.locator("[data-group='1']").tap()
    page.locator("[data-action=roll]").tap()
    expect(page.locator("[data-verdict=right]")).to_contain_text("That is it!")
    phone.go("puzzles")
    expect(page.locator("[data-puzzles=farkle]")).to_contain_text("1 of")


def test_an_answer_stays_what_it_was(phone: Visitor) -> None:
    page = phone.go("puzzle/lite-solo/1")
    best, *_, worst = cells(phone, 1)
    place(page, best)
    expect(page.locator("[data-verdict=right]")).to_contain_text("That is it!")
    for cell in (worst, best):
        place(page, cell)
        expect(page.locator(".refusal")).to_contain_text("On to the next")
        expect(page.locator("[data-verdict=right]")).to_contain_text("That is it!")


def test_a_second_visit_is_no_first_try(phone: Visitor) -> None:
    page = phone.go("puzzle/lite-solo/1")
    best, *_, worst = cells(phone, 1)
    place(page, worst)
    expect(page.locator("[data-verdict=wrong]")).to_be_visible()
    phone.go("puzzles")
    phone.go("puzzle/lite-solo/1")
    place(page, best)
    expect(page.locator("[data-verdict=right]")).to_contain_text("That is it.")
    phone.go("puzzles")
    expect(page.locator("[data-puzzles=lite-solo]")).to_contain_text("0 of")


def test_next_goes_on_through_the_rest(phone: Visitor) -> None:
    page = phone.go("puzzle/lite-solo/1")
    seen = [1]
    for _ in range(3):
        place(page, cells(phone, seen[-1])[-1])
        page.locator("[data-give-up]").tap()
        page.locator("[data-next]").tap()
        expect(page.locator(f"[data-puzzle='{seen[-1]}']")).to_have_count(0)
        seen.append(int(page.locator("[data-puzzle]").get_attribute("data-puzzle") or 0))
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize(
    ("game", "changed", "said"),
    [
        (
            "lite-solo",
            "wild",
            "A six fits any set, and a row with one scores exactly twice its sum; only 6 6 6 counts three times.",
        ),
        (
            "farkle",
            "straight",
            "1 2 3 4 5 6 in one roll scores. Three different pairs in one roll score.",
        ),
        ("lite-solo", "", None),
    ],
)
def test_a_puzzle_says_its_rules(phone: Visitor, game: str, changed: str, said: str | None) -> None:
    number = next(
        n for n, one in enumerate(puzzles(game), 1) if (changed in one.options if changed else not one.options)
    )
    page = phone.go(f"puzzle/{game}/{number}")
    expect(page.locator("[data-puzzle]")).to_be_visible()
    if said is None:
        expect(page.locator("[data-rules]")).to_have_count(0)
    else:
        expect(page.locator("[data-rules] .about")).to_have_text(said)


def test_the_reason_is_told_after_the_answer(phone: Visitor) -> None:
    page = phone.go(f"puzzle/farkle/{BANKED_TOO_SOON}")
    page.locator("[data-group='5']").tap()
    page.locator("[data-action=bank]").tap()
    expect(page.locator("[data-verdict=wrong]")).to_be_visible()
    expect(page.locator("[data-why]")).to_have_count(0)
    page.locator("[data-give-up]").tap()
    expect(page.locator("[data-why]")).to_contain_text("dice to roll, not")
    assert violations(page) == []


@pytest.mark.parametrize("game", ["lite-solo", "farkle", "shut-the-box"])
def test_the_first_puzzle_is_a_plain_one(phone: Visitor, game: str) -> None:
    """Usual rules, and what looks good loses much."""
    page = phone.go("puzzles")
    page.locator(f"[data-puzzles='{game}'] .button").last.tap()
    number = int(page.locator("[data-puzzle]").get_attribute("data-puzzle") or 0)
    known = puzzles(game)
    first = known[number - 1]
    assert first.options == {}
    alike = [one for one in known if (one.objective, one.options) == (first.objective, {})]
    assert first.surprise == max(one.surprise for one in alike)
    expect(page.locator("[data-rules]")).to_have_count(0)


def test_the_answer_is_shown_on_the_tiles(phone: Visitor) -> None:
    number = next(n for n, one in enumerate(puzzles("shut-the-box"), 1) if "+" in one.best[0] and len(one.moves) > 2)
    page = phone.go(f"puzzle/shut-the-box/{number}")
    moves = [move["move"] for move in told(phone, "shut-the-box", number)["moves"]]
    for _ in range(2):
        page.locator(f"[data-combo='{moves[-1]}']").tap()
    page.locator("[data-give-up]").tap()
    expect(page.locator("[data-verdict=shown]")).to_be_visible()
    expect(page.locator("[data-tile][aria-pressed=true]")).to_have_count(0)
    marked = page.locator("[data-tile].hinted").evaluate_all("all => all.map((one) => one.dataset.tile)")
    assert sorted(marked) == sorted(moves[0].split("+"))
    assert violations(page) == []


def test_the_answer_is_shown_on_the_dice(phone: Visitor) -> None:
    page = phone.go(f"puzzle/farkle/{BANKED_TOO_SOON}")
    page.locator("[data-group='5']").tap()
    page.locator("[data-action=roll]").tap()
    page.locator("[data-give-up]").tap()
    expect(page.locator("[data-state=chosen]")).to_have_count(0)
    expect(page.locator("[data-die].hinted")).to_have_count(1)
    expect(page.locator("[data-die].hinted")).to_have_accessible_name("Die 1: one, scores")


def test_of_equal_moves_the_played_one_is_named(phone: Visitor) -> None:
    known = puzzles("lite-solo")
    number = next(n for n, one in enumerate(known, 1) if len(one.best) > 1 and "reroll" not in one.best)
    cell = known[number - 1].best[1]
    page = phone.go(f"puzzle/lite-solo/{number}")
    place(page, cell)
    name = f"row {cell[1]}, column {1 + 'abc'.index(cell[0])}"
    expect(page.locator("[data-verdict=right]")).to_contain_text(f"The best: {name}")
    expect(page.locator(".hinted")).to_have_attribute("data-cell", cell)


def test_all_moves_are_all(phone: Visitor) -> None:
    known = puzzles("farkle")
    number = max(range(1, len(known) + 1), key=lambda n: len(set(known[n - 1].moves.values())))
    page = phone.go(f"puzzle/farkle/{number}")
    page.locator("[data-group]").first.tap()
    page.locator("[data-action=bank]").tap()
    if page.locator("[data-give-up]").count():
        page.locator("[data-give-up]").tap()
    page.get_by_role("button", name="All moves").tap()
    values = set(known[number - 1].moves.values())
    assert len(values) > 6
    expect(page.locator("[data-hint] li")).to_have_count(len(values))
    expect(page.locator("[data-more]")).to_have_count(0)


def test_a_hint_says_that_there_are_more_moves(phone: Visitor) -> None:
    page = phone.sit("farkle", "152226")
    page.locator("[data-action=hint]").tap()
    expect(page.locator("[data-hint] li")).to_have_count(6)
    page.get_by_role("button", name="Show 1 more").tap()
    expect(page.locator("[data-hint] li")).to_have_count(7)
    expect(page.locator("[data-more]")).to_have_count(0)


def test_moves_of_equal_value_are_among_those_that_are_more(phone: Visitor) -> None:
    """24 keeps, of which two are worth the same and stand in one row."""
    page = phone.sit("farkle", "111555")
    page.locator("[data-action=hint]").tap()
    page.get_by_role("button", name="Show 18 more").tap()
    expect(page.locator("[data-hint] li")).to_have_count(23)


def test_the_menu_has_no_keys_that_do_nothing(phone: Visitor) -> None:
    page = phone.go("puzzle/farkle/1")
    page.get_by_role("button", name="Menu").tap()
    keys = page.locator("dialog dt")
    expect(keys).to_have_text(["1", "2", "3", "4", "5", "6", "r", "b", "?"])


def chosen(page: Page, game: str) -> None:
    where = {"farkle": "[data-group]", "shut-the-box": "[data-combo]", "knucklebones": "[data-place]"}
    page.locator(where.get(game, "button.cell.open")).first.tap()


@pytest.mark.parametrize(
    ("game", "language"), met(["lite-solo", "lite-versus", "farkle", "shut-the-box", "knucklebones"], ["de", "en"])
)
def test_a_puzzle_fits_a_phone(phone: Visitor, game: str, language: str) -> None:
    phone.settings["language"] = language
    below = "document.documentElement.scrollHeight - innerHeight"
    page = phone.go(f"puzzle/{game}/10")
    chosen(page, game)
    assert page.evaluate(below) == 0
    page.set_viewport_size(SMALL)
    assert page.evaluate(below) < 10  # less than the notes have around them


def test_the_list_is_tidy_on_a_small_phone(phone: Visitor) -> None:
    page = phone.go("puzzles")
    page.set_viewport_size(SMALL)
    buttons = page.locator("[data-puzzles=farkle] .button")
    expect(buttons).to_have_count(2)
    today, following = (buttons.nth(n).bounding_box() for n in (0, 1))
    assert today
    assert following
    assert today["y"] == following["y"]


ON_SHORT_SCREENS = """() => {
    const {top} = document.querySelector('section.tray').getBoundingClientRect()
    return {
        below: document.documentElement.scrollHeight - innerHeight,
        covered: [...document.querySelectorAll('.said > *')].map((one) => one.getBoundingClientRect().bottom - top)
            .filter((deep) => deep > 0.5),
        cut: [...document.querySelectorAll('.seats :is(.name, .cut)')]
            .filter((one) => one.scrollWidth > one.clientWidth)
            .map((one) => one.innerText),
    }
}"""
HARDEST = [
    ("lite-solo", 10), ("lite-versus", 4), ("lite-versus", 7), ("farkle", 10), ("farkle", 15), ("knucklebones", 3),
    ("shut-the-box", 1), ("shut-the-box", 16), ("shut-the-box", 20),
]  # fmt: skip


@pytest.mark.parametrize(("puzzle", "language"), met(HARDEST, ["de", "en"]))
def test_a_puzzle_is_whole_on_the_smallest_phone(phone: Visitor, puzzle: tuple[str, int], language: str) -> None:
    """All of it at once: the question, what there is to note, and every name."""
    game, number = puzzle
    phone.settings["language"] = language
    phone.page.set_viewport_size(screen("small"))
    page = phone.go(f"puzzle/{game}/{number}")
    expect(page.locator("[data-puzzle]")).to_be_visible()
    settle(page)
    assert page.evaluate(ON_SHORT_SCREENS) == {"below": 0, "covered": [], "cut": []}


def test_the_board_that_is_played_on_is_the_large_one(phone: Visitor) -> None:
    phone.page.set_viewport_size(screen("small"))
    page = phone.go("puzzle/lite-versus/4")
    own, other = (page.locator(f"{cell}[data-cell=a1]").bounding_box() for cell in ("button", "div"))
    assert own
    assert other
    assert own["width"] > 1.5 * other["width"]
    assert min(own["width"], own["height"]) > 35


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("game", ["knucklebones", "lite-versus"])
@pytest.mark.parametrize("size", ["small", "phone", "desk"])
def test_ones_own_board_lies_as_at_a_table(phone: Visitor, game: str, seat: int, size: str) -> None:
    """Below, or at the left where boards stand beside each other, whichever seat one has."""
    number = next(n for n in range(1, len(puzzles(game)) + 1) if told(phone, game, n)["seats"].index("you") == seat)
    phone.page.set_viewport_size(screen(size))
    page = phone.go(f"puzzle/{game}/{number}")
    boards = page.locator({"knucklebones": "[data-seat]", "lite-versus": ".one"}[game])
    own = boards.filter(has=page.locator("button")).bounding_box()
    other = boards.filter(has_not=page.locator("button")).bounding_box()
    assert own
    assert other
    if own["y"] == other["y"]:
        assert own["x"] < other["x"]
    else:
        assert own["y"] > other["y"]
    if game == "knucklebones":  # its scores are the dark ones, at the right of those of the other
        mine, theirs = (page.locator(f"[data-seat='{n}'] [data-score]").first for n in (seat, 1 - seat))
        colours = [one.evaluate("one => getComputedStyle(one).color") for one in (mine, theirs, page.locator("body"))]
        assert colours[0] == colours[2] != colours[1]
