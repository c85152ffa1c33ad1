"""Reading the documentation: where the pages are, their headings, tables and fenced blocks.

The conventions that the pages follow, and the tests in this folder check:

    ```pycon        a Python session. It is run, and what it prints is compared; one namespace for the whole page.
    ```console run  a shell session. Every line after "$ " is run, and what it prints is compared; the sign … stands
                    for anything. `dicehall` runs in this process, `$ echo $?` shows how the last one ended, and
                    `$ printf '...' | dicehall ...` feeds its input. All sessions of a page share one empty folder.
    ```console      a shell session for the eye only: what it prints depends on the machine.
    ```text         neither.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = ROOT / "docs"
GAME_PAGES: Final = DOCS / "games"
PAGES: Final = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted(DOCS.rglob("*.md"))]
LANGUAGES: Final = ("pycon", "console run", "console", "text", "json", "toml", "yaml", "nginx")

_DOTTED: Final = re.compile(r"`(dicehall(?:\.\w+)+)`")


class Block(NamedTuple):
    language: str  # whatever follows the opening fence
    line: int  # of the first line inside, counted from 0
    lines: list[str]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found: list[Block] = []
    inside = False
    for number, line in enumerate(text.splitlines()):
        if line.startswith("```") and not inside:
            found.append(Block(line[3:].strip(), number + 1, []))
            inside = True
        elif line.startswith("```"):
            inside = False
        elif inside:
            found[-1].lines.append(line)
    assert not inside, "a fenced block is not closed"
    return found


def prose(text: str) -> str:
    """The page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


def headings(text: str, level: int = 2) -> list[str]:
    mark = "#" * level + " "
    return [line.removeprefix(mark).strip() for line in prose(text).splitlines() if line.startswith(mark)]


def section(text: str, heading: str) -> str:
    """What stands under a second-level heading."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, flags=re.DOTALL | re.MULTILINE)
    assert found is not None, f"there is no heading {heading!r}"
    return found[1]


def table(text: str) -> list[list[str]]:
    """The cells of every table row in a text, without the rows of headings and dashes."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]
    starts = [n for n, row in enumerate(cells) if set("".join(row)) <= set("-|: ")]
    return [row for n, row in enumerate(cells) if n not in starts and n + 1 not in starts]


def dotted_paths(text: str) -> list[str]:
    return _DOTTED.findall(text)


def resolve(path: str) -> Any:
    """What a dotted path names: a module, or something inside one. Raises where there is no such thing."""
    parts = path.split(".")
    for split in range(len(parts), 0, -1):
        try:
            found: Any = import_module(".".join(parts[:split]))
        except ModuleNotFoundError:
            continue
        for part in parts[split:]:
            found = getattr(found, part)
        return found
    raise ModuleNotFoundError(path)
