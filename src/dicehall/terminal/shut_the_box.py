"""The row of tiles and the dice, in plain lines."""

from __future__ import annotations

from dicehall.terminal.draw import View, figure, plus
from dicehall.terminal.words import Words


def board(words: Words, view: View, names: list[str]) -> list[str]:
    tiles = " ".join(f"[{tile['number']}]" if tile["open"] else " . " for tile in view["tiles"])
    dice = f"   {plus(view['dice'])}" if view["dice"] else ""
    total = f" = {view['dice_total']}" if len(view["dice"]) > 1 else ""
    turning = f"   {words.t('box.rule.opening')}" if view["opening"] and view["result"] is None else ""
    return [
        f"  {_round(words, view)}   {_totals(words, view, names)}{turning}",
        f"  {tiles}{dice}{total}",
        _left(words, view),
    ]


def describe(words: Words, view: View, move: View) -> str:
    if move["kind"] == "dice":
        return words.t("box.move.one" if move["dice"] == 1 else "box.move.two")
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
