"""Is the page quick enough for a phone? Lighthouse, the weight of its scripts, and the time from a tap to an answer.

    python bench/page.py [--runs N] [--json]

Lighthouse judges the hall and a table of every game as a middling phone on a slow network sees them, the median of
three. The weight is what a visitor loads before and while playing any one game, packed with gzip. A tap is answered
when the next picture is on the screen that shows it, measured in the page, with the processor slowed down four times.
As slow, a thrown die, a folded tile, a broken die and a triple are played at the usual speed: the browser's own trace
tells which pictures it could not draw in time, the median of some runs.

Lighthouse is installed from bench/peers/lighthouse with npm when it is missing; Chromium has to be there. The exit code
is 0 when every check passes, 1 when one fails, 2 when Lighthouse cannot be installed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from checks import Check, finish, say
from halls import NotRunning
from peer import install_peer

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent
LIGHTHOUSE: Final = HERE / "peers" / "lighthouse"
sys.path.append(str(ROOT))

from playwright.sync_api import Page, sync_playwright  # noqa: E402

from tests.browser.visit import FLAGS, Hall, Visitor  # noqa: E402

PLACES: Final = {
    "hall": "",
    "lite-solo": "#/play/lite-solo",
    "lite-versus": "#/play/lite-versus",
    "farkle": "#/play/farkle",
    "shut-the-box": "#/play/shut-the-box",
    "knucklebones": "#/play/knucklebones",
}
CATEGORIES: Final = ("performance", "accessibility", "best-practices", "seo")
MOST_SCRIPT: Final = 70_000  # bytes, gzip
MOST_STYLE: Final = 15_000  # bytes, gzip: materials and art are in there
MOST_TAP_MS: Final = 100.0
SLOWED: Final = 4
NEVER: Final = 5000.0  # milliseconds
# What a tap on each table is: where, and what changes on the screen when it has been heard.
TAPS: Final = {
    "lite-solo": ".cell.open",
    "lite-versus": ".cell.open",
    "farkle": "[data-die]",
    "shut-the-box": "[data-tile]",
    "knucklebones": "[data-place]",
}
MEASURE: Final = """(selector) => new Promise((resolve) => {
  const target = document.querySelector(selector)
  target.addEventListener('pointerdown', (event) => {
    const began = event.timeStamp
    new MutationObserver((_, observer) => {
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
    }).observe(document.querySelector('.table'), {subtree: true, childList: true, attributes: true})
  }, {once: true, capture: true})
  setTimeout(() => resolve(null), 5000)
})"""


@dataclass(frozen=True)
class Moment:
    """Something that moves on a table: how to get there, and the tap after which it does."""

    game: str
    dice: str
    seats: str
    ahead: tuple[str, ...]  # moves, without a tap
    taps: tuple[str, ...]  # the last one is watched


MOMENTS: Final = {
    "throw": Moment("farkle", "112346", "", (), ("[data-best]", "[data-action=roll]")),
    "fold": Moment("shut-the-box", "54", "", (), ("[data-combo]", "[data-shut]")),
    "break": Moment("knucklebones", "444", "you,you", ("1",), ("[data-place='0']", "[data-action=place]")),
    "triple": Moment("lite-solo", "5553", "", ("a1", "b1"), ("button[data-cell=c1]", "[data-action=place]")),
}
WATCHED_MS: Final = 1200
TRACED: Final = ("cc", "benchmark", "blink.user_timing", "disabled-by-default-devtools.timeline.frame")
# When the hall's answer is drawn, it begins to move. What comes before is how long a tap takes, which is measured too.
MOVES: Final = """() => new MutationObserver((_, watcher) => {
  if (document.querySelector('[data-busy=true]') === null) return
  watcher.disconnect()
  requestAnimationFrame(() => setTimeout(() => performance.mark('moves')))
}).observe(document.querySelector('.table'), { subtree: true, childList: true, attributes: true })"""


def _lighthouse(node: str | Path, address: str) -> dict[str, Any]:
    """One report. Now and then it cannot trace a page, and says that it is to be run again."""
    for attempt in range(3):
        with TemporaryDirectory() as profile:
            flags = " ".join(["--headless=new", f"--user-data-dir={profile}", *FLAGS])
            told = subprocess.run(
                [node, LIGHTHOUSE / "node_modules" / "lighthouse" / "cli" / "index.js", address, "--output=json",
                 "--quiet", f"--chrome-flags={flags}", f"--only-categories={','.join(CATEGORIES)}"],
                env={**os.environ, "CHROME_PATH": shutil.which("chromium") or ""},
                capture_output=True, text=True, check=False,
            )  # fmt: skip
        if told.returncode == 0:
            found: dict[str, Any] = json.loads(told.stdout)
            return found
        say(f"{address}: attempt {attempt + 1} failed: {told.stderr[-200:].strip()}")
    raise RuntimeError(f"Lighthouse failed at {address}: {told.stderr[-1000:]}")


def lighthouse(address: str, runs: int) -> dict[str, float]:
    """The median score of each category, out of 100."""
    node = install_peer(LIGHTHOUSE)
    scores: dict[str, list[float]] = {category: [] for category in CATEGORIES}
    for _ in range(runs):
        report = _lighthouse(node, address)
        for category in CATEGORIES:
            scores[category].append(100 * report["categories"][category]["score"])
        missed = [
            f"{audit['id']}: {audit.get('displayValue', audit['title'])}"
            for audit in report["audits"].values()
            if audit.get("score") is not None and audit["score"] < 0.9 and audit["scoreDisplayMode"] != "informative"
        ]
        say(f"{address}: {[round(scores[c][-1]) for c in CATEGORIES]} {missed}")
    return {category: median(found) for category, found in scores.items()}


def weights(page: Page, address: str) -> tuple[int, int]:
    """Bytes of script and of styles, packed, that one loads to play there."""
    found: dict[str, bytes] = {}
    page.on(
        "response",
        lambda answer: found.update({answer.url: answer.body()}) if answer.url.endswith((".js", ".css")) else None,
    )
    page.goto(address)
    page.wait_for_selector("main")
    page.wait_for_load_state("networkidle")
    packed = {url: len(gzip.compress(body, 9)) for url, body in found.items()}
    script = sum(size for url, size in packed.items() if url.endswith(".js"))
    return script, sum(packed.values()) - script


def dropped_frames(visitor: Visitor, moment: Moment) -> int:
    """How many pictures of that moment the browser could not draw in time, slowed down."""
    page = visitor.sit(moment.game, moment.dice, {}, moment.seats, kind="practice")
    visitor.play_ahead(moment.ahead)
    for where in moment.taps[:-1]:
        visitor.tap(page.locator(where).first)
    page.wait_for_timeout(WATCHED_MS)
    line = visitor.context.new_cdp_session(page)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    told: list[dict[str, Any]] = []
    ended: list[Any] = []
    line.on("Tracing.dataCollected", lambda part: told.extend(part["value"]))
    line.on("Tracing.tracingComplete", lambda last: ended.append(last))
    line.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": {"includedCategories": TRACED}})
    page.evaluate(MOVES)
    page.locator(moment.taps[-1]).first.tap()
    page.wait_for_timeout(WATCHED_MS)
    line.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    began = next(event["ts"] for event in told if event["name"] == "moves")
    frames = [
        event["args"]["frame_reporter"]
        for event in told
        if "frame_reporter" in event.get("args", {}) and event["ts"] >= began
    ]
    assert len(frames) > WATCHED_MS / 50, "the browser told next to nothing of its frames"
    return sum(frame["state"] == "STATE_DROPPED" and frame["affects_smoothness"] for frame in frames)


def tap_times(visitor: Visitor, game: str, taps: int) -> list[float]:
    """Milliseconds from tap to answer, in a browser that is slowed down."""
    page = visitor.sit(game)
    if game == "farkle":  # the dice have to lie there before they can be chosen
        visitor.press("r")
    visitor.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    times: list[float] = []
    for n in range(taps):
        choice = page.locator(TAPS[game])
        box = choice.nth(n % choice.count()).bounding_box()
        assert box is not None
        page.evaluate(
            "(at) => { window.at = document.elementsFromPoint(...at)[0].closest('button') ?? document.body;"
            " for (const one of document.querySelectorAll('[data-measured]')) delete one.dataset.measured;"
            " window.at.dataset.measured = '' }",
            [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2],
        )
        waiting = page.evaluate_handle(f"() => ({{answer: ({MEASURE})('[data-measured]')}})")
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        answer: float | None = waiting.evaluate("async (one) => await one.answer")
        times.append(NEVER if answer is None else answer)
        page.wait_for_timeout(250)
    return times


@dataclass
class Report:
    scripts: dict[str, int] = field(default_factory=dict)  # bytes, packed, by place
    styles: dict[str, int] = field(default_factory=dict)  # the same
    dropped: dict[str, list[int]] = field(default_factory=dict)  # frames in each run, by moment
    taps: dict[str, list[float]] = field(default_factory=dict)  # milliseconds, by game
    lighthouse: dict[str, dict[str, float]] = field(default_factory=dict)  # out of 100, by place

    def checks(self) -> list[Check]:
        weights = [
            Check(f"{name}: script, KB gzip", weight / 1000, f"<= {MOST_SCRIPT // 1000}", weight <= MOST_SCRIPT)
            for name, weight in self.scripts.items()
        ] + [
            Check(f"{name}: styles, KB gzip", weight / 1000, f"<= {MOST_STYLE // 1000}", weight <= MOST_STYLE)
            for name, weight in self.styles.items()
        ]
        smooth = [
            Check(f"{name}: frames dropped, median", median(counts), "<= 0", median(counts) <= 0)
            for name, counts in self.dropped.items()
        ]
        taps = [
            Check(f"{game}: tap to answer, ms, slowest", max(times), f"<= {MOST_TAP_MS:g}", max(times) <= MOST_TAP_MS)
            for game, times in self.taps.items()
        ]
        scores = [
            Check(f"{name}: Lighthouse, {category}", score, ">= 100", score >= 100)
            for name, found in self.lighthouse.items()
            for category, score in found.items()
        ]
        return weights + smooth + taps + scores


def show(report: Report) -> None:
    for game, times in report.taps.items():
        print(f"{game}: {len(times)} taps, processor {SLOWED} times slower, ms: {sorted(map(round, times))}")
    for name, counts in report.dropped.items():
        print(f"{name}: frames dropped in {len(counts)} runs, processor {SLOWED} times slower: {counts}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Lighthouse, script weight and the answer to a tap.")
    parser.add_argument("--runs", type=int, default=3, help="runs of Lighthouse for each place")
    parser.add_argument("--taps", type=int, default=12)
    parser.add_argument("--moments", type=int, default=5, help="how often each moving moment is watched")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    try:
        install_peer(LIGHTHOUSE)
    except NotRunning as error:
        say(f"no measurement: {error}")
        return 2
    report = Report()
    with TemporaryDirectory() as data, Hall(Path(data)) as hall, sync_playwright() as playwright:
        if shutil.which("chromium") is None:
            raise NotRunning("chromium is missing here; `make chromium` installs it")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name, place in PLACES.items():
            with Visitor(browser, hall) as visitor:
                visitor.single_use = True  # with an empty cache
                report.scripts[name], report.styles[name] = weights(visitor.page, f"{hall.address}/{place}")
        phone: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
        for name, moment in MOMENTS.items():
            for _ in range(arguments.moments):
                with Visitor(browser, hall, **phone) as visitor:
                    visitor.settings["speed"] = "normal"
                    report.dropped.setdefault(name, []).append(dropped_frames(visitor, moment))
        for game in TAPS:
            with Visitor(browser, hall, **phone) as visitor:
                report.taps[game] = tap_times(visitor, game, arguments.taps)
        browser.close()
        if arguments.runs:
            for name, place in PLACES.items():
                report.lighthouse[name] = lighthouse(f"{hall.address}/{place}", arguments.runs)
    return finish(report, show, arguments.json)


if __name__ == "__main__":
    sys.exit(main())
