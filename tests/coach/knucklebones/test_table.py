"""A file of solved Knucklebones: what is read from it, and what is not read at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dicehall.coach.knucklebones.pairs import place_of, span
from dicehall.coach.knucklebones.table import (
    FORM,
    PAGE,
    TABLES,
    WIN_ALONE,
    WIN_DRAW_HALF,
    Table,
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
    table = Table(written(tmp_path / "one.bin", head(objective=WIN_ALONE), lambda place: place))
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
