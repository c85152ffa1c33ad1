"""Rate limits, sizes, origins, headers, and what never gets into a log."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from websockets.exceptions import ConnectionClosed

from dicehall.bots.player import play_on, player
from dicehall.play.table import Table
from dicehall.rules.catalog import find_game
from dicehall.server import socket as sockets
from dicehall.server.app import HEADERS, LONGEST_BODY
from dicehall.server.guard import COOKIE
from dicehall.server.jobs import LONGEST_RECORD, MOST_STEPS
from dicehall.server.wire import PROTOCOL
from tests.server.conftest import NewUrl
from tests.server.running import CUT_OFF, Json, Server

HELLO = {"type": "hello", "protocol": PROTOCOL}
FEW = 0.05  # 6 requests at once, 10 messages, 1 account


@pytest.fixture
def strict_server(tmp_path: Any) -> Iterator[Server]:
    with Server(f"sqlite:///{tmp_path}/hall.sqlite", limits=FEW) as server:
        yield server


def test_too_many_requests(strict_server: Server) -> None:
    stranger = strict_server.stranger()
    codes = [stranger.ask("GET", "/api/health").status_code for _ in range(12)]
    assert codes[:6] == [200] * 6
    assert 429 in codes
    refused = next(text for text in stranger.heard if "too-fast" in text)
    assert "nosniff" in refused


def test_made_up_cookies_do_not_evade_the_limit(strict_server: Server) -> None:
    stranger = strict_server.stranger()
    codes = [
        stranger.ask("GET", "/api/health", headers={"cookie": f"{COOKIE}=somebody{n}.x.y"}).status_code
        for n in range(12)
    ]
    assert 429 in codes


def test_nobody_can_use_up_what_another_may_do(strict_server: Server) -> None:
    guest, stranger = strict_server.guest(), strict_server.stranger()
    for _ in range(12):
        stranger.ask("GET", "/api/health", headers={"cookie": f"{COOKIE}={guest.id}.x.y"})
    assert stranger.ask("GET", "/api/health").status_code == 429
    guest.get("/api/me")


def test_too_many_accounts_and_codes(strict_server: Server) -> None:
    strict_server.guest()
    stranger = strict_server.stranger()
    assert stranger.post("/api/me", 429)["code"] == "too-many-accounts"
    assert stranger.post("/api/me/redeem", 429, code="AAAA-AAAA-AAAA")["code"] == "too-many-codes"


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
            for _ in range(2):
                connection.send('{"type":"look"}')
        codes = [json.loads(connection.recv(5)).get("code") for _ in range(2)]
        assert codes[-1] == "too-fast"


def answer_to_a_long_body(server: Server, chunked: bool) -> tuple[int, Json]:
    """Say how much is coming, or send it bit by bit; stop as soon as there is an answer."""
    caller = HTTPConnection("127.0.0.1", server.port, timeout=10)
    with closing(caller):
        caller.putrequest("POST", "/api/records/check")
        caller.putheader("Content-Type", "application/json")
        if chunked:
            caller.putheader("Transfer-Encoding", "chunked")
            caller.endheaders()
            for _ in range(LONGEST_BODY // 1024 + 1):
                caller.send(b"400\r\n" + b" " * 1024 + b"\r\n")
        else:
            caller.putheader("Content-Length", str(LONGEST_BODY + 1))
            caller.endheaders()
        answer = caller.getresponse()
        return answer.status, json.loads(answer.read())


@pytest.mark.parametrize("chunked", [False, True])
def test_a_request_has_a_size(server: Server, chunked: bool) -> None:
    status, told = answer_to_a_long_body(server, chunked)
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
    ["http://elsewhere.example", "null", "", "http://[", "https://127.0.0.1", "http://127.0.0.1.example", "x" * 5000],
)
def test_pages_of_other_hosts_may_not_act(server: Server, origin: str) -> None:
    guest = server.guest()
    table_id = guest.open("lite-solo")
    headers = {"origin": origin}
    for method, path in (("POST", "/api/me"), ("POST", "/api/tables"), ("PATCH", "/api/me"), ("DELETE", "/api/me")):
        assert guest.call(method, path, 403, headers=headers)["code"] == "origin"
    assert guest.close_code(table_id, HELLO, Origin=origin) == sockets.FOREIGN
    assert guest.get("/api/me")
    assert "access-control-allow-origin" not in guest.ask("GET", "/api/me", headers=headers).headers


def test_our_own_page_may(sqlite_url: str) -> None:
    with Server(sqlite_url, origins=("https://dice.example",)) as server:
        for origin in (server.url, "https://dice.example"):
            guest = server.stranger()
            guest.call("POST", "/api/me", 200, headers={"origin": origin})
            with guest.connect(guest.open("lite-solo"), Origin=origin) as connection:
                connection.send(json.dumps(HELLO))
                assert json.loads(connection.recv(5))["type"] == "table"


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
        assert answer.status_code == 500
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
    somebody who has to wait would get one or two."""
    game = find_game("farkle")
    table = Table(game, options={"max_turns": 140, "target": 1_000_000}, seats=["random"] * 6, seed="long")
    play_on(table, {seat: player("random", game, "long", seat) for seat in range(6)})
    checker, other = server.guest(), server.guest()
    text, proved, answered = str(table.record()), [], 0
    assert 3000 < len(table.steps) < MOST_STEPS

    def check() -> None:
        proved.append(checker.post("/api/records/check", record=text)["proved"])

    waiting = threading.Thread(target=check)
    waiting.start()
    while waiting.is_alive():
        other.get("/api/me")
        answered += 1
    assert proved == [True]
    assert answered > 5


def test_a_made_up_method_is_no_name_of_its_own(server: Server) -> None:
    """Whoever invents methods does not fill the metrics with them."""
    guest = server.stranger()
    for method in ("PROPFIND", "MKCOL", "LOCK"):
        assert guest.ask(method, "/api/health").status_code == 405
    metrics = guest.ask("GET", "/metrics").text
    assert 'method="OTHER",route="/api/health",status="405"' in metrics
    assert "PROPFIND" not in metrics
