"""A game that is not ours, walked through everything. Run by `test_sixth_game.py` where the package is installed."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from dicehall.bots.player import player, player_names
from dicehall.bots.seats import usual_seats
from dicehall.cli import main
from dicehall.coach.advise import advise, recommended
from dicehall.coach.protocol import has_coach
from dicehall.coach.puzzles import puzzles
from dicehall.errors import InvalidOption
from dicehall.lab.simulate import simulate
from dicehall.play.breakdown import breakdown
from dicehall.play.record import from_json
from dicehall.play.record_line import from_line, to_line
from dicehall.play.replay import check, prove
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES, find_game
from tests.server.conftest import new_url, own_server  # noqa: F401
from tests.server.running import Server

PIG = find_game("pig")


@pytest.fixture(params=["sqlite"], scope="session")
def database(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def run_to_the_end(seed: str) -> Table:
    table, bots = Table(PIG, seats=["hold:20", "random"], seed=seed), {}
    bots = {seat: player(name, PIG, seed, seat) for seat, name in enumerate(table.seats)}
    while not table.is_over:
        table.play(bots[table.actor](table.state))
    return table


def test_it_comes_after_the_five() -> None:
    assert list(GAMES)[5:] == ["pig"]
    assert usual_seats(PIG) == ("you", "random")
    assert player_names(PIG) == ["random", "hold:N"]


def test_table_record_and_replay() -> None:
    record = run_to_the_end("oink").record()
    assert from_json(record.to_json()) == from_line(to_line(record)) == record
    assert check(to_line(record)).ok
    assert prove(record) > 0
    assert breakdown(record) == {}


def test_a_view_says_the_parts_of_the_state() -> None:
    table = Table(PIG, seats=2, seed="oink")
    table.play("roll")
    seen = table.view(0)
    (pile,) = table.last_roll
    assert {"name": "pile", "value": pile} in seen["parts"]
    assert seen["seats"] == [{"parts": [{"name": "points", "value": 0}]}] * 2
    assert [move["move"] for move in seen["moves"]] == ["roll", "hold"]


def test_no_coach_no_levels_no_puzzles() -> None:
    assert not has_coach(PIG)
    assert recommended(PIG, PIG.begin()) is None
    assert puzzles("pig") == []
    for name in ("perfect", "level:1"):
        with pytest.raises(InvalidOption):
            player(name, PIG, "seed")
    with pytest.raises(InvalidOption, match="nobody has solved pig yet"):
        advise(PIG, PIG.begin())


def test_simulate() -> None:
    told = simulate(PIG, ["hold:20", "random"], 40, "oink")
    careful, careless = told["per_seat"]
    assert (told["games"], careful["mean_score"] > careless["mean_score"]) == (40, True)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    lines = iter(["help", "rules", "moves", "nonsense", "hint"] + ["roll", "hold"] * 200)
    monkeypatch.setattr("builtins.input", lambda _: next(lines))
    assert main(["play", "pig", "--seed", "oink", "--option", "target=30", "--language", language]) == 0
    told = capsys.readouterr().out
    assert "On your turn roll one die" in told
    assert {"en": "You (to move): points 0", "de": "Du (am Zug): points 0"}[language] in told
    assert {"en": "The end.", "de": "Das Spiel ist aus."}[language] in told
    assert "dicehall1/pig.1/target=30/" in told
    for word in ("hint", "report", "tipp", "bericht"):
        assert f"\n  {word} " not in told, "the coach is not offered"


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "pig", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    assert (told["title"], told["players"], told["ladder"]) == ("Pig", ["random", "hold:N"], [])
    for refused in (["odds", "pig"], ["coach", "pig", "0:0 0 0 -"], ["solve", "pig"], ["chart", "pig", "x.svg"]):
        assert main(refused) == 2
        assert capsys.readouterr().err.startswith("dicehall: ")


def test_the_server(own_server: Server) -> None:  # noqa: F811
    guest = own_server.guest("Ada")
    assert [game["id"] for game in guest.get("/api/games")][5:] == ["pig"]
    assert "pig" not in [one["game"] for one in guest.get("/api/puzzles")]
    run = guest.play("pig", options={"target": 20})
    assert run["record"]["game"] == "pig"
    assert run["record"]["seats"] == ["you", "random"]
    film = guest.get(f"/api/runs/{run['id']}/film")
    assert film[-1]["view"]["result"]["why"] == "target"
    assert guest.get(f"/api/runs/{run['id']}/report") is None
    board: Any = guest.get("/api/boards/pig", mode=run["mode"])
    assert [entry["nickname"] for entry in board["entries"]] == ["Ada"]
    exported = guest.ask("GET", "/api/export/ranked.jsonl").text.splitlines()
    assert [json.loads(line)["game"] for line in exported] == ["pig"]
    assert guest.get("/api/lobby")["bests"][0]["game"] == "pig"
    with guest.sit(guest.open("pig", kind="daily")) as tab:
        tab.send(type="hint", seen=tab.count)
        assert tab.refusal() == "objective"
        tab.play_on(Random(1))
        assert tab.is_over
