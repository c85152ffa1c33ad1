"""What takes long to find out about several rounds of Shut the Box, for every set of rules of a single round.

The coach solves all of this game itself, in whole numbers and without a library; here is only what keeps somebody
waiting. Of a tournament the book has how perfectly played rounds end, which is less than what they are worth; of
rounds that are added up, the chance to stay within each room that is left; of the long game, how many turns it takes
how often (twelve tiles that are turned in twos never end).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from dicehall.coach.shut_the_box import distribution, totals, tournament
from dicehall.coach.shut_the_box.book import BOOK, BOOK_VERSION, title_of, write_numbers
from dicehall.coach.shut_the_box.one_round import rules_of
from dicehall.rules.shut_the_box import ID, VERSION
from dicehall.rules.shut_the_box_tiles import Options
from dicehall.solve.workshop import BookPlan, Solver, in_chapters

# Every way to play one round that somebody can choose; some ways are the same, and are one title.
RULES: Final = tuple(
    rules_of(Options(tiles=tiles, one_die=one_die, difficulty=difficulty, mulligan=mulligan))
    for tiles in (9, 12)
    for one_die in ("high-shut", "sum-6", "never", "forced")
    for difficulty in ("standard", "hard")
    for mulligan in (False, True)
)
IN_TWOS: Final = tuple(replace(rules, variant="alwaysSumDuo") for rules in RULES)
LONG: Final = tuple(replace(rules, mode="long") for rules in RULES + IN_TWOS if rules.tiles == 9 or rules in RULES)
CHAPTERS: Final = {
    title_of(kind, rules): (kind, rules)
    for kind, some in (
        (tournament.KIND, RULES),
        (totals.KIND, RULES + IN_TWOS),
        (distribution.KIND, LONG),
    )
    for rules in some
}


def books() -> list[BookPlan]:
    return [BookPlan(BOOK, tuple(CHAPTERS), chapter, book_bytes)]


def chapter(title: str) -> bytes:
    kind, rules = CHAPTERS[title]
    if kind == tournament.KIND:
        played = tournament.follow_rounds(rules, tournament.solve_ends(rules, 1))
        return write_numbers([ways for added in played for ways in added], tournament.number_size(rules))
    if kind == distribution.KIND:
        lost = distribution.FINE - 8 * distribution.NUMBER_SIZE
        return write_numbers([ways >> lost for ways in distribution.follow_turns(rules)], distribution.NUMBER_SIZE)
    _, *known = totals.solve_ahead(rules)
    return write_numbers([chance for ahead in known for chance in ahead.chances], totals.number_size(rules))


def book_bytes(contents: dict[str, bytes]) -> bytes:
    return in_chapters(ID, BOOK_VERSION, VERSION, contents)


SOLVER: Final = Solver(books)
