"""`njit` that keeps what it compiled in the cache: compiling takes longer than many a solve.

Numba compiles a function again when its own file has changed, but does not look at what the function calls. So what is
kept lies in a folder that is named after all the code it may stand on. `NUMBA_CACHE_DIR` names another place.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numba

from dicehall.coach.cache import cache_folder
from dicehall.solve.workshop import PACKAGE

F = TypeVar("F", bound=Callable[..., Any])

PARTS: Final = ("solve", "coach", "rules")


def digest() -> str:
    found = hashlib.sha256()
    for file in sorted(file for part in PARTS for file in (PACKAGE / part).rglob("*.py")):
        found.update(f"{file.relative_to(PACKAGE).as_posix()}\0".encode() + file.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def njit(parallel: bool = False) -> Callable[[F], F]:
    return numba.njit(parallel=parallel, cache=True)  # type: ignore[return-value]  # it is called like the function


_PLACE: Final = Path(os.environ.get("NUMBA_CACHE_DIR") or Path(cache_folder()) / "compiled")
numba.config.CACHE_DIR = str(_PLACE / digest())  # type: ignore[attr-defined]
