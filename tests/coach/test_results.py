"""What perfect play ends with: against the literal rules, the worths, adding up by hand, and simulated runs."""

from __future__ import annotations

import doctest
import json
from fractions import Fraction
from importlib import resources
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dicehall.coach import results as coach
from dicehall.coach.advise import advise, less_is_better, worth
from dicehall.coach.report import report
from dicehall.coach.results import Results, find_results, percentile, results
from dicehall.coach.worths.farkle_books import FINE, find_table
from dicehall.dice import FACES, SeededDice
from dicehall.errors import InvalidOption
from dicehall.play.table import Table
from dicehall.rules import farkle, lite_solo
from dicehall.rules.catalog import FARKLE, GAMES, SHUT_THE_BOX
from dicehall.rules.farkle_state import END, SELECTION, fallen
from dicehall.rules.game import DICE, NOBODY, outcomes
from dicehall.rules.lite_grid import COLUMNS, ROWS, Board, score_row
from dicehall.solve import lite_results
from dicehall.solve.farkle_books import USUAL
from dicehall.solve.farkle_results import run_ends
from dicehall.solve.lite_solo import WILDS
from dicehall.solve.workshop import PACKAGED
from tests.coach.conftest import Solve
from tests.soak import SOAKING, times

Shares = dict[int, Fraction]


def known(game_id: str, options: dict[str, Any], objective: str, seats: int = 1) -> Results:
    found = results(GAMES[game_id], GAMES[game_id].make_options(options), seats, objective)
    assert found is not None
    return found


def shares(found: Results) -> Shares:
    return {result: Fraction(ways, found.of) for result, ways in found.ways.items()}


def mixed(parts: list[tuple[int, Shares]]) -> Shares:
    """One of several happens, each so often."""
    total: Shares = {}
    for weight, part in parts:
        for result, share in part.items():
            total[result] = total.get(result, Fraction(0)) + Fraction(weight) * share
    of = sum(weight for weight, _ in parts)
    return {result: share / of for result, share in total.items()}


def mean(part: Shares) -> Fraction:
    return sum((result * share for result, share in part.items()), Fraction(0))


# Knucklebones-lite


def literal_lite(state: lite_solo.State, seen: dict[lite_solo.State, Shares]) -> Shares:
    """The twin: all dice and all moves of the literal rules; of equally good moves the steadier, by all moments."""
    if state not in seen:
        who = lite_solo.actor(state)
        if who == NOBODY:
            seen[state] = {lite_solo.result(state).scores[0]: Fraction(1)}
        elif who == DICE:
            rolls = outcomes(1)
            seen[state] = mixed([(n, literal_lite(lite_solo.rolled(state, roll), seen)) for roll, n in rolls])
        else:
            choices = [literal_lite(lite_solo.after(state, move), seen) for move in lite_solo.legal(state)]
            seen[state] = max(choices, key=spread)
    return seen[state]


def spread(part: Shares) -> tuple[Fraction, Fraction, Fraction]:
    """The higher mean first, then the smaller variance, then more on the high side."""
    middle = mean(part)
    variance, lean = [
        sum(((result - middle) ** power * share for result, share in part.items()), Fraction(0)) for power in (2, 3)
    ]
    return middle, -variance, lean


def full_lines(board: Board, columns: bool, wild: str) -> int:
    lines = [tuple(board[cell] for cell in line) for line in (ROWS + COLUMNS if columns else ROWS)]
    return sum(score_row(line, wild).score for line in lines if 0 not in line)


@pytest.mark.parametrize("wild", WILDS)
@pytest.mark.parametrize("columns", [False, True], ids=["rows", "columns"])
def test_late_boards_end_as_the_literal_rules_say(columns: bool, wild: str) -> None:
    play, random = lite_results._play(columns), Random(f"late {columns} {wild}")
    for empty, ends in zip(range(1, 5 if SOAKING else 4), lite_results.results(play, wild), strict=False):
        boards = play.layers[9 - empty].boards
        for number in random.sample(range(len(boards)), min(len(boards), times(5 - empty, 12))):
            board = tuple(min(die, 6) for die in boards[number].tolist())  # 7: any die, its lines are full
            for token in (False, True):
                options = lite_solo.Options(columns, True, wild)
                expected = literal_lite(lite_solo.State(options, board, 0, token), {})
                ways = ends[token].ways[number]
                before = full_lines(board, columns, wild)
                got = {before + n: Fraction(int(ways[n]), 6 ** (empty + token)) for n in ways.nonzero()[0].tolist()}
                assert got == expected, (board, token)


@pytest.mark.parametrize("reroll", [False, True], ids=["plain", "token"])
@pytest.mark.parametrize("wild", WILDS)
@pytest.mark.parametrize("columns", [False, True], ids=["rows", "columns"])
def test_every_variant_of_lite_solo(columns: bool, wild: str, reroll: bool) -> None:
    """The mean is what the coach promises, exactly; no score is likelier than for somebody who plays for that alone."""
    options = {"columns": columns, "wild": wild, "reroll": reroll}
    game, found = GAMES["lite-solo"], known("lite-solo", options, "score")
    start = game.begin(options)
    assert found.of == 6 ** (9 + reroll)
    assert found.error == 0
    assert list(found.ways) == sorted(found.ways)
    assert found.mean == worth(game, start.options, 1, "score")(start)
    for target in (60, 75, 90, 110, 140):
        reached = sum(ways for score, ways in found.ways.items() if score >= target)
        assert Fraction(reached, found.of) <= worth(game, start.options, 1, f"target:{target}")(start)


# Shut the Box


def literal_round(state: Any, seen: dict[Any, Shares]) -> Shares:
    """The twin: the literal rules to the end of a run of one round; the first of equally good moves."""
    key = (state.open, state.dice, state.to_roll, state.mulligan_used, state.over)
    if key not in seen:
        who = SHUT_THE_BOX.actor(state)
        if who == NOBODY:
            seen[key] = {state.totals[0]: Fraction(1)}
        elif who == DICE:
            rolls = outcomes(SHUT_THE_BOX.dice_to_roll(state))
            seen[key] = mixed([(n, literal_round(SHUT_THE_BOX.rolled(state, roll), seen)) for roll, n in rolls])
        else:
            choices = [literal_round(SHUT_THE_BOX.after(state, move), seen) for move in SHUT_THE_BOX.legal(state)]
            seen[key] = min(choices, key=mean)
    return seen[key]


BOXES: list[dict[str, Any]] = [
    {"difficulty": "hard"},
    {"mulligan": True, "one_die": "sum-6", "difficulty": "hard", "scoring": "missionary"},
    {"variant": "alwaysSumDuo", "mulligan": True},
    {"variant": "digitalScore", "difficulty": "hard", "one_die": "never"},
]
LONGER_BOXES: list[dict[str, Any]] = [
    {},
    {"mulligan": True, "scoring": "missionary"},
    {"one_die": "forced"},
    {"one_die": "sum-6", "scoring": "digital"},
]


@pytest.mark.parametrize("chosen", BOXES + LONGER_BOXES if SOAKING else BOXES + LONGER_BOXES[:1], ids=str)
def test_a_round_ends_as_the_literal_rules_say(chosen: dict[str, Any]) -> None:
    state = SHUT_THE_BOX.begin({"rounds": 1, **chosen})
    assert shares(known("shut-the-box", {"rounds": 1, **chosen}, state.options.scored_by)) == literal_round(state, {})


@pytest.mark.parametrize("objective", ["golf", "digital", "missionary"])
@pytest.mark.parametrize("chosen", [{}, {"tiles": 12}, {"one_die": "forced", "mulligan": True}], ids=str)
def test_a_round_has_the_mean_that_is_promised(chosen: dict[str, Any], objective: str) -> None:
    state = SHUT_THE_BOX.begin({"mode": "threshold", **chosen})
    found = known("shut-the-box", {"mode": "threshold", **chosen}, objective)
    assert found.mean == worth(SHUT_THE_BOX, state.options, 1, objective)(state)


def by_hand(one: Shares, times: int) -> Shares:
    total: Shares = {0: Fraction(1)}
    for _ in range(times):
        more: Shares = {}
        for result, share in total.items():
            for score, chance in one.items():
                more[result + score] = more.get(result + score, Fraction(0)) + share * chance
        total = more
    return total


def test_rounds_are_added_up() -> None:
    one = shares(known("shut-the-box", {"rounds": 1}, "golf"))
    for rounds in (2, 3):
        assert shares(known("shut-the-box", {"rounds": rounds}, "golf")) == by_hand(one, rounds)
    five = known("shut-the-box", {}, "golf")
    assert five.mean == 5 * mean(one)
    assert known("shut-the-box", {}, "golf", seats=3) == five, "each seat plays its own rounds"


# Farkle


def table_of(state: farkle.State) -> Any:
    dice = fallen(state) if state.phase == SELECTION and not state.chosen else ()
    return state.banked, state.round, state.pile, farkle.dice_to_roll(state), dice, state.phase, state.chosen


def literal_points(state: farkle.State, seen: dict[Any, Shares]) -> Shares:
    """The twin for games that end: the literal rules, the first of equally good moves."""
    key = table_of(state)
    if key not in seen:
        if farkle.actor(state) == NOBODY:
            seen[key] = {state.banked[0]: Fraction(1)}
        elif farkle.actor(state) == DICE:
            rolls = outcomes(farkle.dice_to_roll(state))
            seen[key] = mixed([(n, literal_points(farkle.rolled(state, roll), seen)) for roll, n in rolls])
        else:
            choices = [literal_points(farkle.after(state, move), seen) for move in farkle.legal(state)]
            seen[key] = max(choices, key=mean)
    return seen[key]


COLD: list[dict[str, Any]] = [
    {"hot_dice": False},
    {"hot_dice": False, "straight": True, "three_pairs": True, "three_pairs_points": 750},
    {"hot_dice": False, "three_pairs": True, "four_plus_pair": True, "bank_minimum": 350, "board_minimum": 300},
]


@pytest.mark.parametrize("chosen", COLD, ids=str)
def test_a_turn_without_hot_dice_ends_as_the_literal_rules_say(chosen: dict[str, Any]) -> None:
    found = known("farkle", {"max_turns": 1, **chosen}, "arcade")
    assert shares(found) == literal_points(FARKLE.begin({"max_turns": 1, **chosen}), {})
    assert found.error == 0


@pytest.mark.parametrize("chosen", [{}, {"straight": True, "three_pairs": True}, {"bank_minimum": 600}], ids=str)
def test_a_turn_with_hot_dice_has_the_mean_that_is_promised(chosen: dict[str, Any]) -> None:
    state = FARKLE.begin({"max_turns": 1, **chosen})
    found = known("farkle", {"max_turns": 1, **chosen}, "arcade")
    assert found.mean == worth(FARKLE, state.options, 1, "arcade")(state)
    assert sum(shares(found).values()) == 1


def test_turns_of_farkle_are_added_up() -> None:
    """Each is rounded, so they are off by no more than they say, all shares together."""
    one = shares(known("farkle", {"max_turns": 1, "hot_dice": False}, "turn"))
    three = known("farkle", {"max_turns": 3, "hot_dice": False}, "turn", seats=2)
    expected, got = by_hand(one, 3), shares(three)
    assert expected.keys() == got.keys()
    assert 0 < sum(abs(expected[points] - got[points]) for points in got) < 2 * three.error < Fraction(1, 10**12)
    ten = known("farkle", {"preset": "arcade"}, "arcade")
    state = FARKLE.begin({"preset": "arcade"})
    assert abs(ten.mean - worth(FARKLE, state.options, 1, "arcade")(state)) < ten.error * max(ten.ways)


def literal_turns(options: farkle.Options, turns: int) -> list[Fraction]:
    """The twin: how likely the target is reached in each turn, following the best moves through the literal rules."""
    value = worth(FARKLE, options, 1, "turns")
    known: dict[Any, Shares] = {}

    def ends(state: farkle.State) -> Shares:
        """The chances of what is banked when the turn is over."""
        key = table_of(state)
        if key not in known:
            if farkle.actor(state) == DICE:
                rolls = outcomes(farkle.dice_to_roll(state))
                known[key] = mixed([(n, ended(state, farkle.rolled(state, roll))) for roll, n in rolls])
            else:
                best = min([farkle.after(state, move) for move in farkle.legal(state)], key=value)
                known[key] = ended(state, best)
        return known[key]

    def ended(before: farkle.State, now: farkle.State) -> Shares:
        over = now.phase == END or now.round > before.round
        return {now.banked[0]: Fraction(1)} if over else ends(now)

    where, done = {0: Fraction(1)}, []
    for _ in range(turns):
        after = [(share, ends(farkle.State(options, (banked,)))) for banked, share in where.items()]
        where = {}
        for share, part in after:
            for banked, chance in part.items():
                where[banked] = where.get(banked, Fraction(0)) + share * chance
        done.append(sum(where.pop(banked) for banked in list(where) if banked >= options.target))
    return [Fraction(one) for one in done]


def check_small_run(options: farkle.Options) -> None:
    found = known("farkle", options.changed(), "turns")
    for turn, chance in enumerate(literal_turns(options, 4), 1):
        assert abs(Fraction(found.ways.get(turn, 0), found.of) - chance) < found.error
    assert abs(found.mean - worth(FARKLE, options, 1, "turns")(FARKLE.begin(options))) < Fraction(1, 10**6)


@pytest.mark.parametrize("chosen", [{"target": 200}, {"target": 300, "straight": True, "three_pairs": True}], ids=str)
def test_a_small_run_ends_as_the_literal_rules_say(chosen: dict[str, Any]) -> None:
    check_small_run(FARKLE.make_options(chosen))


@pytest.mark.parametrize(
    "chosen",
    [
        {"target": 250, "bank_minimum": 150},
        {"target": 150, "bank_minimum": 320},
        {"target": 250, "board_minimum": 200, "bank_minimum": 100, "hot_dice": False},
    ],
    ids=str,
)
def test_a_small_run_that_was_solved_here(chosen: dict[str, Any], solve_here: Solve) -> None:
    check_small_run(solve_here(FARKLE.make_options(chosen)))


def test_a_run_of_too_many_turns(solve_here: Solve) -> None:
    options = solve_here(FARKLE.make_options({"target": 200, "bank_minimum": 6000}))
    with pytest.raises(InvalidOption, match="too many turns"):
        coach.find_results(FARKLE, options, 1, "turns")


def test_the_presets_of_farkle() -> None:
    for name in ("casual", "standard", "spicy"):
        found, state = known("farkle", {"preset": name}, "turns"), FARKLE.begin({"preset": name})
        assert abs(found.mean - worth(FARKLE, state.options, 1, "turns")(state)) < Fraction(1, 10**7)
        assert 0 < found.error <= Fraction(1, 10**8)
    assert known("farkle", {}, "turns") == known("farkle", {"preset": "standard"}, "turns")


# Books, simulation, percentiles


def test_the_books_are_what_the_solvers_build() -> None:
    book = PACKAGED.joinpath(lite_results.BOOK).read_bytes()
    parts = dict(zip(json.loads(book.partition(b"\n")[0])["parts"], book.splitlines()[1:], strict=True))
    for title in lite_results.TITLES[:6]:
        assert lite_results._part(title) == parts[title]
    assert lite_results._bound(parts) == book
    assert lite_results.BOOK_VERSION == coach.BOOK_VERSION
    for contest in USUAL["ends"][:: times(5, 1)]:
        table, built = find_table("ends", contest), run_ends(contest)
        assert built.shape == (table.rows, table.columns)
        for place in range(0, table.rows, 20):
            off = [
                abs(value - round(chance * 2**FINE))
                for value, chance in zip(table.row(place), built[place], strict=True)
            ]
            assert max(off) <= 2 ** (FINE - 33)


def test_a_book_that_is_damaged_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "books").mkdir()
    damaged = PACKAGED.joinpath(coach.LITE_BOOK).read_bytes().replace(b", 1", b", 2", 1)
    (tmp_path / "books" / coach.LITE_BOOK).write_bytes(damaged)
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    with pytest.raises(InvalidOption, match="damaged"):
        coach._lite_book.__wrapped__()


def best_run(game_id: str, options: dict[str, Any], objective: str, run: int) -> int:
    table = Table(game_id, options=options, dice=SeededDice(f"results {run}"))
    while not table.is_over:
        table.play(advise(table.game, table.state, objective)[0].move)
    assert table.result is not None
    return table.result.scores[0]


@pytest.mark.parametrize(
    ("game_id", "options", "objective", "runs"),
    [
        ("lite-solo", {"reroll": True}, "score", times(60, 2000)),
        ("shut-the-box", {"rounds": 2, "goal": 0}, "golf", times(80, 3000)),
        ("farkle", {"max_turns": 2}, "arcade", times(60, 3000)),
        ("farkle", {"target": 5000}, "turns", times(10, 500)),
    ],
    ids=str,
)
def test_who_plays_perfectly_ends_with_that(game_id: str, options: dict[str, Any], objective: str, runs: int) -> None:
    """The mean percentile of perfect play is one half."""
    found, lower = known(game_id, options, objective), less_is_better(GAMES[game_id], objective)
    got = [percentile(found, best_run(game_id, options, objective, run), lower) for run in range(runs)]
    middle = sum(got, Fraction(0)) / runs
    error = sqrt(sum((one - middle) ** 2 for one in got) / (runs - 1) / runs)
    assert abs(middle - Fraction(1, 2)) < 3 * error


@pytest.mark.parametrize("lower", [False, True])
def test_percentiles(lower: bool) -> None:
    dice = Results(dict.fromkeys(FACES, 1), 6)
    assert [percentile(dice, die, lower=False) for die in (0, 1, 3, 6, 7)] == [
        0, Fraction(1, 12), Fraction(5, 12), Fraction(11, 12), 1,
    ]  # fmt: skip
    assert percentile(dice, Fraction(5, 2), lower) == Fraction(4 if lower else 2, 6), "also between two results"
    for found in (dice, known("shut-the-box", {}, "golf"), known("lite-solo", {}, "score")):
        mean_share = sum(ways * percentile(found, result, lower) for result, ways in found.ways.items()) / found.of
        assert mean_share == Fraction(1, 2)


@pytest.mark.parametrize(
    ("game_id", "options", "seats", "objective", "seat"),
    [
        ("lite-solo", {"wild": "contains"}, 1, "score", 0),
        ("shut-the-box", {"goal": 0}, 1, None, 0),
        ("shut-the-box", {"rounds": 2, "scoring": "missionary"}, 2, None, 1),
        ("farkle", {"max_turns": 2}, 3, None, 2),
    ],
    ids=str,
)
def test_a_report_tells_the_percentile(
    game_id: str, options: dict[str, Any], seats: int, objective: str | None, seat: int
) -> None:
    table = Table(game_id, options=options, seats=seats, seed="percentile")
    while not table.is_over:
        assert report(table.record(), seat, objective).percentile is None, "the run is not over"
        table.play(table.legal()[-1])
    told = report(table.record(), seat, objective)
    assert table.result is not None
    found = known(game_id, options, told.objective, seats)
    assert told.percentile == percentile(found, table.result.scores[seat], told.lower)


def test_a_chance_has_no_percentile() -> None:
    table = Table("lite-solo", options={"target": 90}, seed="percentile")
    while not table.is_over:
        table.play(table.legal()[0])
    assert report(table.record()).percentile is None
    assert report(table.record(), objective="score").percentile is not None


@pytest.mark.parametrize(
    ("game_id", "options", "objective", "why"),
    [
        ("lite-solo", {}, "target:90", "not known for target:90"),
        ("lite-solo", {}, "beauty", "score and target:N"),
        ("shut-the-box", {"instant": True}, "golf", "how many rounds"),
        ("shut-the-box", {"variant": "tournament45out"}, "golf", "how many rounds"),
        ("shut-the-box", {"per_round_scoring": False}, "golf", "only the best round"),
        ("shut-the-box", {}, "digital", "too many different totals"),
        ("shut-the-box", {"rounds": 31}, "golf", "too many different totals"),
        ("shut-the-box", {}, "shut", "not known for shut"),
        ("farkle", {}, "turn", "how many turns"),
        ("farkle", {"bank_minimum": 300}, "turns", "no book here"),
        ("farkle", {"max_turns": 3, "board_minimum": 500}, "arcade", "board_minimum"),
        ("farkle", {"max_turns": 21}, "arcade", "at most 20"),
        ("knucklebones", {}, "lead", "not known for lead"),
    ],
)
def test_what_is_not_known_says_why(game_id: str, options: dict[str, Any], objective: str, why: str) -> None:
    game = GAMES[game_id]
    chosen, seats = game.make_options(options), game.seats[0]
    assert results(game, chosen, seats, objective) is None
    with pytest.raises(InvalidOption, match=why):
        find_results(game, chosen, seats, objective)


def test_the_example_in_the_module() -> None:
    assert doctest.testmod(coach) == (0, 4)
