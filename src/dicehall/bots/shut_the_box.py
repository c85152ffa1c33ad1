"""A simple Shut the Box player: highest tiles first."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from dicehall.bots.ladder import pursued, usual_advice
from dicehall.bots.protocol import BotKind, Pursuit
from dicehall.coach.advise import Advice
from dicehall.errors import InvalidOption
from dicehall.rules.catalog import AnyGame
from dicehall.rules.shut_the_box import ID, legal
from dicehall.rules.shut_the_box_state import ONE, Move, State, move_text


def highest(_: int = 0) -> Callable[[State], Move]:
    return choose_highest


def choose_highest(state: State) -> Move:
    """The set with the highest tile, then the next highest, and so on; one die as soon as it may."""
    moves = legal(state)
    if ONE in moves:
        return ONE
    return max(moves, key=tuple)


def best_advice(game: AnyGame, state: State) -> Pursuit:
    """The long game is solved for one seat, and its moves are the same for two; as `highest` where it is not solved."""
    if state.options.mode == "long":
        state = state._replace(totals=state.totals[:1], seat=0)
    try:
        return usual_advice(game, state)
    except InvalidOption:
        objective, move = pursued(game, state.options, len(state.totals)), choose_highest(state)
        return objective, [Advice(move, move_text(move), Fraction(0), Fraction(0), objective.certainty)]


KINDS: Final = (BotKind("highest", (ID,), "shuts the highest tiles, one die as soon as it may", highest),)
WIDTHS: Final = {
    "win": (190_000, 135_000, 100_000, 72_000, 48_000),
    "shut": (190_000, 135_000, 100_000, 72_000, 48_000),
    "golf": (8_000_000, 5_500_000, 4_000_000, 2_800_000, 1_600_000),
    "digital": (20_000_000_000, 5_000_000_000, 1_500_000_000, 500_000_000, 150_000_000),
    "missionary": (1_600_000, 1_100_000, 800_000, 550_000, 350_000),
    "rounds": (1_600_000, 1_000_000, 700_000, 450_000, 300_000),
    "turns": (1_600_000, 1_000_000, 700_000, 450_000, 300_000),
}
