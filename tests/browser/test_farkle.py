"""Farkle on the page. Tests are named after the ids of docs/spec-coverage.md."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visit import NO_ECHO, Visitor

EXAMPLE = "152226"  # the spec's roll, in another order: 1, 5, three 2s and a 6
HEAR = "window.heard = []; navigator.vibrate = (pattern) => (heard.push(pattern), true)"


def die(n: int) -> str:
    return f"[data-die='{n}']"


def roll(visitor: Visitor) -> None:
    visitor.tap("[data-action=roll]")


def bank(visitor: Visitor) -> None:
    visitor.tap("[data-action=bank]")


def choose(visitor: Visitor, *dice: int) -> None:
    for n in dice:
        visitor.tap(die(n))


def states(page: Page) -> list[str]:
    return list(page.locator("[data-die]").evaluate_all("all => all.map(one => one.dataset.state)"))


def enabled(page: Page) -> dict[str, bool]:
    return {
        action: page.locator(f"[data-action={action}]").get_attribute("aria-disabled") != "true"
        for action in ("roll", "bank")
    }


def test_farkle_09_six_dice_with_locks_and_scoring_ones_glow(phone: Visitor) -> None:
    page = phone.sit("farkle", EXAMPLE + "14")
    assert states(page) == ["scores", "scores", "scores", "scores", "scores", "plain"]
    glow = page.locator(die(0)).evaluate("one => getComputedStyle(one).boxShadow + getComputedStyle(one).borderStyle")
    assert glow != page.locator(die(5)).evaluate(
        "one => getComputedStyle(one).boxShadow + getComputedStyle(one).borderStyle"
    )
    choose(phone, 2, 3, 4, 0)
    assert states(page)[:1] + states(page)[2:5] == ["chosen"] * 4
    roll(phone)
    assert states(page)[0] == "kept"
    expect(page.locator(die(0))).to_have_accessible_name("Die 1: one, kept")
    expect(page.locator(".ledge [data-die]")).to_have_count(4)  # what is kept stands on a ledge of its own
    expect(page.locator("[data-kept]")).to_have_text("300")


def test_farkle_09_the_roll_is_animated(phone: Visitor) -> None:
    phone.settings["speed"] = "normal"
    page = phone.sit("farkle", EXAMPLE + "14")
    page.locator(die(0)).tap()
    page.locator("[data-action=roll]").tap()
    expect(page.locator("[data-die].air").first).to_be_attached()
    phone.rest()
    expect(page.locator("[data-die].air")).to_have_count(0)


def test_farkle_10_a_panel_of_groups_with_points_and_the_best(phone: Visitor) -> None:
    page = phone.sit("farkle", EXAMPLE)
    groups = page.locator("[data-group]").evaluate_all("all => all.map(one => one.dataset.group)")
    assert sorted(groups) == ["1", "222", "5"]
    assert "200" in phone.text("[data-group='222']")
    # 350 with one die left looks better; on average the turn brings more with the 1 alone and five dice to roll
    assert phone.text("[data-best]") == "★ Recommended 100"
    expect(page.locator("[data-best]")).to_have_accessible_name(
        "Recommended: one, 100 points. On average this brings most in this turn."
    )
    phone.tap("[data-best]")
    assert states(page) == ["chosen", *["scores"] * 4, "plain"]
    phone.tap("[data-group='222']")
    phone.tap("[data-group='5']")
    page.evaluate(NO_ECHO)
    phone.tap("[data-group='5']")  # takes its die out again
    assert states(page) == ["chosen", "scores", "chosen", "chosen", "chosen", "plain"]
    expect(page.locator("[data-action=bank]")).to_have_accessible_name("Bank 300")


def test_farkle_10_two_of_what_is_recommended_once_are_not(phone: Visitor) -> None:
    page = phone.sit("farkle", "552346")
    assert phone.text("[data-best]") == "★ Recommended 50"
    phone.tap("[data-group='5']")
    expect(page.locator("[data-best]")).to_have_count(1)
    phone.tap("[data-group='5']")
    expect(page.locator("[data-group='5']")).to_have_text(re.compile("50×2$"))
    expect(page.locator("[data-best]")).to_have_count(0)


def test_farkle_10_the_best_may_be_several_groups(phone: Visitor) -> None:
    page = phone.sit("farkle", "111556")
    assert "Recommended 1,100" in phone.text("[data-best]")
    phone.tap("[data-best]")
    assert states(page) == ["chosen"] * 5 + ["plain"]


def test_farkle_10_a_group_comes_to_the_dice_that_are_chosen(phone: Visitor) -> None:
    """The one that was tapped stays chosen, though others of its face lie before it."""
    page = phone.sit("farkle", "111462")
    choose(phone, 2)
    phone.tap("[data-group='1']")
    assert states(page) == ["chosen", "scores", "chosen", "plain", "plain", "plain"]


def test_farkle_10_other_groupings_of_the_same_dice(phone: Visitor) -> None:
    """Three ones count 1000, or as three singles: either may be picked."""
    page = phone.sit("farkle", "111462")
    choose(phone, 0, 1, 2)
    expect(page.locator("[data-action=bank]")).to_have_accessible_name("Bank 1,000")
    page.locator("[data-regroup]").tap()
    page.locator("[data-grouping]").last.tap()
    expect(page.locator("[data-action=bank]")).not_to_have_accessible_name("Bank 1,000")


def test_farkle_11_roll_and_bank_exactly_when_allowed(phone: Visitor) -> None:
    page = phone.sit("farkle", EXAMPLE + "14")
    assert enabled(page) == {"roll": False, "bank": False}
    roll(phone)
    expect(page.locator(".refusal")).to_have_text("First keep at least one die that scores.")
    choose(phone, 2)  # one 2 of three scores nothing
    assert enabled(page) == {"roll": False, "bank": False}
    expect(page.locator("[aria-live=polite]")).to_have_text("These dice do not score together yet.")
    choose(phone, 3, 4)
    assert enabled(page) == {"roll": True, "bank": True}
    expect(page.locator("[aria-live=polite]")).to_have_text("200 at stake, 3 dice left.")
    roll(phone)
    assert enabled(page) == {"roll": False, "bank": False}


def test_farkle_11_below_the_minimum(phone: Visitor) -> None:
    page = phone.sit("farkle", EXAMPLE, {"board_minimum": 500})
    phone.tap("[data-best]")
    assert enabled(page) == {"roll": True, "bank": False}
    bank(phone)
    expect(page.locator(".refusal")).to_contain_text("At least 500")


def test_farkle_12_risk_meter(phone: Visitor) -> None:
    page = phone.sit("farkle", EXAMPLE)
    choose(phone, 2, 3, 4, 0)
    expect(page.locator("[data-risk]")).to_have_attribute("data-risk", "16/36")
    assert phone.text("[data-risk]") == "4 in 9 lose it"
    choose(phone, 1)
    expect(page.locator("[data-risk]")).to_have_attribute("data-risk", "4/6")
    assert phone.text("[data-risk]") == "2 in 3 lose it"
    expect(page.locator("[data-turn-total]")).to_have_attribute("data-turn-total", "350")


def test_farkle_12_a_farkle_shakes_and_sounds(phone: Visitor) -> None:
    phone.before(HEAR)
    phone.settings["speed"] = "normal"
    page = phone.sit("farkle", EXAMPLE + "46" + "123456")
    for n in (2, 3, 4, 0):
        page.locator(die(n)).tap()
    phone.slow(least=1000)  # the end of a turn stays until somebody taps
    page.locator("[data-action=roll]").tap()
    expect(page.locator("[data-mood=farkle]")).to_contain_text("Farkle! 300 lost")
    assert [one for one in states(page) if one == "lost"] == ["lost"] * 2, "those that were kept are not thrown again"
    assert [60, 40, 90] in [one[:3] for one in page.evaluate("heard") if isinstance(one, list)]
    shaken = page.locator("[data-die]").evaluate_all("all => all.map(one => getComputedStyle(one).animationName)")
    assert any("shake" in name for name in shaken)
    page.evaluate(NO_ECHO)
    phone.tap("[data-mood=farkle]")
    expect(page.locator("[data-banked]")).to_have_attribute("data-banked", "0")


def test_farkle_12_a_bank_is_celebrated(phone: Visitor) -> None:
    phone.before(HEAR)
    phone.settings["speed"] = "normal"
    page = phone.sit("farkle", "111556" + "123456")
    page.locator("[data-best]").tap()
    phone.slow(least=1000)
    page.locator("[data-action=bank]").tap()
    expect(page.locator(".confetti i").first).to_be_attached()
    expect(page.locator("[data-mood=banked]")).to_contain_text("+1,100")
    assert [10, 30, 20] in [one[:3] for one in page.evaluate("heard") if isinstance(one, list)]
    expect(page.locator("[data-banked]")).to_have_attribute("data-banked", "1100")


def test_farkle_13_large_targets_and_labels(phone: Visitor) -> None:
    page = phone.sit("farkle", EXAMPLE)
    for n in range(6):
        box = page.locator(die(n)).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 64
    expect(page.locator(die(0))).to_have_attribute("aria-label", "Die 1: one, scores")
    expect(page.locator(die(5))).to_have_attribute("aria-label", "Die 6: six, does not score")
    choose(phone, 0)
    expect(page.locator(die(0))).to_have_attribute("aria-label", "Die 1: one, chosen")
    choose(phone, 5)
    expect(page.locator(".refusal")).to_have_text("That die does not score.")


def test_farkle_14_the_examples(phone: Visitor) -> None:
    page = phone.sit("farkle", EXAMPLE)
    choose(phone, 2, 3, 4, 0)
    expect(page.locator("[data-action=roll]")).to_have_accessible_name("Roll 2 dice")
    expect(page.locator("[data-action=bank]")).to_have_accessible_name("Bank 300")
    page = phone.sit("farkle", "111555" + "123456")
    phone.tap("[data-best]")
    expect(page.locator("[data-mood=hot]")).to_contain_text("Hot dice!")
    expect(page.locator("[data-action=roll]")).to_have_accessible_name("Roll all six")
    roll(phone)
    expect(page.locator("[data-turn-total]")).to_have_attribute("data-turn-total", "1500")


def test_farkle_14_no_die_left_means_bank(phone: Visitor) -> None:
    page = phone.sit("farkle", "111555", {"hot_dice": False})
    phone.tap("[data-best]")
    assert enabled(page) == {"roll": False, "bank": True}
    roll(phone)
    expect(page.locator(".refusal")).to_have_text("No die is left to roll. Bank your points.")


@pytest.mark.parametrize("rolls", [10])
def test_farkle_16_arcade_with_medals(desk: Visitor, rolls: int) -> None:
    page = desk.sit("farkle", "111555" * rolls, {"preset": "arcade"})
    assert "Turn 1 of 10" in desk.text(".status")
    assert page.locator(".status [data-medal]").count() == 3
    for _ in range(rolls):
        desk.press("a", "b")
    expect(page.locator("[data-over=true]")).to_be_attached()
    expect(page.locator(".medal")).to_have_attribute("data-medal", "gold")
    expect(page.locator("[data-turn]")).to_have_count(10)
    assert "1,500" in desk.text("[data-turn='1']")


def test_a_race_against_a_bot_is_shown_step_by_step(phone: Visitor) -> None:
    phone.settings["speed"] = "fast"
    page = phone.sit("farkle", EXAMPLE + "111246" + "152346", {"target": 5000}, "you,bank:300")
    phone.watch("[data-mood=banked]")
    page.locator("[data-best]").tap()
    page.locator("[data-action=bank]").tap()
    expect(page.locator(".seats")).to_contain_text("1,000")
    phone.rest()
    assert ["Penny" in text for text in phone.watched()] == [False, True], phone.watched()
    assert states(page)[0] == "scores"


def test_six_seats_take_turns(desk: Visitor) -> None:
    page = desk.sit("farkle", "111246" * 6, {"target": 1000}, "you,you,you,you,you,you")
    desk.press("a", "b")
    expect(page.locator("[data-over=true]")).to_be_attached()
    assert desk.text("[data-end] h2") == "Player 1 wins"


def test_a_farkle_is_told_once(phone: Visitor) -> None:
    """With what it cost, and not for a moment as one that cost nothing."""
    phone.settings["speed"] = "fast"
    phone.sit("farkle", "111346" + "223" + "123456")
    phone.watch("[data-mood=farkle] h2")
    phone.tap("[data-group='111']")
    phone.tap("[data-action=roll]")
    assert phone.watched() == ["Farkle! 1,000 lost"]


def test_a_die_that_scores_nothing_is_refused_with_a_word(phone: Visitor) -> None:
    page = phone.sit("farkle", "152346")
    phone.tap("[data-die='2']")
    expect(page.locator(".refusal")).to_be_visible()
    assert states(page)[2] == "plain"


def test_hot_dice_are_felt(phone: Visitor) -> None:
    phone.before(HEAR)
    page = phone.sit("farkle", "111555" + "111246")
    for group in ("111", "555"):
        phone.tap(f"[data-group='{group}']")
    page.evaluate("heard.length = 0")
    phone.tap("[data-action=roll]")
    assert [10, 30, 10, 30, 30] in page.evaluate("heard")


@pytest.mark.parametrize(
    ("language", "free", "costs"),
    [
        ("en", "The keep marked ★ is free", "The coach takes this run off the boards."),
        ("de", "Was mit ★ empfohlen ist, kostet nichts", "zählt diese Partie nicht für die Bestenlisten"),
    ],
)
def test_what_is_recommended_is_free_and_what_the_coach_says_is_not(
    phone: Visitor, language: str, free: str, costs: str
) -> None:
    """Both are said where one of them would cost; what is recommended is called so, and not a hint."""
    phone.settings["language"] = language
    page = phone.sit("farkle", kind="ranked")
    while page.locator("[data-action=hint][aria-disabled=true]").count():  # one keep alone: there is nothing to ask
        phone.go()
        page = phone.sit("farkle", kind="ranked")
    word = phone.text("[data-best]")
    assert {"en": "Recommended", "de": "Empfohlen"}[language] in word
    phone.tap("[data-best]")
    expect(page.locator("[data-played]")).to_contain_text({"en": "Ranked", "de": "Gewertet"}[language])
    page.locator("[data-action=hint]").tap()
    expect(page.locator("dialog")).to_contain_text(costs)
    expect(page.locator("[data-free]")).to_contain_text(free)


def test_after_a_bank_the_tray_names_only_who_is_to_move(phone: Visitor) -> None:
    phone.settings["speed"] = "fast"
    page = phone.sit("farkle", EXAMPLE + "111246" + "152346", {"target": 5000}, "you,bank:300")
    phone.watch(".panel")
    page.locator("[data-group='1']").tap()
    page.locator("[data-action=bank]").tap()
    phone.rest()
    watched = phone.watched()
    assert any(text.startswith("Penny plays") for text in watched), watched
    assert [text for text in watched if "You" in text and "Penny" in text] == []


def test_the_headline_of_the_game_names_no_target_of_one_table(phone: Visitor) -> None:
    page = phone.go("game/farkle")
    expect(page.locator("main")).to_contain_text("Roll on, or bank what you have")


def test_kept_dice_of_an_earlier_roll_stay_on_the_ledge(phone: Visitor) -> None:
    page = phone.sit("farkle", EXAMPLE + "14" + "3" + "123456")
    choose(phone, 2, 3, 4, 0)
    roll(phone)
    page.locator(".ledge [data-die]").first.wait_for()
    assert states(page).count("kept") == 4
    page.reload()
    phone.rest()
    assert states(page).count("kept") == 4
    expect(page.locator("[data-kept]")).to_have_attribute("data-kept", "300")


def test_without_motion_dice_that_fell_are_marked_for_a_while(phone: Visitor) -> None:
    phone.settings["motion"] = "reduced"
    page = phone.sit("farkle", EXAMPLE + "14")
    choose(phone, 2, 3, 4, 0)
    roll(phone)
    expect(page.locator(".dice.fresh")).to_be_attached()
    assert page.evaluate("document.getAnimations().length") == 0
    expect(page.locator(".dice.fresh")).to_have_count(0)


@pytest.mark.parametrize(("last", "said"), [(False, "first to 600"), (True, "to 600, then one last turn for")])
def test_a_screen_reader_hears_how_a_race_is_won(phone: Visitor, last: bool, said: str) -> None:
    page = phone.sit("farkle", EXAMPLE, {"target": 600, "last_turn": last}, "you,bank:300")
    expect(page.locator(".race")).to_contain_text(said)


def test_what_the_next_medal_would_have_taken_is_as_wide_as_it_reads(desk: Visitor) -> None:
    desk.hasty = True  # there are nine farkles to be seen
    page = desk.sit("farkle", "234462" * 9 + "152226", {"max_turns": 10})
    desk.finish()
    medal = page.locator(".medal[data-medal=none]")
    expect(medal).to_contain_text("short of Bronze")
    box, words = medal.bounding_box(), medal.locator("p").bounding_box()
    assert box
    assert words
    assert box["width"] < words["width"] + 60


def test_what_is_left_to_go_belongs_to_the_score_that_is_shown(desk: Visitor) -> None:
    desk.settings["speed"] = "normal"
    page = desk.sit("farkle", "111246" * 3, {"target": 5000})
    desk.watch("section.status .row")
    for banked in ("1,000", "2,000"):
        desk.press("a", "b")
        expect(page.locator("[data-banked]")).to_have_text(banked)
    found = [re.findall(r"[\d,]+", text.replace(",", "")) for text in desk.watched() if "to go" in text]
    assert len(found) > 2
    assert [one for one in found if int(one[0]) + int(one[-1]) != 5000] == []
