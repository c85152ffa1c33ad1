"""What positions of Knucklebones-lite versus are worth: against the literal rules, the solver's tables and simulated
games; and an exact measure of what the small book loses."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from importlib import resources
from itertools import pairwise
from math import sqrt
from pathlib import Path
from random import Random

import numpy as np
import pytest

from dicehall.coach.advise import advise
from dicehall.coach.lite_versus import large_book
from dicehall.coach.lite_versus import values as coach
from dicehall.coach.lite_versus.last_dice import LastDice
from dicehall.coach.lite_versus.sides import Side, choices, leads_of, points_of, side_bytes, side_of, with_die
from dicehall.coach.protocol import StepValues
from dicehall.dice import FACES, SeededDice
from dicehall.errors import InvalidOption
from dicehall.rules.catalog import GAMES
from dicehall.rules.game import DICE, NOBODY, outcomes
from dicehall.rules.lite_grid import score_board
from dicehall.rules.lite_versus import ID, VERSION, Options, State, actor, after, legal, result, rolled, start
from dicehall.solve import lite_versus as solver
from dicehall.solve import lite_versus_book, lite_versus_loss
from dicehall.solve.lite_versus import VARIANTS, Climb, Variant
from tests.coach.asked import versus
from tests.soak import SOAKING, times

Tables = list[tuple[solver.Layer, solver.Numbers]]  # by dice to come

STANDARD = Variant("off", False, "none")
# The solver does not know what a row scores but from the rules, so in `make test` each way to play comes up once.
SOLVED_HERE = VARIANTS[0], VARIANTS[4], VARIANTS[8], VARIANTS[9]
every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)

# The first player's ways to win, a draw counting one half, out of 2 x 6^18 and 2 x 6^20.
STARTS = {
    "wild-off": 101_065_991_136_243,  # 0.497568
    "wild-contains": 101_260_290_395_957,  # 0.498525
    "wild-natural": 101_176_871_395_177,  # 0.498114
    "wild-off-reroll": 3_633_766_625_208_361,  # 0.496938
    "wild-contains-reroll": 3_637_419_694_506_254,  # 0.497437
    "wild-natural-reroll": 3_635_862_143_795_495,  # 0.497224
    "wild-off-highest": 101_066_021_066_261,  # 0.497568
    "wild-contains-highest": 101_262_461_746_884,  # 0.498535
    "wild-natural-highest": 101_179_505_987_569,  # 0.498127
    "wild-off-reroll-highest": 3_633_429_864_603_872,  # 0.496892
    "wild-contains-reroll-highest": 3_637_059_042_245_731,  # 0.497388
    "wild-natural-reroll-highest": 3_635_577_244_712_906,  # 0.497185
}


def options_of(variant: Variant) -> Options:
    return Options(wild=variant.wild, reroll=variant.reroll, tiebreak=variant.tiebreak)


def slow_worth(state: State, seat: int, known: dict[State, Fraction]) -> Fraction:
    """The twin: every die and every move of the literal rules. What the position is worth to a seat."""
    if state not in known:
        who = actor(state)
        if who == NOBODY:
            winners = result(state).winners
            known[state] = Fraction(seat in winners, len(winners))
        elif who == DICE:
            rolls = [weight * slow_worth(rolled(state, dice), seat, known) for dice, weight in outcomes(1)]
            known[state] = sum(rolls, Fraction(0)) / 6
        else:
            best = max if who == seat else min
            known[state] = best(slow_worth(after(state, move), seat, known) for move in legal(state))
    return known[state]


def random_position(random: Random, options: Options, empty: int, tokens: tuple[bool, bool]) -> State:
    """Before a roll, with so many empty cells in all. More sixes than usual, so that ties and wild rows come up; and of
    some positions the one with the least lead, so that the game is open."""
    found = []
    for _ in range(10):
        boards = []
        for count in ((empty + 1) // 2, empty // 2):
            cells = random.sample(range(9), count)
            boards.append(tuple(0 if cell in cells else random.choice((*FACES, 6)) for cell in range(9)))
        mine, theirs = [score_board(board, False, options.wild) for board in boards]
        found.append((abs(mine - theirs), boards))
    seat, (mover, waiter) = random.randrange(2), min(found)[1]
    return State(options, (waiter, mover) if seat else (mover, waiter), seat, 0, tokens)


@every_variant
def test_late_positions_are_worth_what_the_literal_rules_say(variant: Variant) -> None:
    """The coach, and the solver's tables."""
    random, open_questions, options = Random(f"late {variant.name}"), 0, options_of(variant)
    value, climb = versus.values(options, 2, "win"), Climb(variant)
    known_to = 3 if SOAKING or variant in SOLVED_HERE else -1
    tables = [climb.to(to_come) for to_come in range(known_to + 1)]
    for empty in (0, 1, 2, 2, 3, 3, 4) if SOAKING or not variant.reroll else (0, 1, 2, 2, 3):
        tokens = (variant.reroll and random.random() < 0.8, variant.reroll and random.random() < 0.5)
        late, known = random_position(random, options, empty, tokens), dict[State, Fraction]()
        slow_worth(late, late.seat, known)
        for state in random.sample(list(known), min(len(known), 60)):
            found = known[state] if max(state.seat, 0) == late.seat else 1 - known[state]
            assert value(state) == found, state
            open_questions += 0 < found < 1
            if not state.die and sum(board.count(0) for board in state.boards) <= known_to:
                assert solver_worth(climb, tables, state) == found, state
    assert open_questions > 20, "too many of the positions were decided"


def solver_worth(climb: Climb, tables: Tables, state: State) -> Fraction:
    """Before a roll, from tables by dice to come."""
    to_come = sum(board.count(0) for board in state.boards)
    layer, numbers = tables[to_come]
    highest = climb.variant.tiebreak == coach.HIGHEST
    sides, totals = [], []
    for seat in (state.seat, 1 - state.seat):
        side, points = side_of(state.boards[seat], state.tokens[seat], highest, climb.variant.wild)
        sides.append(climb.known[side.empty].sides.index(side))
        totals.append(points)
    full = layer.mover[sides[0]]
    at = layer.row[sides[0]] + layer.column[full, sides[1]] + totals[0] - totals[1]
    return Fraction(int(numbers[at]), solver.whole(climb.variant, to_come))


# The whole game


@pytest.fixture(scope="module")
def tables() -> Tables:
    """All layers of the standard game."""
    climb = Climb(STANDARD)
    return [climb.to(to_come) for to_come in range(solver.ALL_DICE + 1)]


@pytest.fixture(scope="module")
def perfect(tables: Tables, tmp_path_factory: pytest.TempPathFactory) -> Iterator[coach.Play]:
    """The coach with the large book of the standard game in its cache."""
    folder = tmp_path_factory.mktemp("cache")
    parts = {str(to_come): tables[to_come][1].tobytes() for to_come in solver.LARGE}
    (folder / "lite-versus-wild-off.bin").write_bytes(solver.large_book(STANDARD, parts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DICEHALL_CACHE", str(folder))
        yield coach.Play("off", False, False)


def test_how_many_positions_there_are(tables: Tables) -> None:
    """As the solver's first lines tell."""
    assert sum(layer.size for layer, _ in tables) == 84_348_207
    assert sum(len(each.sides) for each in Climb(STANDARD).known) == 4495


def test_the_start_is_worth_what_the_solver_says(tables: Tables) -> None:
    assert int(tables[-1][1][0]) == STARTS["wild-off"]


@every_variant
def test_starts(variant: Variant) -> None:
    """Nobody has published these. `make soak` solves all variants again; the standard game is solved above."""
    ways = STARTS[variant.name]
    for first in ("human", "bot", "drawn"):
        options = Options(wild=variant.wild, reroll=variant.reroll, tiebreak=variant.tiebreak, first=first)
        begin = start(options, 2)
        found = Fraction(ways, 2 * 6 ** (20 if variant.reroll else 18))
        if first != "drawn":
            assert versus.values(options, 2, "win")(begin) == found
            continue
        assert versus.values(options, 2, "win")(begin) == Fraction(1, 2), "either may begin"
        to_first = [versus.step_values(options, 2, "win")(begin, rolled(begin, (die,))) for die in (3, 4)]
        assert to_first == [found, 1 - found]
    if SOAKING:
        assert int(Climb(variant).to(solver.ALL_DICE)[1][-1]) == ways


def test_the_first_positions_are_exact(tables: Tables) -> None:
    random, climb = Random("first"), Climb(STANDARD)
    value = versus.values(Options(), 2, "win")
    for empty in (18, 17, 16, 16):
        state = random_position(random, Options(), empty, (False, False))
        assert value(state) == solver_worth(climb, tables, state)
        state = rolled(state, (random.choice(FACES),))
        for now in [after(state, move) for move in legal(state)]:  # down to fifteen dice
            assert versus.step_values(Options(), 2, "win")(state, now) == 1 - solver_worth(climb, tables, now)


def test_the_last_dice_are_exact(tables: Tables) -> None:
    """Ten before a roll, and what leads to nine."""
    random, climb = Random("last"), Climb(STANDARD)
    value, step = versus.values(Options(), 2, "win"), versus.step_values(Options(), 2, "win")
    for empty in (10, 10, 9, 9, 8, 7):
        state = random_position(random, Options(), empty, (False, False))
        assert value(state) == solver_worth(climb, tables, state)
        state = rolled(state, (random.choice(FACES),))
        for now in [after(state, move) for move in legal(state)]:
            assert step(state, now) == 1 - solver_worth(climb, tables, now)


def slow_ways(mine: Side, theirs: Side, lead: int, wild: str) -> int:
    """The twin of the last dice: one position after the other."""
    dice = mine.empty + theirs.empty + mine.token + theirs.token
    if not mine.rows:
        won = 2 if lead > 0 else 0 if lead < 0 else (mine.high >= theirs.high) + (mine.high > theirs.high)
        return won * int(6**dice)
    again = [slow_ways(mine._replace(token=False), theirs, lead, wild)] if mine.token else []
    certain, ways = 2 * int(6 ** (dice - 1)), 0
    for die in FACES:
        found = [with_die(mine, row, die, max(mine.high, die) if mine.high else 0, wild) for row in set(mine.rows)]
        ways += max(again + [certain - slow_ways(theirs, side, -lead - points, wild) for side, points in found])
    return ways


@pytest.mark.parametrize("variant", [VARIANTS[0], VARIANTS[4], VARIANTS[11]], ids=lambda variant: variant.name)
def test_all_moves_with_few_dice_left(variant: Variant) -> None:
    """Every move that a die allows, the token's too, against the twin; leads as they come, and small ones."""
    random, options, last = Random(f"few {variant.name}"), options_of(variant), LastDice(variant.wild)
    highest, open_questions = variant.tiebreak == coach.HIGHEST, 0
    for number in range(times(24, 100)):
        tokens = (variant.reroll and random.random() < 0.7, variant.reroll and random.random() < 0.7)
        state = random_position(random, options, 1 + number % (3 if variant.reroll else 4), tokens)
        seat = state.seat
        mine, points = side_of(state.boards[seat], tokens[seat], highest, variant.wild)
        theirs, others = side_of(state.boards[1 - seat], tokens[1 - seat], highest, variant.wild)
        lead, die = random.choice((points - others, random.randint(-12, 12))), random.choice(FACES)
        dice = mine.empty + theirs.empty + mine.token + theirs.token
        assert last.before(mine, theirs, lead) == slow_ways(mine, theirs, lead, variant.wild)
        found = last.after(mine, die, theirs, lead)
        assert {side for side, _ in found} == {side for side, _ in choices(mine, variant.wild)[die - 1]} | (
            {mine._replace(token=False)} if mine.token else set()
        )
        for (side, gained), ways in found.items():
            if side.empty == mine.empty:
                assert ways == slow_ways(side, theirs, lead, variant.wild)
            else:
                assert ways == 2 * 6 ** (dice - 1) - slow_ways(theirs, side, -lead - gained, variant.wild)
            open_questions += 0 < ways < 2 * 6 ** (dice - 1)
    assert open_questions > 20, "too many of the positions were decided"


# Luck


@every_variant
def test_the_luck_of_all_six_dice_is_nothing_on_average(variant: Variant) -> None:
    """Along games of somebody who plays at random: what a position is worth before a roll is, to the last digit, the
    mean over the dice of what it is worth after it, and that is what the best move is worth."""
    random, options = Random(f"luck {variant.name}"), options_of(variant)
    value, step = versus.values(options, 2, "win"), versus.step_values(options, 2, "win")
    for _ in range(times(1, 8)):
        state = start(options, 2)
        while actor(state) != NOBODY:
            afterwards = [rolled(state, (die,)) for die in FACES]
            worth = [max(step(now, after(now, move)) for move in legal(now)) for now in afterwards]
            assert worth == [value(now) for now in afterwards] == [step(state, now) for now in afterwards]
            assert value(state) == sum(worth, Fraction(0)) / 6, state
            state = random.choice(afterwards)
            state = after(state, random.choice(legal(state)))


def test_what_is_said_of_a_move_is_what_is_said_of_the_position_after_it(tables: Tables) -> None:
    """But for a little where it is judged: the position's own value is nearer to the truth on average."""
    random, climb, value = Random("apart"), Climb(STANDARD), versus.values(Options(), 2, "win")
    step, apart, nearer = versus.step_values(Options(), 2, "win"), list[Fraction](), Fraction(0)
    for number in range(times(60, 600)):
        state = random_position(random, Options(), 11 + number % 5, (False, False))
        state = rolled(state, (random.choice(FACES),))
        now = after(state, random.choice(legal(state)))
        said, own, right = step(state, now), 1 - value(now), 1 - solver_worth(climb, tables, now)
        apart.append(abs(said - own))
        nearer += abs(said - right) - abs(own - right)
    assert 0 < sum(apart) / len(apart) < Fraction(1, 5000)
    assert max(apart) < Fraction(1, 300)
    assert nearer > 0


def test_large_books_hold_every_position(perfect: coach.Play, tables: Tables) -> None:
    random, climb, middle = Random("large"), Climb(STANDARD), 0
    for _ in range(times(150, 300)):
        state = random_position(random, Options(), random.randint(0, 18), (False, False))
        assert perfect.value(state) == solver_worth(climb, tables, state)
        middle += coach.LAST < sum(board.count(0) for board in state.boards) < coach.FIRST
    assert middle > times(30, 60)


def play_game(number: int, values: tuple[StepValues, StepValues]) -> Fraction:
    """Through the literal rules, each seat by values of its own; what the first seat has won."""
    dice, seen, state = SeededDice(f"versus {number}"), 0, start(Options(), 2)
    while actor(state) != NOBODY:
        state, seen = rolled(state, (dice.die(seen),)), seen + 1
        value = values[state.seat]
        state = max([after(state, move) for move in legal(state)], key=partial(value, state))
    winners = result(state).winners
    return Fraction(0 in winners, len(winners))


def test_perfect_play_wins_as_often_as_it_promises(perfect: coach.Play) -> None:
    games = times(60, 5_000)
    won = [play_game(number, (perfect.moved, perfect.moved)) for number in range(games)]
    mean = sum(won) / games
    error = sqrt(sum((one - mean) ** 2 for one in won) / (games - 1) / games)
    assert abs(float(mean - perfect.value(start(Options(), 2)))) < 3 * error


def test_the_small_book_plays_nearly_as_well(perfect: coach.Play) -> None:
    """Move for move: a loss is rare and small."""
    random, step, lost = Random("nearly"), versus.step_values(Options(), 2, "win"), []
    for _ in range(times(150, 3_000)):
        state = random_position(random, Options(), random.randint(11, 15), (False, False))
        state = rolled(state, (random.choice(FACES),))
        found = [after(state, move) for move in legal(state)]
        chosen = max(found, key=partial(step, state))
        lost.append(max(perfect.moved(state, one) for one in found) - perfect.moved(state, chosen))
    assert sum(lost) / len(lost) < Fraction(1, 100_000)
    assert max(lost) < Fraction(1, 1000)


# What the small book loses


@pytest.mark.rebuilds("dicehall.solve.lite_versus_loss")
def test_who_plays_by_the_book_loses_next_to_nothing(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exactly measured, over all positions, against the best opponent."""
    climb = Climb(STANDARD)
    monkeypatch.setattr(climb, "to", tables.__getitem__)
    found = lite_versus_loss.measure(climb, lite_versus_loss.read_judges(STANDARD))
    assert [f"{float(lost):.1e}" for lost in (found.first, found.second)] == ["1.2e-08", "1.2e-07"]
    moved, rolled, apart = map(lite_versus_loss.together, (found.moved, found.rolled, found.between))
    assert (moved.positions, *figures(moved)) == (866_207, 0.000127, 0.000175, 0.0032)
    assert (rolled.positions, *figures(rolled)) == (866_459, 0.000017, 0.000046, 0.00113)
    assert figures(apart)[0] == 0.000126
    assert figures(found.rolled[10]) == (0, 0, 0), "exact"
    assert list(found.moved) == [10, 11, 12, 13, 14]
    assert list(found.rolled) == [10, 11, 12, 13, 14, 15]
    told = lite_versus_loss.table("wild-off", found)
    assert "wild-off: who plays by the book loses 1.2e-08 first, 1.2e-07 second" in told
    assert "  after a move, all          866,207  0.000127  0.000175  0.003200" in told


def figures(off: lite_versus_loss.Off) -> tuple[float, ...]:
    return round(off.mean, 6), round(off.rms, 6), round(off.worst, 5)


def test_errors_are_measured_where_they_are(tables: Tables) -> None:
    """A hundred positions, one by one: what the coach says of them is as far off as the measure may say."""
    random, climb, play = Random("measured"), Climb(STANDARD), coach.Play("off", False, False)
    off = [abs(play._left(*one) - worth) for one, worth in judged_positions(random, climb, tables, 100)]
    assert Fraction(1, 20_000) < sum(off) / len(off) < Fraction(1, 5_000)
    assert max(off) < Fraction(32, 10_000)


def judged_positions(
    random: Random, climb: Climb, tables: Tables, count: int
) -> Iterator[tuple[coach.Position, Fraction]]:
    """With ten and eleven dice to come, and what they are worth."""
    for number in range(count):
        state = random_position(random, Options(), 10 + number % 2, (False, False))
        mine, points = side_of(state.boards[state.seat], False, False, "off")
        theirs, others = side_of(state.boards[1 - state.seat], False, False, "off")
        yield (mine, theirs, points - others), solver_worth(climb, tables, state)


@pytest.mark.skipif(not SOAKING, reason="takes minutes, and 8 GB with tokens and ties")
@every_variant
def test_in_every_variant_the_book_loses_next_to_nothing(variant: Variant) -> None:
    found = lite_versus_loss.measure(Climb(variant), lite_versus_loss.read_judges(variant))
    assert 0 < max(found.first, found.second) < Fraction(1, 10_000)
    moved = lite_versus_loss.together(found.moved)
    assert moved.mean < 0.003  # with tie-breakers, which the judgements leave out; else 0.0006 at most
    assert moved.worst < 0.06


@pytest.mark.parametrize("variant", [STANDARD, Variant("natural", True, "none")], ids=lambda variant: variant.name)
def test_the_coach_judges_as_the_measure_does(variant: Variant) -> None:
    """The one from the packed book, the other in compiled numbers; whichever full rows are behind a lead."""
    random, judges, leads = Random("judge"), lite_versus_loss.read_judges(variant), leads_of(1, 1, variant.wild)
    book = coach.Play(variant.wild, variant.reroll, False).book
    for to_come, judge in judges.items():
        known = [Climb(variant).known[(to_come + more) // 2].sides for more in (1, 0)]
        for _ in range(30):
            mine, theirs = [
                random.choice([number for number, start in enumerate(starts) if start >= 0])
                for starts in (judge.mover_start, judge.waiter_start)
            ]
            full = [3 - len(side.rows) for side in (known[0][mine], known[1][theirs])]
            lead, (points, others) = random.choice(list(leads_of(*full, variant.wild).items()))
            row, column = (
                judge.mover[judge.mover_start[mine] + points],
                judge.waiter[judge.waiter_start[theirs] + others],
            )
            told = lite_versus_loss.judgement(row, column)
            assert told == book.judgement(known[0][mine], known[1][theirs], lead)
    assert all(
        points_of(1, variant.wild)[one] - points_of(1, variant.wild)[other] == lead
        for lead, (one, other) in leads.items()
    )


def test_a_judgement_is_a_chance() -> None:
    assert lite_versus_loss.judgement(np.array([coach.UNIT, 3]), np.array([coach.UNIT, 1])) == coach.CERTAIN  # not more
    assert lite_versus_loss.judgement(np.array([coach.UNIT, -3]), np.array([-1, 1])) == 0


def test_however_far_ahead_a_seat_is_what_the_coach_says_is_a_chance() -> None:
    """Here the numbers of the two sides, multiplied, come to a little more than certain, and to less than nothing."""
    ahead, behind = Side(False, ((), ()), 0), Side(False, ((1,), (2,), (2, 2)), 0)
    assert coach.Play("off", False, False).book.judgement(ahead, behind, 54) == coach.CERTAIN
    behind, ahead = Side(False, ((), (2,)), 0), Side(True, ((), (5, 5)), 0)
    assert coach.Play("off", True, False).book.judgement(behind, ahead, -47) == 0


def test_more_lead_is_never_judged_worse_by_much() -> None:
    book = coach.Play("off", False, False).book
    mine, _ = side_of((6, 3, 2, 5, 0, 0, 0, 0, 0), False, False, "off")
    theirs, _ = side_of((1, 2, 4, 4, 0, 0, 0, 0, 0), False, False, "off")
    told = [book.judgement(mine, theirs, lead) for lead in sorted(leads_of(1, 1, "off"))]
    assert told[0] < coach.CERTAIN // 10 < 9 * coach.CERTAIN // 10 < told[-1]
    assert all(after > before - coach.CERTAIN // 200 for before, after in pairwise(told))


# The book


@pytest.mark.rebuilds("dicehall.solve.lite_versus_book")
def test_the_book_is_what_the_solver_builds(tables: Tables) -> None:
    """The sides, the curve, and of the standard game the first positions and one layer; `make soak` builds all."""
    chapter, climb = coach.chapter("wild-off"), Climb(STANDARD)
    first = b"".join(tables[to_come][1].astype(">i8").tobytes() for to_come in range(coach.FIRST, 19))
    assert chapter.startswith(first)
    here, numbers = tables[12]
    movers, waiters = [lite_versus_book.places(STANDARD, 12, climb.known[6]) for _ in range(2)]
    each = coach.rank(0, len(movers.side), len(waiters.side))
    judge = lite_versus_loss.read_judges(STANDARD)[12]
    fitted = lite_versus_book.fit(here, numbers, solver.whole(STANDARD, 12), movers, waiters, each)
    assert fitted[0].tolist() == judge.mover.tolist()
    assert fitted[1].tolist() == judge.waiter.tolist()
    book = coach._book()
    built = lite_versus_book.bound({variant.name: coach.chapter(variant.name) for variant in VARIANTS})
    head = json.loads(built.partition(b"\n")[0])
    assert (head["version"], head["game"], head["rules"]) == (coach.BOOK_VERSION, ID, VERSION)
    assert list(head["chapters"]) == list(book)
    assert built.endswith(zlib.compress(coach.chapter(VARIANTS[-1].name), 9))
    assert len(built) < 1_500_000
    if SOAKING:
        for variant in VARIANTS:
            assert lite_versus_book.solved(variant.name) == coach.chapter(variant.name)


def test_the_leading_vectors_are_those_of_the_matrix() -> None:
    """Against NumPy's singular values: the sum of the squares that are left over is as small as it can be."""
    random = Random("matrix")
    matrix = np.array([[random.random() * 0.8 ** abs(row - column) for column in range(30)] for row in range(50)])
    vectors, values = lite_versus_book.leading(matrix, 6)
    singular = np.linalg.svd(matrix, compute_uv=False)
    assert np.allclose(vectors.T @ vectors, np.eye(6))
    assert ((matrix - vectors @ values.T) ** 2).sum() == pytest.approx((singular[6:] ** 2).sum(), rel=0.01)


def test_books_for_dicehall_solve(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The small one by its parts; the large ones one by one, and only without tokens."""
    (small,) = lite_versus_book.books()
    assert small.name == coach.BOOK
    assert small.parts == tuple(variant.name for variant in VARIANTS)
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path))
    large = solver.large_books()
    assert [book.name for book in large] == [
        f"lite-versus-{variant.name}.bin" for variant in VARIANTS if not variant.reroll
    ]
    assert {book.folder for book in large} == {tmp_path}


def test_layers_come_in_any_order() -> None:
    climb = Climb(STANDARD)
    third = climb.part("3")
    assert climb.part("2") == Climb(STANDARD).part("2")
    assert climb.part("3") == third


def test_a_book_that_is_damaged_or_not_ours_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = Path(coach.__file__).parents[1].joinpath("books", coach.BOOK).read_bytes()
    (tmp_path / "books").mkdir()
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    wrong = {
        "damaged": book[:-1] + bytes([book[-1] ^ 1]),
        "made for other rules": book.replace(b'"rules": 1', b'"rules": 0', 1),
    }
    for reason, data in wrong.items():
        (tmp_path / "books" / coach.BOOK).write_bytes(data)
        with pytest.raises(InvalidOption, match=reason):
            coach._book.__wrapped__()


def test_large_books_that_are_missing_or_wrong_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path))
    parts = {"1": Climb(STANDARD).part("1")}
    right = solver.large_book(STANDARD, parts)
    _, text = right.partition(b"\n")[0].split(b" ", 1)
    older = text.replace(b'"rules": 1', b'"rules": 0')
    wrong = [b"", b"nonsense", right[:-1], right.replace(b'"rules": 1', b'"rules": 0', 1)]
    wrong.append(b"%08x %s\n%s" % (zlib.crc32(older), older, parts["1"]))
    assert large_book.find_large_book("wild-off") is None
    file = tmp_path / "lite-versus-wild-off.bin"
    for data in wrong:
        file.write_bytes(data)
        assert large_book.find_large_book("wild-off") is None
    file.write_bytes(right)
    found = large_book.find_large_book("wild-off")
    assert found
    mine, theirs = Side(False, ((5, 5),), 0), Side(False, (), 0)
    assert [found.ways(mine, theirs, lead) for lead in (-60, -45, -28, -22, -21)] == [0, 1, 5, 11, 12]


# Sides


@pytest.mark.parametrize("variant", [STANDARD, Variant("natural", True, coach.HIGHEST)])
def test_sides_are_the_same_to_coach_and_solver(variant: Variant) -> None:
    for empty, each in enumerate(Climb(variant).known[:9]):
        for side in each.sides[:: times(23, 1)]:
            assert side.empty == empty
            for die, found in zip(FACES, choices(side, variant.wild), strict=True):
                assert set(found) == set(solver._choices(side, die, variant) if empty else [])


def test_all_boards_that_are_the_same_side() -> None:
    assert side_of((5, 0, 5, 6, 2, 1, 0, 0, 3), True, False, "off") == (Side(True, ((3,), (5, 5)), 0), 9)
    assert side_of((3, 0, 0, 0, 5, 5, 2, 1, 6), True, True, "contains") == (Side(True, ((3,), (5, 5)), 6), 18)
    assert side_bytes(Side(True, ((3,), (5, 5)), 6)) == bytes([0, 3, 5, 5, 7, 7, 1, 6])


# Advice


def test_a_position_is_worth_its_best_move() -> None:
    for variant in VARIANTS:
        options = options_of(variant)
        random = Random(variant.name)
        value, step = versus.values(options, 2, "win"), versus.step_values(options, 2, "win")
        for empty in (18, 14, 11, 9, 7, 4, 2, 1):
            state = random_position(random, options, empty, (variant.reroll, variant.reroll))
            state = rolled(state, (random.choice(FACES),))
            assert value(state) == max(step(state, after(state, move)) for move in legal(state))
            advice = advise(GAMES[ID], state)
            assert advice[0].value == value(state)
            assert advice[0].loss == 0


def test_advice() -> None:
    """A third five beside two: nobody would do anything else."""
    game = GAMES[ID]
    state = game.rules.read_state(Options(), "55./6.2/... 41./2../6.. 0 5 --")
    best, second, *_ = advise(game, state)
    assert best.text == "c1"
    assert best.value - second.value == second.loss > Fraction(1, 10)


def test_objectives() -> None:
    assert versus.intended(Options(), 2) == "win"
    assert versus.values(Options(), 2, "win") == versus.values(Options(first="bot"), 2, "win")
    for objective in ("", "score", "win:3"):
        with pytest.raises(InvalidOption, match="has the objective win"):
            versus.values(Options(), 2, objective)
    with pytest.raises(InvalidOption, match="columns has too many positions"):
        versus.values(Options(columns=True), 2, "win")
    with pytest.raises(InvalidOption, match="not solved with the tie-breaker sum-middle-row"):
        versus.values(Options(tiebreak="sum-middle-row"), 2, "win")
