"""Random play has known averages; the rules reproduce them."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random

from dicehall.rules.catalog import GAMES
from dicehall.rules.farkle_scoring import Scoring, farkle_ways
from tests.soak import times
from tests.walks import random_walk

# Published figures of uniformly random Knucklebones: placements a game, first and second player's wins, mean scores.
LENGTH, FIRST_WINS, SECOND_WINS, FIRST_SCORE, SECOND_SCORE = 20.95, 0.538, 0.4435, 38.65, 36.36
ROUNDING = 0.005  # the figures are given to two digits, the shares to three


def test_random_knucklebones_is_as_published() -> None:
    game, random, games = GAMES["knucklebones"], Random("statistics"), times(10_000, 1_000_000)
    samples: list[list[int]] = [[], [], [], [], []]
    for _ in range(games):
        placements = 0
        for kind, _, after in random_walk(game, random, game.begin()):
            placements += kind == "move"
            state = after
        result = game.rules.result(state)
        first, second = result.winners == (0,), result.winners == (1,)
        for sample, value in zip(samples, (placements, first, second, *result.scores), strict=True):
            sample.append(value)
    published = (LENGTH, FIRST_WINS, SECOND_WINS, FIRST_SCORE, SECOND_SCORE)
    for sample, expected in zip(samples, published, strict=True):
        mean = sum(sample) / games
        error = sqrt(sum((value - mean) ** 2 for value in sample) / (games - 1) / games)
        assert abs(mean - expected) < 3 * error + ROUNDING, (mean, expected, error)


def test_the_chance_of_a_farkle_is_exact() -> None:
    """Without triples, n dice score nothing with chance (2/3)^n; triples of the four other faces take some of it."""
    chances = [Fraction(farkle_ways(dice, Scoring()), 6**dice) for dice in range(1, 7)]
    assert chances[:2] == [Fraction(2, 3), Fraction(4, 9)]
    assert chances[2] == Fraction(4**3 - 4, 6**3)
    assert chances[3] == Fraction(4**4 - 4 * (4 * 3 + 1), 6**4)
    # six dice of 2 3 4 6 with none thrice: three pairs (4 x 90 orders), or two pairs and two singles (6 x 180)
    assert chances[5] == Fraction(4 * 90 + 6 * 180, 6**6)
    assert farkle_ways(6, Scoring(straight=1500)) == farkle_ways(6, Scoring())  # a straight has a one
    assert farkle_ways(6, Scoring(three_pairs=1500)) == 6 * 180  # what is left of those
