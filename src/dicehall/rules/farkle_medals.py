"""Medals of the arcade: most points in so many turns.

Calibrated on the exact distribution of perfect turn-by-turn play: half of its runs reach bronze, a fifth silver, one
in twenty gold. `python -m tests.oracles.farkle_turns` computes the numbers, and a test holds them to it. Where the
options change that distribution and nobody has calibrated them, and of more than twenty turns, there are no medals.
"""

from __future__ import annotations

from typing import Final

from dicehall.rules.farkle_scoring import LITE, Options, Scoring, scoring

NAMES: Final = ("bronze", "silver", "gold")
MEDALS: Final = {  # from one turn up
    LITE: (
        (400, 700, 1200), (900, 1400, 2100), (1350, 2000, 2800), (1850, 2600, 3500), (2300, 3150, 4150),
        (2800, 3750, 4800), (3300, 4300, 5400), (3800, 4850, 6050), (4250, 5400, 6650), (4750, 5950, 7250),
        (5250, 6450, 7850), (5700, 7000, 8400), (6200, 7550, 9000), (6700, 8100, 9600), (7200, 8600, 10150),
        (7650, 9150, 10750), (8150, 9700, 11300), (8650, 10200, 11900), (9100, 10750, 12450),
        (9600, 11250, 13000),
    ),
    Scoring(1500, 1500): (
        (400, 950, 1800), (1000, 1700, 2750), (1550, 2500, 3600), (2100, 3200, 4450), (2700, 3900, 5250),
        (3300, 4550, 6050), (3850, 5250, 6800), (4450, 5900, 7600), (5050, 6600, 8300), (5600, 7250, 9050),
        (6200, 7900, 9800), (6750, 8550, 10500), (7350, 9200, 11200), (7900, 9850, 11900),
        (8500, 10500, 12650), (9100, 11100, 13350), (9650, 11750, 14000), (10250, 12400, 14700),
        (10800, 13050, 15400), (11400, 13650, 16100),
    ),
}  # fmt: skip


def medals(options: Options) -> dict[str, int]:
    """What each medal takes under these options; empty where there are none."""
    usual = options.hot_dice and not options.board_minimum and not options.bank_minimum
    calibrated = MEDALS.get(scoring(options), ()) if usual else ()
    if not 0 < options.max_turns <= len(calibrated):
        return {}
    return dict(zip(NAMES, calibrated[options.max_turns - 1], strict=True))


def medal(options: Options, score: int) -> str | None:
    """The best medal that a score has earned."""
    earned = [name for name, least in medals(options).items() if score >= least]
    return earned[-1] if earned else None
