"""The analysis of a run and its replay: figures in a player's sense, the way to the worst moves, a board in sight."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.test_access import violations
from tests.browser.test_coach import BLUNDER, PLACED
from tests.browser.test_focus import UNCOVERED
from tests.browser.test_lite import CELLS, fill
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
    phone.sit(game, "", options, seats, kind="practice", seed=seed)
    return phone.finish()


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


def test_good_luck_has_a_plus_where_lower_is_better(phone: Visitor) -> None:
    page = phone.sit("farkle", "111246", {"target": 1000})  # there in one turn: nobody could be luckier
    phone.tap("[data-best]")
    phone.tap("[data-action=bank]")
    expect(page.locator("[data-skill]")).to_contain_text(re.compile(r"Luck [\d.]+ better"))
    expect(page.locator("[data-skill]")).to_contain_text(re.compile(r"Expected [\d.]+ turns"))
    page.get_by_role("link", name="Analysis").tap()
    told = rows(page)
    assert told["The dice"].endswith(" better")
    assert told["The result"] == "1.00"
    page.get_by_role("button", name="Close").tap()
    step_to(page, 1)
    expect(page.locator("[data-judged]")).to_contain_text(re.compile(r"luck: [\d.]+ turns better"))
    curve = (page.locator("figure polyline").get_attribute("points") or "").split()
    first, last = (float(point.partition(",")[2]) for point in (curve[0], curve[-1]))
    assert last < first, "what is better is higher up"


def test_bad_luck_costs_turns(phone: Visitor) -> None:
    page = phone.sit("farkle", "234462" + "111246", {"target": 1000})  # nothing scores at first
    phone.tap("[data-best]")
    phone.tap("[data-action=bank]")
    page.get_by_role("link", name="Replay").tap()
    step_to(page, 1)
    expect(page.locator("[data-judged]")).to_contain_text(re.compile(r"luck: [\d.]+ turns worse"))


def test_a_chance_that_is_added_up_counts_rounds(phone: Visitor) -> None:
    def five_rounds(route: Route) -> None:
        told = route.fetch().json() | {"objective": "shut", "unit": "rounds"}
        told["shown"] |= {"start": 0.5, "result": 1.0}
        route.fulfill(body=json.dumps(told), content_type="application/json")

    phone.page.route("**/report*", five_rounds)
    page = play(phone, "shut-the-box", {"rounds": 1}, "")
    page.get_by_role("link", name="Analysis").tap()
    told = rows(page)
    assert told["Perfect play expected"] == "0.50"
    assert told["The result"] == "1.00"
    expect(page.locator("[data-balance] .head")).to_contain_text(". Unit: rounds")  # a sentence of its own


# Where board, notes and controls begin; how far down the lowest thing on the board reaches, and what is offered there.
PLACES = """() => {
    const box = (one) => one?.getBoundingClientRect()
    const tops = ['section.board > *', 'section.notes', 'section.tray'].map((one) => document.querySelector(one))
    const board = [...document.querySelectorAll('section.board *')].map(box)
    const low = board.filter((one) => one.height && one.height < innerHeight).map((one) => one.bottom)
    const offered = box(document.querySelector('[data-play-on]'))
    return [tops.map((one) => Math.round(box(one).top)), Math.max(...low), offered?.bottom ?? null]
}"""


@pytest.mark.parametrize("game", SHORT_RUNS)
def test_a_replay_stands_still_and_leaves_the_board_free(phone: Visitor, game: str) -> None:
    """Board, notes and controls keep their places from step to step; nothing that is looked at or tapped is under the
    controls."""
    page = play(phone, game, *SHORT_RUNS[game])
    steps = replay(page)
    for width, height in ((390, 844), (320, 640), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        expect(page.locator("figure svg")).to_be_visible()
        row = page.locator(".buttons")
        assert row.evaluate("one => one.scrollWidth - one.clientWidth") == 0, "one row of buttons"
        seen, offers = set(), 0
        for step in range(min(steps, 30)):  # at the end the boards are others
            step_to(page, step)
            places, low, offered = page.evaluate(PLACES)
            seen.add(tuple(places))
            assert low <= places[-1], (width, height, step)
            if offered is not None:
                assert offered <= places[-1] + 1, (width, height, step)
                offers += 1
        assert len(seen) == 1, (width, height, seen)
        assert offers, "so that it came and went"


@pytest.mark.parametrize("game", SHORT_RUNS)
def test_the_dice_of_a_roll_are_drawn(phone: Visitor, game: str) -> None:
    page = play(phone, game, *SHORT_RUNS[game])
    run = (page.get_by_role("link", name="Replay").get_attribute("href") or "").split("/")[-1]
    rolls = phone.asked(f"/api/runs/{run}")["record"]["steps"].split()
    replay(page)
    number = next(n for n, step in enumerate(rolls, 1) if step.startswith("d"))
    step_to(page, number)
    dice = page.locator("section.board [data-value]" if game == "farkle" else "[data-rolled] [data-value]")
    expect(dice.first).to_be_visible()
    assert sorted(str(one.get_attribute("data-value")) for one in dice.all()) == sorted(rolls[number - 1][1:])
    step_to(page, number + 1)
    expect(page.locator("[data-rolled]")).to_have_count(0)


def test_another_step_in_the_address_is_gone_to(phone: Visitor) -> None:
    page = play(phone, "lite-solo", {}, "")
    run = (page.get_by_role("link", name="Replay").get_attribute("href") or "").split("/")[-1]
    replay(page)
    expect(page.locator(".cell.full")).to_have_count(0)  # it begins at the beginning, and shows the way to the end
    page.get_by_role("button", name="To the end").tap()
    expect(page.locator(".cell.full")).to_have_count(9)
    expect(page.get_by_role("button", name="To the end")).to_have_count(0)
    for step in (2, 10, 4):
        page.evaluate("to => void (location.hash = to)", f"#/run/{run}/{step}")
        expect(page.locator("input[type=range]")).to_have_value(str(step))
        expect(page.locator(".cell.full")).to_have_count(step // 2)
    page.evaluate("to => void (location.hash = to)", f"#/run/{run}")
    expect(page.locator(".cell.full")).to_have_count(0)


def test_nothing_moves_when_the_coach_has_looked_at_the_run(phone: Visitor) -> None:
    """Its answer comes a moment later, and a finger may be on its way to a button."""
    page = play(phone, "lite-solo", {}, "", seed="a run with bad moves")
    held: list[Route] = []
    page.route("**/report*", lambda route: held.append(route))
    replay(page)
    places = "all => all.map((one) => { const { x, y } = one.getBoundingClientRect(); return [x, y] })"
    controls = page.locator(".controls :is(button:not([data-analysis]), input)")
    expect(controls).to_have_count(6)
    before = controls.evaluate_all(places)
    for route in held:
        route.continue_()
    expect(page.locator("[data-analysis]")).to_be_visible()
    expect(page.locator(".legend")).to_be_visible()
    assert controls.evaluate_all(places) == before


def test_that_the_dice_are_proved_is_seen_and_stays(phone: Visitor) -> None:
    """While it plays, too."""
    page = play(phone, "lite-solo", {}, "")
    replay(page)
    page.get_by_role("button", name="Play", exact=True).tap()
    page.get_by_role("button", name="Check the dice").tap()
    expect(page.locator("[data-proof]")).to_have_text("All 9 dice proved fair")
    expect(page.locator("input[type=range]")).to_have_value("4")  # some steps on
    expect(page.locator("[data-proof]")).to_be_visible()
    assert violations(page) == []
    before = int(page.locator("input[type=range]").input_value())
    page.get_by_role("button", name="Close").tap()
    page.evaluate(UNCOVERED)
    page.wait_for_function("(before) => document.querySelector('input[type=range]').value > before", arg=before)
    assert int(page.url.rpartition("/")[2]) > before
    page.go_back()
    expect(page.locator("[data-end]")).to_be_visible()


def test_the_only_move_is_not_praised(phone: Visitor) -> None:
    page = phone.sit("lite-solo", BLUNDER)
    fill(phone, PLACED)
    page.get_by_role("link", name="Analysis").tap()
    assert phone.text(".marks") == "5 best moves ■ 1 mistake ▲ 1 blunder 2 moves that decided nothing", (
        "the first cell and the last are no choice"
    )
    page.get_by_role("button", name="Close").tap()
    step_to(page, 18)
    expect(page.locator("[data-judged]")).to_contain_text("Nothing depended on it.")


@pytest.mark.parametrize(
    ("language", "cost", "kept"),
    [
        ("en", r"cost [\d.]+ percentage points", "How much was kept of what was at stake in this run."),
        (
            "de",
            r"kostete [\d,]+ Prozentpunkte",
            "Wie viel von dem blieb, was in dieser Partie auf dem Spiel stand.",
        ),
    ],
)
def test_a_chance_is_lost_in_percentage_points(phone: Visitor, language: str, cost: str, kept: str) -> None:
    phone.settings["language"] = language
    page = play(phone, "lite-solo", {"target": 60}, "")
    run = (page.locator("a[href^='#/run/']").last.get_attribute("href") or "").split("/")[-1].split("?")[0]
    phone.go(f"run/{run}?analysis")
    expect(page.locator("[data-worst]").first).to_contain_text(re.compile(cost))
    expect(page.locator("[data-balance]")).to_contain_text(kept)


def test_the_replay_names_who_rolls(phone: Visitor) -> None:
    page = play(phone, "lite-versus", {}, "you,lookahead")
    steps = replay(page)
    told = []
    for step in range(steps):
        step_to(page, step)
        told.append(phone.text(".told"))
    rolls = [line for line in told if " rolled a " in line]
    assert len(rolls) == 18
    assert [any(name in line for name in ("You rolled", "Thea rolled")) for line in rolls] == [True] * 18
    assert sum("You rolled" in line for line in rolls) == 9
    step_to(page, 1)
    expect(page.locator("[data-judged]")).to_contain_text(
        re.compile("^Your chance: .*, luck: [+−][\\d.]+ percentage points")
    )  # for whom it was worth that


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
    expect(worst.first.get_by_role("img", name="6")).to_be_visible()
    expect(worst.first).to_contain_text("better row 1, column 3 cost 15.5 points")
    expect(page.locator("[data-balance]")).to_contain_text("▲")
    assert violations(page) == []
    worst.first.tap()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("input[type=range]")).to_have_value("16")
    expect(page.locator("[data-judged]")).to_contain_text("▲ Better: 6 to row 1, column 3.")
    expect(page.locator("[data-judged]")).to_contain_text("It scores 18 points more at once.")
    expect(page.locator(".legend")).to_contain_text("▲ blunder")


def test_all_that_was_given_away_is_accounted_for(phone: Visitor) -> None:
    """The worst two are shown; the rest as a sum, and one by one when asked for."""
    page = play(phone, "lite-solo", {}, "")
    page.locator("[data-end] a.icon[href*=analysis]").tap()
    worst, rest = page.locator("[data-worst]"), page.locator("[data-rest]")
    expect(worst).to_have_count(2)
    shown = [float(cost) for cost in re.findall(r"cost ([\d.]+) points", " ".join(worst.all_inner_texts()))]
    told = re.search(r"Show (\d+) more: ([\d.]+) points", rest.inner_text())
    assert told is not None
    gave = float(rows(page)["Your moves"].replace("−", ""))
    assert sum(shown) + float(told[2]) == pytest.approx(gave, abs=0.2)
    rest.tap()
    expect(worst).to_have_count(2 + int(told[1]))
    expect(rest).to_have_count(0)
    expect(page.locator("[data-balance]")).not_to_contain_text("Step")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_parts_of_a_chance_are_percentage_points(phone: Visitor, language: str) -> None:
    phone.settings["language"] = language
    page = play(phone, "lite-versus", {}, "you,lookahead")
    short = {"en": "pp", "de": "PP"}[language]
    parts = page.locator("[data-skill] dl div")
    expect(parts.nth(1).locator("dt")).to_contain_text(f"({short})")
    expect(parts.nth(1).locator("dd")).not_to_contain_text("%")
    expect(page.locator("[data-skill]")).to_contain_text(f"{short}: ")  # what that is
    page.locator("[data-end] a.icon[href*=analysis]").tap()
    told = list(rows(page).values())
    assert [one.endswith(short) for one in told] == [False, *[True] * (len(told) - 2), False]
    expect(page.locator("[data-balance] .head")).to_contain_text(f". {short}: ")


def test_a_mistake_is_looked_at_where_it_was_made(phone: Visitor) -> None:
    """The board before it, with what was played and what was better marked on it; one step on, it has been made."""
    page = phone.sit("lite-solo", BLUNDER)
    fill(phone, PLACED)
    page.get_by_role("link", name="Analysis").tap()
    page.locator("[data-worst]").first.tap()
    expect(page.locator(".cell.full")).to_have_count(7)
    expect(page.locator("[data-cell=c2] [data-mark-played]")).to_have_text("▲")
    expect(page.locator("[data-cell=c1] [data-mark-better]")).to_have_text("★")
    expect(page.locator("[data-mark-played], [data-mark-better]")).to_have_count(2)
    expect(page.locator(".said")).to_contain_text("▲ played · ★ better")
    expect(page.locator(".told")).to_contain_text("You played: 6 to row 2, column 3")
    expect(page.locator(".told")).not_to_contain_text("The row scores")  # that is so after it
    expect(page.locator("[data-rolled]")).to_have_attribute("data-rolled", "6")
    assert violations(page) == []
    page.get_by_role("button", name="One step on").tap()
    expect(page.locator(".cell.full")).to_have_count(8)
    expect(page.locator("[data-mark-played]")).to_have_count(0)


def test_the_worst_moves_of_shut_the_box_are_plain(phone: Visitor) -> None:
    """The dice, what was shut, what was better: each in its place."""
    dice, options, seats, taps = BAD_MOVES["shut-the-box"]
    page = phone.sit("shut-the-box", dice, options, seats)
    for tap in taps:
        phone.tap(tap)
    phone.finish()
    page.get_by_role("link", name="Analysis").tap()
    worst = page.locator("[data-worst]").first
    expect(worst.get_by_role("img", name="4 3")).to_be_visible()
    expect(worst).to_contain_text("played ▲tiles 4 + 2 + 1 better tile")
    worst.tap()
    expect(page.locator(".told")).to_contain_text("You played: tiles 4 + 2 + 1 for 4 + 3")


BAD_MOVES: dict[str, tuple[str, dict[str, Any], str, list[str]]] = {
    "lite-versus": ("61" * 9, {}, "you,standard", ["button[data-cell=a1]"] * 2 + ["button[data-cell=a2]"] * 2),
    "farkle": ("152226" + "111246", {"target": 1000}, "", ["[data-group='5']", "[data-action=bank]"]),
    "shut-the-box": ("43" + "66" * 4, {"rounds": 1, "goal": 0}, "", ["[data-combo='4+2+1']"] * 2),
    "knucklebones": ("6" * 20, {}, "you,spec", ["[data-place='0']"] * 2),
}


@pytest.mark.parametrize("game", BAD_MOVES)
def test_both_moves_are_marked_in_every_game(phone: Visitor, game: str) -> None:
    dice, options, seats, taps = BAD_MOVES[game]
    page = phone.sit(game, dice, options, seats)
    for tap in taps:
        phone.tap(tap)
    phone.finish()
    run = (page.get_by_role("link", name="Replay").get_attribute("href") or "").split("/")[-1]
    told = phone.asked(f"/api/runs/{run}/report")
    wrong = [one for one in told["moments"] if one["mark"] in ("slip", "mistake", "blunder")]
    moment = next(one for one in wrong if one["text"] not in ("roll", "bank", "one", "two", "reroll"))
    phone.go(f"run/{run}/{moment['number']}?analysis")
    expect(page.locator("[data-mark-played]").first).to_be_visible()
    expect(page.locator("[data-mark-better]").first).to_be_visible()
    expect(page.locator("[data-judged]")).to_contain_text("Better: ")
    assert phone.text("[data-judged]").count(".") >= 2, "and why"


def test_a_run_is_played_on_from_a_mistake(phone: Visitor) -> None:
    page = phone.sit("lite-solo", BLUNDER)
    fill(phone, PLACED)
    page.get_by_role("link", name="Analysis").tap()
    page.locator("[data-worst]").first.tap()
    page.locator("[data-play-on]").tap()
    phone.rest()
    expect(page.locator(".cell.full")).to_have_count(7)
    expect(page.locator("h2").filter(has_text="You rolled a six")).to_be_visible()
    fill(phone, ["c1", "c2"])
    expect(page.locator("[data-end]")).to_contain_text("does not count on boards")
    expect(page.locator("[data-skill]")).to_contain_text("Accuracy 9")


def test_nobody_plays_on_where_nobody_had_a_choice(phone: Visitor) -> None:
    page = play(phone, "lite-versus", {}, "you,lookahead")
    steps = replay(page)
    offered = []
    for step in range(steps + 1):
        step_to(page, step)
        offered.append(page.locator("[data-play-on]").count())
    assert sum(offered) == 9, "before each of one's own dice is placed, and nowhere else"
    assert offered[0] == offered[steps] == 0


def test_nobody_plays_on_with_the_dice_of_today(phone: Visitor) -> None:
    page = phone.sit("lite-solo", kind="daily")
    fill(phone, CELLS)
    replay(page)
    step_to(page, 1)
    expect(page.locator(".told")).to_contain_text("rolled a")
    expect(page.locator("[data-play-on]")).to_have_count(0)


def test_the_way_back_from_an_analysis_is_to_its_table_or_to_my_runs(phone: Visitor) -> None:
    page = phone.sit("lite-solo", BLUNDER)
    fill(phone, PLACED)
    run = page.locator("[data-end] a.icon[href*=analysis]").get_attribute("href") or ""
    page.get_by_role("link", name="Analysis").tap()
    page.get_by_role("button", name="Close").tap()
    page.get_by_role("link", name="Back").tap()
    expect(page.locator("[data-end]")).to_be_visible()
    phone.go("runs")
    phone.go(run.removeprefix("#/").partition("?")[0])
    page.get_by_role("link", name="Back").tap()
    expect(page.locator("main li").first).to_be_visible()


def test_everybody_at_the_device_has_an_analysis(phone: Visitor) -> None:
    page = play(phone, "farkle", {"target": 1500}, "you,you")
    page.get_by_role("link", name="Analysis").tap()
    expect(page.get_by_role("heading", name="Analysis: Player 1")).to_be_visible()
    first = rows(page)
    assert "Moves of Player 1" in first
    page.get_by_role("radio", name="Player 2").tap()
    expect(page.get_by_role("heading", name="Analysis: Player 2")).to_be_visible()
    assert {first["The result"], rows(page)["The result"]} == {"100.00%", "0.00%"}
    assert violations(page) == []
    page.get_by_role("button", name="Close").tap()
    expect(page.locator("dialog")).to_have_count(0)
    page.evaluate(UNCOVERED)
    page.go_back()  # one step, not one for the sheet as well
    expect(page.locator("[data-end]")).to_be_visible()


def test_what_the_other_side_gives_away_is_a_gift(phone: Visitor) -> None:
    page = play(phone, "farkle", {"target": 1500}, "you,random")
    run = (page.get_by_role("link", name="Replay").get_attribute("href") or "").split("/")[-1]
    told = phone.asked(f"/api/runs/{run}/report")
    gift = next(one for one in told["moments"] if one["actor"] == 1 and one["mark"] in ("slip", "mistake", "blunder"))
    replay(page)
    expect(page.locator("figure svg")).to_be_visible()
    step_to(page, gift["number"])
    expect(page.locator("[data-judged]")).to_contain_text("A gift of ")


def test_a_run_for_a_win_is_compared_by_its_score(phone: Visitor) -> None:
    page = play(phone, "shut-the-box", {"rounds": 2}, "")
    run = (page.get_by_role("link", name="Replay").get_attribute("href") or "").split("/")[-1]
    told = phone.asked(f"/api/runs/{run}/report")
    assert (told["objective"], told["compared"]["objective"]) == ("win", "golf")
    page.get_by_role("link", name="Analysis").tap()
    score, share = round(told["compared"]["result"]), f"{round(100 * told['compared']['worse'])}%"
    expect(page.locator("[data-balance]")).to_contain_text(
        f"{score} points: better than {share} of perfect runs in which only points count"
    )
