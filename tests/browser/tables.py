"""Tables as a player meets them, state by state; and what can be measured of each: where its controls are, whether they
are in sight, and whether its words are whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from playwright.sync_api import Page, ViewportSize

from tests.browser.visit import AT_REST, Visitor
from tests.soak import SOAKING

SIZES: Final = {
    "small": (320, 568),
    "phone": (390, 844),
    "tablet": (768, 1024),
    "wide": (1024, 768),
    "desk": (1440, 900),
}
LANGUAGES: Final = ("en", "de")


class Scene(NamedTuple):
    """A table and the taps that lead through its states. One after which the dice have fallen anew begins with !, one
    that only looks with ?: a mouse points there."""

    game: str
    dice: str
    taps: tuple[str, ...]
    options: dict[str, Any] | None = None
    seats: str = ""


def cells(names: str) -> tuple[str, ...]:
    """Each cell looked at, then filled."""
    return tuple(tap for name in names.split() for tap in (f"?[data-cell={name}].open", f"!button[data-cell={name}]"))


ALL_CELLS: Final = "a1 b1 c1 a2 b2 c2 a3 b3 c3"
ROLL, BANK, BEST, SHUT = "![data-action=roll]", "![data-action=bank]", "[data-best]", "![data-shut]"
LITE_PLACE = "![data-action=place]"
ROLL_TWO = "![data-roll='2']"


def dice(*places: int) -> tuple[str, ...]:
    return tuple(f"[data-die='{place}']" for place in places)


def take(*groups: str) -> tuple[str, ...]:
    return tuple(f"[data-group='{group}']" for group in groups)


def tiles(*numbers: int) -> tuple[str, ...]:
    return (*(f"[data-tile='{number}']" for number in numbers), SHUT)


def columns(*numbers: int, seat: int = 0) -> tuple[str, ...]:
    """Each column looked at, then played."""
    return tuple(
        tap
        for number in numbers
        for tap in (f"?[data-seat='{seat}'] [data-place='{number}']", f"![data-seat='{seat}'] [data-column='{number}']")
    )


EVERYTHING: Final = {"columns": True, "reroll": True, "wild": "natural"}
SCENES: Final[dict[str, Scene]] = {
    "lite": Scene("lite-solo", "535622444", cells(ALL_CELLS)),
    "lite, everything": Scene(
        "lite-solo",
        "5356224445",
        (
            "?[data-cell=a1]",
            "?[data-cell=c3]",
            LITE_PLACE,
            "?[data-cell=c3]",
            "![data-action=reroll]",
            *cells(ALL_CELLS)[:-2],
        ),
        {**EVERYTHING, "target": 120},
    ),
    "lite, two boards": Scene("lite-versus", "525262336414", cells(ALL_CELLS), seats="you,standard"),
    "lite, two boards, everything": Scene(
        "lite-versus",
        "52526233641452526233",
        ("![data-action=reroll]", *cells("a1 a1 b1 b1 c1 c1 a2 a2 b2 b2 c2 c2 a3 a3 b3 b3 c3 c3")),
        EVERYTHING,
        "you,you",
    ),
    "farkle": Scene(
        "farkle",
        "152226" + "14" + "111146" + "111155" + "234623",
        (*dice(5, 2, 3, 4, 0), ROLL, BEST, BANK, *dice(0, 1, 2, 3), BANK, BEST, BANK),
    ),
    "farkle, farkles": Scene("farkle", "111346" + "223" + "223446" + "123456", (*take("111"), ROLL, *take("1"), BANK)),
    "farkle, arcade": Scene(
        "farkle",
        "111555" + "154" + "111555" * 2,
        (*take("111"), ROLL, *take("1", "5"), BANK, *take("111", "555"), BANK),
        {"max_turns": 2},
    ),
    "farkle, spicy": Scene(
        "farkle", "123456" + "112255", (*take("123456"), BANK, *take("112255"), BANK), {"preset": "spicy"}
    ),
    "farkle, race": Scene(
        "farkle",
        "152226" + "111246" + "152346" * 9,
        (*take("222"), BANK, *take("1"), ROLL),
        {"target": 5000},
        "you,bank:300",
    ),
    "farkle, race to its end": Scene(
        "farkle",
        "111246" + "111246" + "152346" * 9,
        (*take("111"), BANK),
        {"target": 1000, "last_turn": True},
        "you,bank:300",
    ),
    "farkle, six": Scene(
        "farkle",
        "111246" * 12,
        (*take("111"), BANK) * 6,
        {"target": 1000, "last_turn": True},
        "you,you,you,you,you,you",
    ),
    "box": Scene(
        "shut-the-box",
        "6666666553" + "63",
        (*tiles(9, 3), "[data-combo='8+4']", "![data-combo='8+4']", *tiles(7, 5), ROLL_TWO, *tiles(8)),
        {"rounds": 2},
    ),
    "box, shut": Scene(
        "shut-the-box",
        "63" + "62" + "52" + "654321" + "66" + "66" + "66" + "66",
        (
            *tiles(9),
            *tiles(8),
            *tiles(7),
            *(tap for number in (6, 5, 4, 3, 2, 1) for tap in ("![data-roll='1']", *tiles(number))),
            *tiles(9, 3),
            *tiles(8, 4),
            *tiles(7, 5),
            ROLL_TWO,
        ),
        {"rounds": 2},
    ),
    "box, twelve": Scene("shut-the-box", "6653", (*tiles(12), *tiles(8)), {"preset": "twelve"}),
    "box, twelve, digital": Scene(
        "shut-the-box", "6653", (*tiles(7, 5), *tiles(8)), {"tiles": 12, "scoring": "digital"}
    ),
    "box, every rule": Scene(
        "shut-the-box",
        "666666651153",
        (*tiles(9, 3), *tiles(8, 4), *tiles(7, 5)),
        {"preset": "easy", "scoring": "missionary", "instant": True, "mulligan": True},
    ),
    "box, tournament": Scene("shut-the-box", "6666", (*tiles(9, 3),), {"preset": "tournament"}, "you,highest"),
    "box, three": Scene("shut-the-box", "6653", (*tiles(9, 3),), {"variant": "missionaryCount"}, "you,you,you"),
    "box, long": Scene("shut-the-box", "53666666", (*tiles(8), *tiles(9, 3), *tiles(7, 5)), {"preset": "long"}),
    "bones": Scene("knucklebones", "5546324212", columns(0, 1, 2, 0), seats="you,spec"),
    "bones, two people": Scene(
        "knucklebones",
        "554632421255",
        (*columns(0), *columns(0, seat=1), *columns(1), *columns(0, seat=1), *columns(2), *columns(1, seat=1)),
        seats="you,you",
    ),
}

# What fades in, rises or shakes has come to rest. It is brought to its end, not waited for: `make soak` waits, and
# looks again with every frame, since `finished` of what is drawn anew meanwhile may never come.
STILL: Final = """async () => {
    const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    for (await drawn(); ; await drawn()) {
        const all = document.getAnimations().filter(
            (one) => one.playState === 'running' && one.effect.getComputedTiming().iterations !== Infinity)
        if (all.length === 0) return
        if (HASTY) for (const one of all) one.finish()
    }
}""".replace("HASTY", "false" if SOAKING else "true")

# Every control of the table by a name that outlives its words, with its box.
CONTROLS: Final = """() => Object.fromEntries([...document.querySelectorAll('.table :is(button, a, input, select)')]
    .filter((one) => !one.closest('dialog') && one.checkVisibility({visibilityProperty: true}))
    .map((one) => {
        const marks = /^(cell|die|tile|column|action|shut|roll|combo|group|best|move)$/
        const own = Object.keys(one.dataset).filter((mark) => marks.test(mark))
        const marked = own.map((mark) => mark + one.dataset[mark])
        const seat = one.closest('[data-seat]')?.dataset.seat ?? ''
        const name = marked.length ? marked.join() + seat : one.ariaLabel ?? one.innerText
        const box = one.getBoundingClientRect()
        return [name, [box.x, box.y, box.width, box.height]]
    }))"""

# Controls and words that are not wholly on the screen, or under something else.
OUT_OF_SIGHT: Final = """() => [...document.querySelectorAll(document.querySelector('[data-end]')
        ? 'header :is(button, a), [data-end] :is(button, a, h2)'
        : '.table :is(button, a), [data-note], .said > *, section.tray h2')]
    .filter((one) => !one.closest('dialog, [data-scrolls]') && one.checkVisibility({visibilityProperty: true}))
    .flatMap((one) => {
        const box = one.getBoundingClientRect()
        const name = (one.outerHTML.match(/^<[^>]*>/)[0] + one.innerText).slice(0, 160)
        if (box.top < -0.5 || box.left < -0.5 || box.bottom > innerHeight + 0.5 || box.right > innerWidth + 0.5)
            return [`off the screen: ${name} ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`]
        if (!one.matches('button, a')) return []
        const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
        return one.contains(hit) ? [] : [`under something: ${name} ${hit?.outerHTML.slice(0, 80)}`]
    })"""

# Words that are broken in two, and what moves sideways.
BROKEN: Final = """() => {
    const found = []
    const walker = document.createTreeWalker(document.querySelector('.table'), NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement
        if (parent.closest('.unseen, dialog') || !parent.checkVisibility({visibilityProperty: true})) continue
        for (const word of node.data.matchAll(/[^\\s\\u00ad-]+/g)) {
            const range = document.createRange()
            range.setStart(node, word.index)
            range.setEnd(node, word.index + word[0].length)
            const tops = [...range.getClientRects()].filter((box) => box.width > 0).map((box) => box.top)
            if (tops.length && Math.max(...tops) - Math.min(...tops) > 5) found.push(`broken: ${word[0]}`)
        }
    }
    for (const one of document.querySelectorAll('.table, .table *'))
        if (/auto|scroll/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth + 1)
            found.push(`moves sideways: ${one.className}`)
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page moves sideways')
    return found
}"""

# All of it at once, when nothing moves any more: what is wrong, and where the controls are.
MEASURED: Final = (
    f"async () => {{ await ({STILL})(); return [[...({OUT_OF_SIGHT})(), ...({BROKEN})()], ({CONTROLS})()] }}"
)

NOWHERE: Final = "() => [null, document.body, document.documentElement].includes(document.activeElement)"


def screen(size: str) -> ViewportSize:
    width, height = SIZES[size]
    return {"width": width, "height": height}


def at(size: str) -> dict[str, Any]:
    """What a visitor has in hand: small screens are touched."""
    touch = {} if size == "desk" else {"has_touch": True, "is_mobile": True}
    return {"viewport": screen(size), **touch}


def walk(visitor: Visitor, scene: Scene, look: Callable[[str], None]) -> Iterator[str]:
    """Sit down and tap, one tap after the other; `look` is called before the first and after each with its name."""
    visitor.sit(scene.game, scene.dice, scene.options, scene.seats)
    settle(visitor.page)
    look("")
    for tap in scene.taps:
        where = visitor.page.locator(tap.lstrip("!?")).first
        if tap.startswith("?") and not visitor.touches():
            where.hover(force=True)
        elif tap != LITE_PLACE or visitor.touches():  # a mouse needs no such button
            visitor.tap(where)
        settle(visitor.page)
        look(tap)
        yield tap


def settle(page: Page) -> None:
    page.locator(AT_REST).wait_for(state="attached")
    page.evaluate(STILL)


def assert_somewhere(page: Page, after: str) -> None:
    """Nothing has the focus, so that keys and screen readers begin anew at the top: that never happens."""
    page.wait_for_timeout(30)  # what is hidden loses it with the next frame
    assert not page.evaluate(NOWHERE), f"nowhere after {after}"
