"""The chart of Shut the Box as plain data: what each open tile costs."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from dicehall.coach.objective import Objective
from dicehall.coach.shut_the_box.coach import values
from dicehall.rules.shut_the_box_state import State
from dicehall.rules.shut_the_box_tiles import Options, all_tiles


class TileCost(NamedTuple):
    tile: int
    costs: Fraction  # by how much the start of a round is better with this tile shut already
    alone: Fraction  # what a round is worth in which only this tile is open


def tile_costs(options: Options, objective: Objective) -> list[TileCost]:
    """For an objective of one round: what each tile costs that is open at the start, and what it is worth alone."""
    value, tiles = values(options, 1, objective), all_tiles(options)
    sign = 1 if objective.lower_is_better else -1

    def box(*still: int) -> Fraction:
        return value(State(options, still, (0,)))

    full = box(*tiles)
    return [TileCost(tile, sign * (full - box(*[n for n in tiles if n != tile])), box(tile)) for tile in tiles]
