"""`dicehall` on a machine: find the data, keep the key, listen, stop cleanly."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import secrets
import signal
import socket
import sys
import threading
import webbrowser
from pathlib import Path

import segno
import uvicorn

from dicehall.errors import InvalidOption
from dicehall.server.app import create_app
from dicehall.server.dailies import check_clock
from dicehall.server.line import Line
from dicehall.server.settings import Settings
from dicehall.store.engine import data_folder, default_url, migrate, open_engine


def signing_key(data: Path | None) -> bytes:
    """The key that signs cookies: made once, kept beside the data, readable by its owner alone."""
    path = data_folder(data) / "cookie.key"
    try:
        if not path.exists():
            fresh = path.with_name(f"{path.name}.{os.getpid()}")  # there is a whole key or none, whenever we are killed
            fresh.touch(mode=0o600)
            fresh.write_bytes(secrets.token_bytes(32))
            fresh.replace(path)
        key: bytes = path.read_bytes()
    except OSError as error:
        raise InvalidOption("data", f"cannot keep the key in {path}: {error.strerror}") from None
    if len(key) != 32:
        raise InvalidOption("data", f"{path} is not a key of this hall")
    return key


def serve(
    host: str, port: int, data: Path | None, database: str | None, origins: tuple[str, ...], secure: bool, lan: bool,
    clock_is_right: bool = False,
) -> int:  # fmt: skip
    """Listens until SIGTERM or SIGINT; what was acknowledged is in the store."""
    gc.disable()
    for stop in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stop, _leave)  # while nothing is open yet; uvicorn closes down first, then signals once more
    settings = Settings(default_url(data) if database is None else database, signing_key(data), origins, secure)
    engine = open_engine(settings.database)  # so that a bad database is one clear line, before anything listens
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
    _announce(listener.getsockname()[1], lan_address() if lan else host)
    config = uvicorn.Config(
        create_app(settings),
        ws=Line,
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,  # a message is a kilobyte or two: packing it costs more than sending it
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    # What is there by now stays: the collector need not look through it again, nor every few hundred objects. It does
    # not run before, because what a signal raises in the middle of it would be lost.
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
    gc.enable()
    uvicorn.Server(config).run(sockets=[listener])
    return 0


def _leave(number: int, frame: object) -> None:
    raise SystemExit(0)


def _without_trace_of_stopping(record: logging.LogRecord) -> bool:
    """A request cut short because we stop is told in one line: it is no fault to be traced."""
    if record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError):
        record.exc_info = None
    return True


def _announce(port: int, host: str) -> None:
    address = f"http://{host}:{port}/"
    print(f"The hall is open at {address}", flush=True)
    if sys.stdout.isatty():  # somebody has started it, and wants to see it; the listener takes the call already
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
