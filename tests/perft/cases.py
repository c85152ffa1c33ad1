"""Which positions are counted, and how deep: the deepest that the slow twins count in a few seconds each.

Every variant is counted from a position in which it matters. Tiny targets, one round or one turn bring the end of a
game within reach; the steps that lead to a late position are chosen to be short rather than clever.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from dicehall.rules.options import OptionValue
from tests.perft.tables import Position


class Case(NamedTuple):
    position: Position
    depth: int


class _Cases:
    """The cases of one game, added one by one."""

    def __init__(self, game: str, seats: int) -> None:
        self.game, self.seats = game, seats
        self.all: list[Case] = []

    def add(self, name: str, depth: int, steps: str = "", seats: int | None = None, **options: OptionValue) -> None:
        position = Position(self.game, name, options, self.seats if seats is None else seats, tuple(steps.split()))
        self.all.append(Case(position, depth))


def _lite_solo() -> list[Case]:
    cases = _Cases("lite-solo", 1)
    four_cells_left = "d6 a1 d6 b1 d3 a2 d2 c2 d6 b3"
    cases.add("base", 6)
    cases.add("base-late", 8, four_cells_left)
    cases.add("target-late", 8, four_cells_left, target=70)
    cases.add("columns", 4, columns=True)
    cases.add("columns-late", 8, four_cells_left, columns=True)
    cases.add("reroll", 5, reroll=True)
    cases.add("reroll-late", 8, "d6 a1 d6 b1 d5 c1 d3 a2 d2 c2 d6 b3", reroll=True)
    cases.add("reroll-spent", 7, "d1 reroll d6 a1 d6 b1 d5 c1 d3 a2 d2 c2 d6 b3", reroll=True)
    cases.add("wild-contains-late", 8, four_cells_left, wild="contains")
    cases.add("wild-natural-late", 8, four_cells_left, wild="natural")
    everything: dict[str, OptionValue] = {"columns": True, "reroll": True, "wild": "natural", "target": 150}
    cases.add("everything", 4, **everything)
    cases.add("everything-late", 8, "d6 a1 d6 b1 d5 c1 d3 a2 d2 c2 d6 b3", **everything)
    return cases.all


def _lite_versus() -> list[Case]:
    cases = _Cases("lite-versus", 2)
    two_cells_left = "d6 a1 d5 a1 d6 b1 d5 b1 d2 a2 d3 a2 d2 b2 d3 b2 d1 c2 d1 c2 d4 a3 d6 a3 d4 b3 d1 b3"
    one_cell_left = f"{two_cells_left} d5 c1 d6 c1"
    cases.add("base", 6)
    cases.add("base-late", 8, two_cells_left)
    cases.add("columns-wild-late", 8, two_cells_left, columns=True, wild="contains")
    cases.add("reroll", 5, reroll=True)
    cases.add("reroll-late", 8, one_cell_left, reroll=True)
    cases.add("first-bot", 4, first="bot")
    cases.add("first-drawn", 5, first="drawn")
    cases.add("first-drawn-late", 4, f"d6 {one_cell_left}", first="drawn")
    # 2 2 1, 5 5 4, 4 4 . against 6 1 1, 3 3 5, 4 4 .: equal when both roll the same die, and each has a tie-breaker
    even = "d2 a1 d6 a1 d2 b1 d1 b1 d1 c1 d1 c1 d5 a2 d3 a2 d5 b2 d3 b2 d4 c2 d5 c2 d4 a3 d4 a3 d4 b3 d4 b3"
    for tiebreak in ("none", "highest-single-die", "sum-middle-row"):
        cases.add(f"tiebreak-{tiebreak}", 4, even, tiebreak=tiebreak)
    return cases.all


def _farkle() -> list[Case]:
    cases = _Cases("farkle", 1)
    last_die = "d111556 111+5+5 roll"
    last_two_dice = "d111526 111+5 roll"
    last_three_dice = "d111226 111 roll"
    cases.add("standard", 2)
    cases.add("standard-last-die", 2, last_die)
    cases.add("standard-target-in-reach", 3, "d111556 111+5+5", target=1100)
    spicy: dict[str, OptionValue] = {"straight": True, "three_pairs": True}
    cases.add("spicy", 2, **spicy)
    cases.add("spicy-last-turn", 3, max_turns=1, **spicy)
    cases.add("four-plus-pair", 2, **spicy, four_plus_pair=True)
    cases.add("hot-dice-off", 9, last_three_dice, hot_dice=False, max_turns=1)
    cases.add("hot-dice-off-minimum", 9, last_two_dice, hot_dice=False, max_turns=1, bank_minimum=2000)
    cases.add("hot-dice-on", 4, last_two_dice, max_turns=1)
    cases.add("arcade-one-turn", 3, max_turns=1)
    cases.add("arcade-two-seats", 4, f"d112346 1+1 bank {last_three_dice}", seats=2, max_turns=1)
    cases.add("two-seats", 1, seats=2)
    cases.add("two-seats-late", 3, "d112346 1 bank d111556 111+5+5", seats=2, target=1000)
    cases.add("last-turn", 4, f"d112346 1+1 bank {last_three_dice}", seats=2, target=200, last_turn=True)
    cases.add("last-turn-three-seats", 2, f"d234462 d112346 1+1 bank {last_die}", 3, target=200, last_turn=True)
    cases.add("minimums", 4, "d111226 1 roll d22346 d111226 1+1+1 roll", seats=2, max_turns=1, board_minimum=400)
    cases.add("minimums-on-board", 4, last_two_dice, max_turns=1, board_minimum=1200, bank_minimum=1100)
    return cases.all


def _shut_the_box() -> list[Case]:
    cases = _Cases("shut-the-box", 1)
    stuck = "d11 2 d11"  # the shortest round there is: 43 points
    down_to_15 = "d54 9 d44 8 d43 7 two d33 6"
    down_to_15_unasked = "d54 9 d44 8 d43 7 d33 6"  # where there is no choice between one die and two
    down_to_6 = f"{down_to_15} two d54 5+4"
    cases.add("nine", 5)
    cases.add("nine-late", 8, down_to_15, rounds=1)
    cases.add("nine-next-round", 6, down_to_6)
    cases.add("twelve", 4, tiles=12)
    cases.add("twelve-late", 7, f"d66 12 d65 11 d64 10 {down_to_15}", tiles=12, rounds=1)
    cases.add("always-sum", 4, variant="alwaysSum")
    cases.add("always-sum-duo", 5, variant="alwaysSumDuo")
    cases.add("always-sum-duo-late", 9, "d66 9+3 d65 7+4 d64 8+2", variant="alwaysSumDuo", rounds=1)
    cases.add("digital-late", 8, down_to_15, variant="digitalScore", rounds=1, goal=123)
    cases.add("missionary-late", 8, down_to_15, variant="missionaryCount", rounds=1, goal=2)
    cases.add("best-round", 5, f"{stuck} {down_to_6}", per_round_scoring=False, rounds=2)
    cases.add("hard", 5, difficulty="hard")
    cases.add("hard-late", 8, down_to_15_unasked, difficulty="hard", rounds=1)
    easy: dict[str, OptionValue] = {"difficulty": "easy", "mulligan": True}
    cases.add("easy", 4, **easy)
    cases.add("easy-mulligan-late", 8, down_to_6, rounds=1, **easy)
    cases.add("easy-mulligan-used", 8, f"{stuck} {down_to_15}", rounds=1, **easy)
    cases.add("one-die-high-shut", 9, f"{down_to_15} one d5 5", rounds=1)
    cases.add("one-die-sum-6", 9, down_to_15_unasked, one_die="sum-6", rounds=1)
    cases.add("one-die-never", 9, down_to_15_unasked, one_die="never", rounds=1)
    cases.add("one-die-forced", 7, "d54 9 d44 8 d43 7 d6 6", one_die="forced", rounds=1)
    tournament: dict[str, OptionValue] = {"variant": "tournament45out"}
    cases.add("tournament", 4, **tournament)
    cases.add("tournament-late", 6, f"{stuck} {down_to_6}", **tournament)
    cases.add("tournament-two-seats-late", 6, f"{stuck} {stuck} {stuck} {down_to_6}", seats=2, **tournament)
    # seat 1 goes out in the second round, so the third round is played by seats 0 and 2 alone
    shut = "d54 9 d44 8 d43 7 one d6 6 one d5 5 one d4 4 one d3 3 one d2 2 one d1 1"
    three_seats = f"{shut} {stuck} {shut} {shut} {stuck} {shut} {stuck}"
    cases.add("tournament-three-seats-late", 5, f"{three_seats} {down_to_6}", seats=3, **tournament)
    cases.add("tournament-instant-late", 5, f"{stuck} {down_to_6}", instant=True, **tournament)
    cases.add("long", 4, mode="long")
    cases.add("long-shutting-late", 5, down_to_6, mode="long")
    cases.add("long-opening-most", 5, f"{down_to_6} two d65", mode="long")
    cases.add("long-doubles", 5, "d11 2 d11", mode="long")
    cases.add("long-opening-late", 6, "d22 4 d12 2+1 d11 d11", mode="long")
    cases.add("long-two-seats", 4, mode="long", seats=2)
    cases.add("long-two-seats-late", 6, "d22 4 d12 2+1 d11 d11", mode="long", seats=2)
    cases.add("long-mulligan", 5, "d11 2 d11 d11", mode="long", mulligan=True)
    cases.add("threshold", 4, mode="threshold")
    cases.add("threshold-late", 8, down_to_15, mode="threshold", threshold=3)
    cases.add("instant-late", 5, down_to_6, instant=True)
    cases.add("two-seats", 4, seats=2, rounds=1)
    cases.add("two-seats-late", 8, f"{stuck} {down_to_15}", seats=2, rounds=1)
    cases.add("two-seats-instant-late", 6, down_to_6, seats=2, rounds=1, instant=True)
    return cases.all


def _knucklebones() -> list[Case]:
    cases = _Cases("knucklebones", 2)
    five_each = "d1 1 d2 1 d1 1 d2 1 d1 2 d4 2 d3 2 d4 2 d5 3 d6 3"
    seven_each = f"{five_each} d1 1 d3 1 d1 2 d4 2"
    cases.add("base", 8)
    cases.add("base-destruction", 7, five_each)
    cases.add("base-late", 9, seven_each)
    cases.add("first-bot", 6, first="bot")
    cases.add("first-drawn", 7, first="drawn")
    cases.add("first-drawn-late", 9, f"d4 {seven_each}", first="drawn")
    return cases.all


CASES: Final[dict[str, list[Case]]] = {
    "lite-solo": _lite_solo(),
    "lite-versus": _lite_versus(),
    "farkle": _farkle(),
    "shut-the-box": _shut_the_box(),
    "knucklebones": _knucklebones(),
}
