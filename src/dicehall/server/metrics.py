"""Numbers for Prometheus, at /metrics."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from dicehall.rules.catalog import GAMES

REGISTRY = CollectorRegistry()
REQUESTS = Counter(
    "dicehall_requests", "Requests by route, method and status", ["route", "method", "status"], registry=REGISTRY
)
SECONDS = Histogram("dicehall_request_seconds", "Time to answer a request", ["route"], registry=REGISTRY)
_MOVES = Counter("dicehall_moves", "Moves made at tables", ["game"], registry=REGISTRY)
MOVES = {game: _MOVES.labels(game) for game in GAMES}
CLOCK_MOVED = Gauge(
    "dicehall_clock_moved_seconds",
    "How far the machine's clock has moved away from the hall's, beyond what the hall follows",
    registry=REGISTRY,
)
SOCKETS = Gauge("dicehall_sockets", "Open sockets", registry=REGISTRY)
