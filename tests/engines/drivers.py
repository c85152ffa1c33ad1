"""Three engines behind the few verbs that a run by taps needs: go somewhere, look, tap."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Protocol, TypeVar

from playwright.sync_api import sync_playwright
from websockets.sync.client import ClientConnection, connect

from tests.browser.visit import FLAGS
from tests.patience import PATIENCE

T = TypeVar("T")

WIDTH, HEIGHT = 1000, 800


class Engine(Protocol):
    def go(self, address: str) -> None: ...

    def look(self, expression: str) -> Any:
        """What a JavaScript expression is worth in the page, as JSON."""

    def tap(self, x: float, y: float) -> None: ...


# -- Chromium, by Playwright


class Chromium:
    def __init__(self, running: ExitStack) -> None:
        playwright = running.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=needed("chromium", "chromium"), args=FLAGS)
        running.callback(browser.close)
        self._page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True)

    def go(self, address: str) -> None:
        self._page.goto(address)

    def look(self, expression: str) -> Any:
        return self._page.evaluate(expression)

    def tap(self, x: float, y: float) -> None:
        self._page.touchscreen.tap(x, y)


# -- Firefox, over WebDriver BiDi


class Firefox:
    def __init__(self, running: ExitStack) -> None:
        port, profile = free_port(), running.enter_context(TemporaryDirectory(ignore_cleanup_errors=True))
        command = [
            needed("firefox-esr", "firefox-esr"), "--headless", "--no-remote", "--profile", profile,
            "--remote-debugging-port", str(port), f"--width={WIDTH}", f"--height={HEIGHT}",
        ]  # fmt: skip
        running.enter_context(process(command))
        self._socket = until(lambda: running.enter_context(_bidi(port)))
        self._count = 0
        self._say("session.new", {"capabilities": {}})
        self._context = self._say("browsingContext.getTree", {})["contexts"][0]["context"]

    def _say(self, method: str, params: Mapping[str, Any]) -> Any:
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": params}))
        for _ in range(1000):  # events come in between
            answer = json.loads(self._socket.recv(PATIENCE))
            if answer.get("id") == self._count:
                assert answer["type"] == "success", answer
                return answer["result"]
        raise AssertionError(f"no answer to {method}")

    def go(self, address: str) -> None:
        self._say("browsingContext.navigate", {"context": self._context, "url": address, "wait": "complete"})

    def look(self, expression: str) -> Any:
        asked = {"expression": f"JSON.stringify({expression})", "awaitPromise": False}
        told = self._say("script.evaluate", {**asked, "target": {"context": self._context}})
        assert told["type"] == "success", told
        return json.loads(told["result"].get("value", "null"))

    def tap(self, x: float, y: float) -> None:
        self._say("input.performActions", {"context": self._context, "actions": _finger(x, y, "touch")})
        self._say("input.releaseActions", {"context": self._context})


def _bidi(port: int) -> AbstractContextManager[ClientConnection]:
    return connect(f"ws://127.0.0.1:{port}/session", max_size=None, open_timeout=PATIENCE)


# -- WebKit, over WebDriver, on a screen that nobody sees


class WebKit:
    def __init__(self, running: ExitStack) -> None:
        driver = needed("WebKitWebDriver", "webkit2gtk-driver")
        minis = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
        assert minis, "WebKit's MiniBrowser is missing: apt-get install webkit2gtk-driver"
        port = free_port()
        home = running.enter_context(TemporaryDirectory(ignore_cleanup_errors=True))
        env = {
            **os.environ, "DISPLAY": running.enter_context(screen()), "HOME": home, "XDG_RUNTIME_DIR": home,
            "LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_DMABUF_RENDERER": "1", "NO_AT_BRIDGE": "1",
        }  # fmt: skip
        running.enter_context(process([driver, "--host=127.0.0.1", f"--port={port}"], env))
        self._port = port
        options = {"binary": str(minis[-1]), "args": ["--automation", f"--geometry={WIDTH}x{HEIGHT}"]}
        until(lambda: self._ask("GET", "/status"))
        asked = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._session = f"/session/{self._ask('POST', '/session', asked)['sessionId']}"
        running.callback(self._ask, "DELETE", self._session)

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        line = HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        with closing(line):
            line.request(method, path, None if body is None else json.dumps(body))
            answer = line.getresponse()
            value = json.loads(answer.read())["value"]
        assert answer.status == 200, value
        return value

    def go(self, address: str) -> None:
        self._ask("POST", f"{self._session}/url", {"url": address})

    def look(self, expression: str) -> Any:
        script = f"return JSON.stringify({expression})"
        return json.loads(self._ask("POST", f"{self._session}/execute/sync", {"script": script, "args": []}) or "null")

    def tap(self, x: float, y: float) -> None:
        """With a mouse: WebKit's driver for GTK has no finger."""
        self._ask("POST", f"{self._session}/actions", {"actions": _finger(x, y, "mouse")})
        self._ask("DELETE", f"{self._session}/actions")


@contextmanager
def screen() -> Iterator[str]:
    """The display of an X server without a screen, which chooses its number itself."""
    ours, theirs = os.pipe()
    size = f"{WIDTH + 200}x{HEIGHT + 200}x24"
    command = [needed("Xvfb", "xvfb"), "-displayfd", str(theirs), "-screen", "0", size, "-nolisten", "tcp"]
    with process(command, keep=(theirs,)), os.fdopen(ours) as told:
        os.close(theirs)
        yield f":{told.readline().strip()}"


# -- what they share

ENGINES: Final[dict[str, Callable[[ExitStack], Engine]]] = {
    "chromium": Chromium,
    "firefox": Firefox,
    "webkit": WebKit,
}


@contextmanager
def opened(engine: str) -> Iterator[Engine]:
    """A browser with that engine, which ends with all that it needed."""
    with ExitStack() as running:
        yield ENGINES[engine](running)


def needed(program: str, package: str) -> str:
    found = shutil.which(program)
    assert found, f"{program} is missing: apt-get install {package}, or make engines, which does it"
    return found


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@contextmanager
def process(command: list[str], env: Mapping[str, str] | None = None, keep: tuple[int, ...] = ()) -> Iterator[None]:
    silent = subprocess.DEVNULL
    running = subprocess.Popen(command, env=env, stdin=silent, stdout=silent, stderr=silent, pass_fds=keep)
    try:
        yield
    finally:
        running.terminate()
        try:
            running.wait(20)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait(20)


def until(attempt: Callable[[], T]) -> T:
    """What `attempt` brings, once it does: a browser that starts does not listen at once."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def _finger(x: float, y: float, kind: str) -> list[dict[str, Any]]:
    moves = [
        {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    return [{"type": "pointer", "id": "finger", "parameters": {"pointerType": kind}, "actions": moves}]
