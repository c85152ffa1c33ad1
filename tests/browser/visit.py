"""What tests in a browser share: the hall's process, and a visitor with a page of it."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Final
from urllib.parse import urlencode

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Locator, Page, Request, expect

from dicehall.server.wire import PROTOCOL
from tests.patience import PATIENCE
from tests.processes import begin
from tests.soak import SOAKING

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
LATE: Final = 1000 * PATIENCE  # milliseconds
expect.set_options(timeout=LATE)
# Another tab at the same table plays: these moves, or to the end whatever comes first (a bank where there is one). Then
# it tells how many steps the table has.
PLAY_AHEAD = """(moves) => new Promise((done, fail) => {
    const table = location.hash.match(/table\\/([^?]+)/)[1]
    const tab = new WebSocket(`${location.origin.replace('http', 'ws')}/ws/tables/${table}`)
    const end = (settle, value) => { tab.onclose = null; tab.close(); settle(value) }
    tab.onclose = () => fail('the line is cut')
    tab.onopen = () => tab.send(JSON.stringify({ type: 'hello', protocol: PROTOCOL }))
    tab.onmessage = ({ data }) => {
        const { type, count, view, message } = JSON.parse(data)
        if (type === 'error') return end(fail, message)
        if (type !== 'table') return  // it is being thought or saved
        if (view.result || moves?.length === 0) return end(done, count)
        const move = moves ? moves.shift() : (view.moves.find((one) => one.move === 'bank') ?? view.moves[0]).move
        tab.send(JSON.stringify({ type: 'move', seen: count, move }))
    }
})""".replace("PROTOCOL", str(PROTOCOL))
# The page's own time passes faster: how long it shows the end of a turn, and after which time a tap is no echo of the
# last one. What it waits for longer, such as a hall that does not answer, it waits for as long as ever.
FASTER: Final = 10
HASTE: Final = """if (sessionStorage['hasty']) {
    const now = performance.now.bind(performance), later = window.setTimeout.bind(window)
    performance.now = () => FASTER * now()
    window.setTimeout = (what, time = 0, ...more) => later(what, time < 2000 ? time / FASTER : time, ...more)
}""".replace("FASTER", str(FASTER))
# Or slower: what it shows for a while is still there when a test looks, however long that takes on a busy machine; and
# what goes before `soon` did not go by itself.
SLOWER: Final = 10
SLOW: Final = """(least) => {
    const later = window.setTimeout.bind(window)
    window.setTimeout = (what, time = 0, ...more) => later(what, time < least ? time : SLOWER * time, ...more)
}""".replace("SLOWER", str(SLOWER))
ANTEROOM: Final = "/api/health"  # of the hall, but without a script: whoever is there has not come in yet
# Until the page has dealt with what has just come, and drawn it.
DRAWN: Final = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def soon(time: int) -> int:
    """For `expect`: so many milliseconds of the page's time, when that is slow."""
    return SLOWER * time


def later(time: int) -> str:
    """A script after which so many milliseconds have passed for what the page measures and does not wait for, such as
    how long a tap is an echo of the last one: its clock is put forward."""
    if SOAKING:
        return f"() => new Promise((over) => setTimeout(over, {time}))"
    return f"() => {{ const now = performance.now.bind(performance); performance.now = () => now() + {time} }}"


JUST_CAME_UP: Final = later(1100)  # meanwhile a tap on it does nothing
NO_ECHO: Final = later(520)  # until then a tap at the same place is taken for the echo of the last move
CONTEXT: Final = {"locale": "en-US", "reduced_motion": "no-preference"}
COLOURS: Final = {"color_scheme": "light", "forced_colors": "none"}
AT_REST = "[data-busy=false][data-waiting=false]"  # a table at which nothing moves and nothing is on its way


# Until there is such a thing, and still a moment later. The page tells it by itself: whole runs have many moves, and to
# look again and again from here takes longer than most of them.
RESTS: Final = """(where) => new Promise((rests, fails) => {
    const there = () => document.querySelector(where) !== null
    const sure = () => there() && (watcher.disconnect(), clearTimeout(late), rests(true))
    const watcher = new MutationObserver(() => there() && setTimeout(sure, 10))
    const late = setTimeout(() => fails(new Error(`there is no ${where}`)), LATE)
    watcher.observe(document, { subtree: true, childList: true, attributes: true })
    sure()
})""".replace("LATE", str(LATE))


class Hall:
    """The server of tests.browser.hall, in a process of its own, so that it can be killed."""

    def __init__(self, data: Path) -> None:
        self.data, self.port = data, 0

    def start(self) -> None:
        self.process = begin("tests.browser.hall", str(self.data), str(self.port), errors=self.data / "hall.log")
        assert self.process.stdout is not None
        told = self.process.stdout.readline().decode()
        found = re.search(r":(\d+)/", told)
        assert found, f"the hall did not open: {told!r}, {(self.data / 'hall.log').read_text()[-1000:]}"
        self.port = int(found[1])
        self.address = f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        self.process.kill()
        self._ended()

    def _ended(self) -> None:
        self.process.wait(PATIENCE)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def __enter__(self) -> Hall:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.send_signal(signal.SIGTERM)
        self._ended()


class Visitor:
    """A person with a browser of their own. What the page complains about in the console fails the test.

    To open a page takes as long as a few taps. So the next visitor gets the page of the last one, emptied, unless a
    test has altered more than can be put back.
    """

    _kept: ClassVar[dict[tuple[Browser, str, str], list[Page]]] = {}

    def __init__(self, browser: Browser, hall: Hall, **context: Any) -> None:
        self.hall = hall
        self.single_use = False  # set by who alters the page or its context: nobody else gets these
        self._kind = browser, hall.address, json.dumps(context, sort_keys=True)
        kept = self._kept.setdefault(self._kind, [])
        self.page = kept.pop() if kept else self._first_page(browser, context)
        self._context = self.page.context
        self._context.set_default_timeout(LATE)
        self._touches = bool(context.get("has_touch"))
        self._size = self.page.viewport_size
        self._colours = {name: context.get(name, usual) for name, usual in COLOURS.items()}
        self._asked = 0  # requests that are on their way
        self.complaints: list[str] = []
        self.forgiven: tuple[str, ...] = ()  # parts of complaints that a test expects
        self.settings: dict[str, Any] = {"speed": "instant", "handOver": False}  # chosen on an earlier visit
        self.hasty = False  # for tests that are not about time: the page's passes faster, but for `make soak`
        self._arrived = False

    def _first_page(self, browser: Browser, context: dict[str, Any]) -> Page:
        page = browser.new_context(**CONTEXT | context).new_page()
        page.add_init_script(HASTE)
        page.add_init_script(f"sessionStorage['slow'] && ({SLOW})(Number(sessionStorage['slow']))")
        page.goto(self.hall.address + ANTEROOM)
        return page

    def __enter__(self) -> Visitor:
        self._listen_to(self.page)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None or self.single_use or not self._leave():
            self._context.close()
        if kind is None:
            left = [text for text in self.complaints if not any(part in text for part in self.forgiven)]
            assert left == [], left

    def _leave(self) -> bool:
        """As if nobody had been here; false where that cannot be done, because the hall is closed."""
        self.page.remove_listener("console", self._listen)
        self.page.remove_listener("pageerror", self._hear)
        self.page.remove_listener("request", self._ask)
        self.page.remove_listener("requestfinished", self._answer)
        self.page.remove_listener("requestfailed", self._answer)
        for other in self._context.pages:
            if other is not self.page:
                other.close()
        try:
            self.page.evaluate("() => (localStorage.clear(), sessionStorage.clear())")
            self.page.unroute_all()
            self.page.emulate_media(**self._colours)
            self.page.goto(self.hall.address + ANTEROOM)
        except Error:
            return False
        self._context.clear_cookies()
        if self.page.viewport_size != self._size and self._size is not None:
            self.page.set_viewport_size(self._size)
        self._kept[self._kind].append(self.page)
        return True

    @property
    def context(self) -> BrowserContext:
        self.single_use = True
        return self._context

    def before(self, script: str) -> None:
        """Whenever the page is opened, this runs before anything of ours does."""
        self.single_use = True
        self.page.add_init_script(script)

    def new_page(self) -> Page:
        page = self._context.new_page()
        self._listen_to(page)
        return page

    def _listen_to(self, page: Page) -> None:
        page.on("console", self._listen)
        page.on("pageerror", self._hear)
        page.on("request", self._ask)
        page.on("requestfinished", self._answer)
        page.on("requestfailed", self._answer)

    def _listen(self, message: ConsoleMessage) -> None:
        asked = message.location.get("url", "")
        if message.type in ("error", "warning") and not asked.endswith(
            "/favicon.ico"
        ):  # nobody has one before coming in
            self.complaints.append(f"{message.text} ({asked})")

    def _hear(self, error: Error) -> None:
        self.complaints.append(str(error))

    def _ask(self, request: Request) -> None:
        self._asked += 1

    def _answer(self, request: Request) -> None:
        self._asked -= 1

    # -- going somewhere

    def go(self, place: str = "") -> Page:
        if not self._arrived:
            self._arrived = True
            self.page.evaluate(
                "([settings, hasty]) => {"
                " localStorage['dicehall.settings'] ??= settings; if (hasty) sessionStorage['hasty'] = true }",
                [json.dumps(self.settings), self.hasty and not SOAKING],
            )
        self.page.goto(f"{self.hall.address}/#/{place}")
        return self.page

    def sit(
        self, game: str, dice: str = "", options: dict[str, Any] | None = None, seats: str = "", **more: str
    ) -> Page:
        """A table with these dice, one a digit, in the order in which they are rolled."""
        query = {"options": json.dumps(options or {}), **more}
        if dice:
            query["seed"] = f"dice:{dice}"
        if seats:
            query["seats"] = seats
        page = self.go(f"play/{game}?{urlencode(query)}")
        self.rest()
        return page

    def idle(self) -> None:
        """Until the page has asked for all that it needs, and has drawn it: on whatever screen, where `networkidle` is
        about the first one alone."""
        late = time.monotonic() + PATIENCE
        self.page.evaluate(DRAWN)
        while self._asked > 0:
            assert time.monotonic() < late, f"{self._asked} requests have no answer"
            self.page.wait_for_timeout(5)
            if self._asked == 0:
                self.page.evaluate(DRAWN)

    def slow(self, least: int = 1) -> None:
        """From now on, in a test that watches what the page shows for a while, of at least so many milliseconds: that
        stays SLOWER times as long."""
        self.page.evaluate(SLOW, least)
        self.page.evaluate("least => (sessionStorage['slow'] = least)", least)

    def asked(self, path: str) -> Any:
        """What the hall answers to the page under this path, such as `/api/puzzles/farkle/1`."""
        return self.page.evaluate("async path => (await fetch(path)).json()", path)

    # -- at a table

    def rest(self) -> None:
        """Until nothing moves and nothing is on its way. The first roll of a daily waits for a tap, and gets it."""
        if self.page.evaluate(RESTS, f"{AT_REST}, [data-announced]") and self.page.locator("[data-announced]").count():
            self.page.locator("[data-action=throw]").click()
            self.page.evaluate(RESTS, AT_REST)

    def tap(self, what: str | Locator) -> None:
        where = self.page.locator(what) if isinstance(what, str) else what
        if "data-roll=" in str(what):  # it has come up where the button to shut was
            self.page.evaluate(JUST_CAME_UP)
        # what is refused with a word is marked as disabled, and is tapped all the same
        where.tap(force=True) if self._touches else where.click(force=True)
        self.rest()

    def equip(self) -> None:
        """What a table needs later comes with the first tap: until it is there."""
        self.page.locator(".table").dispatch_event("pointerdown")
        self.page.locator("[data-later=true]").wait_for(state="attached")

    def play_ahead(self, moves: Iterable[str]) -> None:
        """These moves, without a tap: for tests of what comes after them. The other tab has them before the page."""
        count = self.page.evaluate(PLAY_AHEAD, list(moves))
        self.page.evaluate(RESTS, f"[data-count='{count}']{AT_REST}")
        self.rest()

    def finish(self) -> Page:
        """To the end of the run, without a tap, and until the end answers taps."""
        self.page.evaluate(PLAY_AHEAD, None)
        expect(self.page.locator("[data-end]")).to_be_visible()
        self.page.evaluate(JUST_CAME_UP)
        return self.page

    def point(self, where: str) -> None:
        """Look at what a tap would do: a first tap, or the mouse over it."""
        self.page.locator(where).tap() if self._touches else self.page.locator(where).hover()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.rest()

    def touches(self) -> bool:
        return self._touches

    def text(self, where: str) -> str:
        return " ".join(self.page.locator(where).inner_text().split())

    def watch(self, where: str) -> None:
        """From now on, note every text that this shows, however shortly."""
        self.page.evaluate(
            "where => { window.watched = []; let last = ''; new MutationObserver(() => {"
            " const text = document.querySelector(where)?.innerText ?? '';"
            " if (text && text !== last) watched.push(text); last = text"
            " }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true }) }",
            where,
        )

    def watched(self) -> list[str]:
        found: list[str] = self.page.evaluate("watched")
        return found
