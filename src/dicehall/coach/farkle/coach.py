"""What is known of Farkle, for somebody who plays perfectly for one objective.

    turn        expected points of the turn that is being played, for points alone
    arcade      expected points at the end of `max_turns` turns; one seat
    turns       expected number of turns in which the target is reached; one seat; less is better
    race        chance of the seat to move to be the first at the target; two seats
    farkle:N    chance that a roll of N dice scores nothing; the same in every position

`turn`, `arcade` (both in `points`) and `farkle:N` are exact fractions. `turns` and `race` (in `target`) are nearly so.
All of them stand on one turn, `turn`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from dicehall.coach.chart import Chart, Results, not_drawn
from dicehall.coach.distribution import Distribution, not_known
from dicehall.coach.farkle.chart import bank_or_roll
from dicehall.coach.farkle.distribution import points_distribution, turns_distribution
from dicehall.coach.farkle.foresight import foresight as foresight
from dicehall.coach.farkle.points import arcade_values, turn_values
from dicehall.coach.farkle.reason import reason as reason
from dicehall.coach.farkle.recommend import recommended as recommended
from dicehall.coach.farkle.target import race_values, turns_values
from dicehall.coach.farkle.turn import Values
from dicehall.coach.objective import Objective, Ranking, find_objective
from dicehall.coach.protocol import StepValues
from dicehall.coach.targets import Doubt, Target
from dicehall.errors import InvalidOption, excerpt
from dicehall.rules.farkle import ID
from dicehall.rules.farkle_scoring import Options, farkle_ways, most_points, scoring
from dicehall.rules.farkle_state import END, State

TURN: Final = Objective(ID, "turn", "points", "turn")
ARCADE: Final = Objective(ID, "arcade", "points")
TURNS: Final = Objective(ID, "turns", "turns", lower_is_better=True, certainty="close")
RACE: Final = Objective(ID, "race", "chance", certainty="close", shared=1, seats=2)
FARKLE: Final = Objective(ID, "farkle:N", "chance", "turn", lower_is_better=True, playable=False)
OBJECTIVES: Final = (TURN, ARCADE, TURNS, RACE, FARKLE)
TARGET_OPTION: Final = None
OPTIONS: Final = (
    "target",
    "hot_dice",
    "straight",
    "three_pairs",
    "four_plus_pair",
    "straight_points",
    "three_pairs_points",
    "max_turns",
    "last_turn",
    "board_minimum",
    "bank_minimum",
)
NUMBERS: Final = range(1, 7)  # of dice, in farkle:N


def read_objective(text: str) -> Objective:
    name, colon, number = text.partition(":")
    if name == FARKLE.name and colon and number not in map(str, NUMBERS):
        raise InvalidOption("objective", f"farkle:N takes 1 to 6 dice, not {excerpt(number)}")
    found = find_objective(OBJECTIVES, text, digits=1)
    if found is None:
        known = ", ".join(map(str, OBJECTIVES))
        raise InvalidOption("objective", f"farkle has no objective {excerpt(text)}; objectives: {known}")
    return found


def objectives(options: Options, seats: int | None) -> list[Objective]:
    alone = [ARCADE if options.max_turns else TURNS] if seats in (1, None) else []
    race = [RACE] if seats in (RACE.seats, None) and not options.max_turns else []
    return [TURN, *alone, *race, *map(FARKLE.with_limit, NUMBERS)]


def intended(options: Options, seats: int) -> Objective:
    """To win, or the most points in this turn where that is not solved."""
    wanted = RACE if seats > 1 else ARCADE if options.max_turns else TURNS
    try:
        values(options, seats, wanted)
    except InvalidOption:
        return TURN
    return wanted


def ranked_by(options: Options, seats: int) -> Ranking | None:
    if seats > 1:
        return None  # nobody has solved the points of several seats
    return Ranking(ARCADE if options.max_turns else TURNS, 1)


def values(options: Options, seats: int, objective: Objective) -> Values:
    """`turn` means the turn of a position, `race` the seat whose turn it is.

    Once the game is over there is no turn to bring points, and the seat that has won is certain to win.
    """
    if objective.limit is not None:
        return _farkle_values(options, objective.limit)
    solve = {TURN: turn_values, ARCADE: arcade_values, TURNS: turns_values, RACE: race_values}[objective]
    return solve(options, seats)


def step_values(options: Options, seats: int, objective: Objective) -> StepValues:
    """As part of the turn before the step. When the step ended that turn, `values` alone would speak of the next one,
    and in a race of the other seat."""
    value, turn, race = values(options, seats, objective), objective == TURN, objective == RACE

    def seen(before: State, now: State) -> Fraction:
        ended = now.phase == END or (now.seat, now.round) != (before.seat, before.round)
        if ended and turn:
            return Fraction(now.banked[before.seat] - before.banked[before.seat])
        return 1 - value(now) if race and now.seat != before.seat else value(now)

    return seen


def distribution(options: Options, objective: Objective) -> Distribution:
    if objective == TURNS:
        return turns_distribution(options)
    if objective in (TURN, ARCADE):
        return points_distribution(options, objective)
    raise not_known(objective)


def percentile(options: Options, objective: Objective, result: Fraction | int) -> Fraction:
    return distribution(options, objective).percentile(result, objective.lower_is_better)


def chart(options: Options, objective: Objective | None) -> Chart:
    if objective in (None, TURN):
        return bank_or_roll(options)
    if objective not in (TURNS, ARCADE):
        raise not_drawn(objective, (TURN, TURNS, ARCADE))
    if objective == ARCADE and not options.max_turns:
        raise InvalidOption("objective", "a chart of arcade needs --preset arcade, or --option max_turns=N")
    return Results(objective, distribution(options, objective), [])


def targets(options: Options) -> list[Target]:
    return []


def doubt(options: Options, seats: int) -> Doubt | None:
    """Whether nobody could ever bank: a turn without hot dice brings so much and no more.

    >>> doubt(Options(hot_dice=False, bank_minimum=5000), 1)
    Doubt(code='minimum-too-high', limit=4000, option='bank_minimum', instead=4000)
    """
    asked = max(options.board_minimum, options.bank_minimum)
    if options.hot_dice or asked <= (most := most_points(6, scoring(options))):
        return None
    option = "bank_minimum" if options.bank_minimum > most else "board_minimum"
    return Doubt("minimum-too-high", most, option, most)


def _farkle_values(options: Options, dice: int) -> Values:
    chance = Fraction(farkle_ways(dice, scoring(options)), 6**dice)
    return lambda state: chance
