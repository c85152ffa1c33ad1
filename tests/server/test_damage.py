"""Damage in the store: it is found, told, and harms nobody else."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, text, update

from dicehall.errors import InvalidOption
from dicehall.server import health
from dicehall.server.damage import all_damage, damage_at_start
from dicehall.server.wire import Close
from dicehall.store import schema
from dicehall.store.engine import migrate, open_engine
from tests.processes import call
from tests.server.conftest import NewUrl
from tests.server.running import HELLO, Server


def spoil(server: Server, job: Callable[[Connection], object]) -> None:
    with server.app.state.hall.engine.begin() as connection:
        job(connection)


@pytest.mark.parametrize("steps", ["d1 b2 d9", "d1 b2", "d6 b2 d6 b2", "nonsense", "", "d1 zz"])
def test_a_damaged_table_can_be_left_and_nothing_else(own_server: Server, steps: str) -> None:
    guest = own_server.guest()
    whole, broken = guest.open("lite-solo"), guest.open("lite-solo")
    table = schema.tables.c.id == broken
    spoil(own_server, lambda connection: connection.execute(update(schema.tables).where(table).values(steps=steps)))
    own_server.restart()
    assert guest.get(f"/api/tables/{broken}", 400)["code"] == "damaged"
    assert guest.close_code(broken, HELLO) == Close.DAMAGED
    assert json.loads(guest.heard[-1])["code"] == "damaged"
    assert {table["id"] for table in guest.get("/api/tables")} == {whole, broken}, "it is still seen"
    other = own_server.guest()
    other.call("DELETE", f"/api/tables/{broken}", 404)
    guest.call("DELETE", f"/api/tables/{broken}", 204)
    assert [table["id"] for table in guest.get("/api/tables")] == [whole]
    with guest.sit(whole) as tab:
        tab.move(tab.moves[0])


def test_whoever_sits_at_a_table_that_is_damaged_meanwhile_is_told_so(own_server: Server) -> None:
    guest = own_server.guest()
    table_id = guest.open("lite-solo")
    broken = update(schema.tables).where(schema.tables.c.id == table_id).values(steps="d1 zz", version=99)
    with guest.sit(table_id) as tab:
        spoil(own_server, lambda connection: connection.execute(broken))
        tab.send(type="move", seen=tab.count, move=tab.moves[0])
        assert tab.closed() == Close.DAMAGED
    assert json.loads(guest.heard[-1])["code"] == "damaged"


def test_a_table_whose_game_is_here_no_more_is_no_table(own_server: Server) -> None:
    """It was of another package; nobody is told to reload the page for that."""
    guest = own_server.guest()
    table_id = guest.open("lite-solo")
    without = update(schema.tables).where(schema.tables.c.id == table_id).values(game="pig")
    spoil(own_server, lambda connection: connection.execute(without))
    own_server.restart()
    assert guest.close_code(table_id, HELLO) == Close.NO_TABLE
    assert json.loads(guest.heard[-1])["code"] == "game"


def test_damage_is_found(new_url: NewUrl) -> None:
    url = new_url()
    with Server(url) as server:
        guest = server.guest()
        tables = [guest.open("lite-solo") for _ in range(3)]
        runs = [guest.play("lite-solo", seed) for seed in range(3)]
        guest.play("knucklebones", seats=["you", "random"])
        assert damage_at_start(url) == []
        assert all_damage(url) == []
        forged = {**runs[1]["record"], "steps": runs[0]["record"]["steps"]}
        changes = [
            update(schema.tables).where(schema.tables.c.id == tables[1]).values(steps="d1 b2 d7"),
            update(schema.runs).where(schema.runs.c.id == runs[1]["id"]).values(record=forged),
            update(schema.players_runs).where(schema.players_runs.c.run_id == runs[2]["id"]).values(score=1_000_000),
            update(schema.tallies).where(schema.tallies.c.board == "lite-solo/standard").values(players=9),
        ]
        for change in changes:
            spoil(server, lambda connection, change=change: connection.execute(change))  # type: ignore[misc]
        assert [tables[1] in told for told in damage_at_start(url)] == [True]
        found = all_damage(url)
        for told in (tables[1], runs[1]["id"], runs[2]["id"], "lite-solo/standard"):
            assert any(told in line for line in found), told
        assert not any(one in line for one in (tables[0], runs[0]["id"], "knucklebones") for line in found)


def test_the_command_tells(tmp_path: Path) -> None:
    def check(*more: str) -> subprocess.CompletedProcess[str]:
        return call("dicehall", "check", "--data", str(tmp_path), *more)

    with Server(f"sqlite:///{tmp_path}/hall.sqlite") as server:
        guest = server.guest()
        table_id = guest.open("lite-solo")
        assert (check().returncode, check().stdout) == (0, "all is well\n")
        assert json.loads(check("--json").stdout) == {"ok": True, "damage": []}
        spoil(server, lambda connection: connection.execute(update(schema.tables).values(steps="d9")))
        told = check("--json")
        assert told.returncode == 1
        assert table_id in json.loads(told.stdout)["damage"][0]


def test_a_hall_looks_for_damage_when_it_opens(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "SETTLING", 0.0)
    monkeypatch.setattr(health, "FRESH", 0.0)
    own_server.guest().open("lite-solo")
    spoil(own_server, lambda connection: connection.execute(update(schema.tables).values(steps="d9")))
    own_server.restart()
    stranger = own_server.stranger()
    for _ in range(200):
        told = stranger.ask("GET", "/api/health/ready").json()["checks"]["damage"]
        if told:
            break
        time.sleep(0.05)
    assert told.startswith("1 found")


def test_a_torn_file_is_found(tmp_path: Path) -> None:
    with Server(f"sqlite:///{tmp_path}/hall.sqlite") as server:
        guest = server.guest()
        opened = [guest.open("lite-solo") for _ in range(30)]
    file = tmp_path / "hall.sqlite"
    data = bytearray(file.read_bytes())
    page = data.index(opened[15].encode()) // 4096 * 4096
    data[page : page + 4096] = b"\xff" * 4096
    file.write_bytes(data)
    assert any(told.startswith("the file") for told in damage_at_start(f"sqlite:///{file}"))


def test_what_cannot_even_be_looked_at_is_told(new_url: NewUrl) -> None:
    """Damage so deep that the database refuses to read is damage like any other, and does not end the look."""
    url = new_url()
    with Server(url) as server:
        table_id = server.guest().open("lite-solo")
        spoil(server, lambda connection: connection.execute(update(schema.tables).values(steps="d9")))
        spoil(server, lambda connection: connection.execute(text("DROP TABLE tallies")))
        found = all_damage(url)
    assert any(told.startswith("the database: ") and "tallies" in told for told in found)
    assert any(table_id in told for told in found)


def test_a_database_of_another_version_is_not_looked_at(new_url: NewUrl) -> None:
    url = new_url()
    engine = open_engine(url)
    migrate(engine, "0002")
    engine.dispose()
    with pytest.raises(InvalidOption) as refused:
        all_damage(url)
    assert refused.value.code == "database-version"
