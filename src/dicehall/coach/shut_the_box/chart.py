"""The chart of Shut the Box as plain data: what each open tile costs."""

from __future__ import annotations

from fractions import Fraction

from dicehall.coach.chart import TileCost, TileCosts
from dicehall.coach.objective import Objective
from dicehall.coach.shut_the_box.one_round import Values
from dicehall.rules.shut_the_box_state import State
from dicehall.rules.shut_the_box_tiles import Options, all_tiles


def tile_costs(options: Options, objective: Objective, value: Values) -> TileCosts:
    """`value` is what positions are worth for the objective."""
    tiles = all_tiles(options)
    sign = 1 if objective.lower_is_better else -1

    def box(*still: int) -> Fraction:
        return value(State(options, still, (0,)))

    full = box(*tiles)
    costs = [TileCost(tile, sign * (full - box(*[n for n in tiles if n != tile])), box(tile)) for tile in tiles]
    return TileCosts(objective, costs)
