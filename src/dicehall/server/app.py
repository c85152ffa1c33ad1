"""The server: REST with an OpenAPI description, one socket per table, and the guards in front of both."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import HTTPException as FastAPIHTTPException
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from prometheus_client import generate_latest
from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dicehall import __version__
from dicehall.errors import DicehallError
from dicehall.rules.catalog import GAMES
from dicehall.server import modes
from dicehall.server.api import boards as boards_api
from dicehall.server.api import coach, lobby, people, play
from dicehall.server.api.common import PROBLEMS, Banned, NotFound, NotSignedIn, TooFast
from dicehall.server.guard import Guard, origin_allowed
from dicehall.server.hall import Hall
from dicehall.server.keepers import follow_audit, forget_strays
from dicehall.server.metrics import REGISTRY, REQUESTS, SECONDS
from dicehall.server.models import Health
from dicehall.server.page import Page
from dicehall.server.settings import Settings
from dicehall.server.socket import table_socket
from dicehall.server.wire import PROTOCOL
from dicehall.store import daily, runs
from dicehall.store.engine import migrate, open_engine
from dicehall.store.tables import UnknownTable

LOG: Final = logging.getLogger("dicehall.server")
PAGE: Final = Path(__file__).parent / "static"  # built from web/
LONGEST_BODY: Final = 512 * 1024
METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
RECENT_DAYS: Final = 3  # whose records may still lack their secret
STATUS: Final = {NotSignedIn: 401, Banned: 403, NotFound: 404, UnknownTable: 404, TooFast: 429}
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
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        engine = open_engine(settings.database)
        migrate(engine)
        app.state.hall = hall = Hall(engine, settings.clock)
        app.state.guard = Guard(hall, settings.key, settings.secure_cookies, settings.limits)
        app.state.settings = settings
        jobs = (_keep_dailies(hall), follow_audit(hall, app.state.guard), forget_strays(hall))
        housekeeping = [asyncio.create_task(job) for job in jobs]
        yield
        for task in housekeeping:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        hall.close()

    app = FastAPI(
        title="Dicehall",
        version=__version__,
        summary="Five dice games, one hall. Play over a table's socket; everything else is here.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    for router in (people.router, lobby.router, play.router, boards_api.router, coach.router):
        app.include_router(router)

    @app.get("/api/health", tags=["health"], responses=PROBLEMS)
    async def health() -> Health:
        return Health(ok=True, version=__version__, protocol=PROTOCOL)

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return PlainTextResponse(generate_latest(REGISTRY), media_type="text/plain; version=0.0.4")

    app.router.default = Page(PAGE)  # whatever else is asked for: a mount would also swallow wrong methods
    app.add_exception_handler(DicehallError, _refused)
    app.add_exception_handler(RequestValidationError, _not_of_this_form)
    app.add_exception_handler(HTTPException, _http_problem)
    app.add_middleware(Gate)
    return app


async def _keep_dailies(hall: Hall) -> None:
    """Commit to today's and tomorrow's dice, and reveal those of days that are over; look again every minute."""
    while True:
        try:
            await hall.write(partial(_commit_and_reveal, now=hall.clock()))
        except Exception:  # a database that is away for a moment comes back; the dailies must not stop for it
            LOG.exception("the dailies could not be kept")
        await asyncio.sleep(60)


def _commit_and_reveal(connection: Connection, now: int) -> None:
    for game in GAMES.values():
        mode = modes.daily_mode(game)
        for day in (modes.day_of(now), modes.day_of(now + 86_400)):
            daily.ensure(connection, day, game.id, mode, now)
        for over in daily.days(connection, game.id, mode, modes.day_of(now), RECENT_DAYS):
            runs.reveal(connection, over.day, over.game, over.mode, over.secret)


class Gate:
    """Around every request: size and rate limits, the origin of changes, headers, metrics and a line in the log."""

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
                message["headers"] = [
                    *message.get("headers", []),
                    *((name.encode(), value.encode()) for name, value in HEADERS.items()),
                ]
            await send(message)

        refusal = self._refusal(request)
        try:
            if refusal is not None:
                await refusal(scope, receive, send_with_headers)
            else:
                await self.app(scope, _bounded(receive), send_with_headers)
        except Exception:
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
            LOG.info(json.dumps(told))
        return None

    def _refusal(self, request: Request) -> Response | None:
        state = request.app.state
        if not state.guard.requests.allow(state.guard.rate_name(request)):
            return problem(429, "too-fast", "too many requests; wait a moment")
        if request.method not in ("GET", "HEAD", "OPTIONS") and not origin_allowed(request, state.settings.origins):
            return problem(403, "origin", "this page may not do that")
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:12]) > LONGEST_BODY:
            return problem(413, "body-length", f"a request holds at most {LONGEST_BODY} bytes")
        return None


class BodyTooLong(FastAPIHTTPException):  # FastAPI takes any other for a body that cannot be read
    def __init__(self) -> None:
        super().__init__(413, f"a request holds at most {LONGEST_BODY} bytes")


def _bounded(receive: Receive) -> Receive:
    """A body without a length, or a false one, is counted as it comes."""
    taken = 0

    async def count() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > LONGEST_BODY:
            raise BodyTooLong
        return message

    return count


def problem(status: int, code: str, message: str) -> JSONResponse:
    return JSONResponse({"code": code, "message": message}, status)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, DicehallError)
    return problem(STATUS.get(type(error), 400), error.code, str(error))


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
