"""A position in plain lines, drawn from its view alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final

from dicehall.terminal.words import Words

View = dict[str, Any]


def draw(words: Words, view: View, names: Sequence[str]) -> str:
    """The board, for a reader without colours or a cursor."""
    to_move = view["to_move"] if len(names) > 1 else None
    labels = [words.t("terminal.to-move", who=name) if seat == to_move else name for seat, name in enumerate(names)]
    return "\n".join(BOARDS.get(view["game"], _plain)(words, view, labels))


def describe(words: Words, view: View, move: View) -> str:
    """What a move would bring, in a few words."""
    return MOVES[move["kind"]](words, view, move) if "kind" in move else ""


def plus(numbers: Sequence[int]) -> str:
    return " + ".join(map(str, numbers))


def figure(view: View, score: int) -> int | str:
    """Digital scores are read as they stand, without marks for thousands."""
    return str(score) if view.get("scoring") == "digital" else score


def _lite(words: Words, view: View, names: list[str]) -> list[str]:
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


def _bones(words: Words, view: View, names: list[str]) -> list[str]:
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


def _farkle(words: Words, view: View, names: list[str]) -> list[str]:
    dice = " ".join(
        "   " if die["value"] is None else f"<{die['value']}>" if die["locked"] else f"[{die['value']}]"
        for die in view["dice"]
    )
    seats = [
        words.t("farkle.summary.seat", who=name, n=seat["banked"])
        for name, seat in zip(names, view["seats"], strict=True)
    ]
    turns, target = view["options"]["max_turns"], view["options"]["target"]
    if turns:
        turn = words.t("farkle.turn-of", n=view["round"], all=turns)
    else:
        turn = f"{words.t('farkle.turn', n=view['round'])}, {words.t('farkle.target', n=target)}"
    lines = [f"  {turn}   {', '.join(seats)}"]
    if dice.strip():
        lines.append(f"  {dice}    {words.t('terminal.kept-free')}")
        lines.append(f"  {words.t('farkle.at-stake')}: {words.number(view['turn_total'])}")
    if view["groups"]:
        groups = "  ".join(f"{group['group']} = {words.number(group['points'])}" for group in view["groups"])
        lines.append(f"  {words.t('farkle.groups')}: {groups}")
    closer = view["last_turn_after"]
    if closer is not None and view["result"] is None:
        last = words.t("farkle.last-turn", who=names[closer], n=view["seats"][closer]["banked"])
        lines.append(f"  {last}")
    return lines


def _box(words: Words, view: View, names: list[str]) -> list[str]:
    tiles = " ".join(f"[{tile['number']}]" if tile["open"] else " . " for tile in view["tiles"])
    dice = f"   {plus(view['dice'])}" if view["dice"] else ""
    total = f" = {view['dice_total']}" if len(view["dice"]) > 1 else ""
    turning = f"   {words.t('box.rule.opening')}" if view["opening"] and view["result"] is None else ""
    return [
        f"  {_round(words, view)}   {_totals(words, view, names)}{turning}",
        f"  {tiles}{dice}{total}",
        _left(words, view),
    ]


def _round(words: Words, view: View) -> str:
    if view["options"]["mode"] == "threshold":
        return words.t("box.round.only")
    if view["rounds"]:
        return f"{words.t('box.round')} {words.t('box.round.of', round=view['round'], rounds=view['rounds'])}"
    long = view["options"]["mode"] == "long"
    return f"{words.t('box.turn' if long else 'box.round')} {words.number(view['round'])}"


def _totals(words: Words, view: View, names: list[str]) -> str:
    """What the rounds have brought; in the long game of two, what each side still has to turn."""
    if view["sides"]:
        sides = zip(names, view["sides"], strict=True)
        return ", ".join(words.t("box.summary.sides", who=name, n=left) for name, left in sides)
    if view["options"]["mode"] != "rounds":
        return ""
    return ", ".join(
        words.t("box.summary.points", who=name, n=figure(view, seat["total"]))
        + (f" ({words.t('box.out')})" if seat["out"] else "")
        for name, seat in zip(names, view["seats"], strict=True)
    )


def _left(words: Words, view: View) -> str:
    if view["options"]["mode"] == "long":
        return f"  {words.t('box.label.opening' if view['opening'] else 'box.label.shutting')}: {len(view['to_turn'])}"
    score = figure(view, view["round_score"])
    return f"  {words.t('box.label.' + view['scoring'])}: {score}"


def _place(words: Words, view: View, move: View) -> str:
    if view["game"] == "knucklebones":
        column = move["column"] + 1
        said = words.t("terminal.move.column", column=column, score=move["column_score"], gains=move["gains"])
        if not move["breaks"]:
            return said
        return f"{said}, {words.t('terminal.move.breaks', n=len(move['destroys']), points=move['breaks'])}"
    said = words.t("terminal.move.row", row=move["row"] + 1, **move["row_score"])
    if move["column_score"] is None:
        return said
    return f"{said} {words.t('lite.and-column', column='abc'[move['column']], score=move['column_score']['score'])}"


def _keep(words: Words, view: View, move: View) -> str:
    if move["hot_dice"]:
        return words.t("terminal.move.hot", points=move["points"])
    return words.t("terminal.move.keep", points=move["points"], n=move["dice_left"])


def _roll(words: Words, view: View, move: View) -> str:
    ways, of = move["risk"]["ways"], move["risk"]["of"]
    chance = words.percent(Fraction(ways, of), places=1)
    return words.t("terminal.move.roll", n=move["dice"], ways=ways, of=of, chance=chance)


def _turn(words: Words, view: View, move: View) -> str:
    opening = view["opening"]
    if move["finishes"]:
        return words.t("box.finishes.opening" if opening else "box.finishes")
    turned = words.sentence("box.open" if opening else "box.shut", tiles=plus(move["tiles"]))
    if view["options"]["mode"] == "long":
        left = words.t("box.leaves.missionary", n=len(move["left"]))
    else:
        left = words.t(f"box.leaves.{view['scoring']}", n=figure(view, move["round_score"]))
    then = f", {words.t('box.then-one-die')}" if move["one_die_next"] else ""
    return f"{turned} {left}{then}."


def _plain(words: Words, view: View, names: list[str]) -> list[str]:
    """The parts of the state by the names that the rules give them."""

    def parts(of: View) -> str:
        return ", ".join(f"{part['name']} {part['value']}" for part in of["parts"] if part["value"] is not False)

    seats = zip(names, view["seats"], strict=True)
    lines = [parts(view), *(f"{name}: {parts(seat)}" for name, seat in seats)]
    return [f"  {line}" for line in lines if line]


BOARDS: Final[dict[str, Callable[[Words, View, list[str]], list[str]]]] = {
    "lite-solo": _lite,
    "lite-versus": _lite,
    "farkle": _farkle,
    "shut-the-box": _box,
    "knucklebones": _bones,
}
MOVES: Final[dict[str, Callable[[Words, View, View], str]]] = {
    "place": _place,
    "reroll": lambda words, view, move: words.t("lite.move.reroll"),
    "keep": _keep,
    "roll": _roll,
    "bank": lambda words, view, move: words.t("terminal.move.bank", points=move["points"], score=move["score"]),
    "turn": _turn,
    "dice": lambda words, view, move: words.t("box.move.one" if move["dice"] == 1 else "box.move.two"),
}
