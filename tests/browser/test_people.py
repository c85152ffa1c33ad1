"""People at a table, each with a browser of their own: from the invitation to the rematch, by taps."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.tables import MEASURED
from tests.browser.test_access import violations
from tests.browser.test_whole_runs import TAPS
from tests.browser.visit import AT_REST, JUST_CAME_UP, LATE, Hall, Visitor

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
MINE = "li.mine[aria-current=true]"
ENDED = "[data-end]"
REACH_SOCKETS = """window.sockets = []; window.WebSocket = class extends WebSocket {
    constructor(...a) { super(...a); sockets.push(this) } }"""
MOST_MOVES = 300

Guests = Callable[..., list[Visitor]]


@pytest.fixture
def guests(browser: Browser, hall: Hall) -> Iterator[Guests]:
    """So many people with phones."""
    with ExitStack() as stack:

        def come(count: int, **context: Any) -> list[Visitor]:
            return [stack.enter_context(Visitor(browser, hall, **{**PHONE, **context})) for _ in range(count)]

        yield come


def invite(host: Visitor, game: str, agreed: dict[str, Any] | None = None, seats: int = 2, **options: Any) -> str:
    """The address of a room, where the host waits."""
    page = host.go(f"invite/{game}")
    expect(page.locator("[data-action=ask]")).to_be_visible()
    page.evaluate(
        "([game, agreed, options]) => { localStorage[`dicehall.invite.${game}`] = agreed;"
        " localStorage[`dicehall.game.${game}`] = options }",
        [game, json.dumps({"begins": "host"} | (agreed or {})), json.dumps({"options": options})],
    )
    page.reload()
    if seats > 2:
        page.locator(f"[data-value='{seats}']").first.tap()
    page.locator("[data-action=ask]").tap()
    expect(page.locator("[data-room=gathering]")).to_be_visible()
    return page.url.split("#/")[1]


def sit_together(people: list[Visitor], game: str, agreed: dict[str, Any] | None = None, **options: Any) -> str:
    """At a table where the first of them begins."""
    room = invite(people[0], game, agreed, len(people), **options)
    for guest in people[1:]:
        guest.go(room)
    for one in people:
        expect(one.page.locator("[data-people]")).to_be_visible()
        one.rest()
    return room


def whose_turn(people: list[Visitor]) -> Visitor | None:
    """Whoever is to move, as soon as their own page says so; nobody when it is over."""
    for _ in range(1000):
        for one in people:
            if one.page.locator(f"{AT_REST} {MINE}").count():
                return one
        if all(one.page.locator(ENDED).count() for one in people):
            return None
        people[0].page.wait_for_timeout(20)
    raise AssertionError("it is nobody's turn")


def play_out(people: list[Visitor], game: str) -> None:
    for _ in range(MOST_MOVES):
        one = whose_turn(people)
        if one is None:
            break
        TAPS[game](one)
    for one in people:
        expect(one.page.locator(ENDED)).to_be_visible()
        one.page.evaluate(JUST_CAME_UP)


def test_by_invitation_a_whole_game_and_a_rematch(guests: Guests) -> None:
    anna, bert = people = guests(2)
    page = anna.go("game/lite-versus")
    page.locator("[data-invite]").tap()
    page.locator("[data-action=ask]").tap()
    expect(page.locator("[data-qr]")).to_be_visible()
    assert re.fullmatch("[A-Z]{5}-[A-Z]{5}", page.locator("[data-code]").get_attribute("data-code") or "")
    bert.page.goto(page.url)
    expect(bert.page.locator("[data-people]")).to_be_visible()
    play_out(people, "lite-versus")
    ends = {one.page.locator(ENDED).get_attribute("data-end") for one in people}
    assert ends in ({"won", "lost"}, {"drawn"})
    expect(page.locator("[data-people]").get_by_role("link", name="Guest")).to_have_count(1)
    run = (page.locator("[aria-label=Replay]").get_attribute("href") or "").removeprefix("#/run/")
    told = anna.asked(f"/api/runs/{run}")
    assert {one["seat"] for one in told["record"]["dice"]["contributions"]} == {0, 1}
    assert anna.asked(f"/api/runs/{run}/proof")["ok"]
    first = whose_board(anna)
    watched = bert.page.context.new_page()
    watched.goto(f"{bert.hall.address}/#/run/{run}")
    expect(watched.locator(".status")).to_contain_text("A guest 1")
    watched.close()
    anna.page.locator("[data-action=ready]").tap()
    expect(anna.page.locator("[data-waits=between]")).to_have_text("Waiting for Guest …")
    expect(bert.page.locator("[data-standing]")).to_contain_text("Guest would like a rematch.")
    bert.page.locator("[data-action=ready]").tap()
    for one in people:
        expect(one.page.locator(ENDED)).to_have_count(0)
        one.rest()
    assert whose_board(anna) != first, "whoever did not begin begins"


def whose_board(visitor: Visitor) -> str | None:
    return visitor.page.locator("[data-people] .mine").get_attribute("data-seat")


def test_by_a_code_a_whole_knucklebones(guests: Guests) -> None:
    anna, bert = people = guests(2)
    invite(anna, "knucklebones")
    code = anna.page.locator("[data-code]").get_attribute("data-code") or ""
    page = bert.go()
    page.get_by_role("link", name="Enter a code").tap()
    page.locator("[name=code]").fill(code.lower().replace("-", " "))
    page.locator("[data-action=find]").tap()
    for one in people:
        expect(one.page.locator("[data-people]")).to_be_visible()
    play_out(people, "knucklebones")
    headlines = {one.text(f"{ENDED} h2") for one in people}
    assert headlines in ({"You won!", "Guest wins"}, {"A draw"}), headlines


def test_three_play_farkle_and_one_gives_up(guests: Guests) -> None:
    anna, bert, cleo = people = guests(3)
    sit_together(people, "farkle", target=500)
    expect(anna.page.locator("[data-people] li")).to_have_count(3)
    bert.equip()
    resign(bert)
    expect(anna.page.locator("[data-people]")).to_contain_text("has given up")
    expect(anna.page.locator("[data-heard]")).to_contain_text("has given up")
    play_out([anna, cleo], "farkle")
    assert {one.page.locator(ENDED).get_attribute("data-end") for one in (anna, cleo)} == {"won", "lost"}
    assert bert.page.locator(ENDED).get_attribute("data-end") == "lost"


def resign(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_role("button", name="Menu").tap()
    page.locator("[data-action=resign]").tap()
    page.get_by_role("button", name="Resign").last.tap()
    expect(page.locator("dialog")).to_have_count(0)


def test_who_gives_up_loses_and_both_hear_why(guests: Guests) -> None:
    anna, bert = people = guests(2)
    sit_together(people, "lite-versus", {"best_of": 3})
    assert "Best of 3, game 1 · 0 : 0" in anna.text("[data-played]")
    bert.equip()
    resign(bert)
    expect(anna.page.locator(f"{ENDED} h2")).to_have_text("Guest has given up: you win.")
    expect(bert.page.locator(f"{ENDED} h2")).to_have_text("You have given up: Guest wins.")
    expect(anna.page.locator("[data-standing]")).to_contain_text("1 : 0")
    expect(bert.page.locator("[data-standing]")).to_contain_text("0 : 1")
    expect(anna.page.locator("[data-action=ready]")).to_have_text("Next game")
    bert.page.evaluate(JUST_CAME_UP)
    bert.page.locator("[data-action=leave]").tap()
    expect(bert.page.locator("dialog")).to_contain_text("The match ends here, without a winner.")
    bert.page.locator("dialog .warn").tap()
    expect(anna.page.locator("[data-standing]")).to_contain_text("Somebody has left")


def test_a_key_in_the_turn_of_the_other_says_so(guests: Guests) -> None:
    """And not that a column is full, which is not."""
    anna, bert = people = guests(2)
    sit_together(people, "knucklebones")
    away = bert if whose_turn(people) is anna else anna
    away.page.keyboard.press("1")
    expect(away.page.locator(".refusal")).to_have_text("It is not your turn yet.")


def test_a_reload_in_the_turn_of_the_other(guests: Guests) -> None:
    anna, bert = people = guests(2)
    sit_together(people, "lite-versus")
    TAPS["lite-versus"](anna)
    TAPS["lite-versus"](anna)
    expect(bert.page.locator(MINE)).to_have_count(1)
    anna.page.reload()
    anna.rest()
    expect(anna.page.locator(".cell.full")).to_have_count(1)
    TAPS["lite-versus"](bert)
    TAPS["lite-versus"](bert)
    expect(anna.page.locator(".cell.full")).to_have_count(2)
    expect(anna.page.locator(MINE)).to_have_count(1)


def test_a_cut_line_is_seen_and_comes_back_and_the_move_is_made_once(guests: Guests) -> None:
    anna, bert = people = guests(2)
    anna.before(REACH_SOCKETS)
    sit_together(people, "lite-versus")
    theirs = bert.page.locator("[data-people] li:not(.mine) [data-here]")
    expect(theirs).to_have_attribute("data-here", "true")
    anna.context.set_offline(True)
    anna.page.evaluate("for (const one of window.sockets) one.close()")
    expect(theirs).to_have_attribute("data-here", "false")
    expect(anna.page.locator(".lost")).to_be_visible()
    for _ in range(2):
        anna.page.locator("[data-cell=a1].open").last.tap()
    expect(anna.page.locator("[data-pending]")).to_be_visible()
    anna.context.set_offline(False)
    expect(theirs).to_have_attribute("data-here", "true")
    expect(bert.page.locator(".cell.full")).to_have_count(1)
    expect(bert.page.locator(MINE)).to_have_count(1)
    anna.forgiven = ("ERR_INTERNET_DISCONNECTED",)


def test_the_game_of_somebody_who_has_left_can_be_taken(guests: Guests) -> None:
    """The hall of these tests waits for a few seconds only."""
    anna, bert = people = guests(2)
    room = sit_together(people, "lite-versus")
    bert.page.goto(bert.hall.address + "/api/health")
    expect(anna.page.locator("[data-people]")).to_contain_text("away, ")
    anna.page.locator("[data-action=claim]").tap()
    anna.page.get_by_role("button", name="Keep waiting").tap()
    expect(anna.page.locator(ENDED)).to_have_count(0)
    anna.page.locator("[data-action=claim]").tap()
    anna.page.get_by_role("button", name="Claim the win", exact=True).tap()
    expect(anna.page.locator(f"{ENDED} h2")).to_have_text("Guest has left: you win.")
    bert.go(room)
    expect(bert.page.locator(f"{ENDED} h2")).to_have_text("You were away for too long: Guest wins.")


def test_who_watches_sees_all_and_has_no_say(guests: Guests) -> None:
    anna, bert, watcher = guests(3)
    room = sit_together([anna, bert], "lite-versus")
    page = watcher.go(room)
    expect(page.locator("[data-trouble=room-full]")).to_contain_text("All places at this table are taken.")
    page.locator("[data-action=watch]").tap()
    expect(page.locator("[data-watching]")).to_have_text("You are watching this game.")
    expect(page.locator(".deck")).to_have_count(0)
    TAPS["lite-versus"](anna)
    TAPS["lite-versus"](anna)
    expect(page.locator(".cell.full")).to_have_count(1)
    anna.equip()
    anna.page.get_by_role("button", name="Menu").tap()
    expect(anna.page.locator("[data-watchers]")).to_have_text("1 is watching.")
    anna.page.get_by_role("button", name="Close").tap()
    watcher.equip()
    page.get_by_role("button", name="Menu").tap()
    expect(page.locator("[data-watchers]")).to_be_visible()
    expect(page.locator("[data-action=resign]")).to_have_count(0)
    watcher.forgiven = ("400 (Bad Request)",)


def test_what_is_said_is_seen_and_heard_unless_muted(guests: Guests) -> None:
    anna, bert = people = guests(2)
    sit_together(people, "lite-versus")
    bert.slow()
    say(anna, "good-luck")
    expect(bert.page.locator("[data-says=good-luck]")).to_be_visible()
    expect(bert.page.locator("[data-heard]")).to_have_text("Guest: Good luck!")
    bert.page.locator("[data-action=say]").tap()
    bert.page.get_by_role("switch", name="Hear nothing here").tap()
    bert.page.get_by_role("button", name="Close", exact=True).tap()
    say(anna, "hello")
    expect(anna.page.locator("[data-says=hello]")).to_be_visible()
    expect(bert.page.locator("[data-says]")).to_have_count(0)


def say(visitor: Visitor, phrase: str) -> None:
    visitor.page.locator("[data-action=say]").tap()
    visitor.page.locator(f"[data-phrase={phrase}]").tap()
    expect(visitor.page.locator("dialog")).to_have_count(0)


def test_the_hall_tells_whose_turn_it_is(guests: Guests) -> None:
    anna, bert = people = guests(2)
    sit_together(people, "knucklebones", {"clock": "3d"})
    assert anna.page.title().startswith("Your turn · ")
    page = anna.go()
    mine = page.locator("[data-rooms] a")
    expect(mine).to_have_attribute("data-turn", "true")
    expect(mine).to_contain_text("Your turn")
    assert page.title().startswith("(1) Your turn · ")
    expect(bert.go().locator("[data-rooms] a")).to_contain_text("their turn")
    mine.tap()
    expect(page.locator("[data-people]")).to_be_visible()
    anna.rest()
    TAPS["knucklebones"](anna)
    TAPS["knucklebones"](anna)
    bert.page.reload()
    expect(bert.page.locator("[data-rooms] a")).to_have_attribute("data-turn", "true")


@pytest.mark.parametrize(
    ("place", "code", "words"),
    [
        ("room/nowhere", "room", "There is no such table."),
        ("join", "BATAL-BATAL", "Nobody waits behind this code. It may be mistyped, or over."),
        ("join", "hello", "A code is two words of five letters, like KORAB TUMIL."),
    ],
)
def test_why_there_is_no_table(guests: Guests, place: str, code: str, words: str) -> None:
    (visitor,) = guests(1)
    page = visitor.go(place)
    if place == "join":
        page.locator("[name=code]").fill(code)
        page.locator("[data-action=find]").tap()
    expect(page.get_by_role("alert")).to_have_text(words)
    visitor.forgiven = ("Failed to load resource",)


def test_an_invitation_that_was_cancelled_says_so(guests: Guests) -> None:
    anna, bert = guests(2)
    room = invite(anna, "lite-versus")
    anna.page.locator("[data-action=leave]").tap()
    expect(anna.page.locator("[data-game=farkle]")).to_be_visible()
    page = bert.go(room)
    expect(page.locator("[data-trouble]")).to_contain_text("This invitation was cancelled.")
    bert.forgiven = ("Failed to load resource",)


def test_a_name_is_shown_to_the_others(guests: Guests) -> None:
    anna, bert, _ = guests(3)
    room = invite(anna, "farkle", seats=3)
    page = bert.go(room)
    name = f"Bert {room[-6:]}"
    page.get_by_label("What shall the others call you?").fill(name)
    page.get_by_role("button", name="Done").tap()
    expect(anna.page.locator("[data-place='1']")).to_contain_text(name)
    anna.page.locator("[data-action=start]").tap()  # with two: the third place is left out
    for one in (anna, bert):
        expect(one.page.locator("[data-people] li")).to_have_count(2)
    expect(anna.page.locator("[data-people]")).to_contain_text(name)


@pytest.mark.parametrize(
    ("game", "count"), [("lite-versus", 2), ("knucklebones", 2), ("farkle", 2), ("farkle", 3), ("shut-the-box", 2)]
)
def test_everything_is_in_sight_on_the_smallest_phone_in_german(guests: Guests, game: str, count: int) -> None:
    people = guests(count, viewport={"width": 320, "height": 568}, color_scheme="dark")
    for one in people:
        one.settings["language"] = "de"
    room = invite(people[0], game, {"clock": "30+120", "best_of": 3}, count)
    assert people[0].page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for guest in people[1:]:
        guest.go(room)
    for one in people:
        expect(one.page.locator("[data-people]")).to_be_visible()
        one.rest()
        wrong, before = one.page.evaluate(MEASURED)
        assert wrong == [], (game, wrong)
        one.equip()
    say(people[1], "one-moment")
    expect(people[0].page.locator("[data-says]")).to_be_visible(timeout=LATE)
    wrong, after = people[0].page.evaluate(MEASURED)
    assert wrong == [], (game, wrong)
    mine = {name: box for name, box in before.items() if name in after and "action" in name}
    assert mine == {name: after[name] for name in mine}, "nothing moves when somebody speaks"


def test_screen_readers_and_eyes_find_what_they_need(guests: Guests) -> None:
    anna, bert = guests(2)
    room = invite(anna, "lite-versus", {"clock": "30+120"})
    expect(anna.page.locator("[data-qr]")).to_be_visible()
    assert violations(anna.page) == []
    bert.go(room)
    for one in (anna, bert):
        expect(one.page.locator("[data-people]")).to_be_visible()
        one.rest()
        assert violations(one.page) == []
    anna.page.locator("[data-action=say]").tap()
    assert violations(anna.page) == []
