"""What crews are asked for gives the same in this process as in theirs: over the wire comes what the functions say."""

from __future__ import annotations

import json
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from dicehall.bots.player import player
from dicehall.coach.advise import recommended
from dicehall.coach.puzzles import puzzles
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES
from dicehall.server import coach, jobs
from dicehall.server.thinking import takes_long_to_recommend
from tests.server.games import every_game
from tests.server.running import Json, Server

SEATS = {"lite-solo": 1, "lite-versus": 2, "farkle": 1, "shut-the-box": 1, "knucklebones": 2}


def said(data: bytes) -> Any:
    return json.loads(data)


@every_game
def test_bots_move_as_they_would_here(game: str) -> None:
    """A turn is one job: it rolls the dice that the table then rolls."""
    rules, seats = GAMES[game], SEATS[game]
    assert jobs.seconds_to_advise(game, rules.version, {}, seats) > 0
    table, turns = Table(game, seats=seats, seed="job"), 0
    while turns < 3 and not table.is_over:
        seat, turns = table.actor, turns + 1
        assert jobs.recommended_keep(game, rules.version, table.state) == recommended(rules, table.state)
        bot = player("level:3", rules, "job", seat)
        moves = jobs.chosen_moves(game, rules.version, "level:3", "job", seat, table.state, table.dice_used)
        for move in moves:
            assert (table.actor, move) == (seat, bot(table.state))
            table.play(move)
        assert moves
        assert table.actor != seat


@every_game
def test_the_coach_says_the_same_over_the_wire(server: Server, game: str) -> None:
    stranger = server.stranger()
    asked: dict[str, Any] = {"game": game}
    assert stranger.get("/api/coach/odds", **asked) == said(jobs.as_json(coach.odds, game, "standard", None))
    assert stranger.get("/api/coach/lab", **asked) == said(jobs.as_json(coach.lab, game, "standard"))
    assert stranger.get("/api/coach/chart", **asked) == said(jobs.as_json(coach.chart, game, "standard"))
    opponent = said(jobs.as_json(coach.opponent, game, "standard", SEATS[game]))
    assert stranger.get("/api/coach/opponent", **asked, seats=SEATS[game]) == opponent
    assert stranger.get(f"/api/games/{game}/targets") == said(coach.targets(game, "standard"))
    for number, known in enumerate(puzzles(game)[:3], 1):
        told = said(jobs.as_json(coach.puzzle, known, number, len(puzzles(game))))
        assert stranger.get(f"/api/puzzles/{game}/{number}") == told
        position: dict[str, Any] = {"options": known.options, "state": known.state, "objective": str(known.objective)}
        advice = said(jobs.as_json(coach.advice, game, known.options, known.state, str(known.objective)))
        assert stranger.post("/api/coach/advise", **asked, **position) == advice


@every_game
def test_of_a_run_the_same_is_told(server: Server, game: str) -> None:
    guest = server.guest()
    options = {"farkle": {"target": 1000}, "shut-the-box": {"rounds": 1}}.get(game, {})
    seats = ["you", "random"][: SEATS[game]]
    with guest.sit(guest.open(game, options=options, seats=seats, kind="practice", seed="told")) as tab:
        tab.play_on(Random(5))
        run = guest.run(tab)
    path = f"/api/runs/{run['id']}"
    assert guest.get(f"{path}/film") == said(jobs.film(run["record"]))
    assert guest.get(f"{path}/proof") == said(jobs.verdict(json.dumps(run["record"])))
    assert guest.get(f"{path}/report") == said(jobs.as_json(coach.run_report, run["record"], False, None, None))


@pytest.mark.parametrize("game", GAMES)
def test_a_benchmark_hides_what_its_dice_would_tell(game: str) -> None:
    secret = f"{7:064x}"
    whole, hidden = coach.daily_benchmark(game, secret, True), coach.daily_benchmark(game, secret, False)
    assert whole.expected == hidden.expected
    assert (hidden.perfect, hidden.against, hidden.foresight) == (None, None, None)
    assert whole.perfect is not None


@pytest.mark.parametrize(
    ("game", "options", "beside"),
    [
        ("farkle", {}, False),
        ("farkle", {"preset": "arcade"}, False),
        ("farkle", {"preset": "spicy"}, False),  # which names a value that is the default
        ("farkle", {"bank_minimum": 350}, True),
        ("farkle", {"straight_points": 1450}, True),
        ("lite-solo", {"reroll": True}, False),
    ],
)
def test_what_farkle_recommends_is_solved_beside_the_event_loop(game: str, options: Json, beside: bool) -> None:
    """But for the variants that everybody plays, whose turns are soon all known."""
    table = Table(game, options=options, seats=1, seed="job")
    live: Any = SimpleNamespace(table=table)
    assert takes_long_to_recommend(live) == beside
