"""The edges of the rules, by hand: exactly as many points as it takes, one fewer, and with the option or without."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.rules import farkle, shut_the_box
from dicehall.rules.catalog import FARKLE, GAMES, SHUT_THE_BOX
from dicehall.rules.farkle_scoring import Options, Scoring, scoring
from dicehall.rules.game import DICE, NOBODY
from dicehall.rules.two_seats import drawn_seat


def farkle_at(text: str, **options: Any) -> farkle.State:
    return FARKLE.rules.read_state(FARKLE.make_options(options), text)


def box_at(text: str, **options: Any) -> shut_the_box.State:
    return SHUT_THE_BOX.rules.read_state(SHUT_THE_BOX.make_options(options), text)


@pytest.mark.parametrize(("target", "last_turn", "over"), [(600, False, True), (650, False, False), (600, True, False)])
def test_exactly_the_target_ends_a_race_unless_the_others_have_a_last_turn(
    target: int, last_turn: bool, over: bool
) -> None:
    state = farkle_at("0:0 0 1 600 [666]234 selected -", target=target, last_turn=last_turn)
    now = FARKLE.apply(state, "bank")
    assert (FARKLE.rules.actor(now) == NOBODY, now.closer) == (over, 0 if target == 600 else -1)
    if last_turn:
        lost = FARKLE.roll(now, (2, 3, 4, 6, 2, 3))
        assert FARKLE.rules.result(lost).winners == (0,)


def test_a_minimum_leaves_every_seat_a_move() -> None:
    state = farkle_at("0 0 1 1500 [111555] selected -", hot_dice=False, bank_minimum=5000)
    assert FARKLE.rules.legal(state) == ("bank",)


def test_groups_score_with_their_option_alone() -> None:
    assert scoring(Options()) == scoring(Options(four_plus_pair=True)) == Scoring(0, 0, False)
    assert scoring(Options(straight=True, four_plus_pair=True)) == Scoring(1500, 0, False)
    assert scoring(Options(three_pairs=True)) == Scoring(0, 1500, False)
    assert scoring(Options(three_pairs=True, four_plus_pair=True)) == Scoring(0, 1500, True)


@pytest.mark.parametrize(("goal", "why"), [(8, "goal-met"), (7, "goal-met"), (6, "goal-missed"), (0, "complete")])
def test_exactly_the_goal_is_met(goal: int, why: str) -> None:
    over = SHUT_THE_BOX.roll(box_at("......7.. - 0 1 0 - -", goal=goal, rounds=1), (1, 2))
    assert SHUT_THE_BOX.rules.result(over).why == why


@pytest.mark.parametrize(("total", "out"), [(44, ()), (45, (0,))])
def test_exactly_45_points_put_a_seat_out(total: int, out: tuple[int, ...]) -> None:
    state = box_at(f"......7.. - 2 2 {total}:10:10 - -", variant="tournament45out")
    later = SHUT_THE_BOX.roll(state, (1, 2))
    assert (later.out, later.seat, later.round) == (out, len(out), 3)


def test_a_mulligan_comes_once_a_round() -> None:
    again = SHUT_THE_BOX.roll(box_at("......7.. - 0 1 0 - -", mulligan=True), (1, 2))
    assert (again.round, SHUT_THE_BOX.rules.actor(again)) == (1, DICE)
    assert SHUT_THE_BOX.roll(again, (1, 2)).round == 2


def test_three_faces_draw_either_seat() -> None:
    assert [drawn_seat(die) for die in range(1, 7)] == [0, 0, 0, 1, 1, 1]
    for game_id in ("lite-versus", "knucklebones"):
        game = GAMES[game_id]
        start = game.begin({"first": "drawn"})
        assert [game.roll(start, (die,)).seat for die in (3, 4)] == [0, 1]
