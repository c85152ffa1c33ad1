"""Why to turn some tiles and not others: what the next roll can do with those that are left."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from dicehall.coach.reason import Reason
from dicehall.dice import FACES
from dicehall.rules.game import DICE
from dicehall.rules.shut_the_box import actor, after, dice_to_roll, legal
from dicehall.rules.shut_the_box_state import Move, State, in_play
from dicehall.rules.shut_the_box_tiles import Tiles, legal_combos


def reason(state: State, better: Move, other: Move) -> Reason:
    first, second = after(state, better), after(state, other)
    if not isinstance(better, str):
        if len(better) == len(in_play(state)):
            return Reason("box.all")
        if actor(first) != DICE and actor(second) == DICE:
            return Reason("box.one-die")
    fits, fewer = _fits(first), _fits(second)
    if fits > fewer:
        return Reason("box.fits", shares={"better": fits, "other": fewer})
    shuts, seldom = _shuts(first), _shuts(second)
    if shuts > seldom:
        return Reason("box.finish", shares={"better": shuts, "other": seldom})
    if state.options.scored_by != "golf" and len(better) > len(other):
        return Reason("box.tiles", {"n": len(better), "other": len(other)})
    fits, fewer = _fits(first, rolls=2), _fits(second, rolls=2)
    if fits > fewer:
        return Reason("box.fits-twice", shares={"better": fits, "other": fewer})
    return Reason("box.later")


def _fits(state: State, rolls: int = 1) -> Fraction:
    """How often the next `rolls` rolls all fit some tiles, of somebody who plays for that."""
    if actor(state) != DICE:
        return max([_fits(after(state, move), rolls) for move in legal(state)], default=Fraction(1))  # nobody moves
    return _average(state, lambda sets: max([_fits_then(state, one, rolls - 1) for one in sets], default=Fraction(0)))


def _fits_then(state: State, tiles: Tiles, rolls: int) -> Fraction:
    return _fits(after(state, tiles), rolls) if rolls and len(tiles) < len(in_play(state)) else Fraction(1)


def _shuts(state: State) -> Fraction:
    """How often the next roll shuts the box; in the long game, on its way back, opens it."""
    if actor(state) != DICE:
        return max([_shuts(after(state, move)) for move in legal(state)], default=Fraction(1))
    return _average(state, lambda sets: Fraction(any(len(one) == len(in_play(state)) for one in sets)))


def _average(state: State, worth: Callable[[tuple[Tiles, ...]], Fraction]) -> Fraction:
    """Of what the sets that fit are worth, over all rolls that can come."""
    rolls = list(product(FACES, repeat=dice_to_roll(state)))
    total = sum((worth(legal_combos(in_play(state), roll, state.options)) for roll in rolls), Fraction(0))
    return Fraction(total, len(rolls))
