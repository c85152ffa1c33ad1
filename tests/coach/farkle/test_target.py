"""Farkle to the target, alone and in a race: against the literal rules, and the books against themselves."""

from __future__ import annotations

import json
import zlib
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

from dicehall.coach.farkle import tables, target
from dicehall.coach.farkle.contest import USUAL_TARGET, Contest, contest_name, contest_of
from dicehall.coach.farkle.tables import BOOK, BOOK_VERSION, FINE, ValueTable, find_table
from dicehall.errors import InvalidOption
from dicehall.rules import farkle
from dicehall.rules.farkle import Options, read_state, start
from dicehall.rules.farkle_scoring import LITE, Scoring
from dicehall.rules.farkle_state import END
from dicehall.rules.game import outcomes
from dicehall.solve import farkle_books as solver
from dicehall.solve.farkle import solve
from dicehall.solve.farkle_books import USUAL, book_bytes
from dicehall.solve.workshop import PACKAGED
from tests.coach.asked import farkle as asked
from tests.coach.conftest import Solve, solve_options
from tests.coach.farkle.twin import CLOSE, Circle, Twin
from tests.soak import SOAKING, times

SMALL_RUNS = [
    Options(target=200),
    Options(target=300, hot_dice=False),
    Options(target=230, straight=True, three_pairs=True),
    Options(target=250, hot_dice=False, three_pairs=True, four_plus_pair=True),
    Options(target=400, straight=True),
]
UNUSUAL_RUNS = [
    Options(target=250, bank_minimum=150),
    Options(target=150, bank_minimum=320),
    Options(target=200, board_minimum=300, bank_minimum=50),
    Options(target=250, board_minimum=200, bank_minimum=100, hot_dice=False, straight=True, straight_points=200),
    Options(target=180, bank_minimum=400, hot_dice=False),
    Options(target=300, three_pairs=True, three_pairs_points=650, board_minimum=250),
    Options(target=240, straight=True, straight_points=75, bank_minimum=110),
    Options(target=190, hot_dice=False, straight=True, straight_points=60, board_minimum=130),
]


def check_run(options: Options) -> None:
    circle, value = Circle(start(options, 1)), asked.values(options, 1, "turns")
    for state, still in zip(circle.states, circle.solved("turns"), strict=True):
        done = state.round - (state.phase != END)
        assert abs(value(state) - (done + still)) < CLOSE * max(still, 1), state


@pytest.mark.parametrize("options", SMALL_RUNS if SOAKING else SMALL_RUNS[:4], ids=lambda o: str(o.changed()))
def test_every_position_of_a_small_run(options: Options) -> None:
    check_run(options)


@pytest.mark.parametrize("options", UNUSUAL_RUNS, ids=lambda o: str(o.changed()))
def test_every_position_of_a_small_run_under_unusual_options(options: Options, solve_here: Solve) -> None:
    check_run(solve_here(options))


SMALL_RACES = [Options(target=200), Options(target=130, straight=True, three_pairs=True)]
UNUSUAL_RACES = [
    Options(target=150, bank_minimum=100),
    Options(target=100, bank_minimum=200),
    Options(target=150, board_minimum=200, hot_dice=False),
    Options(target=100, board_minimum=150, three_pairs=True, three_pairs_points=100),
    # in steps of five points there are many positions: `make soak` has twice as many
    Options(target=125 if SOAKING else 90, straight=True, straight_points=60, three_pairs=True, three_pairs_points=85),
]


def check_race(options: Options) -> None:
    circle, value = Circle(start(options, 2)), asked.values(options, 2, "race")
    for state, first in zip(circle.states, circle.solved("race"), strict=True):
        assert abs(value(state) - (1 - first if state.seat else first)) < CLOSE, state


@pytest.mark.parametrize("options", SMALL_RACES, ids=lambda o: str(o.changed()))
def test_every_position_of_a_small_race(options: Options) -> None:
    check_race(options)


@pytest.mark.parametrize("options", UNUSUAL_RACES, ids=lambda o: str(o.changed()))
def test_every_position_of_a_small_race_under_unusual_options(options: Options, solve_here: Solve) -> None:
    check_race(solve_here(options))


LAST_TURNS = [  # what the seat lacks is 250, 50, 500, 100
    ("0:250 0 4 0 ...... banked 1", {"target": 250}),
    ("300:250 1 4 0 ...... banked 0", {"target": 300, "bank_minimum": 400}),
    ("0:500 0 4 0 ...... banked 1", {"target": 500, "board_minimum": 450, "hot_dice": False}),
    ("200:300 0 4 0 ...... farkle 1", {"target": 300, "straight": True, "three_pairs": True}),
    ("75:300 0 4 0 ...... farkle 1", {"target": 300, "straight": True, "straight_points": 75}),
]


@pytest.mark.parametrize(("text", "chosen"), LAST_TURNS)
def test_a_last_turn_is_worth_what_the_literal_rules_say(text: str, chosen: dict[str, int], solve_here: Solve) -> None:
    """Played to the end: a win counts one, a draw one half. Whoever is ahead banks as soon as it may."""
    state = read_state(solve_here(Options(last_turn=True, **chosen)), text)  # type: ignore[arg-type]
    me, lack = state.seat, abs(state.banked[0] - state.banked[1])

    def end(before: farkle.State, now: farkle.State) -> Fraction | None:
        if now.phase != END:
            return None
        winners = farkle.result(now).winners
        return Fraction(int(me in winners), len(winners))

    twin, value = Twin(end, ceiling=lack + 50), asked.values(state.options, 2, "race")
    assert abs(value(state) - twin.value(state, state)) < CLOSE
    seen = 0
    for roll in Random(text).sample([roll for roll, _ in outcomes(6)], 40):
        now = farkle.rolled(state, roll)
        if now.phase == END:
            assert value(now) == 0
            continue
        for move in farkle.legal(now):
            kept = farkle.after(now, move)
            assert abs(value(kept) - twin.value(now, kept)) < CLOSE, (roll, move)
            seen += 1
    assert seen > 40


@pytest.mark.parametrize("contest", USUAL["race"], ids=contest_name)
def test_the_race_agrees_with_itself_wherever_a_turn_begins(contest: Contest) -> None:
    """Each chance in the book, against the turn that is swept from the others."""
    win, random = find_table("race", contest), Random("race")
    for _ in range(times(6, 1000)):
        mine, theirs = random.randint(1, USUAL_TARGET), random.randint(1, USUAL_TARGET)
        turn = target._race_turn(contest, mine, theirs)
        assert abs(turn.before() - win.row(mine)[theirs]) * 2.0**-FINE < 2 * CLOSE, (mine, theirs)


def test_a_better_score_is_never_worse() -> None:
    for contest in USUAL["turns"]:
        turns = find_table("turns", contest).row(0)
        assert turns == sorted(turns)
    for contest in USUAL["race"]:
        if contest.last_turn:
            continue  # where that is not so: see below
        win = [find_table("race", contest).row(need) for need in range(USUAL_TARGET + 1)]
        for need in range(1, USUAL_TARGET + 1):
            assert win[need][1:] == sorted(win[need][1:]), "the more the other needs, the better"
            column = [row[need] for row in win[1:]]
            assert column == sorted(column, reverse=True), "the less is needed, the better"
            assert win[need][need] * 2 > 1 << FINE, "the first to move has the better chance"
    for contest in USUAL["last"]:
        (last,) = [find_table("last", contest).row(0)]
        assert last[1:] == sorted(last[1:], reverse=True), "the less is lacking, the better"
        assert last[-1] == 0


def test_a_turn_total_that_reaches_the_target_and_is_rolled_on() -> None:
    """One die, and a farkle in four of six; the others bring what banking would have brought."""
    state = read_state(Options(), "9800:9000 0 9 250 [11155]. rolled -")
    farkled = read_state(Options(), "9800:9000 1 9 0 ...... farkle -")
    value = asked.values(Options(), 2, "race")
    assert abs(value(state) - (2 + 4 * (1 - value(farkled))) / 6) < CLOSE
    assert value(read_state(Options(), "9800:9000 0 9 250 [11155]2 selected -")) == 1
    odd = Options(target=9990)
    assert asked.values(odd, 2, "race")(read_state(odd, "9750:9000 0 9 250 [11155]2 selected -")) == 1
    assert asked.values(odd, 2, "race")(read_state(odd, "9750:9000 0 9 200 [11155]2 selected -")) < 1


def test_whoever_reaches_the_target_may_go_on_when_the_other_has_a_last_turn() -> None:
    """9,950 against 10,000, five ones rolled: with all six dice to come it would be a pity to bank 50 points more."""
    options = Options(last_turn=True)
    value = asked.values(options, 2, "race")
    banked = read_state(options, "10000:9950 1 9 0 ...... banked 0")
    hot = read_state(options, "9000:9950 0 9 1000 ...... selected -")
    assert value(hot) > 1 - value(banked)
    assert asked.values(Options(), 2, "race")(read_state(Options(), "9000:9950 0 9 1000 ...... selected -")) == 1


def test_it_can_be_better_to_stop_short_of_the_target() -> None:
    """400 against 0 to go 600: reaching the target just so leaves the other seat, at 400, a last turn to beat it."""
    options = Options(target=600, last_turn=True)
    value = asked.values(options, 2, "race")
    just, short = (read_state(options, f"0:400 0 4 {turn_total} [14444]2 selected -") for turn_total in (600, 500))
    assert value(just) < value(short)


@pytest.mark.rebuilds("dicehall.solve.farkle_books")
def test_the_book_is_what_the_solver_builds() -> None:
    for contest in USUAL["turns"]:
        turns = find_table("turns", contest).row(0)
        assert np.abs(np.array(turns) * 2.0**-FINE - solve("turns", contest)[0]).max() < 2.0**-FINE
    for contest in USUAL["last"]:
        last = np.array(find_table("last", contest).row(0)) * 2.0**-FINE
        assert np.abs(last - solve("last", contest)[0]).max() <= 2.0**-33
    for contest in USUAL["race"]:
        lower = contest._replace(target=times(30, USUAL_TARGET))
        table = find_table("race", contest)
        win = np.array([table.row(place)[: lower.target + 1] for place in range(lower.target + 1)])
        assert np.abs(win * 2.0**-FINE - solve("race", lower)).max() <= 2.0**-33


def test_the_book_is_written_the_same_every_time() -> None:
    """Byte for byte, with the tables taken from the book itself, because solving is tested above."""
    (book,) = solver.books()
    solved = {}
    for title in book.parts:
        kind, name = title.split()
        (contest,) = [one for one in USUAL[kind] if contest_name(one) == name]
        table = find_table(kind, contest)
        rows = np.array([table.row(number) for number in range(table.rows)]) * 2.0**-FINE
        solved[title] = b"%d\n" % len(rows) + rows.tobytes()
    written = book.bind(solved)
    assert written == PACKAGED.joinpath(BOOK).read_bytes()
    assert len(written) < 2_400_000


def test_a_damaged_book_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    about = json.loads(PACKAGED.joinpath(BOOK).read_bytes().partition(b"\n")[0])
    assert (about["version"], about["game"], about["rules"]) == (BOOK_VERSION, farkle.ID, farkle.VERSION)
    monkeypatch.setattr(tables, "VERSION", farkle.VERSION + 1)
    with pytest.raises(InvalidOption, match="damaged or made for other rules"):
        tables._packaged.__wrapped__()
    monkeypatch.undo()
    monkeypatch.setattr(zlib, "crc32", lambda data: 0)
    with pytest.raises(InvalidOption, match="damaged or made for other rules"):
        tables._packaged.__wrapped__()


def test_a_book_in_the_cache_is_used_only_if_it_is_whole(solve_here: Solve, tmp_path: Path) -> None:
    options = solve_here(Options(target=100, bank_minimum=250))
    (file,) = tmp_path.glob("farkle-turns-*.bin")
    assert file.name == "farkle-turns-to100-bank250.bin"
    whole = file.read_bytes()
    for damaged in (whole[:-1], whole[:40], b"", b"[]\n", whole.replace(b'"rules": 1', b'"rules": 2')):
        file.write_bytes(damaged)
        with pytest.raises(InvalidOption, match="no book here has turns under these options"):
            asked.values(options, 1, "turns")
    file.write_bytes(whole)
    assert asked.values(options, 1, "turns")(start(options, 1)) > 1
    file.unlink()
    assert asked.values(options, 1, "turns")(start(options, 1)) > 1, "it has been read already"


def test_what_can_be_solved(solve_here: Solve) -> None:
    for chosen, why in (
        ({"max_turns": 5}, "the target plays no part"),
        ({"straight": True, "straight_points": 1234}, "above 800"),
        ({"target": 20_050}, "above 20000"),
    ):
        with pytest.raises(InvalidOption, match=why):
            solve_here(Options(**chosen))  # type: ignore[arg-type]


def test_what_is_packaged_is_not_solved_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path))
    for options in (Options(), Options(target=700, last_turn=True), Options(bank_minimum=50, three_pairs=True)):
        with pytest.raises(InvalidOption, match="need no book of their own"):
            solve_options(options)
    both = solver.books_for(Options(board_minimum=500, bank_minimum=300, last_turn=True))
    assert [book.name for book in both] == [
        "farkle-turns-to10000-bank300-board500.bin",
        "farkle-race-to10000-bank300-board500-last.bin",
    ]


def test_options_that_mean_the_same_have_one_book() -> None:
    usual = contest_of(Options(), 2)
    assert usual == Contest(LITE, True)
    for same in ({"target": 150}, {"bank_minimum": 50}, {"board_minimum": 50}, {"straight_points": 2000}):
        assert contest_of(Options(**same), 2) == usual  # type: ignore[arg-type]
    assert contest_of(Options(last_turn=True), 1) == usual
    assert contest_of(Options(bank_minimum=500, board_minimum=500), 2) == usual._replace(least=10)
    names = {contest_name(contest) for contests in USUAL.values() for contest in contests}
    assert len(names) == len(USUAL["race"])
    assert contest_name(Contest(Scoring(1500, 1500), False, 100, 6, 10, True)) == (
        "straight1500-pairs1500-cold-to5000-bank300-board500-last"
    )


def test_a_table_survives_the_book() -> None:
    """Also where neighbours differ as much as can be, and whichever row is asked for first."""
    random = np.random.default_rng(1)
    least = 2.0**-32
    table = random.integers(0, 2**32, (19, 5)) * least
    table[1] = [0, 1 - least, 0, least, 0.5]
    head, _, body = book_bytes([("race", USUAL["race"][0], table)]).partition(b"\n")
    (about,) = json.loads(head)["tables"]
    found = ValueTable(about, zlib.decompress(body))
    for number in random.permutation(19):
        assert found.row(int(number)) == [round(value * 2**FINE) for value in table[number]]


@pytest.mark.parametrize(
    "options",
    [Options(target=500, bank_minimum=9000, board_minimum=10_000), Options(target=5250, bank_minimum=5000)],
    ids=lambda options: str(options.changed()),
)
def test_a_race_in_which_next_to_nothing_is_banked(options: Options, solve_here: Solve) -> None:
    value = asked.values(solve_here(options), 2, "race")
    assert Fraction(1, 2) < value(start(options, 2)) < Fraction(501, 1000)
    contest, random = contest_of(options, 2), Random("rare")
    win = find_table("race", contest)
    for _ in range(12):
        mine, theirs = random.randint(1, contest.places), random.randint(1, contest.places)
        turn = target._race_turn(contest, mine, theirs)
        assert abs(turn.before() - win.row(mine)[theirs]) * 2.0**-FINE < 2 * CLOSE, (mine, theirs)


def test_a_lead_that_no_turn_makes_good() -> None:
    """It takes no time, whatever the lead; and where the turn total has made most of it good, only the rest counts."""
    options = Options(last_turn=True)
    value = asked.values(options, 2, "race")
    for turn in ("0 152226 selection", "100 [1]52226 selected", "999000000 [1]52226 selected", "0 ...... banked"):
        assert value(read_state(options, f"999999950:200 1 4 {turn} 0")) < Fraction(1, 10**9)
    far, near = (
        read_state(options, f"{lead}:0 1 4 {lead - 1000} [1]52226 selected 0") for lead in (900_000_000, 11_000)
    )
    assert 0 < value(far) == value(near) < 1


def test_millions_of_turns(solve_here: Solve) -> None:
    """Where every turn has to bring 10,000 points: the chance of one turn is all there is."""
    options = solve_here(Options(bank_minimum=10_000, target=400))
    value = asked.values(options, 1, "turns")
    first, tried = start(options, 1), target._last_turn(contest_of(options, 1), 199, 8).before()
    assert 2_900_000 < value(first) < 3_000_000
    assert abs(value(first) * tried / 2**FINE - 1) < 1e-6, "the chance itself has few digits here"
