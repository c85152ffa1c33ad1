"""`dicehall hall`, in a process of its own, beside a hall that is open."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select
from sqlalchemy.exc import OperationalError

from dicehall.cli import main
from dicehall.errors import InvalidOption
from dicehall.server import keepers, operator
from dicehall.server.finish import enter_run
from dicehall.server.operator import Desk
from dicehall.server.wire import Close
from dicehall.store import audit, boards, players, schema
from dicehall.store.engine import migrate, open_engine
from tests.patience import PATIENCE
from tests.processes import call
from tests.server.conftest import NewUrl
from tests.server.running import HELLO, Guest, Json, Server
from tests.store.rows import run as run_of

SOLO = ("lite-solo", None)


def hall(*arguments: str, code: int = 0) -> str:
    """What the command says."""
    done = call("dicehall", "hall", *arguments)
    assert done.returncode == code, done.stderr
    if code == 2:
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1
        return done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The same without a process for each."""

    def run(*arguments: str, code: int = 0) -> str:
        assert main(["hall", *arguments]) == code
        told = capsys.readouterr()
        assert (told.out == "", told.err == "") == (code == 2, code == 0)
        return told.out + told.err

    return run


def soon(is_so: Callable[[], bool]) -> None:
    """It shows within seconds; a busy machine may take longer."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def board(guest: Guest, which: str = "/api/boards/lite-solo") -> dict[str, str]:
    return {entry["player"]: entry["run"] for entry in guest.get(which)["entries"]}


def test_who_is_banned_can_only_look(new_url: NewUrl) -> None:
    with Server(url := new_url()) as server:
        ada, bea = server.guest("Ada"), server.guest("Bea")
        run, other = ada.play("lite-solo"), bea.play("lite-solo")
        table_id, code = ada.open("lite-solo"), ada.post("/api/me/transfer")["code"]
        with ada.sit(table_id) as tab, ada.connect("new") as waiting, bea.sit(bea.open("lite-solo")) as bystander:
            waiting.send(json.dumps(HELLO))
            (act,) = json.loads(hall("ban", "Ada", "--reason", "cheats", "--database", url, "--json"))
            told = {"who": operator.user(), "action": "ban", "target": ada.id, "reason": "cheats"}
            assert act == {"id": act["id"], "at": act["at"], **told}
            assert abs(act["at"] - time.time()) < 600
            assert tab.closed() == Close.BANNED
            assert json.loads(ada.heard[-1])["code"] == "banned"
            assert json.loads(waiting.recv(PATIENCE))["code"] == "banned"
            assert bystander.move("b2")["count"] == 3, "the others play on"
        for method, path, body in (
            ("GET", "/api/me", None),
            ("POST", "/api/me", None),
            ("PATCH", "/api/me", {"nickname": "Eve"}),
            ("POST", "/api/me/transfer", None),
            ("GET", "/api/me/devices", None),
            ("GET", f"/api/tables/{table_id}", None),
            ("POST", "/api/tables", {"game": "farkle"}),
            ("DELETE", "/api/me", None),
        ):
            assert ada.call(method, path, 403, json=body)["code"] == "banned"
        assert ada.close_code(table_id, HELLO) == Close.BANNED
        assert ada.close_code("new", HELLO) == Close.BANNED
        assert ada.get("/api/lobby")["me"] is None
        assert board(ada) == {bea.id: other["id"]}
        assert ada.get(f"/api/runs/{run['id']}")["score"] == run["score"]
        elsewhere = server.stranger()
        assert elsewhere.post("/api/me/redeem", 403, code=code)["code"] == "banned"
        server.restart()
        assert ada.get("/api/me", 403)["code"] == "banned"

        assert "banned" in hall("players", "ada", "--database", url)
        hall("unban", "Ada", "--database", url)
        soon(lambda: ada.ask("GET", "/api/me").status_code == 200)
        assert board(bea) == {ada.id: run["id"], bea.id: other["id"]}
        with ada.sit(table_id) as tab:
            assert tab.move("b2")["count"] == 3
        assert elsewhere.post("/api/me/redeem", code=code)["id"] == ada.id, "the code was not used up"


def test_who_is_hidden_does_not_notice(new_url: NewUrl) -> None:
    with Server(url := new_url()) as server:
        ada, bea = server.guest("Ada"), server.guest("Bea")
        runs = [ada.play("lite-solo", seed) for seed in range(2)]
        bea.play("lite-solo")
        with ada.sit(ada.open("lite-solo")) as tab:
            assert bea.get(f"/api/runs/{runs[0]['id']}")["nickname"] == "Ada"
            hall("hide", ada.id, "--database", url)
            assert bea.get(f"/api/runs/{runs[0]['id']}")["nickname"] == "", "nor on a link"
            assert set(board(bea)) == {bea.id}
            assert bea.get("/api/boards/lite-solo")["players"] == 1
            tab.move("b2")
            runs += [ada.play("lite-solo", seed) for seed in range(2, 6)]
            ada.play("lite-solo", kind="daily")
            assert set(board(bea)) == {bea.id}
            assert board(bea, "/api/daily/2026-11-15/lite-solo/board") == {}
            assert len(ada.get("/api/runs")["runs"]) == 7
            assert "hidden" not in ada.ask("GET", "/api/me/export").text
            assert "hidden" in hall("players", ada.id, "--database", url)
            hall("show", "Ada", "--database", url)
            best = max(runs, key=lambda run: run["score"])["score"]
            found = ada.get("/api/boards/lite-solo")
            assert {entry["player"]: entry["score"] for entry in found["entries"]}[ada.id] == best
            assert found["me"]["score"] == best
            tab.move("a1")


def test_names_tables_and_the_log(new_url: NewUrl, here: Callable[..., str]) -> None:
    with Server(url := new_url()) as server:
        ada, bea = server.guest("Ada"), server.guest("Bea")
        run = ada.play("lite-solo")
        at = ("--database", url)
        (found,) = json.loads(here("players", "aDa", *at, "--json"))
        assert found == {"id": ada.id, "nickname": "Ada", "created_at": server.clock(), "barred": None, "runs": 1}
        assert here("players", "nobody here", *at) == "nothing found\n"
        here("rename", "Ada", "Grace", *at, "--reason", "asked for it")
        soon(lambda: ada.get("/api/me")["nickname"] == "Grace")
        assert "looks like" in here("rename", "Bea", "GRACE", *at, code=2)
        here("rename", ada.id, *at)
        soon(lambda: ada.get("/api/me")["nickname"] == "")
        bea.call("PATCH", "/api/me", json={"nickname": "Grace"})

        table_id = bea.open("lite-solo")
        with bea.sit(table_id) as one, bea.sit(table_id) as two:
            one.move("b2")
            here("end-table", *at, "--", table_id)
            assert one.closed() == two.closed() == Close.NO_TABLE
        bea.get(f"/api/tables/{table_id}", 404)
        finished = server.stored(lambda c: c.scalar(select(schema.tables.c.id).where(schema.tables.c.over)))
        assert "is finished, and is left alone" in here("end-table", *at, "--", finished, code=2)
        assert "there is no table" in here("end-table", table_id.strip("-"), *at, code=2)
        assert ada.get(f"/api/runs/{run['id']}")
        assert "there is no player" in here("ban", "Ada", *at, code=2)

        log = json.loads(here("log", *at, "--json"))
        assert [(act["action"], act["target"], act["reason"]) for act in log] == [
            ("rename", ada.id, "asked for it"),
            ("rename", ada.id, ""),
            ("end-table", table_id, ""),
        ]
        assert [act["id"] for act in log] == sorted(act["id"] for act in log)
        lines = here("log", *at).splitlines()
        assert len(lines) == 3
        assert "asked for it" in lines[0]


def test_a_hall_in_a_folder(tmp_path: Path) -> None:
    """Found as serving finds it: by --data before or after the command, or where it usually is."""
    folder = tmp_path / "hall"
    assert "there is no hall here" in hall("log", "--data", str(folder), code=2)
    assert not folder.exists()
    folder.mkdir()
    engine = open_engine(f"sqlite:///{folder}/hall.sqlite")
    assert "start the hall once" in hall("log", "--data", str(folder), code=2)
    migrate(engine)
    with engine.begin() as connection:
        players.create(connection, 1)
    engine.dispose()
    (found,) = json.loads(hall("players", "", "--data", str(folder), "--json"))
    assert found["nickname"] == ""
    assert found["id"] in call("dicehall", "--data", str(folder), "hall", "players", "").stdout


@pytest.fixture
def engine(new_url: NewUrl) -> Any:
    engine = open_engine(new_url())
    migrate(engine)
    yield engine
    engine.dispose()


def standings(engine: Engine) -> list[Any]:
    with engine.connect() as connection:
        names = ("board", "period", "player_id", "value", "run_id", "reached_at", "runs", "took")
        columns = [schema.standings.c[name] for name in names]
        rows = [tuple(row) for row in connection.execute(select(*columns))]
        return sorted(rows) + sorted(tuple(row) for row in connection.execute(select(schema.tallies)))


def solo_runs(guest: Guest) -> list[Json]:
    """The ranked ones, the first first."""
    return [run for run in reversed(guest.get("/api/runs")["runs"]) if (run["game"], run["day"]) == SOLO]


def test_what_is_shown_again_is_what_was_hidden(new_url: NewUrl) -> None:
    """On all boards that are still going on; those of weeks and days that are over stay without it."""
    with Server(new_url()) as server:
        guests = [server.guest() for _ in range(2)]
        for guest in guests:
            for seed in range(3):
                server.clock.now += 60
                guest.play("lite-solo", seed)
                guest.play("lite-solo", seed, kind="daily")
                guest.play("shut-the-box", seed)
        while (scores := [run["score"] for run in solo_runs(guests[0])]).index(max(scores)) == len(scores) - 1:
            server.clock.now += 60  # or as many runs as there were would be as many as it took
            guests[0].play("lite-solo")
        engine = server.app.state.hall.engine
        before = standings(engine)
        desk = Desk(engine, server.clock())
        for bar, unbar in ((desk.hide, desk.show), (desk.ban, desk.unban)):
            bar(guests[0].id, "")
            assert not any(guests[0].id in row for row in standings(engine))
            unbar(guests[0].id, "")
            assert standings(engine) == before
        desk.hide(guests[0].id, "")
        Desk(engine, server.clock() + 40 * 86_400).show(guests[0].id, "")
        mine = {row[:2] for row in standings(engine) if guests[0].id in row}
        assert mine == {("lite-solo/standard", "all"), ("shut-the-box/standard", "all")}
        with engine.connect() as connection:
            place = schema.standings.c
            query = select(place.runs, place.took, place.run_id).where(place.player_id == guests[0].id)
            counted = connection.execute(query.where(place.board == "lite-solo/standard")).one()
        runs = solo_runs(guests[0])
        assert counted.runs == len(runs) >= 3
        assert runs[counted.took - 1]["id"] == counted.run_id


def new_player(engine: Engine, name: str = "") -> str:
    with engine.begin() as connection:
        player_id, _ = players.create(connection, 1)
        if name:
            players.rename(connection, player_id, name)
    return player_id


def test_what_makes_no_sense_is_refused_and_not_logged(engine: Engine) -> None:
    ada, desk = new_player(engine, "Ada"), Desk(engine, 5)
    with engine.begin() as connection:  # as earlier versions allowed
        twins = [players.create(connection, 1)[0] for _ in range(2)]
        connection.execute(schema.players.update().where(schema.players.c.id.in_(twins)).values(nickname="Twin"))
    done: list[Callable[[], object]] = [
        lambda: desk.show(ada, ""), lambda: desk.unban(ada, ""), lambda: desk.hide("", ""),
        lambda: desk.hide("ada", ""), lambda: desk.ban("Twin", ""),
        lambda: desk.rename(ada, "The House", ""), lambda: desk.end_table("x", ""),
        lambda: operator.attend(None, str(engine.url.render_as_string(hide_password=False)), "praise", "", None, ""),
    ]  # fmt: skip
    for act in done:
        with pytest.raises(ValueError, match=r"."):
            act()
    assert desk.log() == []
    desk.hide("Ada", "")
    for again in (desk.hide, desk.unban):
        with pytest.raises(InvalidOption):
            again(ada, "")
    desk.ban(ada, "")
    for again in (desk.hide, desk.ban, desk.show):
        with pytest.raises(InvalidOption):
            again(ada, "")
    desk.unban(ada, "")
    desk.ban(twins[0], "")
    assert [act.action for act in desk.log()] == ["hide", "ban", "unban", "ban"]


def test_a_run_that_is_just_being_entered_is_hidden_too(engine: Engine) -> None:
    """Either the run knows that its player is hidden, or whoever hides the player waits for it."""
    ada, desk = new_player(engine), Desk(engine, 5)
    hiding = threading.Thread(target=desk.hide, args=(ada, ""))
    with engine.begin() as connection:
        assert not players.is_barred(connection, ada)
        boards.enter(connection, "b", "all", ada, 80, False, "r1", 5)
        hiding.start()
        time.sleep(1)  # long enough to be patient more than once
    hiding.join(PATIENCE)
    assert standings(engine) == []
    assert [act.action for act in desk.log()] == ["hide"]


def test_a_change_is_whole_or_not_at_all(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, desk = new_player(engine), Desk(engine, 5)
    with engine.begin() as connection:
        boards.enter(connection, "b", "all", ada, 80, False, "r1", 5)
    before: list[Json | Any] = [standings(engine), desk.players(ada)]
    monkeypatch.setattr(audit, "write", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        desk.ban(ada, "")
    assert [standings(engine), desk.players(ada)] == before


def test_an_act_that_could_not_be_followed_is_followed_again(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, guard, tried = own_server.guest(), own_server.app.state.guard, []
    review = guard.review

    async def fail_once(player_id: str) -> None:
        tried.append(player_id)
        if len(tried) == 1:
            raise OperationalError("SELECT", {}, Exception("it is away"))
        await review(player_id)

    monkeypatch.setattr(keepers, "PAUSE", 0.0)
    monkeypatch.setattr(guard, "review", fail_once)
    with guest.sit(guest.open("lite-solo")) as tab:
        Desk(own_server.app.state.hall.engine, own_server.clock()).ban(guest.id, "")
        assert tab.closed() == Close.BANNED
    assert tried == [guest.id] * 2


def test_of_equal_runs_the_first_is_shown_again(engine: Engine) -> None:
    ada, desk = new_player(engine), Desk(engine, 100)
    with engine.begin() as connection:
        for number, score in enumerate((70, 80, 80, 60, 80)):
            for lower, mode in ((False, "high"), (True, "low")):
                one = {"id": f"{mode} {number}", "mode": mode, "lower_is_better": lower, "finished_at": number}
                enter_run(connection, run_of(ada, score=-score if lower else score, **one), number)

    def places() -> list[Any]:
        with engine.connect() as connection:
            return sorted(tuple(row) for row in connection.execute(select(schema.standings)))

    before = places()
    assert len(before) == 8
    assert all("high 1" in row or "low 1" in row for row in before)
    desk.hide(ada, "")
    assert places() == []
    desk.show(ada, "")
    assert places() == before
