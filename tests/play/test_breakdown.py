"""Where the points came from, for every game: the parts add up to the result."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dicehall.play.breakdown import breakdown
from dicehall.play.table import Table, simulate_run
from tests.soak import times


def runs(game: str, options: dict[str, Any], seats: int, count: int) -> list[Table]:
    found = []
    for number in range(count):
        random = Random(f"{game} {options} {number}")
        table = Table(game, options=options, seats=seats, seed=number)
        while not table.is_over:
            table.play(random.choice(table.legal()))
        found.append(table)
    return found


def result_of(table: Table) -> tuple[int, ...]:
    assert table.result is not None
    return table.result.scores


@pytest.mark.parametrize(
    ("game", "options", "seats"),
    [
        ("lite-solo", {}, 1),
        ("lite-solo", {"columns": True, "wild": "contains", "reroll": True}, 1),
        ("lite-versus", {"columns": True}, 2),
        ("knucklebones", {}, 2),
        ("farkle", {"max_turns": 4}, 1),
        ("farkle", {"target": 500}, 2),
        ("farkle", {"target": 500, "last_turn": True}, 3),
        ("shut-the-box", {}, 1),
        ("shut-the-box", {"variant": "missionaryCount", "rounds": 2}, 3),
        ("shut-the-box", {"variant": "tournament45out"}, 2),
        ("shut-the-box", {"instant": True, "rounds": 20}, 2),
    ],
)
def test_the_parts_add_up_to_the_result(game: str, options: dict[str, Any], seats: int) -> None:
    for table in runs(game, options, seats, times(20, 300)):
        parts = breakdown(table.record())
        sums = [sum(sum(by_seat[seat]) for by_seat in parts.values()) for seat in range(seats)]
        assert tuple(sums) == result_of(table)


@pytest.mark.parametrize("options", [{"mulligan": True}, {"scoring": "digital"}, {"instant": True, "rounds": 9}])
def test_where_the_best_round_counts_each_has_its_own_score(options: dict[str, Any]) -> None:
    for table in runs("shut-the-box", {"per_round_scoring": False, **options}, 2, times(20, 300)):
        scored: list[list[int]] = [[], []]
        for event in (event for frame in table.film(views=False) for event in frame.events):
            if event["code"] == "round-over":
                scored[event["seat"]].append(event["score"])
        assert breakdown(table.record())["rounds"] == scored
        assert tuple(min(seat, default=0) for seat in scored) == result_of(table)


def test_a_solo_race_lists_a_number_for_every_turn() -> None:
    for table in runs("farkle", {"target": 1000}, 1, 10):
        turns = breakdown(table.record())["turns"][0]
        assert (len(turns),) == result_of(table)
        assert sum(turns) >= 1000


def test_the_long_game_lists_open_tiles_after_every_turn() -> None:
    for table in runs("shut-the-box", {"mode": "long"}, 1, 10):
        after = breakdown(table.record())["open"]
        assert (len(after),) == result_of(table)
        assert after[-1] in (0, 9)


def test_farkles_bring_nothing() -> None:
    table = simulate_run("farkle", (2, 3, 4, 6, 2, 3) + (1, 2, 3, 4, 6, 6), ("1", "bank"), options={"max_turns": 2})
    assert breakdown(table.record()) == {"turns": [[0, 100]]}
