"""What is told: headers of every answer, metrics, and what never gets into a log."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import time
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from dicehall.server.app import HEADERS, MONITORING, PAGE, Gate
from dicehall.server.guard import COOKIE
from dicehall.server.wire import PROTOCOL
from tests.patience import PATIENCE
from tests.server.conftest import NewUrl
from tests.server.running import Server, run_apart
from tests.server.test_operator import soon


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
        for _ in range(100):  # whoever sat elsewhere before has hung up by now
            found = guest.ask("GET", "/metrics")
            if "dicehall_sockets 1.0" in found.text:
                break
            time.sleep(0.1)
    assert 'route="/api/tables/{table_id}"' in found.text
    assert 'dicehall_moves_total{game="lite-solo"}' in found.text
    assert "dicehall_sockets 1.0" in found.text
    assert table_id not in found.text
    assert "/no/such/page" not in found.text


def test_health(server: Server) -> None:
    assert httpx.get(f"{server.url}/api/health").json()["protocol"] == PROTOCOL


def test_a_made_up_method_is_no_name_of_its_own(server: Server) -> None:
    """Whoever invents methods does not fill the metrics with them."""
    guest = server.stranger()
    for method in ("PROPFIND", "MKCOL", "LOCK"):
        assert guest.ask(method, "/api/health").status_code == 405
    metrics = guest.ask("GET", "/metrics").text
    assert 'method="OTHER",route="/api/health",status="405"' in metrics
    assert "PROPFIND" not in metrics
