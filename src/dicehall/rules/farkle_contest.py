"""What tells one game of Farkle to the target from another: what a solver solves, and what its tables are found by.

Points are counted in steps of 50, of which every group is worth a multiple (where it is not, nothing is solved).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from dicehall.rules.farkle_scoring import Options, Scoring, scoring

STEP: Final = 50
USUAL_TARGET: Final = 10_000 // STEP
FURTHEST: Final = 20_000 // STEP  # a race takes eight times as long for a target twice as large


class Contest(NamedTuple):
    rules: Scoring
    hot_dice: bool
    target: int = USUAL_TARGET  # of a seat only what it still needs matters, so this serves every lower target too
    least: int = 0  # that may be banked; 0 where every keep is enough
    entry: int = 0  # likewise by a seat without points, where that is more; then this is for one target only
    last_turn: bool = False

    def minimum(self, place: int) -> int:
        """What a seat has to bank at least. Its place is what it needs, or one more while it is not on the board."""
        return self.least if place <= self.target else self.entry

    def need(self, place: int) -> int:
        return min(place, self.target)

    @property
    def places(self) -> int:
        return self.target + (self.entry > 0)


def contest_of(options: Options, seats: int) -> Contest:
    least = in_steps(options.bank_minimum)
    least = least if least > 1 else 0
    entry = in_steps(options.board_minimum)
    entry = entry if entry > max(least, 1) else 0
    target = in_steps(options.target)
    reach = target if entry else max(target, USUAL_TARGET)
    return Contest(scoring(options), options.hot_dice, reach, least, entry, options.last_turn and seats > 1)


def contest_name(contest: Contest) -> str:
    """As part of a file's name: whatever is not usual."""
    (straight, three_pairs, four_plus_pair), hot_dice, target, least, entry, last_turn = contest
    parts = {
        f"straight{straight}": straight, f"pairs{three_pairs}": three_pairs, "four": four_plus_pair,
        "cold": not hot_dice, f"to{target * STEP}": entry or target > USUAL_TARGET,
        f"bank{least * STEP}": least, f"board{entry * STEP}": entry, "last": last_turn,
    }  # fmt: skip
    return "-".join([part for part, told in parts.items() if told]) or "usual"


def in_steps(points: int) -> int:
    """As many as it takes to have so many points."""
    return -(-points // STEP)
