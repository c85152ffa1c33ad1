"""A backup is taken while people play, and a hall opened from it has everything that was shown before."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from dicehall.store.engine import FILE
from tests.faults.hall import Server, Socket
from tests.faults.test_kill import TABLES, Visitor
from tests.faults.test_stop import dicehall, said_in_one_line
from tests.store.postgres import new_database, program


def test_a_backup_under_play(tmp_path: Path) -> None:
    data, copy = tmp_path / "hall", tmp_path / "copy"
    with Server(data) as server:
        visitors = play_for_a_while(server)
        known = {one.table: one.acknowledged for one in visitors if one.table}
        finished = {run: steps for one in visitors for run, (_, steps) in one.finished.items()}
        again = threading.Thread(target=visitors[0].play, args=(server, 1))
        again.start()  # it is taken while somebody moves
        done = dicehall("hall", "backup", str(copy), "--data", str(data))
        assert done.returncode == 0, done
        again.join()
    assert (os.stat(copy).st_mode & 0o777, os.stat(copy / FILE).st_mode & 0o777) == (0o700, 0o600)
    check_copy(Server(copy), visitors, known, finished)
    assert dicehall("check", "--data", str(copy)).stdout == "all is well\n"
    said_in_one_line(dicehall("hall", "backup", str(copy), "--data", str(data)), "not empty")


def test_a_dump_of_postgresql(tmp_path: Path) -> None:
    url, other, dump = new_database(), new_database(), tmp_path / "hall.dump"
    data = tmp_path / "hall"
    with Server(data, "--database", url) as server:
        visitors = play_for_a_while(server)
        known = {one.table: one.acknowledged for one in visitors if one.table}
        finished = {run: steps for one in visitors for run, (_, steps) in one.finished.items()}
        said_in_one_line(dicehall("hall", "backup", str(tmp_path / "x"), "--database", url), "pg_dump")
        subprocess.run([program("pg_dump"), "--format=custom", f"--file={dump}", url], check=True)
    subprocess.run([program("pg_restore"), f"--dbname={other}", dump], check=True)
    check_copy(Server(data, "--database", other), visitors, known, finished)
    assert dicehall("check", "--database", other).stdout == "all is well\n"


def play_for_a_while(server: Server) -> list[Visitor]:
    """Until some have finished a table; then they are cut off in the middle of the next."""
    visitors = [Visitor(asked, Random(f"backup/{number}")) for number, asked in enumerate(TABLES)]
    with ThreadPoolExecutor(len(visitors)) as threads:
        for one in [threads.submit(visitor.play, server, 1) for visitor in visitors]:
            one.result()
    time.sleep(0.1)
    for visitor in visitors:
        visitor._sit_down(server)
    return visitors


def check_copy(
    server: Server, visitors: list[Visitor], known: dict[str, tuple[str, ...]], finished: dict[str, tuple[str, ...]]
) -> None:
    with server:
        for visitor in visitors:
            if visitor.table in known:
                with Socket(server.port, f"/ws/tables/{visitor.table}", visitor.cookie) as link:
                    assert tuple(link.hello()["news"])[: len(known[visitor.table])] == known[visitor.table]
            for run in visitor.finished:
                if run in finished:
                    status, told, _ = server.ask("GET", f"/api/runs/{run}", None, visitor.cookie)
                    assert (status, tuple(told["record"]["steps"].split(" "))) == (200, finished[run])
