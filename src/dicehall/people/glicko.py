"""How good somebody's results are: Glicko-2, as M. Glickman has published it, one game at a time.

A rating is a value, how uncertain it is (its deviation) and how steady the results are (its volatility). A win
is worth the more, the less it was expected; a rating moves the more, the less is known of it. Of somebody who does not
play, less and less is known. What is added here to the published system: the seat that begins may have an advantage, in
points, and deviation and volatility have bounds. Why each number is what it is stands in docs/ratings.md.

The caller knows the time: `periods` is how long ago the last rated game was, in rating periods (`periods_of`). A series
is no result of its own; each of its games is rated. Skill is another number (skill.py), and the two are never mixed.

>>> told = rate(Rating(1500, 200, 0.06), Rating(1400, 30, 0.06), 1.0, 1.0, 0.0, POOLS["farkle"])
>>> round(told.value), round(told.deviation)
(1564, 175)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt
from typing import Final, NamedTuple

from dicehall.errors import InvalidOption, excerpt

AVERAGE: Final = 1500.0  # where everybody begins
POINTS: Final = 400 / log(10)  # of a rating, in one unit of Glicko-2's own scale: 173.7178
LEAST_DEVIATION: Final = 45.0  # below it, one could win for weeks and hardly move
MOST_DEVIATION: Final = 500.0
MOST_VOLATILITY: Final = 0.1
PROVISIONAL: Final = 110.0  # a deviation above it: too little is known
BOARD: Final = 75.0  # a deviation below it: enough is known to be ranked
DAY_MS: Final = 24 * 60 * 60 * 1000
# In a year without a game a deviation of 60 grows to 110, where the volatility is 0.06: 0.21436 a day.
PERIODS_A_DAY: Final = (110**2 - 60**2) / POINTS**2 / 0.06**2 / 365
PRECISE: Final = 0.000001  # how exactly the new volatility is found; as published


@dataclass(frozen=True, slots=True)
class Rating:
    value: float
    deviation: float
    volatility: float

    @property
    def provisional(self) -> bool:
        return self.deviation > PROVISIONAL

    @property
    def on_board(self) -> bool:
        return self.deviation < BOARD


class Parameters(NamedTuple):
    """Of a pool."""

    deviation: float  # of somebody new
    volatility: float  # of somebody new
    tau: float  # how quickly volatility may change
    advantage: float  # of the seat that begins, in points


# The first deviation is nearly what predicts best in games of players of known strength, and enough for a rating to be
# provisional for some games; volatility and tau hardly matter there, so they are the usual ones
# (`python -m dicehall.lab.ratings --fit`). The advantage is the mean over the levels and perfect play, in whole points
# (`--measure`). docs/ratings.md has the figures.
POOLS: Final[dict[str, Parameters]] = {
    "lite-versus": Parameters(150, 0.06, 0.5, -3.0),
    "farkle": Parameters(200, 0.06, 0.5, 22.0),
    "shut-the-box": Parameters(150, 0.06, 0.5, 0.0),
    "knucklebones": Parameters(150, 0.06, 0.5, 6.0),
}


class Met(NamedTuple):
    """A game, as one side saw it."""

    theirs: Rating
    score: float  # 1 won, 0.5 drawn, 0 lost
    advantage: float = 0.0  # of the one who is rated, in points; negative where the other one began


def newcomer(parameters: Parameters) -> Rating:
    return Rating(AVERAGE, parameters.deviation, parameters.volatility)


def periods_of(milliseconds: int) -> float:
    """Rating periods in that time; none where a clock went back."""
    return max(0, milliseconds) / DAY_MS * PERIODS_A_DAY


def aged(rating: Rating, periods: float) -> Rating:
    """The rating after that long without a game: the same, but less certain."""
    own = sqrt((rating.deviation / POINTS) ** 2 + rating.volatility**2 * max(0.0, periods))
    return Rating(rating.value, _bounded(own * POINTS), rating.volatility)


def expected(mine: Rating, theirs: Rating, advantage: float = 0.0) -> float:
    """The share of the wins that `mine` can expect, a draw counting one half; both as they stand now (`aged`). What is
    unknown of either brings it nearer to one half. `advantage` is that of `mine`: negative where the other begins."""
    unknown = sqrt(mine.deviation**2 + theirs.deviation**2) / POINTS
    return _chance(_weight(unknown) * (mine.value - theirs.value + advantage) / POINTS)


def rate(
    mine: Rating, theirs: Rating, score: float, periods: float, advantage: float, parameters: Parameters
) -> Rating:
    """`mine` after one game. `mine` is as the last rated game left it, `periods` ago; `theirs` as it stands now
    (`aged`), before it is rated itself. `advantage` is that of `mine`: negative where the other one began."""
    return rate_together(mine, [Met(theirs, score, advantage)], periods, parameters)


def rate_game(
    first: Rating, second: Rating, score: float, periods: tuple[float, float], parameters: Parameters
) -> tuple[Rating, Rating]:
    """Both after a game that `first` began. `score` is that of `first`; `periods` is how long each has been away."""
    first_now, second_now = aged(first, periods[0]), aged(second, periods[1])
    return (
        rate(first, second_now, score, periods[0], parameters.advantage, parameters),
        rate(second, first_now, 1 - score, periods[1], -parameters.advantage, parameters),
    )


def rate_together(mine: Rating, games: Sequence[Met], periods: float, parameters: Parameters) -> Rating:
    """`mine` after games that count as played at once: a rating period of the published system, steps 2 to 8."""
    deviation = mine.deviation / POINTS
    information = surprise = 0.0
    for theirs, score, advantage in games:
        if not 0 <= score <= 1:
            raise InvalidOption("score", f"a score is from 0 to 1, not {excerpt(score)}")
        weight = _weight(theirs.deviation / POINTS)
        chance = _chance(weight * (mine.value - theirs.value + advantage) / POINTS)
        information += weight**2 * chance * (1 - chance)
        surprise += weight * (score - chance)
    if not information:  # no games, or none of which anything could be learned
        return aged(mine, periods)
    volatility = _volatility(deviation, mine.volatility, 1 / information, surprise / information, parameters.tau)
    before = deviation**2 + volatility**2 * max(0.0, periods)
    after = 1 / (1 / before + information)
    return Rating(mine.value + POINTS * after * surprise, _bounded(POINTS * sqrt(after)), volatility)


def _weight(deviation: float) -> float:
    """How much a result against somebody says, of whom that little is known: g in the paper."""
    return 1 / sqrt(1 + 3 * deviation**2 / pi**2)


def _chance(difference: float) -> float:
    return 1 / (1 + exp(-difference)) if difference > 0 else 1 - 1 / (1 + exp(difference))


def _bounded(deviation: float) -> float:
    return min(MOST_DEVIATION, max(LEAST_DEVIATION, deviation))


def _volatility(deviation: float, volatility: float, variance: float, change: float, tau: float) -> float:
    """The new volatility: the paper's step 5, by its own iteration (the Illinois form of regula falsi)."""
    old = log(volatility**2)

    def slope(x: float) -> float:
        spread = deviation**2 + variance + exp(x)
        return exp(x) * (change**2 - spread) / (2 * spread**2) - (x - old) / tau**2

    low = old
    if change**2 > deviation**2 + variance:
        high = log(change**2 - deviation**2 - variance)
    else:
        high = old - tau
        while slope(high) < 0:
            high -= tau
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > PRECISE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return min(MOST_VOLATILITY, exp(low / 2))
