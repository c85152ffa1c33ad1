"""Quick match: leaving games has a price, nobody is lost who was found, and the same two do not meet all day."""

from __future__ import annotations

import json
import socket
import struct
from contextlib import ExitStack
from random import Random
from typing import Any

import pytest
from sqlalchemy import insert, select
from websockets.exceptions import ConnectionClosed

from dicehall.people.pairing import PENALTIES
from dicehall.people.rated import MOST_A_DAY
from dicehall.server import quick
from dicehall.server.wire import PROTOCOL, Close
from dicehall.store import schema
from tests.patience import PATIENCE
from tests.server.people import Sitter, begin, play_out, whose_turn
from tests.server.running import Guest, Server
from tests.server.test_operator import soon
from tests.server.test_quick import Searcher


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick, "LOOK_EVERY", 0.02)


def cut(searcher: Searcher) -> None:
    """The line is gone, without a word."""
    line = searcher.connection.socket
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.shutdown(socket.SHUT_RDWR)
    line.close()


def found(stack: ExitStack, guests: list[Guest], pool: str = "knucklebones") -> list[Sitter]:
    """They look, and sit down where they are led to, those who oblige and those who do not yet."""
    searchers = [Searcher(stack, guest, pool) for guest in guests]
    if pool in quick.TABLES:
        while searchers[0].hear()["waiting"] < len(guests):
            pass
        guests[0].server.clock.now += 20
    (room,) = {one.room() for one in searchers}
    for one in searchers:
        cut(one)
    sitters = [Sitter(guest, room, obliging=False) for guest in guests]
    for sitter in sitters:
        stack.callback(sitter.close)
        sitter.until(lambda me: me.room["state"] == "sealing")
    return sitters


def oblige(*sitters: Sitter) -> list[Sitter]:
    for one in sitters:
        one.obliging = True
        one.contribute()
    return list(sitters)


def left(server: Server, *guests: Guest) -> list[list[bool]]:
    """Whether they have left their games, the first first, as it is kept."""
    rows = server.stored(lambda c: c.execute(select(schema.outcomes).order_by(schema.outcomes.c.at_ms)).all())
    return [[row.left for row in rows if row.player_id == guest.id] for guest in guests]


def moved(sitters: list[Sitter], moves: int) -> None:
    for _ in range(moves):
        mover = whose_turn(sitters)
        mover.move(Random(1))
        for one in sitters:
            one.until(lambda me, count=mover.table["count"]: me.table["count"] >= count)  # type: ignore[misc]


def test_what_counts_as_leaving(own_server: Server) -> None:
    ada, bea = guests = [own_server.guest(), own_server.guest()]
    ends: list[tuple[bool, bool]] = []

    def ended(mine: bool, theirs: bool) -> None:
        ends.append((mine, theirs))
        soon(lambda: left(own_server, ada, bea) == [list(one) for one in zip(*ends, strict=True)])
        own_server.clock.now += 1

    for moves, has_left in ((0, True), (2, True), (6, False)):  # of both together
        with ExitStack() as stack:
            sitters = oblige(*found(stack, guests))
            begin(sitters)
            moved(sitters, moves)
            sitters[0].send(type="resign")
            ended(has_left, False)
    with ExitStack() as stack:
        sitters = oblige(*found(stack, guests))
        begin(sitters)
        play_out(sitters, Random(1))
        ended(False, False)
    with ExitStack() as stack:
        sitters = oblige(*found(stack, guests))
        begin(sitters)
        moved(sitters, 4)
        place = sitters[0].room["you"]
        sitters[0].close()
        sitters[1].until(lambda me: not me.room["places"][place]["here"])
        own_server.clock.now += 30
        sitters[1].send(type="claim", place=place)
        ended(True, False)


def test_who_does_not_begin_has_left_and_who_thinks_too_long_has_not(own_server: Server) -> None:
    guests = [own_server.guest() for _ in range(2)]
    with ExitStack() as stack:
        sitters = oblige(*found(stack, guests))
        begin(sitters)
        first = whose_turn(sitters)
        other = next(one for one in sitters if one is not first)
        moved(sitters, 1)
        own_server.clock.now += 30
        soon(lambda: left(own_server, first.guest, other.guest) == [[False], [True]])
    own_server.clock.now += 1
    with ExitStack() as stack:
        sitters = oblige(*found(stack, guests))
        begin(sitters)
        moved(sitters, 2)
        own_server.clock.now += 200
        soon(lambda: [one[1:] for one in left(own_server, *guests)] == [[False], [False]])


def test_who_withholds_a_seed_or_goes_before_the_dice_has_left(own_server: Server) -> None:
    ada, bea = guests = [own_server.guest() for _ in range(2)]
    with ExitStack() as stack:
        host, guest = found(stack, guests)
        oblige(guest)
        guest.until(lambda me: len(me.room["contributions"]) == 1)
        own_server.clock.now += 45
        guest.until(lambda me: me.room["state"] == "between")
        assert left(own_server, ada, bea) == [[True], []], "nobody is to blame for a game that another has prevented"
        for one in oblige(host, guest):
            one.send(type="ready")
        begin([host, guest])
    own_server.clock.now += 1
    with ExitStack() as stack:
        host, guest = found(stack, guests)
        guest.send(type="leave")
        soon(lambda: left(own_server, ada, bea) == [[True], [True]])


def test_at_a_larger_table_everybody_for_themselves(own_server: Server) -> None:
    """What the table plays for somebody who has gone is no move of theirs."""
    guests = [own_server.guest() for _ in range(3)]
    with ExitStack() as stack:
        sitters = oblige(*found(stack, guests, "shut-the-box-table"))
        begin(sitters)
        moved(sitters, 1)
        leaver = whose_turn(sitters)
        leaver.send(type="resign")
        rest = [one for one in sitters if one is not leaver]
        moved(rest, 20)  # the turn comes round
        rest[0].send(type="resign")  # one is left
        soon(lambda: [len(one) for one in left(own_server, *guests)] == [1, 1, 1])
        leaver.drain()
        assert left(own_server, leaver.guest, *(one.guest for one in rest)) == [[True], [False], [False]]


def test_a_table_of_friends_is_nobodys_business(own_server: Server) -> None:
    ada, bea = own_server.guest(), own_server.guest()
    room = ada.post("/api/rooms", 201, game="knucklebones")["id"]
    bea.post(f"/api/rooms/{room}/join")
    with ExitStack() as stack:
        sitters = [Sitter(one, room) for one in (ada, bea)]
        for one in sitters:
            stack.callback(one.close)
        begin(sitters)
        sitters[0].send(type="resign")
        sitters[1].until(lambda me: me.room["state"] == "between")
        assert left(own_server, ada, bea) == [[], []]


def has_left(server: Server, guest: Guest, times: int) -> None:
    now_ms = server.clock.ms()
    rows = [{"player_id": guest.id, "at_ms": now_ms - n, "room_id": "r", "left": True} for n in range(times)]
    with server.app.state.hall.engine.begin() as connection:
        connection.execute(insert(schema.outcomes), rows)


def test_who_leaves_again_and_again_waits(own_server: Server) -> None:
    ada = own_server.guest()
    has_left(own_server, ada, 4)
    until_ms = own_server.clock.ms() + PENALTIES[4] * 1000
    with ada.connect("/ws/quick/farkle") as connection:
        connection.send(json.dumps({"type": "hello", "protocol": PROTOCOL}))
        told = json.loads(connection.recv(PATIENCE))
        assert told == {
            "type": "too-soon", "code": "leaves-games", "now_ms": own_server.clock.ms(), "until_ms": until_ms,
        }  # fmt: skip
        with pytest.raises(ConnectionClosed) as end:
            connection.recv(PATIENCE)
        assert end.value.rcvd is not None
        assert end.value.rcvd.code == Close.TOO_SOON
    own_server.clock.now += PENALTIES[4]
    with ExitStack() as stack:
        assert Searcher(stack, ada, "farkle").shown["waiting"] == 1


def test_who_was_found_when_the_line_was_cut_learns_of_it(own_server: Server) -> None:
    ada, bea = own_server.guest(), own_server.guest()
    with ExitStack() as stack:
        first = Searcher(stack, ada, "lite-versus")
        room = Searcher(stack, bea, "lite-versus").room()
        cut(first)  # which has not read that it was found
        has_left(own_server, ada, 9)  # whoever is waited for is not kept away
        own_server.clock.now += 20
        again = Searcher(stack, ada, "lite-versus")
        assert again.shown["room"] == room
        assert again.shown["until_ms"] == own_server.clock.ms() + 40_000
        again.connection.close()
        own_server.clock.now += 40
        soon(lambda: bea.get("/api/rooms") == [])


def test_a_table_of_another_pool_or_of_friends_is_not_what_was_looked_for(own_server: Server) -> None:
    ada, bea = own_server.guest(), own_server.guest()
    friends = ada.post("/api/rooms", 201, game="knucklebones", rated=True)
    with ExitStack() as stack:
        assert Searcher(stack, ada, "knucklebones").shown["room"] is None
        tables: list[Any] = [Searcher(stack, one, "farkle-table") for one in (ada, bea)]
        while tables[0].hear()["waiting"] < 2:
            pass
        own_server.clock.now += 20
        room = tables[1].room()
        for pool in ("farkle", "shut-the-box-table", "knucklebones"):
            assert Searcher(stack, ada, pool).shown["room"] is None, pool
        assert Searcher(stack, ada, "farkle-table").shown["room"] == room != friends["id"]


def test_who_has_met_often_enough_today_does_not_meet_again(own_server: Server) -> None:
    ada, bea, cleo = (own_server.guest() for _ in range(3))
    with own_server.app.state.hall.engine.begin() as connection:
        for number in range(MOST_A_DAY):
            for mine, theirs in ((ada, bea), (bea, ada)):
                row = {"player_id": mine.id, "other_id": theirs.id, "run_id": f"r{number}", "game": "farkle"}
                connection.execute(
                    insert(schema.meetings).values(**row, halves=1, before=1500, after=1500, deviation=200,
                                                   ended_ms=own_server.clock.ms())
                )  # fmt: skip
    with ExitStack() as stack:
        first, second = Searcher(stack, ada, "farkle"), Searcher(stack, bea, "farkle")
        own_server.clock.now += 60
        for _ in range(5):
            assert first.hear()["room"] is second.hear()["room"] is None
        room = Searcher(stack, cleo, "farkle").room()
        while room not in (first.hear()["room"], second.hear()["room"]):
            pass
