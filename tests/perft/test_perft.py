"""The rules count the same trees as their slow twins, whose counts are kept in `tables`."""

from __future__ import annotations

from collections import Counter
from itertools import product, takewhile

import pytest

from dicehall.rules.catalog import GAMES, find_game
from dicehall.rules.game import outcomes
from tests.perft.by_rules import count_by_rules
from tests.perft.by_twins import count_by_twins
from tests.perft.cases import CASES
from tests.perft.tables import Row, Table, path, read, write

FEW_NODES = 500  # what the twins count again in every run, so that the files cannot drift from them


def every_table() -> list[Table]:
    return [table for game_id in GAMES if path(game_id).exists() for table in read(game_id)]


def name(table: Table) -> str:
    return f"{table.position.game}-{table.position.name}"


@pytest.mark.parametrize("table", every_table(), ids=name)
def test_the_rules_count_what_the_table_says(table: Table) -> None:
    assert count_by_rules(table.position, table.rows[-1].depth) == table.rows


@pytest.mark.parametrize("table", every_table(), ids=name)
def test_the_twins_still_count_the_first_rows(table: Table) -> None:
    first_rows = tuple(takewhile(lambda row: row.nodes <= FEW_NODES, table.rows))
    assert first_rows
    assert count_by_twins(table.position, first_rows[-1].depth) == first_rows


@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_has_a_perft_file(game_id: str) -> None:
    assert path(game_id).exists(), "declare cases and run python -m tests.perft.make_tables"
    assert CASES[game_id]


@pytest.mark.parametrize("game_id", CASES)
def test_the_file_holds_the_declared_cases_and_is_written_as_the_script_writes_it(game_id: str) -> None:
    tables = read(game_id)
    assert [table.position for table in tables] == [case.position for case in CASES[game_id]]
    for table, case in zip(tables, CASES[game_id], strict=True):
        assert table.rows[-1].depth == case.depth or is_finished(table.rows[-1]), table.position.name
    assert write(find_game(game_id), tables) == path(game_id).read_text(encoding="utf-8")


@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_is_counted_from_its_start_and_up_to_its_end(game_id: str) -> None:
    tables = read(game_id)
    assert any(not table.position.steps for table in tables)
    assert any(row.over for table in tables for row in table.rows)


@pytest.mark.parametrize("dice", range(1, 7))
def test_the_weights_of_a_roll_are_the_orders_in_which_it_falls(dice: int) -> None:
    ordered = Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=dice))
    assert dict(outcomes(dice)) == ordered
    assert len(outcomes(dice)) == len(ordered)  # no roll is listed twice
    assert sum(weight for _, weight in outcomes(dice)) == 6**dice


def is_finished(row: Row) -> bool:
    """Every path has come to the end of its game: there is no deeper row."""
    return row.over == row.nodes
