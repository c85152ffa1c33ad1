"""Every tap lands: nothing moves under a finger, a hurried tap hides nothing, every roll is seen, one tap is one undo,
and without a connection nothing looks as if it counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.test_farkle import EXAMPLE, bank, choose, die, roll, states
from tests.browser.test_lite import CELLS, SPEC_DICE, cell, place
from tests.browser.test_shut_the_box import open_tiles, roll_two, shut
from tests.browser.visit import JUST_CAME_UP, PATIENCE, Visitor


def lower_edge(page: Page, where: str) -> tuple[float, float]:
    box = page.locator(where).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] - 3


@pytest.mark.parametrize("name", ["a1", "b2", "c2"])
def test_tap_again_hits_the_same_cell_at_its_lower_edge(phone: Visitor, name: str) -> None:
    page = phone.sit("lite-solo", SPEC_DICE)
    x, y = lower_edge(page, cell(name))
    page.touchscreen.tap(x, y)
    expect(page.locator(f"{cell(name)}.thought")).to_be_attached()
    page.touchscreen.tap(x, y)
    phone.rest()
    expect(page.locator(f"{cell(name)}.full")).to_be_attached()


def test_a_click_lands_though_what_it_shows_goes_with_the_focus(desk: Visitor) -> None:
    """The die that a column shows while the mouse is over it is gone as soon as the column clicked before loses the
    focus: between the button's going down and its coming up."""
    page = desk.sit("knucklebones", "554632421255", seats="you,you")
    for seat, column in ((0, 0), (1, 0), (0, 1), (1, 0), (0, 2)):
        where = page.locator(f"[data-seat='{seat}'] [data-place='{column}']")
        where.hover()
        desk.tap(where)
    expect(page.locator("[data-seat='1'] [data-place]")).to_have_count(3)


# -- hurried taps


def double_tap(page: Page, where: str) -> None:
    box = page.locator(where).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.touchscreen.tap(x, y)
    page.touchscreen.tap(x + 2, y + 1)


@pytest.mark.parametrize("speed", ["normal", "fast", "instant"])
def test_a_double_tap_on_roll_hides_no_farkle(phone: Visitor, speed: str) -> None:
    """Neither one's own nor the opponent's turn after it; all of it can be read afterwards."""
    phone.settings["speed"] = speed
    page = phone.sit("farkle", EXAMPLE + "46" + "111246" + "152346", {"target": 5000}, "you,bank:300")
    phone.watch("[data-mood=farkle] h2")
    for n in (2, 3, 4, 0):
        page.locator(die(n)).tap()
    double_tap(page, "[data-action=roll]")
    phone.rest()
    assert phone.watched() == ["Farkle! 300 lost"]
    page.locator("[data-action=log]").tap()
    expect(page.locator("dialog [data-log]")).to_contain_text("You: Farkle! 300 lost.")
    log = page.locator("dialog [data-log] li").all_inner_texts()
    assert "Penny: 1,000 banked, 1,000 in all." in log
    assert log.index("Penny: 1,000 banked, 1,000 in all.") < log.index("You: Farkle! 300 lost."), "the newest first"


def test_many_taps_stop_at_a_farkle(phone: Visitor) -> None:
    phone.settings["speed"] = "normal"
    page = phone.sit("farkle", EXAMPLE + "46" + "123456")
    phone.watch("[data-mood=farkle] h2")
    choose(phone, 2, 3, 4, 0)
    for _ in range(8):
        page.locator("[data-action=roll]").tap(force=True)
    phone.rest()
    assert phone.watched() == ["Farkle! 300 lost"]


def test_a_later_tap_still_skips(phone: Visitor) -> None:
    phone.settings["speed"] = "normal"
    page = phone.sit("farkle", EXAMPLE + "111246" + "152346", {"target": 5000}, "you,bank:300")
    choose(phone, 0)
    page.locator("[data-action=bank]").tap()
    expect(page.locator("[data-busy=true]")).to_be_attached()
    page.wait_for_timeout(700)
    page.locator(".board").tap(position={"x": 5, "y": 5})
    expect(page.locator("[data-busy=false][data-waiting=false]")).to_be_attached(timeout=1500)


def test_a_double_tap_on_the_last_cell_does_not_start_another_run(phone: Visitor) -> None:
    """Where the button to place was, there are those of the end."""
    page = phone.sit("lite-solo", SPEC_DICE)
    for name in ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3"):
        place(phone, name)
    table = page.url
    page.locator(cell("c3")).tap()
    double_tap(page, "[data-action=place]")
    expect(page.locator("[data-end]")).to_be_visible()
    page.wait_for_timeout(300)
    assert page.url == table


def test_a_double_tap_on_shut_does_not_choose_the_dice_too(phone: Visitor) -> None:
    page = phone.sit("shut-the-box", "63" + "62" + "52" + "4" + "11")
    shut(phone, 9)
    shut(phone, 8)
    page.locator("[data-tile='7']").tap()
    box = page.locator("[data-shut]").bounding_box()
    assert box is not None
    where = box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2
    page.touchscreen.tap(*where)
    page.locator("[data-roll='2']").wait_for()  # in the same place
    page.touchscreen.tap(*where)
    phone.rest()
    page.wait_for_timeout(100)
    expect(page.locator("[data-roll='2']")).to_be_visible()


def test_a_key_that_is_held_down_is_pressed_once(desk: Visitor) -> None:
    page = desk.sit("lite-solo", SPEC_DICE)
    page.locator(cell("a1")).focus()
    for _ in range(6):
        page.keyboard.down("1")
    desk.rest()
    page.keyboard.up("1")
    expect(page.locator(".cell.full")).to_have_count(1)
    expect(page.locator(".refusal")).to_have_count(0)


# -- the log


def test_the_log_stands_open_on_a_desk_and_says_what_screen_readers_hear(desk: Visitor) -> None:
    page = desk.sit("knucklebones", "5546324", seats="you,you")
    heard: list[str] = []
    for key in ("1", "1", "2"):
        desk.press(key)
        heard.append(page.locator("[aria-live=polite]").inner_text())
    log = page.locator(".log [data-log] li")
    told = log.all_inner_texts()
    assert [text for text in told if text in heard] == heard[::-1], "what was heard is in the log"
    assert any("breaks" in text for text in told)
    expect(page.locator("[data-action=log]")).to_be_hidden()
    page.reload()
    desk.rest()
    expect(log).to_have_text(told)  # all of it, to whoever comes back
    desk.press("3")
    expect(log).to_have_count(len(told) + 2)  # and it goes on from there


def test_the_log_says_what_a_mixed_column_has_lost(desk: Visitor) -> None:
    """A five breaks two of a 5, a 2 and a 5: 20 of 22 points."""
    page = desk.sit("knucklebones", "15122555", seats="you,you")
    desk.press(*"1212322")
    assert "Player 1: five in column 2 breaks 2 dice: −20" in page.locator(".log [data-log] li").all_inner_texts()


def test_the_log_says_what_whoever_banks_has_in_all(desk: Visitor) -> None:
    page = desk.sit("farkle", "152226" + "111246" + "152226", {"target": 5000}, "you,you")
    for _ in range(3):
        desk.press("a", "b")
    told = page.locator(".log [data-log] li").all_inner_texts()
    assert [text for text in told if "banked" in text] == [
        "Player 1: 100 banked, 200 in all.",
        "Player 2: 1,000 banked, 1,000 in all.",
        "Player 1: 100 banked, 100 in all.",
    ]


def test_the_log_says_what_was_kept_before_a_bank_or_a_farkle(desk: Visitor) -> None:
    """Both moves go out with one tap, and the hall answers with how the table is after both."""
    page = desk.sit("farkle", "111555" + "111246" + "224" + "152226")
    desk.press("a", "b", *"123", "r")
    told = page.locator(".log [data-log] li").all_inner_texts()
    assert told[::-1][:7] == [
        "Rolled 1 1 1 5 5 5.",
        "You: 1 1 1 and 5 5 5 kept. Hot dice!",
        "You: 1,500 banked, 1,500 in all.",
        "Rolled 1 1 1 2 4 6.",
        "You: 1 1 1 kept. 1,000 at stake, 3 dice left.",
        "You: rolling 3 dice.",
        "Farkle! 1,000 lost.",
    ]


def test_the_log_says_what_a_farkle_has_cost(desk: Visitor) -> None:
    page = desk.sit("farkle", "111346" + "223" + "223464" + "111246")
    log = page.locator(".log [data-log] li")
    desk.press("a", "r")
    told = log.all_inner_texts()
    assert sum("1,000" in text for text in told if "Farkle" in text) == 1, told
    assert len([text for text in told if "Farkle" in text]) == 2, "the next one cost nothing"


def test_what_is_taken_back_is_not_in_the_log(desk: Visitor) -> None:
    page = desk.sit("lite-solo", SPEC_DICE)
    log = page.locator(".log [data-log] li")
    before = log.all_inner_texts()
    desk.press("1")
    assert len(log.all_inner_texts()) == len(before) + 2
    desk.press("u")
    assert log.all_inner_texts() == before


# -- one after the other

SHOWN = """([where, marks]) => { window.shown = []; new MutationObserver(() => {
        const now = marks.map((mark) => [...document.querySelectorAll(mark)].map((one) => one.innerText).join())
            .concat(document.querySelector(where) !== null)
        if (JSON.stringify(now) !== JSON.stringify(shown.at(-1))) shown.push(now)
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true }) }"""


def follow(visitor: Visitor, where: str, *marks: str) -> Callable[[], list[list[Any]]]:
    """From now on, note whenever one of these texts changes, or whether there is something `where`."""
    visitor.page.evaluate(SHOWN, [where, marks])
    return lambda: list(visitor.page.evaluate("shown"))


@pytest.mark.parametrize("target", [10_000, 300])  # the next turn follows, or the end
def test_what_was_banked_is_seen_before_what_follows(phone: Visitor, target: int) -> None:
    phone.settings["speed"] = "normal"
    page = phone.sit("farkle", "152226" + "111146", {"target": target})
    choose(phone, 2, 3, 4, 0)
    shown = follow(phone, ".air, [data-end]", "[data-mood=banked]", ".panel", ".notes")
    page.locator("[data-action=bank]").tap()
    phone.rest()
    banked = [(panel, notes) for mood, panel, notes, later in shown() if "+300" in mood and not later]
    assert ("You: 300 banked, 300 in all.", "") in banked, shown()


def test_a_bank_that_was_taken_back_is_not_shown_any_more(phone: Visitor) -> None:
    phone.settings["motion"] = "reduced"  # the score does not count, it is there
    phone.sit("farkle", "152226" + "111146")
    choose(phone, 2, 3, 4, 0)
    phone.tap("[data-action=bank]")
    assert phone.text("[data-banked]") == "300"
    phone.tap("header [aria-label='Undo']")
    assert phone.text("[data-banked]") == "0"


@pytest.mark.parametrize(
    ("game", "dice", "options", "taps"),
    [
        ("lite-solo", SPEC_DICE, {}, [cell(name) for name in CELLS for _ in range(2)]),
        (
            "shut-the-box",
            "63" + "62" + "52" + "654321",
            {"rounds": 1},
            [
                tap
                for n in range(9, 0, -1)
                for tap in (*(["[data-roll='1']"] if n < 7 else []), f"[data-tile='{n}']", "[data-shut]")
            ],
        ),
    ],
)
def test_the_last_move_is_seen_before_the_end(
    phone: Visitor, game: str, dice: str, options: dict[str, Any], taps: list[str]
) -> None:
    phone.settings["speed"] = "fast"
    page = phone.sit(game, dice, options)
    for tap in taps[:-1]:
        phone.tap(tap)
    shown = follow(phone, "[data-end]", "section.board .full, [data-tile]", ".status .big", ".toss h2, [data-hand] h2")
    page.locator(taps[-1]).tap()
    phone.rest()
    last = page.locator(".status .big").inner_text()
    heads = [head for _, score, head, end in shown() if score == last and not end]
    assert heads, "the score of the last move, before the end"
    assert heads[-1] in ("Final score", "The box is shut!")
    falling = page.locator(".snap").evaluate_all("all => all.map(one => getComputedStyle(one).animationName)")
    assert set(falling) <= {"none"}, "no die comes down a second time"


@pytest.mark.parametrize(
    ("game", "seats", "taps"),
    [
        ("lite-versus", "you,standard", ["button[data-cell=a1]"] * 2),
        ("knucklebones", "you,spec", ["[data-seat='0'] [data-column='0']"] * 2),
    ],
)
def test_nothing_is_said_to_roll_that_lies(phone: Visitor, game: str, seats: str, taps: list[str]) -> None:
    phone.settings["speed"] = "fast"
    page = phone.sit(game, "5244", {}, seats)
    shown = follow(phone, ".dice.air", ".toss h2")
    for tap in taps:
        page.locator(tap).tap()
    phone.rest()
    assert any("oll" in head for head, air in shown() if air)
    assert [head for head, air in shown() if head.startswith("Rolling") and not air] == []


def test_dice_that_may_be_one_or_two_are_not_said_to_roll(phone: Visitor) -> None:
    phone.sit("shut-the-box", "63" + "62" + "52" + "4")
    shut(phone, 9)
    shut(phone, 8)
    phone.watch("[data-hand] h2")
    shut(phone, 7)
    assert phone.watched() == ["7 =\nSeven", "One die or two?"]


@pytest.mark.parametrize(
    ("game", "seats", "where"),
    [("lite-solo", "", "[data-cell=a1]"), ("knucklebones", "you,you", "[data-seat='0'] [data-column='0']")],
)
def test_what_was_tapped_stays_in_sight_until_it_has_come(phone: Visitor, game: str, seats: str, where: str) -> None:
    on_its_way: list[str | bytes] = []

    def between(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        line.on_message(lambda said: on_its_way.append(said) if '"move"' in str(said) else server.send(said))

    phone.context.route_web_socket("**/ws/**", between)
    page = phone.sit(game, "5535", {}, seats)
    page.locator(where).tap()
    note = page.locator("[data-note=preview]").inner_text()
    page.locator(where).tap()
    expect(page.locator("[data-waiting=true]")).to_be_attached()
    expect(page.locator("[data-note=preview]")).to_have_text(note)
    expect(page.locator(f"{where} svg.ghost")).to_have_count(1)
    assert len(on_its_way) == 1


# -- every roll is seen

FACES = """() => { window.thrown = 0; new MutationObserver(() => { if (document.querySelector('.air')) thrown++ })
    .observe(document, { subtree: true, childList: true, attributes: true }) }"""


@pytest.mark.parametrize(
    ("game", "options", "seats"),
    [
        ("lite-solo", {}, ""),
        ("lite-versus", {"first": "bot"}, "you,standard"),
        ("farkle", {}, ""),
        ("shut-the-box", {}, ""),
        ("knucklebones", {}, "you,spec"),
        ("knucklebones", {"first": "bot"}, "you,spec"),
    ],
)
def test_the_first_roll_is_seen(phone: Visitor, game: str, options: dict[str, Any], seats: str) -> None:
    phone.settings["speed"] = "normal"
    phone.before(f"({FACES})()")
    page = phone.sit(game, "152226111", options, seats)
    assert page.evaluate("thrown") > 0


@pytest.mark.parametrize("game", ["lite-solo", "farkle", "shut-the-box", "knucklebones"])
def test_the_first_roll_waits_for_those_who_roll_themselves(phone: Visitor, game: str) -> None:
    phone.settings["autoRoll"] = False
    page = phone.go(f"play/{game}?seed=dice:152226111")
    throw = page.locator("[data-action=throw]")
    expect(throw).to_be_visible()
    page.locator("section.board").tap(position={"x": 20, "y": 20})
    expect(page.locator(".refusal")).to_have_text("Roll the dice first.")
    expect(throw).to_be_visible()
    throw.tap()
    phone.rest()
    expect(throw).to_have_count(0)
    assert page.locator(".cell.open, [data-state=scores], [data-combo], [data-place]").count() > 0


def test_every_roll_of_ones_own_waits_and_no_other(phone: Visitor) -> None:
    phone.settings["autoRoll"] = False
    page = phone.go("play/farkle?seed=dice:152226" + "46" + "111246" + "152346&seats=you,bank:300")
    page.locator("[data-action=throw]").tap()
    choose(phone, 2, 3, 4, 0)
    page.locator("[data-action=roll]").tap()  # that is the roll
    expect(page.locator("[data-mood=farkle]")).to_be_visible()
    expect(page.locator("[data-action=throw]")).to_be_visible()  # the next turn's, after the opponent's
    page.locator("[data-action=throw]").tap()
    phone.rest()
    assert states(page)[0] == "scores"


def test_a_game_that_opens_on_a_farkle_says_so(phone: Visitor) -> None:
    page = phone.go("play/farkle?kind=practice&seed=40")
    expect(page.locator("[data-mood=farkle]")).to_contain_text("Farkle!")
    phone.rest()
    assert "Turn 2" in phone.text(".status")
    page.locator("[data-action=log]").tap()
    expect(page.locator("dialog [data-log]")).to_contain_text("Farkle! Nothing was at stake.")


# -- one tap, one undo


def test_one_tap_is_one_undo(phone: Visitor) -> None:
    page = phone.sit("farkle", EXAMPLE + "14" + "123456")
    start = states(page)
    choose(phone, 2, 3, 4, 0)
    before = states(page)
    for act in (roll, bank):
        act(phone)
        assert states(page) != before
        phone.tap(page.get_by_role("button", name="Undo"))
        assert states(page) == before, "as it was before the tap, with what had been chosen"
    roll(phone)
    page.reload()
    phone.rest()
    phone.tap(page.get_by_role("button", name="Undo"))
    assert states(page) == start


def test_a_farkle_can_be_taken_back_while_it_is_shown(phone: Visitor) -> None:
    phone.settings["speed"] = "normal"
    page = phone.sit("farkle", EXAMPLE + "46" + "123456")
    choose(phone, 2, 3, 4, 0)
    before = states(page)
    page.locator("[data-action=roll]").tap()
    expect(page.locator("[data-mood=farkle]")).to_be_visible()
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator("[data-mood=farkle]")).to_have_count(0)
    page.wait_for_timeout(2000)
    assert states(page) == before


# -- at once, and without a connection


def test_the_end_of_a_round_is_seen_at_once_too(phone: Visitor) -> None:
    phone.sit("shut-the-box", "66" + "66" + "66" + "12" + "11", {"rounds": 2})
    phone.watch("[data-note=stuck]")
    shut(phone, 9, 3)
    shut(phone, 8, 4)
    shut(phone, 7, 5)
    roll_two(phone)
    shut(phone, 2, 1)
    roll_two(phone)
    assert phone.watched() == ["Nothing fits 1 + 1: 6 points"]


def test_a_shut_box_is_seen_at_once_too(phone: Visitor) -> None:
    page = phone.sit("shut-the-box", "63" + "62" + "52" + "654321" + "66", {"rounds": 2})
    for number in (9, 8, 7):
        shut(phone, number)
    phone.watch("[data-note=box-shut]")
    for number in (6, 5, 4, 3, 2, 1):
        phone.tap("[data-roll='1']")
        shut(phone, number)
    assert phone.watched() == ["The box is shut!"]
    assert open_tiles(page) == list(range(1, 10))


def cut(visitor: Visitor) -> None:
    visitor.context.set_offline(True)
    visitor.page.evaluate("dispatchEvent(new Event('offline'))")
    expect(visitor.page.locator(".lost")).to_be_visible()


def join(visitor: Visitor) -> None:
    visitor.context.set_offline(False)
    expect(visitor.page.locator(".lost, [data-pending]")).to_have_count(0, timeout=PATIENCE)
    visitor.rest()
    visitor.complaints = [text for text in visitor.complaints if "ERR_INTERNET_DISCONNECTED" not in text]


def test_without_a_connection_a_move_is_shown_as_pending_and_the_next_is_refused(phone: Visitor) -> None:
    page = phone.sit("farkle", EXAMPLE + "14" + "123456")
    choose(phone, 2, 3, 4, 0)
    cut(phone)
    page.locator("[data-action=roll]").tap()
    expect(page.locator("[data-pending]")).to_have_text("No connection. Not sent yet: keep 2 2 2 and 1, then roll on")
    page.locator("[data-action=bank]").tap()
    expect(page.locator(".refusal")).to_contain_text("has not been sent yet")
    join(phone)
    assert states(page).count("kept") == 4, "the roll was made, both parts of it"
    expect(page.locator("[data-banked]")).to_have_attribute("data-banked", "0")


def test_without_a_connection_no_tile_looks_shut(phone: Visitor) -> None:
    page = phone.sit("shut-the-box", "5365")
    phone.tap("[data-tile='8']")
    cut(phone)
    page.locator("[data-shut]").tap()
    expect(page.locator("[data-pending]")).to_be_visible()
    assert open_tiles(page) == list(range(1, 10))
    join(phone)
    assert 8 not in open_tiles(page)


def test_a_question_that_could_not_be_asked_is_not_asked_later(phone: Visitor) -> None:
    """It would take the run off the boards, and nobody would see it."""
    page = phone.sit("lite-solo", kind="ranked")
    phone.equip()
    cut(phone)
    page.locator("[data-action=hint]").tap()
    page.locator("[data-action=show-hint]").tap()
    expect(page.locator("[data-silence]")).to_be_visible()
    page.get_by_role("button", name="Close").tap()
    join(phone)
    place(phone, "a1")
    page.locator("[data-action=hint]").tap()
    expect(page.locator("[data-action=show-hint]")).to_be_visible()  # still to be paid for


def test_who_taps_on_when_it_is_over_sees_the_end(phone: Visitor) -> None:
    """New run stands where Place it was: a finger on its way there does not begin another run."""
    phone.settings["speed"] = "normal"
    page = phone.sit("lite-solo", SPEC_DICE)
    phone.play_ahead(CELLS[:-1])
    page.locator(cell(CELLS[-1])).tap()
    place_it = page.locator("[data-action=place]").bounding_box()
    assert place_it is not None
    page.locator("[data-action=place]").tap()
    expect(page.locator("[data-end]")).to_be_visible()
    page.touchscreen.tap(place_it["x"] + place_it["width"] / 2, place_it["y"] + place_it["height"] / 2)
    page.wait_for_timeout(300)
    expect(page.locator("[data-end]")).to_be_visible()
    page.evaluate(JUST_CAME_UP)
    page.get_by_role("button", name="New run").tap()
    expect(page.locator("[data-end]")).to_have_count(0)
