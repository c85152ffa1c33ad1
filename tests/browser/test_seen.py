"""What happens is seen, in its order and before what follows: every roll, every bank, the last move, however fast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.test_farkle import choose, states
from tests.browser.test_lite import CELLS, SPEC_DICE, cell
from tests.browser.test_shut_the_box import open_tiles, roll_two, shut
from tests.browser.visit import Visitor, soon

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
    phone.slow(least=1200)
    phone.tap("[data-action=bank]")
    expect(phone.page.locator("[data-banked]")).to_have_text("300")
    phone.tap("header [aria-label='Undo']")
    # sooner than the bank goes by itself
    expect(phone.page.locator("[data-banked]")).to_have_text("0", timeout=soon(1200))


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


# -- between two turns

# How many dice have shown nothing, though nobody is asked to throw them.
BLANK = """() => { window.blank = 0; new MutationObserver(() => {
        if (document.querySelector('[data-action=throw]') === null)
            blank += document.querySelectorAll('.table svg.die:not([data-value])').length
    }).observe(document, { subtree: true, childList: true, attributes: true }) }"""


@pytest.mark.parametrize(
    ("game", "dice", "options", "seats", "taps"),
    [
        ("lite-versus", "525262336414", {}, "you,standard", ("button[data-cell=a1]",) * 2),
        ("knucklebones", "2346325", {}, "you,spec", ("[data-seat='0'] [data-column='0']",) * 2),
        ("farkle", "152226" + "111246" + "152346", {}, "you,bank:300", ("[data-group='222']", "[data-action=bank]")),
        (
            "farkle",
            "111555",
            {"target": 1000},
            "",
            ("[data-group='111']", "[data-group='555']", "[data-action=bank]"),
        ),
    ],
)
def test_dice_keep_their_faces_until_the_next_are_thrown(
    phone: Visitor, game: str, dice: str, options: dict[str, Any], seats: str, taps: tuple[str, ...]
) -> None:
    phone.settings["speed"] = "normal"
    phone.hasty = True
    page = phone.sit(game, dice, options, seats)
    page.evaluate(BLANK)
    for tap in taps:
        phone.tap(tap)
    assert page.evaluate("blank") == 0


def test_dice_that_are_taken_back_do_not_fall(phone: Visitor) -> None:
    phone.settings["speed"] = "normal"
    phone.hasty = True
    page = phone.sit("farkle", "152226" + "14")
    choose(phone, 2, 3, 4, 0)
    phone.tap("[data-action=roll]")
    phone.tap("header [aria-label='Undo']")
    expect(page.locator("[data-state=chosen]")).to_have_count(4)
    expect(page.locator("[data-state=chosen] .thrown")).to_have_count(0)


def test_dice_that_come_back_into_the_box_do_not_fall(phone: Visitor) -> None:
    phone.settings["speed"] = "normal"
    phone.hasty = True
    page = phone.sit("shut-the-box", "63" + "62" + "52")
    phone.play_ahead(["9", "8", "7"])
    expect(page.locator(".board .dice svg.die")).to_have_count(0)
    phone.tap("header [aria-label='Undo']")
    expect(page.locator(".board .dice svg.die")).to_have_count(2)
    expect(page.locator(".board .dice .thrown")).to_have_count(0)


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


# -- at once


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
