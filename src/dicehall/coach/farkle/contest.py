"""What tells one game of Farkle to the target from another: what a solver solves, and what its tables are found by.

Points are counted in steps, of which every group is worth a multiple: 50 points, or fewer where the points of the
optional groups ask for it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from dicehall.rules.farkle_scoring import USUAL_STEP, Options, Scoring, scoring

USUAL_TARGET: Final = 10_000 // USUAL_STEP
FURTHEST: Final = 20_000 // USUAL_STEP  # in steps; a race takes eight times as long for a target twice as large


class Contest(NamedTuple):
    rules: Scoring
    hot_dice: bool
    target: int = USUAL_TARGET  # in steps; of a seat only what it still needs matters, so this serves lower ones too
    least: int = 0  # that may be banked; 0 where every keep is enough
    entry: int = 0  # that a seat without points may bank, where that is more; then this is for one target only
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
    rules = scoring(options)
    enough = in_steps(USUAL_STEP, rules)  # the least that a keep is worth
    least = in_steps(options.bank_minimum, rules)
    least = least if least > enough else 0
    entry = in_steps(options.board_minimum, rules)
    entry = entry if entry > max(least, enough) else 0
    target = in_steps(options.target, rules)
    reach = target if entry or rules.step < USUAL_STEP else max(target, USUAL_TARGET)
    return Contest(rules, options.hot_dice, reach, least, entry, options.last_turn and seats > 1)


def contest_name(contest: Contest) -> str:
    """Whatever is not usual about `contest`, as part of a file's name."""
    (straight, three_pairs, four_plus_pair), hot_dice, target, least, entry, last_turn = contest
    step = contest.rules.step
    parts = {
        f"straight{straight}": straight, f"pairs{three_pairs}": three_pairs, "four": four_plus_pair,
        "cold": not hot_dice, f"to{target * step}": entry or step < USUAL_STEP or target > USUAL_TARGET,
        f"bank{least * step}": least, f"board{entry * step}": entry, "last": last_turn,
    }  # fmt: skip
    return "-".join([part for part, told in parts.items() if told]) or "usual"


def in_steps(points: int, rules: Scoring) -> int:
    """As many steps, of `rules.step` points each, as it takes to have `points` points."""
    return -(-points // rules.step)
