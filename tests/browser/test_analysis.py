"""The analysis of a run and its replay: figures in a player's sense, the way to the worst moves, a board in sight."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.test_access import violations
from tests.browser.test_coach import BLUNDER, PLACED
from tests.browser.test_lite import fill
from tests.browser.test_whole_runs import MOST_MOVES, TAPS
from tests.browser.visit import Visitor

SHORT_RUNS: dict[str, tuple[dict[str, Any], str]] = {
    "lite-solo": ({}, ""),
    "lite-versus": ({}, "you,lookahead"),
    "farkle": ({"target": 1000}, "you,bank:300"),
    "shut-the-box": ({"rounds": 1, "tiles": 12}, "you,highest"),
    "knucklebones": ({}, "you,spec"),
}


@pytest.fixture(autouse=True)
def nothing_moves(phone: Visitor) -> None:
    phone.settings["motion"] = "reduced"


def play(phone: Visitor, game: str, options: dict[str, Any], seats: str, seed: str = "a run") -> Page:
    page = phone.sit(game, "", options, seats, kind="practice", seed=seed)
    for _ in range(MOST_MOVES):
        if page.locator("[data-over=true]").count():
            break
        TAPS[game](phone)
    expect(page.locator("[data-end]")).to_be_visible()
    return page


def replay(page: Page) -> int:
    """To the replay; how many steps it has."""
    page.get_by_role("link", name="Replay").tap()
    slider = page.locator("input[type=range]")
    expect(slider).to_be_visible()
    return int(slider.get_attribute("max") or 0)


def step_to(page: Page, step: int) -> None:
    page.locator("input[type=range]").fill(str(step))


def rows(page: Page) -> dict[str, str]:
    lines = page.locator("[data-balance] dl div")
    expect(lines.first).to_be_visible()
    return dict(line.split("\n") for line in lines.all_inner_texts())


def test_good_luck_has_a_plus_where_less_is_better(phone: Visitor) -> None:
    page = phone.sit("farkle", "111246", {"target": 1000})  # there in one turn: nobody could be luckier
    phone.tap("[data-best]")
    phone.tap("[data-action=bank]")
    expect(page.locator("[data-skill]")).to_contain_text("luck +")
    page.get_by_role("link", name="Analysis").tap()
    told = rows(page)
    assert told["The dice were worth"].endswith(" fewer")
    assert told["The result"] == "1.00"
    page.get_by_role("button", name="Close").tap()
    step_to(page, 1)
    expect(page.locator("[data-judged]")).to_contain_text("luck +")


def test_bad_luck_costs_turns(phone: Visitor) -> None:
    page = phone.sit("farkle", "234462" + "111246", {"target": 1000})  # nothing scores at first
    phone.tap("[data-best]")
    phone.tap("[data-action=bank]")
    page.get_by_role("link", name="Replay").tap()
    step_to(page, 1)
    expect(page.locator("[data-judged]")).to_contain_text("luck −")


def test_a_chance_that_is_added_up_counts_rounds(phone: Visitor) -> None:
    def five_rounds(route: Route) -> None:
        told = route.fetch().json() | {"objective": "shut", "unit": "rounds", "start": 0.5, "result": 1.0}
        route.fulfill(body=json.dumps(told), content_type="application/json")

    phone.page.route("**/report*", five_rounds)
    page = play(phone, "shut-the-box", {"rounds": 1}, "")
    page.get_by_role("link", name="Analysis").tap()
    told = rows(page)
    assert told["Perfect play expected"] == "0.50"
    assert told["The result"] == "1.00"
    expect(page.locator("[data-balance] .head")).to_contain_text("rounds")


@pytest.mark.parametrize("game", SHORT_RUNS)
def test_a_replay_leaves_the_board_free(phone: Visitor, game: str) -> None:
    page = play(phone, game, *SHORT_RUNS[game])
    steps = replay(page)
    for width, height in ((390, 844), (320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        expect(page.locator("figure svg")).to_be_visible()
        row = page.locator(".buttons")
        assert row.evaluate("one => one.scrollWidth - one.clientWidth") == 0, "one row of buttons"
        for step in range(0, steps, 1 + steps // 8):
            step_to(page, step)
            free = page.evaluate(
                "() => { const tray = document.querySelector('section.tray').getBoundingClientRect().top;"
                " const low = [...document.querySelectorAll('section.board *')].map(one => one.getBoundingClientRect())"
                ".filter(box => box.height && box.height < innerHeight).map(box => box.bottom);"
                " return tray - Math.max(...low) }"
            )
            assert free >= 0, (width, height, step)


def test_the_replay_names_who_rolls(phone: Visitor) -> None:
    page = play(phone, "lite-versus", {}, "you,lookahead")
    steps = replay(page)
    told = []
    for step in range(steps):
        step_to(page, step)
        told.append(phone.text(".told"))
    rolls = [line for line in told if " rolled a " in line]
    assert len(rolls) == 18
    assert [any(name in line for name in ("You rolled", "Thinker rolled")) for line in rolls] == [True] * 18
    assert sum("You rolled" in line for line in rolls) == 9


def test_nobody_rolls_against_a_lonely_player(phone: Visitor) -> None:
    page = play(phone, "lite-solo", {}, "")
    replay(page)
    step_to(page, 1)
    expect(page.locator(".told")).to_contain_text("You rolled a ")


def test_where_there_is_no_analysis_none_is_offered(phone: Visitor) -> None:
    page = play(phone, "lite-versus", {"columns": True}, "you,you")
    expect(page.locator("[data-skill]")).to_have_text("The coach does not know this variant.")
    expect(page.get_by_role("link", name="Analysis")).to_have_count(0)
    link = page.get_by_role("link", name="Replay").get_attribute("href") or ""
    page = phone.go(link.removeprefix("#/") + "?analysis")
    expect(page.locator("[data-judged]")).to_have_text("The coach does not know this variant.")


def test_the_worst_moves_are_a_tap_away(phone: Visitor) -> None:
    page = phone.sit("lite-solo", BLUNDER)
    fill(phone, PLACED)
    page.get_by_role("link", name="Analysis").tap()
    worst = page.locator("[data-worst]")
    expect(worst).to_have_count(2)
    expect(worst.first).to_contain_text("Better: row 1, column 3. This lost 15.5.")
    expect(page.locator("[data-balance]")).to_contain_text("▲")
    assert violations(page) == []
    worst.first.tap()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("input[type=range]")).to_have_value("16")
    expect(page.locator("[data-judged]")).to_contain_text("▲ Better: row 1, column 3.")
    expect(page.locator(".legend")).to_contain_text("▲ blunder")


def test_everybody_at_the_device_has_an_analysis(phone: Visitor) -> None:
    page = play(phone, "farkle", {"target": 1500}, "you,you")
    page.get_by_role("link", name="Analysis").tap()
    expect(page.get_by_role("heading", name="Analysis: Player 1")).to_be_visible()
    first = rows(page)
    assert "Player 1 gave away" in first
    page.get_by_role("radio", name="Player 2").tap()
    expect(page.get_by_role("heading", name="Analysis: Player 2")).to_be_visible()
    assert {first["The result"], rows(page)["The result"]} == {"100.0%", "0.00%"}
    assert violations(page) == []


def test_what_the_other_side_gives_away_is_a_gift(phone: Visitor) -> None:
    page = play(phone, "farkle", {"target": 1500}, "you,random")
    run = (page.get_by_role("link", name="Replay").get_attribute("href") or "").split("/")[-1]
    told = page.request.get(f"{phone.hall.address}/api/runs/{run}/report").json()
    gift = next(one for one in told["moments"] if one["actor"] == 1 and one["mark"] in ("slip", "mistake", "blunder"))
    replay(page)
    expect(page.locator("figure svg")).to_be_visible()
    step_to(page, gift["number"])
    expect(page.locator("[data-judged]")).to_contain_text("A gift of ")


def test_a_run_for_a_win_is_compared_by_its_score(phone: Visitor) -> None:
    page = play(phone, "shut-the-box", {"rounds": 2}, "")
    run = (page.get_by_role("link", name="Replay").get_attribute("href") or "").split("/")[-1]
    told = page.request.get(f"{phone.hall.address}/api/runs/{run}/report").json()
    assert (told["objective"], told["compared"]["objective"]) == ("win", "golf")
    page.get_by_role("link", name="Analysis").tap()
    score, share = round(told["compared"]["result"]), f"{round(100 * told['percentile'])}%"
    expect(page.locator("[data-balance]")).to_contain_text(
        f"{score} points: better than {share} of runs played perfectly for few points left"
    )
