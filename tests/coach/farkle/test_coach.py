"""What positions of Farkle are worth: the presets, one step at a time, simulated games, and what is not solved."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from dicehall.dice import SeededDice
from dicehall.errors import InvalidOption
from dicehall.rules.farkle import Options, State, actor, after, dice_to_roll, legal, read_state, result, rolled, start
from dicehall.rules.game import DICE, NOBODY, outcomes
from tests.coach.asked import farkle as asked
from tests.coach.conftest import Solve
from tests.coach.farkle.twin import CLOSE, preset, random_positions
from tests.soak import times


def test_figures_of_the_presets() -> None:
    """Ours: what `dicehall odds` says. Three digits more than anybody needs, so that a change is noticed."""
    figures = {
        "casual": (486.081866275, 10.979840803480, 0.548896794880),
        "standard": (486.081866275, 21.266172322071, 0.534917359257),
        "spicy": (579.618633369, 18.058642493708, 0.533759160521),
    }
    for name, (turn, turns, race) in figures.items():
        options = preset(name)
        assert abs(float(asked.values(options, 1, "turn")(start(options, 1))) - turn) < 1e-9
        assert abs(asked.values(options, 1, "turns")(start(options, 1)) - turns) < CLOSE
        assert abs(asked.values(options, 2, "race")(start(options, 2)) - race) < CLOSE
    ten = preset("arcade")
    assert asked.values(ten, 1, "arcade")(start(ten, 1)) == 10 * asked.values(ten, 1, "turn")(start(ten, 1))


@pytest.mark.parametrize(
    ("dice", "rules", "chance"),
    [
        (1, {}, Fraction(2, 3)),
        (2, {}, Fraction(4, 9)),
        (3, {}, Fraction(5, 18)),
        (6, {}, Fraction(5, 162)),
        (6, {"straight": True, "three_pairs": True}, Fraction(5, 216)),
    ],
)
def test_the_chance_of_a_farkle(dice: int, rules: dict[str, Any], chance: Fraction) -> None:
    """One die: neither 1 nor 5. Three: 4^3 without them, less 4 triples. Six: 1440 orders, of them 360 three pairs."""
    options = Options(**rules)
    assert asked.values(options, 1, f"farkle:{dice}")(start(options, 1)) == chance


ASKED = [
    ("turn", 1, Options()),
    ("turn", 3, Options(straight=True, three_pairs=True, board_minimum=500, last_turn=True)),
    ("turn", 2, Options(hot_dice=False, bank_minimum=300, three_pairs=True, three_pairs_points=750)),
    ("arcade", 1, preset("arcade")),
    ("arcade", 1, Options(max_turns=4, board_minimum=600, bank_minimum=200)),
    ("turns", 1, Options(target=3000)),
    ("turns", 1, preset("standard")),
    ("turns", 1, Options(hot_dice=False, three_pairs=True, four_plus_pair=True)),
    ("race", 2, Options(target=1200)),
    ("race", 2, preset("standard")),
    ("race", 2, preset("spicy")),
    ("race", 2, Options(last_turn=True)),
    ("race", 2, Options(target=600, last_turn=True, straight=True, three_pairs=True)),
    ("race", 2, Options(target=300, last_turn=True, hot_dice=False)),
]
SOLVED_HERE = [
    ("turns", 1, Options(target=700, bank_minimum=300)),
    ("turns", 1, Options(target=1500, board_minimum=500, bank_minimum=200, three_pairs=True, three_pairs_points=750)),
    ("race", 2, Options(target=500, bank_minimum=200, hot_dice=False)),
    ("race", 2, Options(target=800, board_minimum=500)),
    ("race", 2, Options(target=600, board_minimum=400, bank_minimum=200, last_turn=True)),
    ("race", 2, Options(target=400, bank_minimum=600, last_turn=True, straight=True, straight_points=2000)),
]


@pytest.mark.parametrize(("objective", "seats", "options"), ASKED)
def test_a_position_is_worth_what_its_best_move_or_its_mean_roll_is(
    objective: str, seats: int, options: Options
) -> None:
    check_steps(objective, seats, options)


@pytest.mark.parametrize(("objective", "seats", "options"), SOLVED_HERE)
def test_the_same_under_options_that_were_solved_here(
    objective: str, seats: int, options: Options, solve_here: Solve
) -> None:
    check_steps(objective, seats, solve_here(options))


def check_steps(objective: str, seats: int, options: Options) -> None:
    value, step = asked.values(options, seats, objective), asked.step_values(options, seats, objective)
    for state in random_positions(options, seats, f"{objective} {options}", times(12, 300)):
        if actor(state) == DICE:
            rolls = outcomes(dice_to_roll(state))
            total = sum((weight * step(state, rolled(state, roll)) for roll, weight in rolls), start=Fraction(0))
            found = total / 6 ** dice_to_roll(state)
        else:
            best = min if asked.objective(objective).lower_is_better else max
            found = best(step(state, after(state, move)) for move in legal(state))
        close = asked.objective(objective).certainty == "close"
        assert abs(value(state) - found) < 2 * CLOSE if close else value(state) == found, state


def test_once_the_game_is_over() -> None:
    drawn = read_state(Options(last_turn=True), "10050:10050 0 9 0 ...... end 1")
    assert asked.values(drawn.options, 2, "race")(drawn) == Fraction(1, 2)
    beaten = read_state(Options(last_turn=True), "10050:10100 1 9 0 ...... end 0")
    assert asked.values(beaten.options, 2, "race")(beaten) == 1, "who reached the target first has been overtaken"
    won = read_state(Options(), "300:10050 1 9 0 ...... end 1")
    assert asked.values(won.options, 2, "race")(won) == 1
    assert asked.values(won.options, 2, "turn")(won) == 0
    assert asked.values(Options(), 1, "turns")(read_state(Options(), "10050 0 17 0 ...... end 0")) == 17
    ten = preset("arcade")
    assert asked.values(ten, 1, "arcade")(read_state(ten, "4350 0 10 0 ...... end -")) == 4350


def played(options: Options, seats: int, objective: str, seed: str) -> State:
    """A whole game in which every seat makes the move that is worth most to it."""
    step, dice, seen, state = asked.step_values(options, seats, objective), SeededDice(seed), 0, start(options, seats)
    best = min if asked.objective(objective).lower_is_better else max
    while actor(state) != NOBODY:
        if actor(state) == DICE:
            count = dice_to_roll(state)
            state, seen = rolled(state, tuple(dice.die(seen + n) for n in range(count))), seen + count
        else:
            before = state
            state = after(state, best(legal(state), key=lambda move: step(before, after(before, move))))
    return state


def won_by_first(end: State) -> Fraction:
    winners = result(end).winners
    return Fraction(int(0 in winners), len(winners))


PLAYED = [
    ("turn", 1, Options(max_turns=10), 150, 10),
    ("arcade", 1, Options(max_turns=3, board_minimum=700), 400, 1),
    ("turns", 1, Options(target=4000, straight=True, three_pairs=True), 250, 1),
    ("race", 2, Options(target=800), 700, 1),
    ("race", 2, Options(target=1200, last_turn=True), 500, 1),
]
PLAYED_HERE = [
    ("turns", 1, Options(target=3000, board_minimum=500, bank_minimum=350), 200, 1),
    ("race", 2, Options(target=1000, board_minimum=350, last_turn=True), 400, 1),
]


@pytest.mark.parametrize(("objective", "seats", "options", "games", "turns"), PLAYED)
def test_perfect_play_gets_what_is_promised(
    objective: str, seats: int, options: Options, games: int, turns: int
) -> None:
    check_play(objective, seats, options, games, turns)


@pytest.mark.parametrize(("objective", "seats", "options", "games", "turns"), PLAYED_HERE)
def test_perfect_play_gets_what_was_promised_here(
    objective: str, seats: int, options: Options, games: int, turns: int, solve_here: Solve
) -> None:
    check_play(objective, seats, solve_here(options), games, turns)


def check_play(objective: str, seats: int, options: Options, games: int, turns: int) -> None:
    games = times(games * 2 // 5, 20 * games)  # fifty times as many in `make soak`
    ends = [played(options, seats, objective, f"perfect {game}") for game in range(games)]
    scores = [won_by_first(end) if objective == "race" else result(end).scores[0] for end in ends]
    mean = sum(scores) / games
    spread = sqrt(sum((score - mean) ** 2 for score in scores) / (games - 1) / games)
    promised = turns * float(asked.values(options, seats, objective)(start(options, seats)))
    assert abs(mean - promised) < 3 * spread, (mean, promised, spread)


def test_what_is_meant() -> None:
    cases = {
        "turns": [(preset(name), 1) for name in ("casual", "standard", "spicy")],
        "arcade": [(preset("arcade"), 1)],
        "race": [*[(preset(name), 2) for name in ("casual", "standard", "spicy")], (Options(last_turn=True), 2)],
        "turn": [
            (Options(), 3),
            (Options(board_minimum=500), 2),
            (preset("arcade"), 2),
            (Options(target=20_000), 1),
            (Options(max_turns=40, board_minimum=500), 1),
        ],
    }
    for objective, meant in cases.items():
        for options, seats in meant:
            assert asked.intended(options, seats) == objective
            asked.values(options, seats, objective)


@pytest.mark.parametrize(
    ("objective", "seats", "options", "says"),
    [
        ("beauty", 1, Options(), "no objective 'beauty'; objectives: turn, arcade, turns, race, farkle:N"),
        ("farkle:N", 1, Options(), "1 to 6 dice, not 'N'"),
        ("farkle:7", 1, Options(), "1 to 6 dice, not '7'"),
        ("farkle", 1, Options(), "no objective 'farkle'"),
        ("arcade", 1, Options(), "max_turns"),
        ("arcade", 2, preset("arcade"), "one seat"),
        ("arcade", 1, Options(max_turns=40, board_minimum=500), "up to [23][0-9] turns"),
        ("turns", 2, Options(), "one seat, not of 2"),
        ("turns", 1, preset("arcade"), "the target plays no part"),
        ("turns", 1, Options(bank_minimum=300), "build it: `dicehall solve farkle --option bank_minimum=300`"),
        ("turns", 1, Options(three_pairs=True, three_pairs_points=750), "--option three_pairs=true --option three"),
        ("turns", 1, Options(target=10_001), "build it: `dicehall solve farkle --option target=10001`"),
        ("turns", 1, Options(target=20_001), "at most 20000"),
        ("turns", 1, Options(straight=True, straight_points=1234), "with these points turns .* at most 800"),
        ("race", 2, Options(straight=True, straight_points=1225), "option straight_points=1225"),
        ("race", 3, Options(), "two seats, not for 3"),
        ("race", 2, Options(board_minimum=300), "no book here has race under these options"),
        ("race", 2, Options(straight=True, straight_points=2000), "no book here has race"),
    ],
)
def test_what_is_not_solved_says_so(
    objective: str, seats: int, options: Options, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path))
    with pytest.raises(InvalidOption, match=says) as refused:
        asked.values(options, seats, objective)
    assert refused.value.code == "objective"
