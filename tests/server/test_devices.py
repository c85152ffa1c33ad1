"""The devices of a player: codes that bring another one in, cookies that are renewed, devices that are signed out."""

from __future__ import annotations

import json
from http.cookies import SimpleCookie
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from dicehall.server import guard as guards
from dicehall.server.guard import COOKIE
from dicehall.server.wire import Close
from dicehall.store import players
from tests.server.running import HELLO, Guest, Server
from tests.server.test_players import everything


def test_a_code_brings_the_account_to_another_device(server: Server) -> None:
    first, second = server.guest("Grace"), server.guest()
    table_id = first.open("lite-solo")
    given = first.post("/api/me/transfer")
    assert given["expires_in"] == 15 * 60
    typed = given["code"].lower().replace("-", " ")
    assert second.post("/api/me/redeem", code=typed) == first.get("/api/me")
    assert second.get("/api/me")["nickname"] == "Grace"
    with first.sit(table_id) as one, second.sit(table_id) as other:
        one.move("b2")
        assert other.table()["count"] == 3
    assert first.http.cookies[COOKIE] != second.http.cookies[COOKIE], "every device has a token of its own"
    third = server.stranger()
    assert third.post("/api/me/redeem", code=given["code"])["nickname"] == "Grace", "the first answer could be lost"
    second.get("/api/me", 401)
    assert first.get("/api/me") == third.get("/api/me")


def test_a_code_is_good_for_a_while_and_replaced_by_the_next(own_server: Server) -> None:
    guest, other = own_server.guest(), own_server.stranger()
    old, new = guest.post("/api/me/transfer")["code"], guest.post("/api/me/transfer")["code"]
    other.post("/api/me/redeem", 404, code=old)
    own_server.clock.now += 15 * 60
    other.post("/api/me/redeem", 404, code=new)
    assert COOKIE not in other.http.cookies
    for wrong in ("AAAA-AAAA-AAAA", "-", "äöü", "\0", "x" * 40):
        other.post("/api/me/redeem", 404, code=wrong)


def test_a_lasting_code_brings_the_account_back_after_years(own_server: Server) -> None:
    guest = own_server.guest("Grace")
    assert guest.post("/api/me/transfer", lasting=False)["expires_in"] == 15 * 60
    soon = guest.post("/api/me/transfer")
    kept = guest.post("/api/me/transfer", lasting=True)
    assert kept["expires_in"] is None
    assert len(kept["code"].replace("-", "")) == 20
    assert own_server.stranger().post("/api/me/redeem", code=soon["code"])["id"] == guest.id
    own_server.clock.now += 10 * 366 * 86_400
    own_server.restart()
    found = own_server.stranger()
    assert found.post("/api/me/redeem", code=kept["code"].lower())["nickname"] == "Grace"
    assert found.get("/api/me")["id"] == guest.id
    own_server.clock.now += 60
    assert found.post("/api/me/redeem", 404, code=kept["code"])["code"] == "transfer-code", "it is used up"
    guest.post("/api/me/transfer", 422, lasting="for ever")


def second_device(guest: Guest, agent: str = "") -> Guest:
    other = guest.server.stranger()
    other.http.headers["user-agent"] = agent
    other.post("/api/me/redeem", code=guest.post("/api/me/transfer")["code"])
    return other


FIREFOX = "Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0"


def test_my_devices(server: Server) -> None:
    guest, stranger = server.guest(), server.guest()
    second_device(guest, FIREFOX)
    found = guest.get("/api/me/devices")
    assert {(one["label"], one["this"]) for one in found} == {("", True), ("Firefox on Android", False)}
    assert {one["created_at"] for one in found} == {one["seen_at"] for one in found} == {server.clock()}
    assert len({one["id"] for one in found}) == 2
    rows = everything(server)
    assert "Firefox on Android" in rows
    assert "Gecko" not in rows, "the rest is nobody's business"
    for one in found:
        assert one["id"] not in rows
        assert stranger.call("DELETE", f"/api/me/devices/{one['id']}", 404)["code"] == "device"
    assert len(guest.get("/api/me/devices")) == 2


def test_a_device_that_is_signed_out_is_out_at_once(server: Server) -> None:
    first = server.guest()
    second, third = second_device(first, FIREFOX), second_device(first)
    table_id = first.open("lite-solo")
    ids = {one["label"]: one["id"] for one in first.get("/api/me/devices") if not one["this"]}
    with first.sit(table_id) as mine, second.sit(table_id) as theirs, second.connect("new") as waiting:
        waiting.send(json.dumps(HELLO))
        first.call("DELETE", f"/api/me/devices/{ids['Firefox on Android']}", 204)
        assert second.get("/api/me", 401)["code"] == "not-signed-in"
        assert theirs.closed() == Close.SIGNED_OUT
        with pytest.raises(ConnectionClosed) as closed:
            waiting.recv(20)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == Close.SIGNED_OUT
        assert second.close_code(table_id, HELLO) == Close.NO_ACCOUNT
        assert mine.move("b2")["count"] == 3
        with third.sit(table_id) as another:
            first.call("DELETE", "/api/me/devices", 204)
            assert another.closed() == Close.SIGNED_OUT
        assert mine.move("a1")["count"] == 5
        third.get("/api/me", 401)
        (left,) = first.get("/api/me/devices")
        assert left["this"]
        first.call("DELETE", f"/api/me/devices/{left['id']}", 204)
        assert COOKIE not in first.http.cookies
        assert mine.closed() == Close.SIGNED_OUT


def test_one_device_too_many_is_out_at_once(own_server: Server) -> None:
    first = own_server.guest()
    own_server.clock.now += 1
    second = second_device(first)
    second.get("/api/me")
    own_server.clock.now += 86_400
    first.get("/api/me")
    with second.sit(second.open("lite-solo")) as tab:
        for _ in range(players.MOST_DEVICES - 1):
            second_device(first)
        assert tab.closed() == Close.SIGNED_OUT
    second.get("/api/me", 401)
    assert len(first.get("/api/me/devices")) == players.MOST_DEVICES


def renewed(guest: Guest, path: str = "/api/me") -> bool:
    answer = guest.ask("GET", path)
    assert answer.is_success
    if "set-cookie" not in answer.headers:
        return False
    cookie = SimpleCookie(answer.headers["set-cookie"])[COOKIE]
    assert int(cookie["max-age"]) == 365 * 86_400
    assert cookie["httponly"]
    return True


def test_a_cookie_that_is_used_is_renewed_once_a_day(own_server: Server) -> None:
    guest, clock = own_server.guest(), own_server.clock
    cookie, began = guest.http.cookies[COOKIE], clock()

    def seen_at() -> int:
        return int(guest.get("/api/me/devices")[0]["seen_at"])

    clock.now += 86_400
    assert not renewed(guest)
    clock.now += 1
    assert renewed(guest, "/api/lobby"), "where nobody needs an account, too"
    assert guest.http.cookies[COOKIE] == cookie
    assert not renewed(guest)
    assert seen_at() == began + 86_401
    own_server.restart()
    assert not renewed(guest), "it is written down"
    clock.now += 86_401
    own_server.restart()
    assert renewed(guest), "and asked for"
    for _ in range(3):
        clock.now += 300 * 86_400  # a year after the first visit, and another
        assert renewed(guest)
    assert seen_at() == clock()


def test_most_requests_do_not_ask_the_store_who_it_is(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    guest, hall, asked = server.guest(), server.app.state.hall, []
    read = hall.read
    guest.get("/api/me")

    async def counted(job: Any) -> Any:
        asked.append(getattr(job, "__module__", ""))  # the hall's own chores read, too, and without a module
        return await read(job)

    monkeypatch.setattr(hall, "read", counted)
    for _ in range(5):
        guest.get("/api/me")
    assert asked.count("dicehall.server.api.people") == 5, "one for the answer,"
    assert asked.count("dicehall.server.guard") == 0, "and none for the question"
    server.app.state.guard.forget(guest.id)
    guest.get("/api/me")
    assert asked.count("dicehall.server.guard") == 1


def test_a_device_that_is_signed_out_while_it_is_looked_up_is_out(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer of the store may be older than the news."""
    guest, hall, guard = own_server.guest(), own_server.app.state.hall, own_server.app.state.guard
    guard.forget(guest.id)
    read, reads = hall.read, []

    async def slow(job: Any) -> Any:
        found = await read(job)
        reads.append(job)
        if len(reads) == 1:
            await hall.write(lambda c: players.sign_out_others(c, guest.id, ""))
            await guard.review(guest.id)
        return found

    monkeypatch.setattr(hall, "read", slow)
    guest.get("/api/me", 401)
    guest.get("/api/me", 401)


def test_a_device_that_another_hall_has_signed_out_is_out_soon(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is remembered of a device is remembered for a while."""
    monkeypatch.setattr(guards, "KNOWN_SECONDS", 0.0)
    guest = own_server.guest()
    guest.get("/api/me")
    with own_server.app.state.hall.engine.begin() as connection:
        players.sign_out_others(connection, guest.id, "")
    guest.get("/api/me", 401)
