"""In every state of every game, in both languages: what is needed next is on the screen, whole, at five sizes; nothing
moves between a tap and the next; the focus is somewhere. One walk for all of it: walking is what takes its time."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from playwright.sync_api import Browser

from tests.browser.tables import (
    MEASURED,
    SCENES,
    assert_somewhere,
    at,
    screen,
    walk,
)
from tests.browser.visit import Hall, Visitor
from tests.soak import SOAKING

Boxes = dict[str, list[float]]
NEW_WITH_THE_DICE = ("combo", "group", "best")  # what a roll offers is another thing after the next one
STEADY = 1.2  # pixels
TOUCHED = ["small", "tablet", "wide", "phone"]  # the last is tapped on
# What is only looked at, and the third tap of a kind, is measured on these by `make soak` alone.
ROOMY = ("tablet", "wide")
# `make soak` walks with both hands in both languages, and looks at every size; here the longer words are seen where
# there is least room for them, at every second table, and a mouse is in the hand at one table of every game.
ONE_OF_EACH_GAME = {scene.game: name for name, scene in reversed(SCENES.items())}.values()
SECOND = list(SCENES)[1::2]
WALKS = [
    (name, hand, language)
    for name in SCENES
    for hand in ("touch", "mouse")
    for language in ("en", "de")
    if SOAKING
    or (hand == "touch" and (language == "en" or name in SECOND))
    or (hand == "mouse" and language == "en" and name in ONE_OF_EACH_GAME)
]
MOTION = {"en": "system", "de": "reduced"}  # where things end does not depend on how they get there: once is enough


def assert_steady(before: Boxes, after: Boxes, tap: str) -> None:
    for control in before.keys() & after.keys():
        if tap.startswith("!") and control.startswith(NEW_WITH_THE_DICE):
            continue
        moved = [now - then for then, now in zip(before[control], after[control], strict=True)]
        assert max(map(abs, moved)) <= STEADY, f"{control} has moved by {moved} after {tap}"


@pytest.mark.parametrize(("name", "hand", "language"), WALKS)
def test_every_state(browser: Browser, hall: Hall, name: str, hand: str, language: str) -> None:
    """A phone is turned into a smaller one and a tablet held both ways, state by state; a desk stays one."""
    sizes = ["desk"] if hand == "mouse" else TOUCHED if language == "en" or SOAKING else ["small"]
    with Visitor(browser, hall, **at(sizes[-1])) as visitor:
        page = visitor.page
        visitor.hasty = True
        visitor.settings["language"] = language
        visitor.settings["motion"] = MOTION[language]
        visitor.go(f"game/{SCENES[name].game}").locator("[data-play]").focus()
        boxes: dict[str, Boxes] = {}
        kinds: Counter[str] = Counter()

        def look(tap: str) -> None:
            after = tap or "sitting down"
            if not tap.startswith("?"):
                assert_somewhere(page, after)
            over = page.locator("[data-over=true]").count()
            kinds[kind := re.sub(r"\d", "", tap)] += 1
            for size in sizes:
                if size in ROOMY and not over and (tap.startswith("?") or kinds[kind] > 2) and not SOAKING:
                    continue
                if len(sizes) > 1:
                    page.set_viewport_size(screen(size))
                wrong, now = page.evaluate(MEASURED)
                assert wrong == [], f"{size}, after {after}"
                if size in ("small", "phone") and not over:
                    assert_steady(boxes.get(size, {}), now, tap)
                    boxes[size] = now

        for _ in walk(visitor, SCENES[name], look):
            pass
