"""Whoever asks the coach elsewhere about the position of a ranked run plays on unranked; nobody else does."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from dicehall.server.positions import MANY_STEPS, Place, Positions, position
from dicehall.store import tables
from tests.server.running import Guest, Json, Server
from tests.server.test_daily import board
from tests.server.test_fairness import ELSEWHERE, guest_from


def ask_coach(guest: Guest, view: Json, **changes: Any) -> Json:
    options = {**view["options"], **changes}
    told: Json = guest.post("/api/coach/advise", game=view["game"], options=options, state=view["state"])
    return told


@pytest.mark.parametrize("kind", ["ranked", "daily"])
@pytest.mark.parametrize("changes", [{}, {"target": 1}], ids=["alike", "another target"])
def test_who_asks_the_coach_elsewhere_plays_unranked(own_server: Server, kind: str, changes: Json) -> None:
    guest = own_server.guest()
    table_id = guest.open("lite-solo", kind=kind)
    with guest.sit(table_id) as tab:
        tab.play_on(Random(1), 1)
        assert ask_coach(guest, tab.shown["view"], **changes)["moves"]
        assert own_server.saved(table_id).unranked == ("coach",), "before the answer is given"
        assert tab.table()["unranked"] == ["coach"], "and the table says so"
        ask_coach(guest, tab.shown["view"])
        tab.play_on(Random(1))
        run = guest.run(tab)
    assert not run["ranked"]
    assert run["record"]["unranked"] == ["coach"]
    assert guest.get("/api/boards/lite-solo")["players"] == board(guest, "best")["players"] == 0


def test_a_table_that_nobody_watches_is_noticed_too(own_server: Server) -> None:
    guest = own_server.guest()
    table_id = guest.open("lite-solo")
    with guest.sit(table_id) as tab:
        tab.play_on(Random(1), 2)
        view = tab.shown["view"]
    ask_coach(guest, view)
    assert own_server.saved(table_id).unranked == ("coach",)
    other = guest.open("lite-solo")
    view = guest.get(f"/api/tables/{other}")["view"]
    own_server.restart()
    guest.get(f"/api/tables/{other}")
    ask_coach(guest, view)
    assert own_server.saved(other).unranked == ("coach",), "it has been sat down at since"


def test_nobody_can_spoil_a_strangers_run(own_server: Server) -> None:
    guest = own_server.guest()
    table_id = guest.open("lite-solo")
    stranger, neighbour = guest_from(own_server, ELSEWHERE), own_server.stranger()

    def spoiled() -> bool:
        return own_server.saved(table_id).unranked != ()

    with guest.sit(table_id) as tab:
        while tab.count < MANY_STEPS:
            for other in (stranger, neighbour):
                ask_coach(other, tab.shown["view"])
            tab.play_on(Random(1), 1)
        ask_coach(stranger, tab.shown["view"])
        assert not spoiled(), "another network, a position that many have"
        ask_coach(neighbour, tab.shown["view"])
        assert spoiled(), "the same network, and no chance"


def test_practice_puzzles_and_positions_left_behind_cost_nothing(own_server: Server) -> None:
    guest = own_server.guest()
    practice, ranked = guest.open("lite-solo", kind="practice"), guest.open("lite-solo")
    with guest.sit(practice) as tab:
        tab.play_on(Random(1), 3)
        ask_coach(guest, tab.shown["view"])
        assert tab.look()["unranked"] == []
    with guest.sit(ranked) as tab:
        tab.play_on(Random(1), 1)
        before = tab.shown["view"]
        tab.play_on(Random(1), 1)
        ask_coach(guest, before)
        assert tab.look()["unranked"] == []
        tab.play_on(Random(1))
        ask_coach(guest, before)
        assert guest.run(tab)["ranked"]


def test_positions_are_found_by_who_could_be_asking() -> None:
    known = Positions(most=2)
    here, there = position("farkle", "s"), position("farkle", "t")
    known.note("t1", "ada", "net", here, MANY_STEPS)
    known.note("t2", "bea", "net", here, MANY_STEPS - 1)

    def found(where: str, player: str | None, network: str) -> list[str]:
        return [place.table_id for place in known.standing_at(where, player, network)]

    assert found(here, "ada", "") == ["t1"]
    assert found(here, "bea", "net") == ["t1", "t2"]
    assert found(here, None, "net") == ["t1"]
    assert found(here, None, "other") == found(here, "eve", "") == found(there, "ada", "net") == []
    known.note("t1", "ada", "", there, MANY_STEPS + 2)
    assert found(here, "ada", "net") == []
    assert found(there, None, "net") == ["t1"], "the network is remembered"
    known.note("t3", "ada", "net", here, 1)
    assert found(here, "bea", "") == [], "of too many, the one that stood still for longest is forgotten"
    assert known.forget("t1") == Place("t1", "ada", "net", there, MANY_STEPS + 2)
    assert known.forget("t1") is None
    known.forget("t3")
    assert known._tables == {}


def test_a_hint_at_another_table_in_the_same_position_is_noticed(server: Server) -> None:
    """A practice table with chosen dice stands where the ranked one does: to ask there is to ask about both."""
    guest = server.guest()
    ranked = guest.open("lite-solo")
    with guest.sit(ranked) as tab:
        state = tab.shown["view"]["state"]
        for seed in range(200):
            other = guest.post("/api/tables", 201, game="lite-solo", kind="practice", seed=f"s{seed}")
            if other["view"]["state"] == state:
                break
        with guest.sit(other["id"]) as practice:
            practice.send(type="hint", seen=practice.count)
            assert practice.table()["unranked"] == ["hint"]
        assert tab.look()["unranked"] == ["coach"]


def test_a_question_that_could_not_be_noted_is_not_answered(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither elsewhere nor at the table: or whoever asks while the disk is full plays on for the boards."""
    guest, save = own_server.guest(), tables.save
    table_id = guest.open("lite-solo")

    def fail(*_: Any) -> None:
        raise OperationalError("UPDATE", {}, Exception("the disk is full"))

    with guest.sit(table_id) as tab:
        tab.play_on(Random(1), 1)
        view = tab.shown["view"]
        monkeypatch.setattr(tables, "save", fail)
        asked = {"game": view["game"], "options": view["options"], "state": view["state"]}
        assert guest.post("/api/coach/advise", 400, **asked)["code"] == "not-kept"
        assert tab.look()["unranked"] == []
        tab.send(type="hint", seen=tab.count)
        assert tab.refusal() == "not-kept"
        shown = tab.table()
        assert (shown["hint"], shown["unranked"]) == (None, [])
        assert own_server.saved(table_id).unranked == ()
        monkeypatch.setattr(tables, "save", save)
        assert ask_coach(guest, view)["moves"]
        assert own_server.saved(table_id).unranked == ("coach",)
