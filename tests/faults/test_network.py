"""A network that fails between the hall and its database: nothing is lost, everybody is told, and it comes back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest

from dicehall.server import access, keepers, tab, wire
from dicehall.server.wire import Close
from tests.faults.proxy import Proxy
from tests.faults.test_store import until
from tests.patience import PATIENCE
from tests.server.running import Server
from tests.store.postgres import new_database


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    with Proxy(new_database()) as made:
        yield made


def test_connections_that_fall_silent_are_made_anew(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a failover: the old ones never say anything again, and new ones work."""
    monkeypatch.setattr(keepers, "LOOK_EVERY", 0.2)
    monkeypatch.setattr(keepers, "SILENT", 3.0)
    with Server(proxy.url) as server:
        guest = server.guest()
        table_id = guest.open("lite-solo")
        with guest.sit(table_id) as tab:
            tab.play_on(Random(1), 3)
            shown = tab.count
            assert proxy.fall_silent() > 0
            tab.send(type="move", seen=tab.count, move=tab.moves[0])
            assert tab.refusal() == "not-kept"
            assert '"waiting"' in guest.heard[-2], "before that, within two seconds"
        until(lambda: guest.ask("GET", "/api/health/ready").status_code == 200)
        with guest.sit(table_id) as tab:
            assert tab.count >= shown, "what was shown is kept"
            tab.play_on(Random(2))
            assert guest.run(tab)["score"] > 0


def test_whoever_arrives_while_the_store_is_silent_hears_why(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "READ_SECONDS", 1.0)
    monkeypatch.setattr(tab, "NOTICE", 0.3)
    with Server(proxy.url) as server:
        guest = server.guest()
        table_id = guest.open("lite-solo")
        server.app.state.guard.forget(guest.id)  # who it is has to be read
        assert proxy.fall_silent(for_good=True) > 0
        hello = {"type": "hello", "protocol": wire.PROTOCOL}
        for where in (table_id, "new"):
            with guest.connect(where) as link:
                link.send(json.dumps(hello))
                assert '"waiting"' in str(link.recv(PATIENCE))
                assert '"busy"' in str(link.recv(PATIENCE))
            assert guest.close_code(where, hello) == Close.TRY_LATER
        proxy.hang_up()
        until(lambda: server.app.state.hall.access.silent_for == 0)  # whoever waited has been told


def test_a_lost_answer_to_an_opened_daily_costs_no_attempt(proxy: Proxy) -> None:
    with Server(proxy.url) as server:
        guest = server.guest()
        proxy.lose_commit_after(b"INSERT INTO attempts")
        asked = {"game": "lite-solo", "kind": "daily"}
        answer = guest.ask("POST", "/api/tables", json=asked)
        assert (answer.status_code, answer.json()["code"], proxy.dropped) == (503, "busy", 1)
        assert int(answer.headers["retry-after"]) > 0
        (left,) = guest.get("/api/tables")
        again = guest.post("/api/tables", 201, **asked)
        assert (again["id"], again["first"]) == (left["id"], True)
