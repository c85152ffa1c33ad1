"""Shut the Box: against the literal rules, published figures, the equations of perfect play, and simulated runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest

from dicehall.coach.worths import box
from dicehall.coach.worths.box import LOWER, Lanes, Value, meant, step_worth, worth
from dicehall.dice import SeededDice
from dicehall.errors import InvalidOption
from dicehall.rules import box_state, box_tiles, shut_the_box
from dicehall.rules.box_tiles import all_tiles, round_score
from dicehall.rules.catalog import SHUT_THE_BOX
from dicehall.rules.game import DICE, NOBODY, outcomes
from dicehall.rules.shut_the_box import (
    PRESETS,
    Options,
    State,
    actor,
    after,
    dice_to_roll,
    legal,
    read_state,
    result,
    rolled,
    start,
)
from tests.soak import SOAKING, times
from tests.walks import random_options, random_seats, random_walk

ROUND_OBJECTIVES = ("golf", "digital", "missionary", "shut", "golf<=3", "golf<=12", "golf<=25")
RULES: dict[str, dict[str, Any]] = {
    "standard": {},
    "mulligan": {"mulligan": True},
    "hard": {"difficulty": "hard"},
    "duo": {"variant": "alwaysSumDuo"},
    "sum-6": {"one_die": "sum-6"},
    "never": {"one_die": "never"},
    "forced": {"one_die": "forced", "mulligan": True},
    "forced-hard-duo": {"one_die": "forced", "difficulty": "hard", "variant": "alwaysSumDuo"},
}
every_rule = pytest.mark.parametrize("rules", RULES.values(), ids=RULES)


@pytest.fixture
def few_tiles(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A box with tiles 1 to 5, and a tournament that is over at 8: the literal rules are walked to the end."""
    forget()
    monkeypatch.setitem(box_tiles._ALL, 9, (1, 2, 3, 4, 5))
    for module in (box, box_state, shut_the_box):
        monkeypatch.setattr(module, "OUT_AT", 8)
    yield
    forget()


def forget() -> None:
    for solved in (box._board, box._round, box._once_worth, box._sum_worth, box._tournament_worth, box._turns_worth):
        solved.cache_clear()


def ending(state: State, objective: str) -> Fraction:
    """What a run that is over has come to."""
    if objective in ("golf", "digital", "missionary"):
        return Fraction(round_score(state.open, objective))
    if objective in ("rounds", "turns"):
        return Fraction(result(state).scores[0])
    if objective == "win":
        return Fraction(result(state).winners == (0,))
    name, _, limit = objective.partition("<=")
    return Fraction(
        {"shut": sum(state.open), "golf": sum(state.open), "total": state.totals[0]}[name] <= int(limit or 0)
    )


class Twin:
    """Slow and obvious: every roll and every move of the literal rules, for several objectives at once.

    A run that never has to end is broken off after `last_round`: what is worth more the longer it lasts is too low.
    """

    def __init__(self, *objectives: str, last_round: int = 1000) -> None:
        self.objectives, self.last_round = objectives, last_round
        self.known: dict[State, list[Fraction]] = {}

    def values(self, state: State) -> list[Fraction]:
        if state not in self.known:
            self.known[state] = self._walk(state)
        return self.known[state]

    def _walk(self, state: State) -> list[Fraction]:
        who = actor(state)
        if who == NOBODY:
            return [ending(state, objective) for objective in self.objectives]
        if state.round > self.last_round:
            return [Fraction(self.last_round)] * len(self.objectives)
        if who == DICE:
            dice = dice_to_roll(state)
            rolls = [(self.values(rolled(state, roll)), ways) for roll, ways in outcomes(dice)]
            return [
                sum((Fraction(values[at] * ways) for values, ways in rolls), Fraction(0)) / 6**dice
                for at in range(len(self.objectives))
            ]
        moves = zip(*[self.values(after(state, move)) for move in legal(state)], strict=True)
        return [best(objective)(values) for objective, values in zip(self.objectives, moves, strict=True)]


def best(objective: str) -> Callable[..., Any]:
    return min if objective in LOWER else max


def agrees(twin: Twin, options: Options, sample: int = 10**9) -> None:
    """Every position that the twin walked through, or some of them, is worth what it says."""
    states = list(twin.known)
    for state in Random("box").sample(states, min(sample, len(states))):
        for objective, value in zip(twin.objectives, twin.known[state], strict=True):
            assert worth(options, 1, objective)(state) == value, (objective, state)


# Against the literal rules


@every_rule
def test_a_round_is_worth_what_the_literal_rules_say(rules: dict[str, Any]) -> None:
    options = Options(**rules, rounds=1, goal=7)
    twin = Twin(*ROUND_OBJECTIVES, "total<=10", "total<=99", "win")
    first = twin.values(start(options, 1))
    assert first == [worth(options, 1, objective)(start(options, 1)) for objective in twin.objectives]
    agrees(twin, options, times(300, 10**9))


@pytest.mark.skipif(not SOAKING, reason="takes a minute")
def test_a_round_with_twelve_tiles_is_worth_what_the_literal_rules_say() -> None:
    options = Options(tiles=12, mode="threshold")
    twin = Twin(*ROUND_OBJECTIVES, "win")
    twin.values(start(options, 1))
    agrees(twin, options, 10_000)


def test_late_positions_with_twelve_tiles_are_worth_what_the_literal_rules_say() -> None:
    options, random = Options(tiles=12, mode="threshold", mulligan=True), Random("twelve")
    twin = Twin(*ROUND_OBJECTIVES, "win", "total<=20")
    for _ in range(times(10, 100)):
        tiles = tuple(sorted(random.sample(range(1, 13), random.randint(1, 6))))
        twin.values(State(options, tiles, (random.randrange(10),)))
    agrees(twin, options, 500)


RUNS: dict[str, dict[str, Any]] = {
    "three rounds": {"goal": 9, "rounds": 3},
    "best of three": {"goal": 2, "rounds": 3, "per_round_scoring": False},
    "instant": {"goal": 6, "instant": True},
    "instant without a goal": {"goal": 0, "instant": True, "mulligan": True},
    "best round, instant": {"goal": 1, "per_round_scoring": False, "instant": True},
    "digital": {"goal": 50, "variant": "digitalScore", "one_die": "forced"},
    "missionary": {"goal": 3, "scoring": "missionary", "difficulty": "hard"},
    "threshold": {"mode": "threshold", "threshold": 4, "mulligan": True},
}


@pytest.mark.usefixtures("few_tiles")
@pytest.mark.parametrize("rules", RUNS.values(), ids=RUNS)
def test_several_rounds_are_worth_what_the_literal_rules_say(rules: dict[str, Any]) -> None:
    options = Options(**{"rounds": 2, **rules})
    twin = Twin("win", "total<=0", "total<=5", "total<=12", "total<=400")
    for lead in (0, 4):  # a run may also be set up with points
        twin.values(State(options, all_tiles(options), (lead,)))
    agrees(twin, options, times(300, 3000))


@pytest.mark.usefixtures("few_tiles")
@pytest.mark.parametrize("rules", [{}, {"mulligan": True, "one_die": "never"}, {"difficulty": "hard"}])
def test_an_instant_tournament_is_worth_what_the_literal_rules_say(rules: dict[str, Any]) -> None:
    options = Options(**rules, variant="tournament45out", instant=True)
    twin = Twin("rounds", "win")
    for lead in (0, 5, 7, 8, 30):  # from 8: out when this round ends
        twin.values(State(options, all_tiles(options), (lead,)))
    agrees(twin, options, times(300, 3000))


@pytest.mark.usefixtures("few_tiles")
@pytest.mark.parametrize("rules", [{}, {"difficulty": "hard"}, {"mulligan": True, "one_die": "forced"}][: times(2, 3)])
def test_a_tournament_is_worth_what_the_literal_rules_say(rules: dict[str, Any]) -> None:
    """Boxes may be shut for ever, so the twin breaks off; whoever comes so far is rare."""
    options = Options(**rules, variant="tournament45out")
    value, twin = worth(options, 1, "rounds"), Floats("rounds", last_round=times(16, 40))
    for turn in reversed(range(1, twin.last_round + 1)):  # from the end, so that no walk is deep
        for lead in range(9):
            twin.values(State(options, all_tiles(options), (lead,), round=turn))
    for state, (slow,) in twin.known.items():
        if state.round == 1:
            exact = value(state)
            obeys_the_equations(state, options, 1, "rounds")
            assert float(exact) == pytest.approx(slow, abs=times(10**5, 10**9) ** -1), state


@pytest.mark.usefixtures("few_tiles")
@pytest.mark.parametrize("rules", [{}, {"mulligan": True}, {"one_die": "forced", "difficulty": "hard"}])
def test_the_long_game_is_worth_what_the_literal_rules_say(rules: dict[str, Any]) -> None:
    options = Options(**rules, mode="long")
    value, twin, tiles = worth(options, 1, "turns"), Floats("turns", last_round=times(60, 300)), all_tiles(options)
    for turn in reversed(range(1, twin.last_round + 1)):  # from the end, so that no walk is deep
        for size in range(len(tiles) + 1):
            for standing in combinations(tiles, size):
                if standing or turn % 2 == 0:
                    twin.values(State(options, standing, (0,), round=turn, opening=turn % 2 == 0))
    for state, (slow,) in twin.known.items():
        if state.round < 3:
            assert value(state) == pytest.approx(slow, rel=times(10**4, 10**9) ** -1), state


class Floats(Twin):
    """The same twin in floats: fractions of a hundred turns have thousands of digits."""

    def _walk(self, state: State) -> Any:
        return [float(value) for value in super()._walk(state)]


# Against the equations of perfect play: a choice is worth its best move, a roll the mean of what it may show


def obeys_the_equations(state: State, options: Options, seats: int, objective: str) -> None:
    value, seen = worth(options, seats, objective)(state), step_worth(options, seats, objective)
    if actor(state) == NOBODY:
        expected: Value = ending(state, objective)
    elif actor(state) == DICE:
        dice = dice_to_roll(state)
        expected = sum(
            (Fraction(seen(state, rolled(state, roll))) * ways for roll, ways in outcomes(dice)), Fraction(0)
        )
        expected /= 6**dice
    else:
        expected = best(objective)([seen(state, after(state, move)) for move in legal(state)])
    close_enough = pytest.approx(float(expected), rel=2**-39)
    assert value == (close_enough if objective == "turns" else expected), (objective, state)


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


@pytest.mark.parametrize("objective", [*ROUND_OBJECTIVES, "total<=150", "win"])
def test_positions_with_twelve_tiles_obey_the_equations(objective: str) -> None:
    random, options = Random(f"twelve {objective}"), Options(tiles=12, rounds=3, goal=60)
    states = [state for _, _, state in random_walk(SHUT_THE_BOX, random, start(options, 1))]
    for state in [start(options, 1), *random.sample(states, 8), states[-1]]:
        obeys_the_equations(state, options, 1, objective)


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
    ({"variant": "tournament45out"}, "rounds", "12.4..... - 0 3 50 - -"),
    ({"variant": "tournament45out", "instant": True}, "rounds", "1........ * 0 3 50 - -"),
    ({"variant": "tournament45out", "instant": True}, "win", "1........ - 0 3 50 - -"),
    ({"instant": True}, "win", "1........ * 0 3 80 - -"),
    ({"instant": True}, "total<=79", "1........ * 0 3 80 - -"),
    ({"instant": True}, "total<=80", "1........ * 0 3 80 - -"),
    ({}, "total<=10", "1........ - 0 5 80 - -"),
    ({"per_round_scoring": False}, "win", "12.4..... - 0 1 3 - -"),
    ({"per_round_scoring": False}, "win", "12.4..... - 0 2 3 - -"),
    ({"goal": 0, "instant": True}, "win", "12.4..... - 0 2 0 - -"),
    ({}, "golf", "12.4..... - 0 5 80 - rounds"),
    ({"instant": True}, "win", "......... - 0 1 80 - shut"),
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
        assert (
            step_worth(options, 1, objective)(last_tile, next_round) == shut == worth(options, 1, objective)(last_tile)
        )
        assert worth(options, 1, objective)(next_round) == worth(options, 1, objective)(start(options, 1))
    rolling = read_state(options, "..3.5.... ** 0 1 0 - -")
    for objective, stuck in (("golf", 8), ("digital", 35), ("missionary", 2), ("shut", 0), ("golf<=8", 1)):
        assert step_worth(options, 1, objective)(rolling, rolled(rolling, (6, 6))) == stuck
    assert step_worth(options, 1, "win")(last_tile, next_round) == worth(options, 1, "win")(next_round)


LONG_GAMES = [
    {"variant": variant, "one_die": one_die, "difficulty": difficulty, "mulligan": mulligan, "tiles": tiles}
    for tiles in (9, 12)
    for variant in ("standard", "alwaysSumDuo")
    for one_die in ("high-shut", "sum-6", "never", "forced")
    for difficulty in ("standard", "hard")
    for mulligan in (False, True)
    if (tiles, variant) != (12, "alwaysSumDuo")
]


@pytest.mark.parametrize("rules", LONG_GAMES if SOAKING else LONG_GAMES[:32:7])
def test_every_long_game_comes_to_a_solution(rules: dict[str, Any]) -> None:
    options, random = Options(**rules, mode="long"), Random("long")
    states = [state for _, _, state in random_walk(SHUT_THE_BOX, random, start(options, 1))]
    for state in [start(options, 1), *random.sample(states, min(20, len(states))), states[-1]]:
        obeys_the_equations(state, options, 1, "turns")


# Published figures


def test_published_figures() -> None:
    """Chances to shut nine tiles: Durango Bill, http://www.durangobill.com/ShutTheBoxExtra/STBstats.txt.

    Expected golf score with two dice always: https://github.com/sabasallath/shut_the_box_analysis.
    """
    two_dice, one_die_at_6 = Options(one_die="never"), Options(one_die="sum-6")
    assert round(100 * at_start(two_dice, "shut"), 4) == 7.1432
    assert round(100 * at_start(one_die_at_6, "shut"), 4) == 9.7614
    assert round(100 * at_start(Options(difficulty="hard"), "shut"), 4) == 7.4194  # no more than two tiles a roll
    assert round(at_start(two_dice, "golf"), 4) == 11.1575


def at_start(options: Options, objective: str) -> float:
    return float(worth(options, 1, objective)(start(options, 1)))


def test_figures_of_the_presets() -> None:
    """What perfect play is worth at the start, so that a change is seen."""
    presets = {preset: SHUT_THE_BOX.make_options(chosen) for preset, chosen in PRESETS.items()}
    figures = {preset: at_start(options, meant(options, 1)) for preset, options in presets.items()}
    assert figures == pytest.approx(
        {
            "classic": 0.307885914868,
            "strict": 0.209906926828,
            "easy": 0.700092000192,
            "hard": 0.219071754187,
            "threshold": 0.614944807233,
            "tournament": 3.799915084493,
            "long": 9.419007233516,
            "twelve": 0.0000019338338,
        },
        rel=1e-6,
    )
    assert at_start(Options(), "golf") == pytest.approx(11.009208593218)
    assert at_start(Options(tiles=12), "golf") == pytest.approx(35.075479879905)


def test_more_is_never_less() -> None:
    for options in (Options(), Options(mulligan=True, instant=True), Options(scoring="missionary")):
        for name in ("golf", "total"):
            chances = [worth(options, 1, f"{name}<={limit}")(start(options, 1)) for limit in range(0, 60, times(15, 5))]
            assert chances == sorted(chances)
            assert 0 <= chances[0] < chances[1]
    assert worth(Options(), 1, "golf<=45")(start(Options(), 1)) == 1
    assert worth(Options(), 1, "total<=225")(start(Options(), 1)) == 1
    assert worth(Options(), 1, "total<=224")(start(Options(), 1)) == 1  # the first roll always fits


def test_rounds_that_do_not_add_up() -> None:
    """Only the best of five counts: one good round is enough, and each has the same chance."""
    options, chance = Options(per_round_scoring=False, goal=3), worth(Options(), 1, "golf<=3")(start(Options(), 1))
    assert worth(options, 1, "win")(start(options, 1)) == 1 - (1 - chance) ** 5


# Simulated runs


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
    value, choose, scores = worth(options, 1, objective), best(objective), []
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


# Parts


def test_lanes_find_the_greater_of_each_pair() -> None:
    random = Random("lanes")
    for _ in range(200):
        highest, count = random.randrange(1, 2 ** random.randrange(1, 200)), random.randrange(1, 9)
        lanes = Lanes(count, highest)
        rows = [[random.choice((0, highest, random.randint(0, highest))) for _ in range(count)] for _ in range(4)]
        packed = [lanes.pack(row) for row in rows]
        assert [lanes.unpack(number) for number in packed] == rows
        assert lanes.unpack(lanes.best(packed)) == [max(values) for values in zip(*rows, strict=True)]
        assert lanes.unpack((5 * packed[0] + 31 * packed[0]) // 36) == rows[0]  # although lanes overflow on the way


def test_sweeps_that_all_changed_alike_cannot_be_mixed() -> None:
    found, change = [5, 7, 9], [1, 2, 3]
    assert box._mixed([(found, change)]) == box._mixed([(found, change)] * 3) == found


@every_rule
def test_a_board_knows_the_moves_of_the_rules(rules: dict[str, Any]) -> None:
    options, random = Options(**rules, tiles=12), Random("moves")
    board = box._board(box._rules(options))
    for _ in range(300):
        bits, total = random.randrange(1 << 12), random.randint(1, 12)
        combos = box_tiles.legal_combos(board.tiles[bits], (total,), options)
        assert sorted(board.left[bits][total]) == sorted(bits - box._bits(combo) for combo in combos)


# What is refused, and what is meant


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
        worth(Options(**rules), seats, objective)
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
    assert meant(options, seats) == objective
    assert worth(options, seats, objective)(start(options, seats)) >= 0
