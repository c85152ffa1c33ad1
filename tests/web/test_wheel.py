"""What is installed has everything: the page, the texts, the books, the licences; and nothing of the workshop.

Built here as pip and hatchling build it, without a network; and, but for the first wheel, without a Node.js in reach.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import httpx
import pytest

from tests.docs.pages import ROOT

STATIC: Final = "dicehall/server/static"
IMPORTED: Final = re.compile(r"""from ['"]([^.$'"][^'"]*)['"]""")


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (found,) = folder.glob("*.tar.gz")
    return found


@pytest.fixture(scope="module")
def source(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is in the sdist."""
    folder = tmp_path_factory.mktemp("source")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (found,) = folder.iterdir()
    return found


def wheel_of(source: Path, folder: Path, node: bool = False) -> Path:
    build = ["pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(folder)]
    env = os.environ if node else {**os.environ, "PATH": ""}
    subprocess.run([sys.executable, "-m", *build, str(source)], check=True, capture_output=True, env=env)
    (found,) = folder.glob("*.whl")
    return found


@contextmanager
def installed(wheel: Path, folder: Path) -> Iterator[list[str]]:
    """The command that runs what is in a wheel, with no other package in reach."""
    with ZipFile(wheel) as archive:
        archive.extractall(folder)
    start = f"import sys; sys.path.insert(0, {str(folder)!r}); from dicehall.cli import main; sys.exit(main())"
    yield [sys.executable, "-I", "-S", "-c", start]


def test_the_wheel_carries_the_built_page(tmp_path: Path) -> None:
    with ZipFile(wheel_of(ROOT, tmp_path, node=True)) as archive:
        names = archive.namelist()
        front = archive.read(f"{STATIC}/index.html").decode()
        books = {one.filename: one.compress_size for one in archive.infolist() if "/coach/books/" in one.filename}
        entry = next(name for name in names if name.endswith("entry_points.txt"))
        assert "dicehall = dicehall.cli:main" in archive.read(entry).decode()
    assert 'src="./assets/hall-' in front
    for packed in ("index.html.br", "index.html.gz", "favicon.svg", "third-party.txt"):
        assert f"{STATIC}/{packed}" in names
    assert any(name.startswith(f"{STATIC}/assets/Farkle-") for name in names)
    assert {"dicehall/texts/en/common.json", "dicehall/texts/de/farkle.json"} <= set(names)
    for book in ("lite-solo-score-targets.bin", "lite-versus.bin", "farkle-tables.bin", "puzzles/shut-the-box.jsonl"):
        assert f"dicehall/coach/books/{book}" in books
    assert sum(books.values()) < 6_000_000
    assert "dicehall/bots/ladder.json" in names
    assert not [name for name in names if "node_modules" in name or name.endswith(".ts") or name.startswith("web/")]


def test_a_wheel_made_from_the_sdist_carries_it_too(source: Path, tmp_path: Path) -> None:
    """Without Node.js: the sdist brought it."""
    wheel = wheel_of(source, tmp_path)
    with ZipFile(wheel) as archive:
        assert f"{STATIC}/index.html" in archive.namelist()
    with installed(wheel, tmp_path / "site") as dicehall:
        listed = subprocess.run([*dicehall, "games", "--json"], capture_output=True, text=True, check=True)
        assert len(json.loads(listed.stdout)) == 5
        for arguments, extra in (
            ([], "server"),
            (["chart", "farkle", "x.png"], "charts"),
            (["solve", "farkle"], "solve"),
        ):
            got = subprocess.run([*dicehall, *arguments], capture_output=True, text=True, check=False, cwd=tmp_path)
            assert (got.returncode, got.stderr.count("\n")) == (2, 1)
            assert re.fullmatch(rf"dicehall: .* needs? \w+: pip install 'dicehall\[{extra}\]'\n", got.stderr)


def test_an_install_without_the_page_works_and_says_so(source: Path, tmp_path: Path) -> None:
    """A checkout without Node.js, whose page is not built, or was built from other sources."""
    checkout = tmp_path / "checkout"
    shutil.copytree(source, checkout)
    with (checkout / "web" / "index.html").open("a") as changed:
        changed.write("<!-- changed since -->\n")
    wheel = wheel_of(checkout, tmp_path)
    site = tmp_path / "site"
    with ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if name.startswith(STATIC)]
        archive.extractall(site)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    serve = [sys.executable, "-m", "dicehall", "--data", str(tmp_path / "data"), "--port", str(port)]
    env = {**os.environ, "PYTHONPATH": str(site)}
    with subprocess.Popen(
        serve, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as hall:
        assert hall.stdout is not None
        assert hall.stdout.readline().startswith("The hall is open at ")
        shown = httpx.get(f"http://127.0.0.1:{port}/", timeout=30).text
        hall.terminate()
        log = hall.communicate(timeout=30)[1]
    assert shown.count("\n") == 1
    assert "`make page`" in shown
    assert shown in log


def test_an_sdist_without_the_page_is_not_made(source: Path, tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    shutil.copytree(source, checkout)
    shutil.rmtree(checkout / "src" / STATIC)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    env = {**os.environ, "PATH": ""}
    got = subprocess.run(build, cwd=checkout, env=env, capture_output=True, text=True, check=False)
    assert got.returncode != 0
    assert "Node.js" in got.stderr
    assert not list(tmp_path.glob("*.tar.gz"))


def test_the_licences_of_what_is_in_the_page_go_with_it() -> None:
    told = (ROOT / "src" / STATIC / "third-party.txt").read_text(encoding="utf-8")
    pages = [*(ROOT / "web" / "src").rglob("*.ts"), *(ROOT / "web" / "src").rglob("*.svelte")]
    used = {one.split("/")[0] for page in pages for one in IMPORTED.findall(page.read_text(encoding="utf-8"))}
    versions = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    assert "svelte" in used
    for name in used:
        assert f"\n{name} {versions[f'node_modules/{name}']['version']} (" in told, name
    assert told.count("\n" + "-" * 80 + "\n") == told.count("WITHOUT WARRANTY")
    assert told.count("Copyright (c)") >= told.count("WITHOUT WARRANTY")  # some have two authors


def test_extras_bring_what_they_say() -> None:
    about = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert about["dependencies"] == []
    extras = about["optional-dependencies"]
    assert not [one for one in extras["server"] if "psycopg" in one]
    for name in ("server", "postgres", "solve", "charts"):
        for one in extras[name]:
            assert ">=" in one or one.startswith("dicehall["), f"{one} has no lower bound"
