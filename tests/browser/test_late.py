"""Answers that come late, or never: whoever has gone on is not fetched back, the last question is the one that is
answered, and a tap in vain is told so."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.test_lite import CELLS, SPEC_DICE
from tests.browser.visit import DRAWN, Visitor
from tests.patience import PATIENCE

AWAY = "The hall cannot be reached."
WITHOUT_A_LINE = "ERR_INTERNET_DISCONNECTED"
# A word about what was done stays for five seconds; nobody reads it here.
NOTICES_PASS = """const later = window.setTimeout.bind(window)
    window.setTimeout = (what, time, ...more) => later(what, time === 5000 ? 50 : time, ...more)"""


class Held:
    """Questions whose answers wait until they are let go."""

    def __init__(self, page: Page, where: str) -> None:
        self.page, self.where = page, where
        self.kept: list[Route] = []
        page.route(where, lambda route: self.kept.append(route))

    def wait(self, count: int = 1) -> None:
        """Until so many have been asked."""
        late = time.monotonic() + PATIENCE
        while len(self.kept) < count:
            assert time.monotonic() < late, f"nobody asked for {self.where}"
            self.page.wait_for_timeout(5)

    def let_go(self, number: int = 0, **answer: Any) -> None:
        """The answer to one of them comes, the hall's or this one, and the page has dealt with it."""
        route = self.kept[number]
        with self.page.expect_response(lambda response: response.request == route.request) as told:
            route.fulfill(**answer) if answer else route.continue_()
        told.value.finished()
        self.page.evaluate(DRAWN)


def go_on(page: Page, place: str) -> None:
    """Within the page, as a link does."""
    page.evaluate("to => void (location.hash = to)", f"/{place}")


# -- whoever has gone on


def test_whoever_has_left_a_replay_is_not_fetched_back(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    phone.finish()
    film = Held(page, "**/api/runs/*/film")
    page.get_by_role("link", name="Replay").tap()
    film.wait()
    go_on(page, "statistics")
    expect(page.locator("h1")).to_have_text("Statistics")
    film.let_go()
    expect(page.locator("h1")).to_have_text("Statistics")
    assert page.url.endswith("#/statistics")


def test_a_replay_that_plays_lets_one_go(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    phone.finish()
    lab = Held(page, "**/assets/Lab-*.js")
    page.get_by_role("link", name="Replay").tap()
    page.get_by_role("button", name="Play", exact=True).tap()
    go_on(page, "lab/farkle")
    lab.wait()
    expect(page.locator("input[type=range]")).to_have_value("2")  # it is still there, and goes on
    assert page.url.endswith("#/lab/farkle")
    lab.let_go()
    expect(page.locator("h1")).to_contain_text("Farkle")


def test_a_table_that_comes_too_late_is_found_in_the_hall(phone: Visitor) -> None:
    """Also while the hall is on its way, and though nobody has done anything there."""
    page = phone.go("game/lite-solo")
    phone.idle()
    opened, lobby = Held(page, "**/api/tables"), Held(page, "**/api/lobby")
    page.locator("[data-play]").tap()
    opened.wait()
    go_on(page, "")
    lobby.wait()
    before = lobby.kept[0].fetch().json()
    opened.let_go()
    assert page.url.endswith("#/")
    lobby.let_go(json=before)
    lobby.wait(2)
    lobby.let_go(1)
    expect(page.locator("[data-left] a")).to_have_count(1)
    go_on(page, "play/farkle")  # and once more, when the hall is there
    opened.wait(2)
    go_on(page, "")
    lobby.wait(3)
    lobby.let_go(2)
    expect(page.locator("[data-left] a")).to_have_count(1)
    opened.let_go(1)
    lobby.wait(4)
    lobby.let_go(3)
    expect(page.locator("[data-left] a")).to_have_count(2)
    assert page.url.endswith("#/")
    page.locator("[data-left] a").filter(has_text="Knucklebones-lite").tap()
    phone.rest()
    expect(page.locator(".cell.open")).to_have_count(9)


# -- the last question


def board(*names: str, more: str | None = None) -> dict[str, Any]:
    entry = {"new_account": False, "same_network": None, "reached_at": 0, "runs": 1, "took": None, "outcome": None}
    rows = [
        {**entry, "rank": n, "player": name, "nickname": name, "score": 9, "scores": None, "run": name}
        for n, name in enumerate(names, 1)
    ]
    return {"entries": rows, "players": len(rows), "me": None, "next": more}


def test_a_board_has_the_rows_of_what_is_chosen_and_none_twice(phone: Visitor) -> None:
    page = phone.page
    lite, farkle = Held(page, "**/api/boards/lite-solo?*"), Held(page, "**/api/boards/farkle?*")
    modes = [{"mode": mode, "players": 1} for mode in ("standard", "target=90")]
    page.route("**/api/boards/lite-solo/modes", lambda route: route.fulfill(json=modes))
    phone.go("boards/lite-solo")
    lite.wait()
    page.get_by_role("combobox", name="Mode").select_option("target=90")
    lite.wait(2)
    assert "mode=target%3D90" in lite.kept[1].request.url
    page.get_by_role("combobox", name="Five games").select_option("farkle")
    farkle.wait()
    assert "mode=standard" in farkle.kept[0].request.url, "the other was one of that game"
    farkle.let_go(json=board("Ada", more="on"))
    expect(page.locator("tbody .who a")).to_have_text("Ada")
    lite.let_go(json=board("Grace"))
    expect(page.locator("tbody .who a")).to_have_text("Ada")
    for _ in range(2):
        page.get_by_role("button", name="More").tap()
    farkle.wait(3)
    for number in (2, 1):
        farkle.let_go(number, json=board("Hedy"))
    expect(page.locator("tbody .who a")).to_have_text(["Ada", "Hedy"])
    page.get_by_role("combobox", name="Five games").select_option("lite-solo")
    lite.wait(3)
    expect(page.locator("tbody")).to_have_count(0)  # those were others'


def test_more_of_my_runs_come_once(phone: Visitor) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    phone.finish()
    runs = Held(page, "**/api/runs?*")
    phone.go("runs")
    runs.wait()
    told = runs.kept[0].fetch().json()
    runs.let_go(json=told | {"next": "on"})
    for _ in range(2):
        page.get_by_role("button", name="More").tap()
    runs.wait(3)
    others = [one | {"id": "another"} for one in told["runs"]]
    for number in (1, 2):
        runs.let_go(number, json={"runs": others, "next": None})
    expect(page.locator("main li")).to_have_count(2)


def test_the_chance_is_that_of_the_position_on_the_table(phone: Visitor) -> None:
    phone.settings["oneTap"] = True
    worth = Held(phone.page, "**/worth")
    page = phone.sit("lite-solo", "6" * 9, {"target": 90})
    worth.wait()
    before = worth.kept[0].fetch().json()
    phone.tap("button[data-cell=a1]")
    worth.wait(2)
    worth.let_go(1)
    expect(page.locator("[data-played]")).to_contain_text("chance now 39%")
    worth.let_go(0, json=before)
    expect(page.locator("[data-played]")).to_contain_text("chance now 39%")


# -- without a line


def tap_in_vain(visitor: Visitor, *buttons: Locator) -> None:
    """A tap on each says why nothing happens."""
    visitor.watch("[data-notice]")
    for count, button in enumerate(buttons, 1):
        button.tap()
        visitor.page.wait_for_function("(count) => watched.length === count", arg=count)
        expect(visitor.page.locator("[data-notice]")).to_have_count(0)
    assert visitor.watched() == [AWAY] * len(buttons)


def test_another_language_comes_as_soon_as_there_is_a_line(phone: Visitor) -> None:
    """Until then the page says what it is in."""
    phone.forgiven = (WITHOUT_A_LINE,)
    page = phone.go("settings")
    phone.idle()
    phone.context.set_offline(True)
    page.route(
        "**/*", lambda route: route.abort("internetdisconnected")
    )  # or an earlier visitor's German would still be there
    page.get_by_role("radio", name="Deutsch").tap()
    expect(page.locator("[data-notice]")).to_have_text(AWAY)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.unroute_all()
    phone.context.set_offline(False)
    expect(page.locator("h1")).to_have_text("Einstellungen")
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_the_end_of_a_run_answers_taps_without_a_line(phone: Visitor) -> None:
    """The same ones do what they are for when there is one again. So does giving up, in the hall."""
    phone.forgiven = (WITHOUT_A_LINE, "ERR_FAILED")
    phone.before(NOTICES_PASS)
    page = phone.sit("lite-solo", SPEC_DICE)
    page.route("**/api/runs/*", lambda route: route.abort())
    phone.finish()
    phone.idle()
    same, share = page.get_by_role("button", name="Same dice"), page.locator("[data-share]")
    phone.context.set_offline(True)
    tap_in_vain(phone, same, share)
    phone.context.set_offline(False)
    share.tap()
    expect(page.locator("dialog pre")).to_be_visible()
    page.get_by_role("button", name="Close").tap()
    page.unroute("**/api/runs/*")
    same.tap()
    expect(page.locator(".cell.open")).to_have_count(9)
    phone.rest()
    phone.play_ahead(CELLS[:1])
    phone.go()
    page.reload()  # so that it needs what the table has brought
    phone.idle()
    phone.context.set_offline(True)
    give_up = page.get_by_role("button", name="Abandon this run: Knucklebones-lite")
    tap_in_vain(phone, give_up)
    phone.context.set_offline(False)
    give_up.tap()
    expect(page.locator("dialog")).to_be_visible()


def test_the_next_puzzle_is_asked_for_again(phone: Visitor) -> None:
    phone.forgiven = ("ERR_FAILED",)
    page = phone.go("puzzle/lite-solo/1")
    phone.rest()
    page.route("**/api/puzzles", lambda route: route.abort())
    page.locator(".cell.open").first.tap()
    page.locator(".cell.open").first.tap()
    expect(page.locator("[data-verdict]")).to_be_visible()
    if page.locator("[data-give-up]").count():
        page.locator("[data-give-up]").tap()
    page.locator("[data-next]").tap()
    expect(page.locator("[data-notice]")).to_have_text(AWAY)
    page.unroute("**/api/puzzles")
    page.locator("[data-next]").tap()
    expect(page.locator("[data-puzzle]")).not_to_have_attribute("data-puzzle", "1")


# -- what there is not


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_game_that_does_not_exist(phone: Visitor, language: str) -> None:
    """And an address that nobody can read is the hall's."""
    phone.settings["language"] = language
    told = {"en": "There is no such game.", "de": "Dieses Spiel gibt es nicht."}[language]
    phone.forgiven += ("closed before the connection is established",)  # who leaves a table at once
    page = phone.go("rules/farkle")
    for kind in ("rules", "game", "boards", "lab", "puzzle", "play"):
        go_on(page, f"{kind}/farkle/1")
        expect(page.get_by_role("alert")).to_have_count(0)
        go_on(page, f"{kind}/chess/1")
        expect(page.get_by_role("alert")).to_have_text(told)
    page.locator("main a").tap()
    expect(page.locator("[data-game]")).to_have_count(5)
    go_on(page, "settings")
    expect(page.locator("[data-game]")).to_have_count(0)
    go_on(page, "run/%")
    expect(page.locator("[data-game]")).to_have_count(5)
