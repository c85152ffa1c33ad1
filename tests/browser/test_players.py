"""A player's page, the boards against people, and the ways that lead there."""

from __future__ import annotations

import re
import time
from typing import Any

from playwright.sync_api import expect
from sqlalchemy import Connection

from dicehall.bots.player import play_on, player
from dicehall.play.breakdown import breakdown
from dicehall.play.table import Table
from dicehall.rules.catalog import find_game
from dicehall.server.judging import judged
from dicehall.store import players, ratings, runs, skills
from dicehall.store.engine import open_engine
from dicehall.store.ratings import Game
from dicehall.store.runs import Played, Run
from tests.browser.test_access import violations
from tests.browser.visit import Visitor

DAY = 86_400
HALVES = {"won": 2, "drawn": 1, "lost": 0}


def play_with(
    connection: Connection,
    game_id: str,
    people: tuple[str, str],
    number: int,
    ended: int,
    watched: bool = True,
    rated: bool = True,
) -> str:
    """A rated game of the two, as the hall keeps it when the coach has seen it."""
    game, seed = find_game(game_id), f"game {number}"
    table = Table(game, seats=["you", "you"], seed=seed)
    play_on(table, {0: player("level:4", game, seed, 0), 1: player("level:2", game, seed, 1)})
    record = table.record()
    result = record.result
    assert result is not None
    run_id = f"{game_id}-{number}-{people[0]}"
    aim = game.rules.aim(table.options, 2)
    sat = tuple(Played(who, seat, result.scores[seat]) for seat, who in enumerate(people))
    run = Run(
        run_id, f"table of {run_id}", sat, game_id, "standard:you,you", record.to_json(), aim.unit, aim.lower_is_better,
        False, None, breakdown(record), ended,
    )  # fmt: skip
    runs.insert(connection, run)
    halves = HALVES[str(result.outcome(0))], HALVES[str(result.outcome(1))]
    met = Game(run_id, game_id, game_id, people, halves, ("here", "there"), (9, 9), False, None, ended * 1000)
    ratings.note(connection, met, rated, watched)
    if rated:
        seats = {who: seat for seat, who in enumerate(people)}
        skills.keep(connection, run_id, judged(run.record, seats))
    return run_id


def acquaint(visitor: Visitor, names: dict[str, str], games: list[tuple[str, str, str, int]]) -> dict[str, str]:
    """Others with these names, and so many games of the visitor, who is called `me`, and of them; their ids."""
    me = visitor.page.evaluate("() => fetch('/api/me', {method: 'POST'}).then((answer) => answer.json())")
    engine, now = open_engine(f"sqlite:///{visitor.hall.data}/hall.sqlite"), int(time.time())
    ids = {"me": str(me["id"])}
    with engine.begin() as connection:
        for key, name in names.items():
            ids[key] = players.create(connection, now - 40 * DAY)[0]
            players.rename(connection, ids[key], name)
        for game, one, other, count in games:
            for n in range(count):
                ended = now - (count - n) * DAY // 4
                play_with(connection, game, (ids[one], ids[other]), n, ended)
    engine.dispose()
    return ids


def test_from_my_runs_to_somebodys_page_and_back_to_a_game(phone: Visitor) -> None:
    phone.go()
    ids = acquaint(phone, {"bea": "Bea of Bonn"}, [("knucklebones", "me", "bea", 6)])
    page = phone.go("runs")
    page.get_by_role("link", name="with Bea of Bonn").first.tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bea of Bonn")
    told: Any = phone.asked(f"/api/players/{ids['bea']}")
    (pool,) = told["pools"]
    card = page.locator("[data-pool=knucklebones]")
    results, skill = (card.locator(f"[data-known={what}]") for what in ("results", "skill"))
    expect(results.locator(".value")).to_have_text(str(round(pool["results"]["value"])))
    expect(results).to_contain_text(f"give or take {round(pool['results']['high'] - pool['results']['value'])}")
    expect(skill.locator(".value")).to_have_text(str(round(pool["skill"]["value"])))
    told_skill = pool["skill"]
    farther = max(told_skill["value"] - told_skill["low"], told_skill["high"] - told_skill["value"])
    expect(skill).to_contain_text(f"give or take {round(farther)}")
    for one, what in ((results, "Results"), (skill, "Skill")):
        label = one.get_by_role("img").get_attribute("aria-label") or ""
        assert re.match(rf"{what} after each of the last 6 games: from \d+ to \d+, between \d+ and \d+$", label)
    mine = sum(one["mine"] for one in told["against"])
    expect(page.locator("[data-against]")).to_contain_text(f"You against Bea of Bonn {mine // 2}")
    expect(page.locator("[data-encounter]")).to_have_count(6)
    assert violations(page) == []

    page.locator("[data-encounter]").first.get_by_role("link", name="A guest").tap()
    expect(page.locator(f"[data-player='{ids['me']}']")).to_be_visible()
    expect(page.get_by_role("link", name="Choose a name")).to_be_visible()
    nobody = phone.new_page()
    nobody.goto(f"{phone.hall.address}/#/player/nobody")
    expect(nobody.get_by_role("alert")).to_have_text("There is no such player.")
    nobody.close()
    phone.forgiven = ("404",)
    page.locator("[data-encounter] .whole").first.tap()
    expect(page.locator("[data-people]").get_by_role("link", name="Bea of Bonn")).to_be_visible()


def test_the_board_against_people_by_results_and_by_skill(phone: Visitor) -> None:
    phone.go()
    others = {"cleo": "Cleo of Cologne", "dora": "Dora of Dresden"}
    ids = acquaint(phone, others, [("lite-versus", "cleo", "dora", 22), ("lite-versus", "me", "dora", 1)])
    page = phone.go("boards/lite-versus")
    page.get_by_role("radio", name="Against people").tap()
    expect(page.locator("[data-standing=results] .who a")).to_have_text(["Cleo of Cologne", "Dora of Dresden"])
    expect(page.locator("[data-off=provisional]")).to_contain_text("Your number is still provisional")
    page.get_by_role("radio", name="Skill").tap()
    expect(page.locator("[data-standing=skill] .who a")).to_have_text(["Cleo of Cologne", "Dora of Dresden"])
    expect(page.locator("[data-off=too-few]")).to_contain_text("1 of 5 games")
    assert violations(page) == []
    page.get_by_role("link", name="Cleo of Cologne").tap()
    expect(page.locator(f"[data-player='{ids['cleo']}'] [data-recent]")).to_contain_text("with Dora of Dresden")
    page.get_by_role("link", name="Board", exact=True).tap()
    expect(page.get_by_role("radio", name="Against people", checked=True)).to_be_visible()
    expect(page.locator("[data-standing=results] tbody tr").first).to_contain_text("give or take")
    page.get_by_role("combobox", name="Five games").select_option("lite-solo")
    expect(page.get_by_role("radio", name="Against people")).to_have_count(0)
