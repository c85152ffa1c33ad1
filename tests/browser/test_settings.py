"""Settings, and the account: a name, other devices, everything exported, everything deleted."""

from __future__ import annotations

import json

from playwright.sync_api import Route, expect

from tests.browser.test_lite import SPEC_DICE
from tests.browser.visit import DRAWN, Visitor


def test_settings_are_kept(phone: Visitor) -> None:
    page = phone.go("settings")
    page.get_by_role("radio", name="Dark").tap()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 21, 20)"
    page.get_by_role("radio", name="Deutsch").tap()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    page.get_by_role("switch", name="Automatisch würfeln").tap()
    page.reload()
    expect(page.get_by_role("switch", name="Automatisch würfeln")).to_have_attribute("aria-checked", "false")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_without_auto_roll_the_player_rolls(phone: Visitor) -> None:
    phone.settings["autoRoll"] = False
    page = phone.go(f"play/lite-solo?seed=dice:{SPEC_DICE}")
    roll = page.get_by_role("button", name="Roll", exact=True)
    roll.tap()  # the first one, too
    phone.rest()
    for name in ("a1", "a1"):
        page.locator(f"[data-cell={name}]").tap()
    expect(roll).to_be_visible()
    expect(page.locator(".cell.open")).to_have_count(0)
    roll.tap()
    phone.rest()
    expect(page.locator(".cell.open")).to_have_count(8)


def test_what_is_being_typed_stays(phone: Visitor) -> None:
    """The answer to who one is may come late."""
    held: list[Route] = []
    phone.page.route("**/api/lobby", lambda route: held.append(route))
    page = phone.go("settings")
    page.get_by_label("Nickname").fill("Ada")
    with page.expect_response("**/api/lobby") as told:
        held[0].continue_()
    told.value.finished()
    page.evaluate(DRAWN)
    expect(page.get_by_label("Nickname")).to_have_value("Ada")


def test_an_account_is_named_moved_exported_and_deleted(phone: Visitor, desk: Visitor) -> None:
    page = phone.go("settings")
    page.get_by_label("Nickname").fill("Ada")
    page.get_by_role("button", name="Save").tap()
    expect(page.locator("main")).to_contain_text("Saved.")
    page.get_by_role("button", name="Get a code", exact=True).tap()
    code = page.locator(".code").inner_text()
    other = desk.go("settings")
    for kind in ("Get a code", "Get a code to keep"):
        other.get_by_role("button", name=kind, exact=True).click()
    expect(other.locator(".code")).to_have_count(2)
    other.get_by_label("I have a code").fill(code)
    other.get_by_role("button", name="Use it").click()
    expect(other.get_by_label("Nickname")).to_have_value("Ada")
    expect(other.locator(".code")).to_have_count(0)  # those were of the account that was left
    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Download my data").tap()
    assert json.loads(downloaded.value.path().read_text())["profile"]["nickname"] == "Ada"
    page.get_by_role("button", name="Delete my account").tap()
    page.locator("dialog").get_by_role("button", name="Delete my account").tap()
    expect(page.locator("main")).to_contain_text("The account is gone.")


def test_a_code_to_keep_brings_an_account_back(phone: Visitor, desk: Visitor) -> None:
    """Whoever gives it again at once, because an answer got lost, has it instead of the first device."""
    page = phone.go("settings")
    page.get_by_label("Nickname").fill("Lovelace")
    page.get_by_role("button", name="Save").tap()
    page.get_by_role("button", name="Get a code to keep").tap()
    expect(page.locator(".account")).to_contain_text("Keep this code somewhere safe")
    code = page.locator("[data-kept]").inner_text()
    page.locator("[data-device=this]").get_by_role("button").tap()
    page.locator("dialog").get_by_role("button", name="Cancel").tap()
    expect(page.locator("[data-device]")).to_have_count(1)
    page.locator("[data-device=this]").get_by_role("button").tap()
    page.locator("dialog").get_by_role("button", name="Sign out").tap()
    expect(page.locator("main")).to_contain_text("This device is signed out.")
    expect(page.locator("[data-device]")).to_have_count(0)
    other = desk.go("settings")
    other.get_by_label("I have a code").fill(code)
    other.get_by_role("button", name="Use it").click()
    expect(other.get_by_label("Nickname")).to_have_value("Lovelace")
    page.get_by_label("I have a code").fill(code)
    page.get_by_role("button", name="Use it").tap()
    expect(page.get_by_label("Nickname")).to_have_value("Lovelace")
    expect(page.locator("[data-device]")).to_have_count(1)


def test_all_other_devices_are_signed_out_at_once(phone: Visitor, desk: Visitor) -> None:
    page = phone.go("settings")
    page.get_by_label("Nickname").fill("Hopper")
    page.get_by_role("button", name="Save").tap()
    page.get_by_role("button", name="Get a code", exact=True).tap()
    other = desk.go("settings")
    other.get_by_label("I have a code").fill(page.locator(".code").inner_text())
    other.get_by_role("button", name="Use it").click()
    other.get_by_role("button", name="Sign out all others").click()
    expect(other.locator("[data-device]")).to_have_count(1)
    expect(other.locator("main")).to_contain_text("All other devices are signed out.")
    page.reload()
    expect(page.get_by_label("Nickname")).to_have_value("")
    expect(page.locator("[data-device]")).to_have_count(0)
