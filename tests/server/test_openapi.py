"""Requests drawn from the server's own description: no server error, and no answer that it does not describe."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from dicehall.server.app import create_app
from dicehall.server.guard import COOKIE
from dicehall.server.settings import Settings
from tests.server.running import Guest, Server
from tests.soak import times

CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = times(20, 3000)
DESCRIBED = create_app(Settings("sqlite:///unused", b"")).openapi()
OPERATIONS = [(method.upper(), path) for path, methods in DESCRIBED["paths"].items() for method in methods]
SCHEMA = schemathesis.openapi.from_dict(DESCRIBED)


@pytest.fixture(scope="module")
def real(server: Server) -> dict[str, str]:
    """Values that lead somewhere, to be put where a made-up one would only lead to a 404."""
    run = server.guest().play("lite-solo")
    return {"run_id": run["id"], "player_id": run["player"], "game_id": "farkle", "pool": "farkle", "day": "2026-11-15"}


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_answer_is_as_described(server: Server, real: dict[str, str], method: str, path: str) -> None:
    operation = SCHEMA[path][method]
    cases = operation.as_strategy()
    described = DESCRIBED["paths"][path][method.lower()]
    if "requestBody" in described or any(one["in"] == "query" for one in described.get("parameters", ())):
        cases |= operation.as_strategy(schemathesis.GenerationMode.NEGATIVE)  # there is something to get wrong
    guest, stranger = server.guest(), server.stranger()
    values = dict(real, table_id=guest.open("lite-solo"))

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=cases, account=st.booleans(), borrow=st.booleans())
    def ask(case: schemathesis.Case[Any], account: bool, borrow: bool) -> None:
        if borrow and case.path_parameters:
            case.path_parameters |= {name: values[name] for name in case.path_parameters if name in values}
        answer = case.call(base_url=server.url, headers=cookie(guest if account else stranger))
        case.validate_response(answer, checks=CHECKS)
        if account and method == "DELETE" and path == "/api/me":
            guest.http.cookies.clear()
            guest.post("/api/me")

    ask()


def cookie(caller: Guest) -> dict[str, str]:
    value = caller.http.cookies.get(COOKIE)
    return {} if value is None else {"Cookie": f"{COOKIE}={value}"}


def test_the_description_is_whole(server: Server) -> None:
    assert server.stranger().get("/api/openapi.json") == DESCRIBED
    names = set()
    for methods in DESCRIBED["paths"].values():
        for operation in methods.values():
            assert operation["tags"]
            assert {"413", "429"} <= set(operation["responses"]), "what any request may be told"
            names.add(operation["operationId"])
    assert len(names) == len(OPERATIONS)
