"""The variant lab as data: `dicehall odds GAME --option K=V --compare --json`."""

from __future__ import annotations

from typing import Any

from dicehall.coach.odds import Row, compare
from dicehall.rules.catalog import AnyGame
from dicehall.rules.options import Options


def compare_json(game: AnyGame, options: Options) -> dict[str, Any]:
    rows = [{"objective": str(row.objective), **_numbers(row)} for row in compare(game, options)]
    return {"game": game.id, "options": options.changed(), "rows": rows}


def _numbers(row: Row) -> dict[str, float | None]:
    values = {"usual": row.usual, "changed": row.changed, "difference": row.difference}
    return {name: None if value is None else float(value) for name, value in values.items()}
