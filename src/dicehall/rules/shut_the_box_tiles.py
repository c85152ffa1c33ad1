"""The tiles of Shut the Box: the options that govern them, what a roll may turn, and what is left over costs.

Everything here is about one set of tiles and one roll; rounds, seats and modes are in `shut_the_box.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Final

from dicehall.errors import InvalidOption
from dicehall.rules.options import Options as BaseOptions
from dicehall.rules.options import choice, flag, number

Tiles = tuple[int, ...]  # ascending on the board, highest first in a move

LAST_LOW_TILE: Final = 6  # one die reaches no higher
VARIANT_SCORING: Final = {"digitalScore": "digital", "missionaryCount": "missionary", "tournament45out": "golf"}
_ALL: Final = {count: tuple(range(1, count + 1)) for count in (9, 12)}


@dataclass(frozen=True, slots=True)
class Options(BaseOptions):
    tiles: int = choice(9, (9, 12), "how many tiles the box has")
    variant: str = choice(
        "standard",
        ("standard", "alwaysSum", "alwaysSumDuo", "digitalScore", "missionaryCount", "tournament45out"),
        "the house rules: any set with the dice's total (standard, alwaysSum), exactly two tiles (alwaysSumDuo), "
        "standard with another scoring, or rounds without end in which 45 points put a seat out",
    )
    scoring: str = choice(
        "golf", ("golf", "digital", "missionary"), "what is left: its sum, its digits in a row, how many tiles"
    )
    rounds: int = number(5, 1, 100, "rounds each seat plays (mode rounds)")
    mode: str = choice("rounds", ("rounds", "threshold", "long"), "several rounds, one round, or the long game")
    threshold: int = number(12, 0, 1000, "mode threshold: the score that still wins")
    goal: int = number(45, 0, 100_000, "mode rounds, alone: the total that still wins; 40 is strict (0: none)")
    per_round_scoring: bool = flag(True, "round scores add up; if not, only the best round counts")
    one_die: str = choice(
        "high-shut",
        ("high-shut", "sum-6", "never", "forced"),
        "one die may be rolled once no tile above 6 is open, once the open tiles sum to 6 or less, "
        "never; or must be rolled as soon as it may",
    )
    difficulty: str = choice(
        "standard", ("easy", "standard", "hard"), "hard: at most two tiles a roll, and one die only at a sum of 6"
    )
    mulligan: bool = flag(False, "once a round, a roll that fits nothing is rolled again")
    instant: bool = flag(False, "a shut box wins the whole game at once")

    def check(self) -> None:
        if self.scoring not in ("golf", self.scored_by):
            raise InvalidOption("options-clash", f"{self.variant} scores {self.scored_by}, not {self.scoring}")
        if self.variant == "tournament45out" and (self.mode != "rounds" or not self.per_round_scoring):
            raise InvalidOption("options-clash", "tournament45out adds up rounds; it has no other mode")

    @property
    def scored_by(self) -> str:
        return VARIANT_SCORING.get(self.variant, self.scoring)

    def idle(self, seats: int) -> set[str]:
        idle = {"scoring"} if self.variant in VARIANT_SCORING else set()
        if self.mode == "long":  # whoever turns all tiles has won, and nothing is counted
            idle |= {"variant"} if self.variant in VARIANT_SCORING else set()
            return idle | {"scoring", "rounds", "threshold", "goal", "per_round_scoring", "instant"}
        if self.mode == "threshold":
            return idle | {"rounds", "goal", "per_round_scoring"} | ({"threshold"} if seats > 1 else set())
        if self.variant == "tournament45out":
            return idle | {"rounds", "threshold", "goal"}
        one_round = {"per_round_scoring"} if self.rounds == 1 else set()
        return idle | one_round | {"threshold"} | ({"goal"} if seats > 1 else set())

    def seats(self, usual: range) -> range:
        return range(1, 3) if self.mode == "long" else usual  # one plays both sides, or each side has a seat


def all_tiles(options: Options) -> Tiles:
    return _ALL[options.tiles]


def can_roll_one_die(tiles: Tiles, options: Options) -> bool:
    if tiles and tiles[-1] > LAST_LOW_TILE:  # the last is the highest; no rule allows one die beside a high tile
        return False
    if options.one_die == "sum-6" or options.difficulty == "hard":
        return options.one_die != "never" and sum(tiles) <= LAST_LOW_TILE
    return options.one_die != "never"


def legal_combos(tiles: Tiles, dice: tuple[int, ...], options: Options) -> tuple[Tiles, ...]:
    """Every set of these tiles that adds up to the dice: fewer tiles first, then higher ones."""
    duo = options.variant == "alwaysSumDuo"
    return _combos(tiles, sum(dice), 2 if duo else 1, 2 if duo or options.difficulty == "hard" else options.tiles)


def has_shut_the_box(tiles: Tiles) -> bool:
    return not tiles


def round_score(tiles: Tiles, scoring: str) -> int:
    """What open tiles cost: golf their sum, digital their digits in a row, missionary their number."""
    if scoring == "golf":
        return sum(tiles)
    return len(tiles) if scoring == "missionary" else int("".join(map(str, tiles)) or "0")


@cache
def _combos(tiles: Tiles, total: int, least: int, most: int) -> tuple[Tiles, ...]:
    high_first = tiles[::-1]
    return tuple(
        combo
        for size in range(least, most + 1)
        if sum(tiles[:size]) <= total
        for combo in combinations(high_first, size)  # in this order already: higher tiles come first
        if sum(combo) == total
    )
