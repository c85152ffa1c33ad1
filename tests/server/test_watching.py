"""Games that go on now: those of others that may be watched, the most interesting first."""

from __future__ import annotations

from contextlib import ExitStack
from random import Random

from sqlalchemy import insert

from dicehall.server.watching import FRESH_MS, SHOWN
from dicehall.store import schema
from tests.server.people import Sitter, seated, whose_turn
from tests.server.running import Guest, Json, Server


def now(server: Server, guest: Guest) -> list[Json]:
    server.clock.now += FRESH_MS // 1000
    found: list[Json] = guest.get("/api/rooms/now")
    return found


def rate(server: Server, guest: Guest, value: float) -> None:
    row = {"player_id": guest.id, "pool": "knucklebones", "value": value, "deviation": 80, "volatility": 0.06}
    with server.app.state.hall.engine.begin() as connection:
        connection.execute(insert(schema.ratings).values(**row, games=9, rated_ms=server.clock.ms()))


def test_a_game_that_goes_on_is_shown_to_others(own_server: Server) -> None:
    ada, bea, cleo = own_server.guest("Ada"), own_server.guest("Bea"), own_server.stranger()
    assert now(own_server, cleo) == []
    rate(own_server, bea, 1612.4)
    ada.post("/api/rooms", 201, game="farkle")  # which nobody plays yet
    with seated([ada, bea], "knucklebones") as sitters:
        for _ in range(4):
            (mover := whose_turn(sitters)).move(Random(3))
            for one in sitters:
                one.until(lambda me, count=mover.table["count"]: me.table["count"] >= count)  # type: ignore[misc]
        (game,) = now(own_server, cleo)  # who has not even an account
        by_seat = [column["total"] for column in sitters[0].table["view"]["seats"]]
        seats = [place["seat"] for place in sitters[0].room["places"]]
        assert any(by_seat)
        assert game == {
            "id": sitters[0].room_id, "game": "knucklebones", "mode": sitters[0].room["mode"], "seats": ["you", "you"],
            "names": ["Ada", "Bea"], "ratings": [None, 1612], "scores": [by_seat[seat] for seat in seats],
            "watchers": 0,
        }  # fmt: skip
        assert now(own_server, ada) == now(own_server, bea) == [], "one's own is above it"
        sitters[1].close()
        sitters[0].until(lambda me: not me.room["places"][1]["here"])
        assert now(own_server, cleo) == [], "nothing happens there"
        sitters[1].connect()
        assert len(now(own_server, cleo)) == 1
        sitters[0].send(type="resign")
        sitters[0].until(lambda me: me.room["state"] == "between")
        assert cleo.get("/api/rooms/now") == [], "it is over, whatever was found a moment ago"


def test_a_private_table_is_not_shown(own_server: Server) -> None:
    with seated([own_server.guest(), own_server.guest()], "knucklebones", watched=False):
        assert now(own_server, own_server.stranger()) == []


def test_the_most_interesting_first(own_server: Server) -> None:
    """Where many watch, then the strong; up to six."""
    guests = [[own_server.guest(), own_server.guest()] for _ in range(SHOWN + 1)]
    rate(own_server, guests[2][1], 1900)
    rate(own_server, guests[3][0], 1500)
    rate(own_server, guests[3][1], 1500)
    with ExitStack() as stack:
        rooms = [stack.enter_context(seated(two, "knucklebones"))[0].room_id for two in guests]
        watcher = own_server.guest()
        watching = Sitter(watcher, rooms[5])
        stack.callback(watching.close)
        found = now(own_server, own_server.stranger())
        assert len(found) == SHOWN
        assert [one["id"] for one in found[:3]] == [rooms[5], rooms[3], rooms[2]]
        assert [one["watchers"] for one in found] == [1] + [0] * (SHOWN - 1)
        mine = now(own_server, guests[5][0])
        assert len(mine) == SHOWN
        assert rooms[5] not in [one["id"] for one in mine]


def test_before_the_first_move_nobody_has_scored(own_server: Server) -> None:
    with seated([own_server.guest(), own_server.guest()], "shut-the-box") as sitters:
        (game,) = now(own_server, own_server.stranger())
        assert game["id"] == sitters[0].room_id
        assert game["scores"] == [0, 0]
