"""The coach's sheet at a table: what it says when there is no answer, and how exactly it says the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.browser.test_access import violations
from tests.browser.test_lite import CELLS, fill
from tests.browser.visit import Visitor

LATER = 60_000  # milliseconds; more than any message stays
FARKLE = "152226"
Answer = Callable[[dict[str, Any]], dict[str, Any] | None]


@pytest.fixture(autouse=True)
def nothing_moves(phone: Visitor) -> None:
    phone.settings["motion"] = "reduced"


def ask(page: Page) -> Locator:
    page.locator("[data-action=hint]").tap()
    return page.locator("dialog")


def intercept(visitor: Visitor, answer: Answer) -> None:
    """Questions to the coach are answered here: with a message, or not at all; a lambda that raises lets them pass."""

    def between(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def heard(message: str | bytes) -> None:
            told = json.loads(message)
            if told["type"] != "hint":
                return server.send(message)
            try:
                said = answer(told)
            except LookupError:
                return server.send(message)
            return line.send(json.dumps(said)) if said else None

        line.on_message(heard)

    visitor.context.route_web_socket("**/ws/**", between)


@pytest.mark.parametrize(
    ("game", "options", "seats", "kind"),
    [
        ("lite-versus", {"columns": True}, "you,random", "ranked"),
        ("shut-the-box", {"preset": "long"}, "you,you", "practice"),
        ("shut-the-box", {"mode": "long", "tiles": 12, "variant": "alwaysSumDuo"}, "", "practice"),
    ],
)
def test_no_hint_is_offered_where_the_coach_knows_nothing(
    phone: Visitor, game: str, options: dict[str, Any], seats: str, kind: str
) -> None:
    with phone.page.expect_response("**/prospects*"):
        page = phone.sit(game, "", options, seats, kind=kind)
    expect(page.locator("[data-action=hint]")).to_be_hidden()
    page.keyboard.press("h")
    expect(page.locator("dialog")).to_have_count(0)


def test_a_hint_is_offered_though_the_hall_does_not_say_what_it_knows(phone: Visitor) -> None:
    phone.page.route("**/prospects*", lambda route: route.abort())
    page = phone.sit("lite-solo", "66")
    ask(page)
    expect(page.locator("[data-hint]")).to_be_visible()
    phone.complaints.clear()  # the browser notes what failed


def test_banking_stands_beside_rolling_on(phone: Visitor) -> None:
    page = phone.sit("farkle", FARKLE)
    phone.tap("[data-die='0']")
    phone.tap("[data-die='1']")
    ask(page)
    best = page.locator("[data-hint] li").first
    expect(best).to_contain_text("keep 1, then roll on")
    expect(best.locator("[data-instead=bank]")).to_have_text("or bank: 22.06")
    mine = page.locator("[data-move='1+5']")
    expect(mine.locator("[data-considered]")).to_have_text("your choice")
    expect(mine.locator("[data-instead]")).to_have_count(1)
    assert violations(page) == []


def test_what_the_player_thinks_of_is_among_what_a_hint_shows(phone: Visitor) -> None:
    page = phone.sit("farkle", "111555")
    phone.tap("[data-group='5']")
    ask(page)
    expect(page.locator("[data-hint] li")).to_have_count(7)
    expect(page.locator("[data-hint] li").last).to_contain_text("your choice")


def test_the_tip_of_the_panel_stays_what_it_is(phone: Visitor) -> None:
    """For the points of the turn it is 333+1; for few turns, which a hint is about, it is the 1 alone."""
    page = phone.sit("farkle", "123334", {"target": 500})
    expect(page.locator("[data-best]")).to_have_attribute("data-best", "333+1")
    ask(page)
    expect(page.locator("[data-hint]")).to_have_attribute("data-hint", "1")
    page.get_by_role("button", name="Close").tap()
    expect(page.locator("[data-best]")).to_have_attribute("data-best", "333+1")
    expect(page.locator("[data-die].hinted")).to_have_count(1)
    expect(page.locator("[data-die='0'].hinted")).to_have_count(1)


def test_a_lost_line_is_said_and_can_be_tried_again(phone: Visitor) -> None:
    page = phone.sit("lite-solo", "66")
    phone.equip()
    phone.context.set_offline(True)
    sheet = ask(page)
    expect(sheet).to_contain_text("No connection")
    page.get_by_role("button", name="Try again").tap()
    expect(sheet).to_contain_text("No connection")
    phone.context.set_offline(False)
    expect(page.locator("[data-hint]")).to_be_visible()
    expect(page.locator("[data-silence]")).to_have_count(0)
    phone.complaints = [text for text in phone.complaints if "ERR_INTERNET_DISCONNECTED" not in text]


def test_a_question_that_nobody_answers_can_be_asked_again(phone: Visitor) -> None:
    answers: list[dict[str, Any] | None] = [None]
    intercept(phone, lambda _: answers.pop())
    phone.context.clock.install()
    page = phone.sit("lite-solo", "66")
    sheet = ask(page)
    expect(sheet).to_contain_text("One moment")
    phone.context.clock.fast_forward(LATER)
    expect(sheet).to_contain_text("No answer so far")
    page.get_by_role("button", name="Try again").tap()
    expect(page.locator("[data-hint]")).to_be_visible()
    expect(page.locator("[data-silence]")).to_have_count(0)


def test_a_goal_that_is_not_solved_is_said_in_the_players_words(phone: Visitor) -> None:
    def refuse(asked: dict[str, Any]) -> dict[str, Any]:
        if asked["objective"] != "turn":
            raise LookupError
        return {"type": "error", "code": "objective", "message": "no book here has it; build it: `dicehall solve`"}

    intercept(phone, refuse)
    page = phone.sit("farkle", FARKLE)
    sheet = ask(page)
    goals = page.get_by_role("combobox", name="Play for")
    goals.select_option("turn")
    expect(page.locator("[data-silence]")).to_have_text("With these rules nobody has solved that yet.")
    expect(goals).to_have_value("turns")
    expect(page.locator("[data-hint] li").first).to_contain_text("keep 1")
    assert "book" not in sheet.inner_text()
    assert violations(page) == []


def test_a_chosen_goal_is_kept_for_the_table(phone: Visitor) -> None:
    page = phone.sit("farkle", FARKLE + FARKLE)
    ask(page)
    goals = page.get_by_role("combobox", name="Play for")
    goals.select_option("turn")
    expect(page.locator("dialog")).to_contain_text("Best for the points of this turn")
    page.get_by_role("button", name="Close").tap()
    phone.tap("[data-best]")
    phone.tap("[data-action=bank]")
    ask(page)
    expect(goals).to_have_value("turn")


def test_values_that_differ_look_different(phone: Visitor) -> None:
    page = phone.sit("farkle", FARKLE)
    ask(page)
    values = page.locator("[data-hint] .worth b")
    expect(values).to_have_count(6)
    assert len(set(values.all_inner_texts())) == 6
    expect(page.locator("dialog .head")).to_contain_text("turns")


def test_a_small_loss_is_said_to_be_small(phone: Visitor) -> None:
    page = phone.sit("shut-the-box", "66", {"tiles": 12})
    ask(page)
    expect(page.locator("[data-hint] li").nth(1)).to_contain_text("loses less than 0.01 pp")


def test_a_hinted_set_is_in_sight(phone: Visitor) -> None:
    phone.page.set_viewport_size({"width": 320, "height": 568})
    page = phone.sit("shut-the-box", "65", {"tiles": 12, "rounds": 1})
    far = page.locator("[data-combo]").last.get_attribute("data-combo")
    page.locator("[data-combo]").last.scroll_into_view_if_needed()
    expect(page.locator("[data-combo]").first).not_to_be_in_viewport()
    ask(page)
    hinted = page.locator("[data-combo].hinted")
    expect(hinted).to_have_count(1)
    assert hinted.get_attribute("data-combo") != far
    page.get_by_role("button", name="Close").tap()
    expect(hinted).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("game", ["knucklebones", "lite-solo"])
def test_a_name_is_never_broken_within_a_word(phone: Visitor, game: str) -> None:
    phone.page.set_viewport_size({"width": 320, "height": 640})
    page = phone.sit(game, kind="practice")
    lines = page.locator("h1").evaluate(
        "one => { const range = document.createRange(); range.selectNodeContents(one); "
        "return new Set([...range.getClientRects()].map(({ top }) => top)).size }"
    )
    assert lines <= (1 if game == "knucklebones" else 2)


def test_where_there_is_one_keep_the_coach_says_whether_to_bank(phone: Visitor) -> None:
    """There is one thing to keep, and two to do after it."""
    page = phone.sit("farkle", "256324")
    expect(page.locator("[data-action=hint]")).to_be_visible()
    expect(page.locator("[data-group]")).to_have_count(1)
    phone.tap("[data-group='5']")
    page.locator("[data-action=hint]").tap()
    expect(page.locator("dialog")).to_contain_text("keep 5, then roll on")
    expect(page.locator(".refusal")).to_have_count(0)


def test_where_there_is_one_move_the_coach_is_not_asked(phone: Visitor) -> None:
    """A hint that says nothing costs nothing either."""
    page = phone.sit("lite-solo", kind="ranked")
    expect(page.locator("[data-action=hint]")).to_be_visible()  # it is known that the coach knows this game
    fill(phone, CELLS[:8])
    expect(page.locator("[data-action=hint]")).to_have_attribute("aria-disabled", "true")
    page.locator("[data-action=hint]").tap(force=True)
    expect(page.locator(".refusal")).to_have_text("There is only one move.")
    expect(page.locator("dialog")).to_have_count(0)
