"""The charts that there are, as plain data: a game's coach works one out; the page and `dicehall chart` draw it."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from dicehall.coach.distribution import Distribution
from dicehall.coach.objective import Objective
from dicehall.errors import InvalidOption, excerpt


class DiceLeft(NamedTuple):
    """With `dice` dice left to roll."""

    dice: int
    gains: dict[int, Fraction]  # by turn total: how much more rolling brings on average than banking; negative: less
    threshold: int  # the least turn total that is better banked


class BankOrRoll(NamedTuple):
    """When to bank, when to roll, for the points of a turn, on the board already."""

    rows: list[DiceLeft]
    least: int  # the smallest turn total that may be banked
    board_minimum: int  # what it takes to get on the board, where that is more; else 0


class TileCost(NamedTuple):
    tile: int
    costs: Fraction  # by how much the start of a round is better with this tile shut already
    alone: Fraction  # what a round is worth in which only this tile is open


class TileCosts(NamedTuple):
    """What each tile costs that is open at the start of a round."""

    objective: Objective
    tiles: list[TileCost]


class ChartTarget(NamedTuple):
    """A target among the results."""

    name: str
    target: int
    best: Fraction  # the chance of somebody who plays for this target
    share: Fraction  # of runs played perfectly for the score that reach it


class Results(NamedTuple):
    """What perfect play for an objective ends with."""

    objective: Objective
    distribution: Distribution
    targets: list[ChartTarget]


class LeadWorth(NamedTuple):
    """With so many `dice` on the table."""

    dice: int
    chances: dict[int, Fraction]  # by lead of the seat that rolls next, where there is one: what it wins


class LeadWorths(NamedTuple):
    """What a lead is worth."""

    objective: Objective
    rows: list[LeadWorth]


Chart = BankOrRoll | TileCosts | Results | LeadWorths


def no_chart(game_id: str) -> InvalidOption:
    return InvalidOption("game", f"there is no chart of {game_id} yet")


def not_drawn(objective: Objective, drawn: tuple[Objective, ...]) -> InvalidOption:
    """For an objective of which there is no chart; `drawn` are those that have one."""
    why = "a chance has no distribution; " if objective.chance else ""
    there = ", ".join(map(str, drawn))
    return InvalidOption(
        "objective", f"{why}no chart of {objective.game} is for {excerpt(objective.text)}; there are: {there}"
    )
