"""Shut the Box: all rounds of a run added up, each played for that scoring; the rounds of a tournament; the turns of
the long game.

Rounds are exact. The other two run in circles and can last for ever; what is rounded off on the way is in their error.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Final

from dicehall.coach.distribution import Distribution, added_up, from_ways, place_among_sums
from dicehall.coach.objective import Objective
from dicehall.coach.shut_the_box.book import read_numbers, title_of
from dicehall.coach.shut_the_box.endings import Followed
from dicehall.coach.shut_the_box.long_game import solve_turns
from dicehall.coach.shut_the_box.one_round import box_of, rules_of, solve_round
from dicehall.coach.shut_the_box.tournament import played_rounds
from dicehall.errors import InvalidOption
from dicehall.rules.shut_the_box_tiles import Options, round_score

FINE: Final = 64  # bits behind the point, where runs go in circles
RARE: Final = 1 << FINE - 40  # fewer runs are not followed any longer
# Adding up more takes seconds.
MOST_ROUNDS: Final = 30
MOST_DIGITAL_ROUNDS: Final = 10
MOST_TOTALS: Final = 1 << 14
KIND: Final = "turns"  # of the chapters in the book that have the long game
NUMBER_SIZE: Final = 5  # of their numbers, in bytes: the highest ones of those with FINE bits


def score_distribution(options: Options, objective: Objective) -> Distribution:
    rounds = _rounds(options)
    one = round_ways(options, objective)
    if rounds > MOST_ROUNDS or (rounds > 1 and max(one) * rounds > MOST_TOTALS):
        raise InvalidOption("objective", f"{rounds} rounds of {objective} have too many different totals")
    return from_ways(one if rounds == 1 else added_up(one, rounds))


def total_place(options: Options, objective: Objective, result: int) -> tuple[Fraction, Fraction]:
    """The share of all totals that is lower than `result`, with half of those that are equal; and how far off that may
    be. For digital scoring, whose totals are too many to list."""
    rounds = _rounds(options)
    if rounds > MOST_DIGITAL_ROUNDS:
        raise InvalidOption("objective", f"at most {MOST_DIGITAL_ROUNDS} rounds of {objective} are added up")
    return place_among_sums(round_ways(options, objective), rounds, result)


def _rounds(options: Options) -> int:
    """How many there are, if they just add up."""
    if options.variant == "tournament45out" or options.instant:
        raise InvalidOption("objective", "how many rounds are played depends on how they go, so nothing is added up")
    if not options.per_round_scoring:
        raise InvalidOption("objective", "only the best round counts, so nothing is added up")
    return 1 if options.mode == "threshold" else options.rounds


def round_ways(options: Options, objective: Objective) -> dict[int, int]:
    """One round played perfectly for its mean score: in how many ways it ends with which."""
    played = solve_round(options, objective)
    starts = [0] * played.box.full + [played.box.whole]
    ends: Counter[int] = Counter()
    for tiles, ways in zip(played.box.tiles, Followed(played).ends(starts), strict=True):
        if ways:
            ends[round_score(tiles, objective.name)] += ways
    return ends


def rounds_distribution(options: Options) -> Distribution:
    """The tournament: round after round, by the total so far."""
    rounds, whole = played_rounds(options), box_of(options).whole
    reached = {0: 1 << FINE}
    ends: Counter[int] = Counter()
    rounded = survived = 0
    while reached:
        later: Counter[int] = Counter()
        for total, runs in reached.items():
            out = runs
            for more, ways in enumerate(rounds[total]):
                those = runs * ways // whole
                if options.instant and not more:
                    ends[survived + 1] += those
                elif those:
                    later[total + more] += those
                out -= those
            ends[survived] += out
            rounded += len(rounds[total])
        reached, survived = later, survived + 1
    return from_ways(ends, Fraction(rounded, 1 << FINE))


def turns_distribution(options: Options) -> Distribution:
    """The long game: by the turn in which it ends."""
    ways = _from_book(options) or follow_turns(options)
    return from_ways(dict(enumerate(ways, 1)), 1 - Fraction(sum(ways), 1 << FINE))


def follow_turns(options: Options) -> list[int]:
    """In how many of 2^FINE runs the first turn is the last, the second, and so on."""
    played = solve_turns(options)
    followed, starts = Followed(played), [0] * played.box.full + [1 << FINE]
    ends: list[int] = []
    while sum(starts) > RARE:
        ended, *stuck = followed.ends(starts)
        ends.append(ended)
        starts = [*reversed(stuck), 0]  # the other side has all other tiles to turn
    return ends


def _from_book(options: Options) -> list[int]:
    numbers = read_numbers(title_of(KIND, rules_of(options)), NUMBER_SIZE)
    return [number << FINE - 8 * NUMBER_SIZE for number in numbers]
