"""A position in plain lines, drawn from its view alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

View = dict[str, Any]


def draw(view: View, names: Sequence[str]) -> str:
    """The board, for a reader without colours or a cursor."""
    labels = [f"{name} (to move)" if seat == view["to_move"] else name for seat, name in enumerate(names)]
    return "\n".join(BOARDS[view["game"]](view, labels))


def describe(view: View, move: View) -> str:
    """What a move would bring, in a few words."""
    return MOVES[move["kind"]](view, move)


def mishap(view: View) -> str:
    """What a roll that left nobody a choice has meant."""
    if view["game"] == "farkle" and view["phase"] == "farkle":
        return "  - a farkle: the turn's points are lost"
    if view["game"] == "shut-the-box" and not view["dice"]:
        return "  - nothing fits"
    return ""


def _lite(view: View, names: list[str]) -> list[str]:
    lines = []
    for name, seat in zip(names, view["seats"], strict=True):
        if len(names) > 1:
            lines.append(f"  {name}")
        lines.append("      a   b   c")
        for row, (cells, score) in enumerate(zip(seat["board"], seat["rows"], strict=True), 1):
            dice = " ".join(f"[{cell or ' '}]" for cell in cells)
            lines.append(f"  {row}  {dice}   {score['score']:3}  = {score['base']} x {score['multiplier']}")
        if seat["columns"]:
            lines.append("     " + " ".join(f"{column['score']:3}" for column in seat["columns"]))
        lines.append(f"     total {seat['total']}" + (", reroll left" if seat["reroll_left"] else ""))
    return lines


def _bones(view: View, names: list[str]) -> list[str]:
    def grid(seat: View, upside_down: bool) -> list[str]:
        slots = range(2, -1, -1) if upside_down else range(3)
        lines = [
            "    " + "  ".join(f"[{column[slot] if slot < len(column) else ' '}]" for column in seat["columns"])
            for slot in slots
        ]
        scores = "    " + "  ".join(f"{score:^3}" for score in seat["column_scores"]) + f"   total {seat['total']}"
        return [scores, *lines] if upside_down else [*lines, scores]

    far, near = view["seats"][1], view["seats"][0]
    return [f"  {names[1]}", *grid(far, True), "    " + "-" * 13, *grid(near, False), f"  {names[0]}"]


def _farkle(view: View, names: list[str]) -> list[str]:
    dice = " ".join(
        "   " if die["value"] is None else f"<{die['value']}>" if die["locked"] else f"[{die['value']}]"
        for die in view["dice"]
    )
    banked = ", ".join(f"{name}: {seat['banked']}" for name, seat in zip(names, view["seats"], strict=True))
    lines = [f"  round {view['round']}   {banked}", f"  {dice}    <kept> [free]", f"  at stake: {view['turn_total']}"]
    if view["groups"]:
        lines.append("  scores: " + "  ".join(f"{group['group']} = {group['points']}" for group in view["groups"]))
    return lines


def _box(view: View, names: list[str]) -> list[str]:
    tiles = " ".join(f"[{tile['number']}]" if tile["open"] else " . " for tile in view["tiles"])
    totals = ", ".join(f"{name}: {seat['total']}" for name, seat in zip(names, view["seats"], strict=True))
    dice = f"   dice {' + '.join(map(str, view['dice']))} = {view['dice_total']}" if view["dice"] else ""
    rounds = f"{view['round']} of {view['rounds']}" if view["rounds"] else view["round"]
    turn = "   open the tiles!" if view["opening"] else ""
    return [f"  round {rounds}   {totals}{turn}", f"  {tiles}{dice}", f"  open: {view['open_sum']}"]


def _place(view: View, move: View) -> str:
    if view["game"] == "knucklebones":
        breaks = f", breaks {move['breaks']} of theirs" if move["breaks"] else ""
        return f"column {move['column'] + 1} would score {move['column_score']}{breaks}"
    row = move["row_score"]
    return f"row {move['row'] + 1} would score {row['base']} x {row['multiplier']} = {row['score']}"


def _keep(view: View, move: View) -> str:
    hot = ", hot dice" if move["hot_dice"] else ""
    return f"{move['points']} points, {move['dice_left']} dice left{hot}"


def _roll(view: View, move: View) -> str:
    risk = move["risk"]
    return f"{move['dice']} dice; a farkle in {risk['ways']} of {risk['of']} rolls ({risk['ways'] / risk['of']:.1%})"


def _turn(view: View, move: View) -> str:
    word = "opens" if view["opening"] else "shuts"
    return f"{word} {', '.join(map(str, move['tiles']))}, leaves {move['left_sum']}" + (
        ", then one die may be rolled" if move["one_die_next"] else ""
    )


BOARDS: Final[dict[str, Callable[[View, list[str]], list[str]]]] = {
    "lite-solo": _lite,
    "lite-versus": _lite,
    "farkle": _farkle,
    "shut-the-box": _box,
    "knucklebones": _bones,
}
MOVES: Final[dict[str, Callable[[View, View], str]]] = {
    "place": _place,
    "reroll": lambda view, move: "roll the die again",
    "keep": _keep,
    "roll": _roll,
    "bank": lambda view, move: f"bank {move['points']}, which makes {move['score']}",
    "turn": _turn,
    "dice": lambda view, move: f"roll {'one die' if move['dice'] == 1 else 'two dice'}",
}
