"""Rooms: people ask each other to a table, add to the dice, play, and play again."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dicehall.play.record import from_json
from dicehall.play.replay import check, prove
from tests.server.people import Sitter, begin, play_out, seated
from tests.server.running import Server

TWO: list[tuple[str, dict[str, Any]]] = [
    ("lite-versus", {}),
    ("knucklebones", {}),
    ("farkle", {"target": 1000}),
    ("shut-the-box", {"rounds": 2}),
]


@pytest.mark.parametrize(("game", "options"), TWO, ids=[game for game, _ in TWO])
def test_two_people_play(server: Server, game: str, options: dict[str, Any]) -> None:
    names = [f"{name} of {game}"[:24] for name in ("Ada", "Bea")]
    ada, bea = map(server.guest, names)
    with seated([ada, bea], game, options=options) as sitters:
        assert [one.table["seats"][one.room["places"][one.room["you"]]["seat"]] for one in sitters] == ["you"] * 2
        assert {one.table["seats"].count("person") for one in sitters} == {1}
        play_out(sitters, Random(1))
        run = ada.get(f"/api/runs/{sitters[0].table['run']}")
        other = bea.get(f"/api/runs/{sitters[0].table['run']}")
    assert {one["nickname"] for one in run["people"]} == set(names)
    assert (run["player"], other["player"]) == (ada.id, bea.id)
    assert run["seat"] != other["seat"]
    assert not run["ranked"]
    record = from_json(run["record"])
    assert check(record).ok
    assert prove(record) > 0
    assert len(record.origin.contributions) == 2
    assert list(record.steps) == sitters[0].steps == sitters[1].steps
    assert (
        [one["id"] for one in ada.get("/api/runs")["runs"]]
        == [run["id"]]
        == [one["id"] for one in bea.get("/api/runs")["runs"]]
    )
    outcomes = sorted([run["outcome"], other["outcome"]])
    assert outcomes in (["lost", "won"], ["drawn", "drawn"])


def test_six_people_at_farkle(server: Server) -> None:
    guests = [server.guest() for _ in range(6)]
    with seated(guests, "farkle", options={"target": 500}) as sitters:
        play_out(sitters, Random(6))
        assert len({one.table["run"] for one in sitters}) == 1
        assert all(one.steps == sitters[0].steps for one in sitters)
    assert guests[5].get("/api/runs")["runs"][0]["record"]["seats"] == ["you"] * 6


def test_nobody_moves_for_somebody_else(server: Server) -> None:
    with seated([server.guest(), server.guest()], "lite-versus") as sitters:
        waiting = next(one for one in sitters if not one.my_turn)
        count = waiting.table["count"]
        moves = [move["move"] for move in waiting.table["view"]["moves"]]
        waiting.send(type="move", seen=count, move=moves[0] if moves else "a1")
        waiting.until(lambda me: bool(me.refusals))
        assert waiting.refusals == ["not-your-turn"]
        for asked, code in (
            ({"type": "hint", "seen": count}, "no-hints"),
            ({"type": "undo", "seen": count}, "undo-off"),
        ):
            waiting.refusals.clear()
            waiting.send(**asked)
            waiting.until(lambda me: bool(me.refusals))
            assert waiting.refusals == [code]


def test_best_of_three_and_a_rematch(server: Server) -> None:
    with seated([server.guest(), server.guest()], "lite-versus", best_of=3, begins="host") as sitters:
        first: list[int] = []
        random = Random(3)
        while not sitters[0].room["winners"]:
            first.append(next(place["seat"] for place in sitters[0].room["places"][:1]))
            play_out(sitters, random)
            if not sitters[0].room["winners"]:
                again(sitters)
        assert first == [number % 2 for number in range(len(first))], "who did not begin begins"
        assert len(first) >= 2
        again(sitters)
        assert sitters[0].room["places"][0]["seat"] == 1, "the other side begins the rematch"
        assert [place["halves"] for place in sitters[0].room["places"]] == [0, 0]


def again(sitters: list[Sitter]) -> None:
    for one in sitters:
        one.send(type="ready")
    end = sitters[0].room["table"]
    while any(one.room["table"] == end or one.room["state"] != "playing" for one in sitters):
        for one in sitters:
            one.drain()
    begin(sitters)
