"""Pictures of every screen, taken in a real browser from the real hall with scripted dice.

    python docs/images/take_screenshots.py [FOLDER]

FOLDER (screenshots/, not in git) gets every screen at four sizes, light and dark, in English and German. The pictures
in the README are put together from some of them: docs/images/light.png and dark.png.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))

from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from tests.browser.visit import FLAGS, Hall, Visitor  # noqa: E402

SIZES = {"phone": (390, 844), "short": (390, 664), "tablet": (768, 1024), "desk": (1440, 900)}
LITE = "535622444"


def lite(visitor: Visitor) -> None:
    visitor.sit("lite-solo", LITE, {"target": 90})
    keys(visitor, "1", "4", "2")
    visitor.point("[data-cell=c1]")


def lite_end(visitor: Visitor) -> None:
    visitor.sit("lite-solo", LITE, {"target": 80})
    keys(visitor, *"123456789")
    visitor.page.wait_for_timeout(1500)


def versus(visitor: Visitor) -> None:
    visitor.sit("lite-versus", "525262336414", seats="you,level:3")
    keys(visitor, "1", "2", "4")


def farkle(visitor: Visitor) -> None:
    visitor.sit("farkle", "152226", seats="you,level:2")
    keys(visitor, "r")
    for die in ("3", "4", "5", "1"):
        visitor.page.keyboard.press(die)


def farkle_end(visitor: Visitor) -> None:
    visitor.sit("farkle", "111555111555111115", {"target": 1000})
    keys(visitor, "r", "a", "b")
    visitor.page.wait_for_timeout(1500)


def box(visitor: Visitor) -> None:
    visitor.sit("shut-the-box", "5365")
    keys(visitor, "8", "Enter", "7", "4")


def box_twelve(visitor: Visitor) -> None:
    visitor.sit("shut-the-box", "6653", {"preset": "twelve"}, "you,highest")


def knucklebones(visitor: Visitor) -> None:
    visitor.sit("knucklebones", "5546324", seats="you,you")
    keys(visitor, "1", "1", "2", "3", "2", "2")
    visitor.point("[data-place='1']")


def replay(visitor: Visitor) -> None:
    visitor.sit("lite-solo", LITE)
    keys(visitor, *"123456789")
    run = visitor.page.locator("a.icon[href$='?analysis']").get_attribute("href") or ""
    visitor.go(run.removeprefix("#/").removesuffix("?analysis") + "/12")
    visitor.page.wait_for_selector("input[type=range]")


def hint(visitor: Visitor) -> None:
    visitor.sit("farkle", "152226")
    visitor.page.locator("[data-action=hint]").click()
    visitor.page.wait_for_selector("[data-hint]")


BLUNDER = "661123465"  # the eighth die, a 6, goes beside two ones instead of two sixes


def analysis(visitor: Visitor, step: str = "16") -> None:
    visitor.sit("lite-solo", BLUNDER)
    keys(visitor, *"124578963")
    run = visitor.page.locator("a.icon[href$='?analysis']").get_attribute("href") or ""
    visitor.go(run.removeprefix("#/").removesuffix("?analysis") + f"/{step}")
    visitor.page.wait_for_selector("[data-analysis]")


def balance(visitor: Visitor) -> None:
    analysis(visitor)
    visitor.page.locator("[data-analysis]").click()
    visitor.page.wait_for_selector("[data-balance]")


def place(name: str) -> Callable[[Visitor], None]:
    def show(visitor: Visitor) -> None:
        visitor.go(name)
        visitor.idle()

    return show


def end(game: str, seats: str = "", **options: Any) -> Callable[[Visitor], None]:
    def show(visitor: Visitor) -> None:
        visitor.sit(game, "", options, seats, kind="practice", seed="end")
        visitor.finish()
        visitor.idle()

    return show


def share(visitor: Visitor) -> None:
    lite_end(visitor)
    visitor.page.locator("[data-share]").click()
    visitor.page.wait_for_selector("pre")
    visitor.idle()


def played(name: str) -> Callable[[Visitor], None]:
    """A screen that has something to tell."""

    def show(visitor: Visitor) -> None:
        for game, seats in (("lite-solo", ""), ("lite-versus", "you,level:2"), ("farkle", "you,level:1")) * 2:
            visitor.go()  # away from the last table, which is at rest
            visitor.page.wait_for_selector("[data-game]")
            visitor.sit(game, "", {"target": 1000} if game == "farkle" else {}, seats, kind="ranked")
            visitor.finish()
        visitor.go(name)
        visitor.idle()

    return show


def options(visitor: Visitor) -> None:
    visitor.go("game/shut-the-box")
    visitor.idle()
    visitor.page.locator(".options").click()


def keys(visitor: Visitor, *pressed: str) -> None:
    visitor.press(*pressed)


SCREENS: dict[str, Callable[[Visitor], None]] = {
    "hall": place(""),
    "game-lite-solo": place("game/lite-solo"),
    "game-farkle": place("game/farkle"),
    "game-shut-the-box": place("game/shut-the-box"),
    "game-knucklebones": place("game/knucklebones"),
    "options": options,
    "rules": place("rules/farkle"),
    "lite-solo": lite,
    "lite-solo-end": lite_end,
    "lite-versus": versus,
    "farkle": farkle,
    "farkle-end": farkle_end,
    "shut-the-box": box,
    "shut-the-box-twelve": box_twelve,
    "knucklebones": knucklebones,
    "lite-versus-end": end("lite-versus", "you,standard"),
    "farkle-race-end": end("farkle", "you,bank:300", target=1500),
    "shut-the-box-end": end("shut-the-box"),
    "knucklebones-end": end("knucklebones", "you,spec"),
    "share": share,
    "replay": replay,
    "hint": hint,
    "analysis": analysis,
    "balance": balance,
    "puzzles": place("puzzles"),
    "puzzle-lite-solo": place("puzzle/lite-solo/1"),
    "puzzle-lite-versus": place("puzzle/lite-versus/1"),
    "puzzle-farkle": place("puzzle/farkle/1"),
    "puzzle-shut-the-box": place("puzzle/shut-the-box/1"),
    "puzzle-knucklebones": place("puzzle/knucklebones/1"),
    "lab-lite-solo": place("lab/lite-solo"),
    "lab-farkle": place("lab/farkle"),
    "lab-shut-the-box": place("lab/shut-the-box"),
    "boards": played("boards/lite-versus"),
    "runs": played("runs"),
    "statistics": played("statistics"),
    "settings": place("settings"),
    "player": place("player"),
    "invite": place("invite/farkle"),
    "join": place("join"),
}
SHOWN = ("hall", "lite-solo", "lite-versus", "farkle", "shut-the-box", "knucklebones")


def take(browser: Browser, hall: Hall, folder: Path) -> None:
    for size, (width, height) in SIZES.items():
        for theme in ("light", "dark"):
            for language in ("en", "de"):
                for name, show in SCREENS.items():
                    context: dict[str, Any] = {
                        "viewport": {"width": width, "height": height},
                        "color_scheme": theme,
                        "device_scale_factor": 2 if size in ("phone", "short") else 1,
                    }
                    if size != "desk":
                        context |= {"has_touch": True, "is_mobile": True}
                    with Visitor(browser, hall, **context) as visitor:
                        visitor.settings["language"] = language
                        show(visitor)
                        visitor.page.wait_for_timeout(350)  # until everything has come to rest
                        visitor.page.screenshot(path=folder / f"{name}-{size}-{theme}-{language}.png")


def put_together(browser: Browser, folder: Path) -> None:
    """Some of them beside each other, for the README."""
    for theme in ("light", "dark"):
        page = browser.new_page(viewport={"width": 1480, "height": 900}, device_scale_factor=1)
        pictures = "".join(f'<img src="{(folder / f"{name}-phone-{theme}-en.png").as_uri()}">' for name in SHOWN)
        background = "#d9d9d6" if theme == "light" else "#000"
        sheet = folder / "sheet.html"
        sheet.write_text(
            f"<!doctype html><style>body{{margin:0;padding:16px;display:flex;gap:16px;background:{background}}}"
            f"img{{width:calc((100% - 80px)/6);border-radius:18px}}</style>{pictures}"
        )
        page.goto(sheet.as_uri())
        page.wait_for_load_state("networkidle")
        page.locator("body").screenshot(path=Path(__file__).parent / f"{theme}.png")
        sheet.unlink()


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0] if arguments else ROOT / "screenshots").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as data, Hall(Path(data)) as hall, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        take(browser, hall, folder)
        put_together(browser, folder)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
