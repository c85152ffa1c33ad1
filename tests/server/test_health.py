"""What probes and monitoring are told, and what becomes of a disk that is nearly full."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from sqlalchemy import text

from dicehall.server import disk, health
from dicehall.server.clock import HallClock
from tests.server.conftest import NewUrl
from tests.server.running import Server

BREAK = {  # nothing can be written any more
    "sqlite": ("CREATE TRIGGER full BEFORE UPDATE ON beats BEGIN SELECT RAISE(ABORT, 'full_disk'); END",),
    "postgresql": (
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'full_disk'; END $$",
        'CREATE TRIGGER "full" BEFORE UPDATE ON beats FOR EACH ROW EXECUTE FUNCTION full_disk()',
    ),
}
MEND = {"sqlite": "DROP TRIGGER full", "postgresql": 'DROP TRIGGER "full" ON beats'}


@pytest.fixture(autouse=True)
def asked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FRESH", 0.0)


def test_alive_and_ready(server: Server) -> None:
    stranger = server.stranger()
    assert stranger.get("/api/health")["ok"]
    told = stranger.get("/api/health/ready")
    assert told["ok"]
    assert {"database", "pool", "disk", "clock", "damage"} <= set(told["checks"])
    assert not any(told["checks"].values())


def test_a_store_that_cannot_be_written_is_alive_and_not_ready(database: str, new_url: NewUrl) -> None:
    with Server(new_url()) as server:
        stranger = server.stranger()
        assert stranger.get("/api/health/ready")["ok"]
        engine = server.app.state.hall.engine
        with engine.begin() as connection:
            for statement in BREAK[database]:
                connection.execute(text(statement))
        told = stranger.get("/api/health/ready", 503)
        assert not told["ok"]
        assert [name for name, wrong in told["checks"].items() if wrong] == ["database"]
        assert stranger.get("/api/health")["ok"]
        assert "dicehall_ready 0.0" in stranger.ask("GET", "/metrics").text
        with engine.begin() as connection:
            connection.execute(text(MEND[database]))
        assert stranger.get("/api/health/ready")["ok"]
        assert "dicehall_ready 1.0" in stranger.ask("GET", "/metrics").text


def test_all_connections_in_use_is_not_ready(new_url: NewUrl) -> None:
    with Server(new_url()) as server:
        stranger, engine = server.stranger(), server.app.state.hall.engine
        stranger.get("/api/health/ready")
        taken, told = [], ""
        for _ in range(100):  # the hall takes one itself every now and then, and gives it back
            taken += [engine.connect() for _ in range(engine.pool.size() - engine.pool.checkedout())]
            if told := stranger.ask("GET", "/api/health/ready").json()["checks"]["pool"]:
                break
        assert told
        for connection in taken:
            connection.close()
        assert stranger.get("/api/health/ready")["ok"]


def test_a_clock_that_has_moved_is_not_ready(tmp_path: object) -> None:
    ahead = 0.0
    clock = HallClock(lambda: time.time() + ahead)
    with Server(f"sqlite:///{tmp_path}/hall.sqlite", clock=clock) as server:  # type: ignore[arg-type]
        assert server.stranger().get("/api/health/ready")["ok"]
        ahead = 86_400.0
        assert "clock has moved" in server.stranger().get("/api/health/ready", 503)["checks"]["clock"]
        ahead = 0.0
        assert server.stranger().get("/api/health/ready")["ok"]


def test_a_disk_that_is_nearly_full_lets_nobody_new_in(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "LOOK_EVERY", 0.0)
    with Server(f"sqlite:///{tmp_path}/hall.sqlite") as server:
        guest = server.guest()
        with guest.sit(guest.open("lite-solo")) as tab, monkeypatch.context() as nearly_full:
            nearly_full.setattr(disk, "LEAST_FREE", 2**62)
            assert tab.move(tab.moves[0])["count"] == 3, "those who play go on"
            refused = guest.ask("POST", "/api/tables", json={"game": "lite-solo"})
            assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (503, "busy", "60")
            assert server.stranger().post("/api/me", 503)["code"] == "busy"
            assert server.stranger().get("/api/health/ready", 503)["checks"]["disk"]
            tab.send(type="open", game="lite-solo")
            assert tab.refusal() == "busy"
        guest.open("lite-solo")


def test_metrics_tell_what_an_operator_watches(server: Server) -> None:
    guest = server.guest()
    with guest.sit(guest.open("lite-versus", seats=["you", "level:1"])) as tab:
        tab.move(tab.moves[0])
        guest.get("/api/health/ready")
        told = guest.ask("GET", "/metrics").text
    for name in (
        "dicehall_move_seconds_count", "dicehall_loop_lag_seconds_count", "dicehall_writes_waiting",
        "dicehall_writes_failed_total", "dicehall_pool_used", "dicehall_pool_size", "dicehall_sockets",
        "dicehall_jobs_total", "dicehall_jobs_waiting", "dicehall_downloads", "dicehall_ready",
        "dicehall_tables_in_memory",
    ):  # fmt: skip
        values = [float(line.split()[-1]) for line in told.splitlines() if line.startswith(name)]
        assert values, name
    assert 'dicehall_jobs_total{crew="replies",outcome="done"}' in told


def test_a_database_that_was_moved_away_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written then is written into a file that nobody will open again."""
    monkeypatch.setattr(disk, "LOOK_EVERY", 0.0)
    with Server(f"sqlite:///{tmp_path}/hall.sqlite") as server:
        guest = server.guest()
        (tmp_path / "hall.sqlite").rename(tmp_path / "elsewhere.sqlite")
        assert "moved or replaced" in guest.get("/api/health/ready", 503)["checks"]["disk"]
        assert guest.post("/api/tables", 503, game="farkle")["code"] == "busy"
        (tmp_path / "elsewhere.sqlite").rename(tmp_path / "hall.sqlite")
        guest.open("farkle")
