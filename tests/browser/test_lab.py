"""The lab, where rules are changed and the odds watched; its charts; and what a game's page says of the coach."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.test_access import violations
from tests.browser.visit import Hall, Visitor

TINY = {"width": 320, "height": 640}


def odds(page: Page, objective: str) -> Locator:
    return page.locator(f"[data-objective='{objective}']")


def choose(page: Page, option: str, value: int) -> None:
    field = page.locator(f"input[name={option}]")
    field.fill(str(value))
    field.blur()


def scrolls_sideways(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))


def test_the_lab_tells_what_a_rule_changes(phone: Visitor) -> None:
    page = phone.go("lab/lite-solo")
    row = odds(page, "target:90")
    expect(row.locator("[data-changed]")).to_have_text("10.8%")
    expect(row.locator("[data-usual]")).to_have_count(0)
    expect(page.locator("[data-chart=scores]")).to_contain_text("Dream 111")
    page.get_by_role("switch", name="Columns score too").tap()
    expect(row).to_contain_text("82.9%")
    expect(row.locator("[data-usual]")).to_have_text("10.8%")
    expect(row).to_contain_text("+72.1 pp")
    expect(page.locator("[data-chart=scores]")).to_contain_text("Dream 178")
    expect(odds(page, "target:150").locator("[data-usual]")).to_have_text("1 in 120,000")
    assert violations(page) == []
    page.get_by_role("button", name="Reset options").tap()
    expect(row.locator("[data-changed]")).to_have_text("10.8%")


def test_what_is_worth_something_in_a_round_says_so(phone: Visitor) -> None:
    page = phone.go("lab/shut-the-box")
    for name in ("golf", "shut"):
        expect(page.locator(f"[data-objective={name}]")).to_contain_text("in a round")
    expect(page.locator("[data-objective=win]")).not_to_contain_text("round")


@pytest.mark.parametrize("language", ["en", "de"])
def test_large_numbers_are_short_and_nothing_scrolls_sideways(browser: Browser, hall: Hall, language: str) -> None:
    with Visitor(browser, hall, viewport=TINY, has_touch=True, is_mobile=True) as visitor:
        visitor.settings["language"] = language
        page = visitor.go("lab/shut-the-box")
        page.locator("[data-value='12']").tap()
        changed = odds(page, "digital").locator("[data-changed]")
        expect(changed).to_have_text({"en": "14.2 billion", "de": "14,2\u00a0Mrd."}[language], use_inner_text=True)
        page.locator("[data-value=digital]").tap()
        expect(page.locator("[data-chart=tiles] li")).to_have_count(12)
        assert not scrolls_sideways(page)
        page.locator("[data-value=long]").tap()
        expect(odds(page, "turns").locator("[data-changed]")).to_have_text({"en": "16.7", "de": "16,7"}[language])
        assert not scrolls_sideways(page)


def test_what_changed_stays_in_sight_while_rules_are_changed(phone: Visitor) -> None:
    page = phone.go("lab/farkle")
    expect(odds(page, "turn")).to_be_in_viewport()
    strip = page.locator("[data-strip]")
    choose(page, "board_minimum", 500)
    expect(odds(page, "turn").locator("[data-usual]")).not_to_be_in_viewport()
    expect(strip).to_be_in_viewport(ratio=1)
    expect(strip).to_contain_text("few turns")
    expect(strip).to_contain_text("21.3")
    expect(strip).to_contain_text("not solved")
    assert violations(page) == []
    strip.tap()
    expect(odds(page, "turn")).to_be_in_viewport()
    expect(strip).to_have_count(0)


def test_rules_that_change_nothing_say_so(phone: Visitor) -> None:
    page = phone.go("lab/farkle")
    expect(odds(page, "turn")).to_be_visible()
    choose(page, "bank_minimum", 50)
    expect(page.locator("[data-strip]")).to_have_text("These rules leave the odds as they are.")


def test_at_a_desk_odds_and_rules_are_side_by_side(desk: Visitor) -> None:
    page = desk.go("lab/farkle")
    expect(odds(page, "turn")).to_be_visible()
    choose(page, "bank_minimum", 500)
    expect(odds(page, "turn").locator("[data-usual]")).to_be_in_viewport()
    expect(page.locator("[data-strip]")).not_to_be_visible()


def test_a_goal_that_means_nothing_is_not_called_unsolved(phone: Visitor) -> None:
    page = phone.go("lab/farkle")
    expect(page.get_by_role("heading", name="The chance of a farkle")).to_be_visible()
    expect(odds(page, "farkle:1")).to_contain_text("1 die")
    choose(page, "max_turns", 10)
    expect(odds(page, "turns").locator("[data-changed]")).to_have_text("no such goal")
    expect(odds(page, "arcade").locator("[data-usual]")).to_have_text("no such goal")
    choose(page, "max_turns", 0)
    choose(page, "board_minimum", 500)
    expect(odds(page, "turns").locator("[data-changed]")).to_have_text("not solved")


def test_what_a_tile_costs(phone: Visitor) -> None:
    page = phone.go("game/shut-the-box")
    page.get_by_role("link", name="Lab").tap()
    tiles = page.locator("[data-chart=tiles] li")
    expect(tiles).to_have_count(9)
    helps, costs = tiles.first.locator("i").bounding_box(), tiles.last.locator("i").bounding_box()
    assert helps
    assert costs
    assert helps["x"] + helps["width"] <= costs["x"] + 1, "to the other side"
    page.get_by_role("radio", name="12", exact=True).tap()
    expect(tiles).to_have_count(12)
    assert violations(page) == []


def test_when_to_bank(phone: Visitor) -> None:
    page = phone.go("lab/farkle")
    chart = page.locator("[data-chart=bank-or-roll]")
    expect(chart).to_contain_text("3 dice bank from 400")
    expect(chart).to_contain_text("Roll on Bank")
    expect(chart).not_to_contain_text("on the board")
    expect(chart).not_to_contain_text("Not allowed")
    chart.locator("[data-at='0,4']").tap()
    told = chart.locator("[role=status]")
    expect(told).to_have_text("250 points, 1 die left: rolling brings 2.62 more than banking.")
    choose(page, "bank_minimum", 500)
    expect(chart).to_contain_text("Not allowed to bank below 500")
    expect(chart.locator("[data-at$=',8'].short")).to_have_count(6)
    expect(chart.locator("[data-at$=',9'].short")).to_have_count(0)
    expect(told).to_have_text("250 points, 1 die left: not enough to bank yet.")
    choose(page, "board_minimum", 700)
    expect(chart).to_contain_text("getting there takes 700 points")
    assert violations(page) == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_a_lead_is_worth(browser: Browser, hall: Hall, language: str) -> None:
    """Drawn, and in figures; nothing of it lies outside the smallest screen."""
    with Visitor(browser, hall, viewport=TINY, has_touch=True, is_mobile=True) as visitor:
        visitor.settings["language"] = language
        page = visitor.go("lab/knucklebones")
        chart = page.locator("[data-chart=leads]")
        expect(chart.locator("polyline")).to_have_count(5)
        last = chart.get_by_role("row").last
        expect(last).to_contain_text("14", use_inner_text=True)
        expect(last.get_by_role("cell").nth(2)).to_have_text({"en": "66%", "de": "66\u00a0%"}[language])
        assert not scrolls_sideways(page)
        inside = "(one) => { const b = one.getBoundingClientRect(); return b.left >= 0 && b.right <= innerWidth }"
        for word in chart.locator("text").all():
            assert word.evaluate(inside), word.text_content()
        assert violations(page) == []


def test_each_lead_has_its_own_figure_and_none_where_it_hardly_comes(phone: Visitor) -> None:
    """With two dice on the table nobody is ten points ahead."""
    page = phone.go("lab/knucklebones")
    few = page.locator("[data-chart=leads]").get_by_role("row").nth(1)
    expect(few.get_by_role("cell")).to_have_text(["44%", "46%", "52%", "58%", ""])


def test_the_fields_of_a_chart_by_keyboard(desk: Visitor) -> None:
    page = desk.go("lab/farkle")
    chart = page.locator("[data-chart=bank-or-roll]")
    chart.locator("[role=gridcell][tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowDown", *["ArrowRight"] * 8, "ArrowUp", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    expect(chart.locator("[role=status]")).to_contain_text("450 points, 1 die left: banking brings")
    expect(chart.locator("[role=gridcell][tabindex='0']")).to_have_count(1)


def test_the_chart_of_scores_says_what_the_table_says(phone: Visitor) -> None:
    page = phone.go("lab/lite-solo")
    for option in ("Columns score too", "Reroll"):
        page.get_by_role("switch", name=option).tap()
    choose(page, "target", 60)
    expect(odds(page, "target:60").locator("[data-usual]")).to_be_visible()
    said = odds(page, "target:60").locator("[data-changed]").inner_text()
    expect(page.locator("[data-chart=scores]")).to_contain_text(
        f"Your own 60: reached by {said} of those who play for it"
    )
    field = page.locator("input[name=target]")
    field.fill("")
    field.blur()
    expect(page.locator("[data-chart=scores]")).not_to_contain_text("Your own")
    expect(field).to_have_value("")
    expect(field).to_have_attribute("placeholder", "none")  # in so many words, and no 0


def test_ranges_are_written_as_the_language_does(phone: Visitor) -> None:
    page = phone.go("lab/farkle")
    expect(page.locator("label", has=page.locator("[name=target]"))).to_contain_text("50 – 1,000,000")
    heights = page.locator("label .range").evaluate_all("all => all.map(one => one.getClientRects().length)")
    assert set(heights) == {1}


def test_the_odds_of_classic_knucklebones(phone: Visitor) -> None:
    page = phone.go("game/knucklebones")
    expect(page.get_by_role("link", name="Puzzles")).to_be_visible()
    page.get_by_role("link", name="Lab").tap()
    expect(page.get_by_text("winning 50.9%")).to_be_visible()


def test_puzzles_of_this_game(phone: Visitor) -> None:
    """The first that was never tried: neither the one that was missed nor the one that was solved."""
    page = phone.go("game/farkle")
    expect(page.locator("h1")).to_have_text("Farkle")
    told = page.evaluate("fetch('/api/puzzles').then((answer) => answer.json())")
    order = next([one["number"] for one in game["puzzles"]] for game in told if game["game"] == "farkle")
    for name, number in (("farkle.missed", order[0]), ("farkle", order[1])):
        page.evaluate("([name, all]) => (localStorage[`dicehall.puzzles.${name}`] = all)", [name, f"[{number}]"])
    page.get_by_role("link", name="Puzzles").tap()
    page.wait_for_url(f"**/#/puzzle/farkle/{order[2]}")


def test_a_page_with_opponents_fits_a_small_phone(browser: Browser, hall: Hall) -> None:
    with Visitor(browser, hall, viewport=TINY, has_touch=True, is_mobile=True) as visitor:
        visitor.settings["language"] = "de"
        page = visitor.go("game/farkle")
        page.get_by_role("button", name="Mitspieler hinzufügen").tap()
        expect(page.locator("select")).to_have_count(1)
        assert not scrolls_sideways(page)


def page_of(visitor: Visitor, game: str, title: str) -> Page:
    """A game's page. The last screen stays until the hall has said what there is for the player."""
    page = visitor.go(f"game/{game}")
    expect(page.locator("h1")).to_have_text(title)
    return page


def said_of(page: Page, bot: str) -> Locator:
    page.locator("select").first.select_option(bot)
    return page.locator(".about").first


def test_what_is_said_of_opponents(phone: Visitor) -> None:
    page = page_of(phone, "knucklebones", "Knucklebones")
    expect(said_of(page, "level:4")).to_contain_text("but not exactly. Wins")
    expect(said_of(page, "level:5")).to_contain_text("Wins 47% of its games against perfect play.")
    expect(said_of(page, "perfect")).to_contain_text("it gives away about a twentieth of a percentage point a game.")
    page_of(phone, "farkle", "Farkle")
    page.get_by_role("button", name="Add a player").tap()
    expect(said_of(page, "level:3")).to_have_text(
        "Knows what moves are worth, but not exactly. Wins 30% of its games against perfect play."
    )
    expect(said_of(page, "perfect")).to_have_text("Always plays the best move.")
    page.get_by_role("button", name="Add a player").tap()
    expect(said_of(page, "perfect")).to_have_text("Plays for the points of each turn: winning is not solved here.")
    expect(said_of(page, "level:3")).to_contain_text("Under standard rules, one against one, it wins 30%")
    page_of(phone, "shut-the-box", "Shut the Box")
    page.get_by_role("button", name="Add a player").tap()
    expect(said_of(page, "perfect")).to_contain_text("Plays for few points left")


def test_no_curve_goes_through_the_chances_beside_it(phone: Visitor) -> None:
    page = phone.go("lab/knucklebones")
    chart = page.locator("[data-chart=leads] svg")
    expect(chart).to_be_visible()
    right, left = chart.evaluate(
        "one => [['.chance', 'right', Math.max], ['polyline, .half', 'left', Math.min]].map(([which, side, most]) =>"
        " most(...[...one.querySelectorAll(which)].map((each) => each.getBoundingClientRect()[side])))"
    )
    assert right < left
