"""Writes the tables of strengths into docs/coach.md, from the packaged ladder.

python -m tests.bots.write_strengths
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from dicehall.bots.ladder import RUNGS, strengths
from dicehall.rules.catalog import GAMES

PAGE = Path(__file__).parent.parent.parent / "docs" / "coach.md"
TABLE = re.compile(r"\| game \| measured \| level:1.*?\n\n", re.DOTALL)
BY_RULE = re.compile(r"\| game \| wins against \| of whom.*?\n\n", re.DOTALL)
ALONE = {"score": "mean score", "turns": "mean turns to 10,000", "win": "runs within 45 points"}


def strengths_table() -> str:
    names = [f"level:{rung}" for rung in RUNGS]
    rows = [["game", "measured", *names, "perfect"], ["---"] * (len(names) + 3)]
    for game in GAMES.values():
        rows += [_row(game.id, table) for table in strengths(game)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows).replace("| --- ", "|---").replace("--- |", "---|") + "\n"


def rules_table() -> str:
    """Of those who play by a rule, the strongest first."""
    rows = [["game", "wins against", "of whom"], ["---"] * 3]
    for game in GAMES.values():
        for table in strengths(game):
            told = sorted(table["by_rule"], key=lambda one: -one["value"])
            each = [f"`{one['player']}` {_share(one['value'])} ± {100 * one['error']:.1f}" for one in told]
            rows += [[f"`{game.id}`", f"`{table['against']}`", ", ".join(each)]] if told else []
    return "".join(f"| {' | '.join(row)} |\n" for row in rows).replace("| --- ", "|---").replace("--- |", "---|") + "\n"


def _row(game_id: str, table: dict[str, Any]) -> list[str]:
    alone, share = table["seats"] == 1, table["seats"] == 2 or table["objective"] == "win"
    what = ALONE[table["objective"]] if alone else f"wins against `{table['against']}`"
    best = table["perfect"] if alone else 0.5
    told = _share(best) if share else f"{best:.2f}"
    if not alone and table["against"] != "perfect":
        told = "nobody"
    levels = [
        f"{_share(level['value'])} ± {100 * level['error']:.1f}"
        if share
        else f"{level['value']:.2f} ± {level['error']:.2f}"
        for level in table["levels"]
    ]
    return [f"`{game_id}`, {'one seat' if alone else 'two seats'}", what, *levels, told]


def _share(value: float) -> str:
    return f"{100 * value:.1f}%"


def main() -> None:
    page = PAGE.read_text(encoding="utf-8")
    page = BY_RULE.sub(rules_table(), TABLE.sub(strengths_table(), page))
    PAGE.write_text(page, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
