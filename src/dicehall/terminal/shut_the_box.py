"""The row of tiles and the dice, in plain lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dicehall.play.film import Frame
from dicehall.play.record import read_roll
from dicehall.terminal import hall_games
from dicehall.terminal.hall_games import option as option
from dicehall.terminal.protocol import View
from dicehall.terminal.words import Words

TEXTS: Final = "box"
WORDS: Final = ("one", "two")
# Of what a move brings, by event; a move ends a round only by shutting the box.
TOLD: Final = {"box-shut": "box.is-shut", "all-open": "box.is-open", "round-over": "box.no-points"}


def board(words: Words, view: View, names: list[str]) -> list[str]:
    tiles = " ".join(f"[{tile['number']}]" if tile["open"] else " . " for tile in view["tiles"])
    dice = f"   {_plus(view['dice'])}" if view["dice"] else ""
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
    turned = words.sentence("box.open" if opening else "box.shut", tiles=_plus(move["tiles"]))
    if view["options"]["mode"] == "long":
        left = words.t("box.leaves.missionary", n=len(move["left"]))
    else:
        left = words.t(f"box.leaves.{view['scoring']}", n=_points(view, move["round_score"]))
    then = f", {words.t('box.then-one-die')}" if move["one_die_next"] else ""
    return f"{turned} {left}{then}."


def tell_move(words: Words, frame: Frame, names: Sequence[str]) -> list[str]:
    return [" ".join(words.sentence(TOLD[event["code"]]) for event in frame.events if event["code"] in TOLD)]


def tell_roll(words: Words, rolled: str, frame: Frame, view: View, names: Sequence[str]) -> str:
    """A roll that fits nothing is rolled again, or ends the round; a long game's turn."""
    told = {event["code"]: event for event in frame.events}
    if "stuck" not in told:
        return rolled
    dice, who = _plus(read_roll(frame.step)), f"{names[told['stuck']['seat']]}: " if len(names) > 1 else ""
    if "mulligan" in told or "doubles" in told:
        return who + words.sentence("box.stuck.mulligan" if "mulligan" in told else "box.stuck.doubles", dice=dice)
    if "other-side" in told:
        opening = told["other-side"]["opening"]
        return who + words.sentence("box.stuck.then-open" if opening else "box.stuck.then-shut", dice=dice)
    points = _points(view, told["round-over"]["score"])
    return who + words.sentence("box.stuck.out" if "out" in told else "box.stuck", dice=dice, n=points)


def tell_why(words: Words, view: View, names: Sequence[str]) -> list[str]:
    if view["result"]["why"] == "out" and len(names) > 1:
        return [words.t("terminal.out"), *_together(words, view)]
    if view["result"]["why"] == "complete":
        return [words.sentence("why.rounds")]
    return hall_games.tell_why(words, view, names)


def _together(words: Words, view: View) -> list[str]:
    """Where the last ones who were in went out in the same round, and nobody is left to win."""
    if not all(seat["out"] for seat in view["seats"]):
        return []
    return [words.sentence("box.out-level" if len(view["result"]["winners"]) > 1 else "box.out-together")]


def tell_score(words: Words, view: View, name: str, score: int) -> str:
    """Points; in the long game of two, how many tiles are still to be turned: one side has none."""
    if view["aim"]["unit"] != "points":
        return hall_games.tell_score(words, view, name, score)
    if view["options"]["mode"] == "long":
        return words.t("box.summary.sides", who=name, n=view["sides"][view["result"]["scores"].index(score)])
    return words.t("box.summary.points", who=name, n=_points(view, score))


def _points(view: View, score: int) -> int | str:
    """Digital scores are read as they stand, without marks for thousands."""
    return str(score) if view["scoring"] == "digital" else score


def _plus(numbers: Sequence[int]) -> str:
    return " + ".join(map(str, numbers))


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
    best = not view["options"]["per_round_scoring"]
    return ", ".join(
        f"{name}: –"
        if best and not seat["scored"]
        else words.t("box.summary.points", who=name, n=_points(view, seat["total"]))
        + (f" ({words.t('box.out')})" if seat["out"] else "")
        for name, seat in zip(names, view["seats"], strict=True)
    )


def _left(words: Words, view: View) -> str:
    if view["options"]["mode"] == "long":
        return f"  {words.t('box.label.opening' if view['opening'] else 'box.label.shutting')}: {len(view['to_turn'])}"
    score = _points(view, view["round_score"])
    return f"  {words.t('box.label.' + view['scoring'])}: {score}"
