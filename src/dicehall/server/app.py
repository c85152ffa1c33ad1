"""The server: REST with an OpenAPI description, one socket per table, and the guards in front of both."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import HTTPException as FastAPIHTTPException
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dicehall import __version__
from dicehall.errors import DicehallError
from dicehall.server.api import boards as boards_api
from dicehall.server.api import coach, lobby, people, play, players
from dicehall.server.api import health as health_api
from dicehall.server.api import rooms as rooms_api
from dicehall.server.api import statistics as statistics_api
from dicehall.server.api.common import Banned, Hidden, NotFound, NotSignedIn, TooFast
from dicehall.server.clock import HallClock
from dicehall.server.crew import Busy, TooLong
from dicehall.server.dailies import keep_dailies
from dicehall.server.door import Door, has_hung_up
from dicehall.server.due import Due
from dicehall.server.guard import Guard, host_allowed, origin_allowed
from dicehall.server.hall import Hall
from dicehall.server.health import Health
from dicehall.server.judging import Judging
from dicehall.server.keepers import (
    collect_garbage,
    follow_audit,
    forget_rooms,
    forget_strays,
    keep_on,
    renew_connections,
    tell_who_is_there,
)
from dicehall.server.metrics import CLOCK_MOVED, REQUESTS, SECONDS
from dicehall.server.page import Page
from dicehall.server.quick import QuickMatch
from dicehall.server.room import RoomClosed
from dicehall.server.rooms import Rooms
from dicehall.server.settings import Settings
from dicehall.server.socket import table_socket
from dicehall.server.watching import Watching
from dicehall.store.engine import migrate, open_engine
from dicehall.store.tables import UnknownTable

LOG: Final = logging.getLogger("dicehall.server")
PAGE: Final = Path(__file__).parent / "static"  # built from web/
PROBES: Final = ("/api/health", "/api/health/ready")  # they know no name of the hall
MONITORING: Final = (*PROBES, "/metrics")  # asked all day long, at a rate of its own
LONGEST_BODY: Final = 8 * 1024  # of nearly every request: what is read here, is read by the event loop
LONGEST_BODIES: Final = {"/api/records/check": 64 * 1024}
# of requests that take more than others; each counts for 1 else
PRICES: Final = {
    "/api/lobby": 5,
    "/api/me/statistics": 20,
    "/api/me/statistics/scores": 10,
    "/api/me/statistics/luck": 10,
}
PRICES_IN: Final = {"/api/players/": 5, "/api/ratings/": 5}  # the same, whatever comes after that
METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
STATUS: Final = {
    NotSignedIn: 401, Banned: 403, Hidden: 403, NotFound: 404, UnknownTable: 404, RoomClosed: 404,
    TooFast: 429, Busy: 503, TooLong: 503,
}  # fmt: skip
HEADERS: Final = {
    "content-security-policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


def create_app(settings: Settings) -> FastAPI:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
        engine = open_engine(settings.database)
        migrate(engine)
        app.state.hall = hall = Hall(engine, settings.clock, settings.key, settings.limits)
        app.state.rooms = Rooms(hall, settings.limits)
        app.state.watching = Watching(app.state.rooms)
        app.state.quick = QuickMatch(app.state.rooms)
        due = Due(app.state.rooms)
        app.state.guard = Guard(hall, settings)
        app.state.settings = settings
        app.state.health = health = Health(hall)
        if isinstance(settings.clock, HallClock):
            CLOCK_MOVED.set_function(settings.clock.moved)
        door = Door(settings)
        chores = (
            partial(keep_dailies, hall),
            door.keep_tidy,
            health.watch,
            partial(health.look_for_damage, settings.database),
            partial(follow_audit, hall, app.state.guard, app.state.rooms),
            partial(tell_who_is_there, hall, app.state.guard, app.state.quick),
            due.look_after,
            app.state.quick.pair,
            Judging(hall).judge,
            partial(forget_strays, hall),
            partial(forget_rooms, hall),
            partial(renew_connections, hall),
            collect_garbage,
        )
        await due.wake()
        housekeeping = [asyncio.create_task(keep_on(chore)) for chore in chores]
        yield {"door": door}  # for http.py and line.py, who are there before any request
        await _end(housekeeping)
        await due.sleep()
        hall.close()

    app = FastAPI(
        title="Dicehall",
        version=__version__,
        summary="Five dice games, one hall. Play over a table's socket; everything else is here.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
    )
    apis = (people, lobby, statistics_api, play, rooms_api, boards_api, players, coach, health_api)
    for api in apis:
        app.include_router(api.router)

    app.router.default = Page(PAGE)  # whatever else is asked for: a mount would also swallow wrong methods
    app.add_exception_handler(DicehallError, _refused)
    app.add_exception_handler(SQLAlchemyError, _store_failed)
    app.add_exception_handler(RequestValidationError, _not_of_this_form)
    app.add_exception_handler(HTTPException, _http_problem)
    app.add_middleware(Gate)
    return app


async def _end(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel them until they are done: one that waits with a time limit, and is answered in the same moment, does not
    hear of it the first time (`asyncio.wait_for` before Python 3.12)."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=0.1)


class Gate:
    """Around every request: size and rate limits, the host that is asked for, the origin of changes, headers, metrics
    and a line in the log."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            return await table_socket(scope, receive, send)
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        request, started, status, begun = Request(scope, receive), time.perf_counter(), 500, False

        async def send_with_headers(message: Message) -> None:
            nonlocal status, begun
            if message["type"] == "http.response.start":
                status, begun = message["status"], True
                own = list(message.get("headers", []))
                if all(name != b"cache-control" for name, _ in own):  # the page's files have one
                    own.append((b"cache-control", b"no-store"))
                message["headers"] = own + [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            await send(message)

        try:
            refusal = await self._refusal(request)
            if refusal is not None:
                await refusal(scope, receive, send_with_headers)
            else:
                await self.app(scope, _bounded(receive, _longest_body(scope)), send_with_headers)
        except Exception as error:
            if has_hung_up(error):
                return None
            LOG.exception("a request failed")
            if begun:
                raise
            await problem(500, "fault", "something went wrong here")(scope, receive, send_with_headers)
        finally:
            seconds = time.perf_counter() - started
            route = getattr(scope.get("route"), "path", "none")
            method = request.method if request.method in METHODS else "OTHER"  # which anybody can make up
            REQUESTS.labels(route, method, status).inc()
            SECONDS.labels(route).observe(seconds)
            told = {"route": route, "method": method, "status": status, "ms": round(seconds * 1000, 2)}
            # whoever asks too often does not fill the disk with it, nor does whoever asks whether all is well
            if status != 429 and not (status < 300 and scope["path"] in MONITORING):
                LOG.info(json.dumps(told))
        return None

    async def _refusal(self, request: Request) -> Response | None:
        guard: Guard = request.app.state.guard
        settings: Settings = request.app.state.settings
        path = request.scope["path"]
        if wait := guard.wait_to_probe(request) if path in MONITORING else guard.wait_to_ask(request, _price(request)):
            has_waited = await guard.pause(request)
            headers = _retry_after(wait) | ({} if has_waited else {"connection": "close"})
            return problem(429, "too-fast", "too many requests; wait a moment", headers)
        if path not in PROBES and not host_allowed(request, settings.hosts):
            return problem(421, "host", "this hall is not known under that name; --allow-host makes it known")
        if request.method not in ("GET", "HEAD", "OPTIONS") and not origin_allowed(request, settings.https):
            return problem(403, "origin", "this page may not do that")
        length, longest = request.headers.get("content-length", "0"), _longest_body(request.scope)
        if not length.isdecimal() or int(length[:12]) > longest:
            return problem(413, "body-length", BodyTooLong(longest).detail)
        return None


def _price(request: Request) -> int:
    """What a request counts for, by what it takes to answer it: a usual one some two milliseconds."""
    limit = request.query_params.get("limit", "")
    long = min(int(limit[:4]), 100) // 10 if limit.isdecimal() else 0
    path = request.scope["path"]
    within = next((price for start, price in PRICES_IN.items() if path.startswith(start)), 1)
    return PRICES.get(path, within) + long


class BodyTooLong(FastAPIHTTPException):  # FastAPI takes any other for a body that cannot be read
    def __init__(self, longest: int) -> None:
        super().__init__(413, f"this request holds at most {longest} bytes")


def _longest_body(scope: Scope) -> int:
    return LONGEST_BODIES.get(scope["path"], LONGEST_BODY)


def _bounded(receive: Receive, longest: int) -> Receive:
    """A body without a length, or a false one, is counted as it comes."""
    taken = 0

    async def count() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > longest:
            raise BodyTooLong(longest)
        return message

    return count


def problem(status: int, code: str, message: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"code": code, "message": message}, status, headers)


def _retry_after(seconds: int) -> dict[str, str]:
    return {"retry-after": str(seconds)}


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, DicehallError)
    seconds = error.retry_after if isinstance(error, Busy | TooFast) else None
    headers = None if seconds is None else _retry_after(seconds)
    return problem(STATUS.get(type(error), 400), error.code, str(error), headers)


async def _store_failed(request: Request, error: Exception) -> Response:
    """Whether what was asked for has happened is not known: the answer to a commit may have been lost."""
    LOG.error("the store failed a request: %s", error)
    return await _refused(request, Busy("the store does not answer; look again in a moment whether it has happened"))


async def _not_of_this_form(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first: dict[str, Any] = next(iter(error.errors()), {})
    where = ".".join(map(str, first.get("loc", ())))
    return problem(422, "request", f"{where}: {first.get('msg', 'not a request of this form')}"[:300])


async def _http_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    answer = problem(error.status_code, "body-length" if isinstance(error, BodyTooLong) else "http", str(error.detail))
    answer.headers.update(error.headers or {})
    return answer
