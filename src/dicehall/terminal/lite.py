"""The 3x3 boards of both Knucklebones-lite games, in plain lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dicehall.play.film import Frame
from dicehall.terminal import hall_games
from dicehall.terminal.hall_games import option as option
from dicehall.terminal.hall_games import tell_score as tell_score
from dicehall.terminal.protocol import View
from dicehall.terminal.words import Words

TEXTS: Final = "lite"
WORDS: Final = ("reroll",)


def board(words: Words, view: View, names: list[str]) -> list[str]:
    lines = []
    for name, seat in zip(names, view["seats"], strict=True):
        if len(names) > 1:
            lines.append(f"  {name}")
        lines.append("      a   b   c")
        for row, (cells, score) in enumerate(zip(seat["board"], seat["rows"], strict=True), 1):
            dice = " ".join(f"[{cell or ' '}]" for cell in cells)
            wild = view["options"]["wild"] != "off" and 6 in cells and score["multiplier"] == 2
            mark = f" ({words.t('terminal.wild')})" if wild else ""
            lines.append(f"  {row}  {dice}   {score['score']:3}  = {score['base']} x {score['multiplier']}{mark}")
        if seat["columns"]:
            lines.append("     " + " ".join(f"{column['score']:3}" for column in seat["columns"]))
        token = f", {words.t('terminal.reroll-left')}" if seat["reroll_left"] else ""
        lines.append(f"     {words.t('terminal.total', n=seat['total'])}{token}")
    return lines


def describe(words: Words, view: View, move: View) -> str:
    if move["kind"] == "reroll":
        return words.t("lite.move.reroll")
    row = {name: move["row_score"][name] for name in ("base", "multiplier", "score")}
    said = words.t("terminal.move.row", row=move["row"] + 1, **row)
    if move["column_score"] is None:
        return said
    return f"{said} {words.t('lite.and-column', column='abc'[move['column']], score=move['column_score']['score'])}"


def tell_move(words: Words, frame: Frame, names: Sequence[str]) -> list[str]:
    said = []
    for event in frame.events:
        if event["code"] == "set-made":
            line = event["line"]
            number = "abc"[event["number"]] if line == "column" else event["number"] + 1
            said.append(words.t(f"terminal.told.{line}.{event['times']}", number=number))
    return [" ".join(said)]


def tell_roll(words: Words, rolled: str, frame: Frame, view: View, names: Sequence[str]) -> str:
    return rolled


def tell_why(words: Words, view: View, names: Sequence[str]) -> list[str]:
    """With what was compared, where a tie-breaker decided."""
    if view["tiebreak"] is None:
        return hall_games.tell_why(words, view, names)
    compared = [words.t("share.seat", who=name, n=value) for name, value in zip(names, view["tiebreak"], strict=True)]
    return [f"{words.t('why.' + view['result']['why'])} ({', '.join(compared)})."]
