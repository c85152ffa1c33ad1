"""Films of every kind of move on a phone, at the speed that everybody has who has not chosen another: a picture every
100 ms from just before the tap until everything rests, taken in a real browser from the real hall with scripted dice.

    python docs/images/take_films.py [NAME ...]

Each film becomes one sheet in films/ (not in git), its pictures in rows; one that is like the one before it is not
repeated, but its time goes on. What flashes, jumps, or comes before it has happened is seen there by looking.
Without names, every film is taken.
"""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))

from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from tests.browser.tables import ALL_CELLS, BANK, BEST, ROLL, at, dice, take, tiles  # noqa: E402
from tests.browser.visit import AT_REST, FLAGS, Hall, Visitor  # noqa: E402

EVERY: Final = 100  # milliseconds from one picture to the next
LEAST: Final = 600  # what a tap brings has begun by then
AFTER: Final = 500  # that nothing has moved for so long shows that it rests
WIDTH: Final = 195  # of a picture on the sheet, in pixels
IN_A_ROW: Final = 8
SHEET: Final = """<!doctype html><style>
    body { margin: 0; padding: 8px; width: %dpx; background: #777; font: 13px sans-serif }
    body { display: flex; flex-wrap: wrap; gap: 8px }
    figure { margin: 0; width: %dpx; background: #fff }
    figcaption { padding: 2px 4px; white-space: nowrap; overflow: hidden }
    h1 { width: 100%%; margin: 0; font-size: 18px }
    img { display: block; width: 100%% }
    .tap { background: #fd0; font-weight: bold }
</style>"""
THROW: Final = "[data-action=throw]"  # people who share a device hand it over, and the next one rolls
# Nothing is on its way but dice that wait for a tap, and nothing that comes to an end moves.
RESTS: Final = f"""() => document.querySelector('{AT_REST}, {THROW}') !== null && document.getAnimations()
    .every((one) => one.playState !== 'running' || one.effect.getComputedTiming().iterations === Infinity)"""

# The camera takes a picture when something is drawn, and may miss one in a hurry: so something that nobody sees is.
PULSE: Final = f"""setInterval(() => {{
    const dot = document.getElementById('pulse') ?? document.documentElement.appendChild(document.createElement('i'))
    const shade = dot.style.opacity === '0' ? '0.001' : '0'
    dot.id = 'pulse'
    dot.style.cssText = `position:fixed;width:1px;height:1px;background:#777;pointer-events:none;opacity:${{shade}}`
}}, {EVERY // 2})"""


class Film(NamedTuple):
    """A table, the taps that lead to the move, and those that are filmed; without any, the way to the table is."""

    game: str
    dice: str
    before: tuple[str, ...] = ()
    taps: tuple[str, ...] = ()
    options: dict[str, Any] | None = None
    seats: str = ""
    settings: dict[str, Any] = {}  # noqa: RUF012
    reduced_motion: bool = False


class Picture(NamedTuple):
    at: float  # in seconds, since the epoch
    data: str  # as PNG, in base 64


def put(*cells: str) -> tuple[str, ...]:
    """Each cell looked at, then filled."""
    return tuple(tap for cell in cells for tap in 2 * (f"button[data-cell={cell}]",))


def drop(*columns: int, seat: int = 0) -> tuple[str, ...]:
    """Each column looked at, then played."""
    return tuple(tap for column in columns for tap in 2 * (f"[data-seat='{seat}'] [data-column='{column}']",))


ALL_BUT_ONE: Final = ALL_CELLS.split()[:-1]
UNDO: Final = "header [aria-label='Undo']"
REROLL: Final = "[data-action=reroll]"
ONE, TWO = "[data-roll='1']", "[data-roll='2']"
BY_ONE: Final = tuple(tap for number in (6, 5, 4, 3, 2) for tap in (ONE, *tiles(number)))
BREAKING: Final = Film("knucklebones", "2" + "4" + "4" + "525", drop(1), drop(0), seats="you,spec")
FARKLING: Final = Film("farkle", "111346" + "223" + "152346", take("111"), (ROLL,))

FILMS: Final[dict[str, Film]] = {
    "lite-first-roll": Film("lite-solo", "535624"),
    "lite-place": Film("lite-solo", "535624", (), put("a1")),
    "lite-pair": Film("lite-solo", "551624", put("a1"), put("b1")),
    "lite-triple": Film("lite-solo", "555624", put("a1", "b1"), put("c1")),
    "lite-column": Film("lite-solo", "555624", put("a1", "a2"), put("a3"), {"columns": True}),
    "lite-wild-six": Film("lite-solo", "556624", put("a1", "b1"), put("c1"), {"wild": "natural"}),
    "lite-reroll": Film("lite-solo", "535624", put("a1"), (REROLL,), {"reroll": True}),
    "lite-undo": Film("lite-solo", "535624", put("a1", "b2"), (UNDO,)),
    "lite-end": Film("lite-solo", "535622444", put(*ALL_BUT_ONE), put("c3")),
    "lite-end-target": Film("lite-solo", "555444333", put(*ALL_BUT_ONE), put("c3"), {"target": 60}),
    "versus-first-roll": Film("lite-versus", "525262", seats="you,standard"),
    "versus-place-and-reply": Film("lite-versus", "525262336414", put("a1"), put("b1"), seats="you,standard"),
    "versus-reroll": Film("lite-versus", "525262336414", put("a1"), (REROLL,), {"reroll": True}, "you,standard"),
    "versus-two-people": Film("lite-versus", "525262336414", (*put("a1"), THROW), (*put("a1"), THROW), seats="you,you"),
    "versus-undo": Film("lite-versus", "525262336414", put("a1", "b1"), (UNDO,), seats="you,standard"),
    "versus-end": Film(
        "lite-versus",
        "525262336414525262",
        put(*ALL_BUT_ONE),
        put("c3"),
        seats="you,standard",
    ),
    "farkle-first-roll": Film("farkle", "152226"),
    "farkle-first-roll-farkle": Film("farkle", "223446" + "152226"),
    "farkle-keep": Film("farkle", "152226", (), dice(2, 3, 4, 0)),
    "farkle-keep-best": Film("farkle", "152226", (), (BEST,)),
    "farkle-roll-on": Film("farkle", "152226" + "14", dice(2, 3, 4, 0), (ROLL,)),
    "farkle-bank": Film("farkle", "152226" + "111146", dice(2, 3, 4, 0), (BANK,)),
    "farkle-bank-then-farkle": Film("farkle", "152226" + "223446" + "152346", dice(2, 3, 4, 0), (BANK,)),
    "farkle-farkle": FARKLING,
    "farkle-hot-dice": Film("farkle", "111555" + "152346", (), (*take("111", "555"), ROLL)),
    "farkle-opponent": Film(
        "farkle", "152226" + "152346" + "15246" + "3346" + "111246", take("222"), (BANK,), seats="you,bank:300"
    ),
    "farkle-opponent-banks": Film("farkle", "152226" + "111246" + "152346", take("222"), (BANK,), seats="you,bank:300"),
    "farkle-opponent-farkles": Film(
        "farkle", "152226" + "152346" + "2346" + "111246", take("222"), (BANK,), seats="you,bank:600"
    ),
    "farkle-two-people": Film("farkle", "152226" + "111246", take("222"), (BANK, THROW), seats="you,you"),
    "farkle-undo": Film("farkle", "152226" + "14", (*dice(2, 3, 4, 0), ROLL), (UNDO,)),
    "farkle-end": Film("farkle", "111555" * 3, take("111", "555"), (BANK,), {"target": 1000}),
    "farkle-end-arcade": Film("farkle", "111555" * 3, (*take("111"), BANK, *take("111")), (BANK,), {"max_turns": 2}),
    "farkle-end-lost": Film(
        "farkle", "152226" + "111555" + "152346", take("222"), (BANK,), {"target": 1000}, "you,bank:1000"
    ),
    "box-first-roll": Film("shut-the-box", "5365"),
    "box-choose-and-shut": Film("shut-the-box", "5365", (), tiles(5, 3)),
    "box-combo": Film("shut-the-box", "5365", (), ("[data-combo='8']", "[data-combo='8']")),
    "box-one-or-two": Film("shut-the-box", "63" + "62" + "52" + "6" + "34", (*tiles(9), *tiles(8)), tiles(7)),
    "box-one-die": Film("shut-the-box", "63" + "62" + "52" + "6" + "34", (*tiles(9), *tiles(8), *tiles(7)), (ONE,)),
    "box-stuck": Film(
        "shut-the-box", "66" + "66" + "65" + "66" + "53", (*tiles(9, 3), *tiles(8, 4)), tiles(6, 5), {"rounds": 2}
    ),
    "box-stuck-by-roll": Film(
        "shut-the-box",
        "66" + "66" + "66" + "66" + "53",
        (*tiles(9, 3), *tiles(8, 4), *tiles(7, 5)),
        (TWO,),
        {"rounds": 2},
    ),
    "box-mulligan": Film(
        "shut-the-box", "66" + "66" + "65" + "66" + "52", (*tiles(9, 3), *tiles(8, 4)), tiles(6, 5), {"mulligan": True}
    ),
    "box-shut": Film(
        "shut-the-box",
        "63" + "62" + "52" + "65432" + "1" + "5365",
        (*tiles(9), *tiles(8), *tiles(7), *BY_ONE, ONE),
        tiles(1),
        {"rounds": 2},
    ),
    "box-opponent": Film(
        "shut-the-box",
        "6666" + "6666" + "66" + "53" + "65" * 6,
        (*tiles(9, 3), *tiles(8, 4), *tiles(7, 5)),
        (TWO,),
        seats="you,highest",
    ),
    "box-long": Film("shut-the-box", "53" + "66" + "54", tiles(8), tiles(9, 3), {"preset": "long"}),
    "box-undo": Film("shut-the-box", "5365", tiles(8), (UNDO,)),
    "box-end": Film(
        "shut-the-box", "66" + "66" + "66" + "66", (*tiles(9, 3), *tiles(8, 4), *tiles(7, 5)), (TWO,), {"rounds": 1}
    ),
    "box-end-shut": Film(
        "shut-the-box",
        "63" + "62" + "52" + "65432" + "1",
        (*tiles(9), *tiles(8), *tiles(7), *BY_ONE, ONE),
        tiles(1),
        {"rounds": 1},
    ),
    "bones-first-roll": Film("knucklebones", "554632", seats="you,spec"),
    "bones-place-and-reply": Film("knucklebones", "2346325", drop(0), drop(0), seats="you,spec"),
    "bones-pair": Film("knucklebones", "2326325", drop(0), drop(0), seats="you,spec"),
    "bones-break": BREAKING,
    "bones-lose": Film("knucklebones", "4" + "4" + "125", (), drop(0), seats="you,spec"),
    "bones-two-people": Film("knucklebones", "4414", (*drop(0), THROW), (*drop(0, seat=1), THROW), seats="you,you"),
    "bones-undo": Film("knucklebones", "2346325", drop(0, 1), (UNDO,), seats="you,spec"),
    "bones-end": Film("knucklebones", "1213" * 9, drop(0, 0, 0, 1, 1, 1, 2, 2), drop(2), seats="you,spec"),
    "bones-break-at-once": BREAKING._replace(settings={"speed": "instant"}),
    "bones-break-reduced": BREAKING._replace(reduced_motion=True),
    "farkle-farkle-at-once": FARKLING._replace(settings={"speed": "instant"}),
    "farkle-farkle-reduced": FARKLING._replace(reduced_motion=True),
    "farkle-bank-at-once": Film(
        "farkle", "152226" + "111146", dice(2, 3, 4, 0), (BANK,), settings={"speed": "instant"}
    ),
    "versus-reply-reduced": Film(
        "lite-versus", "525262336414", put("a1"), put("b1"), seats="you,standard", reduced_motion=True
    ),
}


def shoot(browser: Browser, hall: Hall, film: Film) -> tuple[list[Picture], list[tuple[float, str]]]:
    """All pictures that the browser drew, each with its time, and the taps with theirs."""
    motion = "reduce" if film.reduced_motion else "no-preference"
    with Visitor(browser, hall, **at("phone"), reduced_motion=motion) as visitor:
        visitor.settings = film.settings
        page, pictures, taps = visitor.page, list[Picture](), list[tuple[float, str]]()
        camera = visitor.context.new_cdp_session(page)

        def drawn(frame: dict[str, Any]) -> None:
            pictures.append(Picture(frame["metadata"]["timestamp"], frame["data"]))
            camera.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

        def tap(what: str) -> None:
            if "data-roll=" in what:
                page.wait_for_timeout(1100)  # so long it does not answer, where the button to shut was
            page.locator(what.lstrip("!")).first.tap(force=True)

        def wait() -> None:
            page.wait_for_timeout(LEAST)  # a second tap so soon would be the echo of the first
            while not page.evaluate(RESTS):
                page.wait_for_timeout(EVERY)

        camera.on("Page.screencastFrame", drawn)
        page.add_init_script(PULSE)
        if film.taps:
            visitor.sit(film.game, film.dice, film.options, film.seats)
            for what in film.before:
                tap(what)
                wait()
            page.wait_for_timeout(LEAST)
        camera.send("Page.startScreencast", {"format": "png", "maxWidth": 2 * WIDTH, "maxHeight": 5 * WIDTH})
        page.wait_for_timeout(2 * EVERY)
        for what in film.taps or ("",):
            taps.append((time.time(), what.lstrip("!") or "sit down"))
            if what:
                tap(what)
            else:
                visitor.sit(film.game, film.dice, film.options, film.seats)
            wait()
            page.wait_for_timeout(AFTER)
        camera.send("Page.stopScreencast")
        return pictures, taps


def lay_out(browser: Browser, name: str, pictures: list[Picture], taps: list[tuple[float, str]], folder: Path) -> None:
    """A picture every 100 ms: at each of these times, what had been drawn last."""
    begun = taps[0][0]
    shown: list[tuple[int, int, str, str]] = []  # from when, until when, what was tapped, the picture
    for when in range(-EVERY, round(1000 * (pictures[-1].at - begun)) + 2 * EVERY, EVERY):
        drawn = [data for moment, data in pictures if 1000 * (moment - begun) <= when]
        tapped = " ".join(tap for moment, tap in taps if when - EVERY < 1000 * (moment - begun) <= when)
        if drawn and shown and not tapped and drawn[-1] == shown[-1][3]:
            shown[-1] = (shown[-1][0], when, *shown[-1][2:])
        elif drawn:
            shown.append((when, when, tapped, drawn[-1]))
    figures = "".join(
        f'<figure><figcaption class="{"tap" if tapped else ""}">{first}{f" to {last}" if last > first else ""} {tapped}'
        f'</figcaption><img src="data:image/png;base64,{data}"></figure>'
        for first, last, tapped, data in shown
    )
    width = IN_A_ROW * (WIDTH + 8)
    page = browser.new_page(viewport={"width": width + 16, "height": 600})
    page.set_content(SHEET % (width, WIDTH) + f"<h1>{name}, ms</h1>{figures}")
    (folder / f"{name}.png").write_bytes(page.screenshot(full_page=True))
    page.close()


def main(names: list[str]) -> int:
    if unknown := set(names) - set(FILMS):
        sys.exit(f"There is no film {', '.join(sorted(unknown))}; there are {', '.join(FILMS)}.")
    folder = ROOT / "films"
    folder.mkdir(exist_ok=True)
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with TemporaryDirectory() as data, Hall(Path(data)) as hall, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for name in names or FILMS:
            lay_out(browser, name, *shoot(browser, hall, FILMS[name]), folder)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
