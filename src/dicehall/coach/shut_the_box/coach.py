"""What is known of Shut the Box, for somebody who plays perfectly for one objective.

    golf, digital, missionary   expected score of the round that is being played, by that scoring; less is better
    shut, golf<=N               chance that this round shuts the box, or leaves an open sum of at most N
    total<=N                    chance that the total of the run is at most N; one seat
    win                         chance that the run meets its goal; one seat
    rounds                      expected number of rounds survived in the tournament; one seat
    turns                       expected number of turns of the long game; one seat; less is better

All but `turns` are exact fractions, solved when they are first asked for. `turns` is not, because the long game runs
in circles; it is off by less than one part in 2^40.

One round is solved in `one_round`; several in `totals`, the tournament in `tournament`, the long game in `long_game`,
all from rounds.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Final

from dicehall.coach.chart import TileCosts
from dicehall.coach.distribution import Distribution, not_known
from dicehall.coach.objective import Objective, Ranking, find_objective
from dicehall.coach.protocol import StepValues
from dicehall.coach.shut_the_box.chart import tile_costs
from dicehall.coach.shut_the_box.distribution import (
    rounds_distribution,
    score_distribution,
    total_place,
    turns_distribution,
)
from dicehall.coach.shut_the_box.foresight import foresight as foresight
from dicehall.coach.shut_the_box.goals import doubt as doubt_of
from dicehall.coach.shut_the_box.goals import goals, has_goal
from dicehall.coach.shut_the_box.long_game import turns_values
from dicehall.coach.shut_the_box.one_round import Values, pay, round_values
from dicehall.coach.shut_the_box.reason import reason as reason
from dicehall.coach.shut_the_box.totals import goal_of, too_many, total_values
from dicehall.coach.shut_the_box.tournament import tournament_values
from dicehall.coach.targets import Doubt, Target
from dicehall.errors import InvalidOption, excerpt
from dicehall.rules.shut_the_box import ID, start
from dicehall.rules.shut_the_box_state import State
from dicehall.rules.shut_the_box_tiles import Options

GOLF: Final = Objective(ID, "golf", "points", "round", lower_is_better=True)
DIGITAL: Final = Objective(ID, "digital", "points", "round", lower_is_better=True)
MISSIONARY: Final = Objective(ID, "missionary", "tiles", "round", lower_is_better=True)
SHUT: Final = Objective(ID, "shut", "chance", "round")
GOLF_AT_MOST: Final = Objective(ID, "golf<=N", "chance", "round")
TOTAL_AT_MOST: Final = Objective(ID, "total<=N", "chance")
WIN: Final = Objective(ID, "win", "chance")
ROUNDS: Final = Objective(ID, "rounds", "rounds")
TURNS: Final = Objective(ID, "turns", "turns", lower_is_better=True, certainty="close")
OBJECTIVES: Final = (GOLF, DIGITAL, MISSIONARY, SHUT, GOLF_AT_MOST, TOTAL_AT_MOST, WIN, ROUNDS, TURNS)
TARGET_OPTION: Final = "goal"
OPTIONS: Final = (  # those that decide how one round is played are named once more in `one_round.rules_of`
    "tiles",
    "variant",
    "scoring",
    "rounds",
    "mode",
    "threshold",
    "goal",
    "per_round_scoring",
    "one_die",
    "difficulty",
    "mulligan",
    "instant",
)
recommended: Final = None
BY_SCORING: Final = {one.name: one for one in (GOLF, DIGITAL, MISSIONARY)}
DIGITS: Final = 19  # of a limit


def read_objective(text: str) -> Objective:
    found = find_objective(OBJECTIVES, text, DIGITS)
    if found is None:
        known = ", ".join(map(str, OBJECTIVES))
        raise InvalidOption("objective", f"shut-the-box has no objective {excerpt(text)}; objectives: {known}")
    return found


def objectives(options: Options, seats: int | None) -> list[Objective]:
    alone = seats in (1, None)
    if options.mode == "long":
        return [TURNS] if alone else []
    found = [*BY_SCORING.values(), SHUT]
    if seats is None:  # whoever compares rules wants to see it; at a table it is winning, or another game
        found.append(GOLF_AT_MOST.with_limit(options.threshold))
    if options.variant == "tournament45out":
        return [*found, ROUNDS] if alone else found
    to_win = options.instant or options.mode == "threshold" or options.goal
    return [*found, WIN] if alone and to_win else found


def intended(options: Options, seats: int) -> Objective:
    scored_by = BY_SCORING[options.scored_by]
    if options.mode == "long":
        return TURNS
    if seats > 1:
        return scored_by
    if options.variant == "tournament45out":
        return ROUNDS
    rounds, limit = goal_of(options)
    if options.mode == "rounds" and not (options.goal or options.instant):
        return scored_by
    return scored_by if too_many(options, rounds, limit) else WIN


def ranked_by(options: Options, seats: int) -> Ranking | None:
    if seats > 1:
        return None  # nobody has solved the points of several seats
    if options.mode == "long":
        return Ranking(TURNS, 1)
    if options.variant == "tournament45out":
        return Ranking(ROUNDS, 1)
    if options.instant or not options.per_round_scoring:
        return None  # rounds are no longer played each for itself
    return Ranking(BY_SCORING[options.scored_by], options.rounds if options.mode == "rounds" else 1)


def values(options: Options, seats: int, objective: Objective) -> Values:
    """Objectives of a round are about the round of a position, going on or just over."""
    if objective.scope == "round":
        if options.mode == "long":
            raise InvalidOption("objective", f"the long game has turns, not rounds; {objective} means nothing there")
        return round_values(options, objective)
    if seats > 1:
        raise InvalidOption("objective", f"{objective} is solved for one seat, not for {seats}")
    if (objective == TURNS) != (options.mode == "long"):
        raise InvalidOption("objective", "turns is the objective of the long game, and of no other")
    if objective == TURNS:
        return turns_values(options)
    if options.variant == "tournament45out":
        return tournament_values(options, objective)
    if objective == ROUNDS:
        raise InvalidOption("objective", "rounds is an objective of the tournament only")
    return total_values(options, objective)


def step_values(options: Options, seats: int, objective: Objective) -> StepValues:
    """A round that the step ended has its score; `values` alone would speak of the next round then."""
    value = values(options, seats, objective)

    def seen(before: State, now: State) -> Fraction:
        same_round = not now.over and (now.seat, now.round) == (before.seat, before.round)
        if same_round or objective.scope == "run":
            return value(now)
        # A move ends a round by shutting the box, a roll by fitting nothing.
        return Fraction(pay(() if before.dice else before.open, objective))

    return seen


def distribution(options: Options, objective: Objective) -> Distribution:
    if objective in BY_SCORING.values():
        return score_distribution(options, objective)
    if objective == ROUNDS:
        return rounds_distribution(options)
    if objective == TURNS:
        return turns_distribution(options)
    raise not_known(objective)


def percentile(options: Options, objective: Objective, result: Fraction | int) -> Fraction:
    try:
        return distribution(options, objective).percentile(result, objective.lower_is_better)
    except InvalidOption:
        if objective != DIGITAL:  # whose totals are too many to list, but not too many to compare
            raise
        return 1 - total_place(options, objective, int(result))[0]


def chart(options: Options, objective: Objective | None) -> TileCosts:
    objective = objective or BY_SCORING[options.scored_by]
    return tile_costs(options, objective, values(options, 1, objective))


def targets(options: Options) -> list[Target]:
    def chance(total: int) -> Fraction:
        return values(options, 1, TOTAL_AT_MOST.with_limit(total))(start(options, 1))

    return goals(options, _totals(options) if has_goal(options) else None, chance)


def doubt(options: Options, seats: int) -> Doubt | None:
    return doubt_of(options, seats, lambda: _totals(options))


def _totals(options: Options) -> Distribution | None:
    with suppress(InvalidOption):  # they are too many, or nothing adds up
        return score_distribution(options, BY_SCORING[options.scored_by])
    return None
