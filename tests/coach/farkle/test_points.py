"""Farkle for points: against the literal rules and published figures."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from dicehall.coach.farkle.points import points_of
from dicehall.rules.farkle import Options, State, after, legal, read_state, rolled, start
from dicehall.rules.farkle_scoring import LITE, Scoring
from dicehall.rules.farkle_state import END
from tests.coach.asked import farkle as asked
from tests.coach.farkle.twin import Twin
from tests.oracles import farkle_turns
from tests.soak import SOAKING


def turn_ended(before: State, now: State) -> Fraction | None:
    if now.phase == END or (now.seat, now.round) != (before.seat, before.round):
        return Fraction(now.banked[before.seat] - before.banked[before.seat])
    return None


def game_ended(before: State, now: State) -> Fraction | None:
    return Fraction(now.banked[0]) if now.phase == END else None


COLD = [
    Options(hot_dice=False),
    Options(hot_dice=False, straight=True, three_pairs=True, three_pairs_points=750),
    Options(hot_dice=False, three_pairs=True, four_plus_pair=True, bank_minimum=350),
    Options(hot_dice=False, straight=True, straight_points=50, board_minimum=500, bank_minimum=200),
    Options(hot_dice=False, straight=True, straight_points=1234, bank_minimum=333),
    Options(hot_dice=False, straight=True, straight_points=75, three_pairs=True, three_pairs_points=51),
]


@pytest.mark.parametrize("options", COLD, ids=lambda options: str(options.changed()))
def test_a_whole_turn_without_hot_dice(options: Options) -> None:
    twin, value = Twin(turn_ended), asked.values(options, 2, "turn")
    for banked in ("0:1000", "1000:0") if options.board_minimum else ("0:0",):
        state = read_state(options, f"{banked} 1 1 0 ...... farkle -")
        assert value(state) == twin.value(state, state)


HOT = [  # a turn total near the one that is banked in any case, and one that is beyond it by far
    ("2200 0 3 10650 [1]1[5]123 selection -", 11_000, {}),
    ("0:100 1 3 10700 [1].[5]... rolled -", 11_000, {}),
    ("100 0 1 17400 [15123]4 selected -", 17_700, {"straight": True, "three_pairs": True}),
    ("0 0 2 9850 [16]4212 selection -", 11_000, {"board_minimum": 10_000}),
    ("0 0 2 9600 [11]23[55] selected -", 11_000, {"bank_minimum": 9700, "straight": True, "straight_points": 50}),
    ("0 0 1 90000 [1]..... rolled -", 90_100, {}),
    ("0 0 1 10725 [1].[5]... rolled -", 11_000, {"straight": True, "straight_points": 275}),
    ("0 0 1 10702 [1].[5]... rolled -", 11_000, {"straight": True, "straight_points": 51}),
    ("0 0 1 90000 ...... selected -", 90_100, {}),
]


@pytest.mark.parametrize(("text", "enough", "chosen"), HOT)
def test_late_in_a_turn_with_hot_dice(text: str, enough: int, chosen: dict[str, Any]) -> None:
    """The twin banks what is `enough`; in `make soak` it may roll on for 1,000 points more, and does not."""
    state, ceiling = read_state(Options(**chosen), text), enough + 1000 * SOAKING
    value = asked.values(state.options, len(state.banked), "turn")
    assert value(state) == Twin(turn_ended, ceiling).value(state, state)


@pytest.mark.parametrize("rules", [LITE, Scoring(1500, 1500), Scoring(1500, 750), Scoring(0, 1500, True)])
def test_every_turn_total_of_a_turn_with_hot_dice(rules: Scoring) -> None:
    """Against a sweep in floats from a turn total far above."""
    expected, _ = farkle_turns.solve(rules)
    turn = points_of(rules, True, 0)
    for (turn_total, dice), value in expected.items():
        mine = turn.kept(turn.begin - turn_total // 50, dice)
        assert abs(float(mine) - value) < 1e-9 * max(value, 1), (turn_total, dice)


ARCADES = [
    ("200 0 2 450 [11155]6 selected -", {"max_turns": 3}),
    ("300 0 1 200 [1515]62 selected -", {"max_turns": 2, "board_minimum": 400}),
    ("0 0 1 250 [1155]62 selected -", {"max_turns": 2, "board_minimum": 400, "bank_minimum": 100}),
    ("0 0 2 150 [11555]2 selected -", {"max_turns": 3, "board_minimum": 500}),
    ("0 0 3 150 [11].... rolled -", {"max_turns": 3, "board_minimum": 300, "straight": True}),
    ("0 0 1 50 [5].[1111] rolled -", {"max_turns": 2, "bank_minimum": 400}),
]


@pytest.mark.parametrize(("text", "chosen"), ARCADES)
def test_the_last_turns_of_an_arcade(text: str, chosen: dict[str, Any]) -> None:
    state = read_state(Options(hot_dice=False, **chosen), text)
    assert asked.values(state.options, 1, "arcade")(state) == Twin(game_ended).value(state, state)


def test_published_figures_of_a_turn() -> None:
    """P. McKenna, rmckenna21.blogspot.com: the table under x2, x3, x4, straight 1500, three different pairs 750."""
    options = Options(straight=True, three_pairs=True, three_pairs_points=750)
    value = asked.values(options, 1, "turn")
    assert round(float(value(start(options, 1))), 3) == 548.858
    state = rolled(start(options, 1), (1, 2, 2, 2, 5, 4))
    published = {
        ("5",): 363.834,
        ("1",): 399.911,
        ("1", "5"): 307.673,
        ("222",): 257.584,
        ("222", "5"): 250,
        ("222", "1"): 300,
        ("222", "1", "5"): 350,
    }
    assert {move: round(float(value(after(state, move))), 3) for move in legal(state)} == published
    assert round(float(value(read_state(options, "0 0 1 250 [15]4[1]63 selected -"))), 1) == 293.4
