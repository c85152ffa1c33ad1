"""A whole run of each of the five games, by taps, in Chromium, Firefox and WebKit; its end is the one on the record."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import pytest

from tests.browser.visit import Hall
from tests.engines.drivers import ENGINES, Engine, opened
from tests.patience import PATIENCE
from tests.soak import SOAKING

pytestmark = pytest.mark.skipif(not SOAKING, reason="takes minutes, and three browsers: make engines, or make soak")

MOST_TAPS = 600


class Game(NamedTuple):
    options: dict[str, Any]
    seats: str
    taps: tuple[str, ...]  # what to tap: the first of these that is there


LITE = (".cell.thought.open", ".cell.open")
GAMES: Final = {
    "lite-solo": Game({}, "", LITE),
    "lite-versus": Game({}, "you,standard", LITE),
    "farkle": Game(
        {"target": 2000},
        "you,bank:300",
        (
            "[data-action=bank]:not([aria-disabled=true])",
            "[data-action=roll]:not([aria-disabled=true])",
            "[data-best]",
            "[data-group]",
        ),
    ),
    "shut-the-box": Game(
        {"rounds": 1}, "", ("[data-shut]:not([aria-disabled=true])", "[data-roll='1']", "[data-combo]")
    ),
    "knucklebones": Game({}, "you,spec", ("[data-place].thought", "[data-place]")),
}

RESTS = "document.querySelector('[data-busy=false][data-waiting=false]') !== null"
OVER = "document.querySelector('[data-over=true] [data-end]') !== null"
RUN = "document.querySelector('[data-end] a[href^=\"#/run/\"]').getAttribute('href')"
# By seat, as they stand on the page; alone, the one large number.
SCORES = """(() => {
    const seats = [...document.querySelectorAll('ol.seats > li > b')]
    const shown = seats.length ? seats : [document.querySelector('.status .big')]
    return shown.map((one) => Number(one.innerText.replace(/\\D/g, '')))
})()"""


@pytest.fixture(scope="module", params=list(ENGINES))
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with opened(request.param) as one:
        yield one


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with Hall(tmp_path_factory.mktemp("hall")) as running:
        yield running


def wait(engine: Engine, expression: str) -> None:
    end = time.monotonic() + PATIENCE
    while not engine.look(expression):
        assert time.monotonic() < end, f"{expression} has not come: {engine.look('document.body.innerText')}"
        time.sleep(0.03)


def tap(engine: Engine, wheres: tuple[str, ...]) -> None:
    """In the middle of the first of these that there is."""
    at = engine.look(
        f"""(() => {{
            const one = {json.dumps(wheres)}.map((where) => document.querySelector(where)).find((found) => found)
            one?.scrollIntoView({{ block: 'nearest', behavior: 'instant' }})
            const box = one?.getBoundingClientRect()
            return box ? [box.x + box.width / 2, box.y + box.height / 2] : null
        }})()"""
    )
    if engine.look("document.querySelector('[data-roll]') !== null"):
        time.sleep(1.1)  # so long these do not answer, where the button to shut was
    if at is not None:  # between two looks the run may have ended
        engine.tap(*at)


def ask(hall: Hall, path: str) -> Any:
    line = HTTPConnection("127.0.0.1", hall.port, timeout=PATIENCE)
    line.request("GET", path)
    answer = json.loads(line.getresponse().read())
    line.close()
    return answer


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_run_by_taps(engine: Engine, hall: Hall, game: str) -> None:
    options, seats, taps = GAMES[game]
    engine.go(f"{hall.address}/#/")
    wait(engine, "document.querySelector('[data-game]') !== null")
    engine.look("localStorage.setItem('dicehall.settings', JSON.stringify({ speed: 'instant', language: 'en' }))")
    engine.go("about:blank")
    query = {"kind": "ranked", "options": json.dumps(options), **({"seats": seats} if seats else {})}
    engine.go(f"{hall.address}/#/play/{game}?{urlencode(query)}")
    wait(engine, RESTS)
    for _ in range(MOST_TAPS):
        if engine.look(OVER):
            break
        tap(engine, taps)
        wait(engine, RESTS)
    assert engine.look(OVER), "the end is not shown"
    run = engine.look(RUN).removeprefix("#/run/").partition("?")[0].partition("/")[0]
    found = ask(hall, f"/api/runs/{run}")
    assert (found["game"], found["ranked"]) == (game, True)
    wait(engine, f"JSON.stringify({SCORES}) === {json.dumps(json.dumps(found['scores'], separators=(',', ':')))}")
    proof = ask(hall, f"/api/runs/{run}/proof")
    assert (proof["ok"], proof["proved"]) == (True, True)
