"""The two facing grids of classic Knucklebones, in plain lines."""

from __future__ import annotations

from dicehall.terminal.draw import View
from dicehall.terminal.words import Words


def board(words: Words, view: View, names: list[str]) -> list[str]:
    def grid(seat: View, upside_down: bool) -> list[str]:
        slots = range(2, -1, -1) if upside_down else range(3)
        lines = [
            "    " + "  ".join(f"[{column[slot] if slot < len(column) else ' '}]" for column in seat["columns"])
            for slot in slots
        ]
        total = words.t("terminal.total", n=seat["total"])
        scores = "    " + "  ".join(f"{score:^3}" for score in seat["column_scores"]) + f"   {total}"
        return [scores, *lines] if upside_down else [*lines, scores]

    far, near = view["seats"][1], view["seats"][0]
    return [f"  {names[1]}", *grid(far, True), "    " + "-" * 13, *grid(near, False), f"  {names[0]}"]


def describe(words: Words, view: View, move: View) -> str:
    column = move["column"] + 1
    said = words.t("terminal.move.column", column=column, score=move["column_score"], gains=move["gains"])
    if not move["breaks"]:
        return said
    return f"{said}, {words.t('terminal.move.breaks', n=len(move['destroys']), points=move['breaks'])}"
