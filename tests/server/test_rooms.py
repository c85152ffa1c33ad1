"""Rooms: people ask each other to a table, add to the dice, play, and play again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from random import Random
from threading import Event
from typing import Any, get_args

import pytest
from sqlalchemy import select
from websockets.exceptions import ConnectionClosed

from dicehall.dice import contribution_seal
from dicehall.play.record import from_json
from dicehall.play.replay import check, prove
from dicehall.server import due
from dicehall.server.bucket import Bucket
from dicehall.server.crew import Busy
from dicehall.server.operator import desk
from dicehall.server.room import AFTER, FORSAKEN
from dicehall.server.wire import PROTOCOL, Close, InRoom
from dicehall.store import ratings, rooms, schema
from tests.patience import PATIENCE
from tests.server.conftest import NewUrl
from tests.server.people import Sitter, begin, play_out, seated
from tests.server.running import Guest, Server

TWO: list[tuple[str, dict[str, Any]]] = [
    ("lite-versus", {}),
    ("knucklebones", {}),
    ("farkle", {"target": 1000}),
    ("shut-the-box", {"rounds": 2}),
]


def until(is_so: Callable[[], bool]) -> None:
    """It is so within seconds, or as soon as a busy machine has come to it."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def two(server: Server) -> list[Guest]:
    return [server.guest(), server.guest()]


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


def test_who_resigns_has_lost(server: Server) -> None:
    with seated([server.guest(), server.guest()], "knucklebones") as (host, guest):
        guest.send(type="resign")
        for one in (host, guest):
            one.until(lambda me: me.room["state"] == "between" and me.table["run"] is not None)
            assert one.table["view"]["result"]["why"] == "resigned"
        seat = host.room["places"][0]["seat"]
        assert host.table["view"]["result"]["winners"] == [seat]
        assert [place["halves"] for place in host.room["places"]] == [2, 0]
        assert check(from_json(host.guest.get(f"/api/runs/{host.table['run']}")["record"])).ok


def test_who_leaves_can_be_claimed_from(own_server: Server) -> None:
    """After the countdown, by the hall's clock; coming back in time ends it, coming back late does not."""
    clock = own_server.clock
    with seated(two(own_server), "lite-versus", clock="30+120", begins="host") as (host, guest):
        for mover, other in ((host, guest), (guest, host), (host, guest)):  # who has not begun has less time
            mover.move(Random(1))
            other.until(lambda me: me.my_turn)
        guest.close()
        host.until(lambda me: not me.room["places"][1]["here"])
        assert host.room["places"][1]["claim_ms"] == clock.ms() + 30_000
        assert refused(host, "claim", place=1) == "claim-early"
        clock.now += 29
        guest.connect()
        host.until(lambda me: me.room["places"][1]["here"])
        clock.now += 5
        assert refused(host, "claim", place=1) == "claim-early"
        guest.close()
        host.until(lambda me: not me.room["places"][1]["here"])
        clock.now += 30
        guest.connect()
        host.until(lambda me: me.room["places"][1]["here"])
        assert refused(guest, "claim", place=0) == "claim-early"
        host.send(type="claim", place=1)
        host.until(lambda me: me.room["state"] == "between" and me.table["run"] is not None)
        result = host.table["view"]["result"]
        assert (result["why"], result["winners"]) == ("left", [host.room["places"][0]["seat"]])


def test_who_leaves_on_purpose_is_waited_for_less(own_server: Server) -> None:
    with seated(two(own_server), "lite-versus", clock="30+120", begins="guest") as (host, guest):
        guest.move(Random(1))
        guest.send(type="leave")
        guest.close()
        host.until(lambda me: not me.room["places"][1]["here"])
        assert host.room["places"][1]["claim_ms"] == own_server.clock.ms() + 10_000


def test_out_of_time(own_server: Server) -> None:
    clock = own_server.clock
    with seated(two(own_server), "lite-versus", clock="15+60", begins="host") as (host, guest):
        host.move(Random(1))
        guest.until(lambda me: me.my_turn)
        guest.move(Random(2))
        host.until(lambda me: me.my_turn and me.room["times"]["turn"] == me.room["places"][0]["seat"])
        assert host.room["times"]["due_ms"] == clock.ms() + 75_000
        clock.now += 20
        host.move(Random(3))
        guest.until(lambda me: me.room["times"]["reserves_ms"] == [55_000, 60_000])
        clock.now += 75
        guest.until(lambda me: me.room["state"] == "between" and me.table["run"] is not None)
        assert guest.table["view"]["result"]["why"] == "time"
        assert guest.table["view"]["result"]["winners"] == [0]


def test_a_game_that_nobody_begins_does_not_count(own_server: Server) -> None:
    with seated(two(own_server), "lite-versus", clock="15+60", begins="host") as (host, guest):
        own_server.clock.now += 30
        for one in (host, guest):
            one.until(lambda me: me.room["state"] == "between" and me.table["run"] is not None)
        assert host.table["view"]["result"]["why"] == "ended"
        assert host.room["games"] == 0


def test_a_seat_that_is_out_of_time_at_a_larger_table_is_retired(own_server: Server) -> None:
    guests = [own_server.guest() for _ in range(3)]
    with seated(guests, "farkle", options={"target": 1000}, clock="15+0", begins="host") as sitters:
        first = next(one for one in sitters if one.my_turn)
        own_server.clock.now += 30
        others = [one for one in sitters if one is not first]
        for one in others:
            one.until(lambda me: me.room["places"][first.room["you"]]["gone"] == "time")
        play_out(sitters, Random(4))
        record = from_json(guests[0].get(f"/api/runs/{sitters[0].table['run']}")["record"])
        assert check(record).ok
        assert record.result is not None
        assert sitters[0].table["view"]["outcomes"][record.departures[0].seat] == "lost"


def test_three_days_a_move(own_server: Server) -> None:
    """Nobody need be there; the hall says whose turn it is."""
    ada, bea = own_server.guest(), own_server.guest()
    with seated([ada, bea], "knucklebones", clock="3d", begins="host") as (host, guest):
        room_id = host.room_id
        host.move(Random(1))
        guest.until(lambda me: me.my_turn)
    own_server.clock.now += 2 * 86_400
    own_server.restart()
    assert [one["turn"] for one in bea.get("/api/rooms")] == [True]
    assert [one["turn"] for one in ada.get("/api/rooms")] == [False]
    back = Sitter(bea, room_id)
    back.until(lambda me: me.my_turn)
    back.move(Random(2))
    own_server.clock.now += 3 * 86_400 - 1
    back.drain()
    assert back.room["state"] == "playing"
    own_server.clock.now += 1
    back.until(lambda me: me.room["state"] == "between" and me.table["run"] is not None)
    assert back.table["view"]["result"]["winners"] == [1]
    back.close()


def test_a_hall_that_is_killed_goes_on(own_server: Server) -> None:
    """With the same commitment, so nothing is gained by it; and at the same table."""
    ada, bea = own_server.guest(), own_server.guest()
    room = ada.post("/api/rooms", 201, game="lite-versus")
    bea.post(f"/api/rooms/{room['id']}/join")
    host, guest = Sitter(ada, room["id"]), Sitter(bea, room["id"], obliging=False)
    host.until(lambda me: me.room["state"] == "sealing" and len(me.room["contributions"]) == 1)
    house, seals = host.room["commitment"], host.room["contributions"]
    for one in (host, guest):
        one.close()
    own_server.restart()
    guest.obliging = True
    host.connect()
    guest.connect()
    assert (host.room["commitment"], host.room["contributions"]) == (house, seals)
    begin([host, guest])
    mover = next(one for one in (host, guest) if one.my_turn)
    mover.move(Random(1))
    steps = mover.steps
    for one in (host, guest):
        one.close()
    own_server.restart()
    for one in (host, guest):
        one.connect()
    begin([host, guest])
    for one in (host, guest):
        one.until(lambda me: tuple(me.table["news"]) != () or me.steps == steps)
    play_out([host, guest], Random(2))
    assert check(from_json(ada.get(f"/api/runs/{host.table['run']}")["record"])).ok
    for one in (host, guest):
        one.close()


def test_whoever_watches_sees_it_all_and_has_no_say(server: Server) -> None:
    with seated([server.guest(), server.guest()], "knucklebones") as (host, guest):
        watching = Sitter(server.guest(), host.room_id)
        watching.until(lambda me: bool(me.table))
        assert watching.room["you"] is None
        assert watching.table["seats"] == ["person", "person"]
        assert host.until(lambda me: me.room["watchers"] == 1)
        for asked, code in (
            ({"type": "resign"}, "watching"),
            ({"type": "claim", "place": 0}, "watching"),
            ({"type": "say", "phrase": "hello"}, "watching"),
            ({"type": "ready"}, "watching"),
            ({"type": "start"}, "watching"),
            ({"type": "move", "seen": watching.table["count"], "move": "1"}, "not-your-turn"),
        ):
            watching.refusals.clear()
            watching.send(**asked)
            watching.until(lambda me: bool(me.refusals))
            assert watching.refusals == [code]
        play_out([host, guest], Random(5))
        watching.until(lambda me: me.table["run"] is not None)
        assert watching.steps == host.steps
        watching.close()


def test_joining_fails_in_its_own_way_each_time(own_server: Server) -> None:
    ada, bea, cleo = own_server.guest(), own_server.guest(), own_server.guest()

    def code_of(guest: Any, room_id: str) -> str:
        return str(guest.ask("POST", f"/api/rooms/{room_id}/join").json()["code"])

    room = ada.post("/api/rooms", 201, game="lite-versus")
    assert cleo.post("/api/rooms/find", code=room["code"].lower().replace("-", " ")) == {"room": room["id"]}
    assert ada.post(f"/api/rooms/{room['id']}/join")["place"] == 0, "one's own link"
    assert bea.post(f"/api/rooms/{room['id']}/join")["place"] == 1
    assert code_of(cleo, room["id"]) == "room-full"
    assert code_of(cleo, "nothing") == "room"
    late = ada.post("/api/rooms", 201, game="lite-versus")
    own_server.clock.now += 86_400
    assert code_of(bea, late["id"]) == "room-expired"
    gone = ada.post("/api/rooms", 201, game="lite-versus")
    sitter = Sitter(ada, gone["id"])
    sitter.send(type="leave")
    sitter.until(lambda me: me.room["state"] == "closed")
    sitter.close()
    assert code_of(bea, gone["id"]) == "room-cancelled"
    assert cleo.ask("POST", "/api/rooms/find", json={"code": gone["code"]}).json()["code"] == "room-code"
    for wrong in ({"seats": ["you"]}, {"clock": "soon"}, {"best_of": 2}, {"options": {"first": "drawn"}}):
        assert ada.ask("POST", "/api/rooms", json={"game": "lite-versus", **wrong}).status_code == 400, wrong


def test_a_seed_that_is_withheld_ends_it_unplayed(own_server: Server) -> None:
    ada, bea = own_server.guest(), own_server.guest()
    room = ada.post("/api/rooms", 201, game="lite-versus")
    bea.post(f"/api/rooms/{room['id']}/join")
    host, guest = Sitter(ada, room["id"]), Sitter(bea, room["id"], obliging=False)
    host.until(lambda me: len(me.room["contributions"]) == 1)
    guest.until(lambda me: me.room["state"] == "sealing")
    mine = guest.room["places"][1]["seat"]
    guest.send(type="seal", seal=contribution_seal(guest.room["commitment"], mine, "ab" * 32))
    guest.until(lambda me: me.room["state"] == "opening")
    assert all(one["seed"] is None for one in guest.room["contributions"]), (
        "nobody sees another's seed before their own"
    )
    for asked, code in (
        ({"type": "reveal", "seed": "cd" * 32}, "reveal-seal"),
        ({"type": "seal", "seal": "ef" * 32}, "seal-late"),
        ({"type": "reveal", "seed": "no"}, "message"),
    ):
        guest.refusals.clear()
        guest.send(**asked)
        guest.until(lambda me: bool(me.refusals))
        assert guest.refusals == [code]
    host.until(lambda me: me.room["state"] == "opening")
    assert refused(host, "say", phrase="nothing") == "phrase", "messages are answered in their order"
    own_server.clock.now += 45
    host.until(lambda me: me.room["state"] == "between")
    assert host.room["withheld"] == [1]
    assert host.room["table"] is None
    guest.obliging = True
    for one in (host, guest):
        one.send(type="ready")
    begin([host, guest])
    for one in (host, guest):
        one.close()


def test_who_deletes_their_account_leaves_a_seat_without_a_name(server: Server) -> None:
    with seated([server.guest(), server.guest()], "lite-versus") as (host, guest):
        play_out([host, guest], Random(8))
        run_id = host.table["run"]
        guest.guest.call("DELETE", "/api/me")
        host.until(lambda me: me.room["state"] == "closed")
    run = host.guest.get(f"/api/runs/{run_id}")
    assert [one["player"] for one in run["people"]] == [host.guest.id]
    assert check(from_json(run["record"])).ok
    assert [one["id"] for one in host.guest.get("/api/runs")["runs"]] == [run_id]


def test_phrases_are_few(server: Server) -> None:
    with seated([server.guest(), server.guest()], "lite-versus") as (host, guest):
        for number in range(1, 4):
            host.send(type="say", phrase="hello")
            guest.until(lambda me, number=number: (me.room["said"] or {}).get("number") == number)  # type: ignore[misc]
        assert refused(host, "say", phrase="thanks") == "too-talkative"
        assert refused(guest, "say", phrase="you are bad") == "phrase"


def refused(one: Sitter, kind: str, **asked: Any) -> str:
    one.drain()
    one.refusals.clear()
    one.send(type=kind, **asked)
    one.until(lambda me: bool(me.refusals))
    return one.refusals[0]


def test_a_room_that_nobody_comes_back_to_is_closed(own_server: Server) -> None:
    with seated(two(own_server), "lite-versus") as (host, guest):
        play_out([host, guest], Random(9))
        own_server.clock.now += AFTER
        host.until(lambda me: me.room["state"] == "closed")
        assert host.room["why"] == "over"
    assert host.guest.get("/api/rooms") == []


def test_a_game_that_everybody_has_forgotten_ends(own_server: Server) -> None:
    with seated(two(own_server), "lite-versus", begins="host") as (host, guest):
        host.move(Random(1))
        own_server.clock.now += FORSAKEN
        guest.until(lambda me: me.room["state"] == "between" and me.table["run"] is not None)
        assert guest.table["view"]["result"]["why"] == "ended"
        assert guest.room["games"] == 0


def test_a_rated_game_is_rated_once(own_server: Server) -> None:
    ada, bea = two(own_server)
    with seated([ada, bea], "knucklebones", rated=True, clock="60+300") as (host, guest):
        room = own_server.app.state.rooms._rooms[host.room_id]
        room.progress.networks[1] = "another network"  # there is one alone on this machine
        room.follow(room.live)
        play_out([host, guest], Random(3))
        winners = host.table["view"]["result"]["winners"]
        seats = [place["seat"] for place in host.room["places"]]
    own_server.restart()
    standings = [own_server.stored(lambda c, who=who: ratings.of(c, who.id)) for who in (ada, bea)]  # type: ignore[misc]
    assert [[one.games for one in mine] for mine in standings] == [[1], [1]]
    values = [mine[0].rating.value for mine in standings]
    if len(winners) == 1:
        assert (values[0] > 1500 > values[1]) == (winners[0] == seats[0])
    assert [one.games for one in own_server.stored(lambda c: ratings.between(c, ada.id, bea.id))] == [1]


def test_people_of_one_network_are_not_rated(own_server: Server) -> None:
    """Nor when the hall has been started again, and nobody has come back."""
    ada, bea = two(own_server)
    with seated([ada, bea], "knucklebones", rated=True, clock="30+0") as (host, guest):
        for _ in range(3):
            for one in sorted((host, guest), key=lambda one: not one.my_turn):
                one.drain()
                if one.my_turn:
                    one.move(Random(3))
        for one in (host, guest):
            one.drain()
    own_server.restart()
    own_server.clock.now += 31
    until(lambda: own_server.stored(lambda c: c.scalar(select(schema.runs.c.id))) is not None)
    assert own_server.stored(lambda c: ratings.of(c, ada.id)) == []
    why = own_server.stored(lambda c: c.scalars(select(schema.meetings.c.why_not)).all())
    assert why == ["same-network", "same-network"]


@pytest.mark.parametrize("fails", [False, True], ids=["slow", "fails"])
def test_who_opens_and_goes_has_opened(own_server: Server, monkeypatch: pytest.MonkeyPatch, fails: bool) -> None:
    """A page may be loaded anew in the moment in which the game begins; and if it could not begin, the next one who
    opens begins it."""
    ada, bea = two(own_server)
    hall, room = own_server.app.state.hall, ada.post("/api/rooms", 201, game="lite-versus")
    bea.post(f"/api/rooms/{room['id']}/join")
    people_tables, asked = hall.people_tables, Event()

    async def slow(where: Any) -> Any:
        if not asked.is_set():
            asked.set()
            await asyncio.sleep(0.3)
            if fails:
                raise Busy("the hall has much to do; ask again in a moment")
        return await people_tables(where)

    monkeypatch.setattr(hall, "people_tables", slow)
    host, guest = Sitter(ada, room["id"]), Sitter(bea, room["id"])
    while not asked.is_set():
        for one in (host, guest):
            one.drain()
    for one in (host, guest):
        one.close()
    for one in (host, guest):
        one.connect()
    begin([host, guest])
    for one in (host, guest):
        one.close()


def test_who_begins_without_others_is_still_there(own_server: Server) -> None:
    guests = [own_server.guest() for _ in range(3)]
    room = guests[0].post("/api/rooms", 201, game="farkle", options={"target": 500}, seats=["you"] * 4)
    for guest in guests[1:]:
        guest.post(f"/api/rooms/{room['id']}/join")
    sitters = [Sitter(guest, room["id"]) for guest in guests]
    sitters[2].send(type="leave")
    sitters[2].until(lambda me: me.room["you"] is None)
    guests[2].post(f"/api/rooms/{room['id']}/join")
    sitters[1].send(type="leave")
    sitters[1].until(lambda me: me.room["you"] is None)
    there = [sitters[0], sitters[2]]  # of places 0 and 2
    there[1].until(lambda me: me.room["places"][1]["player"] is None)
    there[0].send(type="start")
    begin(there)
    assert [place["here"] for place in there[0].room["places"]] == [True, True]
    assert [place["player"] for place in there[0].room["places"]] == [guests[0].id, guests[2].id]
    for one in sitters:
        one.close()


def test_a_player_of_the_house_cannot_be_claimed_from(own_server: Server) -> None:
    seats = ["you", "you", "bank:300"]
    with seated(two(own_server), "farkle", seats=seats, options={"target": 5000}) as (host, _guest):
        own_server.clock.now += 500
        assert refused(host, "claim", place=2) == "no-claim"


def test_one_of_two_tabs_that_leaves_leaves_nobody_alone(own_server: Server) -> None:
    with seated(two(own_server), "lite-versus") as (host, guest):
        other = Sitter(guest.guest, guest.room_id)
        other.send(type="leave")
        other.close()
        guest.send(type="look")
        guest.drain()
        host.drain()
        assert host.room["places"][1]["here"]


def test_who_sits_where_is_told_of_a_game_that_does_not_count(own_server: Server) -> None:
    """Of the game that was just played, and not of the one before it."""
    with seated(two(own_server), "lite-versus", clock="15+60", begins="host", best_of=3) as (host, guest):
        play_out([host, guest], Random(1))
        again([host, guest])
        assert [place["seat"] for place in host.room["places"]] == [1, 0]
        own_server.clock.now += 40
        host.until(lambda me: me.room["state"] == "between" and me.table["run"] is not None)
        assert host.table["view"]["result"]["why"] == "ended"
        assert [place["seat"] for place in host.room["places"]] == [1, 0]
        assert (host.room["number"], host.room["games"]) == (2, 1)


def test_nobody_watches_a_private_table(own_server: Server) -> None:
    ada, bea, cleo = (own_server.guest() for _ in range(3))
    room = ada.post("/api/rooms", 201, game="lite-versus", watched=False)
    hello = {"type": "hello", "protocol": PROTOCOL}
    assert cleo.close_code(f"/ws/rooms/{room['id']}", hello) == Close.NO_TABLE
    bea.post(f"/api/rooms/{room['id']}/join")
    leaving = Sitter(bea, room["id"])
    leaving.send(type="leave")
    with pytest.raises(ConnectionClosed):
        leaving.until(lambda me: False)
    leaving.close()


def test_while_the_hall_is_closed_no_clock_runs(own_server: Server) -> None:
    with seated(two(own_server), "lite-versus", clock="15+60", begins="host") as (host, guest):
        host.move(Random(1))
        guest.until(lambda me: me.my_turn)
        for one in (host, guest):
            one.close()
        own_server.clock.now += 10
        own_server.stop()
        own_server.clock.now += 1000
        own_server.start()
        for one in (host, guest):
            one.guest.http.base_url = own_server.url
            one.connect()
        begin([host, guest])
        assert guest.room["times"]["due_ms"] == own_server.clock.ms() + 80_000
        guest.move(Random(2))
        host.until(lambda me: me.room["times"]["turn"] == 0)


def test_a_finished_game_leaves_no_table_in_memory(own_server: Server) -> None:
    with seated(two(own_server), "lite-versus", clock="60+300") as (host, guest):
        play_out([host, guest], Random(1))
        table = host.room["table"]
    hall = own_server.app.state.hall
    for _ in range(100):
        if table not in hall._live:
            break
        time.sleep(0.05)
    assert table not in hall._live


def test_a_table_that_was_cleared_away_closes_its_room(own_server: Server) -> None:
    with seated(two(own_server), "lite-versus") as (host, guest):
        with desk(None, own_server.settings.database) as here:
            here.end_table(host.room["table"], "test")
        for one in (host, guest):
            one.until(lambda me: me.room["state"] == "closed")
            assert one.room["why"] == "ended"


def test_a_table_that_was_cleared_away_while_the_hall_was_closed_closes_its_room(own_server: Server) -> None:
    with seated(two(own_server), "lite-versus") as (host, _guest):
        table, ada = host.room["table"], host.guest
    own_server.stop()
    with desk(None, own_server.settings.database) as here:
        here.end_table(table, "test")
    own_server.start()
    ada.http.base_url = own_server.url
    until(lambda: ada.get("/api/rooms") == [])
    back = Sitter(ada, host.room_id)
    assert (back.room["state"], back.room["why"]) == ("closed", "ended")
    back.close()


def test_an_account_goes_while_nobody_looks(own_server: Server) -> None:
    """The game is the other one's, and the room is closed."""
    with seated(two(own_server), "knucklebones", clock="3d") as (host, guest):
        ada, bea = host.guest, guest.guest
    ada.call("DELETE", "/api/me")
    until(lambda: bea.get("/api/rooms") == [])
    (run,) = bea.get("/api/runs")["runs"]
    assert (run["outcome"], run["score"]) == ("won", 0)
    back = Sitter(bea, host.room_id)
    assert (back.room["state"], back.room["why"]) == ("closed", "left")
    back.close()


def test_all_rooms_of_an_account_are_left(own_server: Server) -> None:
    ada, bea = two(own_server)
    for _ in range(51):
        bea.post(f"/api/rooms/{ada.post('/api/rooms', 201, game='lite-versus')['id']}/join")
    ada.call("DELETE", "/api/me")
    until(lambda: bea.get("/api/rooms") == [])


def test_of_several_who_have_forgotten_a_game_one_had_gone_before(own_server: Server) -> None:
    with seated([own_server.guest() for _ in range(3)], "farkle", options={"target": 5000}) as sitters:
        sitters[0].send(type="resign")
        sitters[1].until(lambda me: me.room["places"][0]["gone"] == "resigned")
        assert refused(sitters[0], "claim", place=1) == "no-claim", "who has gone takes nothing"
        own_server.clock.now += FORSAKEN
        sitters[1].until(lambda me: me.room["state"] == "between" and me.table["run"] is not None)
        assert sitters[1].table["view"]["result"]["why"] == "ended"


def test_a_place_that_changes_hands_takes_no_line_along(own_server: Server) -> None:
    """Whoever has gone is not there for the next one, and who was there before having the place is there."""
    ada, bea, cleo = (own_server.guest() for _ in range(3))
    room = ada.post("/api/rooms", 201, game="lite-versus")
    bea.post(f"/api/rooms/{room['id']}/join")
    left = Sitter(bea, room["id"])
    left.send(type="leave")
    left.until(lambda me: me.room["you"] is None)
    cleo.post(f"/api/rooms/{room['id']}/join")
    host = Sitter(ada, room["id"])
    assert host.room["state"] == "gathering"
    assert not host.room["places"][1]["here"]
    came = Sitter(cleo, room["id"])
    begin([host, came])
    for one in (host, left, came):
        one.close()


def test_a_page_that_was_open_before_is_there(own_server: Server) -> None:
    ada, bea = two(own_server)
    room = ada.post("/api/rooms", 201, game="lite-versus")
    host, guest = Sitter(ada, room["id"]), Sitter(bea, room["id"])
    assert guest.room["you"] is None
    bea.post(f"/api/rooms/{room['id']}/join")
    begin([host, guest])
    for one in (host, guest):
        one.close()


def test_opening_again_is_no_news(own_server: Server) -> None:
    """As long as one of them has not opened, nobody is shown anything for what another has opened already."""
    ada, bea = two(own_server)
    room = ada.post("/api/rooms", 201, game="lite-versus", clock="3d")
    bea.post(f"/api/rooms/{room['id']}/join")
    host, guest = Sitter(ada, room["id"]), Sitter(bea, room["id"], obliging=False)
    host.until(lambda me: me.room["state"] == "sealing")
    guest.until(lambda me: me.room["state"] == "sealing")
    mine = guest.room["places"][1]["seat"]
    guest.send(type="seal", seal=contribution_seal(guest.room["commitment"], mine, "ab" * 32))
    host.until(lambda me: any(one["place"] == 0 and one["opened"] for one in me.room["contributions"]))
    live = own_server.app.state.rooms._rooms[room["id"]]
    changes = live.changes
    for _ in range(5):
        host.send(type="reveal", seed=host.seed)
    assert refused(host, "say", phrase="nothing") == "phrase", "messages are answered in their order"
    assert live.changes == changes
    for one in (host, guest):
        one.close()


def test_a_first_move_has_the_time_of_any_move(own_server: Server) -> None:
    with seated(two(own_server), "lite-versus", clock="60+300") as (host, _guest):
        times = host.room["times"]
        assert times["begin_ms"] - times["since_ms"] == 60_000


def test_a_room_that_was_dropped_is_looked_after(new_url: NewUrl, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read from the store again, though nobody asks for it."""
    monkeypatch.setattr(due, "READ_EVERY", 0.2)
    with Server(new_url()) as server:
        ada = server.guest()
        room, known = ada.post("/api/rooms", 201, game="lite-versus"), server.app.state.rooms
        known._drop(known._rooms[room["id"]])
        server.clock.now += 2 * 86_400
        until(lambda: server.stored(rooms.going_on) == [])


def test_a_move_that_is_refused_takes_no_claim_away(own_server: Server) -> None:
    """Not even when another seat's departure is kept after it."""
    people = [own_server.guest() for _ in range(3)]
    with seated(people, "farkle", options={"target": 5000}, begins="host") as sitters:
        first, second, third = sitters
        first.close()
        second.until(lambda me: not me.room["places"][0]["here"])
        own_server.clock.now += 120
        first.connect()
        assert refused(first, "move", seen=first.table["count"], move="nonsense")
        third.send(type="resign")
        second.until(lambda me: me.room["places"][2]["gone"] == "resigned")
        second.send(type="claim", place=0)
        second.until(lambda me: me.room["places"][0]["gone"] == "left")


def test_time_that_the_hall_takes_is_nobodys(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process was stopped for twenty seconds, say."""
    late: list[float] = [0]
    with seated(two(own_server), "lite-versus", clock="15+60", begins="host") as (host, guest):
        host.move(Random(1))
        guest.until(lambda me: me.my_turn)
        guest.close()
        host.until(lambda me: not me.room["places"][1]["here"])
        before = host.room["times"]["due_ms"], host.room["places"][1]["claim_ms"]
        monkeypatch.setattr(due, "elapsed", lambda: time.monotonic() + late[0])
        late[0] = 20
        live = own_server.app.state.rooms._rooms[host.room_id]
        until(lambda: live.live.times.since_ms > own_server.clock.ms() + 10_000)
        host.send(type="look")
        host.until(lambda me: me.room["times"]["due_ms"] > before[0])
        shift = host.room["times"]["due_ms"] - before[0]
        assert 18_000 < shift < 22_000
        assert host.room["places"][1]["claim_ms"] == before[1] + shift


def test_who_has_seen_the_other_play_cannot_go_for_nothing(own_server: Server) -> None:
    """Not by time, either: one could keep the good starts."""
    ada, bea = two(own_server)
    with seated([ada, bea], "shut-the-box", rated=True, clock="30+120", begins="host") as (host, guest):
        room = own_server.app.state.rooms._rooms[host.room_id]
        room.progress.networks[1] = "another network"  # there is one alone on this machine
        room.follow(room.live)
        while not guest.my_turn:
            host.move(Random(1))
            guest.drain()
        own_server.clock.now += 31
        host.until(lambda me: me.room["state"] == "between" and me.table["run"] is not None)
        assert host.table["view"]["result"]["why"] == "time"
    assert [one.rating.value > 1500 for one in own_server.stored(lambda c: ratings.of(c, ada.id))] == [True]


def test_new_games_of_a_network_are_bounded(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rematch is a new game, like any other."""
    with seated(two(own_server), "lite-versus") as (host, _guest):
        hall = own_server.app.state.hall
        monkeypatch.setattr(hall, "_openings", Bucket(0, 0.01))
        assert refused(host, "ready") == "busy"
        assert host.guest.ask("POST", "/api/rooms", json={"game": "lite-versus"}).status_code == 503


def test_games_with_others_have_statistics_of_their_own(server: Server) -> None:
    with seated(two(server), "knucklebones") as (host, guest):
        play_out([host, guest], Random(3))
        told = [one.guest.get("/api/me/statistics", kind="people") for one in (host, guest)]
        for one in told:
            assert (one["people"], one["together"], one["practice"]) == (1, 0, 0)
            assert [two["players"] for two in one["variants"][0]["opponents"]] == [["person"]]
        (mine,), (theirs,) = (one["variants"][0]["opponents"] for one in told)
        assert (mine["won"], mine["drawn"], mine["lost"]) == (theirs["lost"], theirs["drawn"], theirs["won"])
        judged = host.guest.get("/api/me/statistics/luck", game="knucklebones", seats=2, kind="people")
        assert len(judged["recent"]) + judged["unjudged"] == 1


def test_a_third_account_has_no_say_in_anything(own_server: Server) -> None:
    """Every message there is, from somebody who watches; and every move, from whoever is not to move."""
    with seated(two(own_server), "knucklebones", begins="host") as (host, guest):
        watcher = Sitter(own_server.guest(), host.room_id)
        watcher.until(lambda me: me.table.get("id") == host.room["table"])
        asked: dict[str, dict[str, Any]] = {
            "start": {}, "ready": {}, "leave": {}, "resign": {}, "claim": {"place": 0}, "say": {"phrase": "hello"},
            "seal": {"seal": "ab" * 32}, "reveal": {"seed": "ab" * 32},
        }  # fmt: skip
        assert {one.__struct_config__.tag for one in get_args(InRoom)} == asked.keys()
        before = own_server.saved(host.room["table"]), own_server.stored(lambda c: rooms.load(c, host.room_id))
        for kind, what in asked.items():
            assert refused(watcher, kind, **what) == "watching", kind
        count = host.table["count"]
        for kind, what in (("move", {"move": "1"}), ("undo", {}), ("hint", {"objective": None})):
            for one in (watcher, guest):
                assert refused(one, kind, seen=count, **what) in {"not-your-turn", "undo-off", "no-hints"}, kind
        after = own_server.saved(host.room["table"]), own_server.stored(lambda c: rooms.load(c, host.room_id))
        assert after == before
        assert host.guest.get("/api/rooms")[0]["code"] is None
        assert watcher.guest.get("/api/rooms") == []
        watcher.close()


def test_a_game_of_a_room_is_played_in_the_room(own_server: Server) -> None:
    with seated(two(own_server), "lite-versus") as (host, _guest):
        hello = {"type": "hello", "protocol": PROTOCOL}
        assert host.guest.close_code(f"/ws/tables/{host.room['table']}", hello) == Close.NO_TABLE


def test_a_rated_game_has_the_usual_rules(server: Server) -> None:
    asked = {"game": "knucklebones", "rated": True}
    guest = server.guest()
    assert guest.post("/api/rooms", 201, **asked)["state"] == "gathering"
    several = {"game": "farkle", "seats": ["you", "you", "you"]}
    for more in ({"game": "lite-versus", "options": {"reroll": True}}, several):
        assert guest.ask("POST", "/api/rooms", json={**asked, **more}).json()["code"] == "rated"


def test_what_the_hall_knows_of_ones_games_with_others_is_exported(own_server: Server) -> None:
    ada, bea = two(own_server)
    with seated([ada, bea], "knucklebones") as (host, guest):
        play_out([host, guest], Random(3))
        told = ada.get("/api/me/export")
    assert [one["other_id"] for one in told["meetings"]] == [bea.id]
    assert [one["room_id"] for one in told["rooms"]] == [host.room_id]
    assert told["ratings"] == []
    assert [one["seat"] for one in told["runs"]] == [host.room["places"][0]["seat"]]


def test_closed_rooms_are_forgotten(own_server: Server) -> None:
    ada = own_server.guest()
    for last in ("leave", None):
        room = ada.post("/api/rooms", 201, game="lite-versus")
        if last is not None:
            sitter = Sitter(ada, room["id"])
            sitter.send(type=last)
            sitter.until(lambda me: me.room["state"] == "closed")
            sitter.close()
    now = own_server.clock()
    with own_server.app.state.hall.engine.begin() as connection:
        assert rooms.forget_closed(connection, now) == 0
        assert rooms.forget_closed(connection, now + 1) == 1
        assert rooms.going_on(connection) == [room["id"]]
