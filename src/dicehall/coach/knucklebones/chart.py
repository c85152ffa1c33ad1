"""The chart of classic Knucklebones as plain data: what a lead is worth, measured over positions of perfect play."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from typing import Final

from dicehall.coach.book import packaged_book
from dicehall.coach.chart import LeadWorth, LeadWorths
from dicehall.coach.objective import Objective
from dicehall.rules import knucklebones

BOOK: Final = "knucklebones-leads.json"
BOOK_VERSION: Final = 1
PARTS: Final = 10_000  # in which the book has chances


def lead_worths(objective: Objective) -> LeadWorths:
    return LeadWorths(objective, _rows())


@cache
def _rows() -> list[LeadWorth]:
    chapters = packaged_book(BOOK, BOOK_VERSION, knucklebones.VERSION).chapters()
    return [
        LeadWorth(int(dice), {int(lead): Fraction(parts, PARTS) for lead, parts in json.loads(line).items()})
        for dice, line in chapters.items()
    ]
