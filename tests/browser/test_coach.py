"""The coach in the page: hints at the table, the analysis of a run."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.test_access import violations
from tests.browser.test_lite import CELLS, fill
from tests.browser.test_whole_runs import TAPS
from tests.browser.visit import Visitor

BLUNDER = "661123465"  # the eighth die, a 6, goes beside two ones instead of two sixes
PLACED = ["a1", "b1", "a2", "b2", "a3", "b3", "c3", "c2", "c1"]


@pytest.fixture(autouse=True)
def nothing_moves(phone: Visitor) -> None:
    phone.settings["motion"] = "reduced"  # nothing half faded in


def cell(name: str) -> str:
    return f"[data-cell={name}]"


@pytest.mark.parametrize(
    ("game", "dice", "said", "marked"),
    [
        ("lite-solo", "66", "row 2, column 1", ""),
        ("farkle", "152226", "keep 1, then roll on", "[data-group='1'][data-best]"),
        ("shut-the-box", "43", "tile 7", "[data-combo='7'].hinted"),
        ("knucklebones", "3", "column 1, column 2, and column 3", "[data-place].hinted"),
    ],
)
def test_a_hint_at_the_table(phone: Visitor, game: str, dice: str, said: str, marked: str) -> None:
    page = phone.sit(game, dice)
    if game == "lite-solo":
        phone.tap(cell("a1"))
        phone.tap(cell("a1"))
    page.locator("[data-action=hint]").tap()
    best = page.locator("[data-hint] li").first
    if game == "lite-solo":  # beside the other six
        expect(best).to_contain_text("row 1, column 2 and row 1, column 3")  # both are named, and both marked
        expect(page.locator(".cell.hinted")).to_have_count(2)
        expect(page.locator("[data-hint] li").nth(1)).to_contain_text("no better and no worse")
    else:
        expect(best).to_contain_text(said)
        expect(page.locator(marked)).to_have_count(3 if game == "knucklebones" else 1)
    for bar in page.locator("[data-hint] li i").all():  # no sliver in the round corner
        assert bar.evaluate(
            "one => one.offsetLeft >= 10 && one.offsetLeft + one.offsetWidth <= one.parentNode.offsetWidth - 10"
        )
    note = "Judged: off by" if game == "knucklebones" else "under perfect play"
    expect(page.locator("dialog")).to_contain_text(note)
    assert violations(page) == []
    page.get_by_role("button", name="Close").tap()
    page.locator("[data-action=hint]").tap()
    expect(best).to_be_visible()


def test_a_hint_costs_a_ranked_run_its_place(phone: Visitor) -> None:
    page = phone.sit("lite-solo", kind="ranked")
    page.locator("[data-action=hint]").tap()
    expect(page.locator("dialog")).to_contain_text("takes this run off the boards")
    page.get_by_role("button", name="Keep playing").tap()
    page.locator("[data-action=hint]").tap()
    page.locator("[data-action=show-hint]").tap()
    expect(page.locator("[data-hint] li").first).to_be_visible()
    page.get_by_role("button", name="Close").tap()
    fill(phone, CELLS)
    expect(page.locator("[data-end]")).to_contain_text("does not count on boards")


def test_a_hint_by_keyboard(desk: Visitor) -> None:
    page = desk.sit("shut-the-box", "43")
    page.keyboard.press("h")
    expect(page.locator("[data-hint] li").first).to_contain_text("tile 7")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_the_analysis_of_a_run(phone: Visitor) -> None:
    page = phone.sit("lite-solo", BLUNDER)
    fill(phone, PLACED)
    expect(page.locator("[data-skill]")).to_contain_text("Accuracy 75%")
    costly = page.locator("[data-costly]")
    expect(costly).to_contain_text("Costliest: row ")
    step = costly.get_attribute("data-costly") or ""
    assert (costly.get_attribute("href") or "").endswith(f"/{step}?analysis")
    page.get_by_role("link", name="Analysis").tap()
    balance = page.locator("[data-balance=score]")
    expect(balance).to_contain_text("Perfect play expected")
    assert [line.split("\n") for line in balance.locator("dl div").all_inner_texts()] == [
        ["Perfect play expected", "65.51"],
        ["The dice", "+12.41"],
        ["Your moves", "−18.92"],
        ["The result", "59.00"],
    ]
    expect(balance).to_contain_text("1 blunder")
    assert violations(page) == []
    page.get_by_role("button", name="Close").tap()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("[data-mark=blunder]")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-judged]")).to_contain_text("Better: 6 to row 1, column 3. This cost 15.5 points.")
    assert violations(page) == []
    page.locator("input[type=range]").tap(position={"x": 2, "y": 10})  # it lies over the curve
    expect(page.locator(".cell.full")).to_have_count(0)


def best_and_worst(phone: Visitor, game: str) -> tuple[str, str]:
    told = phone.asked(f"/api/puzzles/{game}/1")
    return told["moves"][0]["move"], told["moves"][-1]["move"]


def test_a_puzzle_is_solved_at_the_first_try(phone: Visitor) -> None:
    page = phone.go("puzzles")
    best, _ = best_and_worst(phone, "lite-solo")
    expect(page.locator("[data-puzzles]")).to_have_count(5)
    page = phone.go("puzzle/lite-solo/1")
    expect(page.locator("[data-puzzle='1']")).to_contain_text(
        "Which move brings the most points by the end, on average?"
    )
    expect(page.locator("[data-action=hint]")).to_have_count(0)
    assert violations(page) == []
    move_to(phone, best)
    expect(page.locator("[data-verdict=right]")).to_contain_text("That is it!")
    assert violations(page) == []
    page.get_by_role("button", name="All moves").tap()
    expect(page.locator("[data-hint] li").first).to_contain_text("★")
    page.get_by_role("button", name="Close").tap()
    page.locator("[data-next]").tap()
    expect(page.locator("[data-puzzle]")).not_to_have_attribute("data-puzzle", "1")
    page = phone.go("puzzles")
    expect(page.locator("[data-puzzles=lite-solo]")).to_contain_text("1 of")


def test_a_puzzle_can_be_tried_again_or_shown(phone: Visitor) -> None:
    best, worst = best_and_worst(phone, "lite-solo") if phone.go("puzzles") else ("", "")
    page = phone.go("puzzle/lite-solo/1")
    move_to(phone, worst)
    expect(page.locator("[data-verdict=wrong]")).to_contain_text("Not quite")
    page.locator("[data-again]").tap()
    move_to(phone, best)
    expect(page.locator("[data-verdict=right]")).to_contain_text("That is it.")
    page = phone.go("puzzle/lite-solo/2")
    page.locator(".cell.open").last.tap()
    page.locator(".cell.open").last.tap()
    if page.locator("[data-give-up]").count():
        page.locator("[data-give-up]").tap()
    expect(page.locator("[data-verdict]")).to_contain_text("The best:")
    page = phone.go("puzzles")
    expect(page.locator("[data-puzzles=lite-solo]")).not_to_contain_text("2 of")


@pytest.mark.parametrize("game", ["lite-versus", "farkle", "shut-the-box", "knucklebones"])
def test_every_game_has_puzzles(phone: Visitor, game: str) -> None:
    page = phone.go(f"puzzle/{game}/1")
    expect(page.locator("[data-puzzle='1']")).to_be_visible()
    if game == "farkle":  # nothing is recommended here
        expect(page.locator("[data-best]")).to_have_count(0)
        if page.locator("[data-group]").count():
            phone.tap(page.locator("[data-group]").first)
    for _ in range(3):
        if page.locator("[data-verdict]").count() == 0:
            TAPS[game](phone)
    expect(page.locator("[data-verdict]")).to_be_visible()
    assert violations(page) == []


def test_a_puzzle_that_does_not_exist(phone: Visitor) -> None:
    page = phone.go("puzzle/farkle/9999")
    expect(page.locator("main")).to_contain_text("There is no such puzzle")
    phone.complaints.clear()  # the browser notes that nothing was found


def move_to(phone: Visitor, move: str) -> None:
    """By touch a first tap looks, the second one places."""
    if move == "reroll":
        return phone.page.locator("[data-action=reroll]").tap()
    for _ in range(2):
        phone.page.locator(cell(move)).tap()
    return None


def test_the_daily_tells_what_perfect_play_makes_of_it(phone: Visitor) -> None:
    page = phone.sit("lite-solo", kind="daily")
    fill(phone, CELLS)
    expect(page.locator("[data-benchmark]")).to_contain_text("Perfect play averages 65.5.")


def test_the_daily_tells_whether_perfect_play_wins_it(phone: Visitor) -> None:
    answer: dict[str, int | None] = {"objective": None, "about": None, "expected": None, "foresight": None}
    phone.page.route("**/benchmark", lambda route: route.fulfill(json=answer))
    for perfect, against, said in ((80, 61, "play wins"), (61, 80, "even perfect play loses"), (70, 70, "play draws")):
        answer.update(perfect=perfect, against=against)
        expect(phone.go("runs").locator(".table")).to_have_count(0)  # the last one is left
        phone.sit("knucklebones", kind="daily")
        page = phone.finish()
        expect(page.locator("[data-benchmark]")).to_contain_text(f"{said}, {perfect} to {against}.")


def test_an_opponent_tells_how_strong_it_is(phone: Visitor) -> None:
    page = phone.go("game/farkle")
    page.get_by_role("button", name="Add a player").tap()
    page.get_by_role("combobox", name="Seat 2").select_option("level:1")
    expect(page.locator(".about")).to_have_text(
        "Knows what moves are worth, but not exactly. Wins 8% of its games against perfect play."
    )
    assert violations(page) == []
    page.locator("[data-play]").tap()
    phone.rest()
    expect(page.locator(".seats")).to_contain_text("Pip")
