"""A game's page and its rules: what can be chosen, what it changes, who plays."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Route, expect

from dicehall.rules.catalog import GAMES as RULES
from tests.browser.test_screens import GAMES
from tests.browser.visit import Visitor
from tests.web.test_texts import ENGLISH, GERMAN

# Controls of a page under something else, of those that are on the screen. What scrolls, the page or a part of it, is
# at `place`; what has left that part is not on the screen.
COVERED = """(place) => [...document.querySelectorAll('main :is(button, a, select, input)')].flatMap((one) => {
    const scrolled = one.closest('.scroll')
    scrollTo(0, place)
    if (scrolled) scrolled.scrollTop = place
    const box = one.getBoundingClientRect()
    const part = scrolled?.getBoundingClientRect()
    const [top, bottom] = part?.height ? [part.top, part.bottom] : [0, innerHeight]
    return [0.1, 0.5, 0.9].map((part) => [box.x + box.width / 2, box.y + part * box.height])
        .filter(([x, y]) => y > top && y < bottom - 1 && !one.contains(document.elementFromPoint(x, y)))
        .map(([x, y]) => `${one.innerText} at ${Math.round(y)}`)
})"""


@pytest.mark.parametrize("game", ["shut-the-box", "farkle"])
def test_nothing_lies_over_the_controls_of_a_game(desk: Visitor, game: str) -> None:
    """And playing takes no scrolling."""
    for size in ((1440, 900), (390, 664), (390, 844), (320, 568)):
        desk.page.set_viewport_size({"width": size[0], "height": size[1]})
        page = desk.go(f"game/{game}")
        desk.idle()
        page.evaluate("scrollTo(0, 0)")
        expect(page.locator("[data-play]")).to_be_in_viewport(ratio=1)
        for place in (0, 150, 10_000):
            assert page.evaluate(COVERED, place) == [], (size, place)
            expect(page.locator("[data-play]")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(
    ("game", "option", "value", "language", "said"),
    [
        ("lite-solo", "target", "1000", "en", "No run can reach that target: 162 points is the most there can be."),
        ("lite-solo", "target", "1000", "de", "Mehr als 162 Punkte gibt es nicht."),
        ("shut-the-box", "goal", "500", "de", "Dieses Ziel verfehlt niemand: Die größte mögliche Summe ist 215."),
    ],
)
def test_what_cannot_be_reached_is_said_before_one_plays(
    phone: Visitor, game: str, option: str, value: str, language: str, said: str
) -> None:
    phone.settings["language"] = language
    page = phone.go(f"game/{game}")
    page.locator(".options").tap()
    page.locator(f"input[name={option}]").fill(value)
    page.locator(f"input[name={option}]").blur()
    expect(page.locator("dialog [data-doubt]")).to_contain_text(said)
    page.locator("[data-done]").tap()
    expect(page.locator("main [data-doubt]")).to_contain_text(said)
    expect(page.locator(f"[data-value='{value}']")).to_have_attribute("aria-checked", "true")


def test_a_goal_out_of_reach_is_not_played_for(phone: Visitor) -> None:
    page = phone.go("game/lite-solo")
    page.locator(".options").tap()
    page.locator("input[name=target]").fill("1000")
    page.locator("input[name=target]").blur()
    page.locator("[data-done]").tap()
    expect(page.locator("[data-play]")).to_have_attribute("aria-disabled", "true")
    page.locator("[data-play]").tap(force=True)
    page.locator("main [data-better]", has_text="Target: 65").tap()
    expect(page.locator("[data-doubt]")).to_have_count(0)
    page.locator("[data-play]").tap()
    phone.rest()
    expect(page.locator(".status")).to_contain_text("65")


def test_a_target_of_ones_own_has_its_chance_and_one_at_most_is_recommended(phone: Visitor) -> None:
    page = phone.go("game/lite-solo")
    page.locator(".options").tap()
    page.locator("input[name=target]").fill("100")
    page.locator("input[name=target]").blur()
    page.locator("[data-done]").tap()
    expect(page.locator("[data-value='100']")).to_have_text(re.compile(r"^Your own 100 · 1 in \d+$"))
    expect(page.locator("[data-doubt]")).to_have_count(0)
    for game, preset in (("lite-solo", ""), ("shut-the-box", "hard"), ("shut-the-box", "classic")):
        page = phone.go(f"game/{game}")
        if preset:
            page.locator(f"[data-value={preset}]").tap()
        expect(page.get_by_text("(recommended)")).to_have_count(1)


def test_a_preset_stays_as_it_is_where_the_usual_goal_would_fit_as_well(phone: Visitor) -> None:
    """What comes with a preset is chosen; what comes with nothing follows the other options."""
    page = phone.go("game/shut-the-box")
    expect(page.locator("[data-value='45']")).to_have_attribute("aria-checked", "true")
    page.locator("[data-value=strict]").tap()
    phone.idle()
    expect(page.locator("[data-value=strict]")).to_have_attribute("aria-checked", "true")
    expect(page.locator("[data-value='40']")).to_have_attribute("aria-checked", "true")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_rules_say_what_every_option_changes(phone: Visitor, language: str) -> None:
    phone.settings["language"] = language
    texts = ENGLISH if language == "en" else GERMAN
    for game in GAMES:
        page = phone.go(f"rules/{game}")
        expect(page.locator("[data-options] dt")).to_have_count(len(RULES[game].options.__dataclass_fields__))
        told = " ".join(page.locator("main").inner_text().split())
        assert [key for key in sentences(game) if str(texts[key]) not in told] == []
        rules = page.locator("main ol > li").count()
        assert rules >= 5
        assert page.locator("main svg.die").count() >= 2
        page = phone.go(f"game/{game}")
        page.locator(".options").tap()
        expect(page.locator("dialog .about, dialog .small.soft").first).to_be_visible()
        if language == "en":
            phone.sit(game)
            page.get_by_role("button", name="Menu").tap()
            page.get_by_role("button", name="Rules").tap()
            expect(page.locator("dialog ol > li").nth(3)).to_be_visible()
            assert page.locator("dialog ol > li").count() <= rules, "of the variants, only what is played"


def sentences(game: str) -> Iterator[str]:
    """What is to be said of the options and presets of a game."""
    rules = RULES[game]
    yield from (f"preset.{game}.{name}.about" for name in rules.presets)
    for name, option in rules.options.__dataclass_fields__.items():
        own = f"option.{name}.about.{game}"
        yield own if own in ENGLISH else f"option.{name}.about"
        values = option.metadata["values"]
        if not isinstance(values, range):
            yield from (f"option.{name}.{value}.about" for value in values if not isinstance(value, bool))


def test_people_at_one_device_have_names_that_stay_there(phone: Visitor) -> None:
    sent: list[str] = []
    phone.page.on("request", lambda request: sent.append(f"{request.url} {request.post_data}"))
    phone.page.on("websocket", lambda line: line.on("framesent", lambda frame: sent.append(str(frame))))
    page = phone.go("game/lite-versus")
    page.get_by_role("combobox").select_option("you")
    page.get_by_label("Name of player 1").fill("Hedy")
    page.get_by_label("Name of player 2").fill("B" * 30)
    expect(page.get_by_label("Name of player 2")).to_have_value("B" * 24)
    expect(page.locator("main [role=status]", has_text="At most 24 characters")).to_have_count(1)
    page.get_by_label("Name of player 2").fill("Grace")
    page.reload()
    expect(page.get_by_label("Name of player 2")).to_have_value("Grace")
    page.locator("[data-play]").tap()
    phone.rest()
    assert [name.strip("▸ ") for name in page.locator(".seats .name").all_inner_texts()][1] == "Grace"
    for key in CELLS_BY_KEY:
        phone.press(key, key)
    expect(page.locator("[data-end] h2")).to_have_text(re.compile("Hedy|Grace|draw"))
    page.locator("[data-action=log]").tap()
    expect(page.locator("dialog")).to_contain_text("Grace: ")
    page.keyboard.press("Escape")
    page.locator("[data-share]").tap()
    expect(page.locator("pre")).to_contain_text("Hedy: ")
    assert not [one for one in sent if "Hedy" in one or "Grace" in one]
    phone.go("runs")
    page.locator("main a", has_text="Hedy : Grace").tap()
    page.get_by_role("button", name="One step on").tap()
    expect(page.locator(".told")).to_contain_text(re.compile("Hedy|Grace"))


CELLS_BY_KEY = "123456789"


def test_a_player_of_the_house_says_by_which_rule_it_plays(phone: Visitor) -> None:
    page = phone.go("game/farkle")
    page.get_by_role("button", name="Add a player").tap()
    expect(page.locator("main")).to_contain_text("banks as soon as 300 or more are at stake")
    seats = page.get_by_role("combobox", name="Seat")
    expect(seats.last.locator("option:checked")).to_have_text("Penny (banks at 300)")
    page.get_by_role("button", name="Add a player").tap()
    expect(seats.last.locator("option:checked")).to_have_text("Marco (banks at 600)")
    seats.last.select_option("bank:300")
    page.locator("[data-play]").tap()
    phone.rest()
    expect(page.locator(".seats li").nth(1)).to_contain_text("Penny 1")
    expect(page.locator(".seats li").nth(2)).to_contain_text("Penny 2")
    expect(page.locator(".seats li").nth(1)).to_have_attribute("title", re.compile("banks as soon as 300"))
    page.get_by_role("button", name="Menu").tap()
    expect(page.locator("[data-house]")).to_contain_text("Penny: Keeps the most points, and banks")


@pytest.mark.parametrize("language", ["en", "de"])
def test_targets_have_rows_as_high_as_each_other(phone: Visitor, language: str) -> None:
    phone.settings["language"] = language
    for game in ("lite-solo", "shut-the-box"):
        for width, height in ((390, 844), (320, 568), (768, 1024)):
            phone.page.set_viewport_size({"width": width, "height": height})
            page = phone.go(f"game/{game}")
            expect(page.locator("h1")).to_have_text(str((ENGLISH if language == "en" else GERMAN)[f"game.{game}"]))
            targets = page.locator("[data-value].short")
            phone.idle()
            assert len(set(targets.evaluate_all("(all) => all.map((one) => one.offsetHeight)"))) == 1, (game, width)


def test_what_goes_on_below_the_bar_fades_there(phone: Visitor) -> None:
    """Nothing looks as if the bar had cut it off, and where there is no more nothing fades."""
    page = phone.go("game/lite-solo")
    phone.idle()
    choices = page.locator(".scroll")
    expect(choices).to_have_attribute("data-scrolls", "")
    choices.evaluate("(one) => one.scrollTo(0, one.scrollHeight)")
    expect(choices).not_to_have_attribute("data-scrolls", "")


def test_what_does_not_fit_into_a_name_is_told_and_moves_nothing(phone: Visitor) -> None:
    page = phone.go("game/farkle")
    page.get_by_role("button", name="Add a player").tap()
    page.locator("select.seat").select_option("you")
    fields = page.locator(".named input")
    expect(fields).to_have_count(2)
    before = fields.nth(1).bounding_box()
    fields.first.fill("Maximilian von Hohenstein-Waldburg")
    expect(fields.first).to_have_value("Maximilian von Hohenstei")
    told = page.locator(".named [role=status]").first
    expect(told).to_have_text("At most 24 characters, without “n-Waldburg”")
    assert fields.nth(1).bounding_box() == before
    fields.first.fill("Max")
    expect(told).to_have_text("")
    page = phone.go("settings")
    page.get_by_label("Nickname").fill("Maximilian von Hohenstein-Waldburg")
    expect(page.locator(".account")).to_contain_text("without “n-Waldburg”")


def test_what_is_said_of_a_name_is_whole_and_below_the_ring_of_the_focus(phone: Visitor) -> None:
    phone.settings["language"] = "de"
    page = phone.go("game/farkle")
    page.get_by_role("button", name="Mitspieler hinzufügen").tap()
    page.locator("select.seat").select_option("you")
    field, told = page.locator(".named input").first, page.locator(".named [role=status]").first
    field.fill("Maximilian von Hohenstein-Waldburg und zu Zeil-Trauchburg")
    expect(told).to_contain_text("ohne „n-Waldburg")
    for width, height in ((390, 844), (390, 664), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        ring, said, cut = page.evaluate(
            """([field, told]) => {
                const { outlineWidth, outlineOffset } = getComputedStyle(field)
                const ring = field.getBoundingClientRect().bottom + parseFloat(outlineWidth) + parseFloat(outlineOffset)
                const cut = [told.scrollHeight - told.clientHeight, told.scrollWidth - told.clientWidth]
                return [ring, told.getBoundingClientRect().top, Math.max(...cut)]
            }""",
            [field.element_handle(), told.element_handle()],
        )
        assert ring <= said, (width, height)
        assert cut <= 1, (width, height)


def test_of_two_people_with_one_long_name_the_number_is_in_sight(phone: Visitor) -> None:
    page = phone.go("game/lite-versus")
    page.get_by_role("combobox").select_option("you")
    for n in (1, 2):
        page.get_by_label(f"Name of player {n}").fill("Maximilian von Hohenstein")
    page.set_viewport_size({"width": 320, "height": 568})
    for game, seats in (("lite-versus", 2), ("farkle", 3)):
        page = phone.sit(game, "152226", seats=",".join(["you"] * seats))
        if game == "farkle":
            page.evaluate("localStorage['dicehall.people'] = JSON.stringify({1: 'Maximilian', 2: 'Maximilian'})")
            page.reload()
            phone.rest()
        names = page.locator(".seats .name")
        for n in range(2):
            number = names.nth(n).get_by_text(str(n + 1), exact=True)
            expect(number).to_be_visible()
            assert number.evaluate(
                "(one) => one.getBoundingClientRect().right <= one.closest('li').getBoundingClientRect().right"
                " && one.scrollWidth <= one.clientWidth + 1"
            )


def test_what_would_be_gone_on_with_is_whole_on_the_smallest_phone(phone: Visitor) -> None:
    phone.settings["language"] = "de"
    phone.page.set_viewport_size({"width": 320, "height": 568})
    page = phone.sit("shut-the-box", "6653", {"preset": "twelve"})
    page = phone.go("game/shut-the-box")
    go_on = page.locator(".foot [data-go-on]")
    assert go_on.evaluate(
        "one => [...one.childNodes].every((part) => { const range = document.createRange();"
        " range.selectNodeContents(part);"
        " const [words, box] = [range, one].map((each) => each.getBoundingClientRect());"
        " return words.left > box.left + 3 && words.right < box.right - 3 && words.bottom <= box.bottom })"
    )
    assert go_on.locator("small").evaluate("one => one.scrollWidth <= one.clientWidth")


def test_a_run_of_many_rules_to_go_on_with_takes_two_lines(phone: Visitor) -> None:
    """Who listens hears all of them."""
    phone.settings["language"] = "de"
    phone.page.set_viewport_size({"width": 320, "height": 568})
    rules = {"target": 2000, "straight": True, "three_pairs": True, "four_plus_pair": True, "bank_minimum": 300}
    phone.sit("farkle", "", rules, kind="practice", seed="many")
    page = phone.go("game/farkle")
    told = page.locator(".foot [data-go-on] small")
    assert told.evaluate("one => one.offsetHeight <= 2 * parseFloat(getComputedStyle(one).lineHeight) + 1")
    assert told.evaluate("one => one.scrollHeight > one.clientHeight")
    expect(told).to_contain_text("Ziel: 2.000")
    foot = page.locator(".foot").bounding_box()
    assert foot
    assert foot["height"] < 100


# By its content, how wide a field would be, and how wide it is.
WIDTHS = """all => all.map((one) => {
    const { offsetWidth } = one
    one.style.cssText = 'field-sizing: content; flex: none; width: auto; min-width: 0'
    return [one.offsetWidth, offsetWidth]
})"""


@pytest.mark.parametrize("language", ["en", "de"])
def test_fields_of_people_end_in_a_line_and_show_all_their_words(phone: Visitor, language: str) -> None:
    phone.settings["language"] = language
    phone.page.set_viewport_size({"width": 320, "height": 568})
    page = phone.go("game/farkle")
    page.locator("section[aria-labelledby=who] .chip").tap()
    page.locator("select.seat").select_option("you")
    fields = page.locator(".named input")
    expect(fields).to_have_count(2)
    ends = page.locator(".named input, li:has(select) > :last-child").evaluate_all(
        "all => all.map((one) => Math.round(one.getBoundingClientRect().right))"
    )
    assert len(set(ends)) == 1, ends
    assert [one for one in page.locator("select.seat").evaluate_all(WIDTHS) if one[0] > one[1]] == []


ARROWS = 15  # pixels, beside a number that has the mouse over it


@pytest.mark.parametrize("language", ["en", "de"])
def test_fields_of_options_show_all_their_words(desk: Visitor, language: str) -> None:
    desk.settings["language"] = language
    page = desk.go("game/farkle")
    page.locator(".options").click()
    expect(page.locator("dialog input[type=number]").first).to_be_visible()
    found = page.locator("dialog input[type=number]").evaluate_all(WIDTHS)
    assert [one for one in found if one[0] + ARROWS > one[1]] == []


@pytest.mark.parametrize("late", [False, True])
def test_targets_that_come_late_move_nothing(phone: Visitor, late: bool) -> None:
    """What lies below them waits half a second; then they come below it."""
    phone.before(
        "window.waited = []; const later = window.setTimeout; window.setTimeout = (what, time, ...more) =>"
        " time === 500 ? waited.push(what) : later(what, time, ...more)"
    )
    page = phone.page
    held: list[Route] = []
    page.route("**/targets?*", lambda route: held.append(route))
    with page.expect_request("**/targets?*"):
        phone.go("game/shut-the-box")
    options = page.locator(".options")
    expect(page.locator("[data-value=hard]")).to_be_visible()
    expect(options).to_have_count(0)
    if late:
        page.evaluate("waited.forEach((what) => what())")
        expect(options).to_be_visible()
    before = options.bounding_box() if late else None
    held.pop().continue_()
    targets = page.get_by_role("radiogroup", name="Target")
    expect(targets).to_be_visible()
    above, below = targets.bounding_box(), options.bounding_box()
    assert above
    assert below
    assert (above["y"] > below["y"]) == late
    assert before in (None, below)
