"""Whatever is made up, changed or borrowed never enters a board, and anybody can check what did."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from dicehall import dice
from dicehall.cli import main
from dicehall.play.record import from_json
from dicehall.play.record_line import to_line
from dicehall.server.wire import PROTOCOL, Close
from tests.server.running import Guest, Json, Server

Out = pytest.CaptureFixture[str]


def boards(server: Server) -> list[Any]:
    """All that the boards show, and every record they rest on."""
    guest = server.stranger()
    found: list[Any] = [guest.ask("GET", "/api/export/ranked.jsonl").text]
    for game in ("lite-solo", "farkle"):
        for mode in guest.get(f"/api/boards/{game}/modes"):
            found.append(guest.get(f"/api/boards/{game}", mode=mode["mode"]))
        for which in ("first", "best"):
            found.append(guest.get(f"/api/daily/2026-11-15/{game}/board", which=which))
    return found


def resealed(record: Json) -> Json:
    """The record with check digits that fit again: a forger can do that much."""
    record["check"] = from_json({**record, "check": ""}).check()
    return record


def other_die(record: Json) -> None:
    steps = record["steps"].split(" ")
    at = next(n for n, step in enumerate(steps) if step.startswith("d") and "6" not in step)
    steps[at] = steps[at][:-1] + "6"
    record["steps"] = " ".join(steps)


def other_move(record: Json) -> None:
    steps = record["steps"].split(" ")
    steps[3] = steps[1]  # onto a cell that is taken
    record["steps"] = " ".join(steps)


def better_result(record: Json) -> None:
    record["result"]["scores"][0] += 1


def other_options(record: Json) -> None:
    record["options"] = {"columns": True}


def other_secret(record: Json) -> None:
    record["dice"]["secret"] = "0" * 64


def other_commitment(record: Json) -> None:
    """Secret and commitment that fit each other, and not the dice."""
    record["dice"] |= {"secret": "0" * 64, "commitment": dice.commitment("0" * 64)}


def other_seed(record: Json) -> None:
    record["dice"]["seed"] = "mine"


def lost_seed(record: Json) -> None:
    record["dice"]["lost_at"] = 1


CHANGES: tuple[Callable[[Json], None], ...] = (
    other_die, other_move, better_result, other_options, other_secret, other_commitment, other_seed, lost_seed,
)  # fmt: skip


@pytest.fixture
def run(server: Server) -> Json:
    return server.guest().play("lite-solo", 3)


def ask_both(guest: Guest, capsys: Out, record: Json) -> tuple[bool, Json]:
    """The server's verdict and that of `dicehall verify`; both forms of a record give the same."""
    verdict: Json = guest.post("/api/records/check", record=record)
    assert guest.post("/api/records/check", record=json.dumps(record)) == verdict
    path = guest.server.app.state.folder / "record.json"
    path.write_text(json.dumps(record))
    capsys.readouterr()
    code = main(["verify", "--json", str(path)])
    told = json.loads(capsys.readouterr().out)
    assert (code == 0) == told["ok"] == (verdict["ok"] and verdict["proved"])
    if told["ok"]:
        assert told["dice"] == verdict["dice"]
    return told["ok"], verdict


@pytest.fixture(autouse=True)
def folder(server: Server, tmp_path: Any) -> None:
    server.app.state.folder = tmp_path


def test_a_true_record_is_proved_by_everybody(server: Server, run: Json, capsys: Out) -> None:
    guest = server.stranger()
    assert run["ranked"]
    ok, verdict = ask_both(guest, capsys, run["record"])
    assert ok
    assert verdict == guest.get(f"/api/runs/{run['id']}/proof")
    line = to_line(from_json(run["record"]))
    assert guest.post("/api/records/check", record=line) == verdict
    assert main(["verify", line]) == 0


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("sealed", [False, True])
def test_a_changed_record_is_found_out(
    server: Server, run: Json, capsys: Out, change: Callable[[Json], None], sealed: bool
) -> None:
    before = boards(server)
    record = copy.deepcopy(run["record"])
    change(record)
    ok, verdict = ask_both(server.guest(), capsys, resealed(record) if sealed else record)
    assert not ok
    assert verdict["reason"]
    assert boards(server) == before


def test_whoever_knows_a_secret_makes_true_records_and_they_enter_nothing(server: Server, capsys: Out) -> None:
    """A flawless record with a commitment of one's own is proof of its dice, not of a promise by the house."""
    from dicehall.bots.player import play_on, player
    from dicehall.play.table import Table
    from dicehall.rules.catalog import find_game

    guest, before = server.guest(), boards(server)
    game = find_game("lite-solo")
    table = Table(game, seats=("you",), seed="", secret=dice.fresh_secret())
    play_on(table, {0: player("lookahead", game, "x", 0)})
    table.reveal()
    ok, _ = ask_both(guest, capsys, table.record().to_json())
    assert ok
    assert boards(server) == before
    assert guest.get("/api/runs")["runs"] == []


def test_nothing_takes_records_from_outside(server: Server, run: Json) -> None:
    guest, before = server.guest(), boards(server)
    schema = guest.get("/api/openapi.json")
    written = {(method, path) for path, operations in schema["paths"].items() for method in operations} - {
        ("get", path) for path in schema["paths"]
    }
    assert written == {
        ("post", "/api/me"), ("patch", "/api/me"), ("delete", "/api/me"), ("post", "/api/me/transfer"),
        ("delete", "/api/me/devices"), ("delete", "/api/me/devices/{device_id}"), ("post", "/api/me/redeem"),
        ("post", "/api/tables"), ("delete", "/api/tables/{table_id}"),
        ("post", "/api/rooms"), ("post", "/api/rooms/find"), ("post", "/api/rooms/{room_id}/join"),
        ("post", "/api/records/check"), ("post", "/api/coach/advise"),
    }, "whatever writes is tested here"  # fmt: skip
    for path in ("/api/runs", f"/api/runs/{run['id']}", "/api/boards/lite-solo", "/api/export/ranked.jsonl"):
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            answer = guest.ask(method, path, json=run)
            assert answer.status_code in (404, 405)
    for more in ("secret", "steps", "record", "score", "mode", "unranked", "over", "player_id"):
        guest.post("/api/tables", 422, game="lite-solo", **{more: "x"})
    assert boards(server) == before


def test_dice_and_steps_cannot_be_sent_as_moves(server: Server) -> None:
    guest, before = server.guest(), boards(server)
    with guest.sit(guest.open("lite-solo")) as tab:
        for move in ("d6", "d66", "b2 d6 a1", "b2\nd6", "d6 b2", "reroll"):
            assert tab.try_move(move)
        for more in ({"dice": [6]}, {"seat": 0}, {"steps": ["b2"]}, {"state": "x"}):
            tab.send(type="move", seen=1, move="b2", **more)
            assert tab.refusal() == "message"
        for kind in ("roll", "reveal", "result", "finish", "table"):
            tab.send(type=kind, seen=1)
            assert tab.refusal() == "message"
        assert tab.look()["count"] == 1
    assert boards(server) == before


def test_another_players_table_stays_theirs(server: Server) -> None:
    owner, thief = server.guest(), server.guest()
    table_id = owner.open("lite-solo")
    assert thief.close_code(table_id, {"type": "hello", "protocol": PROTOCOL}) == Close.NO_TABLE
    thief.call("DELETE", f"/api/tables/{table_id}", 404)
    with owner.sit(table_id) as tab:
        tab.play_on(Random(1))
        run = owner.run(tab)
    assert run["player"] == owner.id
    assert thief.get("/api/boards/lite-solo")["me"] is None
    assert thief.get("/api/runs")["runs"] == []


def test_yesterdays_daily_is_no_daily(server: Server) -> None:
    guest, before = server.guest(), boards(server)
    for day in ("2026-11-14", "2026-11-16"):
        guest.post("/api/tables", 400, game="lite-solo", kind="daily", day=day)
    guest.post("/api/tables", 400, game="lite-solo", kind="ranked", day="2026-11-14")
    guest.play("lite-solo", kind="archive", day="2026-11-14")
    assert boards(server) == before


def test_practice_stays_practice(server: Server) -> None:
    """The same seed again and again, moves taken back until the dice are known: fine, and no board's business."""
    guest, before = server.guest(), boards(server)
    for n in range(3):
        run = guest.play("lite-solo", n, kind="practice")
        assert not run["ranked"]
    with guest.sit(guest.open("lite-solo", kind="practice", seed="known")) as tab:
        tab.move("a1")
        tab.send(type="undo", seen=tab.count)
        tab.table()
        tab.play_on(Random(1))
    assert boards(server) == before


def test_a_players_own_seed_does_not_decide_the_dice(server: Server) -> None:
    guest = server.guest()
    tables = [guest.open("farkle", seed="lucky") for _ in range(4)]
    states = set()
    for table_id in tables:
        with guest.sit(table_id) as tab:
            states.add(tab.steps[0])
    assert len(states) > 1
    with guest.sit(guest.open("lite-solo", seed="lucky")) as tab:
        tab.play_on(Random(1))
        record = guest.run(tab)["record"]
    assert record["dice"]["seed"] == "lucky"
    first = dice.SeededDice(dice.mixed(record["dice"]["secret"], "lucky")).die(0)
    assert record["steps"].startswith(f"d{first} ")


def test_the_export_is_the_boards_evidence(own_server: Server, capsys: Out, tmp_path: Any) -> None:
    guests = [own_server.guest() for _ in range(3)]
    runs = [guest.play(game, n) for n, guest in enumerate(guests) for game in ("lite-solo", "knucklebones")]
    guests[0].play("lite-solo", kind="practice")
    answer = own_server.stranger().ask("GET", "/api/export/ranked.jsonl")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    lines = answer.text.splitlines()
    assert sorted(lines) == sorted(json.dumps(run["record"], separators=(",", ":")) for run in runs)
    path = tmp_path / "ranked.jsonl"
    path.write_text(answer.text)
    assert main(["verify", "--json", str(path)]) == 0
    assert main(["replay", "--json", str(path)]) == 0
    capsys.readouterr()
