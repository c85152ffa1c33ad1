"""Every kind of end with what the page says of it, as tables in Markdown, in English and in German: for us to read.

    python -m tests.browser.ends [GAME ...] > ends.md

Each run is played in a real hall, at a table with a seed that is searched for: the first one with which it ends so.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from playwright.sync_api import expect, sync_playwright

from dicehall.bots.player import player
from dicehall.bots.seats import YOU
from dicehall.play.table import Table
from dicehall.rules.catalog import find_game
from dicehall.rules.game import Outcome
from dicehall.server.wire import PROTOCOL
from tests.browser.visit import FLAGS, JUST_CAME_UP, Hall, Visitor

LANGUAGES: Final = ("en", "de")
Wanted = Callable[[Table], bool]


def by(why: str, outcome: Outcome | None = None, lead: int | None = None) -> Wanted:
    """It ends by this; with this outcome for the first seat; the first seat so far ahead of the second."""

    def wanted(table: Table) -> bool:
        result = table.result
        assert result is not None
        return (
            result.why == why
            and outcome in (None, result.outcome(0))
            and (lead is None or result.scores[0] - result.scores[1] == lead)
        )

    return wanted


def scored(least: int, most: int) -> Wanted:
    return lambda table: table.result is not None and least <= table.result.scores[0] <= most


def last_round(least: int, most: int) -> Wanted:
    """Of a score that only grows: the open tiles of the box at the end."""
    return lambda table: least <= table.view(0)["round_score"] <= most


def last_turn_lost(table: Table) -> bool:
    """The last roll of all was a farkle."""
    return any(event["code"] == "farkle" for event in table.film()[-1].events)


def out_together(table: Table) -> bool:
    """Of a tournament: the last ones who were in went out in the same round."""
    return table.result is not None and min(table.result.scores) >= 45


class End(NamedTuple):
    """`rival`: a run to beat that ended so; `told`: the coach is asked before the first move; `abandoned`: it is given
    up before it has ended."""

    name: str
    options: dict[str, Any] = {}  # noqa: RUF012
    seats: str = ""
    wanted: Wanted | None = None
    kind: str = "practice"
    told: bool = False
    rival: Wanted | None = None
    abandoned: bool = False


def counted(game: str, options: dict[str, Any], seats: str = "") -> list[End]:
    """What a game has that is played for a board, by dice that nobody knows."""
    return [
        End("ranked, the first", options, seats, kind="ranked"),
        End("ranked, again", options, seats, kind="ranked"),
        End("ranked, with a hint", options, seats, kind="ranked", told=True),
        End("daily, first attempt", kind="daily"),
        End("daily, again", kind="daily"),
        End("daily, with a hint", kind="daily", told=True),
        End("given up", options, seats, abandoned=True),
    ]


PEOPLE: Final = "you,you"
ENDS: Final[dict[str, list[End]]] = {
    "lite-solo": [
        End("a score", wanted=scored(40, 90)),
        End("with a hint", wanted=scored(40, 90), told=True),
        End("every variant", {"columns": True, "reroll": True, "wild": "natural"}, wanted=scored(0, 400)),
        End("target met exactly", {"target": 60}, wanted=scored(60, 60)),
        End("target met by one", {"target": 60}, wanted=scored(61, 61)),
        End("target met", {"target": 60}, wanted=scored(70, 100)),
        End("target missed by one", {"target": 60}, wanted=scored(59, 59)),
        End("target missed", {"target": 90}, wanted=scored(30, 50)),
        End("a rival beaten", wanted=scored(60, 80), rival=scored(40, 50)),
        End("a rival equalled", wanted=scored(60, 60), rival=scored(60, 60)),
        End("a rival not beaten", wanted=scored(40, 50), rival=scored(60, 80)),
        *counted("lite-solo", {}),
    ],
    "lite-versus": [
        End("won", seats="you,standard", wanted=by("score", "won")),
        End("won by one", seats="you,standard", wanted=by("score", "won", 1)),
        End("lost", seats="you,standard", wanted=by("score", "lost")),
        End("lost, with a hint", seats="you,standard", wanted=by("score", "lost"), told=True),
        End("drawn", seats="you,standard", wanted=by("draw")),
        End(
            "won by highest die", {"tiebreak": "highest-single-die"}, "you,standard", by("highest-single-die", "won")
        ),
        End("lost by the middle row", {"tiebreak": "sum-middle-row"}, "you,standard", by("sum-middle-row", "lost")),
        End("drawn, by the tie-breaker too", {"tiebreak": "highest-single-die"}, "you,standard", by("draw")),
        End("two people, one wins", seats=PEOPLE, wanted=by("score", "won")),
        End("two people, drawn", seats=PEOPLE, wanted=by("draw")),
        End("a rival beaten", seats="you,standard", wanted=by("score", "won"), rival=by("score", "lost")),
        End("a rival not beaten", seats="you,standard", wanted=by("score", "lost"), rival=by("score", "won")),
        *counted("lite-versus", {}, "you,standard"),
    ],
    "farkle": [
        End("target reached alone", {"target": 2000}, "you", by("target-reached")),
        End("target reached in one turn", {"target": 300}, "you", scored(1, 1)),
        End("with a hint", {"target": 1000}, "you", by("target-reached"), told=True),
        End("ten turns", {"preset": "arcade"}, "you", scored(1500, 2400)),
        End("one turn", {"max_turns": 1}, "you", scored(50, 500)),
        End("a farkle at the end", {"max_turns": 3}, "you", last_turn_lost),
        End("nothing but farkles", {"max_turns": 2}, "you", scored(0, 0)),
        End("race won", {"target": 1000}, "you,bank:300", by("target-reached", "won")),
        End("race lost", {"target": 1000}, "you,bank:300", by("target-reached", "lost")),
        End("last turns, lost", {"target": 1000, "last_turn": True}, "you,bank:300", by("target-reached", "lost")),
        End("turns, drawn", {"max_turns": 2}, "you,bank:300", by("max-turns", "drawn")),
        End("turns, the win shared", {"max_turns": 1}, "you,you,bank:300", by("max-turns", "shared")),
        End("two people, one wins", {"target": 1000}, PEOPLE, by("target-reached", "won")),
        End("three, lost", {"target": 1000}, "you,bank:300,random", by("target-reached", "lost")),
        End("a rival beaten", {"target": 1000}, "you", scored(2, 3), rival=scored(5, 9)),
        End("a rival not beaten", {"target": 1000}, "you", scored(5, 9), rival=scored(1, 1)),
        *counted("farkle", {"max_turns": 2}, "you"),
    ],
    "shut-the-box": [
        End("goal met", {"rounds": 2, "goal": 45}, "you", scored(10, 40)),
        End("goal met exactly", {"rounds": 2, "goal": 45}, "you", scored(45, 45)),
        End("goal missed by one", {"rounds": 2, "goal": 45}, "you", scored(46, 46)),
        End("goal missed, with a hint", {"rounds": 2, "goal": 30}, "you", scored(40, 60), told=True),
        End("no goal", {"rounds": 2, "goal": 0}, "you", by("complete")),
        End("a perfect box", {"rounds": 1, "goal": 0}, "you", scored(0, 0)),
        End("one point", {"rounds": 1, "goal": 0}, "you", scored(1, 1)),
        End("a perfect box at the end", {"rounds": 2}, "you", last_round(0, 0)),
        End("threshold met", {"mode": "threshold", "threshold": 12}, "you", scored(1, 12)),
        End("threshold missed", {"mode": "threshold", "threshold": 12}, "you", scored(13, 30)),
        End("tournament alone", {"variant": "tournament45out"}, "you", by("out")),
        End("tournament alone, one round", {"variant": "tournament45out"}, "you", scored(1, 1)),
        End("tournament won", {"variant": "tournament45out"}, "you,highest", by("out", "won")),
        End("tournament lost", {"variant": "tournament45out"}, "you,highest", by("out", "lost")),
        End("tournament, all out at once", {"variant": "tournament45out"}, "you,highest", out_together),
        End("long game, shut", {"mode": "long"}, "you", by("shut")),
        End("long game, open", {"mode": "long"}, "you", by("opened")),
        End("long game of two, won", {"mode": "long"}, "you,highest", by("shut", "won")),
        End("long game of two, lost", {"mode": "long"}, "you,highest", by("opened", "lost")),
        End("digital", {"rounds": 1, "goal": 0, "variant": "digitalScore"}, "you", scored(100, 9999)),
        End("the best round", {"rounds": 3, "goal": 0, "per_round_scoring": False}, "you", by("complete")),
        End("won", {"rounds": 1}, "you,highest", by("rounds", "won")),
        End("lost", {"rounds": 1}, "you,highest", by("rounds", "lost")),
        End("drawn", {"rounds": 1}, "you,highest", by("rounds", "drawn")),
        End("won by a shut box", {"instant": True, "rounds": 3}, "you,random", by("shut", "won")),
        End("lost to a shut box", {"instant": True, "rounds": 3}, "you,highest", by("shut", "lost")),
        End("three, the win shared", {"rounds": 1}, "you,highest,random", by("rounds", "shared")),
        End("two people, one wins", {"rounds": 1}, PEOPLE, by("rounds", "won")),
        End("a rival beaten", {"rounds": 1}, "you", scored(1, 9), rival=scored(20, 30)),
        End("a rival not beaten", {"rounds": 1}, "you", scored(20, 30), rival=scored(1, 9)),
        *counted("shut-the-box", {"rounds": 1}, "you"),
    ],
    "knucklebones": [
        End("won", seats="you,spec", wanted=by("score", "won")),
        End("won by one", seats="you,spec", wanted=by("score", "won", 1)),
        End("lost", seats="you,spec", wanted=by("score", "lost")),
        End("lost, with a hint", seats="you,spec", wanted=by("score", "lost"), told=True),
        End("drawn", seats="you,spec", wanted=by("draw")),
        End("the bot begins", {"first": "bot"}, "you,spec", by("score", "won")),
        End("two people, one wins", seats=PEOPLE, wanted=by("score", "won")),
        End("two people, drawn", seats=PEOPLE, wanted=by("draw")),
        End("a rival beaten", seats="you,spec", wanted=by("score", "won"), rival=by("score", "lost")),
        End("a rival not beaten", seats="you,spec", wanted=by("score", "lost"), rival=by("score", "won")),
        *counted("knucklebones", {}, "you,spec"),
    ],
}  # fmt: skip


def played(game: str, options: dict[str, Any], seats: list[str], seed: str) -> tuple[Table, list[str]]:
    """A finished run, and the moves that people made in it: they bank when they can, else any move."""
    random, rules = Random(seed), find_game(game)
    table, moves = Table(game, options=options, seats=seats, seed=seed), []
    bots = {seat: player(name, rules, seed, seat) for seat, name in enumerate(seats) if name != YOU}
    while not table.is_over:
        seat, legal = table.actor, table.legal()
        if seat in bots:
            table.play(bots[seat](table.state))
        else:
            moves.append("bank" if "bank" in legal and random.random() < 0.7 else random.choice(legal))
            table.play(moves[-1])
    return table, moves


def found(game: str, end: End, wanted: Wanted) -> tuple[str, list[str]]:
    """The seed of a run that ends so, and the people's moves."""
    seats = (end.seats or "you").split(",")
    for n in count():
        table, moves = played(game, end.options, seats, f"end {n}")
        if wanted(table):
            return f"end {n}", moves
    raise AssertionError


ASK: Final = """() => new Promise((done) => {
    const table = location.hash.match(/table\\/([^?]+)/)[1]
    const tab = new WebSocket(`${location.origin.replace('http', 'ws')}/ws/tables/${table}`)
    tab.onopen = () => tab.send(JSON.stringify({ type: 'hello', protocol: PROTOCOL }))
    tab.onmessage = ({ data }) => {
        const { type, count, view, hint } = JSON.parse(data)
        if (type !== 'table') return
        if (hint) return tab.close(), done()
        tab.send(JSON.stringify({ type: 'hint', seen: count }))
    }
})""".replace("PROTOCOL", str(PROTOCOL))
CHALLENGE: Final = """(run) => {
    const table = location.hash.match(/table\\/([^?]+)/)[1]
    localStorage['dicehall.rivals'] = JSON.stringify({ [table]: run })
}"""
RENAME: Final = """(nickname) => fetch('/api/me', {
    method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ nickname })
})"""
# What is said of the run has come: nothing of it has changed for a while.
SETTLED: Final = """() => new Promise((done) => {
    let timer = setTimeout(done, 1900)
    const watcher = new MutationObserver(() => (clearTimeout(timer), timer = setTimeout(done, 1900)))
    watcher.observe(document.body, { subtree: true, childList: true, characterData: true })
})"""  # of a time that passes ten times as fast (visit.HASTE)
SAID: Final = """() => {
    const texts = (where) => [...document.querySelectorAll(where)].map((one) => one.innerText.trim()).filter(Boolean)
    return [texts('[data-end] h2'), texts('[data-end] .head p'), texts('section.status'), texts('section.notes p'),
        texts('[data-end] [data-skill], [data-end] .worst')]
}"""


def play(visitor: Visitor, game: str, end: End, wanted: Wanted | None, rival: str = "") -> None:
    """To the end of a run, at a table of its own."""
    seed, moves = ("", None) if wanted is None else found(game, end, wanted)
    more = {"seed": seed} if seed else {}
    expect(visitor.go("runs").locator(".table")).to_have_count(0)  # the last one is left
    page = visitor.sit(game, "", end.options, end.seats, kind=end.kind, **more)
    if end.told:
        page.evaluate(ASK)
    if rival:
        page.evaluate(CHALLENGE, rival)
    if moves is None:
        visitor.finish()
    else:
        visitor.play_ahead(moves)
    expect(page.locator("[data-end]")).to_be_visible()


def given_up(visitor: Visitor, game: str, end: End) -> list[str]:
    """What is asked before: there is no end to look at."""
    page = visitor.sit(game, "", end.options, end.seats)
    visitor.equip()
    page.locator(".table header button").last.tap()
    page.locator("dialog .button.warn").tap()
    title, question = page.locator("dialog h2").inner_text(), page.locator("dialog p").first.inner_text()
    page.locator("dialog .button.warn").tap()
    expect(page.locator(".table")).to_have_count(0)
    return [title, question, "", "", "", ""]


def said(visitor: Visitor, game: str, end: End) -> list[str]:
    """What the page says at the end, and what is shared of it."""
    if end.abandoned:
        return given_up(visitor, game, end)
    rival = ""
    if end.rival:
        play(visitor, game, end._replace(told=False), end.rival)
        rival = (visitor.page.locator("[data-end] a.edge").last.get_attribute("href") or "").removeprefix("#/run/")
    play(visitor, game, end, end.wanted, rival)
    page = visitor.page
    expect(page.locator("[data-end] .soon")).to_have_count(0)
    page.evaluate(SETTLED)
    parts = [" / ".join(" ".join(text.split()) for text in texts) for texts in page.evaluate(SAID)]
    page.evaluate(JUST_CAME_UP)
    page.locator("[data-share]").tap()
    expect(page.locator("dialog pre")).to_have_attribute("aria-busy", "false")
    shared = page.locator("dialog pre").inner_text().split("\n")[1:-1]
    page.keyboard.press("Escape")
    return [*parts, " / ".join(shared)]


def tables(visitors: dict[str, Visitor], games: list[str]) -> Iterator[str]:
    for game in games:
        yield f"\n## {game}\n\n| end | | headline | below it | score | line | coach | shared |\n" + "|---" * 8 + "|"
        for end in ENDS[game]:
            for language, visitor in visitors.items():
                yield " | ".join([f"| {end.name}", language, *said(visitor, game, end)]) + " |"


def main(*games: str) -> None:
    with TemporaryDirectory() as data, Hall(Path(data)) as hall, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=which("chromium-headless-shell") or which("chromium"), args=FLAGS
        )
        phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
        with Visitor(browser, hall, **phone) as english, Visitor(browser, hall, **phone) as german:
            visitors = dict(zip(LANGUAGES, (english, german), strict=True))
            for language, visitor in visitors.items():
                visitor.settings |= {"language": language, "motion": "reduced"}
                visitor.hasty = True
                visitor.sit("lite-solo").evaluate(RENAME, {"en": "Ada", "de": "Emmy"}[language])
            for line in tables(visitors, list(games) or list(ENDS)):
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
