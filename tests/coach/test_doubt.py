"""What makes no sense is doubted, and nothing else: each bound is the last that can be played."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.coach.protocol import coach_of
from dicehall.rules.catalog import GAMES

LOW = "goal-too-low"


@pytest.mark.parametrize(
    ("game", "chosen", "seats", "code"),
    [
        ("lite-solo", {"target": 162}, 1, None),
        ("lite-solo", {"target": 163}, 1, "target-too-high"),
        ("lite-versus", {}, 2, None),
        ("knucklebones", {}, 2, None),
        ("farkle", {}, 1, None),
        ("farkle", {"hot_dice": False, "bank_minimum": 4000}, 1, None),
        ("farkle", {"hot_dice": False, "bank_minimum": 4050}, 1, "minimum-too-high"),
        ("farkle", {"hot_dice": False, "board_minimum": 4050}, 1, "minimum-too-high"),
        ("shut-the-box", {}, 1, None),
        ("shut-the-box", {"goal": 0}, 1, None),
        ("shut-the-box", {"goal": 214}, 1, None),
        ("shut-the-box", {"goal": 215}, 1, "goal-sure"),
        ("shut-the-box", {"goal": 42, "per_round_scoring": False}, 1, None),
        ("shut-the-box", {"goal": 43, "per_round_scoring": False}, 1, "goal-sure"),
        ("shut-the-box", {"mode": "threshold", "threshold": 42}, 1, None),
        ("shut-the-box", {"mode": "threshold", "threshold": 43}, 1, "goal-sure"),
        ("shut-the-box", {"goal": 300}, 2, None),
        ("shut-the-box", {"variant": "alwaysSumDuo", "goal": 4}, 1, "goal-too-low"),
        ("shut-the-box", {"variant": "alwaysSumDuo", "goal": 5}, 1, None),
        ("shut-the-box", {"variant": "alwaysSumDuo", "mode": "threshold", "scoring": "digital", "tiles": 12}, 1, LOW),
        ("shut-the-box", {"goal": 300, "instant": True}, 1, "goal-sure"),
    ],
)
def test_what_is_doubted(game: str, chosen: dict[str, Any], seats: int, code: str | None) -> None:
    found = GAMES[game]
    doubt = coach_of(found).doubt(found.make_options(chosen), seats)
    assert (doubt and doubt.code) == code
    if doubt:
        better = {**chosen, doubt.option: doubt.instead}
        assert coach_of(found).doubt(found.make_options(better), seats) is None
