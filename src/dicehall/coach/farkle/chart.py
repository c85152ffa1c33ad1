"""What charts show, as plain data: lab/charts.py draws it into files, and the page may draw its own.

>>> from dicehall.rules.farkle_scoring import Options
>>> [row.threshold for row in bank_or_roll(Options())]
[300, 250, 400, 1000, 3050, 10900]
"""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from typing import Final, NamedTuple

from dicehall.coach.advise import less_is_better, worth
from dicehall.coach.lite_solo.targets import chance, ladder
from dicehall.coach.percentile import find_results
from dicehall.rules import lite_solo
from dicehall.rules.box_state import State as BoxState
from dicehall.rules.box_tiles import Options as BoxOptions
from dicehall.rules.box_tiles import all_tiles
from dicehall.rules.catalog import FARKLE, SHUT_THE_BOX, AnyGame
from dicehall.rules.farkle_scoring import USUAL_STEP
from dicehall.rules.farkle_scoring import Options as FarkleOptions
from dicehall.rules.farkle_state import ROLLED
from dicehall.rules.farkle_state import State as FarkleState
from dicehall.rules.options import Options

HIGHEST_PILE: Final = 2000  # of the bank-or-roll chart


class DiceLeft(NamedTuple):
    """With so many dice left to roll."""

    dice: int
    gains: dict[int, Fraction]  # by turn total: how much more rolling brings on average than banking; negative: less
    threshold: int  # the least turn total that is better banked


class TileWorth(NamedTuple):
    tile: int
    costs: Fraction  # by how much the start of a round is better with this tile shut already
    alone: Fraction  # what a round is worth in which only this tile is open


class Mark(NamedTuple):
    name: str
    target: int
    best: Fraction  # the chance of somebody who plays for this target
    share: Fraction  # of runs played perfectly for the score that reach it


class Distribution(NamedTuple):
    shares: dict[int, Fraction]  # by result
    mean: Fraction
    lower: bool  # less is better
    marks: list[Mark]


def bank_or_roll(options: FarkleOptions) -> list[DiceLeft]:
    """For one to six dice, playing for the points of the turn, on the board already."""
    return [_dice_left(options, dice) for dice in range(1, 7)]


def _dice_left(options: FarkleOptions, dice: int) -> DiceLeft:
    value, begin = worth(FARKLE, options, 1, "turn"), FarkleState(options, (USUAL_STEP,))

    def gain(pile: int) -> Fraction:
        kept = tuple([place >= dice for place in range(6)])
        return value(begin._replace(pile=pile, kept=kept, phase=ROLLED)) - pile

    gains = {pile: gain(pile) for pile in range(USUAL_STEP, HIGHEST_PILE + USUAL_STEP, USUAL_STEP)}
    # The more there is to lose, the less a roll gains; so the first pile that is better banked has all others above it.
    threshold = next(pile for pile in count(least_to_bank(options), USUAL_STEP) if gain(pile) < 0)
    return DiceLeft(dice, gains, threshold)


def least_to_bank(options: FarkleOptions) -> int:
    """The smallest turn total that may be banked, once on the board."""
    return max(-(-options.bank_minimum // USUAL_STEP), 1) * USUAL_STEP


def tile_worths(options: BoxOptions, objective: str) -> list[TileWorth]:
    """For an objective of one round: what each tile costs that is open at the start, and what it is worth alone."""
    value, tiles = worth(SHUT_THE_BOX, options, 1, objective), all_tiles(options)
    sign = 1 if less_is_better(SHUT_THE_BOX, objective) else -1

    def box(*still: int) -> Fraction:
        return value(BoxState(options, still, (0,)))

    full = box(*tiles)
    return [TileWorth(tile, sign * (full - box(*[n for n in tiles if n != tile])), box(tile)) for tile in tiles]


def distribution(game: AnyGame, options: Options, objective: str) -> Distribution:
    """What perfect play ends with; in lite solo with the calibrated targets, and the run's own."""
    found = find_results(game, options, 1, objective)
    shares = {result: Fraction(ways, found.of) for result, ways in found.ways.items()}
    marks = _marks(options, shares) if isinstance(options, lite_solo.Options) else []
    return Distribution(shares, found.mean, less_is_better(game, objective), marks)


def _marks(options: lite_solo.Options, shares: dict[int, Fraction]) -> list[Mark]:
    targets = {rung.target: rung.name for rung in ladder(options)}
    if options.target:
        targets.setdefault(options.target, "target")
    return [
        Mark(
            targets[target],
            target,
            Fraction(*chance(options, target)),
            sum((share for score, share in shares.items() if score >= target), Fraction(0)),
        )
        for target in sorted(targets)
    ]
