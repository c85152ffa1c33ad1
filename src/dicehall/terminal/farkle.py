"""Six dice, their groups and the turn total, in plain lines."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from dicehall.play.film import Frame
from dicehall.terminal.hall_games import option as option
from dicehall.terminal.hall_games import tell_score as tell_score
from dicehall.terminal.hall_games import tell_why as tell_why
from dicehall.terminal.protocol import View
from dicehall.terminal.words import Words

TEXTS: Final = "farkle"
WORDS: Final = ("roll", "bank")


def board(words: Words, view: View, names: list[str]) -> list[str]:
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
        lines.append(f"  {words.t('terminal.at-stake')}: {words.number(view['turn_total'])}")
    if view["groups"]:
        groups = "  ".join(f"{group['group']} = {words.number(group['points'])}" for group in view["groups"])
        lines.append(f"  {words.t('farkle.groups')}: {groups}")
    closer = view["last_turn_after"]
    if closer is not None and view["result"] is None:
        last = words.t("farkle.last-turn", who=names[closer], n=view["seats"][closer]["banked"])
        lines.append(f"  {last}")
    return lines


def describe(words: Words, view: View, move: View) -> str:
    if move["kind"] == "bank":
        return words.t("terminal.move.bank", points=move["points"], score=move["score"])
    return _roll(words, move) if move["kind"] == "roll" else _keep(words, move)


def tell_move(words: Words, frame: Frame, names: Sequence[str]) -> list[str]:
    said = []
    for event in frame.events:
        match event["code"]:
            case "hot-dice":
                said.append(words.t("terminal.told.hot-dice"))
            case "banked":
                said.append(words.t("terminal.told.banked", points=event["points"], n=event["total"]))
            case "target-reached":
                said.append(words.sentence("why.target-reached"))
            case "last-turn":
                said.append(words.t("terminal.told.last-turn"))
    return [" ".join(said)]


def tell_roll(words: Words, rolled: str, frame: Frame, view: View, names: Sequence[str]) -> str:
    farkle = next((event for event in frame.events if event["code"] == "farkle"), None)
    if farkle is None:
        return rolled
    who, lost = f"{names[farkle['seat']]}: " if len(names) > 1 else "", farkle["lost"]
    return f"{rolled} {who}{words.t('farkle.told.farkle', n=lost) if lost else words.t('farkle.told.farkle.nothing')}"


def _keep(words: Words, move: View) -> str:
    if move["hot_dice"]:
        return words.t("terminal.move.hot", points=move["points"])
    return words.t("terminal.move.keep", points=move["points"], n=move["dice_left"])


def _roll(words: Words, move: View) -> str:
    ways, of = move["risk"]["ways"], move["risk"]["of"]
    chance = words.percent(Fraction(ways, of), places=1)
    return words.t("terminal.move.roll", n=move["dice"], ways=ways, of=of, chance=chance)
