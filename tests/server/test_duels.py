"""Duels: people play the same dice at the same time, each their own board, and nobody learns a die in advance."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from dicehall.dice import contribution_seal
from dicehall.people import duels
from dicehall.people.duels import Mark
from dicehall.play.record import from_json
from dicehall.play.replay import check, prove, start, walk
from dicehall.server.operator import desk
from dicehall.server.room import DICE_SECONDS, FORSAKEN
from dicehall.store import players
from tests.patience import PATIENCE
from tests.server.people import Sitter, begin, play_out, seated
from tests.server.running import Guest, Server

WAYS: list[tuple[str, dict[str, Any]]] = [
    ("lite-solo", {"reroll": True}),
    ("farkle", {"max_turns": 3}),
    ("farkle", {"target": 500}),
    ("shut-the-box", {"rounds": 2}),
]


def several(server: Server, count: int = 3) -> list[Guest]:
    return [server.guest() for _ in range(count)]


class Watchful(Sitter):
    """Somebody who notes what they are shown of the boards while their own is not done."""

    def __init__(self, *asked: Any, **more: Any) -> None:
        self.shown: list[tuple[int, dict[str, Any]]] = []
        super().__init__(*asked, **more)

    def hear(self, seconds: float = PATIENCE) -> dict[str, Any]:
        message = super().hear(seconds)
        if message["type"] == "room" and message["state"] == "playing":
            mine = None if message["you"] is None else message["boards"][message["you"]]
            active = [one["dice"] for one in message["boards"] if not one["done"]]
            if mine is None or not mine["done"]:
                most = mine["dice"] if mine is not None else max(active, default=10_000)
                assert all(one["dice"] <= most for one in message["boards"]), "a score of dice that are still to come"
                self.shown += list(enumerate(message["boards"]))
            assert all(one["run"] is None for one in message["boards"]), "a run tells the dice"
        return message


def marks_of(record: dict[str, Any]) -> list[Mark]:
    told = from_json(record)
    steps = list(walk(told))
    found: list[Mark] = []
    duels.follow(found, told.find_game(), start(told), [one.text for one in steps], [one.state for one in steps])
    return found


@pytest.mark.parametrize(("game", "options"), WAYS, ids=[f"{game}-{options}" for game, options in WAYS])
def test_three_play_the_same_dice(server: Server, game: str, options: dict[str, Any]) -> None:
    """In whatever order they move, nobody is shown a score that took more dice than they have used; and what they are
    shown is what the others had then."""
    guests, random = several(server), Random(game)
    room = guests[0].post("/api/rooms", 201, game=game, options=options, seats=["you"] * 3, same_dice=True)
    for guest in guests[1:]:
        guest.post(f"/api/rooms/{room['id']}/join")
    sitters = [Watchful(guest, room["id"]) for guest in guests]
    begin(list(sitters))
    watcher = Watchful(server.guest(), room["id"])
    assert watcher.room["you"] is None
    watcher.send(type="resign")
    watcher.until(lambda me: me.refusals == ["watching"])
    done: list[Watchful] = []
    while len(done) < 3:
        one = random.choice([one for one in sitters if one not in done])
        for _ in range(random.randint(1, 6)):
            one.drain()
            if one.table["run"] is None:
                one.move(random)
        if one.table["run"] is not None and one not in done:
            done.append(one)
            if len(done) < 3:
                _hidden(one, done, guests)
    for one in (*sitters, watcher):
        one.until(lambda me: me.room["state"] == "between")
    assert watcher.table == {}, "a board is its player's as long as others play"
    boards = sitters[0].room["boards"]
    assert boards == sitters[1].room["boards"] == watcher.room["boards"]
    records = [guests[0].get(f"/api/runs/{board['run']}")["record"] for board in boards]
    told = [from_json(record) for record in records]
    assert all(check(record).ok and prove(record) > 0 and len(record.origin.contributions) == 3 for record in told)
    rolled = [[die for step in record.steps if step[0] == "d" for die in step[1:]] for record in told]
    assert all(dice == max(rolled, key=len)[: len(dice)] for dice in rolled), "the same dice"
    marks = [marks_of(record) for record in records]
    assert [(board["dice"], board["score"]) for board in boards] == [(one[-1].dice, one[-1].score) for one in marks]
    assert [board["rank"] for board in boards] == list(duels.ranks([one[-1].worth for one in marks]))
    for who in (*sitters, watcher):
        assert len({place for place, _ in who.shown}) == 3
        for place, board in who.shown:
            stood = [mark for mark in marks[place] if mark.dice == board["dice"]]
            assert board["score"] in {mark.score for mark in stood}
    assert [run["ranked"] for guest in guests for run in guest.get("/api/runs")["runs"]] == [False] * 3
    for one in (*sitters, watcher):
        one.close()


def _hidden(one: Watchful, done: Sequence[Watchful], guests: Sequence[Guest]) -> None:
    """Nobody but whoever played it is shown a run while others play its dice, and it does not tell the secret."""
    run = one.table["run"]
    assert "secret" not in one.guest.get(f"/api/runs/{run}")["record"]["dice"]
    other = next(guest for guest in guests if guest is not one.guest)
    assert other.ask("GET", f"/api/runs/{run}").json()["code"] == "duel-hidden"
    again = {"game": one.table["view"]["game"], "kind": "practice", "run": run, "step": 0}
    assert one.guest.ask("POST", "/api/tables", json=again).json()["code"] == "run-dice"


def test_two_are_done_in_the_same_moment(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is over when both runs are kept, and not when the last move has been made."""
    with duel(several(own_server, 2)) as (host, guest):
        for one in (host, guest):
            while len(one.table["view"]["moves"]) > 1:
                one.move(Random(1))
        hall = own_server.app.state.hall
        held: list[Any] = []
        keep = hall.writer.run

        def slow(job: Any, settle: Any) -> None:
            if held:
                keep(job, settle)
            else:
                asyncio.get_running_loop().call_later(0.3, keep, job, settle)
            held.append(job)

        monkeypatch.setattr(hall.writer, "run", slow)
        for one in (host, guest):
            one.send(type="move", seen=one.table["count"], move=one.table["view"]["moves"][0]["move"])
            time.sleep(0.1)
        for one in (host, guest):
            one.until(lambda me: me.room["state"] == "between" and me.table["run"] is not None)
        assert [board["run"] for board in host.room["boards"]] == [one.table["run"] for one in (host, guest)]
        assert {board["dice"] for board in host.room["boards"]} == {9}


def test_whoever_runs_the_hall_ends_a_duel(own_server: Server) -> None:
    """All boards end as they stand, and the dice are known."""
    with duel(several(own_server, 2)) as (host, guest):
        host.move(Random(1))
        with desk(None, own_server.settings.database) as here:
            here.end_match(host.room_id, "test")
        for one in (host, guest):
            one.until(lambda me: me.room["state"] == "closed")
            assert one.room["why"] == "stopped"
        for one in (host, guest):
            (run,) = one.guest.get("/api/runs")["runs"]
            told = from_json(run["record"])
            assert (check(told).ok, prove(told) > 0, told.departures[0].why) == (True, True, "ended")


def duel(guests: list[Guest], game: str = "lite-solo", **asked: Any) -> Any:
    return seated(guests, game, same_dice=True, **asked)


def test_no_undo_and_no_hints(server: Server) -> None:
    with duel(several(server, 2)) as (host, _):
        host.move(Random(1))
        for asked, code in (({"type": "hint"}, "no-hints"), ({"type": "undo"}, "undo-off")):
            host.refusals.clear()
            host.send(seen=host.table["count"], **asked)
            host.until(lambda me: bool(me.refusals))
            assert host.refusals == [code]
        assert host.guest.ask("DELETE", f"/api/tables/{host.table['id']}").json()["code"] == "in-room"


def test_the_time_is_up(own_server: Server) -> None:
    """A move that comes later does not count; who was quicker is not behind, and nobody has left."""
    with duel(several(own_server, 2), minutes=5) as (host, guest):
        until = own_server.clock.ms() + 300_000
        assert (host.room["until_ms"], host.room["minutes"]) == (until, 5)
        while host.table["run"] is None:
            host.drain()
            if host.my_turn and host.table["run"] is None:
                host.move(Random(1))
        guest.move(Random(2))
        own_server.clock.now += 299
        guest.move(Random(3))
        assert not guest.refusals
        own_server.clock.now += 1
        guest.until(lambda me: me.room["state"] == "between" and me.table["run"] is not None)
        assert guest.table["view"]["result"]["why"] == "time"
        assert [one["gone"] for one in guest.room["places"]] == [None, "time"]
        assert [one["rank"] for one in guest.room["boards"]] == [1, 2]
        late = from_json(host.guest.get(f"/api/runs/{guest.table['run']}")["record"])
        assert (check(late).ok, [one.why for one in late.departures]) == (True, ["time"])
        again([host, guest])
        assert host.room["boards"][1]["dice"] == 1


def again(sitters: list[Sitter]) -> None:
    for one in sitters:
        one.drain()
        one.send(type="ready")
    ends = [one.room["table"] for one in sitters]
    limit = time.monotonic() + PATIENCE
    while any(one.room["table"] in (None, end) for one, end in zip(sitters, ends, strict=True)):
        assert time.monotonic() < limit, [one.room["state"] for one in sitters]
        for one in sitters:
            one.drain()
    begin(sitters)


def test_who_leaves_is_last_and_the_others_play_on(own_server: Server) -> None:
    guests = several(own_server)
    with duel(guests, "shut-the-box") as (host, guest, leaver):
        leaver.send(type="leave")
        for one in (host, guest):
            one.until(lambda me: me.room["places"][2]["gone"] == "left")
            assert one.room["boards"][2]["done"]
            assert one.room["boards"][2]["rank"] == 3
        leaver.until(lambda me: me.table["run"] is not None)
        play_out([host, guest], Random(4))
        assert host.room["boards"][2]["rank"] == 3
        assert check(from_json(guests[0].get(f"/api/runs/{host.room['boards'][2]['run']}")["record"])).ok
        assert _refused(leaver, "ready") == "room-left"
        again([host, guest])
        assert len(host.room["places"]) == 2
        guest.send(type="resign")
        host.until(lambda me: me.room["places"][1]["gone"] == "resigned")
        play_out([host], Random(5))
        guest.send(type="leave")
        host.until(lambda me: me.room["state"] == "closed")
        assert host.room["why"] == "left"
        assert [one["rank"] for one in host.room["boards"]] == [1, 2], "how it ended stays to be seen"


def _refused(one: Sitter, kind: str, **asked: Any) -> str:
    one.drain()
    one.refusals.clear()
    one.send(type=kind, **asked)
    one.until(lambda me: bool(me.refusals))
    return one.refusals[0]


def test_who_is_away_is_not_waited_for(own_server: Server) -> None:
    """Whoever has lost the line for long may be left out, as at any table; after a week without a move all end."""
    with duel(several(own_server)) as (host, guest, other):
        guest.close()
        host.until(lambda me: not me.room["places"][1]["here"])
        assert _refused(host, "claim", place=1) == "claim-early"
        own_server.clock.now += 120
        host.send(type="claim", place=1)
        host.until(lambda me: me.room["places"][1]["gone"] == "left")
        assert _refused(host, "claim", place=1) == "no-claim"
        assert host.room["places"][1]["claim_ms"] is None
        own_server.clock.now += FORSAKEN
        for one in (host, other):
            one.until(lambda me: me.room["state"] == "between" and me.table["run"] is not None)
        assert [one["gone"] for one in host.room["places"]] == ["time", "left", "time"]
        assert [one["rank"] for one in host.room["boards"]] == [1, 3, 1]


def test_a_hall_that_is_killed_goes_on_with_the_same_dice(own_server: Server) -> None:
    """At every step: while all seal, in the middle, and when one is done. The time limit stands meanwhile."""
    guests, random = several(own_server, 2), Random(7)
    room = guests[0].post("/api/rooms", 201, game="lite-solo", same_dice=True, minutes=10)
    guests[1].post(f"/api/rooms/{room['id']}/join")
    host, guest = Sitter(guests[0], room["id"]), Sitter(guests[1], room["id"], obliging=False)
    host.until(lambda me: len(me.room["contributions"]) == 1)
    house = host.room["commitment"]
    _restart(own_server, [host, guest])
    guest.obliging = True
    guest.contribute()
    begin([host, guest])
    assert host.room["commitment"] == house
    for one in (host, host, guest):
        one.move(random)
    until, boards = host.room["until_ms"], None
    own_server.clock.now += 100
    _restart(own_server, [host, guest], seconds=900)
    begin([host, guest])
    assert host.room["until_ms"] >= until + 900_000
    boards = [one["dice"] for one in host.room["boards"]]
    assert boards == [3, 2]
    assert [one["dice"] for one in guest.room["boards"]] == [2, 2]
    while host.table["run"] is None:
        host.move(random)
    _restart(own_server, [host, guest])
    begin([host, guest])
    assert host.room["boards"][0]["done"]
    play_out([host, guest], random)
    told = [from_json(guests[0].get(f"/api/runs/{board['run']}")["record"]) for board in host.room["boards"]]
    assert all(check(one).ok and one.origin.commitment == house for one in told)
    _restart(own_server, [host, guest])
    host.until(lambda me: me.room["state"] == "between")
    assert [board["run"] for board in host.room["boards"]] == [one.table["run"] for one in (host, guest)]
    for one in (host, guest):
        one.close()


def _restart(server: Server, sitters: list[Sitter], seconds: int = 0) -> None:
    for one in sitters:
        one.close()
    server.stop()
    server.clock.now += seconds
    server.start()
    for guest in server._guests:
        guest.http.base_url = server.url
    for one in sitters:
        one.connect()


def test_seeds_that_are_forged_or_withheld(own_server: Server) -> None:
    """Nobody plays before the last seed; the host need not wait for whoever keeps theirs."""
    guests = several(own_server)
    room = guests[0].post("/api/rooms", 201, game="lite-solo", seats=["you"] * 3, same_dice=True)
    for guest in guests[1:]:
        guest.post(f"/api/rooms/{room['id']}/join")
    late = own_server.guest()
    assert late.ask("POST", f"/api/rooms/{room['id']}/join").json()["code"] == "room-full"
    host, other, keeper = (Sitter(guest, room["id"], obliging=guest is not guests[2]) for guest in guests)
    for one in (keeper, host, other):
        one.until(lambda me: me.room["state"] == "sealing")
    seed = "ab" * 32
    keeper.send(type="seal", seal=contribution_seal(keeper.room["commitment"], 2, seed))
    for one in (host, other):
        one.until(lambda me: me.room["state"] == "opening")
    keeper.until(lambda me: me.room["state"] == "opening")
    assert _refused(keeper, "reveal", seed="cd" * 32) == "reveal-seal"
    own_server.clock.now += DICE_SECONDS
    for one in (host, other):
        one.until(lambda me: me.room["state"] == "between")
    assert (host.room["withheld"], host.room["boards"]) == ([2], [])
    assert _refused(host, "start") == "duel-alone"
    assert _refused(other, "start") == "room-host"
    for one in (host, other):
        one.send(type="ready")
    host.until(lambda me: all(place["ready"] for place in me.room["places"][:2]))
    host.send(type="start")
    begin([host, other])
    assert len(host.room["places"]) == 2
    keeper.until(lambda me: me.room["you"] is None)
    play_out([host, other], Random(1))
    for one in (host, other, keeper):
        one.close()


def test_who_leaves_before_the_first_die_is_left_out(own_server: Server) -> None:
    guests = several(own_server)
    room = guests[0].post("/api/rooms", 201, game="lite-solo", seats=["you"] * 3, same_dice=True)
    for guest in guests[1:]:
        guest.post(f"/api/rooms/{room['id']}/join")
    sitters = [Sitter(guest, room["id"], obliging=guest is not guests[2]) for guest in guests]
    sitters[2].until(lambda me: me.room["state"] == "sealing")
    sitters[2].send(type="leave")
    sitters[0].until(lambda me: me.room["state"] == "between")
    assert (sitters[0].room["why"], sitters[0].room["withheld"]) == (None, [])
    again(sitters[:2])
    for one in sitters:
        one.close()


def test_an_account_that_is_deleted_leaves_the_others_playing(own_server: Server) -> None:
    guests = several(own_server)
    with duel(guests) as (host, guest, _):
        guests[2].call("DELETE", "/api/me")
        host.until(lambda me: me.room["places"][2]["gone"] == "resigned")
        assert own_server.stored(lambda c: players.find(c, guests[2].id)) is None
        _restart(own_server, [host, guest])
        begin([host, guest])
        play_out([host, guest], Random(2))
        assert [one["rank"] for one in host.room["boards"]][2] == 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "knucklebones"},
        {"game": "lite-solo", "seats": ["you"]},
        {"game": "lite-solo", "seats": ["you", "level:1"]},
        {"game": "lite-solo", "rated": True},
        {"game": "lite-solo", "best_of": 3},
        {"game": "lite-solo", "clock": "30+120"},
        {"game": "lite-versus", "same_dice": False, "minutes": 5},
    ],
    ids=lambda wrong: " ".join(wrong),
)
def test_what_is_no_duel(server: Server, wrong: dict[str, Any]) -> None:
    asked = {"same_dice": True, **wrong}
    assert server.guest().ask("POST", "/api/rooms", json=asked).status_code == 400


def test_ten_people(server: Server) -> None:
    with duel(several(server, 10), "shut-the-box") as sitters:
        play_out(sitters, Random(10))
        boards = sitters[9].room["boards"]
        assert sorted(board["rank"] for board in boards)[0] == 1
        in_order = sorted(boards, key=lambda board: board["score"])
        assert [board["rank"] for board in in_order] == sorted(board["rank"] for board in boards)


@pytest.mark.parametrize("game", ["lite-solo", "farkle", "shut-the-box"])
def test_against_a_run_of_today_s_daily(server: Server, game: str) -> None:
    """One is told what it had made of as many dice as one has used, and the end when one's own attempt is over."""
    friend, me, random = server.guest(), server.guest(), Random(game)
    with friend.sit(friend.open(game, kind="daily")) as tab:
        tab.play_on(random)
        run = friend.run(tab)
    marks, table = marks_of(run["record"]), me.open(game, kind="daily")
    asked = f"/api/runs/{run['id']}/pace"
    with me.sit(table) as tab:
        while True:
            used = sum(len(step) - 1 for step in tab.steps if step[0] == "d")
            over = tab.shown["view"]["result"] is not None
            expected = duels.seen(marks, None if over else used)
            done = expected is marks[-1]
            told = {"score": expected.score, "unit": expected.unit, "dice": expected.dice, "done": done}
            assert me.get(asked, table=table) == told
            assert over or expected.dice <= used
            if over:
                break
            tab.move(random.choice(tab.moves))
    other = me.open(game)
    for no_daily in (other, friend.open(game, kind="daily")):
        assert me.ask("GET", asked, params={"table": no_daily}).status_code in (400, 404)


WEEK = 7 * 86_400


def asked_in_a_week(host: Guest, game: str = "lite-solo", **more: Any) -> Watchful:
    """The host, at their board of a duel to which others may come for a week."""
    asked = {"seats": ["you"], "same_dice": True, "open": True, "clock": "7d", **more}
    one = Watchful(host, host.post("/api/rooms", 201, game=game, **asked)["id"])
    begin([one])
    return one


def alone(one: Sitter, random: Random) -> None:
    one.until(lambda me: bool(me.table))
    while one.table["run"] is None:
        one.drain()
        if one.table["run"] is None:
            one.move(random)


def test_whoever_comes_in_a_week_plays_the_same_dice(own_server: Server) -> None:
    """Once, after the host, and shown the others as far as they have come; then it closes, and the dice are known."""
    ada, bea, cleo, late = several(own_server, 4)
    host = asked_in_a_week(ada)
    room = f"/api/rooms/{host.room_id}/join"
    assert host.room["until_ms"] == own_server.clock.ms() + WEEK * 1000
    assert bea.ask("POST", room).json()["code"] == "duel-early"
    alone(host, Random(1))
    watcher = Watchful(bea, host.room_id)
    assert [(one["score"], one["dice"], one["done"]) for one in watcher.room["boards"]] == [(0, 0, True)]
    watcher.close()
    assert bea.post(room)["place"] == 1
    guest = Watchful(bea, host.room_id)
    guest.until(lambda me: bool(me.table))
    assert guest.room["boards"][0]["dice"] == 1
    table = guest.table["id"]
    guest.move(Random(2))
    guest.close()
    own_server.clock.now += 86_400
    _restart(own_server, [host])
    assert bea.post(room)["place"] == 1, "nobody plays twice"
    guest.connect()
    guest.until(lambda me: me.table.get("id") == table)
    assert _refused(host, "claim", place=1) in ("claim-early", "no-claim")
    alone(guest, Random(3))
    for one in (host, guest):
        one.until(lambda me: me.room["boards"][1]["done"])
    assert guest.room["state"] == "playing"
    assert guest.room["boards"] == host.room["boards"]
    assert ada.ask("GET", f"/api/runs/{guest.table['run']}").json()["code"] == "duel-hidden"
    assert cleo.post(room)["place"] == 2
    slow = Watchful(cleo, host.room_id)
    slow.until(lambda me: bool(me.table))
    own_server.clock.now += WEEK
    for one in (host, guest, slow):
        one.until(lambda me: me.room["state"] == "closed")
    assert host.room["why"] == "week"
    assert [one["gone"] for one in host.room["places"]] == [None, None, "time"]
    told = [from_json(late.get(f"/api/runs/{board['run']}")["record"]) for board in host.room["boards"]]
    assert all(check(one).ok and prove(one) > 0 for one in told)
    assert {one.origin for one in told} == {told[0].origin}
    assert len(told[0].origin.contributions) == 1
    assert told[0].steps[0] == told[1].steps[0] == told[2].steps[0]
    assert late.ask("POST", room).json()["code"] == "room-week"
    for one in (host, guest, slow):
        one.close()


def test_a_week_without_a_seed_begins_again(own_server: Server) -> None:
    """The host's page has gone before it could add to the dice: nobody else can."""
    ada = own_server.guest()
    asked = {"seats": ["you"], "same_dice": True, "open": True, "clock": "7d"}
    host = Sitter(ada, ada.post("/api/rooms", 201, game="shut-the-box", **asked)["id"], obliging=False)
    host.until(lambda me: me.room["state"] == "sealing")
    own_server.clock.now += WEEK
    host.until(lambda me: me.room["state"] == "between")
    host.obliging = True
    host.send(type="ready")
    begin([host])
    host.send(type="resign")
    host.until(lambda me: me.table["run"] is not None and me.room["boards"][0]["done"])
    host.close()


@pytest.mark.parametrize("wrong", [{"seats": ["you"] * 51}, {"minutes": 5}, {"clock": "none"}, {"same_dice": False}])
def test_what_is_no_week(server: Server, wrong: dict[str, Any]) -> None:
    asked = {"game": "lite-solo", "seats": ["you"], "same_dice": True, "open": True, "clock": "7d", **wrong}
    assert server.guest().ask("POST", "/api/rooms", json=asked).status_code in (400, 422)


def test_who_has_gone_learns_no_dice_of_those_who_play(server: Server) -> None:
    """Not by the export, and nobody learns a score by a link to share."""
    guests = [server.guest() for _ in range(2)]
    with seated(guests, "lite-solo", same_dice=True) as (host, other):
        host.send(type="resign")
        host.until(lambda me: bool(me.table.get("run")))
        (table,) = (one for one in guests[0].get("/api/me/export")["tables"] if one["id"] == host.room["table"])
        assert other.room["state"] == "playing"
        assert table["secret"] is None
        for stranger in (guests[1], server.guest()):
            assert stranger.ask("GET", f"/api/runs/{host.table['run']}/share").json()["code"] == "duel-hidden"
