"""The page offers the quick matches that the hall has."""

from __future__ import annotations

import re
from pathlib import Path

from dicehall.people.glicko import POOLS
from dicehall.server import quick

SOURCE = Path(__file__).parents[2] / "web" / "src" / "lib"
POOL = re.compile(r"^  '?([\w-]+)'?: \{ game: '([\w-]+)', most: (\w+) \}", re.MULTILINE)


def test_the_page_knows_every_pool() -> None:
    offered = {name: (game, most) for name, game, most in POOL.findall((SOURCE / "pools.ts").read_text("utf-8"))}
    two, tables = ({name: (name, "2") for name in POOLS}, {name: (game, "MOST") for name, game in quick.TABLES.items()})
    assert offered == two | tables


def test_and_the_numbers_that_go_with_them() -> None:
    pools = (SOURCE / "pools.ts").read_text("utf-8")
    assert f"const MOST = {quick.MOST}\n" in pools
    assert f"export const CLOCK = '{quick.CLOCK}'\n" in pools
    assert quick.LOOK_EVERY == 1, "after eight seconds without a word the page looks again"
