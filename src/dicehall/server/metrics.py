"""Numbers for Prometheus, at /metrics."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY = CollectorRegistry()
REQUESTS = Counter(
    "dicehall_requests", "Requests by route, method and status", ["route", "method", "status"], registry=REGISTRY
)
SECONDS = Histogram("dicehall_request_seconds", "Time to answer a request", ["route"], registry=REGISTRY)
MOVES = Counter("dicehall_moves", "Moves made at tables", ["game"], registry=REGISTRY)
SOCKETS = Gauge("dicehall_sockets", "Open sockets", registry=REGISTRY)
