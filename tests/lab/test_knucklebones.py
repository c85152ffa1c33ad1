"""What is measured on a GPU, as far as it can be tried without one: the players as tables, and the network's book."""

from __future__ import annotations

from random import Random
from statistics import fmean

import numpy as np
import pytest

from dicehall.bots.knucklebones import choose_column, choose_greedily
from dicehall.coach.knucklebones.network import BOOK
from dicehall.lab.knucklebones.packing import bind, read_network
from dicehall.lab.knucklebones.players import STEPS, WIDTHS, likings, pairs_of, taken_table
from dicehall.rules.catalog import KNUCKLEBONES as GAME
from dicehall.rules.game import DICE, NOBODY
from dicehall.rules.knucklebones import State, after, legal, score_grid
from dicehall.solve.workshop import PACKAGED
from tests.coach.knucklebones.test_network import waiting


def rolled(seed: str, games: int) -> list[State]:
    """With a die to place, in games played by chance."""
    random, found = Random(seed), []
    for _ in range(games):
        state = GAME.begin({}, 2)
        while GAME.rules.actor(state) != NOBODY:
            if GAME.rules.actor(state) == DICE:
                state = GAME.roll(state, (random.randint(1, 6),))
            else:
                found.append(state)
                state = GAME.apply(state, random.choice(GAME.rules.legal(state)))
    return found


@pytest.mark.parametrize(("name", "choose"), [("spec", choose_column), ("greedy", choose_greedily)])
def test_players_are_measured_as_they_play(name: str, choose: object) -> None:
    """The first of those that are liked most is what they choose."""
    liking = likings()[name]
    for state in rolled(name, 40):
        text = GAME.rules.state_text(state).split()
        here = pairs_of(*(text[:2] if state.seat == 0 else text[1::-1]))
        liked = {column: liking[here[column]][state.die - 1] for column in legal(state)}
        assert callable(choose)
        assert choose(state) == max(liked, key=lambda column: liked[column])


def test_who_plays_safe_looks_at_the_lead_and_then_at_how_many_dice_can_still_come() -> None:
    """Where more of the other side lie already, fewer can come that break something."""
    liking = likings()["safe"]
    for state in rolled("safe", 40):
        text, mine, theirs = GAME.rules.state_text(state).split(), state.seat, 1 - state.seat
        here = pairs_of(*(text[:2] if state.seat == 0 else text[1::-1]))

        def wanted(column: int) -> tuple[int, int]:
            grids = after(state, column).grids  # noqa: B023  # asked at once
            return score_grid(grids[mine]) - score_grid(grids[theirs]), len(state.grids[theirs][column])  # noqa: B023

        columns = legal(state)
        by_liking = max(columns, key=lambda column: liking[here[column]][state.die - 1])
        assert by_liking == max(columns, key=wanted)


def test_pairs_are_read_as_positions_are_written() -> None:
    for state in rolled("pairs", 10):
        mine, theirs, seat, *_ = GAME.rules.state_text(state).split()
        if seat == "1":
            assert pairs_of(mine, theirs) == waiting(state)


@pytest.mark.parametrize(("x", "y"), [(0, 0), (STEPS // 8, STEPS // 4), (STEPS // 2, STEPS), (3, 60)])
def test_a_blur_takes_the_best_as_often_as_in_a_trial(x: int, y: int) -> None:
    """Of three moves, of which two lose so much: each looks better by the sum of three draws."""
    draws = np.random.default_rng(7).random((400_000, 3, WIDTHS)).sum(2)
    looks = draws - np.array([0, x, y]) * WIDTHS / STEPS
    best, second = taken_table()[x, y]
    assert fmean(looks.argmax(1) == 0) == pytest.approx(best, abs=0.004)
    assert fmean(looks.argmax(1) == 1) == pytest.approx(second, abs=0.004)


def test_the_packaged_network_is_packed_as_it_is_read() -> None:
    assert bind(read_network()) == (PACKAGED / BOOK).read_bytes()
