"""Rate limits, sizes, connections, hosts and origins, headers, and what never gets into a log."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from dicehall.bots.player import play_on, player
from dicehall.errors import InvalidOption
from dicehall.play.table import Table
from dicehall.rules.catalog import find_game
from dicehall.server import access, downloads
from dicehall.server import bucket as buckets
from dicehall.server import socket as sockets
from dicehall.server.app import HEADERS, LONGEST_BODIES, LONGEST_BODY, MONITORING, PAGE, Gate
from dicehall.server.bucket import Bucket, Places
from dicehall.server.door import Door
from dicehall.server.guard import COOKIE, host_name, network
from dicehall.server.http import Http
from dicehall.server.jobs import LONGEST_RECORD, MOST_STEPS
from dicehall.server.serve import known_hosts, signing_key
from dicehall.server.settings import Settings
from dicehall.server.wire import PROTOCOL
from dicehall.store import runs
from dicehall.store.engine import KEY
from tests.server.conftest import NewUrl
from tests.server.running import CUT_OFF, PATIENCE, Guest, Json, Server, Tab, run_apart
from tests.server.test_operator import soon

HELLO = {"type": "hello", "protocol": PROTOCOL}
FEW = 0.05  # 6 requests at once, 10 messages, 1 account


@pytest.fixture
def strict_server(tmp_path: Any) -> Iterator[Server]:
    with Server(f"sqlite:///{tmp_path}/hall.sqlite", limits=FEW) as server:
        yield server


def test_too_many_requests(strict_server: Server) -> None:
    stranger = strict_server.stranger()
    codes = [stranger.ask("GET", "/api/games/farkle").status_code for _ in range(12)]
    assert codes[:6] == [200] * 6
    assert 429 in codes
    refused = next(text for text in stranger.heard if "too-fast" in text)
    assert "nosniff" in refused
    assert "'retry-after': '1'" in refused


def test_what_takes_longer_counts_for_more(sqlite_url: str) -> None:
    """So that nobody takes the processor by asking for the longest answers as often as for the shortest."""

    def allowed(path: str, **query: Any) -> int:
        with Server(sqlite_url, limits=1.0) as server:
            guest = server.guest()
            return next(n for n in range(200) if guest.ask("GET", path, params=query).status_code == 429)

    short = allowed("/api/runs")
    assert short > 5 * allowed("/api/lobby") > 0
    assert short > 8 * allowed("/api/runs", limit=100) > 0


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


def test_probes_fill_no_log(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "dicehall.server")
    stranger = server.stranger()
    for path in MONITORING:
        assert stranger.ask("GET", path).status_code == 200
    stranger.post("/api/health", 405)
    stranger.get("/api/games/farkle")

    def logged() -> list[int]:
        return [json.loads(record.message)["status"] for record in caplog.records if record.message.startswith("{")]

    soon(lambda: 200 in logged())  # the line follows the answer
    assert logged() == [405, 200]


def test_what_is_no_http_fills_no_log(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    for nonsense in (b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as link:
            link.sendall(nonsense)
            assert b" 4" in link.recv(1000)
    assert not [record for record in caplog.records if record.name.startswith("uvicorn")]


def test_who_hangs_up_before_the_answer_is_no_fault(strict_server: Server, caplog: pytest.LogCaptureFixture) -> None:
    """The loop says so with a RuntimeError, if the client goes in the very moment in which it is answered."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    def ask(reason: str) -> None:
        async def send(message: Any) -> None:
            raise RuntimeError(reason)

        headers = [(b"host", strict_server.host.encode())]
        scope = {"type": "http", "method": "GET", "path": "/api/health", "headers": headers, "app": strict_server.app}
        run_apart(Gate(answer)(scope, asyncio.Queue[Any]().get, send))

    ask("unable to perform operation on <TCPTransport closed=True>; the handler is closed")
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    with pytest.raises(RuntimeError, match="something else"):
        ask("something else")
    assert "a request failed" in caplog.text


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
        assert tab.closed() == sockets.TOO_MUCH
    assert json.loads(guest.heard[-1])["code"] == "too-fast"
    with guest.connect(table_id) as connection:  # another socket is no way around it
        connection.send(json.dumps(HELLO))
        with suppress(ConnectionClosed):
            for _ in range(12):
                connection.send('{"type":"look"}')
        assert Tab(connection, guest.heard).closed() == sockets.TOO_MUCH
    assert json.loads(guest.heard[-1])["code"] == "too-fast"


def test_connecting_is_a_request(strict_server: Server) -> None:
    guest, guard = strict_server.guest(), strict_server.app.state.guard
    guard.requests, guard.sockets = Bucket(3, 0.001), Places(100)
    codes = [guest.close_code("new", {"type": "look"}) for _ in range(5)]
    assert codes == [sockets.STALE_CLIENT] * 3 + [sockets.TOO_MUCH] * 2


def test_too_many_messages_before_the_first_table(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "TIME_TO_CHOOSE", 5.0)
    monkeypatch.setattr(server.app.state.guard, "messages", Bucket(3, 0.001))
    guest = server.guest()
    assert guest.close_code("new", HELLO, *[{"type": "look"}] * 5) == sockets.TOO_MUCH
    assert sum('"no-table"' in text for text in guest.heard) == 3


def test_too_many_messages_at_once(strict_server: Server) -> None:
    """Whoever still sends when it is told to stop hears why, and hears it once."""
    guest = strict_server.guest()
    look = Frame(Opcode.TEXT, b'{"type":"look"}').serialize(mask=True)
    with guest.sit(guest.open("lite-solo")) as tab:
        with suppress(OSError):
            for _ in range(20):
                tab.connection.socket.sendall(look * 200)
        assert tab.closed() == sockets.TOO_MUCH
    assert sum('"too-fast"' in text for text in guest.heard) == 1


def answer_to_a_long_body(server: Server, path: str, longest: int, chunked: bool) -> tuple[int, Json]:
    """Say how much is coming, or send it bit by bit; stop as soon as there is an answer."""
    caller = HTTPConnection("127.0.0.1", server.port, timeout=10)
    with closing(caller):
        caller.putrequest("POST", path)
        caller.putheader("Content-Type", "application/json")
        if chunked:
            caller.putheader("Transfer-Encoding", "chunked")
            caller.endheaders()
            for _ in range(longest // 1024 + 1):
                caller.send(b"400\r\n" + b" " * 1024 + b"\r\n")
        else:
            caller.putheader("Content-Length", str(longest + 1))
            caller.endheaders()
        answer = caller.getresponse()
        return answer.status, json.loads(answer.read())


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("path", ["/api/me/redeem", "/api/coach/advise", *LONGEST_BODIES])
def test_a_request_has_a_size(server: Server, path: str, chunked: bool) -> None:
    """Little for all that takes little: whatever is read of it is read by the event loop."""
    longest = LONGEST_BODIES.get(path, LONGEST_BODY)
    assert longest <= 64 * 1024
    status, told = answer_to_a_long_body(server, path, longest, chunked)
    assert (status, told["code"]) == (413, "body-length")
    guest = server.guest()
    assert not guest.post("/api/records/check", record="x" * LONGEST_RECORD)["ok"]


def test_a_record_longer_than_any_run_is_not_read(server: Server) -> None:
    guest = server.guest()
    steps = " ".join(["d1"] * (MOST_STEPS + 2))
    for record in ("x" * (LONGEST_RECORD + 1), steps, steps.replace(" ", "-"), {"steps": steps}):
        assert guest.post("/api/records/check", 400, record=record)["code"] == "record-length"


def test_a_message_has_a_size(server: Server) -> None:
    guest = server.guest()
    table_id = guest.open("lite-solo")
    assert guest.close_code(table_id, HELLO, "x" * 200_000) in (1009, CUT_OFF)
    with guest.sit(table_id) as tab:
        assert tab.count == 1


@pytest.mark.parametrize(
    "origin",
    [
        "http://elsewhere.example", "null", "", "http://[", "http://127.0.0.1", "https://127.0.0.1:{port}",
        "http://127.0.0.1:1", "http://localhost:{port}", "http://127.0.0.1:{port}.example", "http://127.0.0.1:{port}/",
        "x" * 5000,
    ],
)  # fmt: skip
def test_pages_of_other_hosts_may_not_act(server: Server, origin: str) -> None:
    guest = server.guest()
    table_id = guest.open("lite-solo")
    headers = {"origin": origin.format(port=server.port)}
    for method, path in (("POST", "/api/me"), ("POST", "/api/tables"), ("PATCH", "/api/me"), ("DELETE", "/api/me")):
        assert guest.call(method, path, 403, headers=headers)["code"] == "origin"
    assert guest.close_code(table_id, HELLO, Origin=headers["origin"]) == sockets.FOREIGN
    assert guest.get("/api/me")
    assert "access-control-allow-origin" not in guest.ask("GET", "/api/me", headers=headers).headers


def acts(guest: Guest, **headers: str) -> bool:
    """Whether a page with such headers may change something; a socket has to be of the same opinion."""
    table_id = guest.open("lite-solo")
    may = guest.ask("PATCH", "/api/me", json={"nickname": guest.id[:20]}, headers=headers).status_code == 200
    with guest.connect(table_id, **headers) as connection:
        try:
            connection.send(json.dumps(HELLO))
            assert json.loads(connection.recv(PATIENCE))["type"] == "table"
            assert may
        except ConnectionClosed:
            assert not may
    return may


def test_our_own_page_may(server: Server) -> None:
    guest = server.guest()
    assert acts(guest, Origin=server.url)
    assert acts(guest)


def test_a_page_without_https_may_not_where_there_is_https(server: Server, sqlite_url: str) -> None:
    """Whether the hall was told so, or the proxy tells with each request."""
    guest = server.guest()
    assert acts(guest, **{"Origin": f"https://{server.host}", "X-Forwarded-Proto": "https"})
    assert not acts(guest, **{"Origin": server.url, "X-Forwarded-Proto": "https"})
    with Server(sqlite_url, https=True) as behind:
        guest = behind.guest()
        cookie = guest.http.cookies[COOKIE]
        guest.http.cookies.clear()
        guest.http.cookies.set(COOKIE, cookie)  # which would else go nowhere but to a proxy with HTTPS
        assert acts(guest, Origin=f"https://{behind.host}")
        assert not acts(guest, Origin=behind.url)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:8000", "LocalHost", "[::1]", "[::1]:80", "dice.example:443"])
def test_names_of_the_hall(known: Server, host: str) -> None:
    guest = known.guest()
    assert guest.ask("GET", "/api/me", headers={"host": host}).status_code == 200
    with websocket(guest, host) as link:
        assert b" 101 " in link.recv(100)


@pytest.mark.parametrize(
    "host",
    ["elsewhere.example", "dice.example.", "127.0.0.1.elsewhere.example", "", "[::1", "[elsewhere]", "::1", "[::2]",
     "127.0.0.1:80:80", "user@localhost", "10.0.0.1"],
)  # fmt: skip
def test_other_names_are_not_answered(known: Server, host: str) -> None:
    """A page whose name points to this machine is no page of ours. Whoever looks whether we live has no name for us."""
    guest = known.guest()
    for method, path in (("GET", "/"), ("GET", "/api/me"), ("POST", "/api/me"), ("GET", "/metrics")):
        assert guest.call(method, path, 421, headers={"host": host})["code"] == "host"
    assert guest.ask("GET", "/api/health", headers={"host": host}).status_code == 200
    with websocket(guest, host) as link:
        assert b" 403 " in link.recv(100)


def test_two_names_are_none(known: Server) -> None:
    with socket.create_connection(("127.0.0.1", known.port), PATIENCE) as link:
        link.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: elsewhere.example\r\n\r\n")
        assert b" 421 " in link.recv(100)
    with socket.create_connection(("127.0.0.1", known.port), PATIENCE) as link:
        link.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert b" 421 " in link.recv(100)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall with a name."""
    with Server(f"sqlite:///{tmp_path_factory.mktemp('hall')}/hall.sqlite", hosts=("dice.example",)) as server:
        yield server


def websocket(guest: Guest, host: str) -> socket.socket:
    """A handshake by hand."""
    link = socket.create_connection(("127.0.0.1", guest.server.port), PATIENCE)
    link.sendall(
        f"GET /ws/tables/new HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    return link


def test_names_that_the_hall_is_started_with() -> None:
    assert known_hosts("127.0.0.1", (), lan=False) == ()
    assert known_hosts("192.0.2.7", ("Dice.Example", "dice.example:443"), lan=False) == ("192.0.2.7", "dice.example")
    name = socket.gethostname().lower()
    assert {name, f"{name}.local"} <= set(known_hosts("0.0.0.0", (), lan=True))
    assert host_name("[2001:DB8:0::1]:8000") == "2001:db8::1"
    with pytest.raises(InvalidOption):
        known_hosts("127.0.0.1", ("https://dice.example",), lan=False)


@pytest.mark.parametrize("path", ["/api/me/", "/api/tables/", "/api/health/", "/metrics/"])
def test_nobody_is_sent_elsewhere(server: Server, path: str) -> None:
    assert server.stranger().ask("GET", path).status_code == 404


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


def test_a_first_table_is_asked_for_within_a_minute(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "TIME_TO_CHOOSE", 0.2)
    guest = server.guest()
    assert guest.close_code("new", HELLO) == sockets.STALE_CLIENT
    assert guest.close_code("new", HELLO, {"type": "look"}) == sockets.STALE_CLIENT
    with guest.sit(guest.open("lite-solo")) as tab:
        tab.move("b2")


def test_connections_of_one_network(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of its own connections the longest idle one goes; while none is idle, it has no more. Others do not notice."""
    monkeypatch.setattr(Http, "_network", lambda http: http.client[0])  # as if these were addresses of somebody else

    def come_from(address: str) -> socket.socket:
        return socket.create_connection(("127.0.0.1", server.port), PATIENCE, (address, 0))

    with Server(sqlite_url, connections_of_network=3) as server:
        other = come_from("127.0.0.3")
        idle, *busy = [come_from("127.0.0.2") for _ in range(3)]
        for link in busy:
            link.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n")
        busy.append(come_from("127.0.0.2"))
        busy[-1].sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n")
        with suppress(ConnectionResetError):
            assert idle.recv(100) == b""
        with come_from("127.0.0.2") as refused:
            assert b" 503 " in refused.recv(100)
        for link in (other, *busy):
            link.sendall(b"\r\n" if link in busy else b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b" 200 " in link.recv(100)
        for link in (idle, other, *busy):
            link.close()


def test_the_connection_that_has_been_idle_longest_goes(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not the oldest: whoever has just asked something stays."""
    monkeypatch.setattr(Http, "_network", lambda http: http.client[0])

    def ask(link: HTTPConnection) -> int:
        link.request("GET", "/api/health")
        answer = link.getresponse()
        answer.read()
        return answer.status

    with Server(sqlite_url, connections_of_network=3) as server, ExitStack() as stack:
        first, second, third, fourth = (
            stack.enter_context(closing(HTTPConnection("127.0.0.1", server.port, PATIENCE, ("127.0.0.2", 0))))
            for _ in range(4)
        )
        assert [ask(link) for link in (first, second, third, first, fourth)] == [200] * 5
        with pytest.raises(ConnectionError):
            ask(second)
        assert [ask(link) for link in (third, first, fourth)] == [200] * 3


def test_what_is_closed_and_not_read_is_cut_off() -> None:
    async def close_unread() -> None:
        door, gone, made = Door(Settings("", b"")), asyncio.Event(), asyncio.Event()

        class Talker(asyncio.Protocol):
            def connection_made(self, transport: Any) -> None:
                assert door.enter(transport, "")
                transport.write(b"x" * 50_000_000)
                transport.close()
                made.set()

            def connection_lost(self, error: Exception | None) -> None:
                gone.set()

        listener = await asyncio.get_running_loop().create_server(Talker, "127.0.0.1", 0)
        with socket.create_connection(listener.sockets[0].getsockname()):
            await made.wait()
            door.tidy()
            await asyncio.sleep(0.05)
            assert not gone.is_set()
            door.tidy()
            await asyncio.wait_for(gone.wait(), PATIENCE)
        listener.close()

    run_apart(close_unread())


def boom() -> None:
    raise RuntimeError("5ec7e7: something nobody thought of")


def with_a_fault(app: FastAPI) -> None:
    app.add_api_route("/api/boom", boom, methods=["GET", "POST"])


def test_every_answer_has_the_headers(sqlite_url: str) -> None:
    with Server(sqlite_url, prepare=with_a_fault) as server:
        guest = server.guest()
        answers = {
            200: guest.ask("GET", "/api/health"),
            201: guest.ask("POST", "/api/tables", json={"game": "farkle"}),
            400: guest.ask("POST", "/api/tables", json={"game": "chess"}),
            401: server.stranger().ask("GET", "/api/me"),
            403: guest.ask("POST", "/api/me", headers={"origin": "http://elsewhere.example"}),
            404: guest.ask("GET", "/api/nothing"),
            405: guest.ask("PUT", "/api/me"),
            422: guest.ask("POST", "/api/tables", json={}),
            500: guest.ask("GET", "/api/boom"),
        }
        more = [guest.ask("GET", path) for path in ("/", "/metrics", "/api/openapi.json", "/api/export/ranked.jsonl")]
        more += [guest.ask("HEAD", "/"), guest.ask("OPTIONS", "/api/me"), guest.ask("DELETE", "/api/me")]
        for status, answer in answers.items():
            assert answer.status_code == status
            if status >= 400:
                assert set(answer.json()) == {"code", "message"}, "an error has a code and a sentence"
        assert "5ec7e7" not in answers[500].text
        for answer in (*answers.values(), *more):
            for name, value in HEADERS.items():
                assert answer.headers.get_list(name) == [value]
            assert "server" not in answer.headers
            assert answer.headers["cache-control"] == (
                "no-cache" if answer.url.path == "/" and PAGE.is_dir() else "no-store"
            )


def test_the_headers_forbid_what_they_should() -> None:
    policy = HEADERS["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-inline" not in policy
    assert "'unsafe-eval'" not in policy


def test_no_secret_gets_into_the_log(new_url: NewUrl, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="dicehall")
    with Server(new_url()) as server:
        guest = server.guest("Nickname")
        code = guest.post("/api/me/transfer")["code"]
        server.stranger().post("/api/me/redeem", code=code)
        server.stranger().post("/api/me/redeem", 404, code="WRONG-CODE")
        ids = [guest.open("lite-solo", seed="my own"), guest.open("lite-solo", kind="daily")]
        for table_id in ids:
            with guest.sit(table_id) as tab:
                tab.move("b2")
                assert tab.try_move("b2")
        token = guest.http.cookies[COOKIE].split(".")[1]
        secrets = [server.saved(table_id).secret for table_id in ids]
        guest.ask("GET", "/api/nothing/here?token=" + token)
    log = caplog.text + "".join(str(record.__dict__) for record in caplog.records)
    assert "/api/tables" in log, "there is a log"
    for secret in (*secrets, token, guest.http.cookies[COOKIE], code, code.replace("-", ""), "WRONG", "my own", *ids):
        assert secret is not None
        assert secret not in log
    lines = [json.loads(record.getMessage()) for record in caplog.records if record.name == "dicehall.server"]
    assert all(set(line) == {"route", "method", "status", "ms"} for line in lines)


BREAK = {  # no table can be written any more
    "sqlite": ("CREATE TRIGGER full BEFORE INSERT ON tables BEGIN INSERT INTO full_disk VALUES (1); END",),
    "postgresql": (
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'full_disk'; END $$",
        'CREATE TRIGGER "full" BEFORE INSERT ON tables FOR EACH ROW EXECUTE FUNCTION full_disk()',
    ),
}
MEND = {"sqlite": "DROP TRIGGER full", "postgresql": 'DROP TRIGGER "full" ON tables'}


def test_a_broken_store_tells_no_secret_either(
    database: str, new_url: NewUrl, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever the database says about a statement, the values in it stay out of answers and log."""
    with Server(new_url()) as server:
        guest = server.guest()
        engine = server.app.state.hall.engine
        with engine.begin() as connection:
            for statement in BREAK[database]:
                connection.execute(text(statement))
        answer = guest.ask("POST", "/api/tables", json={"game": "lite-solo", "seed": "my own seed"})
        assert answer.status_code == 503
        assert set(answer.json()) == {"code", "message"}
        with engine.begin() as connection:
            connection.execute(text(MEND[database]))
        assert guest.open("lite-solo"), "and when it is back, so are we"
    assert "full_disk" in caplog.text
    assert "my own seed" not in caplog.text + answer.text
    assert guest.id not in caplog.text


def test_metrics_count_by_route_not_by_address(server: Server) -> None:
    guest = server.guest()
    table_id = guest.open("lite-solo")
    guest.get(f"/api/tables/{table_id}")
    guest.ask("GET", "/no/such/page")
    with guest.sit(table_id) as tab:
        tab.move("b2")
        found = guest.ask("GET", "/metrics")
    assert 'route="/api/tables/{table_id}"' in found.text
    assert 'dicehall_moves_total{game="lite-solo"}' in found.text
    assert "dicehall_sockets 1.0" in found.text
    assert table_id not in found.text
    assert "/no/such/page" not in found.text


def test_health(server: Server) -> None:
    assert httpx.get(f"{server.url}/api/health").json()["protocol"] == PROTOCOL


def test_a_long_record_holds_nobody_up(server: Server) -> None:
    """Six random players and a hundred turns are much work to check. Meanwhile another gets many answers, where
    somebody who has to wait would get one to each check."""
    game = find_game("farkle")
    table = Table(game, options={"max_turns": 55, "target": 1_000_000}, seats=["random"] * 6, seed="long")
    play_on(table, {seat: player("random", game, "long", seat) for seat in range(6)})
    checker, other = server.guest(), server.guest()
    text, answered = str(table.record()), 0
    proved: list[bool] = []
    assert 1000 < len(table.steps) < MOST_STEPS

    def check() -> None:
        proved.extend(checker.post("/api/records/check", record=text)["proved"] for _ in range(10))

    waiting = threading.Thread(target=check)
    waiting.start()
    while waiting.is_alive():
        other.get("/api/me")
        answered += 1
    assert proved == [True] * 10
    assert answered > 20


def test_a_made_up_method_is_no_name_of_its_own(server: Server) -> None:
    """Whoever invents methods does not fill the metrics with them."""
    guest = server.stranger()
    for method in ("PROPFIND", "MKCOL", "LOCK"):
        assert guest.ask(method, "/api/health").status_code == 405
    metrics = guest.ask("GET", "/metrics").text
    assert 'method="OTHER",route="/api/health",status="405"' in metrics
    assert "PROPFIND" not in metrics


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


def test_more_reads_than_can_wait(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = server.guest()
    monkeypatch.setattr(access, "MOST_READING", 0)
    assert guest.get("/api/runs", 503)["code"] == "busy"
    monkeypatch.undo()
    guest.get("/api/runs")


def test_a_download_has_an_end(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = server.guest()
    guest.play("lite-solo", kind="practice")
    monkeypatch.setattr(downloads, "SECONDS", -1.0)
    with pytest.raises(httpx.RemoteProtocolError):
        guest.ask("GET", "/api/me/export")
    monkeypatch.undo()
    assert guest.get("/api/me/export")["runs"]


def test_two_halls_that_open_at_once_have_one_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cookies of one are good at the other."""

    def another_is_quicker(length: int) -> bytes:
        (tmp_path / KEY).write_bytes(b"o" * length)
        return b"m" * length

    monkeypatch.setattr("secrets.token_bytes", another_is_quicker)
    assert signing_key(tmp_path) == signing_key(tmp_path) == b"o" * 32
    assert [file.name for file in tmp_path.iterdir()] == [KEY]


def test_a_refused_socket_that_stays_takes_nobodys_place(tmp_path: Path) -> None:
    """It is told to go, and says nothing. Others may have its place at once, and a second later it is cut off."""
    with Server(f"sqlite:///{tmp_path}/hall.sqlite", connections=6) as server, ExitStack() as links:
        refused = [links.enter_context(closing(upgrade(server, "/ws/tables/new"))) for _ in range(6)]
        assert all(b" 101 " in link.recv(1000) for link in refused)
        server.guest()
        for link in refused:
            link.settimeout(PATIENCE)
            with suppress(ConnectionError):
                while link.recv(1000):
                    pass


def upgrade(server: Server, path: str) -> socket.socket:
    """A handshake without a cookie, and not a word more."""
    link = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    lines = f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Upgrade: websocket", "Connection: Upgrade"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"
    link.sendall("\r\n".join((*lines, *key, "", "")).encode())
    return link


def test_handshakes_that_are_turned_away_have_a_rate(strict_server: Server) -> None:
    """Those of a page of another origin, and those that lead nowhere."""
    stranger, foreign = strict_server.stranger(), {"Origin": "http://elsewhere.example"}
    codes = [stranger.close_code("new", **foreign) for _ in range(12)]
    assert codes[:6] == [sockets.FOREIGN] * 6
    assert sockets.TOO_MUCH in codes


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
            if stranger.close_code("new") == sockets.TOO_MUCH:
                waited.append(time.monotonic() - started)
        assert waited
        assert min(waited) >= 0.3


def test_reads_that_come_back_late_make_room(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    guest, history, go_on = own_server.guest(), runs.history, threading.Event()
    guest.get("/api/runs")

    def hang(*asked: Any) -> list[runs.Run]:
        go_on.wait(PATIENCE)
        return history(*asked)

    monkeypatch.setattr(runs, "history", hang)
    monkeypatch.setattr(access, "READ_SECONDS", 0.1)
    for _ in range(access.READERS):
        assert guest.get("/api/runs", 503)["code"] == "busy"
    monkeypatch.setattr(access, "READ_SECONDS", PATIENCE)
    assert guest.get("/api/tables", 503)["code"] == "busy", "everybody who reads hangs: nobody waits for them"
    go_on.set()
    soon(lambda: guest.ask("GET", "/api/tables").status_code == 200)


def test_a_place_is_given_back_however_a_socket_ends(strict_server: Server) -> None:
    """There is one for each player: whoever asked for a table that is not there may ask again."""
    guest = strict_server.guest()
    for _ in range(3):
        assert guest.close_code("nowhere", HELLO) == sockets.NO_TABLE
