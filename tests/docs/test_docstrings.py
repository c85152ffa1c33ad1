"""The examples in the docstrings run, and print what they say they print."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

import dicehall

PACKAGE: Final = Path(dicehall.__file__).parent
WITH_EXAMPLES: Final = sorted(path for path in PACKAGE.rglob("*.py") if ">>> " in path.read_text(encoding="utf-8"))


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=module_name)
def test_the_examples_of_a_module_print_what_it_says(path: Path) -> None:
    results = doctest.testmod(import_module(module_name(path)), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.attempted > 0
    assert results.failed == 0
