"""A network between a hall and its PostgreSQL that can fail."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from types import TracebackType
from urllib.parse import urlsplit

SIZE = 1 << 16


class Proxy:
    """Use as `with Proxy(url) as proxy`, and give the hall `proxy.url`."""

    def __init__(self, url: str) -> None:
        self._there = urlsplit(url)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = url.replace(f":{self._there.port}/", f":{self._listener.getsockname()[1]}/")
        self._lock = threading.Lock()
        self._links: list[_Link] = []
        self._after, self._silent = b"", False
        self.dropped = 0

    def __enter__(self) -> Proxy:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._listener.close()
        self.hang_up()

    def fall_silent(self, for_good: bool = False) -> int:
        """Nothing comes through on the connections that there are, and nobody says so; new ones work, unless it is
        `for_good`. How many it were."""
        with self._lock:
            self._silent = for_good
            links = [link for link in self._links if not link.closed]
            for link in links:
                link.silent = True
        return len(links)

    def hang_up(self) -> None:
        """The connections that there are end; new ones work."""
        with self._lock:
            self._silent = False
            for link in self._links:
                link.close()

    def lose_commit_after(self, text: bytes) -> None:
        """Once: the COMMIT that follows a statement with this text happens, but its answer never arrives, and the
        connection is gone."""
        self._after = text

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection((self._there.hostname or "", self._there.port or 0))
                link = _Link(self, near, far)
                with self._lock:
                    link.silent = self._silent
                    self._links.append(link)
                threading.Thread(target=link.ask, daemon=True).start()
                threading.Thread(target=link.answer, daemon=True).start()


class _Link:
    def __init__(self, proxy: Proxy, near: socket.socket, far: socket.socket) -> None:
        self.proxy, self.near, self.far = proxy, near, far
        self.silent = self.closed = self._seen = self._losing = False

    def ask(self) -> None:
        with suppress(OSError):
            while asked := self.near.recv(SIZE):
                wanted = self.proxy._after
                self._seen = self._seen or bool(wanted and wanted in asked)
                self._losing = self._seen and b"COMMIT" in asked
                if not self.silent:
                    self.far.sendall(asked)
        self.close()

    def answer(self) -> None:
        with suppress(OSError):
            while told := self.far.recv(SIZE):
                if self._losing:
                    self.proxy._after, self.proxy.dropped = b"", self.proxy.dropped + 1
                    break
                if not self.silent:
                    self.near.sendall(told)
        if not self.silent:
            self.close()

    def close(self) -> None:
        self.closed = True
        for end in (self.near, self.far):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
