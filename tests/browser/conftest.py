"""A hall and a browser for every worker; a fresh visitor for every test, on a phone or at a desk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.browser.visit import FLAGS, Hall, Visitor

# Where what the page waits for is only waited for: its time passes faster there (visit.HASTE).
NOT_ABOUT_TIME = {
    "test_analysis", "test_coach", "test_ends", "test_hints", "test_played", "test_sharing",
    "test_statistics", "test_whole_runs",
}  # fmt: skip


@pytest.fixture(scope="session")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with Hall(tmp_path_factory.mktemp("hall")) as running:
        yield running


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    # the first is the same engine without windows of its own, and opens a page in a third of the time
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert chromium, "the tests need a real browser: apt-get install chromium-headless-shell"
    running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
    yield running
    running.close()


@pytest.fixture
def phone(browser: Browser, hall: Hall, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """Somebody with a phone, who taps."""
    with Visitor(browser, hall, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True) as visitor:
        visitor.hasty = request.path.stem in NOT_ABOUT_TIME
        yield visitor


@pytest.fixture
def desk(browser: Browser, hall: Hall, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """Somebody at a desk, with a mouse and a keyboard."""
    with Visitor(browser, hall, viewport={"width": 1280, "height": 800}) as visitor:
        visitor.hasty = request.path.stem in NOT_ABOUT_TIME
        yield visitor


@pytest.fixture(scope="session", autouse=True)
def _built() -> None:
    static = Path(__file__).parents[2] / "src" / "dicehall" / "server" / "static" / "index.html"
    assert static.exists(), "build the page first: make page"
