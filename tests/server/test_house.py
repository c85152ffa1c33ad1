"""`dicehall hall` where people play together: who is there, silence, the end of a match, ratings taken back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from dicehall.cli import main
from dicehall.errors import InvalidOption
from dicehall.play.record import from_json
from dicehall.play.replay import check
from dicehall.server import keepers, matches, operator, quick
from dicehall.server.operator import Desk
from dicehall.store import ratings, rooms, schema
from dicehall.store.engine import open_engine
from dicehall.store.tables import Overtaken
from tests.server.people import Sitter, play_out, seated, whose_turn
from tests.server.running import Guest, Json, Server
from tests.server.test_operator import soon
from tests.server.test_quick import Searcher


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for where, name in ((keepers, "LOOK_EVERY"), (keepers, "TELL_EVERY"), (quick, "LOOK_EVERY")):
        monkeypatch.setattr(where, name, 0.02)


def two(server: Server) -> list[Guest]:
    return [server.guest("Ada"), server.guest("Bea")]


def desk(server: Server) -> Desk:
    return Desk(server.app.state.hall.engine, server.clock())


@contextmanager
def closed(server: Server) -> Iterator[Desk]:
    """At a hall that is not open."""
    engine = open_engine(server.settings.database)
    yield Desk(engine, server.clock())
    engine.dispose()


def test_who_is_there(own_server: Server) -> None:
    ada, bea = two(own_server)
    cleo = own_server.guest()

    def now() -> Json:
        return desk(own_server).now()

    soon(lambda: bool(now()["open"]))
    assert now() == {"open": 1, "players": [], "matches": [], "looking": []}
    with seated([ada, bea], "knucklebones") as sitters, ExitStack() as stack:
        Searcher(stack, cleo, "farkle")
        soon(lambda: len(now()["players"]) == 3 and bool(now()["looking"]))
        told = now()
        people = [{"id": ada.id, "nickname": "Ada"}, {"id": bea.id, "nickname": "Bea"}]
        assert sorted(told["players"], key=lambda one: one["nickname"])[1:] == people
        (match,) = told["matches"]
        assert match == {
            "room": sitters[0].room_id, "game": "knucklebones", "state": "playing", "since": own_server.clock(),
            "players": people, "lines": 2,
        }  # fmt: skip
        assert told["looking"] == [{"id": cleo.id, "nickname": "", "pool": "farkle", "since": own_server.clock()}]
        lines = operator.in_words([told]).splitlines()
        assert len(lines) == 11
        assert any(cleo.id in line and "farkle" in line for line in lines)
    soon(lambda: now()["players"] == [])
    own_server.stop()
    with closed(own_server) as there:
        assert there.now()["open"] == 0, "a hall that closes says so"
    own_server.start()
    soon(lambda: bool(now()["open"]))
    later = Desk(own_server.app.state.hall.engine, own_server.clock() + matches.HEARD + 1)
    assert later.now()["open"] == 0, "nor is one open that has not been heard of for a while"


def say(one: Sitter) -> str:
    """What comes of it: a refusal's code, or the number of what was said."""
    one.drain()
    one.refusals.clear()
    before = one.room["said"]
    one.send(type="say", phrase="hello")
    one.until(lambda me: bool(me.refusals) or me.room["said"] != before)
    return one.refusals[0] if one.refusals else "said"


def test_who_is_silenced_says_nothing(own_server: Server) -> None:
    ada, bea = two(own_server)
    with seated([ada, bea], "lite-versus") as (host, guest):
        assert say(host) == "said"
        act = desk(own_server).silence("Ada", 2, "swears by good luck")
        assert (act.action, act.target, act.reason) == ("silence", ada.id, "swears by good luck")
        assert say(host) == "silenced"
        assert say(guest) == "said"
        own_server.clock.now += 2 * 86_400
        assert say(host) == "said", "the days are over"
        desk(own_server).silence(ada.id, None, "")
        own_server.clock.now += 4 * 86_400
        assert say(host) == "silenced"
        desk(own_server).unsilence("Ada", "said sorry")
        assert say(host) == "said"
    with pytest.raises(InvalidOption):
        desk(own_server).unsilence("Ada", "")
    with pytest.raises(InvalidOption, match="a day or more"):
        desk(own_server).silence("Ada", 0, "")
    assert [act.action for act in desk(own_server).log()] == ["silence", "silence", "unsilence"]


@pytest.mark.parametrize("by", ["room", "table"])
def test_a_match_is_ended(own_server: Server, by: str) -> None:
    """Those who play there see it, and it counts for nobody."""
    ada, bea = two(own_server)
    with seated([ada, bea], "knucklebones", rated=True, best_of=3, clock="30+120") as (host, guest):
        whose_turn([host, guest]).move(Random(1))
        act = desk(own_server).end_match(host.room_id if by == "room" else host.room["table"], "both cheat")
        assert act.target == host.room_id
        for one in (host, guest):
            one.until(lambda me: me.room["state"] == "closed" and me.table["run"] is not None)
            assert one.room["why"] == "stopped"
            assert one.table["view"]["result"]["why"] == "ended"
            assert one.table["view"]["result"]["winners"] == []
        run = ada.get(f"/api/runs/{host.table['run']}")
        assert check(from_json(run["record"])).ok
        assert ada.get("/api/rooms") == []
    why = own_server.stored(lambda c: c.scalars(select(schema.meetings.c.why_not)).all())
    assert why == ["same-network"] * 2, "it is known still, and comes first"
    assert own_server.stored(lambda c: ratings.of(c, ada.id)) == []
    assert own_server.stored(lambda c: c.scalar(select(func.count()).select_from(schema.outcomes))) == 0
    with pytest.raises(InvalidOption, match="over already"):
        desk(own_server).end_match(host.room_id, "")
    with pytest.raises(InvalidOption, match="no match"):
        desk(own_server).end_match("nothing", "")
    assert len(desk(own_server).log()) == 1


def test_a_match_is_ended_in_a_hall_that_is_closed(own_server: Server) -> None:
    """It opens with what was done."""
    ada, bea = two(own_server)
    room = ada.post("/api/rooms", 201, game="lite-versus")["id"]
    with seated([ada, bea], "knucklebones", clock="3d") as (host, _):
        playing = host.room_id
    own_server.stop()
    with closed(own_server) as there:
        for one in (room, playing):
            there.end_match(one, "")
    own_server.start()
    for guest in (ada, bea):
        guest.http.base_url = httpx.URL(own_server.url)
        assert guest.get("/api/rooms") == []
    assert ada.post(f"/api/rooms/{room}/join", 200)["state"] == "closed"
    assert len(ada.get("/api/runs")["runs"]) == 1


def test_a_move_that_comes_first_is_ended_with_it(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hall may be quicker: what it has kept then is what is ended."""
    ada, bea = two(own_server)
    tries: list[str] = []
    save = rooms.save

    def overtaken(connection: Any, room: Any) -> None:
        tries.append(room.id)
        if len(tries) == 1:
            raise Overtaken("overtaken", "the room has gone on elsewhere")
        save(connection, room)

    with seated([ada, bea], "knucklebones") as (host, _):
        monkeypatch.setattr(rooms, "save", overtaken)
        desk(own_server).end_match(host.room_id, "")
        monkeypatch.setattr(rooms, "save", save)
        host.until(lambda me: me.room["state"] == "closed")
    assert len(tries) == 2
    assert len(ada.get("/api/runs")["runs"]) == 1


def rated_game(server: Server, guests: list[Guest], seed: int) -> str:
    with seated(guests, "knucklebones", rated=True) as (host, guest):
        room = server.app.state.rooms._rooms[host.room_id]
        room.progress.networks[1] = "another network"
        room.follow(room.live)
        play_out([host, guest], Random(seed))
        return str(host.table["run"])


def test_a_rating_is_taken_back(own_server: Server) -> None:
    ada, bea = two(own_server)
    first = rated_game(own_server, [ada, bea], 3)
    alone = own_server.stored(lambda c: ratings.of(c, ada.id))
    own_server.clock.now += 60
    second = rated_game(own_server, [ada, bea], 4)
    act = desk(own_server).unrate(second, "they have agreed on it")
    assert (act.action, act.target) == ("unrate", second)
    assert own_server.stored(lambda c: ratings.of(c, ada.id)) == alone
    own_server.clock.now += 60
    third = rated_game(own_server, [ada, bea], 5)
    assert own_server.stored(lambda c: ratings.of(c, bea.id))[0].games == 2
    desk(own_server).unrate(first, "")
    assert own_server.stored(lambda c: ratings.of(c, bea.id))[0].games == 1
    with pytest.raises(InvalidOption, match="taken-back"):
        desk(own_server).unrate(first, "")
    desk(own_server).unrate(third, "")
    assert own_server.stored(lambda c: ratings.of(c, bea.id)) == []
    assert len(desk(own_server).log()) == 3


def test_the_commands(own_server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    ada, bea = two(own_server)
    url = own_server.settings.database

    def here(*arguments: str, code: int = 0) -> str:
        assert main(["hall", *arguments, "--database", url]) == code
        told = capsys.readouterr()
        assert (told.out == "", told.err == "") == (code == 2, code == 0)
        return told.out + told.err

    with seated([ada, bea], "knucklebones") as (host, _):
        (now,) = json.loads(here("now", "--json"))
        assert [one["room"] for one in now["matches"]] == [host.room_id]
        assert "matches in play: 1" in here("now")
        assert "silence" in here("silence", "Ada", "--days", "3", "--reason", "loud")
        (lifted,) = json.loads(here("unsilence", ada.id, "--json"))
        assert lifted["action"] == "unsilence"
    assert "no game of two people" in here("unrate", "nothing", code=2)
    assert "no match" in here("end-match", "nothing", code=2)
    assert "a day or more" in here("silence", "Ada", "--days", "0", code=2)
    assert [act["action"] for act in json.loads(here("log", "--json"))] == ["silence", "unsilence"]
