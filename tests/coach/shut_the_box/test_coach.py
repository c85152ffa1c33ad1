"""Shut the Box: the equations of perfect play in all its games, simulated runs, and what is refused or meant."""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest

from dicehall.dice import SeededDice
from dicehall.errors import InvalidOption
from dicehall.rules.catalog import SHUT_THE_BOX
from dicehall.rules.game import DICE, NOBODY
from dicehall.rules.shut_the_box import PRESETS, Options, actor, after, dice_to_roll, legal, read_state, rolled, start
from tests.coach.asked import box
from tests.coach.shut_the_box.twin import at_start, best, ending, obeys_the_equations
from tests.soak import SOAKING, times
from tests.walks import random_options, random_seats, random_walk


def objectives_of(options: Options, seats: int, random: Random) -> list[str]:
    if options.mode == "long":
        never_ends = options.tiles == 12 and options.variant == "alwaysSumDuo"
        return [] if never_ends or seats > 1 else ["turns"]
    found = ["golf", "digital", "missionary", "shut", f"golf<={random.randrange(50)}"]
    if seats > 1:
        return found
    if options.variant == "tournament45out":
        return [*found, "rounds", *["win"] * options.instant]
    goal = ["win"] * (options.mode == "threshold" or options.goal > 0 or options.instant)
    return [*found, f"total<={random.randrange(100)}", *goal]


def test_positions_of_random_games_obey_the_equations() -> None:
    random, checked = Random("equations of the box"), 0
    for _ in range(times(60, 600)):
        chosen = random_options(SHUT_THE_BOX, random)
        if chosen.get("tiles") == 12 and not SOAKING:
            chosen.pop("tiles")  # twelve tiles have their own test
        options = SHUT_THE_BOX.make_options(chosen)
        seats = random_seats(SHUT_THE_BOX, options, random)
        objectives = objectives_of(options, seats, random)
        states = [start(options, seats)]
        for _, _, state in random_walk(SHUT_THE_BOX, random, states[0]):
            states.append(state)
            if len(states) > 300:
                break
        for objective in random.sample(objectives, min(3, len(objectives))):
            for state in {*random.sample(states, min(12, len(states))), states[-1]}:
                obeys_the_equations(state, options, seats, objective)
                checked += 1
    assert checked > times(800, 8_000)


ODD_POSITIONS: list[tuple[dict[str, Any], str, str]] = [
    # what no game comes to, but a player can set up
    ({"mode": "long"}, "turns", "12....... - 0 4 0 od -"),
    ({"mode": "long"}, "turns", "123456789 - 0 2 0 o -"),
    ({"mode": "long", "mulligan": True}, "turns", "123456789 ** 0 2 0 omd -"),
    ({"mode": "long", "mulligan": True}, "turns", "12.4..... - 0 3 0 d -"),
    ({"mode": "long", "mulligan": True}, "turns", "12.4..... * 0 3 0 d -"),
    ({"mode": "long", "mulligan": True}, "turns", "12.4..... ** 0 3 0 m -"),
    ({"one_die": "forced", "mulligan": True}, "win", "12.4..... ** 0 3 20 - -"),
    ({"one_die": "forced", "mulligan": True}, "golf", "12.4..... ** 0 3 20 - -"),
    ({"variant": "tournament45out"}, "rounds", "12.4..... - 0 3 44 - -"),
    ({"variant": "tournament45out", "instant": True}, "rounds", "1........ * 0 3 44 - -"),
    ({"variant": "tournament45out", "instant": True}, "win", "1........ - 0 3 44 - -"),
    ({"instant": True}, "win", "1........ * 0 3 80 - -"),
    ({"instant": True}, "total<=79", "1........ * 0 3 80 - -"),
    ({"instant": True}, "total<=80", "1........ * 0 3 80 - -"),
    ({}, "total<=10", "1........ - 0 5 80 - -"),
    ({"per_round_scoring": False}, "win", "12.4..... - 0 2 3 - -"),
    ({"goal": 0, "instant": True}, "win", "12.4..... - 0 2 0 - -"),
    ({}, "golf", "12.4..... - 0 5 80 - rounds"),
    ({"instant": True}, "win", "......... - 0 2 80 - shut"),
]


@pytest.mark.parametrize(("rules", "objective", "text"), ODD_POSITIONS)
def test_odd_positions_obey_the_equations(rules: dict[str, Any], objective: str, text: str) -> None:
    options = Options(**rules)
    obeys_the_equations(read_state(options, text), options, 1, objective)


def test_a_round_that_a_step_ends_has_its_score() -> None:
    """The state after it is already the next round's."""
    options = Options()
    last_tile = read_state(options, "..3...... 3 0 1 0 - -")
    next_round = after(last_tile, (3,))
    assert next_round.round == 2
    for objective, shut in (("golf", 0), ("digital", 0), ("missionary", 0), ("shut", 1), ("golf<=5", 1)):
        value, step = box.values(options, 1, objective), box.step_values(options, 1, objective)
        assert step(last_tile, next_round) == shut == value(last_tile)
        assert value(next_round) == value(start(options, 1))
    rolling = read_state(options, "..3.5.... ** 0 1 0 - -")
    for objective, stuck in (("golf", 8), ("digital", 35), ("missionary", 2), ("shut", 0), ("golf<=8", 1)):
        assert box.step_values(options, 1, objective)(rolling, rolled(rolling, (6, 6))) == stuck
    assert box.step_values(options, 1, "win")(last_tile, next_round) == box.values(options, 1, "win")(next_round)


def test_figures_of_the_presets() -> None:
    """What perfect play is worth at the start, so that a change is seen."""
    presets = {preset: SHUT_THE_BOX.make_options(chosen) for preset, chosen in PRESETS.items()}
    figures = {preset: at_start(options, box.intended(options, 1)) for preset, options in presets.items()}
    assert figures == pytest.approx(
        {
            "classic": 0.307885914868,
            "strict": 0.209906926828,
            "easy": 0.52870040465,
            "hard": 0.524457954593,
            "threshold": 0.614944807233,
            "tournament": 3.799915084493,
            "long": 9.419007233516,
            "twelve": 0.501805029408,
        },
        rel=1e-6,
    )
    assert at_start(Options(), "golf") == pytest.approx(11.009208593218)
    assert at_start(Options(tiles=12), "golf") == pytest.approx(35.075479879905)


POLICIES: list[tuple[str, dict[str, Any], int, int]] = [
    ("golf", {"rounds": 1}, 1500, 20_000),
    ("golf", {"rounds": 1, "tiles": 12, "mulligan": True}, 300, 5_000),
    ("digital", {"rounds": 1}, 500, 20_000),
    ("shut", {"rounds": 1, "one_die": "sum-6"}, 1500, 20_000),
    ("golf<=12", {"rounds": 1, "variant": "alwaysSumDuo"}, 500, 20_000),
    ("win", {}, 300, 5_000),
    ("win", {"instant": True, "mulligan": True}, 300, 5_000),
    ("total<=30", {"difficulty": "hard", "rounds": 3}, 500, 5_000),
    ("rounds", {"variant": "tournament45out"}, 300, 5_000),
    ("turns", {"mode": "long"}, 100, 3_000),
]


@pytest.mark.parametrize(("objective", "rules", "short", "long"), POLICIES)
def test_greedy_play_gets_what_was_promised(objective: str, rules: dict[str, Any], short: int, long: int) -> None:
    options = Options(**rules)
    value, choose, scores = box.values(options, 1, objective), best(objective), []
    for run in range(times(short, long)):
        dice, seen, state = SeededDice(f"{objective} {run}"), 0, start(options, 1)
        while (who := actor(state)) != NOBODY:
            if who == DICE:
                count = dice_to_roll(state)
                state, seen = rolled(state, tuple(dice.die(seen + n) for n in range(count))), seen + count
            else:
                state = choose([after(state, move) for move in legal(state)], key=value)
        scores.append(float(ending(state, objective)))
    promised = at_start(options, objective)
    assert abs(mean(scores) - promised) < 3 * stdev(scores) / sqrt(len(scores))


REFUSED: list[tuple[dict[str, Any], int, str, str]] = [
    ({}, 1, "glory", "no objective 'glory'"),
    ({}, 1, "golf<=N", "no objective"),
    ({}, 1, "golf<=-1", "no objective"),
    ({}, 1, "shut<=3", "no objective"),
    ({}, 1, "total<=" + "9" * 30, "no objective"),
    ({}, 2, "win", "one seat, not for 2"),
    ({}, 3, "total<=45", "one seat, not for 3"),
    ({"variant": "tournament45out"}, 2, "rounds", "one seat, not for 2"),
    ({"mode": "long"}, 2, "turns", "one seat, not for 2"),
    ({}, 1, "turns", "turns is the objective of the long game"),
    ({"mode": "long"}, 1, "win", "turns is the objective of the long game"),
    ({"mode": "long"}, 1, "golf", "turns, not rounds; golf means nothing"),
    ({"mode": "long", "tiles": 12, "variant": "alwaysSumDuo"}, 1, "turns", "odd number never ends"),
    ({}, 1, "rounds", "rounds is an objective of the tournament"),
    ({"variant": "tournament45out"}, 1, "win", "never won"),
    ({"variant": "tournament45out"}, 1, "total<=50", "no last round"),
    ({"goal": 0}, 1, "win", "no goal; ask for golf"),
    ({"goal": 0, "scoring": "digital", "per_round_scoring": False}, 1, "win", "no goal; ask for digital"),
    ({"rounds": 100, "goal": 900}, 1, "win", "100 rounds with a total of 900 are too many"),
    ({"scoring": "digital"}, 1, "total<=1000000", "too many to solve exactly"),
]


@pytest.mark.parametrize(("rules", "seats", "objective", "why"), REFUSED)
def test_what_is_refused(rules: dict[str, Any], seats: int, objective: str, why: str) -> None:
    with pytest.raises(InvalidOption, match=why) as refusal:
        box.values(Options(**rules), seats, objective)
    assert refusal.value.code == "objective"


MEANT: list[tuple[dict[str, Any], int, str]] = [
    ({}, 1, "win"),
    ({}, 2, "golf"),
    ({"scoring": "digital", "goal": 0}, 1, "digital"),
    ({"goal": 0, "instant": True}, 1, "win"),
    ({"mode": "threshold"}, 1, "win"),
    ({"mode": "threshold", "threshold": 0, "goal": 0}, 1, "win"),
    ({"variant": "missionaryCount"}, 4, "missionary"),
    ({"variant": "tournament45out"}, 1, "rounds"),
    ({"variant": "tournament45out"}, 2, "golf"),
    ({"mode": "long"}, 1, "turns"),
    ({"rounds": 100, "goal": 900}, 1, "golf"),
    ({"rounds": 100, "per_round_scoring": False}, 1, "win"),
]


@pytest.mark.parametrize(("rules", "seats", "objective"), MEANT)
def test_what_is_meant_can_be_solved(rules: dict[str, Any], seats: int, objective: str) -> None:
    options = Options(**rules)
    assert box.intended(options, seats) == objective
    assert box.values(options, seats, objective)(start(options, seats)) >= 0
