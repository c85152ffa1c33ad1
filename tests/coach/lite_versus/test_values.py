"""What positions of Knucklebones-lite versus are worth: against the literal rules, the solver's tables and simulated
games; and an exact measure of what the small book loses."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib import resources
from itertools import pairwise
from math import sqrt
from pathlib import Path
from random import Random

import pytest

from dicehall.coach.advise import advise
from dicehall.coach.lite_versus import large_book
from dicehall.coach.lite_versus import values as coach
from dicehall.coach.lite_versus.sides import Side, choices, side_bytes, side_of
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
    for empty in (18, 17, 16, 16, 15, 15, 15):
        state = random_position(random, Options(), empty, (False, False))
        assert value(state) == solver_worth(climb, tables, state)


def test_large_books_hold_every_position(perfect: coach.Play, tables: Tables) -> None:
    random, climb, middle = Random("large"), Climb(STANDARD), 0
    for _ in range(times(150, 300)):
        state = random_position(random, Options(), random.randint(0, 18), (False, False))
        assert perfect.value(state) == solver_worth(climb, tables, state)
        middle += coach.LAST < sum(board.count(0) for board in state.boards) < coach.FIRST
    assert middle > times(50, 100)


def play_game(number: int, values: tuple[Callable[[State], Fraction], Callable[[State], Fraction]]) -> Fraction:
    """Through the literal rules, each seat by values of its own; what the first seat has won."""
    dice, seen, state = SeededDice(f"versus {number}"), 0, start(Options(), 2)
    while actor(state) != NOBODY:
        state, seen = rolled(state, (dice.die(seen),)), seen + 1
        value = values[state.seat]
        state = min([after(state, move) for move in legal(state)], key=value)  # the other seat moves next
    winners = result(state).winners
    return Fraction(0 in winners, len(winners))


def test_perfect_play_wins_as_often_as_it_promises(perfect: coach.Play) -> None:
    games = times(60, 5_000)
    won = [play_game(number, (perfect.value, perfect.value)) for number in range(games)]
    mean = sum(won) / games
    error = sqrt(sum((one - mean) ** 2 for one in won) / (games - 1) / games)
    assert abs(float(mean - perfect.value(start(Options(), 2)))) < 3 * error


def test_the_small_book_plays_nearly_as_well(perfect: coach.Play) -> None:
    """Move for move: a loss is rare and small."""
    random, value, lost = Random("nearly"), versus.values(Options(), 2, "win"), []
    for _ in range(times(150, 3_000)):
        state = random_position(random, Options(), random.randint(8, 15), (False, False))
        state = rolled(state, (random.choice(FACES),))
        found = [after(state, move) for move in legal(state)]
        chosen = min(found, key=value)
        lost.append(perfect.value(chosen) - min(perfect.value(one) for one in found))
    assert 0 < sum(lost) / len(lost) < Fraction(1, 1000)
    assert sum(one > Fraction(1, 200) for one in lost) < len(lost) / 50


# What the small book loses


def judges(variant: Variant) -> dict[int, lite_versus_book.Judge]:
    plain = variant._replace(tiebreak="none")
    return lite_versus_book.judges(plain, coach._chapter(plain.name), Climb(plain).known)


@pytest.mark.rebuilds("dicehall.solve.lite_versus_loss")
def test_who_plays_by_the_book_loses_next_to_nothing(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exactly measured, over all positions, against the best opponent."""
    climb = Climb(STANDARD)
    monkeypatch.setattr(climb, "to", tables.__getitem__)
    found = lite_versus_loss.measure(climb, judges(STANDARD))
    assert [round(float(lost), 6) for lost in (found.first, found.second)] == [0.000165, 0.000126]
    assert round(float(found.error), 3) == 0.003
    assert round(float(found.largest), 2) == 0.09


@pytest.mark.skipif(not SOAKING, reason="takes minutes, and 8 GB with tokens and ties")
@every_variant
def test_in_every_variant_the_book_loses_next_to_nothing(variant: Variant) -> None:
    found = lite_versus_loss.measure(Climb(variant), judges(variant))
    assert 0 < max(found.first, found.second) < Fraction(3, 10_000)  # 0.000287 with natural sixes and tokens
    assert found.error < Fraction(6, 1000)
    assert found.largest < Fraction(1, 2 if variant.reroll else 10)  # some odd positions with tokens are misjudged


def test_the_coach_judges_as_the_measure_does() -> None:
    """The one in Python's numbers, the other in compiled ones."""
    random, shape = Random("judge"), lite_versus_book.curve()
    judge = judges(STANDARD)[9]
    for _ in range(500):
        mine, theirs = random.randrange(len(judge.mover)), random.randrange(len(judge.waiter))
        lead = random.choice((0, random.randint(-60, 60)))
        mover, waiter = judge.mover[mine], judge.waiter[theirs]
        told = lite_versus_book.judgement(lead, mover, waiter, shape)
        assert told == coach.judgement(lead, tuple(mover.tolist()), tuple(waiter.tolist()))
    assert coach.judgement(90, (0, 0, 0), (0, 0, -30_000)) == coach.CERTAIN  # and not more
    assert coach.judgement(-90, (0, 0, 0), (0, 0, 30_000)) == 0


def test_more_lead_is_never_judged_worse_by_much() -> None:
    book = coach.Play("off", False, False).book
    mine, _ = side_of((6, 0, 0, 5, 0, 0, 3, 2, 4), False, False, "off")
    theirs, _ = side_of((1, 2, 0, 4, 0, 0, 3, 3, 5), False, False, "off")
    told = [coach.judgement(lead, book.mover(mine, 7), book.waiter(theirs, 7)) for lead in range(-48, 49)]
    assert told[0] < coach.CERTAIN // 10 < 49 * coach.CERTAIN // 50 < told[-1]
    assert all(after > before - coach.CERTAIN // 100 for before, after in pairwise(told))


# The book


@pytest.mark.rebuilds("dicehall.solve.lite_versus_book")
def test_the_book_is_what_the_solver_builds(tables: Tables) -> None:
    """The sides, the curve, and of the standard game the first positions and one layer; `make soak` builds all."""
    chapter, climb = coach._chapter("wild-off"), Climb(STANDARD)
    first = b"".join(tables[to_come][1].astype(">i8").tobytes() for to_come in range(coach.FIRST, 19))
    assert chapter.startswith(first)
    points = lite_versus_book.alone(climb.known)
    here, numbers = tables[12]
    fitted = lite_versus_book.fit(here, numbers, solver.whole(STANDARD, 12), points[6], points[6])
    for found, known in zip(fitted, judges(STANDARD)[12], strict=True):
        assert found.tolist() == known.tolist()
    book = coach._book()
    built = lite_versus_book.bound({variant.name: coach._chapter(variant.name) for variant in VARIANTS})
    head = json.loads(built.partition(b"\n")[0])
    assert (head["version"], head["game"], head["rules"]) == (coach.BOOK_VERSION, ID, VERSION)
    assert list(head["chapters"]) == list(book)
    assert built.endswith(zlib.compress(coach._chapter(VARIANTS[-1].name), 9))
    assert len(built) < 900_000
    if SOAKING:
        for variant in VARIANTS:
            assert lite_versus_book.solved(variant.name) == coach._chapter(variant.name)


def test_sides_play_alone_as_in_the_solo_game() -> None:
    """Where the search for the best numbers begins: the best expected scores, as `lite_solo` has them."""
    for reroll, mean in ((False, Fraction(660_143_133, 6**9)), (True, Fraction(4_371_579_507, 6**10))):
        points = lite_versus_book.alone(Climb(Variant("off", reroll, "none")).known)[9]
        assert points[-1, 0] == pytest.approx(float(mean))
        assert points[0, 0] == pytest.approx(660_143_133 / 6**9)
        assert points[-1, 1] > 200


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
