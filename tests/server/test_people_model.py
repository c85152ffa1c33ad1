"""People at a table on a real server, in any order: they come and go, move when it is their turn and when it is not,
resign, claim, wait, and the hall is killed in between. Whatever happens, it is one game.

Every list of steps that anybody was shown is the beginning of the run's; there is one winner, or all share; a game is
noted once for each of the two; no clock is negative; no seat ever moved for another.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select
from websockets.exceptions import ConnectionClosed

from dicehall.play.record import from_json
from dicehall.play.replay import check, prove
from dicehall.store import schema
from tests.server.people import Sitter, begin
from tests.server.running import Guest, Server
from tests.soak import times

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("lite-versus", {}),
    ("knucklebones", {}),
    ("farkle", {"target": 300}),
    ("shut-the-box", {"rounds": 1}),
]
WHO = st.integers(0, 3)


class PeopleMachine(RuleBasedStateMachine):
    server: Server

    @initialize(
        game=st.sampled_from(GAMES),
        people=st.integers(2, 3),
        clock=st.sampled_from(["none", "15+60", "3d"]),
        seed=st.integers(0, 10**6),
    )
    def sit_down(self, game: tuple[str, dict[str, Any]], people: int, clock: str, seed: int) -> None:
        self.random = Random(seed)
        count = people if game[0] in ("farkle", "shut-the-box") else 2
        self.guests: list[Guest] = [self.server.guest() for _ in range(count)]
        asked = {"options": game[1], "seats": ["you"] * count, "clock": clock}
        room = self.guests[0].post("/api/rooms", 201, game=game[0], **asked)
        for guest in self.guests[1:]:
            guest.post(f"/api/rooms/{room['id']}/join")
        self.room_id = room["id"]
        self.all = [Sitter(guest, self.room_id) for guest in self.guests]
        self.here: list[Sitter | None] = list(self.all)
        begin(self.all)
        self.refused: list[str] = []
        self.games = [self.all[0].room["table"]]

    def sitter(self, who: int) -> Sitter | None:
        return self.here[who % len(self.here)]

    def look(self) -> None:
        for one in self.here:
            if one is not None:
                one.drain()
                if one.room["table"] not in (None, self.games[-1]):
                    self.games.append(one.room["table"])

    @rule(who=WHO)
    def move(self, who: int) -> None:
        one = self.sitter(who)
        if one is None or not one.table or one.room["state"] != "playing":
            return
        moves = [move["move"] for move in one.table["view"]["moves"]]
        if moves:
            mine, count = one.my_turn, one.table["count"]
            one.refusals.clear()
            one.send(type="move", seen=count, move=self.random.choice(moves))
            self.look()
            if not mine and one.table["count"] == count:
                assert set(one.refusals) <= {"not-your-turn", "game-over", "out-of-time", "no-table"}, one.refusals

    @rule(who=WHO, on_purpose=st.booleans())
    def go(self, who: int, on_purpose: bool) -> None:
        one = self.sitter(who)
        if one is not None and one.room["state"] == "playing":
            if on_purpose:
                one.send(type="leave")
                one.drain()
            one.close()
            self.here[who % len(self.here)] = None

    @rule(who=WHO)
    def come_back(self, who: int) -> None:
        if self.sitter(who) is None:
            one = self.all[who % len(self.all)]
            one.connect()
            self.here[who % len(self.here)] = one
            self.look()

    @rule(who=WHO)
    def resign(self, who: int) -> None:
        if (one := self.sitter(who)) is not None and self.random.random() < 0.2:
            one.send(type="resign")
            self.look()

    @rule(who=WHO, whom=WHO)
    def claim(self, who: int, whom: int) -> None:
        if (one := self.sitter(who)) is not None:
            one.send(type="claim", place=whom % len(self.here))
            self.look()

    @rule(who=WHO)
    def be_ready(self, who: int) -> None:
        if (one := self.sitter(who)) is not None:
            one.send(type="ready")
            self.look()

    @rule(seconds=st.sampled_from([1, 9, 40, 200]))
    def wait(self, seconds: int) -> None:
        self.server.clock.now += seconds
        self.look()

    @precondition(lambda self: self.random.random() < 0.15)
    @rule()
    def kill_the_hall(self) -> None:
        for one in self.all:
            one.close()
        self.server.restart()
        for one in filter(None, self.here):
            one.connect()
        self.look()

    @invariant()
    def clocks_are_never_negative(self) -> None:
        for one in getattr(self, "here", ()):
            if one is not None and one.room["times"] is not None:
                assert min(one.room["times"]["reserves_ms"]) >= 0
                assert one.room["times"]["own_ms"] >= 0

    def teardown(self) -> None:
        if not hasattr(self, "all"):
            return
        for place, somebody in enumerate(self.here):
            if somebody is None:
                self.here[place] = self.all[place]
                self.all[place].connect()
        self.look()
        for one in self.all:  # so that every game ends
            if one.room["state"] == "playing":
                one.send(type="resign")
                one.drain()
        self.look()
        for one in self.all:
            with suppress(ConnectionClosed):
                one.close()
        for table_id in self.games:
            self.check(table_id)

    def check(self, table_id: str) -> None:
        found = self.server.stored(
            lambda c: c.execute(select(schema.runs).where(schema.runs.c.table_id == table_id)).all()
        )
        assert len(found) <= 1
        shown = [steps for one in self.all for table, steps in one.shown_lists if table == table_id]
        if not found:
            return
        record = from_json(found[0].record)
        assert check(record).ok
        prove(record)
        for steps in shown:
            assert steps == record.steps[: len(steps)]
        result = record.result
        assert result is not None
        gone = {one.seat for one in record.departures}
        assert not gone & set(result.winners)
        met = self.server.stored(
            lambda c: c.execute(select(schema.meetings).where(schema.meetings.c.run_id == found[0].id)).all()
        )
        assert len(met) == (2 if len(self.guests) == 2 else 0)
        if met and result.winners:
            assert sum(one.halves for one in met) == 2


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_people_come_and_go_in_any_order(own_server: Server) -> None:
    class Machine(PeopleMachine):
        server = own_server

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=times(8, 150),
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to shrink what takes seconds takes for ever
        ),
    )
