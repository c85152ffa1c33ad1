"""The two facing grids of classic Knucklebones, in plain lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dicehall.play.film import Frame
from dicehall.terminal.hall_games import option as option
from dicehall.terminal.hall_games import tell_score as tell_score
from dicehall.terminal.hall_games import tell_why as tell_why
from dicehall.terminal.protocol import View
from dicehall.terminal.words import Words

TEXTS: Final = "knucklebones"
WORDS: Final = ()


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


def tell_move(words: Words, frame: Frame, names: Sequence[str]) -> list[str]:
    said, lost = [], []
    for event in frame.events:
        match event["code"]:
            case "placed":
                column, face = event["column"] + 1, event["face"]
                score, gained = event["score"], event["gained"]
                said.append(words.t("terminal.told.placed", face=face, column=column, score=score, gained=gained))
            case "set-made":
                said.append(words.t(f"terminal.told.alike.{event['times']}", number=event["number"] + 1))
            case "broken":
                n, face, column = len(event["slots"]), event["face"], event["column"] + 1
                who, points = names[event["seat"]], event["lost"]
                lost.append(words.t("terminal.told.broken", who=who, n=n, face=face, column=column, lost=points))
    return [" ".join(said), *lost]


def tell_roll(words: Words, rolled: str, frame: Frame, view: View, names: Sequence[str]) -> str:
    return rolled
