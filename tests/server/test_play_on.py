"""Practice that goes on from a position of a finished run, with the dice of that run."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.play.record import from_json, is_roll
from dicehall.play.replay import check
from tests.server.games import BOTS, every_game, options
from tests.server.running import Guest, Json, Server


def finished(guest: Guest, game: str, kind: str = "ranked") -> Json:
    """With a choice in it: now and then all turns of a short game of Farkle are farkles."""
    while True:
        run = guest.play(game, 1, options=options(game), seats=BOTS.get(game, ["you"]), kind=kind)
        if own_steps(run) or kind == "daily":
            return run


def own_steps(run: Json) -> list[int]:
    """After how many steps a person has a choice."""
    record = from_json(run["record"])
    game, seat = record.find_game(), record.seats.index("you")
    state, found = game.begin(record.options, len(record.seats)), []
    for number, step in enumerate(record.steps):
        if is_roll(step):
            state = game.rules.rolled(state, tuple(map(int, step[1:])))
            continue
        if game.rules.actor(state) == seat:
            found.append(number)
        state = game.rules.after(state, game.rules.read_move(step))
    return found


@every_game
def test_a_run_goes_on_from_any_choice(server: Server, game: str) -> None:
    guest = server.guest()
    run = finished(guest, game)
    steps = from_json(run["record"]).steps
    choices = own_steps(run)
    for step in (choices[0], choices[len(choices) // 2], choices[-1]):
        with server.guest().sit_where(game, run["id"], step) as tab:
            assert tuple(tab.steps) == steps[:step]
            assert (tab.shown["kind"], tab.shown["mode"], tab.shown["view"]["your_turn"]) == (
                "practice",
                run["mode"],
                True,
            )
            # what was played there leads to what came: the dice are those of the run
            news = tab.move(steps[step])["news"]
            assert tuple(news) == steps[step : step + len(news)]


def test_another_move_leads_elsewhere_and_counts_nowhere(server: Server) -> None:
    guest = server.guest()
    run = finished(guest, "lite-solo")
    with guest.sit_where("lite-solo", run["id"], 9) as tab:
        while not tab.is_over:
            tab.move(tab.moves[-1])
        again = guest.run(tab)
    assert not again["ranked"]
    assert again["record"]["steps"] != run["record"]["steps"]
    assert check(from_json(again["record"])).ok
    assert guest.get("/api/runs/best", game="lite-solo")["id"] == run["id"]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"step": 0}, "step"),  # the first die is due
        ({"step": 2}, "step"),
        ({"step": 18}, "step"),  # the end
        ({"step": 10_000}, "step"),
        ({"step": 3, "kind": "ranked"}, "run"),
        ({"step": 3, "options": {"columns": True}}, "run"),
        ({"step": 3, "seed": "other"}, "run"),
        ({"step": 3, "game": "farkle"}, "run"),
        ({"step": 3, "run": "nobody"}, "run"),
    ],
)
def test_what_nobody_can_go_on_from(server: Server, asked: dict[str, Any], code: str) -> None:
    guest = server.guest()
    run = finished(guest, "lite-solo")
    told = guest.post("/api/tables", 400, **{"game": "lite-solo", "kind": "practice", "run": run["id"], **asked})
    assert told["code"] == code
    assert guest.get("/api/tables") == []


def test_nobody_goes_on_with_the_dice_of_today(own_server: Server) -> None:
    """Another move may bring further dice of a daily that is still played."""
    guest = own_server.guest()
    run = guest.play("lite-solo", 1, kind="daily")
    asked = {"game": "lite-solo", "kind": "practice", "run": run["id"], "step": 3}
    assert guest.post("/api/tables", 400, **asked)["code"] == "run-dice"
    own_server.clock.to("2026-11-16 12:00")
    assert guest.post("/api/tables", 201, **asked)["kind"] == "practice"
