"""What a file of the page offers to others, somebody takes."""

from __future__ import annotations

import re
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "web" / "src"
GENERATED = "wire.ts"  # all that goes between hall and page, whether this page asks for it or not
EXPORT = re.compile(r"^\s*export (?:async )?(?:const|let|function|class|interface|type) (\w+)", re.MULTILINE)
RE_EXPORT = re.compile(r"^export (?:type )?\{([^}]*)\}", re.MULTILINE)
IMPORT = re.compile(r"import (?:type )?(?:\w+, )?\{([^}]*)\} from '([^']+)'", re.DOTALL)
WHOLE = re.compile(r"import \* as (\w+) from '([^']+)'")
# What is loaded later: taken at once, out of what comes, or where it has come.
LATER = (
    re.compile(r"\(await import\('(?P<where>[^']+)'\)\)\.(?P<listed>\w+)"),
    re.compile(r"\{(?P<listed>[^{}]*)\} = await import\('(?P<where>[^']+)'\)"),
    re.compile(r"import\('(?P<where>[^']+)'\)\s*(?:\w+)?\.then\(\s*\(\{(?P<listed>[^}]*)\}\)"),
)


def files() -> dict[Path, str]:
    paths = (path for path in SOURCE.rglob("*") if path.suffix in (".ts", ".svelte") and path.name != GENERATED)
    return {path: path.read_text("utf-8") for path in paths}


def found(importer: Path, name: str) -> Path:
    """The file that an import in `importer` names."""
    path = (importer.parent / name).resolve()
    folder = path / "index.ts"
    return folder if folder.is_file() else path if path.suffix == ".svelte" and path.is_file() else Path(f"{path}.ts")


def names(listed: str) -> set[str]:
    return {one.removeprefix("type ").split(" as ")[0].strip() for one in re.split(r",\s*", listed.strip()) if one}


def test_nothing_is_exported_that_nobody_imports() -> None:
    texts = files()
    taken: set[tuple[Path, str]] = set()
    for path, text in texts.items():
        taken |= {(found(path, where), name) for listed, where in IMPORT.findall(text) for name in names(listed)}
        for prefix, where in WHOLE.findall(text):
            taken |= {(found(path, where), name) for name in re.findall(rf"\b{prefix}\.(\w+)", text)}
        for later in (one for pattern in LATER for one in pattern.finditer(text)):
            taken |= {(found(path, later["where"]), name) for name in names(later["listed"])}
    offered = {
        (path, name)
        for path, text in texts.items()
        for name in (*EXPORT.findall(text), *(one for listed in RE_EXPORT.findall(text) for one in names(listed)))
    }
    assert len(offered) > 100
    left = sorted(f"{path.relative_to(SOURCE)}: {name}" for path, name in offered - taken)
    assert left == []
