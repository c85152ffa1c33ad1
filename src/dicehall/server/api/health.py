"""What probes and monitoring ask."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import generate_latest

from dicehall import __version__
from dicehall.server.api.common import PROBLEMS
from dicehall.server.metrics import REGISTRY
from dicehall.server.models.health import Alive, Readiness
from dicehall.server.wire import PROTOCOL

router = APIRouter(tags=["health"], responses=PROBLEMS)


@router.get("/api/health")
async def alive() -> Alive:
    """Whether the process answers, and what it speaks."""
    return Alive(ok=True, version=__version__, protocol=PROTOCOL)


@router.get("/api/health/ready", responses={503: {"model": Readiness, "description": "Not ready, and why"}})
async def ready(request: Request, response: Response) -> Readiness:
    """Whether somebody could sit down and play: `checks` says what is wrong, by name; empty where all is well."""
    checks = await request.app.state.health.checks()
    ok = not any(checks.values())
    if not ok:
        response.status_code = 503
    return Readiness(ok=ok, checks=checks)


@router.get("/metrics", include_in_schema=False)
async def metrics() -> Response:
    return PlainTextResponse(generate_latest(REGISTRY), media_type="text/plain; version=0.0.4")
