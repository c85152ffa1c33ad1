"""Quick match: whoever looks is told how it stands, and sits down with whoever is found."""

from __future__ import annotations

import json
from contextlib import ExitStack
from random import Random
from typing import Any

from dicehall.server.wire import PROTOCOL, Close
from tests.server.people import Sitter, begin, play_out
from tests.server.running import Guest, Server


class Searcher:
    def __init__(self, stack: ExitStack, guest: Guest, pool: str) -> None:
        self.guest = guest
        self.connection = stack.enter_context(guest.connect(f"/ws/quick/{pool}"))
        self.connection.send(json.dumps({"type": "hello", "protocol": PROTOCOL}))
        self.shown: dict[str, Any] = self.hear()

    def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.connection.recv(30))
        assert message["type"] == "quick", message
        self.shown = message
        return message

    def room(self) -> str:
        while self.shown["room"] is None:
            self.hear()
        return str(self.shown["room"])


def test_two_who_look_for_the_same_game_play_it(own_server: Server) -> None:
    ada, bea, cleo = (own_server.guest() for _ in range(3))
    with ExitStack() as stack:
        first, other = Searcher(stack, ada, "knucklebones"), Searcher(stack, cleo, "farkle")
        assert (first.shown["waiting"], first.shown["room"], first.shown["level"]) == (1, None, None)
        assert (first.shown["low"], first.shown["high"]) == (1400, 1600)
        own_server.clock.now += 10
        while first.hear()["level"] is None:
            pass
        assert (first.shown["low"], first.shown["high"]) == (1280, 1720)
        second = Searcher(stack, bea, "knucklebones")
        assert second.shown["here"] == 3
        room = first.room()
        assert second.room() == room
        assert other.hear()["room"] is None
        sitters = [Sitter(ada, room), Sitter(bea, room)]
        for one in sitters:
            stack.callback(one.close)
        begin(sitters)
        assert sitters[0].room["rated"]
        assert sitters[0].room["clock"] == "30+120"
        play_out(sitters, Random(1))


def test_a_table_for_several_starts_after_a_countdown(own_server: Server) -> None:
    with ExitStack() as stack:
        three = [Searcher(stack, own_server.guest(), "farkle-table") for _ in range(3)]
        while three[0].hear()["starts_ms"] is None:
            pass
        assert three[0].shown["starts_ms"] == own_server.clock.ms() + 20_000
        assert three[0].shown["room"] is None
        own_server.clock.now += 20
        rooms = {one.room() for one in three}
        assert len(rooms) == 1
        sitters = [Sitter(one.guest, min(rooms)) for one in three]
        for one in sitters:
            stack.callback(one.close)
        begin(sitters)
        assert len(sitters[0].room["places"]) == 3


def test_an_account_that_has_gone_keeps_nobody_waiting(own_server: Server) -> None:
    """Its line is still there, and was there first."""
    with ExitStack() as stack:
        for pool, people in (("knucklebones", 2), ("farkle-table", 2)):
            gone = own_server.guest()
            Searcher(stack, gone, pool)
            gone.call("DELETE", "/api/me", 204)
            others = [Searcher(stack, own_server.guest(), pool) for _ in range(people)]
            own_server.clock.now += 40
            assert len({one.room() for one in others}) == 1


def test_there_is_no_such_pool(server: Server) -> None:
    guest = server.guest()
    assert guest.close_code("/ws/quick/chess", {"type": "hello", "protocol": PROTOCOL}) == Close.NO_TABLE


def test_who_goes_does_not_wait_any_more(own_server: Server) -> None:
    ada, bea = own_server.guest(), own_server.guest()
    with ExitStack() as stack:
        Searcher(stack, ada, "lite-versus")
    with ExitStack() as stack:
        second = Searcher(stack, bea, "lite-versus")
        while second.hear()["waiting"] != 1:
            pass
        assert second.hear()["room"] is None


def test_somebody_who_was_found_and_does_not_come(own_server: Server) -> None:
    with ExitStack() as stack:
        first = Searcher(stack, own_server.guest(), "knucklebones")
        Searcher(stack, own_server.guest(), "knucklebones")
        here = Sitter(first.guest, first.room())
        stack.callback(here.close)
        assert here.room["code"] is None
        own_server.clock.now += 60
        here.until(lambda me: me.room["state"] == "closed")
        assert here.room["why"] == "missed"
