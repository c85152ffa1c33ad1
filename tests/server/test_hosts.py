"""Under which names the hall answers, and which pages may act."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed

from dicehall.errors import InvalidOption
from dicehall.server.guard import COOKIE, host_name
from dicehall.server.serve import known_hosts
from dicehall.server.wire import Close
from tests.patience import PATIENCE
from tests.server.running import HELLO, Guest, Server


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
    assert guest.close_code(table_id, HELLO, Origin=headers["origin"]) == Close.FOREIGN
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
