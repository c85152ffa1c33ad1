"""What is needed next is on the screen, whole: at four sizes, in both languages, in every state of every game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.tables import BROKEN, LANGUAGES, OUT_OF_SIGHT, SCENES, SIZES, settle, walk
from tests.browser.test_taps import at
from tests.browser.visit import Hall, Visitor


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("hand", ["touch", "mouse"])
@pytest.mark.parametrize("name", SCENES)
def test_everything_is_in_sight(browser: Browser, hall: Hall, name: str, hand: str, language: str) -> None:
    """A phone is turned into a smaller one and a tablet, state by state; a desk stays one."""
    sizes = ["desk"] if hand == "mouse" else ["small", "phone", "tablet"]
    with Visitor(browser, hall, **at(sizes[-1])) as visitor:
        visitor.settings["language"] = language

        def look(tap: str) -> None:
            for size in sizes:
                width, height = SIZES[size]
                visitor.page.set_viewport_size({"width": width, "height": height})
                settle(visitor.page)
                found = [*visitor.page.evaluate(OUT_OF_SIGHT), *visitor.page.evaluate(BROKEN)]
                assert found == [], f"{size}, after {tap or 'sitting down'}"

        for _ in walk(visitor, SCENES[name], look):
            pass
