"""`dicehall` on a machine: find the data, keep the key, listen, stop cleanly."""

from __future__ import annotations

import logging
import secrets
import socket
import sys
from pathlib import Path

import segno
import uvicorn

from dicehall.errors import InvalidOption
from dicehall.server.app import create_app
from dicehall.server.settings import Settings
from dicehall.store.engine import data_folder, default_url, open_engine


def signing_key(data: Path | None) -> bytes:
    """The key that signs cookies: made once, kept beside the data, readable by its owner alone."""
    path = data_folder(data) / "cookie.key"
    try:
        if not path.exists():
            path.touch(mode=0o600)
            path.write_bytes(secrets.token_bytes(32))
        key: bytes = path.read_bytes()
    except OSError as error:
        raise InvalidOption("data", f"cannot keep the key in {path}: {error.strerror}") from None
    if len(key) != 32:
        raise InvalidOption("data", f"{path} is not a key of this hall")
    return key


def serve(
    host: str, port: int, data: Path | None, database: str | None, origins: tuple[str, ...], secure: bool, lan: bool
) -> int:
    """Listens until SIGTERM or SIGINT; what was acknowledged is in the store."""
    settings = Settings(database or default_url(data), signing_key(data), origins, secure)
    open_engine(settings.database).dispose()  # so that a bad database is one clear line, before anything listens
    try:
        listener = socket.create_server((host, port))
    except OSError as error:
        raise InvalidOption("address", f"cannot listen on {host}:{port}: {error.strerror}") from None
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(message)s")
    logging.getLogger("dicehall").setLevel(logging.INFO)
    _announce(listener.getsockname()[1], lan_address() if lan else host)
    config = uvicorn.Config(
        create_app(settings),
        ws="websockets-sansio",
        ws_max_size=64 * 1024,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    uvicorn.Server(config).run(sockets=[listener])
    return 0


def _announce(port: int, host: str) -> None:
    address = f"http://{host}:{port}/"
    print(f"The hall is open at {address}", flush=True)
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
