"""The tree in CONTRIBUTING.md names what there is, and nothing else."""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.docs.pages import ROOT, read, section

TREE: Final = section(read(ROOT / "CONTRIBUTING.md"), "The tree").partition("\n\nAn arrow is")[0]
DEEPEST: Final = 8  # how far names are indented; what is said of them stands to the right of that
# Folders of which every file is named. In others, a game's files follow from its name, or only their topics are told.
WHOLE: Final = (
    "src/dicehall", "src/dicehall/rules", "src/dicehall/play", "src/dicehall/coach", "src/dicehall/bots",
    "src/dicehall/lab", "src/dicehall/store", "src/dicehall/server", "src/dicehall/terminal", "web/src/screens",
    "web/src/lib", "tests", "docs",
)  # fmt: skip
OF_A_GAME: Final = ("lite", "farkle", "shutTheBox", "knucklebones", "Lite", "Farkle", "ShutTheBox", "Knucklebones")


def said() -> dict[str, str]:
    """By folder, what the tree says of it and of what is in it."""
    found: dict[str, str] = {}
    open_folders: list[tuple[int, str]] = []
    for line in filter(str.strip, TREE.splitlines()):
        indent, name = len(line) - len(line.lstrip()), line.split()[0]
        if indent <= DEEPEST:
            open_folders = [(depth, folder) for depth, folder in open_folders if depth < indent]
            if name.endswith("/"):
                folder = "/".join([*(folder for _, folder in open_folders[-1:]), name[:-1]])
                open_folders.append((indent, folder))
                found[folder] = ""
        for _, folder in open_folders:
            found[folder] += f"{line}\n"
    return found


SAID: Final = said()


def names(folder: str) -> set[str]:
    """Of the files and folders in it that somebody has written, without their endings."""
    left_out = re.compile(r"__|\.|py\.typed|static$|conftest|test_")
    return {path.name.partition(".")[0] for path in (ROOT / folder).iterdir() if not left_out.match(path.name)}


def missing(folder: str, wanted: set[str]) -> list[str]:
    words = {word.lower() for word in re.findall(r"[\w-]+", SAID[folder])}
    return [name for name in sorted(wanted) if name.lower() not in words]


@pytest.mark.parametrize("folder", WHOLE)
def test_every_file_is_named(folder: str) -> None:
    mirrored = names("src/dicehall") if folder == "tests" else set()
    assert missing(folder, names(folder) - mirrored) == []


def test_the_table_s_frame_and_what_games_share_is_named() -> None:
    assert missing("web/src/parts", {name for name in names("web/src/parts") if name.startswith("Table")}) == []
    assert missing("web/src/games", {name for name in names("web/src/games") if not name.startswith(OF_A_GAME)}) == []


def test_nothing_is_named_that_is_not_there() -> None:
    assert [folder for folder in SAID if not (ROOT / folder).is_dir()] == []
    there = {path.name for folder in ("src", "web/src", "tests") for path in (ROOT / folder).rglob("*.*")}
    there |= {path.name for path in (ROOT / "web").iterdir()}
    assert [name for name in re.findall(r"\w+\.(?:py|ts|svelte|css|mjs|json)\b", TREE) if name not in there] == []
    assert set(re.findall(r"\bTable[A-Z]\w+", TREE)) <= names("web/src/parts")
