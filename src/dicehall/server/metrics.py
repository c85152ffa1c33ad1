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
SOCKETS = Gauge("dicehall_sockets", "Open sockets", registry=REGISTRY)
CONNECTIONS = Gauge("dicehall_connections", "Open connections, sockets among them", registry=REGISTRY)
REFUSED_CONNECTIONS = Counter(
    "dicehall_refused_connections", "Connections for which there was no room", registry=REGISTRY
)
