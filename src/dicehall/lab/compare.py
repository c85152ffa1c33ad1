"""The variant lab: `dicehall odds GAME --option K=V --compare`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dicehall.coach.objectives import Row, compare
from dicehall.rules.catalog import AnyGame
from dicehall.rules.options import Options

UNSOLVED = "not solved"


def compare_json(game: AnyGame, options: Options) -> dict[str, Any]:
    rows = [{"objective": row.objective, **_numbers(row)} for row in compare(game, options)]
    return {"game": game.id, "options": options.changed(), "rows": rows}


def compare_lines(game: AnyGame, options: Options) -> list[str]:
    """A small table."""
    lines = [f"{'objective':<14}{'usual':>16}{'changed':>16}{'difference':>16}"]
    for row in compare(game, options):
        difference = "-" if row.difference is None else f"{float(row.difference):+.9g}" if row.difference else "0"
        lines.append(f"{row.objective:<14}{_shown(row.usual):>16}{_shown(row.changed):>16}{difference:>16}")
    return lines


def _numbers(row: Row) -> dict[str, float | None]:
    values = {"usual": row.usual, "changed": row.changed, "difference": row.difference}
    return {name: None if value is None else float(value) for name, value in values.items()}


def _shown(value: Fraction | None) -> str:
    return UNSOLVED if value is None else f"{float(value):.9g}"
