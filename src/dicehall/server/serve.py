"""`dicehall` on a machine: find the data, keep the key, listen, stop cleanly."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import secrets
import signal
import socket
import sys
import threading
import time
import webbrowser
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import segno
import uvicorn
from fastapi import FastAPI

from dicehall.errors import InvalidOption
from dicehall.server.app import PAGE, create_app
from dicehall.server.dailies import check_clock
from dicehall.server.guard import LOOPBACK, host_name
from dicehall.server.http import Http
from dicehall.server.line import Line
from dicehall.server.page import NOT_BUILT
from dicehall.server.settings import Settings
from dicehall.store.engine import KEY, data_folder, default_url, hold, migrate, open_engine

if sys.platform != "win32":
    import resource

LOG: Final = logging.getLogger("dicehall.server")
ENOUGH_DESCRIPTORS: Final = (65_536, 10_240)  # the first that the system gives
RESERVE: Final = 200  # descriptors for the database, the books, the workers, and who waits to be let in
WAITING: Final = 100  # connections that are not let in yet


def signing_key(data: Path | None) -> bytes:
    """The key that signs cookies: made once, kept beside the data, readable by its owner alone."""
    path = data_folder(data) / KEY
    try:
        if not path.exists():
            fresh = path.with_name(f"{path.name}.{os.getpid()}")  # there is a whole key or none, whenever we are killed
            fresh.touch(mode=0o600)
            fresh.write_bytes(secrets.token_bytes(32))
            with suppress(FileExistsError):  # another hall that opens at the same moment was quicker: one key for both
                os.link(fresh, path)
            fresh.unlink()
        key: bytes = path.read_bytes()
    except OSError as error:
        raise InvalidOption("data", f"cannot keep the key in {path}: {error.strerror}") from None
    if len(key) != 32:
        raise InvalidOption("data", f"{path} is not a key of this hall")
    return key


def serve(
    host: str, port: int, data: Path | None, database: str | None, hosts: tuple[str, ...], secure: bool, lan: bool,
    clock_is_right: bool = False, browser: bool = True,
) -> int:  # fmt: skip
    """Listens until SIGTERM or SIGINT; what was acknowledged is in the store. `hosts` are more names it has; `browser`
    lets it open one when somebody starts it from a terminal."""
    gc.disable()
    for stop in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stop, _leave)  # while nothing is open yet; uvicorn closes down first, then signals once more
    url, names = default_url(data) if database is None else database, known_hosts(host, hosts, lan)
    settings = Settings(url, signing_key(data), hosts=names, https=secure)
    engine = open_engine(settings.database)  # so that a bad database is one clear line, before anything listens
    held = hold(engine)
    migrate(engine)
    if not clock_is_right:
        check_clock(engine, settings.clock())
    engine.dispose()
    try:
        listener = socket.create_server((host, port))
    except OSError as error:
        raise InvalidOption("address", f"cannot listen on {host}:{port}: {error.strerror}") from None
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(message)s")
    logging.getLogger("dicehall").setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").addFilter(_without_trace_of_stopping)
    descriptors = ask_for_descriptors()
    settings = replace(settings, connections=max(1, min(settings.connections, descriptors - RESERVE)))
    told = {"connections": settings.connections, "descriptors": descriptors, "hosts": [*LOOPBACK, *settings.hosts]}
    LOG.info(json.dumps(told))
    _announce(listener.getsockname()[1], lan_address() if lan else host, browser)
    server = uvicorn.Server(configured(create_app(settings)))
    # What is there by now stays: the collector need not look through it again. Of what comes, it looks through the new
    # often, which is quick; through all of it, which takes a fifth of a second at two thousand tables, only when
    # keepers.py says so. It does not run before, because what a signal raises in the middle of it would be lost.
    gc.freeze()
    gc.set_threshold(5000, 20, 1_000_000)
    gc.enable()
    try:
        server.run(sockets=[listener])
    finally:
        _leave_hanging_threads()
        del held  # nobody else had the database until here
    return 0


def _leave_hanging_threads() -> None:
    """A database that hangs has some of our threads, and Python would wait for them for ever. All is said and done."""
    deadline = time.monotonic() + 0.5
    for thread in threading.enumerate():
        if thread.name.startswith("dicehall-"):
            thread.join(max(0.0, deadline - time.monotonic()))
            if thread.is_alive():
                logging.shutdown()
                os._exit(0)


def configured(app: FastAPI) -> uvicorn.Config:
    """How uvicorn is to serve it."""
    return uvicorn.Config(
        app,
        http=Http,
        ws=Line,
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,  # a message is a kilobyte or two: packing it costs more than sending it
        backlog=WAITING,
        log_config=None,
        access_log=False,
        log_level="error",  # a line for whatever is no HTTP would let anybody fill the disk
        server_header=False,
        timeout_graceful_shutdown=1,
    )


def known_hosts(host: str, more: tuple[str, ...], lan: bool) -> tuple[str, ...]:
    """The names and addresses under which the hall answers, beside `LOOPBACK`: where it listens, and `more`."""
    names = [lan_address() if host in ("", "0.0.0.0") else host, *more]
    if lan and (own := socket.gethostname()):
        names += [own, f"{own}.local"]
    found = dict.fromkeys(map(host_name, names))
    if "" in found:
        wrong = next(name for name in names if not host_name(name))
        raise InvalidOption("host", f"{wrong} is no name of a host")
    return tuple(name for name in found if name not in LOOPBACK)


def ask_for_descriptors() -> int:
    """How many files and connections this process may have open, after asking for as many as are of use."""
    if sys.platform == "win32":
        return ENOUGH_DESCRIPTORS[-1]  # sockets are counted apart there
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    for enough in ENOUGH_DESCRIPTORS:
        now, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = enough if most == resource.RLIM_INFINITY else min(enough, most)
        if now != resource.RLIM_INFINITY and now < wanted:
            with suppress(ValueError, OSError):  # there is a limit that it does not tell
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    now, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return ENOUGH_DESCRIPTORS[0] if now == resource.RLIM_INFINITY else now


def _leave(number: int, frame: object) -> None:
    raise SystemExit(0)


def _without_trace_of_stopping(record: logging.LogRecord) -> bool:
    """A request cut short because we stop is told in one line: it is no fault to be traced."""
    if record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError):
        record.exc_info = None
    return True


def _announce(port: int, host: str, browser: bool) -> None:
    address = f"http://{host}:{port}/"
    print(f"The hall is open at {address}", flush=True)
    if not (PAGE / "index.html").exists():
        LOG.warning(NOT_BUILT)
    if browser and sys.stdout.isatty():  # somebody wants to see it; the listener takes the call already
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    if host != "127.0.0.1":
        segno.make(address).terminal(compact=True)


def lan_address() -> str:
    """This machine's address on its own network. Nothing is sent: a UDP socket only looks the route up."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address of documentation, never anybody's
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])
