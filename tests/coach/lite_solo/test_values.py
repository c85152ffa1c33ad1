"""What positions of Knucklebones-lite solo are worth: against the literal rules, another solver, counting by hand, and
simulated runs."""

from __future__ import annotations

import json
import zlib
from fractions import Fraction
from importlib import resources
from itertools import combinations, permutations, product
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dicehall.coach.lite_solo import values as coach
from dicehall.dice import FACES, SeededDice
from dicehall.errors import InvalidOption
from dicehall.rules.game import DICE, NOBODY, outcomes
from dicehall.rules.lite_grid import COLUMNS, ROWS, Board, score_row
from dicehall.rules.lite_solo import ID, VERSION, Options, State, actor, after, legal, result, rolled, start
from dicehall.solve import lite_solo as solver
from tests.coach.asked import solo
from tests.soak import SOAKING, times

VARIANTS = [
    Options(columns=columns, reroll=reroll, wild=wild)
    for columns in (False, True)
    for wild in ("off", "contains", "natural")
    for reroll in (False, True)
]


def name_of(options: Options) -> str:
    return "-".join(f"{name}={value}" for name, value in options.changed().items()) or "plain"


every_variant = pytest.mark.parametrize("options", VARIANTS, ids=name_of)


def goal(objective: str, score: int) -> int:
    return score if objective == "score" else int(score >= int(objective.removeprefix("target:")))


Worths = tuple[Fraction, ...]  # by objective


def slow_worths(state: State, objectives: tuple[str, ...], known: dict[State, Worths]) -> Worths:
    """The twin: every die and every move of the literal rules, once for all objectives."""
    if state not in known:
        who = actor(state)
        if who == NOBODY:
            score = result(state).scores[0]
            known[state] = tuple(Fraction(goal(objective, score)) for objective in objectives)
        elif who == DICE:
            rolls = [slow_worths(rolled(state, dice), objectives, known) for dice, weight in outcomes(1)]
            known[state] = tuple(sum(worths, Fraction(0)) / 6 for worths in zip(*rolls, strict=True))
        else:
            moves = [slow_worths(after(state, move), objectives, known) for move in legal(state)]
            known[state] = tuple(map(max, zip(*moves, strict=True)))
    return known[state]


@every_variant
def test_late_positions_are_worth_what_the_literal_rules_say(options: Options) -> None:
    random, open_questions = Random(f"late {options}"), 0
    for empty in (0, 1, 2, 3, 3, 4, 4, 5) if SOAKING else (0, 1, 2, 3, 3, 3, 4):
        cells = random.sample(range(9), empty)
        board = tuple(0 if cell in cells else random.choice(FACES) for cell in range(9))
        late, known = State(options, board, 0, options.reroll), dict[State, Worths]()
        likely = int(solo.values(options, 1, "score")(late))
        objectives = "score", f"target:{likely}", f"target:{likely + random.randint(-8, 12)}"
        slow_worths(late, objectives, known)
        states = list(known)
        for number, objective in enumerate(objectives):
            value = solo.values(options, 1, objective)
            for state in random.sample(states, min(len(known), 60)):
                assert value(state) == known[state][number], (state, objective)
                open_questions += 0 < known[state][number] < 1
    assert open_questions > 20, "too many of the targets were certain or out of reach"


def literal_sweep(options: Options, objective: str) -> int:
    """The twin for whole games: all 7^9 boards as they lie, by the cells that are filled. No symmetry, no book."""
    scores: NDArray[Any] = np.zeros((6,) * 9, np.int64)
    points = [score_row(line, options.wild).score for line in product(FACES, repeat=3)]
    for line in ROWS + COLUMNS if options.columns else ROWS:
        scores += np.reshape(points, [6 if cell in line else 1 for cell in range(9)])
    ends = scores if objective == "score" else (scores >= int(objective.removeprefix("target:"))).astype(np.int32)
    plain, token = {tuple(range(9)): ends}, {tuple(range(9)): 6 * ends}
    for count in range(8, -1, -1):
        plain_before, token_before = {}, {}
        for filled in combinations(range(9), count):
            more = [tuple(sorted((*filled, cell))) for cell in range(9) if cell not in filled]
            steps = [(cells, next(axis for axis, cell in enumerate(cells) if cell not in filled)) for cells in more]
            by_die = [[plain[cells].take(die, axis) for cells, axis in steps] for die in range(6)]
            plain_before[filled] = sum(map(np.maximum.reduce, by_die))
            if options.reroll:
                again = plain_before[filled]
                by_die = [[again, *(token[cells].take(die, axis) for cells, axis in steps)] for die in range(6)]
                token_before[filled] = sum(map(np.maximum.reduce, by_die))
        plain, token = plain_before, token_before
    return int((token if options.reroll else plain)[()])


@pytest.mark.parametrize(
    ("options", "objective"),
    [(options, objective) for options in VARIANTS for objective in ("score", "target:100")]
    if SOAKING
    else [(Options(columns=True, reroll=True, wild="contains"), "target:140")],
    ids=str,
)
def test_whole_games_are_worth_what_all_literal_boards_say(options: Options, objective: str) -> None:
    ways = literal_sweep(options, objective)
    assert solo.values(options, 1, objective)(start(options, 1)) == Fraction(ways, 6 ** (9 + options.reroll))


@pytest.mark.parametrize(
    ("columns", "wild", "plain", "token"),
    [
        (False, "off", 660_143_133, 4_371_579_507),  # 65.505 and 72.298 points
        (False, "contains", 680_643_364, 4_439_434_748),  # 67.540 and 73.420
        (False, "natural", 698_849_391, 4_590_347_202),  # 69.346 and 75.916
        (True, "off", 1_101_519_657, 7_220_360_550),  # 109.303 and 119.412
        (True, "contains", 1_258_535_415, 8_195_123_974),  # 124.883 and 135.532
        (True, "natural", 1_274_037_833, 8_330_972_235),  # 126.422 and 137.779
    ],
)
def test_expected_scores(columns: bool, wild: str, plain: int, token: int) -> None:
    """Out of 6^9 and 6^10. Nobody has published these; the literal boards gave the same ones, in `make soak`."""
    for options, ways in ((Options(columns, False, wild), plain), (Options(columns, True, wild), token)):
        assert solo.values(options, 1, "score")(start(options, 1)) == Fraction(ways, 6 ** (9 + options.reroll))


def test_published_chances() -> None:
    """The game's own page on targets: 90 about once in nine runs, 150 about once in 120,000."""
    begin = start(Options(), 1)
    assert solo.values(Options(), 1, "target:90")(begin) == Fraction(1_085_322, 6**9)
    assert solo.values(Options(), 1, "target:150")(begin) == Fraction(85, 6**9)


@every_variant
def test_every_target_from_the_start(options: Options) -> None:
    """The ends by hand.

    The highest score takes nine times the same die: a six, or a five where a six caps its row at twice the sum. With
    ten dice it comes in 6 ways without the reroll, the last die being any, and in 9 x 5 with it: one of the first nine
    is another face, and the last one makes up for it.
    """
    highest = (135 if options.wild == "contains" else 162) * (2 if options.columns else 1)
    chances = [solo.values(options, 1, f"target:{target}")(start(options, 1)) for target in range(highest + 10)]
    assert chances == sorted(chances, reverse=True)
    assert chances[highest] == Fraction(6 + 45 if options.reroll else 6, 6**10)
    assert chances[highest + 1 :] == [0] * 9
    assert chances[18 if options.columns else 9] == 1, "nine ones, and every other board is more"


@every_variant
def test_a_position_is_worth_its_best_move_and_its_mean_roll(options: Options) -> None:
    """Along random games, so also where the book ends."""
    for objective in ("score", f"target:{130 if options.columns else 75}"):
        random, value, state = Random(f"{objective} {options}"), solo.values(options, 1, objective), start(options, 1)
        while actor(state) != NOBODY:
            rolls = [(weight, rolled(state, dice)) for dice, weight in outcomes(1)]
            assert value(state) * 6 == sum(weight * value(position) for weight, position in rolls), state
            state = random.choice(rolls)[1]
            assert value(state) == max(value(after(state, move)) for move in legal(state)), state
            state = after(state, random.choice(legal(state)[:9]))
        assert value(state) == goal(objective, result(state).scores[0])


@pytest.mark.parametrize(
    ("options", "objective", "runs"),
    [
        (Options(), "score", times(300, 10_000)),
        (Options(columns=True, reroll=True, wild="contains"), "score", times(150, 3_000)),
        (Options(wild="natural"), "target:80", times(100, 3_000)),
        (Options(columns=True), "target:120", times(50, 3_000)),
    ],
    ids=str,
)
def test_who_plays_by_it_gets_what_it_promises(options: Options, objective: str, runs: int) -> None:
    value, got = solo.values(options, 1, objective), []
    for run in range(runs):
        dice, seen, state = SeededDice(f"greedy {run}"), 0, start(options, 1)
        while actor(state) != NOBODY:
            state, seen = rolled(state, (dice.die(seen),)), seen + 1
            state = max([after(state, move) for move in legal(state)], key=value)
        got.append(goal(objective, result(state).scores[0]))
    mean = sum(got) / runs
    error = sqrt(sum((one - mean) ** 2 for one in got) / (runs - 1) / runs)
    assert abs(mean - value(start(options, 1))) < 3 * error


def turned(board: Board) -> set[Board]:
    """With columns, a board and the up to 71 others that are the same to a player."""
    found = set()
    for rows, columns in product(permutations(range(3)), repeat=2):
        found.add(tuple(board[3 * row + column] for row in rows for column in columns))
        found.add(tuple(board[3 * row + column] for column in columns for row in rows))
    return found


def test_boards_that_can_be_turned_into_each_other_are_one() -> None:
    random = Random("turned")
    for _ in range(50):
        board = tuple(random.choice((0, 0, *FACES)) for _ in range(9))
        assert {coach._canonical(other, True) for other in turned(board)} == {min(turned(board))}
        rows = [random.sample(board[at : at + 3], 3) for at in random.sample((0, 3, 6), 3)]
        shuffled = tuple(die for row in rows for die in row)
        assert coach._canonical(shuffled, False) == coach._canonical(board, False)
    boards = [tuple(random.choice((0, *FACES)) for _ in range(9)) for _ in range(500)]
    numbers = solver.canonical(np.array(boards), True)
    assert [int("".join(map(str, coach._canonical(board, True))), 8) for board in boards] == numbers.tolist()


@pytest.fixture(scope="module", params=[False, True], ids=["rows", "columns"])
def play(request: pytest.FixtureRequest) -> solver.PerfectPlay:
    return solver.perfect_play(request.param)


def test_how_many_boards_there_are(play: solver.PerfectPlay) -> None:
    """As the solver's first lines tell; the full one is not among the layers."""
    assert sum(len(layer.boards) for layer in play.layers) + 1 == (67_646 if play.columns else 4_495)
    if play.columns:
        pairs = product(combinations(range(9), 2), FACES, FACES)
        boards = [tuple({one: a, two: b}.get(cell, 0) for cell in range(9)) for (one, two), a, b in pairs]
        assert sorted({min(turned(board)) for board in boards}) == list(map(tuple, play.layers[2].boards.tolist()))


def chapters_in(book: str) -> dict[str, bytes]:
    return {title: zlib.decompress(packed) for title, packed in coach._book(book).items()}


@pytest.mark.rebuilds("dicehall.solve.lite_solo")
@pytest.mark.parametrize("book", [coach.SCORES, coach.TARGETS])
def test_the_books_are_what_the_solver_builds(book: str) -> None:
    known = chapters_in(book)
    assert tuple(known) == solver.TITLES
    for title in solver.TITLES:
        if SOAKING or (book, title[:7]) != (coach.TARGETS, "columns") or title == "columns boards":
            assert known[title] == solver.chapter(book, title), title


@pytest.mark.parametrize("book", [coach.SCORES, coach.TARGETS])
def test_the_books_are_small_and_say_what_they_are_for(book: str) -> None:
    written = solver.book_bytes(chapters_in(book))  # not as shipped: another zlib may pack otherwise
    assert len(written) < {coach.SCORES: 80_000, coach.TARGETS: 640_000}[book]
    head = json.loads(written.partition(b"\n")[0])
    assert (head["version"], head["game"], head["rules"]) == (coach.BOOK_VERSION, ID, VERSION)


def test_a_book_that_is_damaged_or_not_ours_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = Path(coach.__file__).parents[1].joinpath("books", coach.SCORES).read_bytes()
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "damaged.bin").write_bytes(book[:-1] + bytes([book[-1] ^ 1]))
    (tmp_path / "books" / "older.bin").write_bytes(book.replace(b'"rules": 1', b'"rules": 0', 1))
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    for name, reason in (("damaged.bin", "damaged"), ("older.bin", "made for other rules")):
        with pytest.raises(InvalidOption, match=reason):
            coach._book.__wrapped__(name)


def test_objectives() -> None:
    assert solo.intended(Options(), 1) == "score"
    assert solo.intended(Options(target=77), 1) == "target:77"
    assert solo.values(Options(target=90), 1, "target:90") == solo.values(Options(), 1, "target:90")
    for objective in ("", "win", "target", "target:", "target:x", "target:-1", "target:12345", "score:3", "target:٣"):
        with pytest.raises(InvalidOption, match="score and target:N"):
            solo.values(Options(), 1, objective)
