"""The slow twins, by game id."""

from __future__ import annotations

from types import ModuleType

from tests.oracles import farkle, knucklebones, lite_solo, lite_versus, shut_the_box

ORACLES: dict[str, ModuleType] = {
    "lite-solo": lite_solo,
    "lite-versus": lite_versus,
    "farkle": farkle,
    "shut-the-box": shut_the_box,
    "knucklebones": knucklebones,
}
