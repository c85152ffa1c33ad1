"""Medals of the arcade: ten turns, most points.

Calibrated on the exact distribution of perfect turn-by-turn play: half of its runs reach bronze, a fifth silver, one
in twenty gold. `python -m tests.oracles.farkle_turns` computes the numbers, and a test holds them to it. Where the
options change that distribution and nobody has calibrated them, there are no medals.
"""

from __future__ import annotations

from typing import Final

from dicehall.rules.farkle_scoring import LITE, Options, Scoring, scoring

TURNS: Final = 10
MEDALS: Final = {
    LITE: {"bronze": 4750, "silver": 5950, "gold": 7250},
    Scoring(1500, 1500): {"bronze": 5600, "silver": 7250, "gold": 9050},
}


def medals(options: Options) -> dict[str, int]:
    """What each medal takes under these options; empty where there are none."""
    usual = options.hot_dice and not options.board_minimum and not options.bank_minimum
    return MEDALS.get(scoring(options), {}) if usual and options.max_turns == TURNS else {}


def medal(options: Options, score: int) -> str | None:
    """The best medal that a score has earned."""
    earned = [name for name, least in medals(options).items() if score >= least]
    return earned[-1] if earned else None
