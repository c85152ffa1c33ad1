"""Numbers for Prometheus, at /metrics."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from dicehall.rules.catalog import GAMES

REGISTRY = CollectorRegistry()
REQUESTS = Counter(
    "dicehall_requests", "Requests by route, method and status", ["route", "method", "status"], registry=REGISTRY
)
SECONDS = Histogram("dicehall_request_seconds", "Time to answer a request", ["route"], registry=REGISTRY)
_FINE = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
MOVE_SECONDS = Histogram(
    "dicehall_move_seconds", "From a move's arrival until it is durable", buckets=_FINE, registry=REGISTRY
)
LOOP_LAG = Histogram(
    "dicehall_loop_lag_seconds", "How late the event loop comes to what is due", buckets=_FINE, registry=REGISTRY
)
WRITES_WAITING = Gauge("dicehall_writes_waiting", "Writes that are not durable yet", registry=REGISTRY)
WRITES_FAILED = Counter("dicehall_writes_failed", "Writes that could not be kept", registry=REGISTRY)
POOL_USED = Gauge("dicehall_pool_used", "Connections to the database in use", registry=REGISTRY)
POOL_SIZE = Gauge("dicehall_pool_size", "Connections to the database there may be", registry=REGISTRY)
DISK_FREE = Gauge("dicehall_disk_free_bytes", "Where the database's file lies", registry=REGISTRY)
READY = Gauge("dicehall_ready", "1 while the hall is ready", registry=REGISTRY)
TABLES = Gauge("dicehall_tables_in_memory", "Tables that somebody watches", registry=REGISTRY)
_MOVES = Counter("dicehall_moves", "Moves made at tables", ["game"], registry=REGISTRY)
MOVES = {game: _MOVES.labels(game) for game in GAMES}
JOBS = Counter(
    "dicehall_jobs", "Long work by crew: done, failed, ended before it was done, refused", ["crew", "outcome"],
    registry=REGISTRY,
)  # fmt: skip
JOBS_WAITING = Gauge("dicehall_jobs_waiting", "Long work that waits for a process", ["crew"], registry=REGISTRY)
DOWNLOADS = Gauge("dicehall_downloads", "Exports that are being sent", registry=REGISTRY)
CLOCK_MOVED = Gauge(
    "dicehall_clock_moved_seconds",
    "How far the machine's clock has moved away from the hall's, beyond what the hall follows",
    registry=REGISTRY,
)
SOCKETS = Gauge("dicehall_sockets", "Open sockets", registry=REGISTRY)
CONNECTIONS = Gauge("dicehall_connections", "Open connections, sockets among them", registry=REGISTRY)
REFUSED_CONNECTIONS = Counter(
    "dicehall_refused_connections", "Connections for which there was no room", registry=REGISTRY
)
