"""Two halls on one database: nothing that either has acknowledged is ever overwritten by the other."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dicehall.store.engine import open_engine
from tests.faults.hall import UNLIMITED, Gone, Replica, Server, Socket
from tests.faults.test_kill import TABLES, Auditor, Visitor
from tests.faults.test_stop import dicehall, said_in_one_line
from tests.soak import times
from tests.store.postgres import new_database

OPTIONS = {"target": 1_000_000}
LONG = {"game": "farkle", "seats": ["you", "you"], "options": OPTIONS, "kind": "practice", "seed": "fence"}


def test_a_second_hall_on_one_folder_says_so_and_goes(tmp_path: Path) -> None:
    data = tmp_path / "hall"
    with Server(data) as server:
        said_in_one_line(dicehall("--port", "0", "--data", str(data)), "another hall")
        assert server.ask("GET", "/api/health")[0] == 200
    with Server(data) as server:  # killed, and nothing is left of its claim
        assert server.ask("GET", "/api/health")[0] == 200


class Rival:
    """Plays at a table through one of the halls, together with others who do the same elsewhere."""

    def __init__(self, server: Server, table: str, cookie: str, seed: str) -> None:
        self.server, self.table, self.cookie, self.random = server, table, cookie, Random(seed)
        self.acknowledged: tuple[str, ...] = ()
        self.kept = self.lost = 0

    def play(self, moves: int) -> None:
        while self.kept + self.lost < moves:
            try:
                with Socket(self.server.port, f"/ws/tables/{self.table}", self.cookie) as link:
                    self._talk(link, moves)
            except Gone:
                self.server.ask("GET", "/api/health")  # or it is gone for good

    def _talk(self, link: Socket, moves: int) -> None:
        """Whatever is shown is acknowledged. Moves of others, through either hall, come in between."""
        self._follow(link.hello())
        while self.kept + self.lost < moves:
            replica = Replica(str(LONG["game"]), OPTIONS, ("you", "you"))
            replica.follow(self.acknowledged)
            seen, move = len(replica.steps), replica.choose(self.random)
            link.send({"type": "move", "seen": seen, "move": move})
            while len(self.acknowledged) == seen:
                answer = link.receive()
                if answer["type"] == "error":  # somebody was quicker: look again, and go on from there
                    assert answer["code"] in ("overtaken", "stale"), answer
                    self.lost += 1
                    answer = link.ask({"type": "look"})
                if answer["type"] == "table":
                    self._follow(answer)
                    if answer["count"] == seen:
                        break
            self.kept += self.acknowledged[seen : seen + 1] == (move,)

    def _follow(self, shown: Any) -> None:
        """News, or all of the steps where they are not what was seen before."""
        whole = shown["count"] == len(shown["news"])
        steps = tuple(shown["news"]) if whole else self.acknowledged + tuple(shown["news"])
        if len(steps) != shown["count"]:
            raise Gone  # connect again, and be shown all of it
        assert steps[: len(self.acknowledged)] == self.acknowledged, "what was acknowledged is not there any more"
        self.acknowledged = steps


def test_two_halls_on_one_postgresql_at_one_table(tmp_path: Path) -> None:
    """Both are asked to move at the same table, all the time."""
    url, data = new_database(), tmp_path / "hall"
    halls = [Server(data, "--database", url, command=UNLIMITED) for _ in range(2)]
    with halls[0] as one, halls[1] as other:
        cookie = one.fresh_cookie()
        table = one.ask("POST", "/api/tables", LONG, cookie)[1]["id"]
        rivals = [Rival(server, table, cookie, f"{n}") for n, server in enumerate((one, other, one, other))]
        with ThreadPoolExecutor(len(rivals)) as threads:
            for done in [threads.submit(rival.play, times(60, 1000)) for rival in rivals]:
                done.result()
        for server in (one, other):  # a hall that has lost reads again: both end with the same table
            with Socket(server.port, f"/ws/tables/{table}", cookie) as link:
                steps = tuple(link.hello()["news"])
            for rival in rivals:
                assert steps[: len(rival.acknowledged)] == rival.acknowledged
        assert min(rival.kept for rival in rivals) > 0
        assert sum(rival.lost for rival in rivals) > 0, "they never met"
        for server in (one, other):
            assert not server.faults()


@pytest.mark.timeout(times(1800, 3600))
def test_a_deploy_that_overlaps(tmp_path: Path) -> None:
    """The next hall is open before the last one stops. Whoever plays moves over in the middle of a game, and loses
    nothing; the boards agree with the runs."""
    url, data = new_database(), tmp_path / "hall"
    visitors = [Visitor(asked, Random(f"deploy/{number}")) for number, asked in enumerate(TABLES)]
    auditor = None
    server = Server(data, "--database", url, command=UNLIMITED)
    try:
        with ThreadPoolExecutor(2 * len(visitors)) as threads:
            auditor = Auditor(open_engine(url))
            for _ in range(times(3, 30)):
                playing = [threads.submit(visitor.play, server) for visitor in visitors]
                time.sleep(0.4)
                following = Server(data, "--database", url, command=UNLIMITED)
                server.process.send_signal(signal.SIGTERM)
                for one in playing:
                    one.result()
                server.kill()
                server = following
                auditor.check(visitors)
            for one in [threads.submit(visitor.play, server, 1) for visitor in visitors]:
                one.result()
            auditor.check(visitors)
        assert sum(visitor.moves for visitor in visitors) > 20
        assert not server.faults()
    finally:
        server.kill()
        if auditor is not None:
            auditor.engine.dispose()


def test_a_hall_that_slept_does_not_overwrite_what_was_played_meanwhile(tmp_path: Path) -> None:
    """One is stopped in the middle, the game goes on at the other, and the first one wakes up."""
    url, data = new_database(), tmp_path / "hall"
    with (
        Server(data, "--database", url, command=UNLIMITED) as one,
        Server(data, "--database", url, command=UNLIMITED) as other,
    ):
        cookie = one.fresh_cookie()
        table = one.ask("POST", "/api/tables", LONG, cookie)[1]["id"]
        with Socket(one.port, f"/ws/tables/{table}", cookie) as sleepy:
            before = sleepy.hello()
            rival = Rival(other, table, cookie, "awake")
            os.kill(one.process.pid, signal.SIGSTOP)
            replica = Replica(str(LONG["game"]), OPTIONS, ("you", "you"))
            replica.follow(before["news"])
            sleepy.send({"type": "move", "seen": before["count"], "move": replica.choose(Random("asleep"))})
            rival.play(20)
            assert rival.kept == 20
            os.kill(one.process.pid, signal.SIGCONT)
            answer = sleepy.receive()
            while answer["type"] == "waiting":
                answer = sleepy.receive()
            told: list[Any] = [answer]
            if answer["type"] == "error":
                told.append(sleepy.ask({"type": "look"}))
            assert told[-1]["count"] >= len(rival.acknowledged), "it shows the table as it has gone on"
        with Socket(one.port, f"/ws/tables/{table}", cookie) as link:
            assert tuple(link.hello()["news"])[: len(rival.acknowledged)] == rival.acknowledged


def test_a_run_that_two_halls_finish_is_one_run(tmp_path: Path) -> None:
    """Both make the last move of a game at the same moment."""
    url, data = new_database(), tmp_path / "hall"
    with (
        Server(data, "--database", url, command=UNLIMITED) as one,
        Server(data, "--database", url, command=UNLIMITED) as other,
    ):
        cookie = one.fresh_cookie()
        for number in range(1, times(4, 40) + 1):
            finish_together((one, other), cookie)
            assert len(one.ask("GET", "/api/runs?limit=100", None, cookie)[1]["runs"]) == number


def finish_together(servers: tuple[Server, Server], cookie: str) -> None:
    one, replica = servers[0], Replica("lite-solo", {}, ("you",))
    table = one.ask("POST", "/api/tables", {"game": "lite-solo", "kind": "practice", "seed": "end"}, cookie)[1]["id"]
    with Socket(one.port, f"/ws/tables/{table}", cookie) as link:
        replica.follow(link.hello()["news"])
        while len(replica.game.rules.legal(replica.state)) > 1:
            move = {"type": "move", "seen": len(replica.steps), "move": replica.choose(Random(0))}
            replica.follow(link.ask(move)["news"])
    last = {"type": "move", "seen": len(replica.steps), "move": replica.choose(Random(0))}
    ready = threading.Barrier(2)

    def finish(server: Server) -> str:
        with Socket(server.port, f"/ws/tables/{table}", cookie) as link:
            link.hello()
            ready.wait()
            answer = link.ask(last)
            while answer["type"] != "table" or not answer["run"]:
                answer = link.receive()
            return str(answer["run"])

    with ThreadPoolExecutor(2) as threads:
        assert len(set(threads.map(finish, servers))) == 1
