"""The keep that Farkle recommends: by what the turn brings on average, not by points alone."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dicehall.coach.advise import recommended
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES
from dicehall.rules.farkle import after, legal
from tests.coach.asked import farkle as asked

FARKLE = GAMES["farkle"]


@pytest.mark.parametrize(
    ("roll", "best"),
    [
        ((1, 5, 2, 2, 2, 6), "1"),  # five dice to roll are worth more than 250 points more and one die
        ((1, 1, 1, 5, 5, 6), "111+5+5"),
        ((1, 1, 1, 5, 5, 5), "111+555"),  # hot dice
    ],
)
def test_the_best_on_average(roll: tuple[int, ...], best: str) -> None:
    state = FARKLE.roll(FARKLE.begin(), roll)
    assert recommended(FARKLE, state) == best
    step = asked.step_values(state.options, 1, "turn")
    values: dict[str, Fraction] = {
        FARKLE.rules.move_text(move): step(state, after(state, move)) for move in legal(state)
    }
    assert values[best] == max(values.values())


def test_what_ends_the_game_is_best() -> None:
    """350 points are the target: no other keep wins at once, however much it brings on average."""
    for chosen, seats, best in (
        ({"target": 350}, 1, "222+1+5"),
        ({"target": 350}, 2, "222+1+5"),
        ({"target": 350, "last_turn": True}, 2, "1"),  # the other may still answer
        ({"target": 350, "bank_minimum": 400}, 1, "1"),
        ({"target": 350, "max_turns": 3}, 1, "1"),
        ({"target": 400}, 1, "1"),
    ):
        state = FARKLE.roll(FARKLE.begin(FARKLE.make_options(chosen), seats), (1, 5, 2, 2, 2, 6))
        assert recommended(FARKLE, state) == best, (chosen, seats)


def test_nothing_else_is_recommended() -> None:
    begun = FARKLE.begin()
    assert recommended(FARKLE, begun) is None
    kept = after(FARKLE.roll(begun, (1, 5, 2, 2, 2, 6)), ("1",))
    assert recommended(FARKLE, kept) is None, "roll or bank is for the player to decide"
    for game_id in GAMES.keys() - {FARKLE.id}:
        table = Table(game_id, seed="recommended")
        assert recommended(table.game, table.state) is None


def test_with_odd_points_the_most_of_them_are_recommended() -> None:
    options = FARKLE.make_options({"preset": "spicy", "straight_points": 1234})
    state = FARKLE.roll(FARKLE.begin(options), (1, 5, 2, 2, 2, 6))
    assert recommended(FARKLE, state) == "222+1+5"
    options = FARKLE.make_options({"preset": "spicy", "straight_points": 1235})
    assert recommended(FARKLE, FARKLE.roll(FARKLE.begin(options), (1, 5, 2, 2, 2, 6))) == "1"
