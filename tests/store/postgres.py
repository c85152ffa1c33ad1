"""A real PostgreSQL for tests: started once for each process that asks, stopped when that process ends.

    from tests.store.postgres import new_database
    url = new_database()

The server listens on a free port of 127.0.0.1, keeps its data in a temporary folder, and does not wait for the disk.
"""

from __future__ import annotations

import atexit
import functools
import glob
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg

SECONDS_TO_START = 60
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "50",
    "shared_buffers": "32MB",
}


class NoPostgres(Exception):
    """PostgreSQL is neither here nor could it be installed."""


def new_database() -> str:
    """The URL of an empty database of its own."""
    address = server()
    name = f"hall_{secrets.token_hex(6)}"
    with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"{address}/{name}"


@functools.cache
def server() -> str:
    """The address of this process's server: postgresql://hall@127.0.0.1:PORT."""
    initdb, postgres = program("initdb"), program("postgres")
    folder = Path(tempfile.mkdtemp(prefix="dicehall-postgres-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    somebody = unprivileged(folder)
    data = folder / "data"
    made = subprocess.run(
        [initdb, "--pgdata", data, "--username=hall", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
        capture_output=True,
        text=True,
        cwd=folder,
        **somebody,
    )
    if made.returncode != 0:
        raise NoPostgres(f"initdb failed: {made.stderr}")
    log = folder / "log"
    for _ in range(5):  # somebody else may take the port before the server does
        port = free_port()
        options = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
        with log.open("ab") as output:
            process = subprocess.Popen(
                [postgres, "-D", data, "-p", str(port), *options],
                stdout=output,
                stderr=output,
                cwd=folder,
                start_new_session=True,  # Ctrl-C is for pytest, which then stops the server itself
                **somebody,
            )
        atexit.register(stop, process)
        address = f"postgresql://hall@127.0.0.1:{port}"
        if answers(process, f"{address}/postgres"):
            return address
        stop(process)
    raise NoPostgres(f"the server did not start: {log.read_text()[-2000:]}")


def answers(process: subprocess.Popen[bytes], url: str) -> bool:
    deadline = time.monotonic() + SECONDS_TO_START
    while process.poll() is None and time.monotonic() < deadline:
        try:
            psycopg.connect(url, connect_timeout=5).close()
            return True
        except psycopg.OperationalError:
            time.sleep(0.05)
    return False


def stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGINT)  # a fast shutdown: clients are cut off
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def program(name: str) -> str:
    found = find_program(name)
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "-y", "postgresql"], capture_output=True, stdin=subprocess.DEVNULL)
        found = find_program(name)
    if found is None:
        raise NoPostgres(
            f"{name} was not found: install PostgreSQL (Debian: apt-get install postgresql), or put it on PATH"
        )
    return found


def find_program(name: str) -> str | None:
    if on_path := shutil.which(name):
        return on_path
    versions = glob.glob(f"/usr/lib/postgresql/*/bin/{name}")
    return max(versions, key=lambda path: int(path.split("/")[4].split(".")[0]), default=None)


def unprivileged(folder: Path) -> dict[str, Any]:
    """PostgreSQL refuses to run as root, so root hands the folder and the processes to somebody else."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(folder, entry.pw_uid, entry.pw_gid)
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise NoPostgres("root needs a user named postgres or nobody to run PostgreSQL")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])
