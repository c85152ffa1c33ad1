"""Games of others in the hall, and the wait of whoever leaves games."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Browser, expect
from sqlalchemy import insert

from dicehall.people.pairing import PENALTIES
from dicehall.server.operator import desk
from dicehall.store import schema
from dicehall.store.engine import open_engine
from tests.browser.tables import at
from tests.browser.test_access import violations
from tests.browser.test_people import Guests, guests, say, sit_together
from tests.browser.visit import DRAWN, Hall, Visitor

__all__ = ["guests"]  # a fixture
LEAVES = 3  # as few as have a price


def has_left(hall: Hall, visitor: Visitor, wait: int) -> None:
    """Somebody has left so many games that nobody is looked for yet for so many seconds."""
    visitor.go()
    player = visitor.page.evaluate("fetch('/api/me', { method: 'POST' }).then((answer) => answer.json())")["id"]
    last = round(1000 * (time.time() + wait - PENALTIES[LEAVES]))
    rows = [{"player_id": player, "at_ms": last - n, "room_id": "r", "left": True} for n in range(LEAVES)]
    engine = open_engine(f"sqlite:///{hall.data}/hall.sqlite")
    with engine.begin() as connection:
        connection.execute(insert(schema.outcomes), rows)
    engine.dispose()


def test_who_leaves_games_waits_and_is_then_looked_for(hall: Hall, phone: Visitor) -> None:
    has_left(hall, phone, 4)
    page = phone.go("quick/knucklebones")
    expect(page.locator("[data-sentence]")).to_have_text(
        "You have left several games lately, so the next one has to wait."
    )
    expect(page.locator("[data-waited]")).to_have_text(re.compile(r"0:0[1-4]"))
    expect(page.locator("[data-waited]")).to_have_attribute("aria-label", "Looking begins in")
    expect(page.locator("[data-sentence] + p")).to_contain_text("goes on by itself")
    expect(page.locator("[data-action=meanwhile]")).to_have_count(0)
    expect(page.locator("[data-sentence]")).to_have_text("Looking for somebody near 1500")
    expect(page.locator("[data-waited]")).to_have_text(re.compile(r"0:0[0-2]"))


def test_the_wait_fits_the_smallest_phone(browser: Browser, hall: Hall) -> None:
    with Visitor(browser, hall, **at("small")) as anna:
        anna.settings |= {"language": "de"}
        has_left(hall, anna, 50)
        page = anna.go("quick/shut-the-box-table")
        expect(page.locator("[data-sentence]")).to_contain_text("Partien verlassen")
        page.evaluate(DRAWN)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for what in ("[data-waited]", "[data-sentence]", "[data-sentence] + p", "[data-action=stop]"):
            expect(page.locator(what)).to_be_in_viewport(ratio=1)
        assert violations(page) == []


def test_games_of_others_are_shown_in_the_hall_and_can_be_watched(guests: Guests, phone: Visitor) -> None:
    phone.before("const every = setInterval; window.setInterval = (what, time) => every(what, time / 20)")
    page = phone.go()
    expect(page.locator("[data-game=farkle]")).to_be_visible()
    before = page.locator("[data-now] a").count()  # of other tests
    anna, bert = people = guests(2)
    room = sit_together(people, "knucklebones").removeprefix("room/")
    shown = page.locator(f"[data-now] a[data-room='{room}']")
    expect(shown).to_contain_text("Guest – Guest")
    expect(shown).to_contain_text("0 : 0")
    assert page.locator("[data-now] a").count() <= 3
    assert before <= 3
    assert violations(page) == []
    bert.go()
    expect(bert.page.locator("[data-rooms]")).to_be_visible()
    expect(bert.page.locator(f"[data-now] a[data-room='{room}']")).to_have_count(0)  # one's own
    bert.go(f"room/{room}")
    bert.rest()
    shown.tap()
    expect(page.locator("[data-people]")).to_be_visible()
    expect(page.get_by_text("You are watching this game.")).to_be_visible()
    expect(anna.page.get_by_text("1 is watching")).to_have_count(0)  # it is said in the menu alone
    page.go_back()
    anna.page.close()
    bert.page.close()
    expect(page.locator(f"[data-now] a[data-room='{room}']")).to_have_count(0)


def test_a_match_that_is_ended_is_told_to_those_who_play(hall: Hall, guests: Guests) -> None:
    people = guests(2)
    room = sit_together(people, "lite-versus").removeprefix("room/")
    with desk(hall.data, None) as whoever_runs_it:
        whoever_runs_it.silence(people[0].asked("/api/me")["id"], 1, "")
        say(people[0], "hello")
        expect(people[0].page.get_by_text("You cannot say anything at present")).to_be_visible()
        whoever_runs_it.end_match(room, "")
    for one in people:
        expect(one.page.locator("[data-end]")).to_be_visible()
        expect(one.page.get_by_text("This game was ended, and does not count.").first).to_be_visible()
        expect(one.page.locator("[data-standing]")).to_contain_text("Whoever runs the hall has ended")
