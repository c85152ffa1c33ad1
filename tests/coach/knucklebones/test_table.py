"""A file of solved Knucklebones: what is read from it, and what is not read at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dicehall.coach.knucklebones.pairs import place_of, span
from dicehall.coach.knucklebones.table import (
    FORM,
    NAME,
    PAGE,
    TABLES,
    WIN,
    WIN_DRAW_HALF,
    Table,
    find_table,
    head_bytes,
)
from dicehall.errors import InvalidOption
from dicehall.rules import knucklebones


def head(**changed: Any) -> dict[str, Any]:
    about = {"version": FORM, "game": knucklebones.ID, "rules": knucklebones.VERSION}
    return {**about, "columns": 1, "objective": WIN_DRAW_HALF, **changed}


def written(file: Path, about: dict[str, Any], value: Callable[[int], int]) -> str:
    places = range(TABLES[about["objective"]] * span(about["columns"])[1])
    file.write_bytes(head_bytes(about) + b"".join(value(place).to_bytes(2, "little") for place in places))
    return str(file)


def test_a_value_lies_where_the_waiting_seat_would_look(tmp_path: Path) -> None:
    table = Table(written(tmp_path / "one.bin", head(), lambda place: place))
    assert table.units([(2, 1)], [(6,)]) == place_of([(6,)], [(1, 2)])


def test_the_second_table_is_that_of_the_seat_that_is_content_with_a_draw(tmp_path: Path) -> None:
    table = Table(written(tmp_path / "one.bin", head(objective=WIN), lambda place: place))
    assert table.units([()], [()], 1) == table.units([()], [()]) + span(1)[1]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (None, "cannot read"),
        (b"", "no file of solved Knucklebones"),
        (b"x" * PAGE, "no file of solved Knucklebones"),
        (head_bytes(head(version=FORM + 1)), "made for other rules"),
        (head_bytes(head(rules=knucklebones.VERSION + 1)), "made for other rules"),
        (head_bytes(head()) + b"and so on", "not whole"),
    ],
)
def test_what_is_no_such_file(data: bytes | None, why: str, tmp_path: Path) -> None:
    file = tmp_path / "some.bin"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(InvalidOption, match=why):
        Table(str(file))


@pytest.mark.parametrize(("columns", "settled", "found"), [(3, True, True), (3, False, False), (1, True, False)])
def test_the_whole_game_is_found_in_the_cache(
    columns: int, settled: bool, found: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path))
    assert find_table.__wrapped__() is None, "there is none"
    with (tmp_path / NAME).open("wb") as file:
        file.write(head_bytes(head(columns=columns, settled=settled)))
        file.truncate(PAGE + 2 * span(columns)[1])  # which takes no room on the disk
    assert (find_table.__wrapped__() is not None) is found
