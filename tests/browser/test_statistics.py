"""The page of one's own play: figures as the hall has them, in pictures and in tables, for everybody."""

from __future__ import annotations

import time
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from dicehall.store.engine import open_engine
from tests.browser.tables import STILL
from tests.browser.test_access import violations
from tests.browser.test_late import Held
from tests.browser.test_lite import CELLS as ALL_CELLS
from tests.browser.test_lite import SPEC_DICE, fill
from tests.browser.visit import Visitor
from tests.server.simulated import Case, keep, simulate

CASES: list[Case] = [
    ("lite-solo", {}, ["you"]),
    ("farkle", {"target": 1000}, ["you"]),
    ("knucklebones", {}, ["you", "spec"]),
    ("knucklebones", {}, ["you", "level:1"]),
    ("knucklebones", {}, ["you", "you"]),
]
# What lies beyond the right margin of the column, by its name and how far.
OUTSIDE = """() => [...document.querySelectorAll('main *')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth - 19.5 && !one.closest('.unseen'))
    .map((one) => `${one.tagName}.${one.getAttribute('class')} ${one.getBoundingClientRect().right}`)"""


def give_runs(visitor: Visitor, count: int) -> None:
    """Finished runs of whoever visits, past the server."""
    me = visitor.page.evaluate("() => fetch('/api/me').then((answer) => answer.json())")
    engine = open_engine(f"sqlite:///{visitor.hall.data}/hall.sqlite")
    with engine.begin() as connection:
        keep(connection, list(simulate(me["id"], count, Random(7), int(time.time()), CASES)))
    engine.dispose()


def told(visitor: Visitor, path: str = "") -> Any:
    return visitor.page.evaluate("(path) => fetch(path).then((answer) => answer.json())", f"/api/me/statistics{path}")


def settled(page: Page) -> None:
    """Until the coach has looked at everything."""
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    expect(page.locator("[data-luck] [role=status]")).to_have_count(0)


def cells(page: Page, card: str) -> list[list[str]]:
    rows = page.locator(f"[{card}] tbody tr")
    found: list[list[str]] = rows.evaluate_all("all => all.map(row => [...row.cells].map(cell => cell.textContent))")
    return found


def test_one_tap_from_the_hall_and_from_my_runs_to_ones_own_figures(phone: Visitor) -> None:
    page = phone.go()
    page.get_by_role("link", name="Statistics").tap()
    expect(page.locator("main")).to_contain_text("No run counts here yet")
    assert violations(page) == []
    page.get_by_role("main").get_by_role("link", name="Five games").tap()
    expect(page.locator("[data-game]")).to_have_count(5)
    give_runs(phone, 40)
    phone.go("runs").get_by_role("link", name="Statistics").tap()

    settled(page)
    found = told(phone)
    expect(page.locator("[data-counted]")).to_contain_text("the first attempt at each daily. Left out: 8 runs")
    expect(page.get_by_role("radio", checked=True)).to_have_text(f"Ranked ({found['ranked']})")
    options = page.get_by_role("combobox", name="Game and variant").locator("option")
    assert options.count() == len(found["variants"]) == 3

    duel = next(one for one in found["variants"] if one["game"] == "knucklebones")
    page.get_by_role("combobox").select_option(label=f"Knucklebones: Standard · 2 seats ({duel['runs']})")
    settled(page)
    expect(page.locator(".figures div").first).to_have_text(f"Runs {duel['runs']}")
    expect(page.locator("[data-share=Won]")).to_contain_text(f"{sum(o['won'] for o in duel['opponents'])} of")
    names = {"spec": "Hugo", "level:1": "Pip"}
    assert cells(page, "data-opponents") == [
        [names[one["players"][0]], *(str(one[how]) for how in ("won", "drawn", "lost"))] for one in duel["opponents"]
    ]
    expect(page.locator("[data-luck]")).to_contain_text("Played for winning.")
    assert violations(page) == []

    page.get_by_role("combobox").select_option(index=[one["game"] for one in found["variants"]].index("lite-solo"))
    settled(page)
    scores = told(phone, "/scores?game=lite-solo")["bins"]
    assert page.locator("[data-scores] rect[data-bin]").count() == len(scores)
    assert [row[1].split(" ")[0] for row in cells(page, "data-scores")] == [str(one["runs"]) for one in scores]
    luck = told(phone, "/luck?game=lite-solo")["recent"]
    assert page.locator("[data-luck] rect").count() == len(luck)
    assert [row[1] for row in cells(page, "data-luck")] == [str(one["score"]) for one in reversed(luck)]
    shown = page.locator("[data-days] circle.played[data-day]").evaluate_all("all => all.map(one => one.dataset.day)")
    assert shown == [one["day"] for one in found["days"]] != []
    expect(page.locator("[data-days] circle[data-day]").last).to_have_attribute("data-day", found["today"])
    expect(page.locator("[data-days] h2")).to_have_text(f"Days in a row with a daily: {found['streak']}")
    page.get_by_text("As a table").nth(1).tap()
    assert violations(page) == [], "with a table open"
    page.locator("[data-luck] tbody a").first.tap()
    expect(page.locator("input[type=range]")).to_be_visible()


def test_it_fits_every_screen_in_both_languages(phone: Visitor) -> None:
    page = phone.go("statistics")
    expect(page.locator("main .button")).to_be_visible()
    give_runs(phone, 20)
    for language, title in (("de", "Statistik"), ("en", "Statistics")):
        kept = {**phone.settings, "language": language}
        page.evaluate("(kept) => void (localStorage['dicehall.settings'] = JSON.stringify(kept))", kept)
        for place in ("", "statistics/farkle", "statistics/knucklebones"):
            phone.go(place)
            page.reload()
            expect(page.locator("[data-days]" if place else "[data-game] .best").first).to_be_visible()
            for width, height in ((320, 568), (390, 844), (1440, 900)):
                page.set_viewport_size({"width": width, "height": height})
                if place:
                    expect(page.locator("h1")).to_have_text(title)
                    settled(page)
                page.evaluate(STILL)  # charts follow the new size with the next frame
                assert page.evaluate(OUTSIDE) == [], (language, place, width)


def test_no_chart_is_wider_than_its_column_though_nobody_measures_it_again(phone: Visitor) -> None:
    """A busy device measures late; what is drawn for a wide column then stands in a narrow one."""
    phone.before("window.ResizeObserver = class { observe() {} unobserve() {} disconnect() {} }")
    page = phone.go("statistics")
    expect(page.locator("main .button")).to_be_visible()
    give_runs(phone, 20)
    page.set_viewport_size({"width": 1440, "height": 900})
    phone.go("statistics/farkle")
    page.reload()
    expect(page.locator("[data-days]")).to_be_visible()
    settled(page)
    page.set_viewport_size({"width": 320, "height": 568})
    assert page.evaluate(OUTSIDE) == []


# Sizes of what is drawn that are less than nothing; with the width of the column at the time.
LESS_THAN_NOTHING = """(width) => { document.querySelector('main').style.width = `${width}px`
    return new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(() => told(
        [...document.querySelectorAll('svg, rect, pattern, circle')].flatMap((one) => ['width', 'height', 'r']
            .filter((name) => Number(one.getAttribute(name)) < 0).map((name) => `${one.tagName} ${name}`))))))
}"""


def test_a_chart_without_room_is_drawn_all_the_same(phone: Visitor) -> None:
    """A window that is pulled about may leave none at all."""
    page = phone.go("statistics")
    expect(page.locator("main .button")).to_be_visible()
    give_runs(phone, 20)
    phone.go("statistics/lite-solo")
    page.reload()
    expect(page.locator("[data-luck] svg")).to_be_visible()
    settled(page)
    for width in (0, 30, 280, 2000, 0):
        assert page.evaluate(LESS_THAN_NOTHING, width) == [], width


def test_one_run_is_one_die(phone: Visitor) -> None:
    """And a hall that does not get on with what it has to count is left alone."""
    phone.sit("farkle", "", {"target": 1000}, kind="practice")
    page = phone.finish()
    phone.go("statistics/farkle")
    settled(page)
    expect(page.locator("[data-scores]")).to_contain_text("One die: 1 run")
    sizes = page.locator("rect[data-bin]").evaluate_all(
        "all => all.map(({ width, height }) => [width.baseVal.value, height.baseVal.value]).filter(([, high]) => high)"
    )
    assert len(sizes) == 1, "one run, one score"
    assert sizes[0][0] == sizes[0][1] <= 22, "a die, not a wall"
    figures, luck = Held(page, "**/api/me/statistics?*"), Held(page, "**/api/me/statistics/luck?*")
    page.reload()
    figures.wait()
    figures.let_go()  # of what counts there is nothing: so it asks for practice
    for held, number, left in ((figures, 1, "uncounted"), (luck, 0, "unjudged")):
        held.wait(number + 1)
        told = held.kept[number].fetch().json() | {left: 3}
        held.let_go(number, json=told)
        held.wait(number + 2)  # once more, and nothing has been done
        held.let_go(number + 1, json=told)
        assert len(held.kept) == number + 2, left
    expect(page.locator("[data-counted] [role=status]")).to_be_visible()
    expect(page.locator("[data-luck]").get_by_role("button", name="Try again")).to_be_visible()


def test_practice_is_shown_apart(phone: Visitor) -> None:
    """And first where there is nothing else."""
    page = phone.sit("lite-solo", SPEC_DICE, {"target": 20})
    fill(phone, ALL_CELLS)
    phone.go("statistics")
    expect(page.get_by_role("radio", checked=True)).to_have_text("Practice (1)")
    expect(page.locator("[data-counted]")).to_contain_text("Runs that count on no board")
    expect(page.locator("[data-share='Target reached']")).to_contain_text("100% 1 of 1 runs")
    page.get_by_role("radio", name="Ranked (0)").tap()
    expect(page.locator("main")).to_contain_text("No run for the boards yet.")
