"""How often anybody may ask: requests, messages, new tables and sockets, by account and by network."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from dicehall.server import bucket as buckets
from dicehall.server import socket as sockets
from dicehall.server.app import MONITORING
from dicehall.server.bucket import Bucket, Places
from dicehall.server.guard import COOKIE, network
from dicehall.server.wire import Close
from tests.patience import PATIENCE
from tests.server.conftest import FEW
from tests.server.running import HELLO, Server, Tab, upgrade


def test_too_many_requests(strict_server: Server) -> None:
    stranger = strict_server.stranger()
    codes = [stranger.ask("GET", "/api/games/farkle").status_code for _ in range(12)]
    assert codes[:6] == [200] * 6
    assert 429 in codes
    refused = next(text for text in stranger.heard if "too-fast" in text)
    assert "nosniff" in refused
    assert "'retry-after': '1'" in refused


def test_what_takes_longer_counts_for_more(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that nobody takes the processor by asking for the longest answers as often as for the shortest."""
    monkeypatch.setattr(buckets, "time", SimpleNamespace(monotonic=lambda: 1e6))  # nothing comes back on a busy machine

    def allowed(path: str, **query: Any) -> int:
        with Server(sqlite_url, limits=1.0) as server:
            guest = server.guest()
            return next(n for n in range(200) if guest.ask("GET", path, params=query).status_code == 429)

    short = allowed("/api/runs")
    assert short >= 5 * allowed("/api/lobby") > 0
    assert short > 8 * allowed("/api/runs", limit=100) > 0
    assert short >= 4 * allowed("/api/players/nobody") > 0


def test_who_asks_too_often_waits_for_the_refusal(tmp_path: Any) -> None:
    """A second for each connection, or refusals alone would keep the hall busy."""
    with Server(f"sqlite:///{tmp_path}/hall.sqlite", limits=FEW, seconds_to_refuse=0.3) as server:
        stranger = server.stranger()
        answers = [stranger.ask("GET", "/api/games/farkle") for _ in range(9)]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert refused
        assert all(answer.elapsed.total_seconds() >= 0.3 for answer in refused)


def test_all_who_ask_too_often_wait_or_are_hung_up_on(tmp_path: Any) -> None:
    """Nobody is refused at once and may ask again at once: with limits as few as these, 20 of a network can wait."""
    with Server(f"sqlite:///{tmp_path}/hall.sqlite", limits=FEW, seconds_to_refuse=1.0) as server, ExitStack() as stack:
        server.app.state.guard.requests = Bucket(1, 1e-9)  # one, and then none for as long as it takes
        server.stranger().get("/api/games/farkle")
        links = [
            stack.enter_context(closing(HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE))) for _ in range(40)
        ]
        started = time.monotonic()
        for link in links:
            link.request("GET", "/api/games/farkle")
        waited = hung_up = 0
        for link in reversed(links):  # the last ones hear at once
            answer = link.getresponse()
            assert answer.status == 429
            if answer.getheader("connection") == "close":
                hung_up += 1
            else:
                assert time.monotonic() - started >= 1
                waited += 1
        assert waited >= 20
        assert hung_up


@pytest.mark.parametrize("path", MONITORING)
def test_probes_have_a_rate_of_their_own(strict_server: Server, path: str) -> None:
    prober, other = strict_server.stranger(), {"x-forwarded-for": "192.0.2.1"}
    codes = [prober.ask("GET", path).status_code for _ in range(12)]
    assert codes[:3] == [200] * 3
    assert 429 in codes
    assert "'retry-after': '1'" in next(text for text in prober.heard if "too-fast" in text)
    assert prober.ask("GET", path, headers=other).status_code == 200, "another network has its own"
    assert prober.ask("GET", "/api/games/farkle").status_code == 200


def test_made_up_cookies_do_not_evade_the_limit(strict_server: Server) -> None:
    stranger = strict_server.stranger()
    codes = [
        stranger.ask("GET", "/api/games/farkle", headers={"cookie": f"{COOKIE}=somebody{n}.x.y"}).status_code
        for n in range(12)
    ]
    assert 429 in codes


def test_nobody_can_use_up_what_another_may_do(strict_server: Server) -> None:
    guest, stranger = strict_server.guest(), strict_server.stranger()
    for _ in range(12):
        stranger.ask("GET", "/api/games/farkle", headers={"cookie": f"{COOKIE}={guest.id}.x.y"})
    assert stranger.ask("GET", "/api/games/farkle").status_code == 429
    guest.get("/api/me")


def test_too_many_accounts_and_codes(strict_server: Server) -> None:
    strict_server.guest()
    stranger = strict_server.stranger()
    assert stranger.post("/api/me", 429)["code"] == "too-many-accounts"
    assert stranger.post("/api/me/redeem", 429, code="AAAA-AAAA-AAAA")["code"] == "too-many-codes"
    waits = [int(text.partition("'retry-after': '")[2].partition("'")[0]) for text in stranger.heard]
    assert all(100 < wait <= 200 for wait in waits), "one in 200 seconds, with limits as few as these"


def test_many_accounts_have_one_network(strict_server: Server) -> None:
    """Whoever comes as somebody else with each request still comes from the same place."""
    guard = strict_server.app.state.guard
    guard.accounts, guard.requests = Bucket(1000, 1), Bucket(1000, 1)  # no player's own limit is near
    guests = [strict_server.guest() for _ in range(8)]
    codes = [guest.ask("GET", "/api/games/farkle").status_code for guest in guests for _ in range(4)]
    assert codes[0] == 200
    assert 429 in codes
    assert strict_server.stranger().get("/api/health")["ok"], "a probe is answered all the same"
    assert strict_server.stranger().get("/api/health/ready")["ok"]


def test_too_many_messages(strict_server: Server) -> None:
    guest = strict_server.guest()
    table_id = guest.open("lite-solo")
    with guest.sit(table_id) as tab:
        with suppress(ConnectionClosed):  # it hangs up before it has heard all of that
            for _ in range(30):
                tab.send(type="look")
        assert tab.closed() == Close.TOO_MUCH
    assert json.loads(guest.heard[-1])["code"] == "too-fast"
    with guest.connect(table_id) as connection:  # another socket is no way around it
        connection.send(json.dumps(HELLO))
        with suppress(ConnectionClosed):
            for _ in range(12):
                connection.send('{"type":"look"}')
        assert Tab(connection, guest.heard).closed() == Close.TOO_MUCH
    assert json.loads(guest.heard[-1])["code"] == "too-fast"


def test_connecting_is_a_request(strict_server: Server) -> None:
    guest, guard = strict_server.guest(), strict_server.app.state.guard
    guard.requests, guard.sockets = Bucket(3, 0.001), Places(100)
    codes = [guest.close_code("new", {"type": "look"}) for _ in range(5)]
    assert codes == [Close.STALE_CLIENT] * 3 + [Close.TOO_MUCH] * 2


def test_too_many_messages_before_the_first_table(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "TIME_TO_CHOOSE", 5.0)
    monkeypatch.setattr(server.app.state.guard, "messages", Bucket(3, 0.001))
    guest = server.guest()
    assert guest.close_code("new", HELLO, *[{"type": "look"}] * 5) == Close.TOO_MUCH
    assert sum('"no-table"' in text for text in guest.heard) == 3


def test_too_many_messages_at_once(strict_server: Server) -> None:
    """Whoever still sends when it is told to stop hears why, and hears it once."""
    guest = strict_server.guest()
    look = Frame(Opcode.TEXT, b'{"type":"look"}').serialize(mask=True)
    with guest.sit(guest.open("lite-solo")) as tab:
        with suppress(OSError):
            for _ in range(20):
                tab.connection.socket.sendall(look * 200)
        assert tab.closed() == Close.TOO_MUCH
    assert sum('"too-fast"' in text for text in guest.heard) == 1


@pytest.mark.parametrize(
    ("address", "counted_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("somebody", "unknown"),
        ("", "unknown"),
    ],
)
def test_a_network(address: str, counted_as: str) -> None:
    assert network(address) == counted_as


def test_an_address_of_ipv6_is_as_good_as_its_neighbour(strict_server: Server) -> None:
    stranger = strict_server.stranger()
    near = [{"x-forwarded-for": f"2001:db8::{n}"} for n in range(12)]
    assert 429 in [stranger.ask("GET", "/api/games/farkle", headers=headers).status_code for headers in near]
    assert stranger.ask("GET", "/api/games/farkle", headers={"x-forwarded-for": "2001:db8:0:1::1"}).status_code == 200


def test_what_costs_more() -> None:
    bucket = Bucket(10, 0.001)
    assert [bucket.allow("a", 4) for _ in range(3)] == [True, True, False]
    assert bucket.wait("a", 4) == pytest.approx(2000, abs=60)
    assert bucket.allow("a")
    assert bucket.allow("b", 100), "all there is"
    assert not bucket.allow("b")
    assert bucket.wait("b", 100) == pytest.approx(10_000, abs=60), "until all is there again: there is never more"


def test_nobody_saves_up_more_than_all(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000_000.0
    monkeypatch.setattr(buckets, "time", SimpleNamespace(monotonic=lambda: now))
    bucket = Bucket(3, 1)
    assert bucket.allow("a")
    now += 100
    assert [bucket.allow("a") for _ in range(4)] == [True, True, True, False]
    now += 100
    bucket.charge("a", 5)
    assert not bucket.allow("a")
    assert bucket.wait("a") == 3, "two were missing"
    bucket.charge("new", 5)
    assert not bucket.allow("new")


def test_messages_of_one_network(strict_server: Server) -> None:
    """Many players at one place may not send more together than a place needs."""
    guard = strict_server.app.state.guard
    guard.accounts = guard.requests = guard.requests_of_network = guard.messages = Bucket(1000, 1)
    guests = [strict_server.guest() for _ in range(6)]
    closed = []
    for guest in guests:
        with guest.sit(guest.open("lite-solo")) as tab, suppress(ConnectionClosed):
            for _ in range(25):
                tab.send(type="look")
                closed.append(tab.hear().get("code"))
    assert "too-fast" in closed


def test_new_tables_of_one_network(strict_server: Server) -> None:
    guard = strict_server.app.state.guard
    guard.requests = guard.requests_of_network = Bucket(1000, 1)
    guest = strict_server.guest()
    asked = {"json": {"game": "lite-solo"}}
    answers = [guest.ask("POST", "/api/tables", **asked) for _ in range(30)]  # 25 of them at once
    assert answers[0].status_code == 201
    assert (answers[-1].status_code, answers[-1].json()["code"]) == (503, "busy")
    assert int(answers[-1].headers["retry-after"]) >= 1


def test_handshakes_that_are_turned_away_have_a_rate(strict_server: Server) -> None:
    """Those of a page of another origin, and those that lead nowhere."""
    stranger, foreign = strict_server.stranger(), {"Origin": "http://elsewhere.example"}
    codes = [stranger.close_code("new", **foreign) for _ in range(12)]
    assert codes[:6] == [Close.FOREIGN] * 6
    assert Close.TOO_MUCH in codes


def test_sockets_that_lead_nowhere_have_a_rate(strict_server: Server) -> None:
    stranger = strict_server.stranger()
    for _ in range(8):
        with closing(upgrade(strict_server, "/ws/nowhere")) as link:
            assert b" 403 " in link.recv(1000)
    assert stranger.ask("GET", "/api/games/farkle").status_code == 429


def test_who_opens_sockets_too_often_waits_for_the_refusal(tmp_path: Any) -> None:
    with Server(f"sqlite:///{tmp_path}/hall.sqlite", limits=FEW, seconds_to_refuse=0.3) as server:
        stranger, waited = server.stranger(), []
        for _ in range(9):
            started = time.monotonic()
            if stranger.close_code("new") == Close.TOO_MUCH:
                waited.append(time.monotonic() - started)
        assert waited
        assert min(waited) >= 0.3
