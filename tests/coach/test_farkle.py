"""What positions of Farkle are worth: against the literal rules, published figures, and simulated games."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest

from dicehall.coach.worths import farkle as worths
from dicehall.coach.worths.farkle import (
    BOOK_VERSION,
    FINE,
    LONGEST_OPENING,
    LOWER,
    NEARLY,
    Value,
    meant,
    step_worth,
    worth,
)
from dicehall.dice import FACES, SeededDice
from dicehall.errors import InvalidOption
from dicehall.rules import farkle
from dicehall.rules.farkle import (
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
from dicehall.rules.farkle_scoring import LITE, Scoring
from dicehall.rules.farkle_state import BANK, END, SELECTION, fallen
from dicehall.rules.game import DICE, NOBODY, outcomes
from dicehall.solve import farkle as solver
from dicehall.solve.farkle import BOOK, RACE_VARIANTS, SPICY, STEPS, TURNS_VARIANTS, Variant, book_bytes
from dicehall.solve.workshop import PACKAGED
from tests.oracles import farkle_turns
from tests.soak import SOAKING, times

CLOSE = 2e-10  # what `turns` and `race` promise


def preset(name: str) -> Options:
    return Options(**PRESETS[name])  # type: ignore[arg-type]


# Twins: the literal rules, position by position


def table_of(state: State) -> tuple[Any, ...]:
    """What of a position can matter: not the faces that are put aside, nor where a die lies."""
    dice = fallen(state) if state.phase == SELECTION and not state.chosen else ()
    return state.banked, state.seat, state.pile, dice_to_roll(state), dice, state.phase == END, state.chosen


class Twin:
    """Every roll and every move, with exact fractions, for games that end. Above `ceiling` everybody banks."""

    def __init__(self, end: Callable[[State, State], Fraction | None], ceiling: int = 10**9) -> None:
        self.end, self.ceiling = end, ceiling
        self.known: dict[tuple[Any, ...], Fraction] = {}

    def value(self, before: State, now: State) -> Fraction:
        ended = self.end(before, now)
        if ended is not None:
            return ended
        key = (now.round, table_of(now))
        if key not in self.known:
            if actor(now) == DICE:
                total = sum(weight * self.value(now, rolled(now, roll)) for roll, weight in outcomes(dice_to_roll(now)))
                self.known[key] = Fraction(total, 6 ** dice_to_roll(now))
            else:
                moves = legal(now)
                if BANK in moves and now.pile >= self.ceiling:
                    moves = (BANK,)
                self.known[key] = max(self.value(now, after(now, move)) for move in moves)
        return self.known[key]


def turn_ended(before: State, now: State) -> Fraction | None:
    if now.phase == END or (now.seat, now.round) != (before.seat, before.round):
        return Fraction(now.banked[before.seat] - before.banked[before.seat])
    return None


def game_ended(before: State, now: State) -> Fraction | None:
    return Fraction(now.banked[0]) if now.phase == END else None


COLD = [
    Options(hot_dice=False),
    Options(hot_dice=False, straight=True, three_pairs=True, three_pairs_points=750),
    Options(hot_dice=False, three_pairs=True, four_plus_pair=True, bank_minimum=350),
    Options(hot_dice=False, straight=True, straight_points=50, board_minimum=500, bank_minimum=200),
]


@pytest.mark.parametrize("options", COLD, ids=lambda options: str(options.changed()))
def test_a_whole_turn_without_hot_dice(options: Options) -> None:
    twin, value = Twin(turn_ended), worth(options, 2, "turn")
    for banked in ("0:1000", "1000:0") if options.board_minimum else ("0:0",):
        state = read_state(options, f"{banked} 1 1 0 ...... farkle -")
        assert value(state) == twin.value(state, state)


HOT = [  # a pile near the one that is banked in any case, and one that is beyond it by far
    ("2200 0 3 10650 [1]1[5]123 selection -", 12_000, {}),
    ("0:100 1 3 10700 [1].[5]... rolled -", 12_000, {}),
    ("100 0 1 17400 [15123]4 selected -", 19_000, {"straight": True, "three_pairs": True}),
    ("0 0 2 9833 [16]4212 selection -", 12_000, {"board_minimum": 10_000}),
    ("0 0 2 9600 [11]23[55] selected -", 12_000, {"bank_minimum": 9700, "straight": True, "straight_points": 50}),
    ("0 0 1 90000 [1]..... rolled -", 90_500, {}),
    ("0 0 1 90000 ...... selected -", 90_500, {}),
]


@pytest.mark.parametrize(("text", "ceiling", "chosen"), HOT)
def test_late_in_a_turn_with_hot_dice(text: str, ceiling: int, chosen: dict[str, Any]) -> None:
    state = read_state(Options(**chosen), text)
    assert worth(state.options, len(state.banked), "turn")(state) == Twin(turn_ended, ceiling).value(state, state)


@pytest.mark.parametrize("rules", [LITE, SPICY, Scoring(1500, 750), Scoring(0, 1500, True)])
def test_every_pile_of_a_turn_with_hot_dice(rules: Scoring) -> None:
    """Against a sweep in floats from a pile far above."""
    expected, _ = farkle_turns.solve(rules)
    points = worths._points(rules, True, 0)
    for (pile, dice), value in expected.items():
        mine = points.turn.kept((points.top - pile) // 50, dice)
        assert abs(float(Fraction(mine, points.unit)) - value) < 1e-9 * max(value, 1), (pile, dice)


ARCADES = [
    ("200 0 2 450 [11155]6 selected -", {"max_turns": 3}),
    ("300 0 1 200 [1515]62 selected -", {"max_turns": 2, "board_minimum": 400}),
    ("0 0 1 250 [1155]62 selected -", {"max_turns": 2, "board_minimum": 400, "bank_minimum": 100}),
    ("0 0 2 150 [11555]2 selected -", {"max_turns": 3, "board_minimum": 500}),
    ("0 0 3 150 [11].... rolled -", {"max_turns": 3, "board_minimum": 300, "straight": True}),
    ("0 0 1 50 [5].[1111] rolled -", {"max_turns": 2, "bank_minimum": 400}),
]


@pytest.mark.parametrize(("text", "chosen"), ARCADES)
def test_the_last_turns_of_an_arcade(text: str, chosen: dict[str, Any]) -> None:
    state = read_state(Options(hot_dice=False, **chosen), text)
    assert worth(state.options, 1, "arcade")(state) == Twin(game_ended).value(state, state)


class Circle:
    """All positions of a small game to the target, as the literal rules connect them; they run in circles.

    A value is found by going over all positions again and again. Whoever can bank the target does: nothing is better.
    """

    def __init__(self, first: State) -> None:
        self.target = first.options.target
        self.places: dict[tuple[Any, ...], int] = {}
        self.states: list[State] = []
        self.edges: list[list[tuple[int, int, int]]] = []  # weight, place, turns that this step completes
        todo = [first]
        self._place(first)
        while todo:
            state = todo.pop()
            if actor(state) == DICE:
                steps = [(weight, rolled(state, roll)) for roll, weight in outcomes(dice_to_roll(state))]
            else:
                reached = state.banked[state.seat] + state.pile >= self.target
                moves = (BANK,) if state.chosen and reached else legal(state)
                steps = [(1, after(state, move)) for move in moves]
            edges = []
            for weight, now in steps:
                if table_of(now) not in self.places:
                    self._place(now)
                    todo.append(now)
                edges.append((weight, self.places[table_of(now)], int(now.phase == END or now.round > state.round)))
            self.edges[self.places[table_of(state)]] = edges

    def _place(self, state: State) -> None:
        self.places[table_of(state)] = len(self.states)
        self.states.append(state)
        self.edges.append([])

    def solved(self, objective: str) -> list[float]:
        """Turns still to complete, or the chance of seat 0."""
        values = [float(state.phase == END and state.closer == 0) for state in self.states]
        if objective == "turns":
            values = [0.0] * len(values)
        change = 1.0
        while change > 1e-14:
            change = 0.0
            for place in range(len(values) - 1, -1, -1):
                state, edges = self.states[place], self.edges[place]
                if not edges:
                    continue
                found = [values[to] + (turns if objective == "turns" else 0) for _, to, turns in edges]
                if actor(state) == DICE:
                    value = sum(edge[0] * worth for edge, worth in zip(edges, found, strict=True))
                    value /= 6 ** dice_to_roll(state)
                else:
                    value = min(found) if objective == "turns" or state.seat else max(found)
                change = max(change, abs(value - values[place]))
                values[place] = value
        return values


SMALL_RUNS = [
    Options(target=200),
    Options(target=300, hot_dice=False),
    Options(target=230, straight=True, three_pairs=True),
    Options(target=250, hot_dice=False, three_pairs=True, four_plus_pair=True),
    Options(target=400, straight=True),
]


@pytest.mark.parametrize("options", SMALL_RUNS if SOAKING else SMALL_RUNS[:4], ids=lambda o: str(o.changed()))
def test_every_position_of_a_small_run(options: Options) -> None:
    circle, value = Circle(start(options, 1)), worth(options, 1, "turns")
    for state, still in zip(circle.states, circle.solved("turns"), strict=True):
        done = state.round - (state.phase != END)
        assert abs(value(state) - (done + still)) < CLOSE, state


SMALL_RACES = [Options(target=200), Options(target=130, straight=True, three_pairs=True)]


@pytest.mark.parametrize("options", SMALL_RACES, ids=lambda o: str(o.changed()))
def test_every_position_of_a_small_race(options: Options) -> None:
    circle, value = Circle(start(options, 2)), worth(options, 2, "race")
    for state, first in zip(circle.states, circle.solved("race"), strict=True):
        assert abs(value(state) - (1 - first if state.seat else first)) < CLOSE, state


# Published figures


def test_published_figures_of_a_turn() -> None:
    """P. McKenna, rmckenna21.blogspot.com: the table under x2, x3, x4, straight 1500, three different pairs 750."""
    options = Options(straight=True, three_pairs=True, three_pairs_points=750)
    value = worth(options, 1, "turn")
    assert round(float(value(start(options, 1))), 3) == 548.858
    state = rolled(start(options, 1), (1, 2, 2, 2, 5, 4))
    published = {
        ("5",): 363.834,
        ("1",): 399.911,
        ("1", "5"): 307.673,
        ("222",): 257.584,
        ("222", "5"): 250,
        ("222", "1"): 300,
        ("222", "1", "5"): 350,
    }
    assert {move: round(float(value(after(state, move))), 3) for move in legal(state)} == published
    assert round(float(value(read_state(options, "0 0 1 250 [15]4[1]63 selected -"))), 1) == 293.4


def test_figures_of_the_presets() -> None:
    """Ours: what `dicehall odds` says. Three digits more than anybody needs, so that a change is noticed."""
    figures = {
        "casual": (486.081866275, 10.979840803480, 0.548896794880),
        "standard": (486.081866275, 21.266172322071, 0.534917359257),
        "spicy": (579.618633369, 18.058642493708, 0.533759160521),
    }
    for name, (turn, turns, race) in figures.items():
        options = preset(name)
        assert abs(float(worth(options, 1, "turn")(start(options, 1))) - turn) < 1e-9
        assert abs(worth(options, 1, "turns")(start(options, 1)) - turns) < CLOSE
        assert abs(worth(options, 2, "race")(start(options, 2)) - race) < CLOSE
    ten = preset("arcade")
    assert worth(ten, 1, "arcade")(start(ten, 1)) == 10 * worth(ten, 1, "turn")(start(ten, 1))


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
    assert worth(options, 1, f"farkle:{dice}")(start(options, 1)) == chance


# One step at a time


def random_positions(options: Options, seats: int, seed: str, count: int) -> Iterator[State]:
    """Positions of random games. Every seat rolls on three times out of four, so that some piles are large."""
    random = Random(seed)
    while True:
        state = start(options, seats)
        while actor(state) != NOBODY:
            if actor(state) == DICE:
                now = rolled(state, tuple(random.choices(FACES, k=dice_to_roll(state))))
            else:
                moves = legal(state)
                now = after(state, random.choice(moves) if random.random() < 0.5 else moves[0])
            if random.random() < 0.04:
                yield state
                count -= 1
                if not count:
                    return
            state = now


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
]


@pytest.mark.parametrize(("objective", "seats", "options"), ASKED)
def test_a_position_is_worth_what_its_best_move_or_its_mean_roll_is(
    objective: str, seats: int, options: Options
) -> None:
    value, step = worth(options, seats, objective), step_worth(options, seats, objective)
    for state in random_positions(options, seats, f"{objective} {options}", times(30, 300)):
        if actor(state) == DICE:
            rolls = outcomes(dice_to_roll(state))
            total: Value = sum((weight * step(state, rolled(state, roll)) for roll, weight in rolls), start=Fraction(0))
            found = total / 6 ** dice_to_roll(state)
        else:
            best = min if objective in LOWER else max
            found = best(step(state, after(state, move)) for move in legal(state))
        assert abs(value(state) - found) < 2 * CLOSE if objective in NEARLY else value(state) == found, state


@pytest.mark.parametrize("variant", RACE_VARIANTS)
def test_the_race_agrees_with_itself_wherever_a_turn_begins(variant: Variant) -> None:
    """Each chance in the book, against the turn that is swept from the others."""
    win, random = worths._read("race", *variant), Random("race")
    for _ in range(times(60, 2000)):
        mine, theirs = random.randint(1, STEPS), random.randint(1, STEPS)
        turn = worths._race_turn(*variant, mine, theirs)
        assert abs(turn.rolled(mine, 6) - win[mine][theirs]) * 2.0**-FINE < 2 * CLOSE, (mine, theirs)


def test_a_better_score_is_never_worse() -> None:
    for variant in TURNS_VARIANTS:
        (turns,) = worths._read("turns", *variant)
        assert turns == sorted(turns)
    for variant in RACE_VARIANTS:
        win = worths._read("race", *variant)
        for need in range(1, STEPS + 1):
            assert win[need][1:] == sorted(win[need][1:]), "the more the other needs, the better"
            column = [row[need] for row in win[1:]]
            assert column == sorted(column, reverse=True), "the less is needed, the better"
            assert win[need][need] * 2 > 1 << FINE, "the first to move has the better chance"


def test_once_the_game_is_over() -> None:
    won = read_state(Options(), "300:10050 1 9 0 ...... end 1")
    assert worth(won.options, 2, "race")(won) == 1
    assert worth(won.options, 2, "turn")(won) == 0
    assert worth(Options(), 1, "turns")(read_state(Options(), "10050 0 17 0 ...... end 0")) == 17
    ten = preset("arcade")
    assert worth(ten, 1, "arcade")(read_state(ten, "4321 0 10 0 ...... end -")) == 4321


def test_a_pile_that_reaches_the_target_and_is_rolled_on() -> None:
    """One die, and a farkle in four of six; the others bring what banking would have brought."""
    state = read_state(Options(), "9800:9000 0 9 250 [11155]. rolled -")
    farkled = read_state(Options(), "9800:9000 1 9 0 ...... farkle -")
    value = worth(Options(), 2, "race")
    assert abs(value(state) - (2 + 4 * (1 - value(farkled))) / 6) < CLOSE
    assert value(read_state(Options(), "9800:9000 0 9 250 [11155]2 selected -")) == 1
    assert value(read_state(Options(), "9777:9000 0 9 223 [11155]2 selected -")) == 1, "an odd score that reaches it"
    assert value(read_state(Options(), "9777:9000 0 9 222 [11155]2 selected -")) < 1


# Play


def played(options: Options, seats: int, objective: str, seed: str) -> State:
    """A whole game in which every seat makes the move that is worth most to it."""
    step, dice, seen, state = step_worth(options, seats, objective), SeededDice(seed), 0, start(options, seats)
    best = min if objective in LOWER else max
    while actor(state) != NOBODY:
        if actor(state) == DICE:
            count = dice_to_roll(state)
            state, seen = rolled(state, tuple(dice.die(seen + n) for n in range(count))), seen + count
        else:
            before = state
            state = after(state, best(legal(state), key=lambda move: step(before, after(before, move))))
    return state


PLAYED = [
    ("turn", 1, Options(max_turns=10), 150, 10),
    ("arcade", 1, Options(max_turns=3, board_minimum=700), 400, 1),
    ("turns", 1, Options(target=4000, straight=True, three_pairs=True), 250, 1),
    ("race", 2, Options(target=800), 700, 1),
]


@pytest.mark.parametrize(("objective", "seats", "options", "games", "turns"), PLAYED)
def test_perfect_play_gets_what_is_promised(
    objective: str, seats: int, options: Options, games: int, turns: int
) -> None:
    games = times(games, 20 * games)
    ends = [played(options, seats, objective, f"perfect {game}") for game in range(games)]
    scores = [(end.closer == 0) if objective == "race" else result(end).scores[0] for end in ends]
    mean = sum(scores) / games
    spread = sqrt(sum((score - mean) ** 2 for score in scores) / (games - 1) / games)
    promised = turns * float(worth(options, seats, objective)(start(options, seats)))
    assert abs(mean - promised) < 3 * spread, (mean, promised, spread)


# What is asked for, and what is not solved


def test_what_is_meant() -> None:
    asked = {
        "turns": [(preset(name), 1) for name in ("casual", "standard", "spicy")],
        "arcade": [(preset("arcade"), 1)],
        "race": [(preset(name), 2) for name in ("casual", "standard", "spicy")],
        "turn": [
            (Options(), 3),
            (Options(last_turn=True), 2),
            (preset("arcade"), 2),
            (Options(target=20_000), 1),
            (Options(max_turns=50, board_minimum=500), 1),
        ],
    }
    for objective, cases in asked.items():
        for options, seats in cases:
            assert meant(options, seats) == objective
            worth(options, seats, objective)


@pytest.mark.parametrize(
    ("objective", "seats", "options", "says"),
    [
        ("beauty", 1, Options(), "no objective 'beauty'; objectives: turn, arcade, turns, race, farkle:N"),
        ("farkle:N", 1, Options(), "1 to 6 dice, not 'N'"),
        ("farkle:7", 1, Options(), "1 to 6 dice, not '7'"),
        ("farkle", 1, Options(), "no objective 'farkle'"),
        ("turn", 1, Options(straight=True, straight_points=1234), "multiples of 50"),
        ("arcade", 1, Options(), "max_turns"),
        ("arcade", 2, preset("arcade"), "one seat"),
        ("arcade", 1, Options(max_turns=LONGEST_OPENING + 1, board_minimum=500), "up to 10 turns"),
        ("turns", 2, Options(), "one seat, not of 2"),
        ("turns", 1, preset("arcade"), "the target plays no part"),
        ("turns", 1, Options(bank_minimum=300), "board_minimum or bank_minimum"),
        ("turns", 1, Options(three_pairs=True, three_pairs_points=750), "usual points"),
        ("turns", 1, Options(target=10_001), "at most 10000"),
        ("race", 3, Options(), "two seats, not for 3"),
        ("race", 2, Options(last_turn=True), "last_turn"),
        ("race", 2, Options(board_minimum=300), "board_minimum or bank_minimum"),
        ("race", 2, Options(hot_dice=False), "groups of a preset"),
    ],
)
def test_what_is_not_solved_says_so(objective: str, seats: int, options: Options, says: str) -> None:
    with pytest.raises(InvalidOption, match=says) as refused:
        worth(options, seats, objective)
    assert refused.value.code == "objective"


# The book


def test_the_book_is_what_the_solver_builds() -> None:
    for variant in TURNS_VARIANTS:
        (turns,) = worths._read("turns", *variant)
        assert np.abs(np.array(turns) * 2.0**-FINE - solver.solve("turns", variant, STEPS)[0]).max() < 2.0**-FINE
    for variant in RACE_VARIANTS:
        steps = times(50, STEPS)
        win = np.array(worths._read("race", *variant))[: steps + 1, : steps + 1]
        assert np.abs(win * 2.0**-FINE - solver.solve("race", variant, steps)).max() <= 2.0**-33


def test_the_book_is_written_the_same_every_time() -> None:
    """Byte for byte, with the tables taken from the book itself, because solving is tested above."""
    (book,) = solver.books()
    tables = {}
    for title in book.parts:
        about = json.loads(title)
        variant = about.pop("objective"), Scoring(**{name: about[name] for name in Scoring._fields}), about["hot_dice"]
        tables[title] = (np.array(worths._read(*variant)) * 2.0**-FINE).tobytes()
    written = book.bind(tables)
    assert written == PACKAGED.joinpath(BOOK).read_bytes()
    assert len(written) < 200_000


def test_a_damaged_book_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    about = json.loads(PACKAGED.joinpath(BOOK).read_bytes().partition(b"\n")[0])
    assert (about["version"], about["game"], about["rules"]) == (BOOK_VERSION, farkle.ID, farkle.VERSION)
    monkeypatch.setattr(worths, "VERSION", farkle.VERSION + 1)
    with pytest.raises(InvalidOption, match="damaged or made for other rules"):
        worths._book.__wrapped__()
    monkeypatch.undo()
    monkeypatch.setattr(zlib, "crc32", lambda data: 0)
    with pytest.raises(InvalidOption, match="damaged or made for other rules"):
        worths._book.__wrapped__()


def test_a_table_survives_the_book() -> None:
    """Also where neighbours differ as much as can be."""
    table = np.array([[0.0, 1 - 2.0**-32, 0.0], [1 - 2.0**-32, 2.0**-32, 0.5]])
    head, _, body = book_bytes([("race", RACE_VARIANTS[0], table)]).partition(b"\n")
    (about,) = json.loads(head)["tables"]
    planes = zlib.decompress(body)
    numbers = [int.from_bytes(planes[n::6], "little") for n in range(6)]
    across = np.array(numbers).reshape(2, 3).cumsum(axis=0).cumsum(axis=1) % 2**32
    assert (across == table * 2.0**32).all()
    assert (about["rows"], about["columns"], about["size"]) == (2, 3, len(body))
