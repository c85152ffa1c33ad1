"""Mistakes in the store."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

MUTANTS: Final = (
    Mutant(
        "finished tables count as open",
        "src/dicehall/store/tables.py",
        'select(func.count()).where(tables.c.player_id == bindparam("player_id"), tables.c.over.is_(False))',
        'select(func.count()).where(tables.c.player_id == bindparam("player_id"))',
        ("tests/server/test_play.py::test_so_many_tables_are_open_at_once[sqlite]",),
    ),
    Mutant(
        "a move leaves the time of the table as it was",
        "src/dicehall/store/tables.py",
        'updated_at=bindparam("now"), ',
        "",
        ("tests/store/test_tables.py::test_the_moves_of_a_moment_are_saved_together[sqlite]",),
    ),
)
