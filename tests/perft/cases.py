"""Which positions are counted, and how deep: the deepest that the slow twins count in a few seconds each.

Every variant is counted from a position in which it matters. Tiny targets, one round or one turn bring the end of a
game within reach; the steps that lead to a late position are chosen to be short rather than clever.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from dicehall.rules.catalog import find_game
from tests.perft.tables import Position, read_options


class Case(NamedTuple):
    position: Position
    depth: int


class _Cases:
    """The cases of one game, added one by one."""

    def __init__(self, game: str, seats: int) -> None:
        self.game, self.seats = game, seats
        self.all: list[Case] = []

    def add(self, name: str, depth: int, options: str = "", steps: str = "", seats: int | None = None) -> None:
        chosen = read_options(find_game(self.game), options)
        seats = self.seats if seats is None else seats
        self.all.append(Case(Position(self.game, name, chosen, seats, tuple(steps.split())), depth))


def _lite_solo() -> list[Case]:
    cases = _Cases("lite-solo", 1)
    four_cells_left = "d6 a1 d6 b1 d3 a2 d2 c2 d6 b3"
    three_cells_left = "d6 a1 d6 b1 d5 c1 d3 a2 d2 c2 d6 b3"
    everything = "columns=true reroll=true wild=natural target=150"
    cases.add("base", 6)
    cases.add("base-late", 8, "", four_cells_left)
    cases.add("target-late", 8, "target=70", four_cells_left)
    cases.add("columns", 4, "columns=true")
    cases.add("columns-late", 8, "columns=true", four_cells_left)
    cases.add("reroll", 5, "reroll=true")
    cases.add("reroll-late", 8, "reroll=true", three_cells_left)
    cases.add("reroll-spent", 7, "reroll=true", f"d1 reroll {three_cells_left}")
    cases.add("wild-contains-late", 8, "wild=contains", four_cells_left)
    cases.add("wild-natural-late", 8, "wild=natural", four_cells_left)
    cases.add("everything", 4, everything)
    cases.add("everything-late", 8, everything, three_cells_left)
    return cases.all


def _lite_versus() -> list[Case]:
    cases = _Cases("lite-versus", 2)
    two_cells_left = "d6 a1 d5 a1 d6 b1 d5 b1 d2 a2 d3 a2 d2 b2 d3 b2 d1 c2 d1 c2 d4 a3 d6 a3 d4 b3 d1 b3"
    one_cell_left = f"{two_cells_left} d5 c1 d6 c1"
    cases.add("base", 6)
    cases.add("base-late", 8, "", two_cells_left)
    cases.add("columns-wild-late", 8, "columns=true wild=contains", two_cells_left)
    cases.add("reroll", 5, "reroll=true")
    cases.add("reroll-late", 8, "reroll=true", one_cell_left)
    cases.add("first-bot", 4, "first=bot")
    cases.add("first-drawn", 5, "first=drawn")
    cases.add("first-drawn-late", 4, "first=drawn", f"d6 {one_cell_left}")
    # 2 2 1, 5 5 4, 4 4 . against 6 1 1, 3 3 5, 4 4 .: equal when both roll the same die, and each has a tie-breaker
    even = "d2 a1 d6 a1 d2 b1 d1 b1 d1 c1 d1 c1 d5 a2 d3 a2 d5 b2 d3 b2 d4 c2 d5 c2 d4 a3 d4 a3 d4 b3 d4 b3"
    for tiebreak in ("none", "highest-single-die", "sum-middle-row"):
        cases.add(f"tiebreak-{tiebreak}", 4, f"tiebreak={tiebreak}", even)
    return cases.all


def _farkle() -> list[Case]:
    cases = _Cases("farkle", 1)
    one_die_left = "d111556 111+5+5"
    two_dice_left = "d111526 111+5"
    three_dice_left = "d111226 111"
    spicy = "straight=true three_pairs=true"
    cases.add("standard", 2)
    cases.add("standard-last-die", 2, "", f"{one_die_left} roll")
    cases.add("standard-target-in-reach", 3, "target=1100", one_die_left)
    cases.add("spicy", 2, spicy)
    cases.add("spicy-one-turn", 3, f"{spicy} max_turns=1")
    cases.add("four-plus-pair", 2, f"{spicy} four_plus_pair=true")
    cases.add("hot-dice-on", 4, "max_turns=1", f"{two_dice_left} roll")
    cases.add("hot-dice-off", 9, "hot_dice=false max_turns=1", f"{three_dice_left} roll")
    cases.add("hot-dice-off-minimum", 9, "hot_dice=false max_turns=1 bank_minimum=2000", f"{two_dice_left} roll")
    cases.add("arcade-one-turn", 3, "max_turns=1")
    cases.add("arcade-two-seats", 4, "max_turns=1", f"d112346 1+1 bank {three_dice_left} roll", seats=2)
    cases.add("two-seats", 1, seats=2)
    cases.add("two-seats-late", 3, "target=1000", f"d112346 1 bank {one_die_left}", seats=2)
    last_turn = "target=200 last_turn=true"
    cases.add("last-turn", 4, last_turn, f"d112346 1+1 bank {three_dice_left} roll", seats=2)
    cases.add("last-turn-three-seats", 2, last_turn, f"d234462 d112346 1+1 bank {one_die_left} roll", seats=3)
    below_the_minimum = "d111226 1 roll d22346 d111226 1+1+1 roll"
    cases.add("minimums", 4, "max_turns=1 board_minimum=400", below_the_minimum, seats=2)
    # with 2000 points on the board, the second turn may bank what the first could not
    on_the_board = f"d111156 1111 bank {two_dice_left} roll"
    cases.add("minimums-on-the-board", 4, "max_turns=2 board_minimum=1200 bank_minimum=1100", on_the_board)
    return cases.all


def _shut_the_box() -> list[Case]:
    cases = _Cases("shut-the-box", 1)
    stuck = "d11 2 d11"  # the shortest round there is: 43 points
    down_to_15 = "d54 9 d44 8 d43 7 two d33 6"
    down_to_15_unasked = "d54 9 d44 8 d43 7 d33 6"  # where there is no choice between one die and two
    down_to_6 = f"{down_to_15} two d54 5+4"
    shut = "d54 9 d44 8 d43 7 one d6 6 one d5 5 one d4 4 one d3 3 one d2 2 one d1 1"
    cases.add("nine", 5)
    cases.add("nine-late", 8, "rounds=1", down_to_15)
    cases.add("nine-next-round", 6, "", down_to_6)
    cases.add("twelve", 4, "tiles=12")
    cases.add("twelve-late", 7, "tiles=12 rounds=1", f"d66 12 d65 11 d64 10 {down_to_15}")
    cases.add("always-sum", 4, "variant=alwaysSum")
    cases.add("always-sum-duo", 5, "variant=alwaysSumDuo")
    cases.add("always-sum-duo-late", 9, "variant=alwaysSumDuo rounds=1", "d66 9+3 d65 7+4 d64 8+2")
    cases.add("digital-late", 8, "variant=digitalScore rounds=1 goal=123", down_to_15)
    cases.add("missionary-late", 8, "variant=missionaryCount rounds=1 goal=2", down_to_15)
    cases.add("best-round", 5, "per_round_scoring=false rounds=2", f"{stuck} {down_to_6}")
    cases.add("hard", 5, "difficulty=hard")
    cases.add("hard-late", 8, "difficulty=hard rounds=1", down_to_15_unasked)
    cases.add("easy", 4, "difficulty=easy mulligan=true")
    cases.add("easy-mulligan-late", 8, "difficulty=easy mulligan=true rounds=1", down_to_6)
    cases.add("easy-mulligan-used", 8, "difficulty=easy mulligan=true rounds=1", f"{stuck} {down_to_15}")
    cases.add("one-die-high-shut", 9, "rounds=1", f"{down_to_15} one d5 5")
    cases.add("one-die-sum-6", 9, "one_die=sum-6 rounds=1", down_to_15_unasked)
    cases.add("one-die-never", 9, "one_die=never rounds=1", down_to_15_unasked)
    cases.add("one-die-forced", 7, "one_die=forced rounds=1", "d54 9 d44 8 d43 7 d6 6")
    tournament = "variant=tournament45out"
    cases.add("tournament", 4, tournament)
    cases.add("tournament-late", 6, tournament, f"{stuck} {down_to_6}")
    cases.add("tournament-instant-late", 5, f"{tournament} instant=true", f"{stuck} {down_to_6}")
    cases.add("tournament-two-seats-late", 6, tournament, f"{stuck} {stuck} {stuck} {down_to_6}", seats=2)
    # seat 1 goes out in the second round, so the third round is played by seats 0 and 2 alone
    without_seat_1 = f"{shut} {stuck} {shut} {shut} {stuck} {shut} {stuck} {down_to_6}"
    cases.add("tournament-three-seats-late", 5, tournament, without_seat_1, seats=3)
    cases.add("long", 4, "mode=long")
    cases.add("long-shutting-late", 5, "mode=long", down_to_6)
    cases.add("long-opening", 5, "mode=long", f"{down_to_6} two d65")
    cases.add("long-opening-late", 6, "mode=long", "d22 4 d12 2+1 d11 d11")
    cases.add("long-doubles", 5, "mode=long", "d11 2 d11")
    cases.add("long-mulligan", 5, "mode=long mulligan=true", "d11 2 d11 d11")
    cases.add("long-two-seats", 4, "mode=long", seats=2)
    cases.add("long-two-seats-late", 6, "mode=long", "d22 4 d12 2+1 d11 d11", seats=2)
    cases.add("threshold", 4, "mode=threshold")
    cases.add("threshold-late", 8, "mode=threshold threshold=3", down_to_15)
    cases.add("instant-late", 5, "instant=true", down_to_6)
    cases.add("two-seats", 4, "rounds=1", seats=2)
    cases.add("two-seats-late", 8, "rounds=1", f"{stuck} {down_to_15}", seats=2)
    cases.add("two-seats-instant-late", 6, "instant=true rounds=1", down_to_6, seats=2)
    return cases.all


def _knucklebones() -> list[Case]:
    cases = _Cases("knucklebones", 2)
    five_each = "d1 1 d2 1 d1 1 d2 1 d1 2 d4 2 d3 2 d4 2 d5 3 d6 3"
    seven_each = f"{five_each} d1 1 d3 1 d1 2 d4 2"
    cases.add("base", 8)
    cases.add("base-destruction", 7, "", five_each)
    cases.add("base-late", 9, "", seven_each)
    cases.add("first-bot", 6, "first=bot")
    cases.add("first-drawn", 7, "first=drawn")
    cases.add("first-drawn-late", 9, "first=drawn", f"d4 {seven_each}")
    return cases.all


CASES: Final[dict[str, list[Case]]] = {
    "lite-solo": _lite_solo(),
    "lite-versus": _lite_versus(),
    "farkle": _farkle(),
    "shut-the-box": _shut_the_box(),
    "knucklebones": _knucklebones(),
}
