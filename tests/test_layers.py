"""Imports point one way, and the pure layers stay pure."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "dicehall"

# A layer may import those before it. Layers in one tuple do not know each other.
LAYERS = (
    ("errors",),
    ("dice",),
    ("rules",),
    ("games",),
    ("play",),
    ("coach",),
    ("files", "streams"),
    ("bots", "solve"),
    ("people",),
    ("lab", "store"),
    ("terminal", "server"),
    ("arguments", "completion"),
    ("cli",),
    ("__main__",),
)
EXACT = ("errors", "dice", "rules", "games", "play", "coach", "bots")
PURE = (*EXACT, "people")
INDEX = "games"  # says where each game's parts are, so it points upward; but loads none before somebody asks
BUILDERS = ("cli", "lab", INDEX)  # who may import solve: everybody else reads the books it built
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
# No clock, no global generator, no files, no processes: a pure layer gives the same answer everywhere and for ever.
IMPURE = {"random", "os", "sys", "time", "datetime", "pathlib", "io", "subprocess", "threading", "socket", "tempfile"}
FINDS_FILES = {"coach/cache.py"}  # except there, where large books are found that somebody had built
LAZY = {"secrets", "logging"}  # dice.py's fallback and the table's warning about it, imported where they are needed


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def layer(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports(tree: ast.AST, at_once: bool = True) -> Iterator[tuple[str, bool]]:
    """Every imported module, and whether importing the file imports it: not what is inside a function, or there for
    the types alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from [(name.name, at_once) for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            module = node.module or ""
            yield from [(f"{module}.{name.name}" if module == "dicehall" else module, at_once) for name in node.names]
        else:
            for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            yield from imports(node, at_once and not for_types and not isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_one_way(path: Path) -> None:
    mine = layer(path)
    assert mine in RANK, f"{mine} has no place among the layers"
    for name, at_once in imports(ast.parse(path.read_text())):
        head, *rest = name.split(".")
        if head == "dicehall":
            theirs = rest[0] if rest else "__init__"
            if theirs in ("__init__", "__version__"):
                assert mine in ("server", "arguments", "cli", "__main__")
                continue
            upward = theirs != mine and RANK[theirs] >= RANK[mine]
            assert not upward or (mine == INDEX and not at_once), f"{mine} imports {theirs}"
            assert theirs != "solve" or mine in ("solve", *BUILDERS), f"{mine} imports solve instead of reading a book"
        else:
            for_types = head == "typing_extensions" and not at_once  # under TYPE_CHECKING, which does not run
            assert head in sys.stdlib_module_names or mine not in PURE or for_types, f"{mine} imports {head}"
            pure = mine in PURE and path.relative_to(SOURCE).as_posix() not in FINDS_FILES
            assert head not in IMPURE or not pure, f"{mine} is pure but imports {head}"
            assert head not in LAZY or mine not in PURE or not at_once, f"{head} is imported where it is needed"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_nobody_else_asks_the_index_for_a_solver(path: Path) -> None:
    if layer(path) not in ("solve", INDEX):
        for node in ast.walk(ast.parse(path.read_text())):
            assert not (isinstance(node, ast.Attribute) and node.attr == "solver"), f"line {node.lineno}"


@pytest.mark.parametrize("path", [path for path in modules() if layer(path) in EXACT], ids=lambda p: p.stem)
def test_values_that_decide_are_integers(path: Path) -> None:
    """Floats differ between platforms, so these layers have none: no literal, no division, no float()."""
    for node in ast.walk(ast.parse(path.read_text())):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), f"line {node.lineno}"
        assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)), f"line {node.lineno}"
        assert not (isinstance(node, ast.Name) and node.id == "float" and isinstance(node.ctx, ast.Load)) or (
            path.name == "errors.py"  # which only quotes somebody's input
        ), f"line {node.lineno}"


def test_rule_files_stay_readable_in_one_sitting() -> None:
    order = ["aim", "start", "actor", "dice_to_roll", "rolled", "legal", "after", "result", "why_not"]
    for name in ("lite_solo", "lite_versus", "farkle", "shut_the_box", "knucklebones"):
        text = (SOURCE / "rules" / f"{name}.py").read_text()
        assert 100 <= text.count("\n") <= 250, name
        defined = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
        assert [function for function in defined if function in order] == order, name


def test_what_play_has_for_a_game_has_the_same_parts_in_one_order() -> None:
    order = ["picture", "preview", "events", "leader", "standing", "breakdown", "parts"]
    for name in ("lite", "farkle", "shut_the_box", "knucklebones"):
        text = (SOURCE / "play" / f"{name}.py").read_text()
        assert text.count("\n") <= 250, name
        defined = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
        assert defined[: len(order)] == order, name
        assert all(helper.startswith("_") for helper in defined[len(order) :]), name


def loaded_with(module: str) -> list[str]:
    """All modules of ours that importing one of them loads."""
    code = f"import sys, {module}; print(*sorted(name for name in sys.modules if name.startswith('dicehall.')))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_importing_the_package_loads_no_game() -> None:
    assert loaded_with("dicehall") == []


def test_importing_the_index_loads_no_part_of_a_game() -> None:
    assert {name.split(".")[1] for name in loaded_with("dicehall.games")} == {"errors", "games", "rules"}


def test_every_public_name_loads() -> None:
    import dicehall

    for name in dicehall.__all__:
        assert getattr(dicehall, name) is not None
    assert {*dicehall.__all__, "__version__"} <= {*dir(dicehall)}
    with pytest.raises(AttributeError, match="nonsense"):
        _ = dicehall.nonsense
