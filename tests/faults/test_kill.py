"""Killed at any moment, the hall loses nothing it has acknowledged and keeps nothing by halves."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Engine, select

from dicehall.store import schema
from dicehall.store.engine import default_url, open_engine, reader
from tests.faults.hall import YOU, Gone, Replica, Server, Socket
from tests.patience import PATIENCE
from tests.soak import SOAKING, times
from tests.store.postgres import new_database

LONGEST_LIFE = 0.7  # seconds of play before a kill: from a server that has hardly started to one in full swing
TABLES: list[dict[str, Any]] = [
    {"game": "lite-solo"},
    {"game": "lite-versus", "seats": [YOU, "lookahead"]},
    {"game": "farkle", "seats": ["random", YOU, "random"], "options": {"target": 3000}},
    {"game": "shut-the-box"},
    {"game": "knucklebones", "seats": ["random", YOU]},
    {"game": "knucklebones", "seats": [YOU, "spec"], "kind": "daily"},
    {"game": "farkle", "seats": [YOU, YOU], "options": {"target": 2000}, "kind": "practice", "seed": "again"},
]


@dataclass
class Visitor:
    """Plays table after table, and remembers all that the server has acknowledged."""

    asked: dict[str, Any]
    random: Random
    cookie: str = ""
    table: str = ""
    seats: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    acknowledged: tuple[str, ...] = ()
    under_way: str | None = None  # a move that was sent and not acknowledged
    moves: int = 0
    finished: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)  # run -> table, steps
    kept_unheard: int = 0  # moves that were there though nobody had heard so, and
    lost_unheard: int = 0  # those that were not: both happen

    def play(self, server: Server, tables: int = 1_000_000) -> None:
        """Until the server is gone, or `tables` tables are finished."""
        try:
            while tables:
                self._sit_down(server)
                self._play_table(server)
                tables -= 1
        except Gone:
            return

    def _sit_down(self, server: Server) -> None:
        if not self.cookie:
            self.cookie = server.fresh_cookie()
        if not self.table:
            asked = self.asked if self.asked.get("kind") != "daily" else {"game": self.asked["game"], "kind": "daily"}
            status, opened, _ = server.ask("POST", "/api/tables", asked, self.cookie)
            assert status == 201, opened
            self.table, self.seats, self.acknowledged = opened["id"], tuple(opened["seats"]), ()
            self.options, self.under_way = opened["view"]["options"], None

    def _play_table(self, server: Server) -> None:
        with Socket(server.port, f"/ws/tables/{self.table}", self.cookie) as link:
            shown = link.hello()
            replica = self._check_return(link, shown)
            while not replica.is_over:
                move, seen = replica.choose(self.random), len(replica.steps)
                self.under_way = move
                shown = link.ask({"type": "move", "seen": seen, "move": move})
                assert shown["type"] == "table", shown
                assert shown["news"][0] == move
                self._acknowledge(replica, shown)
                self.moves += 1
            assert shown["run"] is not None
            assert shown["run"] not in self.finished
            self.finished[shown["run"]] = self.table, replica.steps
            self.table = ""

    def _check_return(self, link: Socket, shown: Any) -> Replica:
        """Everything acknowledged is there; the move under way is wholly there, or not at all."""
        assert shown["type"] == "table", shown
        steps, known, unheard = tuple(shown["news"]), len(self.acknowledged), self.under_way
        assert steps[:known] == self.acknowledged
        replica = Replica(self.asked["game"], self.options, self.seats)
        if known and len(steps) > known:
            assert steps[known] == unheard
            self.kept_unheard += 1
            again = link.ask({"type": "move", "seen": known, "move": unheard})  # it counts once
            assert (again["type"], again["count"], again["news"]) == ("table", len(steps), []), again
        elif unheard is not None:
            self.lost_unheard += 1
        self._acknowledge(replica, shown)
        return replica

    def _acknowledge(self, replica: Replica, shown: Any) -> None:
        replica.follow(shown["news"])
        assert shown["count"] == len(replica.steps)
        assert replica.is_whole()
        self.acknowledged, self.under_way = replica.steps, None


@dataclass
class Auditor:
    """Reads the store behind the running server's back, and believes nothing."""

    engine: Engine
    seen_over: dict[str, str] = field(default_factory=dict)  # what is over stays as it is

    def check(self, visitors: list[Visitor]) -> int:
        with reader(self.engine).connect() as connection:
            saved = connection.execute(select(schema.tables)).all()
            runs = connection.execute(select(schema.runs)).all()
            played = connection.execute(
                select(schema.players_runs, schema.runs.c.lower_is_better).join(schema.runs)
            ).all()
            standings = connection.execute(select(schema.standings)).all()
            tallies = connection.execute(select(schema.tallies)).all()
        for table in saved:
            if table.id in self.seen_over:
                assert table.steps == self.seen_over[table.id]
                continue
            replica = Replica(table.game, table.options, tuple(table.seats), table.rules)
            replica.follow(table.steps.split(" "))
            assert replica.is_whole(), f"half a move at {table.id}: {table.steps}"
            assert replica.is_over == table.over
            if table.over:
                self.seen_over[table.id] = table.steps
        by_table = {run.table_id: run for run in runs}
        assert len(by_table) == len(runs), "a run was entered twice"
        assert set(by_table) == {table.id for table in saved if table.over}, "a run was lost, or came from nowhere"
        steps = {table.id: table.steps for table in saved}
        for run in runs:
            assert run.record["steps"] == steps[run.table_id]
        acknowledged = {run: table for visitor in visitors for run, (table, _) in visitor.finished.items()}
        assert acknowledged.items() <= {run.id: run.table_id for run in runs}.items()
        assert Counter(one.run_id for one in played) == Counter(run.id for run in runs), "somebody played in each"
        self._check_boards(played, standings, tallies)
        return len(runs)

    def _check_boards(self, played: Any, standings: Any, tallies: Any) -> None:
        """Every ranked run has counted on its board of all time, once, and the tallies agree with the standings."""
        best: dict[tuple[str, str], int] = {}
        for run in played:
            if run.ranked and run.day is None:
                key, value = (f"{run.game}/{run.mode}", run.player_id), run.score * (1 if run.lower_is_better else -1)
                best[key] = min(value, best.get(key, value))
        own = {(s.board, s.player_id): s.value for s in standings if s.period == "all"}
        assert {key: value for key, value in own.items() if not key[0].startswith("daily/")} == best
        counted = Counter((s.board, s.period, s.value) for s in standings)
        assert {(t.board, t.period, t.value): t.players for t in tallies if t.players} == dict(counted)


def kill_and_return(data: Path, url: str | None, kills: int, seed: str) -> None:
    random = Random(seed)
    more = () if url is None else ("--database", url)
    visitors = [Visitor(asked, Random(f"{seed}/{number}")) for number, asked in enumerate(TABLES)]
    with ThreadPoolExecutor(len(visitors)) as threads:
        auditor = None
        try:
            for _ in range(kills):
                with Server(data, *more) as server:
                    server.ask("GET", "/api/health")
                    if auditor is None:
                        auditor = Auditor(open_engine(url or default_url(data)))
                    auditor.check(visitors)
                    playing = [threads.submit(visitor.play, server) for visitor in visitors]
                    time.sleep(random.uniform(0, LONGEST_LIFE))
                    server.kill()
                    for one in playing:
                        one.result()
            assert auditor is not None
            with Server(data, *more) as server:  # play goes on, to the end of every table
                for one in [threads.submit(visitor.play, server, 1) for visitor in visitors]:
                    one.result()
                runs = auditor.check(visitors)
                for visitor in visitors:
                    assert not visitor.table, "play did not go on"
                    run = list(visitor.finished)[-1]
                    status, verdict, _ = server.ask("GET", f"/api/runs/{run}/proof", None, visitor.cookie)
                    assert (status, verdict["ok"]) == (200, True), verdict
                assert not server.faults(), server.told()[-5000:]
        finally:
            if auditor is not None:
                auditor.engine.dispose()
    moves = sum(visitor.moves for visitor in visitors)
    unheard = [sum(visitor.kept_unheard for visitor in visitors), sum(visitor.lost_unheard for visitor in visitors)]
    figures = f"{kills} kills, {moves} moves, {runs} runs, unheard moves kept and lost: {unheard}"
    assert moves > 10 * kills, figures
    if SOAKING:
        assert min(unheard) > 0, f"no kill came between a move and its answer: {figures}"
        data.with_name("figures.txt").write_text(figures + "\n")


@pytest.mark.timeout(times(1800, 3600))
def test_killed_under_play(tmp_path: Path) -> None:
    kill_and_return(tmp_path / "hall", None, times(12, 100), "sqlite")


@pytest.mark.timeout(times(1800, 3600))
def test_killed_under_play_on_postgresql(tmp_path: Path) -> None:
    url = new_database()
    kill_and_return(tmp_path / "hall", url, times(4, 100), "postgresql")


def test_killed_while_it_starts_for_the_first_time(tmp_path: Path) -> None:
    """A folder half made is no obstacle: whenever it was killed, the next start succeeds."""
    random = Random("first")
    for number in range(times(3, 30)):
        data = tmp_path / f"hall{number}"
        process = Server.begin(data)
        time.sleep(random.uniform(0.2, 0.9) if SOAKING else random.uniform(0, 0.3))  # what is forked starts sooner
        process.kill()
        process.wait(PATIENCE)
        assert process.stdout is not None
        process.stdout.close()
        with Server(data) as server:
            assert server.ask("GET", "/api/health")[0] == 200
            assert server.fresh_cookie()


def test_a_finished_run_cannot_be_finished_again(tmp_path: Path) -> None:
    """Not by undo in practice, and not after a restart: the table keeps its one run."""
    asked = {"game": "shut-the-box", "kind": "practice", "seed": "once"}
    visitor = Visitor(asked, Random("once"))
    data = tmp_path / "hall"
    with Server(data) as server:
        visitor.play(server, 1)
        ((run, (table, steps)),) = visitor.finished.items()
    for _ in range(2):
        with Server(data) as server, Socket(server.port, f"/ws/tables/{table}", visitor.cookie) as link:
            shown = link.hello()
            assert (shown["run"], shown["can_undo"], tuple(shown["news"])) == (run, False, steps)
            assert link.ask({"type": "undo", "seen": len(steps)})["code"] == "game-over"
            assert link.ask({"type": "move", "seen": len(steps), "move": steps[1]})["type"] == "error"
            history = server.ask("GET", "/api/runs", None, visitor.cookie)[1]["runs"]
            assert [one["id"] for one in history] == [run]
